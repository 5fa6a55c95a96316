"""Constraints: their rates are those of the motion, their forces Bᵀλ, gravity does not enter."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from flexor.law import ACCELERATION_LEVEL, VELOCITY_LEVEL
from tests.laws.calls import matrix, residual
from tests.laws.random_states import SEEDS, random_state
from tests.laws.samples import REGISTERED, has_constraints, on_samples
from tests.laws.states import COORDINATES, VELOCITIES, assert_derivative, moved, perturbed, slope_and_error

on_constraints = on_samples(*REGISTERED, where=has_constraints)
seeds = pytest.mark.parametrize("seed", SEEDS)


def violation(term, state, level=0):
    """Φ, Φ̇ or Φ̈"""
    return residual(term, state, level)[len(state.rates) :]


@seeds
@on_constraints
def test_velocity_level_is_the_rate_of_the_constraint(sample, seed):
    term = sample.term
    state = random_state(term, seed)
    expected, error = slope_and_error(lambda tau: violation(term, moved(state, tau)))
    holonomic = len(term.rows) - term.nonholonomic
    found = violation(term, state, VELOCITY_LEVEL)
    if holonomic:
        scale = 1.0 + np.abs(expected).max()
        assert_derivative(found[:holonomic], expected[:holonomic], error[:holonomic], scale)
    np.testing.assert_array_equal(found[holonomic:], violation(term, state)[holonomic:])


@seeds
@on_constraints
def test_acceleration_level_is_the_rate_of_the_velocity_level(sample, seed):
    term = sample.term
    state = random_state(term, seed)
    expected, error = slope_and_error(lambda tau: violation(term, moved(state, tau), VELOCITY_LEVEL))
    assert_derivative(violation(term, state, ACCELERATION_LEVEL), expected, error, 1.0 + np.abs(expected).max())


@seeds
@on_constraints
def test_gravity_cancels(sample, seed):
    """Laws get proper accelerations, a − g; relative accelerations do not depend on g."""
    term = sample.term
    state = random_state(term, seed)
    weightless = replace(state, gravity=np.zeros(3))
    for level in (0, VELOCITY_LEVEL, ACCELERATION_LEVEL):
        np.testing.assert_allclose(residual(term, state, level), residual(term, weightless, level), rtol=0, atol=1e-12)


@seeds
@on_constraints
def test_force_of_a_constraint_is_its_gradient_times_the_multiplier(sample, seed):
    term = sample.term
    state = random_state(term, seed)
    free = len(state.rates)

    def by(what):
        columns = [slope_and_error(lambda d, j=j: violation(term, perturbed(state, what, j, d))) for j in range(free)]
        return np.array(columns).transpose(1, 2, 0)

    holonomic = len(term.rows) - term.nonholonomic
    B, error = np.concatenate([by(COORDINATES)[:, :holonomic], by(VELOCITIES)[:, holonomic:]], axis=1)
    idle = residual(term, replace(state, lam=0 * state.lam))[:free]
    force = residual(term, state)[:free] - idle
    assert_derivative(force, B.T @ state.lam, error.T @ np.abs(state.lam), np.abs(force).max())
    K, C = (matrix(term, state, c)[free:, :free] for c in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)))
    assert_derivative(np.vstack([K[:holonomic], C[holonomic:]]), B, error, 1.0)
