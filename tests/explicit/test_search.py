"""Ten thousand balls in a box: what is searched for pairs grows as their number."""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx
from benchmarks.nowhere import Nowhere
from flexor.explicit.stepper import ExplicitStepper
from flexor.solve.dynamics import integrate, prepare
from flexor.solve.settings import DynamicsSettings
from tests.explicit.grains import MASS, RADIUS, lattice, pile


def settled(n: int, side: int, steps: int, stiffness: float = 2e3) -> tuple[ExplicitStepper, np.ndarray, np.ndarray]:
    """After so many steps of 0.1 ms: what made them, where the balls are, and their velocities."""
    settings = DynamicsSettings(
        until=steps * 1e-4, step=1e-4, output=steps * 1e-4, solver="explicit", record=(), energies=False
    )
    system = prepare(pile(n, side, fx.Penalty(stiffness, damping=5.0)), settings)
    stepper = ExplicitStepper(system, settings)
    integrate(system, settings, Nowhere(), stepper=stepper)
    return stepper, system.nodes("x")[1:], system.nodes("v")[1:, :3]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:explicit steps")
def test_ten_thousand_balls_come_to_rest():
    """Six layers without friction, 0.6 s: the floor carries their weight, opposite walls press alike, and they lie as closely as balls that fall at random do (0.60 to 0.64, Scott 1960; less beside walls)."""
    K, weight, compared = 1e3, MASS * 9.81, {}
    for n, side in ((1000, 13), (10_000, 41)):
        stepper, x, v = settled(n, side, 6000, K)
        begin, width = lattice(n, side)
        fallen = weight * (begin - x)[:, 2].sum()
        assert 0.5 * MASS * (v**2).sum() < 5e-3 * fallen
        floor, *walls = (
            K * np.maximum(RADIUS - at, 0).sum() for at in (x[:, 2], x[:, 0], x[:, 1], width - x[:, 0], width - x[:, 1])
        )
        assert floor == pytest.approx(n * weight, rel=0.03)
        assert walls == pytest.approx([np.mean(walls)] * 4, rel=0.2)
        top = np.quantile(x[:, 2], 0.98) + RADIUS
        filled = n * 4 / 3 * np.pi * RADIUS**3 / (width**2 * top)
        assert 0.52 < filled < 0.64
        compared[n] = stepper.numbers.tests / stepper.numbers.searches / n
    assert compared[10_000] < 1.3 * compared[1000] < 40


def test_comparisons_per_ball_do_not_grow_with_their_number():
    """From a thousand to ten thousand; each search finds those that touch, as a look at all of them does."""
    found = {}
    for n, side, steps in ((1000, 10, 300), (10_000, 22, 300)):
        stepper, x, _v = settled(n, side, steps)
        own = stepper.numbers
        found[n] = own.tests / own.searches / n
        assert own.searches >= 2
        assert np.all(np.isfinite(x))
        assert x[:, 2].min() > 0.9 * RADIUS
        tree = pytest.importorskip("scipy.spatial").cKDTree(x)
        touching = {tuple(sorted(pair)) for pair in tree.query_pairs(2 * RADIUS)}
        listed = {tuple(sorted(pair)) for pair in zip(stepper.memory.pair_a, stepper.memory.pair_b) if max(pair) < n}
        assert touching <= listed
        assert len(touching) > 0.05 * n
    assert found[10_000] < 1.3 * found[1000] < 40
