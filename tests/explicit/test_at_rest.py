"""Bodies that lie on a floor when a run begins, or are let go just above it: the first step knows of the floor before there is a force."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import flexor as fx
from flexor.explicit.stepper import ShortenedSteps

MASS, K, G = 0.01, 1e5, 9.81
SHAPES = {"ball": (fx.Sphere(0.01), 0.01, 1), "box": (fx.Box(0.008, 0.024, 0.048), 0.024, 4)}
"""A body's shape, the height of its centre, and at how many places it touches the floor."""


def lying(shape: str, gap: float, law: Any, friction: float = 0.3) -> tuple[fx.Model, float, int]:
    """The model, the height at which it touches, and the places that carry it."""
    form, height, places = SHAPES[shape]
    body = fx.RigidBody("body", MASS, (2.4e-6, 2e-6, 5.3e-7), position=(0, 0, height + gap), shapes=[form])
    floor = fx.Contacts("floor", [body], law, friction=friction, walls=[fx.ground.surface(fx.Plane())])
    return fx.Model("lying", [body, floor], gravity=(0, 0, -G)), height, places


@pytest.mark.parametrize("gap", [0.0, 1e-12, -1e-12, 1e-9, -1e-9])
@pytest.mark.parametrize("settings", [{"output": 1e-3}, {"output": 5e-2}, {"step": 1e-3}, {"step": 1e-2}])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.filterwarnings("ignore::flexor.explicit.stepper.ShortenedSteps")
@pytest.mark.filterwarnings("error::flexor.solve.balance.EnergyDrift")
def test_what_lies_on_a_floor_stays_there(shape, settings, gap):
    """Let go where it touches it sinks to m g/K of its places, by no more than twice as much, and loses what it has sunk by: ½ (m g)²/K."""
    model, height, places = lying(shape, gap, fx.Penalty(K, restitution=0.3))
    run = model.dynamics(until=0.1, show=False, solver="explicit", **settings)
    depth = MASS * G / (places * K)
    assert height - run["body.position_z"][-1] == pytest.approx(depth, rel=1e-6)
    assert run["floor.deepest"][-1] < 2.0 * depth + abs(gap)
    assert run["body.position_z"].values.max() <= height + max(gap, 0.0)
    # given steps are as long as they are stable: what is lost within the first few of them is known to some tenths
    exchanged, tolerance = MASS * G * depth, 0.02 if "output" in settings else 0.25
    assert np.ptp(run["energy.check_sum"].values) < tolerance * exchanged
    assert run["energy.dissipated"][-1] == pytest.approx(
        0.5 * exchanged, abs=tolerance * exchanged + MASS * G * abs(gap)
    )


@pytest.mark.parametrize("law", [fx.Penalty(1e8, exponent=1.5), fx.Hertz(fx.Steel()), fx.Penalty(1e12, exponent=3)])
@pytest.mark.parametrize("gap", [0.0, 1e-12, -1e-12, 1e-9])
def test_a_ball_swings_in_a_law_that_stiffens(law, gap):
    """From where it touches to the depth where m g δ = K δⁿ⁺¹/(n + 1) and back, though the law has no stiffness where it begins."""
    model, _, _ = lying("ball", gap, law, friction=0.0)
    run = model.dynamics(until=0.02, output=0.01, show=False, solver="explicit")
    stiffness, n = law.force_law((100.0, 100.0))
    deepest = ((n + 1) * MASS * G / stiffness) ** (1 / n)
    assert run["floor.deepest"][-1] == pytest.approx(deepest, rel=0.02, abs=2e-9)
    assert np.ptp(run["energy.check_sum"].values) < 0.02 * MASS * G * (deepest + abs(gap))


@pytest.mark.parametrize("settings", [{"output": 1e-3}, {"output": 2e-2}])
@pytest.mark.parametrize("height", [1e-5, 1e-3])
def test_a_ball_let_go_just_above_the_floor_leaves_it_with_the_coefficient_of_restitution(height, settings):
    """It rises to e² of the height that it fell, but for what gravity does within the impact: π √(m/K) g of 14 mm/s, two parts in a hundred."""
    e = 0.6
    model, floor, _ = lying("ball", height, fx.Penalty(1e8, restitution=e))
    fall = np.sqrt(2 * height / G)
    until = fall * (1 + e)  # at the top
    run = model.dynamics(until=until, show=False, solver="explicit", **settings)
    assert run["body.position_z"][-1] - floor == pytest.approx(e**2 * height, rel=0.03)


def test_a_step_too_long_for_what_lies_on_a_floor_is_shortened_and_told():
    """ω = √(K/m) = 3162/s: steps beyond 0.63 ms would explode."""
    model, height, _ = lying("ball", 0.0, fx.Penalty(K), friction=0.0)
    with pytest.warns(ShortenedSteps, match=r"explicit steps of 0\.01 s are too long"):
        run = model.dynamics(until=0.1, step=0.01, show=False, solver="explicit")
    assert run.history["step_size"].max() < 2 / np.sqrt(K / MASS)
    assert np.abs(run["body.position_z"].values - height + MASS * G / K).max() < 1.01 * MASS * G / K
