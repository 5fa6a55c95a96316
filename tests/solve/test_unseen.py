"""Loads that act between two steps: told, since energies balance without them."""

import warnings

import pytest

import flexor as fx

BLOCK = fx.RigidBody("block", mass=2.0, inertia=0.1)
SHOCK = fx.table([0, 0.5003, 0.50035, 0.5004, 1], ["0 N", "0 N", "2000 N", "0 N", "0 N"])


def pushed(force, **settings):
    items = [
        BLOCK,
        fx.Prismatic("slide", fx.ground, BLOCK, axis="x"),
        fx.PointForce("F", BLOCK, direction="x", force=force),
    ]
    return fx.Model("pushed", items).dynamics(until=1.0, show=False, **settings)


@pytest.mark.parametrize(
    "force",
    [
        SHOCK,
        SHOCK + 5000.0,
        3 * SHOCK,
        "1000*(t > 0.5003 and t < 0.5004)",
        fx.sine(1000, frequency="2 kHz", start=0.5003, cycles=0.5),
    ],
)
def test_a_shock_within_one_step_is_told(force):
    with pytest.warns(
        fx.UnseenLoad, match=r"force 'F': force goes up and down within one step, at t = 0\.500.* % of its range"
    ):
        pushed(force, step=1e-3)


def test_steps_that_adapt_leap_over_a_shock():
    with pytest.warns(fx.UnseenLoad, match="max_step="):
        run = pushed(SHOCK, error=1e-5)
    assert run["slide.displacement"][-1] == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(
    ("force", "step"),
    [
        (SHOCK, 5e-6),
        (fx.step(0, 10, at=0.5003), 1e-3),
        ("10*floor(20*t)", 1e-3),
        (fx.ramp(0, 10, over=0.01, start=0.2003), 1e-3),
        (fx.table([0, 0.1, 0.2, 0.3], [0, 1, -1, 0], kind="linear"), 0.02),
        (fx.table([0, 0.0995, 0.1, 0.1005, 0.3], [0, 1, 1.05, 1, 0], kind="linear"), 0.01),
    ],
)
def test_what_steps_see_is_not_told(force, step):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pushed(force, step=step)


def test_a_seen_shock_gives_its_impulse():
    """Δv = ∫F dt / m"""
    run = pushed(SHOCK, step=5e-6, output=1e-3)
    assert run["slide.displacement_rate"][-1] == pytest.approx(0.1 / 2.0, rel=1e-3)
