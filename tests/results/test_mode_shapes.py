"""Modes by the names that runs use, against the motion of points and the modes of the whole mesh."""

import numpy as np
import pytest

import flexor as fx
from flexor.errors import ModelError
from flexor.mesh.generate import bar
from flexor.results import UnknownSignal
from flexor.solve.modes import Modes

MESH = bar(1.0, 0.05, 0.03, divisions=(8, 2, 2))


@pytest.fixture(scope="module")
def pendulum():
    arm = fx.RigidBody("arm", mass=1, inertia=0.1, center_of_mass=(0.5, 0, 0), markers={"tip": (1, 0, 0)})
    return fx.Model("rest", [arm, fx.Revolute("pin", fx.ground, arm, axis="z")], gravity=(0, -9.81, 0)).modes(1)


def test_points_of_rigid_bodies(pendulum):
    """It hangs down: its origin rests, its tip moves along x as far as it turns."""
    assert isinstance(pendulum, Modes)
    turn = pendulum["arm.rotation"]
    assert turn.shape == (1, 3)
    np.testing.assert_allclose(turn[:, :2], 0, atol=1e-9)
    np.testing.assert_allclose(pendulum["arm.position"], 0, atol=1e-6)
    np.testing.assert_allclose(pendulum["arm.tip.position"][0], [turn[0, 2], 0, 0], atol=1e-6)
    np.testing.assert_allclose(pendulum["arm.center_of_mass.position_x"], turn[:, 2] / 2, atol=1e-6)
    np.testing.assert_array_equal(pendulum["arm: rotation z"], turn[:, 2])
    assert pendulum.find("tip") == ["arm.tip.position", "arm.tip.rotation"]
    assert "arm.tip.position" in pendulum
    assert "arm.top.position" not in pendulum
    with pytest.raises(UnknownSignal, match=r"'arm.positon': is not in these modes; did you mean arm.position"):
        pendulum["arm.positon"]
    assert repr(pendulum) == str(pendulum)


def held(formulation):
    rod = fx.FlexibleBody(
        "rod", mesh=MESH, material=fx.Steel(), interfaces={"a": "x_min", "b": "x_max"}, formulation=formulation,
        reduction=fx.CraigBampton(8), orientation={"axis": "z", "angle": "30 deg"}, position=(0, 0, 0),
    )  # fmt: skip
    return fx.Model("held", [rod, fx.Fixed("hold", fx.ground, rod["a"])])


@pytest.mark.parametrize("formulation", ["superelement", "floating"])
def test_nodes_of_flexible_bodies_move_as_in_the_whole_mesh(formulation):
    found = held(formulation).modes(3)
    motion = found.nodal("rod")[:, : len(MESH.points)]
    study = fx.MeshStudy(MESH, fix=[fx.plane(at=(0, 0, 0), normal="x")]).modes(3)
    c, s = np.cos(np.pi / 6), np.sin(np.pi / 6)
    R = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    for i in range(3):
        own, whole = (motion[i, :, :3] @ R).ravel(), study.nodal[i][:, :3].ravel()  # in the axes of the mesh
        assert (own @ whole) ** 2 / (own @ own * (whole @ whole)) > 0.9999
        size = np.abs(motion[i, :, :3]).max()
        np.testing.assert_allclose(motion[i, MESH.node_sets["x_min"], :3], 0, atol=1e-6 * size)
    end = MESH.node_sets["x_max"]
    np.testing.assert_allclose(
        motion[:, end, :3].mean(axis=1), found["rod.b.position"], atol=1e-3 * np.abs(motion).max()
    )


def test_equilibria_and_runs_have_nodes_too():
    model = held("superelement").replace(gravity=(0, 0, -9.81))
    rest = model.statics()
    sag = rest.nodal("rod")
    assert sag.shape == (len(rest.body("rod").reduced.nodes), 6)
    np.testing.assert_array_equal(sag, rest.body("rod").displacement(0.0))
    run = model.dynamics(until="2 ms", step="1 ms", show=False)
    assert run.nodal("rod").shape == (3, *sag.shape)
    np.testing.assert_array_equal(run.nodal("rod", "1 ms"), run.nodal("rod")[1])


def test_a_body_without_nodes_is_told(pendulum):
    with pytest.raises(ModelError, match="body 'arm': its nodes are no part of the shapes"):
        pendulum.nodal("arm")
    with pytest.raises(ModelError, match="body 'leg': there is no such body"):
        pendulum.nodal("leg")
