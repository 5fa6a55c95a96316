"""Long vectors of a basis, and what others have of them, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.reduce.tall_basis import ROWS, TallBasis


@pytest.mark.parametrize("others", [0, 1, 7, 8, 9, 20])
@pytest.mark.parametrize("count", [0, 1, 8, 13])
@pytest.mark.parametrize("n", [1, 40, ROWS, ROWS + 3])
def test_products_are_those_of_numpy(n, count, others):
    rng = np.random.default_rng(count)
    Q, X, H = rng.standard_normal((n, count)), rng.standard_normal((n, others)), rng.standard_normal((count, others))
    basis = TallBasis(n, 4)  # it grows
    for k in range(0, count, 3):
        basis.add(Q[:, k : k + 3])
    np.testing.assert_array_equal(basis.vectors, Q)
    for given in (X, np.asfortranarray(X)):
        np.testing.assert_allclose(basis.shares(given), Q.T @ X, rtol=0, atol=1e-12)
        np.testing.assert_allclose(basis.without(given, H), X - Q @ H, rtol=0, atol=1e-13)


def test_vectors_that_were_left_out_count_no_more():
    rng = np.random.default_rng(0)
    Q, X = rng.standard_normal((30, 11)), rng.standard_normal((30, 3))
    basis = TallBasis(30, 16)
    basis.add(Q)
    basis.keep(Q[:, 4:7])
    np.testing.assert_array_equal(basis.vectors, Q[:, 4:7])
    H = basis.shares(X)
    np.testing.assert_allclose(H, Q[:, 4:7].T @ X, atol=1e-13)
    np.testing.assert_allclose(basis.without(X, H), X - Q[:, 4:7] @ H, atol=1e-13)
