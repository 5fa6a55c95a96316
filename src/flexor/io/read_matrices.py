"""read_matrices: stiffness, mass and damping matrices from the files of other programs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from flexor.errors import FileError, Problem
from flexor.files import as_path
from flexor.io.file_text import read_bytes, read_lines, wrong
from flexor.io.file_units import FileUnits
from flexor.io.matrices import abaqus_mtx, archive, calculix, dmig, matrix_market
from flexor.io.matrices.matrix_model import Entries, MatrixModel, assembled, full_matrix
from flexor.io.read_points import read_points

Points = tuple[np.ndarray, np.ndarray] | None
Dofs = str | Path | int | np.ndarray | None
Nodes = str | Path | Mapping[int, ArrayLike] | None


def read_matrices(
    stiffness: str | Path,
    mass: str | Path | None = None,
    damping: str | Path | None = None,
    *,
    dofs: Dofs = None,
    nodes: Nodes = None,
    units: str = "SI",
    names: dict[str, str] | None = None,
) -> MatrixModel:
    """Matrices of a finite-element model with the nodes their rows belong to.

    Files: Matrix Market, Abaqus .mtx (assembled or substructure), CalculiX .sti with .mas, .dof and .inp beside it,
    Nastran DMIG (.pch, .bdf), NumPy .npz. Those that hold all matrices need one name only; for .sti and …_STIF1.mtx the
    others are found beside it.

    stiffness, mass, damping: the files.
    dofs: a file of "node.component" lines, an (n, 2) array (component from 0), or the number per node (3 or 6, node by
    node in the order of `nodes`), for formats that do not name their rows.
    nodes: a mesh file or table "number x y z" with the nodes' positions, or a mapping from number to position [m].
    units: as for read_mesh.   names: DMIG names by role, {"K": "KAAX"}.
    """
    given = {"K": stiffness} | {role: each for role, each in (("M", mass), ("C", damping)) if each is not None}
    paths = {role: as_path(each, "matrix file") for role, each in given.items()}
    kind = _kind(paths["K"])
    _find_companions(kind, paths)
    system = FileUnits.of(units)
    files = _Files(paths, dofs, _points(nodes, system), system, names)
    matrices, rows, points, notes = _READERS[kind](files)
    return assembled(matrices, rows, points, system, files.K, notes)


@dataclass(frozen=True)
class _Files:
    """What read_matrices was asked for."""

    paths: dict[str, Path]
    dofs: Dofs
    points: Points
    units: FileUnits
    names: dict[str, str] | None

    @property
    def K(self) -> Path:
        return self.paths["K"]


Found = tuple[dict[str, sparse.csc_matrix], np.ndarray, Points, list[str]]
"""Matrices by role, what their rows stand for, node positions, notes."""


def _dmig(files: _Files) -> Found:
    found, notes = dmig.read_dmig(files.K, files.names)
    for role in ("M", "C"):
        if role in files.paths:
            found |= {r: p for r, p in dmig.read_dmig(files.paths[role], files.names)[0].items() if r == role}
    matrices, rows, more = abaqus_mtx.join_labelled(found)
    return matrices, rows, files.points or _own_points(files.K, files.units), [*notes, *more]


def _calculix(files: _Files) -> Found:
    rows = _rows(files.K.with_suffix(".dof") if files.dofs is None else files.dofs, files.points, files.K)
    matrices = {role: calculix.read_triangle(path, len(rows), role) for role, path in files.paths.items()}
    points, inp = files.points, files.K.with_suffix(".inp")
    if points is None and inp.is_file():
        points = read_points(inp, files.units)
    return matrices, rows, points, []


def _matrix_market(files: _Files) -> Found:
    matrices = {role: matrix_market.read_matrix_market(path, role) for role, path in files.paths.items()}
    return matrices, _rows(files.dofs, files.points, files.K), files.points, []


def _abaqus(files: _Files) -> Found:
    if abaqus_mtx.is_substructure(read_lines(files.K)):
        matrices, rows = abaqus_mtx.read_substructure(files.K)
        return matrices, rows, files.points, []
    tables = {role: (abaqus_mtx.read_table(path), path) for role, path in files.paths.items()}
    labelled = {r: (t, p) for r, (t, p) in tables.items() if isinstance(t, abaqus_mtx.Labelled)}
    bare = {r: (t, p) for r, (t, p) in tables.items() if not isinstance(t, abaqus_mtx.Labelled)}
    if not bare:
        matrices, rows, notes = abaqus_mtx.join_labelled(labelled)
        return matrices, rows, files.points, notes
    if labelled:
        raise wrong(files.K, None, "the matrices name their rows differently", fix="export both in one format")
    return _same_size(bare), _rows(files.dofs, files.points, files.K), files.points, []


def _kind(path: Path) -> str:
    start = read_bytes(path, 100_000)
    if start[:14] == matrix_market.HEADER:
        return "matrix market"
    if start[:2] == b"PK":
        return "archive"
    suffix = path.suffix.lower()
    if suffix in (".sti", ".mas"):
        return "calculix"
    if re.search(rb"^DMIG[ *,]", start, re.M | re.I) or suffix in (".pch", ".bdf", ".nas", ".dat"):
        return "dmig"
    if suffix in (".mtx", ".txt", ".csv"):
        return "abaqus"
    if suffix == ".npz":
        return "archive"
    fix = "Matrix Market, Abaqus .mtx, CalculiX .sti, Nastran DMIG .pch or NumPy .npz"
    raise FileError(Problem(str(path), "the kind of matrix file cannot be told", fix=fix))


def _find_companions(kind: str, paths: dict[str, Path]) -> None:
    """Matrices that a program writes beside the stiffness matrix."""
    K = paths["K"]
    beside: dict[str, Path] = {}
    if kind == "calculix":
        beside = {"M": K.with_suffix(".mas")}
    elif kind == "abaqus" and (match := re.search(r"_STIF(\d+)$", K.stem, re.IGNORECASE)):
        stem = K.stem[: match.start()]
        beside = {
            "M": K.with_name(f"{stem}_MASS{match[1]}{K.suffix}"),
            "C": K.with_name(f"{stem}_DMPV{match[1]}{K.suffix}"),
        }
    for role, path in beside.items():
        if role not in paths and path.is_file():
            paths[role] = path


def _points(nodes: Nodes, units: FileUnits) -> Points:
    if nodes is None:
        return None
    if isinstance(nodes, str | Path):
        return read_points(nodes, units)
    ids = np.array(list(nodes), dtype=np.int64)
    return ids, np.array([np.asarray(nodes[i], dtype=float) for i in ids.tolist()]).reshape(-1, 3)


def _own_points(path: Path, units: FileUnits) -> Points:
    """Grid points of the deck that holds the matrices, if it has any."""
    from flexor.io.nastran.bulk import read_bulk

    return read_points(path, units) if "GRID" in read_bulk(path).tables else None


def _rows(dofs: Dofs, given: Points, path: Path) -> np.ndarray:
    """(n, 2) node and component of each row."""
    if isinstance(dofs, str | Path):
        return calculix.read_dofs(Path(dofs))
    if isinstance(dofs, int | np.integer):
        if given is None:
            raise FileError(
                Problem(str(path), "rows cannot be counted per node", "the nodes are not given", "say nodes=…")
            )
        return np.stack([np.repeat(given[0], dofs), np.tile(np.arange(dofs), len(given[0]))], axis=1)
    if dofs is not None:
        rows = np.asarray(dofs, dtype=np.int64)
        if rows.ndim != 2 or rows.shape[1] != 2:
            raise FileError(Problem("dofs", f"shape {rows.shape}", "it must be (n, 2): node and component from 0"))
        return rows
    why = "the file does not say which node and component a row belongs to"
    raise FileError(
        Problem(str(path), "the rows of the matrix have no names", why, "say dofs=…, e.g. dofs=6 with nodes=…")
    )


def _same_size(tables: dict[str, tuple[Entries, Path]]) -> dict[str, sparse.csc_matrix]:
    n = max(table.size for table, _ in tables.values())
    return {role: full_matrix(replace(table, size=n), path, role) for role, (table, path) in tables.items()}


def _archive(files: _Files) -> Found:
    arrays = archive.read_archive(files.K)
    matrices = {"K": archive.matrix_of(arrays, "K", files.K)}
    for role in ("M", "C"):
        source = arrays if "indptr" not in arrays else {}
        if role in files.paths:
            source = archive.read_archive(files.paths[role])
        matrices[role] = archive.matrix_of(source, role, files.paths.get(role, files.K))
    if matrices["K"] is None:
        raise wrong(files.K, None, "there is no stiffness matrix", fix="store it under the name K")
    points, ids = files.points, arrays.get("node_ids", arrays.get("nodes"))
    if points is None and ids is not None and "points" in arrays:
        found = arrays["points"]
        if found.shape != (len(ids), 3) or found.dtype.kind not in "fiu" or ids.dtype.kind not in "iu":
            raise wrong(
                files.K, None, "points do not fit the node numbers", fix="store (k,) node_ids and (k, 3) points"
            )
        points = (ids.astype(np.int64), found.astype(float) * files.units.length)
    dofs = files.dofs
    if dofs is None and "dofs" in arrays:
        dofs = arrays["dofs"]
        if dofs.dtype.kind not in "iu" or dofs.ndim != 2 or dofs.shape[1] != 2:
            raise wrong(files.K, None, "dofs is no (n, 2) array of whole numbers", fix="store node and component")
    return matrices, _rows(dofs, points, files.K), points, []


_READERS = {
    "dmig": _dmig,
    "calculix": _calculix,
    "matrix market": _matrix_market,
    "abaqus": _abaqus,
    "archive": _archive,
}
