"""One rule for all writers: what is not of their own kind, or write-protected, is left as it is."""

import io
from pathlib import Path

import numpy as np
import pytest

import flexor as fx
from flexor.cosim.meta_model.declaration import MetaModel
from flexor.cosim.meta_model.file import save as save_coupled
from flexor.cosim.tlm.wave_log import begin_log
from flexor.errors import FileError
from flexor.figure import new_figure, write
from flexor.io import MatrixModel, write_matrices, write_pvd, write_series
from flexor.io.replaceable import SIGNS, check_replaceable
from flexor.mesh.generate import box
from flexor.results.pressure_map import PressureMap
from flexor.solve.frequency.response import FrequencyResponse
from tests.results import synthetic

MESH = box((1.0, 1.0, 1.0), (1, 1, 1), material=fx.Steel())
MODEL = fx.Model("arm", [fx.PointMass("p", mass=1)])
MATRICES = MatrixModel(
    K=np.eye(3),
    M=np.eye(3),
    C=None,
    dofs=np.array([(1, 1), (1, 2), (1, 3)]),
    node_ids=np.array([1]),
    points=np.zeros((1, 3)),
)


def plot(path: Path) -> None:
    write(new_figure((2, 1), shown=False), path)


def table(path: Path) -> None:
    stored = path.with_name("stored.flexor.h5")
    if not stored.exists():
        synthetic.write(stored)
    fx.Run(stored).to_csv(path)


RESPONSE = FrequencyResponse(
    np.array([1.0]), np.ones((1, 1, 1), dtype=complex), ("tip",), ("push",), ("m",), ("N",), np.ones(1), "direct"
)
COUPLED = MetaModel(
    name="coupled",
    sub_models=[{"name": name, "start_command": "start", "interface_points": [{"name": "end"}]} for name in "ab"],
    connections=[{"a": "a.end", "b": "b.end", "delay": 1e-4, "zf": 100.0}],
    stop_time=1.0,
)
PRESSURE = PressureMap(
    "touch", "a", ("x", "y"), ("m", "m"), np.arange(2.0), np.arange(2.0), np.ones((2, 2)), np.zeros((2, 2, 3)), np.ones((2, 2)), 0.0
)  # fmt: skip
WRITERS = {
    "table.csv": table,
    "pressure.csv": PRESSURE.to_csv,
    "component.yaml": lambda path: fx.Component("arm", MODEL.items).save(path, overwrite=True),
    "mesh.vtu": lambda path: fx.write_vtu(path, MESH),
    "text.vtu": lambda path: fx.write_vtu(path, MESH, encoding="ascii"),
    "mesh.pvd": lambda path: write_pvd(path, [0.0], ["a.vtu"]),
    "series.pvd": lambda path: write_series(path, MESH, [0.0]),
    "mesh.inp": lambda path: fx.write_inp(path, MESH),
    "matrices.npz": lambda path: write_matrices(path, MATRICES),
    "response.csv": lambda path: RESPONSE.to_csv(path),
    "response.npz": lambda path: RESPONSE.to_npz(path),
    "coupled.xml": lambda path: save_coupled(COUPLED, path),
    "coupled.waves": lambda path: begin_log(path, COUPLED, {}).close(),
    "model.yaml": MODEL.save,
    "model.json": MODEL.save,
    **{f"plot.{ending}": plot for ending in ("png", "svg", "pdf", "eps", "jpg", "tif", "webp")},
}


def foreign() -> dict[str, bytes]:
    """Files of a user: what each program writes by its own, and what a hand does."""
    archive = io.BytesIO()
    np.savez(archive, measured=np.zeros(3))
    return {
        "deck": b"*HEADING\nrod\n*NODE\n1, 0, 0, 0\n",
        "notes": b"drawn with Matplotlib\nitems of interest, time [s]: many\n",
        "measured": b"t,force\n0,1\n",
        "archive": archive.getvalue(),
        "results": b"\x89HDF\r\n\x1a\n" + bytes(500),
        "grid": b'<?xml version="1.0"?>\n<VTKFile type="UnstructuredGrid" version="1.0">\n</VTKFile>\n',
        "photo": b"\x89PNG\r\n\x1a\n" + bytes(200),
    }


@pytest.mark.parametrize("name", WRITERS)
def test_only_what_is_of_its_own_kind_is_replaced(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    WRITERS[name](path)
    written = path.read_bytes()
    path.write_bytes(b"")
    for _ in range(2):  # in the place of an empty one, and of its own
        WRITERS[name](path)
    assert len(path.read_bytes()) == len(written)
    others = {other: (tmp_path / other).read_bytes() for other in WRITERS if _written(tmp_path, other)}
    kinds = {Path(other).suffix: content for other, content in others.items()}
    for ending, content in {**foreign(), **kinds}.items():
        if ending == path.suffix or {ending, path.suffix} <= {".yaml", ".json"} or _both_pictures(ending, path):
            continue
        path.write_bytes(content)
        with pytest.raises(FileError, match=r"exists and would be lost; it is no .* choose another name, or delete"):
            WRITERS[name](path)
        assert path.read_bytes() == content


def _written(folder: Path, other: str) -> bool:
    WRITERS[other](folder / other)
    return True


def _both_pictures(ending: str, path: Path) -> bool:
    return WRITERS.get(f"plot{ending}") is plot is WRITERS[path.name]


@pytest.mark.parametrize("name", WRITERS)
def test_write_protected_files_are_kept_even_from_root(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    WRITERS[name](path)
    kept = path.read_bytes()
    path.chmod(0o444)
    with pytest.raises(FileError, match="exists and is kept; it is write-protected"):
        WRITERS[name](path)
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (kept, 0o444)


@pytest.mark.parametrize("name", WRITERS)
def test_what_cannot_be_written_is_told(name: str, tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be written"):
        WRITERS[name](tmp_path / "missing" / name)


def test_protected_results_and_bodies_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.flexor.h5"
    synthetic.write(path)
    path.chmod(0o444)
    with pytest.raises(FileError, match=r"results file .* is write-protected"):
        MODEL.dynamics(until=1e-3, step=1e-3, file=path, overwrite=True, show=False)
    body = fx.reduce_mesh(
        box((3.0, 1.0, 1.0), (3, 1, 1), material=fx.Steel()), {"a": "x_min", "b": "x_max"}, fx.Guyan()
    )
    with pytest.raises(FileError, match="it is no flexor reduced body"):
        body.save(path)
    stored = tmp_path / "body.h5"
    body.save(stored)
    stored.chmod(0o444)
    with pytest.raises(FileError, match="write-protected"):
        body.save(stored)


def test_every_kind_has_a_writer_here(tmp_path: Path) -> None:
    """The table above would not notice a new one."""
    known = set()
    for name, writer in WRITERS.items():
        path = tmp_path / name
        writer(path)
        known |= {kind for kind in SIGNS if _accepted(path, kind)}
    assert known == set(SIGNS)


def _accepted(path: Path, kind: str) -> bool:
    try:
        check_replaceable(path, kind, "")
    except FileError:
        return False
    return True


def test_what_cannot_be_read_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "plot.png"
    plot(path)
    kept = path.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", lambda *_, **__: (_ for _ in ()).throw(PermissionError(13, "no")))
        with pytest.raises(FileError, match="exists and would be lost"):
            plot(path)
    assert path.read_bytes() == kept
