"""Tangent = derivative of the residual, for coordinates, velocities, accelerations and multipliers: by differences, and by dual
numbers, which are exact."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.law import ACCELERATION_LEVEL, VELOCITY_LEVEL
from tests.laws.by_duals import assert_tangent
from tests.laws.calls import matrix, residual
from tests.laws.random_states import SEEDS, equations, random_state
from tests.laws.samples import REGISTERED, on_samples
from tests.laws.states import ACCELERATIONS, COORDINATES, MULTIPLIERS, VELOCITIES, perturbed, slope

LEVELS = {0: COORDINATES, VELOCITY_LEVEL: VELOCITIES, ACCELERATION_LEVEL: ACCELERATIONS}
COEFFICIENTS = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.7, -1.3, 0.4))


def derivative(term, state, level, what, count):
    """∂r/∂(coordinates, velocities, …), numerically."""
    columns = [slope(lambda d, j=j: residual(term, perturbed(state, what, j, d), level)) for j in range(count)]
    return np.array(columns).reshape(count, term.size).T


@pytest.mark.parametrize("seed", SEEDS)
@on_samples(*REGISTERED)
def test_tangent_is_the_derivative_of_the_residual(sample, seed):
    for term in sample.terms():
        state = random_state(term, seed)
        n_lam = len(term.rows)
        free = term.size - n_lam
        there = equations(term)
        for level, own in LEVELS.items() if n_lam else [(0, COORDINATES)]:
            by_q, by_v, by_a = (
                derivative(term, state, level, what, free) for what in (COORDINATES, VELOCITIES, ACCELERATIONS)
            )
            by_lam = derivative(term, state, level, MULTIPLIERS, n_lam)
            for c in COEFFICIENTS:
                # K = cK ∂r/∂q + cC ∂r/∂v + cM ∂r/∂a; constraint rows only by what belongs to their level
                expected = np.hstack([c[0] * by_q + c[1] * by_v + c[2] * by_a, by_lam])
                holonomic = slice(free, term.size - (0 if level else term.nonholonomic))
                expected[holonomic, :free] = c[own] * (by_q, by_v, by_a)[own][holonomic]
                scale = max(np.abs(expected).max(), 1.0)
                K = matrix(term, state, c, level)
                found, expected = (A[np.ix_(there, there)] for A in (K, expected))
                np.testing.assert_allclose(
                    found, expected, rtol=0, atol=1e-9 * scale, err_msg=f"c = {c}, level {level}"
                )


@pytest.mark.parametrize("seed", SEEDS)
@on_samples(*REGISTERED)
def test_tangent_is_that_of_dual_numbers(sample, seed):
    for term in sample.terms():
        state = random_state(term, seed)
        for level in LEVELS if term.rows else [0]:
            assert_tangent(term, state, level=level)
