"""Surfaces: closed, outward, of the right area; faces with mid-side nodes keep all their nodes."""

import numpy as np
import pytest

import flexor as fx
from flexor.mesh.generate import bar, plate
from flexor.viewer.skin import skin_of

BOX = (2.0, 1.0, 0.5)
AREA = 2 * (2 * 1 + 2 * 0.5 + 1 * 0.5)


@pytest.mark.parametrize("element", ["hex8", "hex20", "tet4", "tet10", "wedge6", "wedge15"])
def test_solids_have_a_closed_skin(element):
    mesh = bar(*BOX, (4, 2, 2), element=element, material=fx.Steel())
    skin = skin_of(mesh)
    X = skin.vertices(mesh.points)[skin.triangles]
    normals = np.cross(X[:, 1] - X[:, 0], X[:, 2] - X[:, 0]) / 2
    assert np.linalg.norm(normals, axis=1).sum() == pytest.approx(AREA)
    assert normals.sum(axis=0) == pytest.approx(np.zeros(3), abs=1e-12)
    assert np.einsum("ti,ti->", X.mean(axis=1), normals) / 3 == pytest.approx(np.prod(BOX))  # ∮ x·n dA = 3 V
    sides = np.sort(np.concatenate([skin.triangles[:, s] for s in ((0, 1), (1, 2), (2, 0))]), axis=1)
    assert np.all(np.unique(sides, axis=0, return_counts=True)[1] == 2)


def test_edges_of_a_box_are_sharp():
    mesh = bar(*BOX, (4, 2, 2), element="hex20", material=fx.Steel())
    skin = skin_of(mesh)
    ends = skin.vertices(mesh.points)[skin.edges]
    assert np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1).sum() == pytest.approx(4 * sum(BOX))
    assert len(skin.wires) > len(skin.edges)


def test_inner_nodes_are_left_out():
    mesh = bar(*BOX, (4, 3, 3), element="hex8", material=fx.Steel())
    assert len(skin_of(mesh).nodes) == 5 * 4 * 4 - 3 * 2 * 2


def test_shells_show_both_borders():
    mesh = plate(2, 1, 0.01, (4, 2, 1), element="shell4", material=fx.Steel())
    skin = skin_of(mesh)
    assert len(skin.triangles) == 4 * 2 * 2
    ends = skin.vertices(mesh.points)[skin.edges]
    assert np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1).sum() == pytest.approx(6)


def test_beams_are_tubes_that_turn_with_their_nodes():
    tube = fx.Tube("25 mm", "1 mm")
    mesh = bar("2 m", "50 mm", "50 mm", (4, 1, 1), element="beam2", section=tube, material=fx.Steel())
    skin = skin_of(mesh)
    assert np.linalg.norm(skin.arms, axis=1) == pytest.approx(np.full(len(skin.nodes), 0.025))
    assert skin.arms[:, 0] == pytest.approx(np.zeros(len(skin.nodes)), abs=1e-15)
    turned = np.zeros((len(mesh.points), 6))
    turned[:, 3] = 0.1  # about the axis
    moved = skin.carried(turned)
    assert np.linalg.norm(moved, axis=1) == pytest.approx(np.full(len(moved), 0.0025))
    assert np.einsum("vi,vi->v", moved, skin.arms) == pytest.approx(np.zeros(len(moved)), abs=1e-15)


def test_further_nodes_get_vertices():
    mesh = bar(*BOX, (4, 3, 3), element="hex8", material=fx.Steel())
    skin = skin_of(mesh)
    inner = np.setdiff1d(np.arange(len(mesh.points)), skin.nodes)[:2]
    more = skin.with_nodes(np.array([skin.nodes[0], *inner]))
    assert len(more.nodes) == len(skin.nodes) + 2
    assert more.triangles is skin.triangles
