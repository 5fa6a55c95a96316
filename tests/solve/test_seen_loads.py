"""Loads that vary within the steps of a run, which an integrator does not see."""

import warnings

import pytest

import flexor as fx
from flexor.functions.any_function import time_fields
from flexor.solve.seen_loads import UnseenLoad

PULSE = fx.sine(amplitude=1e4, frequency=5000, start=0.1003, cycles=0.5)  # 0.1 ms between two steps of 1 ms


def told(force, **settings):
    """What is told of a load on a free mass."""
    mass = fx.RigidBody("mass", mass=2, inertia=0.1)
    items = [
        mass,
        fx.Prismatic("rail", fx.ground, mass, axis="x"),
        fx.PointForce("push", mass, direction="x", force=force),
    ]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fx.Model("pushed", items).dynamics(until=0.2, show=False, **settings)
    return [str(each.message) for each in caught if each.category is UnseenLoad]


@pytest.mark.parametrize("settings", [{"step": 1e-3}, {"error": 1e-6}])
@pytest.mark.parametrize("force", [PULSE, "1000*t + 400*sin(2*pi*500*t)"])
def test_load_between_the_steps_is_told(force, settings):
    if "error" in settings and force is not PULSE:
        settings = {**settings, "step": 1e-3, "max_step": 1e-3}
    (text,) = told(force, **settings)
    assert "force 'push': force varies within the steps" in text
    assert ("max_step=" if "error" in settings else " step=") in text


def test_the_step_that_helps_does():
    (text,) = told(PULSE, step=1e-3)
    assert not told(PULSE, step=text.split('"')[1])


@pytest.mark.parametrize(
    "force",
    [5, fx.step(0, 10, at=0.1037), fx.ramp(0, 5, over="1 ms"), fx.sine(amplitude=1, frequency=30), "100*t^2"],
    ids=["constant", "step", "short ramp", "sine", "formula"],
)
def test_what_steps_see_is_not_told(force):
    assert not told(force, step=1e-3)
    assert not told(force, error=1e-6, step=1e-4, max_step=5e-3)


def test_motion_between_the_steps_is_told():
    arm = fx.RigidBody("arm", mass=1, inertia=0.1)
    motor = fx.Motor("drive", "pin", speed="0.1*sin(2*pi*500*t)")
    with pytest.warns(UnseenLoad, match="motor 'drive': speed varies"):
        fx.Model("driven", [arm, fx.Revolute("pin", fx.ground, arm), motor]).dynamics(until=0.1, step=1e-3, show=False)


def test_fields_over_time():
    assert time_fields(fx.Motor) == ("position", "speed", "acceleration")
    assert time_fields(fx.AxialSpring) == ("free_length",)  # its force is one over the deflection


SHOCK = fx.table([0, 0.5003, 0.50035, 0.5004, 1], ["0 N", "0 N", "2000 N", "0 N", "0 N"])


def pushed(force, **settings):
    block = fx.RigidBody("block", mass=2.0, inertia=0.1)
    items = [block, fx.Prismatic("slide", fx.ground, block, axis="x")]
    force = fx.PointForce("F", block, direction="x", force=force)
    return fx.Model("pushed", [*items, force]).dynamics(until=1.0, show=False, **settings)


@pytest.mark.parametrize("force", [SHOCK, 3 * SHOCK, "1000*(t > 0.5003 and t < 0.5004)"])
def test_a_shock_within_one_step_is_told(force):
    with pytest.warns(UnseenLoad, match="force 'F': force"):
        pushed(force, step=1e-3)


@pytest.mark.parametrize(
    ("force", "step"),
    [
        (SHOCK, 5e-6),
        (fx.step(0, 10, at=0.5003), 1e-3),
        ("10*floor(20*t)", 1e-3),
        (fx.ramp(0, 10, over=0.01, start=0.2003), 1e-3),
        (fx.table([0, 0.1, 0.2, 0.3], [0, 1, -1, 0], kind="linear"), 0.02),
    ],
)
def test_jumps_and_corners_that_steps_see_are_not_told(force, step):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pushed(force, step=step)


def test_a_seen_shock_gives_its_impulse():
    """Δv = ∫F dt / m"""
    run = pushed(SHOCK, step=5e-6, output=1e-3)
    assert run["slide.displacement_rate"][-1] == pytest.approx(0.1 / 2.0, rel=1e-3)
