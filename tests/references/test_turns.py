"""Angles of a hinge count turns, through ±π and as many times as it goes round."""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx

BOTH = pytest.mark.parametrize("enforcement", ["multipliers", "elimination"])


def rotor(enforcement: str, **start: float) -> tuple[fx.RigidBody, fx.Revolute]:
    body = fx.RigidBody("rotor", 2.0, (0.1, 0.2, 0.27))
    return body, fx.Revolute("hinge", fx.ground, body, axis="z", enforcement=enforcement, **start)


@BOTH
def test_free_rotor_counts_a_hundred_turns(enforcement: str) -> None:
    speed = 2 * np.pi * 10
    model = fx.Model("rotor", rotor(enforcement, start=0.5, start_rate=speed))
    run = model.dynamics(until=10, step=1e-3, show=False)
    assert np.abs(run["hinge.angle"] - 0.5 - speed * run.time).max() < 1e-8 * 100 * 2 * np.pi
    assert np.abs(run["hinge.angle_rate"] - speed).max() < 1e-8 * speed


@BOTH
def test_motor_at_constant_speed_for_a_hundred_turns(enforcement: str) -> None:
    drive = fx.Motor("drive", "hinge", speed="600 rpm")
    run = fx.Model("rotor", [*rotor(enforcement), drive]).dynamics(until=10, step=1e-3, show=False)
    angle = 20 * np.pi * run.time
    assert run["hinge.angle"][-1] == pytest.approx(200 * np.pi, abs=1e-10)
    assert np.abs(run["hinge.angle"] - angle).max() < 1e-10
    assert np.abs(run["drive.torque"]).max() < 1e-4  # rounding of 628 rad, twice differentiated
    assert run.history["cut_backs"].sum() == 0


@BOTH
def test_torsion_spring_over_several_turns(enforcement: str) -> None:
    """θ = θ₀ cos ωt with θ₀ = 3 turns, J = 0.27 kg m², ω = √(k/J)."""
    spring = fx.JointSpring("spring", "hinge", stiffness=2.7)
    model = fx.Model("rotor", [*rotor(enforcement, start=6 * np.pi), spring])
    run = model.dynamics(until=4, step=2e-4, output=0.01, show=False)
    exact = 6 * np.pi * np.cos(np.sqrt(10) * run.time)
    assert run["hinge.angle"].min() < -18.0
    assert np.abs(run["hinge.angle"] - exact).max() < 1e-5
    assert np.abs(run["spring.torque"] + 2.7 * exact).max() < 1e-4


@BOTH
def test_angle_given_beyond_a_turn_is_kept(enforcement: str) -> None:
    run = fx.Model("rotor", rotor(enforcement, start="-400 deg", start_rate=-5)).dynamics(
        until=1, step=1e-3, show=False
    )
    assert run["hinge.angle"][0] == pytest.approx(np.radians(-400), abs=1e-12)
    assert run["hinge.angle"][-1] == pytest.approx(np.radians(-400) - 5, abs=1e-8)
