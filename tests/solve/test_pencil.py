"""Coordinates of small motions are made alike, so that the rank of the constraints shows."""

import numpy as np
import pytest
from scipy import sparse

from flexor.solve.linearise import Linearisation
from flexor.solve.modes import complex_modes, undamped_modes


def small_motions(K, M, B):
    """A linearisation from K (or its diagonal), the diagonal of M and the rows of B."""
    n = len(K)
    K = np.diag(K) if np.ndim(K) == 1 else K
    K, M, B = (sparse.csr_array(np.array(X, dtype=float)) for X in (K, np.diag(M), np.reshape(B, (-1, n))))
    none = sparse.csr_array((0, n))
    names = tuple(f"q{i}" for i in range(n))
    return Linearisation(K, sparse.csr_array((n, n)), M, B, none, none, names, np.arange(n), np.arange(n))


@pytest.mark.parametrize("rounding", [0.0, 1e-16, 1e-42, -1e-69])
def test_two_masses_joined_by_points_without_inertia(rounding):
    """They move as one, ω² = (k₁ + k₂)/(m₁ + m₂), whatever little stiffness the points between them seem to have."""
    B = [[1, -1, 0, 0], [0, 1, -2, 0], [0, 0, 2, -1]]
    m = small_motions([300.0, rounding, rounding, 600.0], [1.0, 0.0, 0.0, 3.0], B)
    for found in (undamped_modes(m, 4), complex_modes(m, 4)[0]):
        np.testing.assert_allclose(found.frequencies, [np.sqrt(900.0 / 4.0) / (2 * np.pi)], rtol=1e-12)
        np.testing.assert_allclose(np.abs(found.shapes[:, 0]), [1.0, 1.0, 0.5, 1.0], rtol=1e-12)


def test_points_without_inertia_between_springs_follow():
    """A spring in series with another: k = k₁ k₂/(k₁ + k₂), the point between bound to a second one that has only rounding."""
    k1, k2 = 300.0, 600.0
    m = small_motions([[k1, -k1, 0], [-k1, k1 + k2, 0], [0, 0, 1e-40]], [2.0, 0.0, 0.0], [[0, 1, -1]])
    found = undamped_modes(m, 3)
    np.testing.assert_allclose(found.frequencies, [np.sqrt(k1 * k2 / (k1 + k2) / 2.0) / (2 * np.pi)], rtol=1e-12)
