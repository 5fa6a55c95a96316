"""Constraints: their rates are those of the motion, their forces Bᵀλ, gravity does not enter."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from flexor.law import ACCELERATION_LEVEL, VELOCITY_LEVEL
from tests.laws.calls import matrix, residual
from tests.laws.random_states import SEEDS, random_state
from tests.laws.samples import REGISTERED, has_constraints, on_samples
from tests.laws.states import COORDINATES, VELOCITIES, moved, perturbed, slope

on_constraints = on_samples(*REGISTERED, where=has_constraints)
seeds = pytest.mark.parametrize("seed", SEEDS)


def violation(element, state, level=0):
    """Φ, Φ̇ or Φ̈"""
    return residual(element, state, level)[len(state.rates) :]


@seeds
@on_constraints
def test_velocity_level_is_the_rate_of_the_constraint(sample, seed):
    element = sample.element
    state = random_state(element, seed)
    expected = slope(lambda tau: violation(element, moved(state, tau)))
    holonomic = len(element.rows) - element.nonholonomic
    found = violation(element, state, VELOCITY_LEVEL)
    np.testing.assert_allclose(found[:holonomic], expected[:holonomic], rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(found[holonomic:], violation(element, state)[holonomic:])


@seeds
@on_constraints
def test_acceleration_level_is_the_rate_of_the_velocity_level(sample, seed):
    element = sample.element
    state = random_state(element, seed)
    expected = slope(lambda tau: violation(element, moved(state, tau), VELOCITY_LEVEL))
    np.testing.assert_allclose(violation(element, state, ACCELERATION_LEVEL), expected, rtol=1e-9, atol=1e-9)


@seeds
@on_constraints
def test_gravity_cancels(sample, seed):
    """Laws get proper accelerations, a − g; relative accelerations do not depend on g."""
    element = sample.element
    state = random_state(element, seed)
    weightless = replace(state, gravity=np.zeros(3))
    for level in (0, VELOCITY_LEVEL, ACCELERATION_LEVEL):
        np.testing.assert_allclose(
            residual(element, state, level), residual(element, weightless, level), rtol=0, atol=1e-12
        )


@seeds
@on_constraints
def test_force_of_a_constraint_is_its_gradient_times_the_multiplier(sample, seed):
    element = sample.element
    state = random_state(element, seed)
    free = len(state.rates)

    def by(what):
        return np.array([slope(lambda d, j=j: violation(element, perturbed(state, what, j, d))) for j in range(free)]).T

    holonomic = len(element.rows) - element.nonholonomic
    B = np.vstack([by(COORDINATES)[:holonomic], by(VELOCITIES)[holonomic:]])
    idle = residual(element, replace(state, lam=0 * state.lam))[:free]
    force = residual(element, state)[:free] - idle
    np.testing.assert_allclose(force, B.T @ state.lam, rtol=0, atol=1e-9 * np.abs(force).max())
    K, C = (matrix(element, state, c)[free:, :free] for c in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)))
    np.testing.assert_allclose(np.vstack([K[:holonomic], C[holonomic:]]), B, rtol=0, atol=1e-9)
