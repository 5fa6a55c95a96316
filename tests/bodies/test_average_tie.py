"""A node that follows the average of others: exact rates, forces and tangents, and what it means."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from flexor.bodies.full_mesh.average_tie import average_tie_term
from flexor.law import ACCELERATION_LEVEL, MATRIX, RESIDUAL, VELOCITY_LEVEL
from flexor.spatial import exp_so3
from tests.laws.by_duals import assert_tangent
from tests.laws.calls import call, call_compiled, matrix, residual
from tests.laws.states import COORDINATES, State, moved, perturbed, slope
from tests.laws.test_tangent import derivative

X0 = np.array([0.1, 0.3, -0.2])
X = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0.5], [0.3, 0.2, 1]], dtype=float)
TIE = average_tie_term("rod", 1, (2, 3, 4, 5, 6), X0, X, np.array([1, 2, 1, 0.5, 1.0]))


def state(seed, strain=0.1):
    random = np.random.default_rng(seed)
    R, shift = exp_so3(2 * random.normal(size=3)), random.normal(size=3)
    x = np.vstack([X0, X]) @ R.T + shift + strain * random.normal(size=(6, 3))
    turns = np.array([R @ exp_so3(strain * random.normal(size=3)) for _ in range(6)])
    v, a = random.normal(size=(2, 6, 6))
    return State(x=x, R=turns, v=v, a=a, s=np.zeros((0, 3)), lam=random.normal(size=6), h=np.zeros(0), t=0.0,
                 gravity=np.array([1.0, -9.0, 2.0]))  # fmt: skip


def violation(s, level=0):
    return residual(TIE, s, level)[36:]


@pytest.mark.parametrize("seed", [0, 1])
def test_rates_and_tangent(seed):
    s = state(seed)
    for low, high in ((0, VELOCITY_LEVEL), (VELOCITY_LEVEL, ACCELERATION_LEVEL)):
        expected = slope(lambda tau, low=low: violation(moved(s, tau), low))
        np.testing.assert_allclose(violation(s, high), expected, rtol=1e-9, atol=1e-9)
    B = np.array([slope(lambda d, j=j: violation(perturbed(s, COORDINATES, j, d))) for j in range(36)]).T
    np.testing.assert_allclose(residual(TIE, s)[:36], B.T @ s.lam, atol=1e-9)
    K = matrix(TIE, s, (1.0, 0.0, 0.0))
    np.testing.assert_allclose(K[36:, :36], B, atol=1e-9)
    np.testing.assert_allclose(K[:36, 36:], B.T, atol=1e-9)
    np.testing.assert_allclose(K[:36, :36], derivative(TIE, s, 0, COORDINATES, 36)[:36, :36], atol=1e-8)
    weightless = replace(s, gravity=np.zeros(3))
    np.testing.assert_allclose(violation(s, ACCELERATION_LEVEL), violation(weightless, ACCELERATION_LEVEL), atol=1e-12)
    python, machine = (f(TIE, s, RESIDUAL | MATRIX, (0.7, -1.3, 0.4)) for f in (call, call_compiled))
    np.testing.assert_allclose(machine.r, python.r, atol=1e-12)
    np.testing.assert_allclose(machine.K, python.K, atol=1e-12)


@pytest.mark.parametrize("level", [0, VELOCITY_LEVEL, ACCELERATION_LEVEL])
def test_tangent_is_that_of_dual_numbers(level):
    assert_tangent(TIE, state(3), level=level)


def test_forces_are_in_equilibrium_and_rigid_motion_satisfies_it():
    s = state(2, strain=0.0)
    np.testing.assert_allclose(violation(s), 0, atol=1e-12)
    s = state(2)
    r = residual(TIE, s)[:36].reshape(6, 2, 3)
    np.testing.assert_allclose(r[:, 0].sum(axis=0), 0, atol=1e-12)


def test_small_motion_is_the_least_squares_rigid_motion():
    """Σ w (u_k − u − θ × r_k) = 0 and its moments: solve Φ = 0 to first order and compare with least squares."""
    random = np.random.default_rng(5)
    u = 1e-7 * random.normal(size=(5, 3))
    rest = replace(state(0, 0.0), x=np.vstack([X0, X]), R=np.tile(np.eye(3), (6, 1, 1)))
    B = matrix(TIE, rest, (1.0, 0, 0))[36:, :36]
    known = np.zeros((6, 6))
    known[1:, :3] = u
    motion = np.linalg.solve(B[:, :6], -B @ known.ravel())
    r = X - X0
    S = np.zeros((5, 3, 6))
    S[:, :, :3] = np.eye(3)
    S[:, :, 3:] = [[[0, z, -y], [-z, 0, x], [y, -x, 0]] for x, y, z in r]
    weight = np.sqrt(np.array([1, 2, 1, 0.5, 1.0]))[:, None, None]
    expected = np.linalg.lstsq((weight * S).reshape(15, 6), (weight[:, :, 0] * u).ravel(), rcond=None)[0]
    np.testing.assert_allclose(motion, expected, atol=1e-15)
