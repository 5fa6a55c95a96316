"""Products that keep their digits where the terms of the sum cancel."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse

from flexor.reduce.precise import product
from tests.reduce.bodies import held_rod


def exactly(K, X) -> np.ndarray:
    """K X in rational numbers, rounded once."""
    K = sparse.csr_array(K)
    rows = [slice(K.indptr[i], K.indptr[i + 1]) for i in range(K.shape[0])]
    return np.array(
        [
            [
                float(sum(Fraction(k) * Fraction(x) for k, x in zip(K.data[r], X[K.indices[r], j])))
                for j in range(X.shape[1])
            ]
            for r in rows
        ]
    )


def test_nearly_rigid_motion():
    """A rod that moves 1 m and deforms 1 µm: force by force right to rounding, where the plain sum is far off."""
    p = held_rod()
    x = p.nodes[p.moved, 0]
    X = p.rigid[:, :2] + 1e-6 * np.sin(3 * x)[:, None]
    exact = exactly(p.K, X)
    size = np.abs(exact).max(axis=0)
    assert np.all(np.abs(product(p.K, X) - exact) < 2e-15 * size)
    assert np.abs(p.K @ X - exact).max() > 1e-11 * size.max()


@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e300])
def test_any_size(scale):
    rng = np.random.default_rng(5)
    K = sparse.csc_array(sparse.random_array((40, 40), density=0.2, rng=rng))
    K = sparse.csc_array(K + K.T) * scale
    X = rng.standard_normal((40, 3)) * [1.0, 1e-9, 0.0]
    exact = K @ X
    assert np.allclose(product(K, X), exact, rtol=1e-12, atol=1e-14 * np.abs(exact).max(axis=0))


def test_nothing():
    assert product(sparse.csc_array((4, 4)), np.ones((4, 2))).shape == (4, 2)
    assert product(sparse.csc_array((4, 4)), np.ones((4, 0))).shape == (4, 0)
