"""Turns of joint angles: a motor knows them, and every law in a joint counts the same ones."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import flexor as fx
from flexor.mesh.generate import bar

ARM = fx.RigidBody("arm", mass=1, inertia=0.1)
COIL = fx.JointSpring("coil", "pin", stiffness="2 N m/rad")


@pytest.fixture(params=["multipliers", "elimination"])
def pin(request):
    return fx.Revolute("pin", fx.ground, ARM, axis="z", enforcement=request.param)


def driven(pin, **how):
    return fx.Model("winding", [ARM, pin, COIL, fx.Motor("drive", "pin", **how)])


def test_statics_beyond_half_a_turn(pin):
    rest = driven(pin, position=fx.ramp(0, "270 deg", over="1 s")).statics(time=1)
    for name, expected in (
        ("pin.angle", 1.5 * np.pi),
        ("coil.deflection", 1.5 * np.pi),
        ("coil.torque", -3 * np.pi),
        ("drive.torque", 3 * np.pi),
        ("coil.strain_energy", 0.5 * 2 * (1.5 * np.pi) ** 2),
    ):
        assert_allclose(rest[name], expected, rtol=1e-12)
    back = driven(pin, position=fx.sine(amplitude="400 deg", frequency="0.25 Hz")).statics(time=3)
    assert_allclose(np.degrees([back["pin.angle"], back["coil.deflection"]]), -400, rtol=1e-12)


def test_statics_after_many_turns(pin):
    rest = driven(pin, speed="600 rpm").statics(time="10.025 s")
    assert_allclose([rest["pin.angle"], rest["coil.deflection"]], 100.25 * 2 * np.pi, rtol=1e-12)


@pytest.mark.parametrize("step", [0.1, 0.06, 1.0])
def test_kinematics_in_long_steps(pin, step):
    run = driven(pin, speed="600 rpm").kinematics(until=1.2, step=step, show=False)
    for name in ("pin.angle", "coil.deflection"):
        assert_allclose(run[name].values, 20 * np.pi * run.time, atol=1e-9)


def test_joints_that_are_not_driven_themselves_are_followed():
    """Slider-crank: the rod swings, so its pin turns back against the crank, turn by turn."""
    crank, piston = (fx.RigidBody(name, mass=1, inertia=0.01) for name in ("crank", "piston"))
    rod = fx.RigidBody("rod", mass=1, inertia=0.01)
    model = fx.Model(
        "slider-crank",
        [
            crank,
            rod,
            piston,
            fx.Revolute("main", fx.ground, crank, axis="z"),
            fx.Revolute("pin", crank.at(0.08, 0, 0), rod, axis="z"),
            fx.Spherical("wrist", rod.at(0.3, 0, 0), piston),
            fx.Prismatic("bore", fx.ground, piston, axis="x"),
            fx.Motor("drive", "main", speed="1 rad/s"),
        ],
    )
    swing = -np.arcsin(0.08 / 0.3 * np.sin(20.0))
    run = model.kinematics(until=20, step=20, show=False)
    rest = model.statics(time=20)
    for found in (run["main.angle"].values[-1], rest["main.angle"]):
        assert_allclose(found, 20, rtol=1e-12)
    for found in (run["pin.angle"].values[-1], rest["pin.angle"]):
        assert_allclose(found, swing - 20, rtol=1e-9)


def test_a_jump_takes_its_turns_from_the_motor(pin):
    step = fx.table([0, 0.5, 0.5000001, 1], ["0 deg", "0 deg", "800 deg", "800 deg"])
    run = driven(pin, position=step).kinematics(until=1, step=0.2, show=False)
    assert_allclose(np.degrees(run["pin.angle"].values[-1]), 800, rtol=1e-12)
    assert_allclose(run["coil.deflection"].values, run["pin.angle"].values, rtol=1e-12)


@pytest.mark.parametrize("how", [{"position": fx.ramp(0, "270 deg", over="1 s")}, {"speed": "270 deg/s"}])
def test_flexible_bodies_go_on_from_where_they_start(how):
    """The rigid mechanism shows where they settle; motors still go on from the start of their joint."""
    mesh = bar(0.4, 0.02, 0.02, (6, 1, 1), element="hex8", material=fx.Steel())
    link = fx.FlexibleBody("link", mesh, interfaces={"a": "x_min", "b": "x_max"}, reduction=fx.Guyan())
    for enforcement in ("multipliers", "elimination"):
        pin = fx.Revolute("pin", fx.ground, link["a"], axis="z", enforcement=enforcement)
        rest = fx.Model("winding", [link, pin, COIL, fx.Motor("drive", "pin", **how)]).statics(time=1)
        assert_allclose([rest["pin.angle"], rest["coil.deflection"]], 1.5 * np.pi, rtol=1e-9)
        assert_allclose(rest["link.b.position"], (0, -0.4, 0), atol=1e-9)


def test_a_spring_added_at_a_state_starts_with_the_turns_of_its_joint(pin):
    bare = fx.Model("bare", [ARM, pin])
    run = bare.with_item(fx.Motor("drive", "pin", speed="600 rpm")).dynamics(0.1, "1 ms", show=False)
    wound = bare.with_item(COIL).dynamics(0.061, "1 ms", start=run.at(0.06), show=False)
    for name in ("pin.angle", "coil.deflection"):
        assert_allclose(wound[name].values[0], 0.6 * 2 * np.pi, rtol=1e-6)
    rest = bare.with_item(COIL).with_item(fx.Motor("hold", "pin", position=1.2 * np.pi)).statics(start=run.at(0.06))
    assert_allclose([rest["pin.angle"], rest["coil.deflection"]], 1.2 * np.pi, rtol=1e-9)


def test_turns_pass_between_enforcements():
    joints = {
        how: fx.Revolute("pin", fx.ground, ARM, axis="z", enforcement=how) for how in ("multipliers", "elimination")
    }
    run = driven(joints["elimination"], speed="600 rpm").dynamics(0.16, "1 ms", show=False)
    wound = fx.Model("w", [ARM, joints["multipliers"], COIL]).dynamics(0.161, "1 ms", start=run.at(0.16), show=False)
    for name in ("pin.angle", "coil.deflection"):
        assert_allclose(wound[name].values[0], 1.6 * 2 * np.pi, rtol=1e-6)


def test_a_spring_counts_like_its_joint_in_steps_of_more_than_half_a_turn():
    pin = fx.Revolute("pin", fx.ground, ARM, axis="z", start_rate=5000, enforcement="multipliers")
    soft = fx.JointSpring("coil", "pin", stiffness=1e-9)
    run = fx.Model("rotor", [ARM, pin, soft]).dynamics(0.02, "1 ms", show=False)
    assert_allclose(run["pin.angle"].values[-1], 100, rtol=1e-6)
    assert_allclose(run["coil.deflection"].values, run["pin.angle"].values, rtol=1e-9)


@pytest.mark.parametrize("start", ["170 deg", "190 deg", "-270 deg", "400 deg", "1080 deg", "5000 deg"])
def test_statics_unwinds_a_spring_from_any_number_of_turns(pin, start):
    rest = fx.Model("wound", [ARM, pin.replace(start=start), COIL]).statics()
    assert_allclose([rest["pin.angle"], rest["coil.torque"]], 0, atol=1e-9)
    loaded = fx.Model(
        "wound", [ARM, pin.replace(start=start), COIL, fx.PointTorque("load", on="arm", torque=9, direction="z")]
    )
    assert_allclose(loaded.statics()["pin.angle"], 4.5, rtol=1e-9)
