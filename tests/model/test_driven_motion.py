"""Prescribed motion that jumps or has corners is told, with its time and remedy, before it is blamed on the step."""

import re
import warnings

import pytest

import flexor as fx

ARM = fx.RigidBody("arm", mass=1, inertia=0.1, center_of_mass=(0.5, 0, 0))
PIN = fx.Revolute("pin", fx.ground, ARM)


def told(**motion):
    return str(fx.Model("m", [ARM, PIN, fx.Motor("mo", "pin", **motion)]).check())


@pytest.mark.parametrize(
    ("motion", "words"),
    [
        (
            {"position": fx.ramp(0, 0.1, over=0.05, smooth="linear")},
            "motor 'mo': position has a corner at t = 0.05 s: its rate jumps by -2; a velocity .* write smooth=\"quintic\"",
        ),
        ({"position": fx.step(0, 0.1, at=0.01)}, r"position has a jump at t = 0.01 s: it jumps by 0.1; .* width="),
        ({"speed": fx.step(0, 5, at=0.2)}, r"speed has a jump at t = 0.2 s: it jumps by 5; a velocity"),
        ({"position": fx.table([0, 1, 2, 3], [0, 1, 0, 0])}, r"corner at t = 1 s \(and 1 more\).*akima"),
        ({"position": fx.table([0, 1, 2, 3], [0, 1, 0, 1], kind="cubic")}, r"corner at t = 3 s.* end with slope zero"),
    ],
)
def test_told_with_time_and_remedy(motion, words):
    assert re.search(words, told(**motion))


def test_smooth_motion_is_not_told():
    assert told(position=fx.ramp(0, 0.1, over=0.05)) == "no problems"
    assert told(speed=fx.ramp(0, 0.1, over=0.05, smooth="linear")) == "no problems"
    assert told(acceleration=fx.step(0, 5, at=0.1)) == "no problems"


def test_rods_that_change_their_length_at_once():
    ball = fx.PointMass("ball", mass=1, position=(1, 0, 0))
    rod = fx.Distance("rod", fx.ground, ball, length=fx.step(1, 1.1, at=0.2))
    assert "joint 'rod': length has a jump at t = 0.2 s" in str(fx.Model("m", [ball, rod]).check())


def test_runs_that_end_before_do_not_tell():
    model = fx.Model(
        "m", [ARM, PIN, fx.Motor("mo", "pin", position=fx.table([0, 1, 2, 3], [0, 1, 0, 1], kind="cubic"))]
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error", fx.DoubtfulModel)
        model.dynamics(until=0.01, step=5e-3, show=False)
        model.modes(1)
    late = fx.Motor("mo", "pin", position=fx.ramp(0, 1e-6, over=5e-3, smooth="linear"))
    with pytest.warns(fx.DoubtfulModel, match=r"corner at t = 0.005 s"):
        fx.Model("m", [ARM, PIN, late]).dynamics(until=0.01, step=2e-3, show=False)
