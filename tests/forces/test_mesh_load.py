"""Loads on the mesh of a flexible body, in every formulation."""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx
from flexor.errors import ModelError
from flexor.mesh.generate import bar
from flexor.spatial import quaternion_to_matrix

MESH = bar(1.0, 0.1, 0.2, divisions=(8, 2, 2), material=fx.Isotropic(young=7e10, poisson=0.0, density=2700.0))
END = fx.plane(at=(1, 0, 0), normal="x")


def rod(formulation):
    ends = {"a": fx.plane(at=(0, 0, 0), normal="x"), "b": END}
    return fx.FlexibleBody("rod", MESH, interfaces=ends, reduction=fx.CraigBampton(modes=6), formulation=formulation)


@pytest.mark.parametrize("formulation", ["superelement", "floating"])
def test_pull_on_a_bar(formulation):
    """u = σL/E and N = σA."""
    body = rod(formulation)
    pull = fx.MeshLoad("pull", "rod", fx.Traction(END, ("100 MPa", 0, 0)))
    root = fx.Fixed("root", fx.ground, body["a"])
    position = fx.Model("pulled", [body, root, pull]).statics()
    assert position["rod.b.position"][0] - 1 == pytest.approx(100e6 / 7e10, rel=1e-6)
    assert abs(position["root.force_x"]) == pytest.approx(100e6 * 0.02, rel=1e-9)
    assert position.stress("rod", "xx").max().value == pytest.approx(100e6, rel=1e-6)


@pytest.mark.parametrize("formulation", ["rigid", "superelement", "floating"])
def test_a_load_turns_with_the_body(formulation):
    """A free bar pushed across at its end: α = F L/2 / J about its middle, whatever its attitude."""
    body = rod(formulation).replace(orientation={"axis": (1, 2, 3), "angle": 2.0}, position=(1, 1, 1))
    push = fx.MeshLoad("push", "rod", fx.Traction(END, (0, "10 kPa", 0)), factor=fx.ramp(0, 1, over="10 ms"))
    run = fx.Model("pushed", [body, push]).dynamics(until=0.05, step=1e-4, show=False)
    m, force = 2700 * 0.02, 1e4 * 0.02
    J = m * (1 + 0.1**2) / 12
    turned = 2 * np.arccos(min(1.0, abs(np.dot(run["rod.orientation"].values[-1], run["rod.orientation"].values[0]))))
    t = run.time[-1]
    angle = force / 2 / J * (0.5 * t**2 - t * 0.005 + 0.01**2 / 7)  # ∫∫ of the smooth ramp (quintic) of 10 ms
    assert turned == pytest.approx(angle, rel=2e-3)
    assert run["push.factor"].values[-1] == 1.0


def test_mistakes_are_told():
    body = rod("superelement")
    pin = fx.Revolute("pin", fx.ground, body["a"])
    with pytest.raises(ModelError, match="did you mean 'rod'"):
        fx.Model("m", [body, pin, fx.MeshLoad("gas", "rodd", fx.Traction(END, (1, 0, 0)))]).check()
    nowhere = fx.MeshLoad("gas", "rod", fx.Traction(fx.plane(at=(3, 0, 0), normal="x"), (1, 0, 0)))
    with pytest.raises(ModelError, match="no node lies there"):
        fx.Model("m", [body, pin, nowhere]).check()


@pytest.mark.parametrize("stiffening", [False, True])
def test_a_load_moves_along_with_the_bent_body(stiffening):
    """A soft cantilever, pulled along and across at its end face, which is rigid: the clamp takes x × f of the bent bar."""
    soft = rod("floating").replace(stiffness_scale=1e-3, stiffening=stiffening)
    pull, push = 2e5, 4e4  # Pa, bends it by 15 mm
    load = fx.MeshLoad("load", "rod", fx.Traction(END, (pull, push, 0)))
    rest = fx.Model("bent", [soft, fx.Fixed("root", fx.ground, soft["a"]), load]).statics()
    tip = rest["rod.b.position"]
    R = quaternion_to_matrix(rest["rod.orientation"])
    force = R @ [0.02 * pull, 0.02 * push, 0]
    assert tip[1] > 0.01
    # the frame of the clamp is that of the joint, parallel to the ground's
    np.testing.assert_allclose(rest["root.force"], -force, rtol=1e-6, atol=1e-3)
    np.testing.assert_allclose(rest["root.torque"], -np.cross(tip, force), rtol=1e-3 if stiffening else 1e-6, atol=1e-3)


def test_pressure_of_position_on_a_body(tmp_path):
    """p = 1 MPa x on the end face of a bar along x: as 1 MPa at x = 1; a formula is saved, a function refused."""
    body = rod("superelement")
    root = fx.Fixed("root", fx.ground, body["a"])
    for pressure in ("1e6*x", lambda x, y, z: 1e6 * x, "1 MPa"):
        load = fx.MeshLoad("push", "rod", fx.Pressure(END, pressure))
        found = fx.Model("pushed", [body, root, load]).statics()
        assert abs(found["root.force_x"]) == pytest.approx(1e6 * 0.02, rel=1e-9)
    arm = fx.RigidBody("arm", mass=1.0)
    by_hand = fx.MeshLoad("push", "rod", fx.Pressure(END, lambda x, y, z: x))
    with pytest.raises(ModelError, match=r"load 'push': it cannot be saved; its pressure is a Python function"):
        fx.Model("m", [arm, by_hand]).save(tmp_path / "m.yaml")
