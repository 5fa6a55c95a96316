"""Transmissions on flexible bodies, with their joints eliminated or not."""

import numpy as np
import pytest

import flexor as fx
from tests.transmissions.parts import wheel

LENGTH, RADIUS, SHEAR = 0.8, 0.01, 210e9 / 2.6
TORSION = SHEAR * np.pi * RADIUS**4 / 2 / LENGTH


def shaft_train(enforcement="auto", **fields):
    """A motor disc drives a shaft (beam along z in bearings at both ends) with a disc at its far end, 3 : 1."""
    motor, motor_pin = wheel("motor", 0.02, at=(0.3, 0, 0))
    steel = fx.Isotropic(young=210e9, poisson=0.3, density=0.01)
    shaft = fx.Beam("shaft", points=[(0, 0, 0), (0, 0, LENGTH)], section=fx.Circle(RADIUS), material=steel, divisions=2)
    disc = fx.RigidBody("disc", 1.0, 0.4, position=(0, 0, LENGTH))
    near = fx.Revolute("near", fx.ground, shaft["start"], axis="z", enforcement=enforcement)
    far = fx.Cylindrical("far", fx.ground.at(0, 0, LENGTH), shaft["end"], axis="z")
    hub = fx.Fixed("hub", shaft["end"], disc)
    gear = fx.Gear("gear", motor_pin, near, teeth=(20, 60), **fields)
    return [motor, motor_pin, shaft, disc, near, far, hub, gear]


def test_torsion_of_a_shaft_behind_a_gear():
    """ω² = k (1/J_disc + 1/(i² J_motor)), i = 3, k = G I_p/L of a shaft without mass."""
    modes = fx.Model("train", shaft_train()).modes(count=4)
    expected = np.sqrt(TORSION * (1 / 0.4 + 1 / (9 * 0.02))) / (2 * np.pi)
    assert np.min(np.abs(modes.frequencies - expected)) < 2e-4 * expected


@pytest.mark.parametrize("fields", [{}, {"stiffness": 1e7}], ids=["rigid", "soft"])
def test_the_same_motion_by_elimination_and_by_multipliers(fields):
    """A torque on the motor speeds the whole train up; the shaft twists by J_disc θ̈/k in the mean."""
    push = fx.PointTorque("push", "motor", direction=(0, 0, 1), torque=1.0)
    runs = [
        fx.Model("train", [*shaft_train(how, **fields), push]).dynamics(until=0.02, step=1e-4, show=False)
        for how in ("elimination", "multipliers")
    ]
    for name in ("motor_pin.angle", "near.angle", "disc.angular_velocity_z"):
        assert runs[0][name] == pytest.approx(runs[1][name], abs=1e-5 * np.abs(runs[0][name]).max()), name
    run = runs[0]
    momentum = 0.02 * run["motor_pin.angle_rate"] * 3 - 0.4 * run["disc.angular_velocity_z"]  # as seen from the disc
    assert momentum[-1] == pytest.approx(3 * 1.0 * 0.02, rel=1e-3)
    assert run["near.angle"] == pytest.approx(-run["motor_pin.angle"] / 3, abs=1e-6)
