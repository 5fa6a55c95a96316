"""Homokinetic joint: the second shaft turns as fast as the first, however they are bent."""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx
from flexor.errors import ModelError
from flexor.joints.kinematics import FreeMotions
from flexor.spatial import about

SHAFT = {"mass": 1, "inertia": (0.01, 0.01, 0.02)}


def drive(beta, joint, **motor):
    """Two shafts bent by β about y, the second in a bearing that leaves redundant rows to nobody."""
    first = fx.RigidBody("first", **SHAFT)
    second = fx.RigidBody("second", orientation=(np.cos(beta / 2), 0, np.sin(beta / 2), 0), **SHAFT)
    along = (np.sin(beta), 0, np.cos(beta))
    return fx.Model(
        "shafts",
        items=[
            first,
            second,
            fx.Revolute("in", fx.ground, first, axis="z"),
            joint("bend", first, second),
            fx.Free("out", fx.ground, second, axis=along),
            fx.PointOnLine("bearing", fx.ground, second.at(0, 0, 0.3), axis=along),
            fx.Motor("drive", joint="in", **motor),
        ],
    )


@pytest.mark.parametrize("degrees", [0.0, 5.0, 30.0, -60.0])
def test_the_speed_is_the_same_over_a_whole_turn(degrees):
    run = drive(np.radians(degrees), fx.ConstantVelocity, speed="60 rpm").dynamics(until=1.0, step=2e-3)
    spin = np.stack([run[f"second.angular_velocity_{i}"].values for i in "xyz"], axis=1)
    along = np.array([np.sin(np.radians(degrees)), 0, np.cos(np.radians(degrees))])
    np.testing.assert_allclose(spin, 2 * np.pi * np.ones((len(spin), 1)) * along, rtol=0, atol=2 * np.pi * 1e-9)
    bend = np.hypot(run["bend.bend_x"].values, run["bend.bend_y"].values)
    np.testing.assert_allclose(bend, abs(np.radians(degrees)), atol=1e-7)


def test_a_cardan_joint_in_its_place_is_not_homokinetic():
    """cos β/(1 − sin²β sin²φ), FTG 6.2.2: between cos β and 1/cos β."""
    beta = np.radians(30)
    model = drive(beta, lambda *ends: fx.Universal(*ends, axis="x", cross_axis="y"), speed="60 rpm")
    run = model.kinematics(until=1.0, step=2e-3)
    ratio = np.linalg.norm([run[f"second.angular_velocity_{i}"].values for i in "xyz"], axis=0) / (2 * np.pi)
    assert ratio.min() == pytest.approx(np.cos(beta), abs=1e-6)
    assert ratio.max() == pytest.approx(1 / np.cos(beta), abs=1e-6)


def test_torque_is_passed_on_and_the_rest_bends_the_shafts():
    """Without friction the power is passed on: J ω̇ on the second shaft, twice that from the motor."""
    run = drive(np.radians(40), fx.ConstantVelocity, acceleration=5.0).dynamics(until=0.1, step=1e-3)
    assert run["drive.torque"].values[-1] == pytest.approx(2 * 0.02 * 5.0, rel=1e-9)


@pytest.mark.parametrize("bends", [(0.3, -0.5), (-1.2, 0.7), (0.0, 0.0), (2.1, -1.8)])
def test_it_is_the_product_of_two_universal_joints(bends):
    """R = R_z(α) R_y(β) R_y(β) R_z(−α), FTG (6.10) with the sign that makes it homokinetic."""
    R = FreeMotions("", "xy", bisecting=True).pose(bends).R
    beta = 0.5 * np.arccos(R[2, 2])
    alpha = np.arctan2(R[1, 2], R[0, 2])
    product = about(2, alpha) @ about(1, beta) @ about(1, beta) @ about(2, -alpha)
    np.testing.assert_allclose(R, product, atol=1e-12)


def test_wrong_input():
    with pytest.raises(ModelError, match="leave out enforcement"):
        fx.ConstantVelocity("cv", "a", "b", enforcement="elimination")
    for start in (("178 deg", 0), ("120 deg", "-140 deg")):
        with pytest.raises(ModelError, match="more than 177 deg"):
            fx.ConstantVelocity("cv", "a", "b", start=start)
    with pytest.raises(ModelError, match="universal joint"):
        fx.ConstantVelocity("cv", "a", "b", locked="bend_x")


def test_bends_beyond_a_right_angle():
    """Both bends start and go on beyond 90°; the shafts enclose the root of their squares."""
    a = fx.RigidBody("a", mass=1, inertia=0.01)
    cv = fx.ConstantVelocity("cv", fx.ground, a, start=("100 deg", "-60 deg"))
    motors = [fx.Motor(f"m{i}", "cv", variable=f"bend_{i}", speed=speed) for i, speed in (("x", 1.0), ("y", -0.5))]
    run = fx.Model("bent", [a, cv, *motors]).dynamics(until=0.5, step=0.01, show=False)
    t = run["time"]
    x, y = np.radians(100) + t, -np.radians(60) - 0.5 * t
    np.testing.assert_allclose(run["cv.bend_x"], x, atol=1e-9)
    np.testing.assert_allclose(run["cv.bend_y"], y, atol=1e-9)
    R = FreeMotions("", "xy", bisecting=True).pose((x[-1], y[-1])).R
    assert np.arccos(R[2, 2]) == pytest.approx(np.hypot(x[-1], y[-1]), abs=1e-12)


def test_half_a_turn_is_named():
    """Driven through 180°, where the row that keeps it from twisting vanishes, it stops before and says why."""
    a = fx.RigidBody("a", mass=1, inertia=0.01)
    cv = fx.ConstantVelocity("cv", fx.ground, a)
    motor = fx.Motor("m", "cv", variable="bend_x", speed=3)
    with pytest.raises(fx.errors.LawError, match=r"'(cv|m)'.*half a turn \(177 deg\).*(less)") as stopped:
        fx.Model("bent", [a, cv, motor]).dynamics(until=1.5, step=0.01, show=False)
    assert stopped.value.time == pytest.approx(np.radians(177) / 3, abs=0.012)
