"""Small dense matrices against NumPy's."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.hierarchy.dense import cholesky, pseudo_inverse, spd_inverse


@pytest.mark.parametrize("n", [1, 3, 6])
def test_inverse_of_a_positive_definite_matrix(n: int) -> None:
    rng = np.random.default_rng(n)
    B = rng.normal(size=(n, n))
    A = B @ B.T + 0.1 * np.eye(n)
    found = A.copy().reshape(-1)
    assert spd_inverse(n, found, np.zeros(n * n))
    assert np.allclose(found.reshape(n, n), np.linalg.inv(A), rtol=1e-12)


def test_an_indefinite_matrix_is_told() -> None:
    assert not cholesky(2, np.array([1.0, 2.0, 2.0, 1.0]))


@pytest.mark.parametrize(("n", "rank"), [(1, 1), (4, 4), (5, 3), (6, 1), (3, 0)])
def test_pseudo_inverse(n: int, rank: int) -> None:
    """With all rows measured by the same size it is that of Moore and Penrose."""
    rng = np.random.default_rng(10 * n + rank)
    B = rng.normal(size=(n, rank))
    A = B @ B.T
    P = np.zeros(n * n)
    found = pseudo_inverse(n, A.copy().reshape(-1), np.full(n, 4.0), 1e-11, P, np.zeros(3 * n * n + 2 * n))
    assert found == rank
    assert np.allclose(P.reshape(n, n), np.linalg.pinv(A, rcond=1e-10), atol=1e-9 * max(1, np.abs(P).max()))


def test_pseudo_inverse_of_badly_scaled_rows() -> None:
    """Rows in other units are independent all the same: A P A = A."""
    rng = np.random.default_rng(1)
    S = np.diag([1e-6, 1.0, 1e6, 1.0])
    B = S @ rng.normal(size=(4, 3))
    A = B @ B.T
    P = np.zeros(16)
    assert pseudo_inverse(4, A.copy().reshape(-1), np.diag(A).copy(), 1e-11, P, np.zeros(56)) == 3
    Q, I = np.diag(1 / np.diag(S)), P.reshape(4, 4)
    assert np.allclose(Q @ A @ I @ A @ Q, Q @ A @ Q, atol=1e-8)
