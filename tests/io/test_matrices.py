"""Matrix files of other programs: the same small model in each format."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import scipy.io
from scipy import sparse

from flexor.errors import FileError
from flexor.io import MatrixModel, read_matrices, write_matrices

# two nodes with three displacements, one node with six components; K and M symmetric, some zeros
DOFS = np.array([(n, c) for n, k in ((3, 3), (5, 3), (8, 6)) for c in range(k)])
POINTS = {3: (0.0, 0.0, 0.0), 5: (1.0, 0.0, 0.0), 8: (1.0, 2.0, 0.0)}
N = len(DOFS)


def _matrices() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(5)
    A = rng.standard_normal((N, N)) * (rng.random((N, N)) < 0.4)
    K = A @ A.T + 20 * np.eye(N)
    return np.round(K, 9), np.diag(rng.uniform(1, 2, N)) + 0.1 * (np.abs(K) > 0)


K, M = _matrices()
DMIG = {"K": "KAAX", "M": "MAAX"}


def label(i: int) -> tuple[int, int]:
    return int(DOFS[i, 0]), int(DOFS[i, 1]) + 1


def points_file(folder: Path) -> Path:
    path = folder / "nodes.csv"
    path.write_text("node; x; y; z\n" + "".join(f"{n};{x};{y};{z}\n" for n, (x, y, z) in POINTS.items()))
    return path


def pairs(A: np.ndarray, which: str) -> list[tuple[int, int]]:
    keep = {"lower": lambda i, j: i >= j, "upper": lambda i, j: i <= j, "both": lambda i, j: True}[which]
    return [(i, j) for i in range(N) for j in range(N) if keep(i, j) and (A[i, j] != 0 or i == j)]


def check(model: MatrixModel) -> None:
    np.testing.assert_array_equal(model.dofs, DOFS)
    np.testing.assert_allclose(model.K.toarray(), K, rtol=1e-12)
    assert model.M is not None
    np.testing.assert_allclose(model.M.toarray(), M, rtol=1e-12)
    assert model.node_ids.tolist() == list(POINTS)
    np.testing.assert_array_equal(model.points, list(POINTS.values()))


@pytest.mark.parametrize("symmetry", ["general", "symmetric"])
def test_matrix_market(tmp_path: Path, symmetry: str) -> None:
    for name, A in (("K", K), ("M", M)):
        scipy.io.mmwrite(tmp_path / f"{name}.mtx", sparse.coo_matrix(A), symmetry=symmetry, precision=17)
    (tmp_path / "rows.dof").write_text("".join("{}.{}\n".format(*label(i)) for i in range(N)))
    files = tmp_path / "K.mtx", tmp_path / "M.mtx"
    check(read_matrices(*files, dofs=tmp_path / "rows.dof", nodes=points_file(tmp_path)))
    check(read_matrices(*files, dofs=DOFS, nodes=POINTS))
    with pytest.raises(FileError, match=r"rows of the matrix have no names.*dofs="):
        read_matrices(*files)
    with pytest.raises(FileError, match=r"15 degrees of freedom are listed"):
        read_matrices(*files, dofs=np.concatenate([DOFS, DOFS[:3] + 1]), nodes=POINTS)


@pytest.mark.parametrize("symmetry", ["general", "symmetric"])
def test_matrix_market_arrays(tmp_path: Path, symmetry: str) -> None:
    for name, A in (("K", K), ("M", M)):
        scipy.io.mmwrite(tmp_path / f"{name}.mtx", A, symmetry=symmetry, precision=17)
    check(read_matrices(tmp_path / "K.mtx", tmp_path / "M.mtx", dofs=DOFS, nodes=POINTS))


def test_matrix_market_by_components_per_node(tmp_path: Path) -> None:
    scipy.io.mmwrite(tmp_path / "K.mtx", sparse.coo_matrix(K[:9, :9]))
    model = read_matrices(tmp_path / "K.mtx", dofs=3, nodes=POINTS)
    assert model.dofs.tolist() == [[n, c] for n in POINTS for c in range(3)]
    assert model.M is None


@pytest.mark.parametrize("which", ["lower", "upper", "both"])
def test_abaqus_labels(tmp_path: Path, which: str) -> None:
    for name, A in (("STIF", K), ("MASS", M)):
        rows = [
            f"{label(i)[0]},{label(i)[1]}, {label(j)[0]},{label(j)[1]},  {A[i, j]:.16e}" for i, j in pairs(A, which)
        ]
        (tmp_path / f"job_{name}1.mtx").write_text("\n".join(rows) + "\n")
    check(read_matrices(tmp_path / "job_STIF1.mtx", nodes=POINTS))  # the mass matrix is found beside it


def test_abaqus_boundary_conditions_are_taken_out(tmp_path: Path) -> None:
    rows = ["3,1,3,1,1e36", "3,2,3,2,5.", "5,1,3,2,-2.", "5,1,5,1,7."]
    (tmp_path / "job_STIF1.mtx").write_text("\n".join(rows) + "\n")
    model = read_matrices(tmp_path / "job_STIF1.mtx")
    assert model.dofs.tolist() == [[3, 1], [5, 0]]
    np.testing.assert_array_equal(model.K.toarray(), [[5, -2], [-2, 7]])
    assert any("boundary conditions" in note for note in model.notes)
    assert any("positions of 2 nodes are not known" in note for note in model.notes)


def test_abaqus_coordinates(tmp_path: Path) -> None:
    for name, A in (("STIF", K), ("MASS", M)):
        rows = [f"{i + 1:8d} {j + 1:8d} {A[i, j]:.16e}" for i, j in pairs(A, "lower")]
        (tmp_path / f"job_{name}1.mtx").write_text("\n".join(rows) + "\n")
    check(read_matrices(tmp_path / "job_STIF1.mtx", dofs=DOFS, nodes=POINTS))


def test_abaqus_substructure(tmp_path: Path) -> None:
    def triangle(A: np.ndarray) -> str:
        text = ""
        for i in range(N):
            words = [f"{A[i, j]:.16E}" for j in range(i + 1)]
            text += "\n".join(", ".join(words[k : k + 4]) for k in range(0, len(words), 4)) + "\n"
        return text

    head = "**\n** GENERATION OF SUBSTRUCTURE Z1\n*USER ELEMENT, NODES=         3, LINEAR\n"
    head += "** ELEMENT NODES\n**   3,   5,\n**  8\n"
    text = (
        head
        + " 1, 2, 3\n 3, 1, 2, 3, 4, 5, 6\n*MATRIX,TYPE=STIFFNESS\n"
        + triangle(K)
        + "*MATRIX,TYPE=MASS\n"
        + triangle(M)
    )
    path = tmp_path / "z1.mtx"
    path.write_text(text)
    check(read_matrices(path, nodes=POINTS))
    path.write_text(text[: len(text) // 2].rpartition("\n")[0] + "\n")
    with pytest.raises(FileError, match="values where"):
        read_matrices(path)


def test_calculix(tmp_path: Path) -> None:
    for suffix, A in (("sti", K), ("mas", M)):
        rows = [f"{i + 1} {j + 1} {A[i, j]:20.13e}" for j in range(N) for i, k in pairs(A, "upper") if k == j]
        (tmp_path / f"job.{suffix}").write_text("\n".join(rows) + "\n")
    (tmp_path / "job.dof").write_text("".join("{}.{}\n".format(*label(i)) for i in range(N)))
    (tmp_path / "job.inp").write_text("*NODE\n" + "".join(f"{n}, {x}, {y}, {z}\n" for n, (x, y, z) in POINTS.items()))
    check(read_matrices(tmp_path / "job.sti"))
    whole = (tmp_path / "job.sti").read_text()
    for end in (len(whole) // 3, len(whole) - 30, len(whole) - 5, len(whole) - 1):
        (tmp_path / "job.sti").write_text(whole[:end])
        with pytest.raises(FileError):
            read_matrices(tmp_path / "job.sti")
    rows = whole.split("\n")
    (tmp_path / "job.sti").write_text("\n".join(rows[: len(rows) // 2]) + "\n")
    with pytest.raises(FileError, match="lacks the diagonal term of row"):
        read_matrices(tmp_path / "job.sti")


def dmig(name: str, A: np.ndarray, large: bool) -> str:
    """Columns with the entries of the lower triangle, as Nastran punches them."""
    rows = [f"DMIG,{name},0,6,2,0,,,"] if not large else [f"DMIG    {name:<8s}       0       6       2       0"]
    for j in range(N):
        below = [i for i in range(j, N) if A[i, j] != 0]
        entries = [(*label(i), f"{A[i, j]:.9E}") for i in below]
        if large:
            rows.append(f"DMIG*   {name:<16s}{label(j)[0]:16d}{label(j)[1]:16d}")
            rows += [f"*       {g:16d}{c:16d}{v:>16s}" for g, c, v in entries]
        else:
            fields = [f"{g},{c},{float(A[i, j])!r}," for (g, c, _), i in zip(entries, below)]
            first, rest = fields[0], fields[1:]
            rows.append(f"DMIG,{name},{label(j)[0]},{label(j)[1]},,{first}")
            rows += [f",{','.join(rest[k : k + 2])}" for k in range(0, len(rest), 2)]
    return "\n".join(rows) + "\n"


def test_dmig_in_free_fields(tmp_path: Path) -> None:
    grids = "".join(f"GRID,{n},,{x},{y},{z}\n" for n, (x, y, z) in POINTS.items())
    path = tmp_path / "model.pch"
    path.write_text(grids + dmig("KAAX", K, False) + dmig("MAAX", M, False))
    check(read_matrices(path))


def test_dmig_in_large_fields(tmp_path: Path) -> None:
    path = tmp_path / "model.pch"
    path.write_text(
        dmig("KAAX", K, True) + dmig("MAAX", M, True) + dmig("PAX", K, True).replace("0       6", "0       9", 1)
    )
    model = read_matrices(path, nodes=POINTS)
    np.testing.assert_allclose(model.K.toarray(), K, rtol=1e-9)
    np.testing.assert_array_equal(model.dofs, DOFS)
    assert any(note.startswith("DMIG PAX") for note in model.notes)
    with pytest.raises(FileError, match="no DMIG KJJ"):
        read_matrices(path, names={"K": "KJJ"})
    np.testing.assert_allclose(read_matrices(path, names={"K": "MAAX"}).K.toarray(), M, rtol=1e-9)


def test_archives(tmp_path: Path) -> None:
    points = np.array(list(POINTS.values()))
    ids = np.array(list(POINTS))
    np.savez(tmp_path / "dense.npz", K=K, M=M, dofs=DOFS, node_ids=ids, points=points)
    model = read_matrices(tmp_path / "dense.npz")
    check(model)
    write_matrices(tmp_path / "sparse.npz", model)
    check(read_matrices(tmp_path / "sparse.npz"))
    for name, A in (("K", K), ("M", M)):
        sparse.save_npz(tmp_path / f"{name}.npz", sparse.csc_matrix(np.triu(A)))
    check(read_matrices(tmp_path / "K.npz", tmp_path / "M.npz", dofs=DOFS, nodes=POINTS))
    uneven = K + np.triu(np.ones((N, N)), 1)
    for make in (sparse.csc_matrix, sparse.csr_matrix):
        sparse.save_npz(tmp_path / "uneven.npz", make(uneven))
        np.testing.assert_array_equal(read_matrices(tmp_path / "uneven.npz", dofs=DOFS).K.toarray(), uneven)
    data = (tmp_path / "sparse.npz").read_bytes()
    for end in range(100, len(data) - 1, 97):
        (tmp_path / "cut.npz").write_bytes(data[:end])
        with pytest.raises(FileError):
            read_matrices(tmp_path / "cut.npz")


def test_units_of_matrices(tmp_path: Path) -> None:
    """N/mm → N/m, N → N, N mm → N m; t → kg, t mm → kg m, t mm² → kg m²."""
    np.savez(tmp_path / "mm.npz", K=K, M=M, C=K, dofs=DOFS, node_ids=np.array(list(POINTS)), points=np.ones((3, 3)))
    model = read_matrices(tmp_path / "mm.npz", units="mm-t-s")
    turns = DOFS[:, 1] > 2
    for A, B, scale in ((model.K, K, (1e3, 1.0, 1e-3)), (model.M, M, (1e3, 1.0, 1e-3)), (model.C, K, (1e3, 1.0, 1e-3))):
        assert A is not None
        factor = np.take(scale, turns[:, None].astype(int) + turns[None, :])
        np.testing.assert_allclose(A.toarray(), B * factor, rtol=1e-12)
    assert model.points.max() == pytest.approx(1e-3)


def test_an_unsymmetric_matrix_is_told(tmp_path: Path) -> None:
    A = K.copy()
    A[0, 1] += 5
    np.savez(tmp_path / "u.npz", K=A, dofs=DOFS)
    assert any("K is not symmetric" in note for note in read_matrices(tmp_path / "u.npz").notes)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "%%MatrixMarket matrix coordinate real general\n99999999999 99999999999 99999999999\n1 1 1\n",
            "sizes are",
        ),
        ("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 1\n", "complex"),
        ("%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 1.0\n", "must be square"),
        ("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1.0\n", "1 of 2 entries"),
        ("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1.0\n1 2 1.0\n", "2 of 1 entries"),
        ("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 3 1.0\n", "outside"),
        ("%%MatrixMarket matrix array real general\n2 2\n1.\n2.\n3.\n", "3 of 4 values"),
        ("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1.0", "no end"),
        ("1,1,1,1\n", "a line of 4 values"),
        ("1,1,1,1,2.\n1,1,1,2\n", "4 values where 5"),
        ("1,1,1,1.5,2.\n", "not a whole number"),
        ("0 1 2.\n", "counted from 1"),
        ("** nothing\n", "no matrix"),
    ],
)
def test_mistakes_are_told(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "k.mtx").write_text(text)
    with pytest.raises(FileError, match=message):
        read_matrices(tmp_path / "k.mtx", dofs=DOFS[:2])
