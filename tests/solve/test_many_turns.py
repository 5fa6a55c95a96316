"""Angles of multiplier joints count turns even where a step takes them further than half a turn."""

import numpy as np
import pytest

import flexor as fx


def rotor(*items: object, rate: float = 0.0) -> fx.Model:
    body = fx.RigidBody("rotor", 1.0, (1e-3, 1e-3, 2e-3), position=(0, 0, 0))
    hinge = fx.Revolute("hinge", fx.ground, body, axis="z", start_rate=rate, enforcement="multipliers")
    return fx.Model("rotor", [body, hinge, *items])


@pytest.mark.parametrize("speed", [3000.0, 5000.0, 20000.0])
def test_motor(speed):
    """Run up to 3, 5 and 20 rad per step; θ = ω (t − T/2) from there on."""
    run = rotor(fx.Motor("drive", "hinge", speed=fx.ramp(0, speed, over=0.02))).dynamics(0.1, 1e-3, show=False)
    late = run.time > 0.0205
    np.testing.assert_allclose(run["hinge.angle"].values[late], speed * (run.time[late] - 0.01), rtol=0, atol=1e-9)


@pytest.mark.parametrize("torque", [-200.0, 2000.0, 8000.0])
def test_torque(torque):
    """θ = ω₀ t + ½ α t², where the speed changes by up to 4 rad per step from step to step."""
    run = rotor(fx.PointTorque("t", on="rotor", direction="z", torque=torque), rate=5000.0).dynamics(
        0.05, 1e-3, show=False
    )
    exact = 5000.0 * run.time + 0.5 * torque / 2e-3 * run.time**2
    np.testing.assert_allclose(run["hinge.angle"].values, exact, rtol=0, atol=1e-8)
