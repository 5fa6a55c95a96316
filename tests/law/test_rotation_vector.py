"""Rotation vectors on tuples against the array functions of `flexor.spatial` and numerical derivatives."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.law.rotation_vector import (
    moment_of,
    moment_slope,
    rate_to_spin,
    rate_to_spin_rate,
    rotation_vector,
    spin_to_rate,
)
from flexor.law.tuples import inverse, rotation_of
from flexor.spatial import exp_so3, tangent, tangent_inverse

ANGLES = (0.0, 1e-12, 1e-6, 1e-3, 0.00999, 0.0101, 0.1, 0.4999, 0.5001, 1.0, 2.0, 2.6, 3.0, 3.1, 3.14, 3.14159)
AXES = ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.3, -0.5, 0.8), (-1.0, -1.0, -1.0))


def vectors():
    return [tuple(angle * np.array(axis) / np.linalg.norm(axis)) for angle in ANGLES for axis in AXES]


@pytest.mark.parametrize("psi", vectors())
def test_rotation_vector_undoes_the_rotation(psi):
    found = rotation_vector(tuple(exp_so3(psi).ravel()))
    np.testing.assert_allclose(found, psi, rtol=0, atol=4e-15 * (1 + np.linalg.norm(psi)))
    np.testing.assert_allclose(np.reshape(rotation_of(psi), (3, 3)), exp_so3(psi), atol=4e-16)


@pytest.mark.parametrize("psi", vectors())
def test_spin_to_rate_is_the_inverse_tangent(psi):
    H = np.reshape(spin_to_rate(psi), (3, 3))
    np.testing.assert_allclose(H, tangent_inverse(psi), rtol=0, atol=1e-14)
    m = np.array([0.7, -1.1, 0.4])
    np.testing.assert_allclose(moment_of(psi, tuple(m)), H.T @ m, rtol=0, atol=1e-14)


@pytest.mark.parametrize("psi", vectors())
def test_moment_slope_is_the_derivative(psi):
    """By the complex step, exact to rounding."""
    m = np.array([0.7, -1.1, 0.4])
    exact = (
        np.array([tangent_inverse(np.array(psi) + 1e-30j * e).swapaxes(-1, -2) @ m for e in np.eye(3)]).imag.T / 1e-30
    )
    np.testing.assert_allclose(np.reshape(moment_slope(psi, tuple(m)), (3, 3)), exact, rtol=0, atol=3e-14)


def test_inverse():
    A = np.array([[2.0, -1.0, 0.3], [0.2, 1.5, -0.7], [0.1, 0.4, -3.0]])
    np.testing.assert_allclose(np.reshape(inverse(tuple(A.ravel())), (3, 3)), np.linalg.inv(A), rtol=1e-14)


@pytest.mark.parametrize("psi", vectors())
def test_rate_to_spin_is_the_tangent_and_its_rate_the_derivative(psi):
    rate = np.array([0.7, -1.1, 0.4])
    np.testing.assert_allclose(rate_to_spin(psi, tuple(rate)), tangent(psi) @ rate, rtol=0, atol=4e-15)
    exact = (tangent(np.array(psi) + 1e-30j * rate) @ rate).imag / 1e-30  # by the complex step
    np.testing.assert_allclose(rate_to_spin_rate(psi, tuple(rate)), exact, rtol=0, atol=2e-13)
