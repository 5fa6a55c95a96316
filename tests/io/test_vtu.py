"""VTU and PVD files, read back with nothing but an XML parser."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

from flexor.elements import by_name
from flexor.errors import ModelError
from flexor.io import write_pvd, write_series, write_vtu
from flexor.mesh import Block, Mesh

TYPES = {"Float64": "<f8", "Int64": "<i8", "UInt8": "u1"}


def mixed() -> Mesh:
    """A wedge on a hexahedron's side, a shell and a bush."""
    hexahedron = np.array(by_name["hex8"].corners, dtype=float)
    points = np.concatenate([hexahedron, [(3, -1, -1), (3, -1, 1), (1, -1, 4), (1, 1, 4)]])
    blocks = (
        Block("hex8", np.arange(8)[None], np.array([11])),
        Block("wedge6", np.array([[1, 8, 2, 5, 9, 6]]), np.array([12])),
        Block("shell4", np.array([[5, 6, 11, 10]]), np.array([13])),
        Block("bush", np.array([[0, 10], [3, 11]]), np.array([14, 15])),
    )
    return Mesh(points, np.arange(12) + 101, blocks)


def arrays_of(path: Path) -> dict[str, np.ndarray]:
    """All arrays of a VTU file."""
    data = path.read_bytes()
    head, _, rest = data.partition(b'<AppendedData encoding="raw">')
    raw = rest[rest.index(b"_") + 1 :] if rest else b""
    text = head.decode() + ("</VTKFile>" if rest else "")
    found = {}
    for each in ET.fromstring(text).iter("DataArray"):
        kind = np.dtype(TYPES[each.attrib["type"]])
        if each.attrib["format"] == "ascii":
            values = np.array((each.text or "").split(), dtype=float).astype(kind)
        else:
            at = int(each.attrib["offset"])
            size = int.from_bytes(raw[at : at + 8], "little")
            values = np.frombuffer(raw[at + 8 : at + 8 + size], dtype=kind)
        columns = int(each.attrib.get("NumberOfComponents", 0))
        found[each.attrib["Name"]] = values.reshape(-1, columns) if columns else values
    return found


@pytest.mark.parametrize("encoding", ["raw", "ascii"])
def test_a_mesh_with_fields(tmp_path: Path, encoding: str) -> None:
    mesh = mixed()
    rng = np.random.default_rng(1)
    u, stress = rng.standard_normal((12, 3)), rng.standard_normal((5, 6))
    fields = {"u & <v>": u, "level": np.arange(12)}
    path = write_vtu(tmp_path / "m.vtu", mesh, fields, {"stress": stress}, displacement=u, encoding=encoding)
    found = arrays_of(path)
    np.testing.assert_array_equal(found["points"], mesh.points + u)
    np.testing.assert_array_equal(found["u & <v>"], u)
    np.testing.assert_array_equal(found["stress"], stress)
    np.testing.assert_array_equal(found["level"], np.arange(12))
    assert found["node"].tolist() == mesh.node_ids.tolist()
    assert found["element"].tolist() == [11, 12, 13, 14, 15]
    assert found["types"].tolist() == [12, 13, 9, 3, 3]
    assert found["offsets"].tolist() == [8, 14, 18, 20, 22]
    assert found["connectivity"][:8].tolist() == list(range(8))
    assert sorted(found["connectivity"][8:14].tolist()) == [1, 2, 5, 6, 8, 9]


def test_quadratic_cells_have_vtk_order() -> None:
    """Corners first, then the middles of the edges as VTK's cell classes list them (vtkQuadraticHexahedron, …)."""
    edges = {
        "tet10": ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)),
        "wedge15": ((0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5)),
        "hex20": (*((0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)),),
    }
    from flexor.io.element_names import in_their_order

    for element, own in edges.items():
        kind = by_name[element]
        X = np.array(kind.corners)[in_their_order(np.arange(kind.n_nodes)[None], kind.vtk_order)[0]]
        corners = len(X) - len(own)
        for i, (a, b) in enumerate(own):
            np.testing.assert_allclose(X[corners + i], (X[a] + X[b]) / 2)


def test_fields_that_do_not_fit(tmp_path: Path) -> None:
    for values in (np.zeros(5), np.zeros((12, 3), dtype=complex), np.zeros((12, 3, 3)), np.array(["a"] * 12)):
        with pytest.raises(ModelError, match=r"field 'u'.*12 nodes"):
            write_vtu(tmp_path / "m.vtu", mixed(), {"u": values})
    with pytest.raises(ModelError, match="5 elements"):
        write_vtu(tmp_path / "m.vtu", mixed(), cell_data={"s": np.zeros(3)})
    with pytest.raises(ModelError, match="encoding"):
        write_vtu(tmp_path / "m.vtu", mixed(), encoding="zip")


def test_a_series(tmp_path: Path) -> None:
    u = np.random.default_rng(2).standard_normal((3, 12, 3))
    path = write_series(tmp_path / "run.pvd", mixed(), [0.0, 0.1, 0.25], {"u": u})
    sets = list(ET.parse(path).getroot().iter("DataSet"))
    assert [float(each.attrib["timestep"]) for each in sets] == [0.0, 0.1, 0.25]
    for i, each in enumerate(sets):
        assert not re.match(r"/|\w:", each.attrib["file"])
        np.testing.assert_array_equal(arrays_of(tmp_path / each.attrib["file"])["u"], u[i])
    with pytest.raises(ValueError, match="zip"):
        write_pvd(tmp_path / "x.pvd", [0.0], [])
