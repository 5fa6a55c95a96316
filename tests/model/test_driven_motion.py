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
        ({"position": fx.table([0, 1, 2, 3], [0, 1, 0, 0])}, r"corner at t = 1 s \(and 1 more\).*cubic"),
        ({"position": fx.table([0, 1, 2, 3], [0, 1, 0, 1], kind="cubic")}, r"corner at t = 3 s.* end with slope zero"),
    ],
)
def test_told_with_time_and_remedy(motion, words):
    assert re.search(words, told(**motion))


def test_smooth_motion_is_not_told():
    assert told(position=fx.ramp(0, 0.1, over=0.05)) == "no problems"
    assert told(position=fx.ramp(0, 0.1, over=0.001, start=100)) == "no problems"
    assert told(speed=fx.ramp(0, 0.1, over=0.05, smooth="cosine")) == "no problems"
    assert told(position="max(0, sin(20*t))^3") == "no problems"
    assert told(position="sin(100*t)/(2 + cos(300*t))") == "no problems"
    assert told(acceleration="abs(sin(20*t))") == "no problems"


@pytest.mark.parametrize(
    ("motion", "words"),
    [
        (
            {"acceleration": fx.step(0, 5, at=0.1)},
            r"acceleration has a jump at t = 0.1 s: it jumps by 5; .*rings.* width=",
        ),
        (
            {"speed": fx.ramp(0, 0.1, over=0.1, smooth="linear")},
            r"corner at t = 0.1 s: its rate jumps by -1; .* twice its step and rings.* write smooth=.*kinematics.*smaller rho",
        ),
        (
            {"position": fx.ramp(0, 1, over=0.1, smooth="cubic")},
            r"jump of its curvature at t = 0.1 s: its second rate jumps by 600; .*rings.*quintic",
        ),
    ],
)
def test_jumps_of_the_acceleration_make_the_force_ring_and_are_told(motion, words):
    assert re.search(words, told(**motion))


def test_the_force_rings_as_told():
    """Exact is 0.35 N m; the first step overshoots to nearly twice as much."""
    motor = fx.Motor("mo", "pin", acceleration=fx.step(0, 1, at=0.01))
    with pytest.warns(fx.DoubtfulModel, match="acceleration has a jump at t = 0.01 s"):
        torque = fx.Model("m", [ARM, PIN, motor]).dynamics(until=0.1, step=1e-3, show=False)["mo.torque"].values
    assert 0.6 < torque[11] < 0.75
    assert torque[-1] == pytest.approx(0.35, rel=1e-3)


@pytest.mark.parametrize(
    ("motion", "words"),
    [
        ({"position": "0.1*floor(t*20)"}, r"position has a jump at t = 0.05 s \(and \d+ more\): it jumps by 0.1"),
        ({"position": "mod(t, 0.05)"}, r"position has a jump at t = 0.05 s .*it jumps by -0.05"),
        ({"position": "abs(sin(20*t))"}, r"position has a corner at t = 0.15708 s .*its rate jumps by 40"),
        ({"position": "atan2(sin(40*t), cos(40*t))"}, r"jump at t = 0.0785398 s .*it jumps by -6.283"),
        ({"position": "tan(20*t)"}, r"position has a pole at t = 0.0785398 s: it grows beyond all bounds"),
        ({"speed": "mod(t, 0.05)"}, r"speed has a jump at t = 0.05 s .*it jumps by -0.05; a velocity"),
        ({"position": "if(sin(0.1*t) > 0.5, 1, 0)"}, r"jump at t = 5.23599 s: it jumps by 1"),
    ],
)
def test_formulas_are_searched(motion, words):
    assert re.search(words, told(**motion))


@pytest.mark.parametrize(
    ("motion", "words"),
    [
        (
            {"position": "sqrt(t)"},
            "position asks for an infinite velocity at t = 0; .*'sqrt\\(t\\)' has an infinite slope",
        ),
        ({"speed": "sqrt(t)"}, "speed asks for an infinite acceleration at t = 0"),
        ({"position": "t^1.5"}, "position asks for an infinite acceleration at t = 0; .* infinite curvature"),
    ],
)
def test_infinite_rates_at_the_begin_are_refused(motion, words):
    with pytest.raises(fx.ModelError, match=words):
        told(**motion)


def test_rods_with_an_infinite_rate_are_refused():
    ball = fx.PointMass("ball", mass=1, position=(1, 0, 0))
    with pytest.raises(fx.ModelError, match="joint 'rod': length asks for an infinite velocity at t = 0"):
        fx.Model("m", [ball, fx.Distance("rod", fx.ground, ball, length="1 + sqrt(t)")]).check()


def test_no_shorter_step_is_advised_for_motion_that_jumps():
    motor = fx.Motor("mo", "pin", position=fx.step(0, 0.3, at=0.01))
    with pytest.warns(UserWarning, match="position has a jump") as caught:
        fx.Model("m", [ARM, PIN, motor]).dynamics(until=0.03, step=1e-3, show=False)
    drift = [str(warning.message) for warning in caught if "no force accounts for" in str(warning.message)]
    assert "What helps: a smooth motion of motor 'mo'" in drift[0]
    assert "shorter step" not in drift[0]


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


def test_a_corner_at_the_end_does_not_hide_the_ringing_before_it():
    """The table ends with a slope; a run that ends before has jumps of the curvature of its Akima spline alone."""
    table = fx.table([0, 0.1, 0.2, 0.4], [0, 0.1, 0.1, 0.3], kind="akima")
    text = told(position=table)
    assert "position has a corner at t = 0.4 s" in text
    assert "position has a jump of its curvature at t = 0.1 s (and 1 more)" in text
    with pytest.warns(fx.DoubtfulModel, match="jump of its curvature"):
        fx.Model("m", [ARM, PIN, fx.Motor("mo", "pin", position=table)]).dynamics(until=0.3, step=1e-3, show=False)
