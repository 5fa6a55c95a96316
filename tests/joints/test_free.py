"""Free joint: six variables, none locked unless asked for."""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx
from flexor.errors import ModelError

BODY = {"mass": 2, "inertia": (0.01, 0.02, 0.03)}
START = (1, 2, 3, 0.1, 0.2, 0.3)


def thrown(*more, **joint):
    body = fx.RigidBody("body", **BODY)
    return fx.Model("thrown", gravity=(0, 0, -9.81), items=[body, fx.Free("f", fx.ground, body, **joint), *more])


def test_it_falls_and_starts_where_it_is_put():
    run = thrown(start=START, start_rate=(1, 0, 2, 0, 0, 0)).dynamics(until=0.1, step=1e-3)
    assert [run[f"f.{q}"].values[0] for q in ("x", "y", "z", "angle_z", "angle_y", "angle_x")] == pytest.approx(START)
    assert run["f.x"].values[-1] == pytest.approx(1.1)
    assert run["f.z"].values[-1] == pytest.approx(3 + 0.2 - 0.5 * 9.81 * 0.01)
    assert run["f.angle_y"].values[-1] == pytest.approx(0.2, abs=1e-12)


def test_springs_act_on_its_variables():
    """x = cos ω t + ẋ₀/ω sin ω t"""
    spring = fx.JointSpring("s", joint="f", variable="x", stiffness=200)
    run = thrown(spring, start=START, start_rate=(1, 0, 0, 0, 0, 0)).dynamics(until=0.2, step=1e-4)
    assert run["f.x"].values[-1] == pytest.approx(np.cos(2.0) + 0.1 * np.sin(2.0), abs=1e-6)


@pytest.mark.parametrize("enforcement", ["multipliers", "elimination"])
def test_driven_and_locked_it_is_a_spindle(enforcement):
    joint = {"locked": ("x", "y", "angle_y", "angle_x"), "enforcement": enforcement}
    spindle = thrown(fx.Motor("m", joint="f", variable="angle_z", speed=3.0), **joint).dynamics(until=0.1, step=1e-3)
    assert spindle["f.angle_z"].values[-1] == pytest.approx(0.3)
    assert spindle["f.z"].values[-1] == pytest.approx(-0.5 * 9.81 * 0.01)
    assert "f.x" not in spindle.names


def test_locked_variables_of_any_joint():
    """A sleeve that does not slide is a hinge, whatever locks it."""
    arm = fx.RigidBody("arm", mass=1, inertia=(0.1, 0.1, 0.1))
    ways = [
        fx.Revolute("j", fx.ground, arm.at(0, 0.5, 0), axis="x", start="1 rad"),
        fx.Cylindrical("j", fx.ground, arm.at(0, 0.5, 0), axis="x", start="1 rad", locked="displacement"),
        fx.Free(
            "j", fx.ground, arm.at(0, 0.5, 0), axis="x", start="1 rad", locked=("x", "y", "z", "angle_y", "angle_x")
        ),
    ]
    ends = []
    for joint in ways:
        run = fx.Model("arm", gravity=(0, 0, -9.81), items=[arm, joint]).dynamics(until=0.3, step=1e-3)
        angle = "j.angle_z" if isinstance(joint, fx.Free) else "j.angle"
        ends.append((run[angle].values[-1], run["j.force_z"].values[-1]))
    np.testing.assert_allclose(ends[1:], [ends[0]] * 2, rtol=1e-9)


def test_files_keep_what_is_locked():
    model = thrown(locked=("z", "angle_x"), start=(1, 2, 0.1, 0.2))
    assert fx.Model.from_yaml(model.to_yaml()) == model
    assert model["f"].variables == ("x", "y", "angle_z", "angle_y")
    assert fx.Free.variables == ("x", "y", "z", "angle_z", "angle_y", "angle_x")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"locked": "w"}, "it has x, y, z"),
        ({"locked": ("x", "x")}, "named twice"),
        ({"locked": "x", "start": START}, r"5 values \(y, z, .*; x locked at zero\)"),
    ],
)
def test_wrong_input(fields, message):
    with pytest.raises(ModelError, match=message):
        fx.Free("f", "a", "b", **fields)


def test_a_locked_variable_is_not_driven():
    model = thrown(fx.Motor("m", joint="f", variable="z", speed=1.0), locked="z")
    assert "it has x, y, angle_z" in str(model.check(raise_errors=False))
