"""Interfaces: which nodes, where the connection node is, and ties that are refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from flexor.errors import ModelError
from flexor.mesh import RigidLink
from flexor.mesh.generate import bar, tube
from flexor.mesh.select import cylinder, plane, sphere
from flexor.reduce import Interface, from_mesh
from tests.reduce.bodies import beams, rod


def at(mesh, interface) -> np.ndarray:
    return from_mesh(mesh, {"here": interface}).points[0]


def test_center_of_a_face():
    assert np.allclose(at(rod(), "x_max"), [1, 0, 0])


def test_center_of_a_bore_is_on_its_axis():
    """Even if the selected wall is uneven: half of it, or meshed more finely on one side."""
    mesh = tube(0.05, 0.02, 0.1, divisions=(24, 2, 4))
    assert np.allclose(at(mesh, cylinder((0, 0, 0.7), "20 mm", "z")), [0, 0, 0.05])
    half = Interface(cylinder((0, 0, 0.025), "20 mm", "z", length="50 mm"))
    assert np.allclose(at(mesh, half), [0, 0, 0.025])


def test_center_of_a_sphere_is_its_own():
    assert np.allclose(at(rod(), sphere((0.5, 0, 0), "0.3 m", filled=True)), [0.5, 0, 0])


def test_a_point_may_be_given():
    assert np.allclose(at(rod(), Interface(plane((0, 0, 0), "x"), at=(0, 0, "20 mm"))), [0, 0, 0.02])


@pytest.mark.parametrize(
    "written",
    [
        "x_max",
        plane((1, 0, 0), "x"),
        {"type": "plane", "at": (1, 0, 0), "normal": "x"},
        {"nodes": "x_max", "tie": "rigid"},
        [int(i) for i in rod().node_ids[rod().node_sets["x_max"]]],
    ],
    ids=["set", "selection", "mapping", "fields", "numbers"],
)
def test_ways_to_write_one(written):
    p = from_mesh(rod(), {"end": written})
    assert np.allclose(p.points, [[1, 0, 0]])
    assert len(p.mesh.rigid_links[0].dependents) == 9


def test_nodes_with_rotations_are_connection_nodes_themselves():
    p = from_mesh(beams(), {"left": 1, "right": [9]})
    assert len(p.nodes) == len(beams().points)
    assert np.allclose(p.points, [[0, 0, 0], [1, 0, 0]])


def test_the_node_of_a_link_in_the_mesh_is_one():
    mesh = rod()
    n = len(mesh.points)
    linked = replace(
        mesh,
        points=np.vstack([mesh.points, [1.1, 0, 0]]),
        node_ids=np.arange(1, n + 2),
        rigid_links=(RigidLink(n, tuple(int(i) for i in mesh.node_sets["x_max"]), id=7),),
    )
    p = from_mesh(linked, {"right": n + 1, "left": "x_min"})
    assert np.allclose(p.points, [[1.1, 0, 0], [0, 0, 0]])
    with pytest.raises(ModelError, match=r"interface 'right': node \d+ follows rigid link 7 already"):
        from_mesh(linked, {"right": "x_max"})


def test_retained_nodes_are_interfaces_by_default():
    mesh = replace(beams(), retained=((0, (0, 1, 2, 3, 4, 5)), (8, (0, 1, 2, 3, 4, 5))))
    assert from_mesh(mesh).names == ("node 1", "node 9")


def test_average_ties_may_share_nodes_and_rigid_ties_may_not():
    here = plane((0, 0, 0), "x")
    p = from_mesh(rod(), {"a": Interface(here, tie="average"), "b": Interface(here, tie="average", at=(-0.1, 0, 0))})
    assert p.n_connections == 12
    with pytest.raises(ModelError, match=r"interface 'b': node \d+ belongs to interface 'a' too"):
        from_mesh(rod(), {"a": here, "b": here})


@pytest.mark.parametrize("tie", ["rigid", "average"])
def test_a_line_or_a_point_of_solids_is_refused(tie):
    row = [int(i) for i in rod().node_ids[np.flatnonzero((rod().points[:, 1:] == [0.05, 0.04]).all(axis=1))]]
    assert len(row) > 5
    with pytest.raises(ModelError, match=r"interface 'edge'.*on one line.*not on one line"):
        from_mesh(rod(), {"edge": Interface({"type": "numbered", "ids": row}, tie=tie)})
    with pytest.raises(ModelError, match=r"interface 'tip'.*single node of a solid"):
        from_mesh(rod(), {"tip": Interface({"type": "numbered", "ids": row[:1]}, tie=tie)})


def test_supports_are_refused_or_left_out():
    held = replace(rod(), fixed=((0, (0, 1, 2)), (1, (0,))))
    with pytest.raises(ModelError, match=r"2 of its nodes are supported, e.g. 1; .*must be free.*ignore_supports"):
        from_mesh(held, {"left": "x_min"})
    p = from_mesh(held, {"left": "x_min"}, ignore_supports=True)
    assert p.n == from_mesh(rod(), {"left": "x_min"}).n


@pytest.mark.parametrize("wrong", [3.5, None, ("a", "b")])
def test_what_is_no_interface_is_refused(wrong):
    with pytest.raises(ModelError, match="interface 'left'"):
        from_mesh(rod(), {"left": wrong})


def test_an_unknown_set_is_refused_with_a_proposal():
    with pytest.raises(ModelError, match="did you mean 'x_max'"):
        from_mesh(rod(), {"left": "x_mux"})


def test_links_that_lock_the_body_are_refused():
    """A rigid link from every node of a face to one node, and the same face tied to another one."""
    mesh = bar(1.0, 0.1, 0.1, (2, 1, 1))
    n = len(mesh.points)
    face = tuple(int(i) for i in mesh.node_sets["x_max"])
    twice = replace(
        mesh,
        points=np.vstack([mesh.points, [1.1, 0, 0], [1.2, 0, 0]]),
        node_ids=np.arange(1, n + 3),
        rigid_links=(RigidLink(n, face, id=1), RigidLink(n + 1, face, id=2)),
    )
    with pytest.raises(ModelError, match="follows rigid link 1 and rigid link 2"):
        from_mesh(twice, {"right": n + 1})
