"""Tangent = derivative of the residual, for coordinates, velocities, accelerations and multipliers: by differences, and by dual
numbers, which are exact."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.bodies import RigidBody
from flexor.law import ACCELERATION_LEVEL, VELOCITY_LEVEL
from tests.laws.by_duals import assert_tangent
from tests.laws.calls import matrix, residual
from tests.laws.random_states import SEEDS, equations, random_state
from tests.laws.samples import REGISTERED, on_samples, samples_of
from tests.laws.states import (
    ACCELERATIONS,
    COORDINATES,
    MULTIPLIERS,
    VELOCITIES,
    assert_derivative,
    perturbed,
    slope_and_error,
)

LEVELS = {0: COORDINATES, VELOCITY_LEVEL: VELOCITIES, ACCELERATION_LEVEL: ACCELERATIONS}
COEFFICIENTS = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.7, -1.3, 0.4))


def derivative_and_error(term, state, level, what, count):
    """∂r/∂(coordinates, velocities, …), numerically, and what it may be wrong by."""
    columns = [
        slope_and_error(lambda d, j=j: residual(term, perturbed(state, what, j, d), level)) for j in range(count)
    ]
    found = np.array(columns).reshape(count, 2, term.size)
    return found[:, 0].T, found[:, 1].T


def derivative(term, state, level, what, count):
    """∂r/∂(coordinates, velocities, …), numerically."""
    return derivative_and_error(term, state, level, what, count)[0]


@pytest.mark.parametrize("seed", SEEDS)
@on_samples(*REGISTERED)
def test_tangent_is_the_derivative_of_the_residual(sample, seed):
    for term in sample.terms():
        state = random_state(term, seed)
        n_lam = len(term.rows) + term.n_read
        free = term.size - n_lam
        there = equations(term)
        for level, own in LEVELS.items() if term.rows else [(0, COORDINATES)]:
            parts = [
                derivative_and_error(term, state, level, what, free)
                for what in (COORDINATES, VELOCITIES, ACCELERATIONS)
            ]
            multipliers = derivative_and_error(term, state, level, MULTIPLIERS, n_lam)
            holonomic = slice(free, free + len(term.rows) - (0 if level else term.nonholonomic))
            for c in COEFFICIENTS:
                # K = cK ∂r/∂q + cC ∂r/∂v + cM ∂r/∂a; constraint rows only by what belongs to their level
                expected, error = (
                    np.hstack([sum(factor * part[i] for factor, part in zip(signed, parts)), multipliers[i]])
                    for i, signed in enumerate((c, np.abs(c)))
                )
                expected[holonomic, :free] = c[own] * parts[own][0][holonomic]
                scale = max(np.abs(expected).max(), 1.0)
                K = matrix(term, state, c, level)
                K, expected, error = (A[np.ix_(there, there)] for A in (K, expected, error))
                assert_derivative(K, expected, error, scale, f"c = {c}, level {level}")


def test_a_wrong_tangent_is_found():
    """The check can fail: an error of one in a million, in one entry."""
    (term,) = samples_of(RigidBody)[0].terms()
    state = random_state(term, 0)
    by_v, error = derivative_and_error(term, state, 0, VELOCITIES, 6)
    K = matrix(term, state, (0.0, 1.0, 0.0))
    scale = np.abs(by_v).max()
    assert_derivative(K, by_v, error, scale)
    K[np.unravel_index(np.argmax(np.abs(K)), K.shape)] *= 1 + 1e-6
    with pytest.raises(AssertionError, match="by differences"):
        assert_derivative(K, by_v, error, scale)


def test_differences_know_their_error():
    """A function that bends sharply, one with a jump nearby: the estimate covers the error; of a smooth one it is tiny."""
    for f, exact in (
        (lambda x: np.tanh(300 * x), 300.0),
        (lambda x: np.where(x > 0.0017, 5.0, 0.0) + 2.0 * x, 2.0),
        (np.sin, 1.0),
    ):
        found, error = slope_and_error(f)
        assert abs(found - exact) <= error + 1e-12
    assert error < 1e-11


@pytest.mark.parametrize("seed", SEEDS)
@on_samples(*REGISTERED)
def test_tangent_is_that_of_dual_numbers(sample, seed):
    for term in sample.terms():
        state = random_state(term, seed)
        for level in LEVELS if term.rows else [0]:
            assert_tangent(term, state, level=level)
