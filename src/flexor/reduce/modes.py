"""Vibration modes of large sparse models by shift-invert Lanczos."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import LinearOperator, eigsh

from flexor.reduce.factor import Factors, few_threads


def lowest_modes(
    K: sparse.csc_matrix, M: sparse.csc_matrix, count: int, factors: Factors, shift: float = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    """(ω², mass-normalised shapes) of the `count` lowest modes; `factors` are those of K − shift·M."""
    n = K.shape[0]
    count = min(count, n)
    if count == 0:
        return np.zeros(0), np.zeros((n, 0))
    if n <= 3 * count + 20 or n < 200:
        from scipy.linalg import eigh

        squares, shapes = _dense(K, M, eigh)
        return squares[:count], shapes[:, :count]
    inverse = LinearOperator((n, n), matvec=factors.solve, dtype=float)
    start = np.random.default_rng(0).standard_normal(n)
    with few_threads():
        squares, shapes = eigsh(K, k=count, M=M, sigma=shift, OPinv=inverse, which="LM", v0=start, tol=1e-10)
    order = np.argsort(squares)
    return squares[order], shapes[:, order]


def _dense(K: sparse.csc_matrix, M: sparse.csc_matrix, eigh) -> tuple[np.ndarray, np.ndarray]:  # type: ignore[no-untyped-def]
    """All modes of a small model; coordinates without mass follow statically."""
    k, m = K.toarray(), M.toarray()
    massive = np.abs(m).sum(axis=1) > 1e-14 * np.abs(m).max()
    if massive.all():
        return eigh(k, m)
    a, s = np.flatnonzero(massive), np.flatnonzero(~massive)
    T = np.zeros((len(k), len(a)))
    T[a, np.arange(len(a))] = 1.0
    T[s] = -np.linalg.solve(k[np.ix_(s, s)], k[np.ix_(s, a)])
    squares, shapes = eigh(T.T @ k @ T, T.T @ m @ T)
    return squares, T @ shapes
