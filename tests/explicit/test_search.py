"""Ten thousand balls in a box: what is searched for pairs grows as their number."""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx
from benchmarks.nowhere import Nowhere
from flexor.explicit.stepper import ExplicitStepper
from flexor.solve.dynamics import integrate, prepare
from flexor.solve.settings import DynamicsSettings
from tests.explicit.grains import RADIUS, pile


def settled(n: int, side: int, steps: int) -> tuple[ExplicitStepper, np.ndarray]:
    """After so many steps of 0.1 ms: what made them, and where the balls are."""
    settings = DynamicsSettings(
        until=steps * 1e-4, step=1e-4, output=steps * 1e-4, solver="explicit", record=(), energies=False
    )
    system = prepare(pile(n, side, fx.Penalty(2e3, damping=5.0)), settings)
    stepper = ExplicitStepper(system, settings)
    integrate(system, settings, Nowhere(), stepper=stepper)
    return stepper, system.nodes("x")[1:]


def test_comparisons_per_ball_do_not_grow_with_their_number():
    """From a thousand to ten thousand; each search finds those that touch, as a look at all of them does."""
    found = {}
    for n, side, steps in ((1000, 10, 300), (10_000, 22, 300)):
        stepper, x = settled(n, side, steps)
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
