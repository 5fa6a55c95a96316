"""Every solid element in every format comes out in Flexor's node order."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from flexor.elements import ELEMENTS, Properties, by_name
from flexor.io import read_mesh, write_inp
from flexor.io.element_names import in_our_order, in_their_order
from flexor.mesh import Block, Mesh
from tests.io.formats import CORNERS, EDGES, file_in, placed, volume

SUFFIX = {"abaqus": ".inp", "nastran": ".bdf", "gmsh": ".msh"}
PLAIN = Properties(D=np.eye(6)[None], density=np.ones(1))


@pytest.mark.parametrize("element", CORNERS)
@pytest.mark.parametrize("format", SUFFIX)
def test_nodes_lie_where_the_element_has_them(tmp_path: Path, format: str, element: str) -> None:
    path = tmp_path / f"one{SUFFIX[format]}"
    path.write_text(file_in(format, element))
    mesh = read_mesh(path)
    (block,) = mesh.blocks
    kind = by_name[element]
    assert block.element == element
    assert block.ids.tolist() == [7]
    X = mesh.points[block.nodes]
    np.testing.assert_allclose(X[0], placed(np.array(kind.corners)), atol=1e-8)
    assert kind.jacobians(X).min() > 0
    assert kind.volume(X, PLAIN)[0] == pytest.approx(volume(element), rel=1e-8)


def test_a_wrong_order_is_found() -> None:
    """The check above can fail: Nastran's order taken for Abaqus's puts mid-side nodes elsewhere."""
    for element in ("wedge15", "hex20"):
        assert EDGES["abaqus"][element] != EDGES["nastran"][element]
    kind = by_name["hex20"]
    wrong = placed(np.array(kind.corners))[list(kind.nastran_order or ())]
    assert np.abs(wrong - placed(np.array(kind.corners))).max() > 0.5


@pytest.mark.parametrize("element", CORNERS)
def test_written_orders_are_read_back(tmp_path: Path, element: str) -> None:
    kind = by_name[element]
    nodes = np.arange(kind.n_nodes)[::-1][None]
    mesh = Mesh(
        placed(np.array(kind.corners))[::-1], np.arange(kind.n_nodes) + 1, (Block(element, nodes, np.array([3])),)
    )
    write_inp(tmp_path / "one.inp", mesh)
    again = read_mesh(tmp_path / "one.inp")
    np.testing.assert_array_equal(again.blocks[0].nodes, nodes)
    np.testing.assert_array_equal(again.points, mesh.points)


def test_orders_undo_each_other() -> None:
    for kind in ELEMENTS:
        nodes = np.arange(2 * kind.n_nodes).reshape(2, -1)
        for order in (kind.abaqus_order, kind.nastran_order, kind.gmsh_order, kind.vtk_order):
            np.testing.assert_array_equal(in_our_order(in_their_order(nodes, order), order), nodes)
