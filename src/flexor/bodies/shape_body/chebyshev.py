"""Chebyshev polynomials by their recurrence, and the quadrature that belongs to them."""

from __future__ import annotations

from functools import lru_cache

import numpy as np


def chebyshev(x: np.ndarray, order: int) -> tuple[np.ndarray, np.ndarray]:
    """(Q, order + 1) values and slopes of g₀ … g_order at x (Q,), −1 … 1.   NAK (7-3), (7-4)"""
    g, slope = np.zeros((2, len(x), order + 1))
    g[:, 0] = 1.0
    if order:
        g[:, 1], slope[:, 1] = x, 1.0
    for m in range(2, order + 1):
        g[:, m] = 2 * x * g[:, m - 1] - g[:, m - 2]
        slope[:, m] = 2 * (g[:, m - 1] + x * slope[:, m - 1]) - slope[:, m - 2]
    return g, slope


@lru_cache(maxsize=64)
def clenshaw_curtis(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Places −1 … 1 and weights of `count` ≥ 2 points, exact for polynomials up to the order count − 1.

    ∫f dx = Σ'' a_k · 2/(1 − k²) over even k, a_k the cosine coefficients of f at x = cos(πj/N)   (Clenshaw and Curtis 1960)
    """
    N = count - 1
    j, k = np.arange(count), np.arange(0, N + 1, 2)
    moments = 2.0 / (1.0 - k**2)
    moments[k == N] *= 0.5
    moments[0] *= 0.5
    weights = 2.0 / N * (np.cos(np.pi * np.outer(j, k) / N) @ moments)
    weights[[0, -1]] *= 0.5
    x = np.cos(np.pi * j / N)
    x[np.abs(x) < 1e-15] = 0.0
    return x, weights


def waves(phi: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """(Q, 2 count + 1) values 1, cos φ, sin φ, cos 2φ, … at φ (Q,) and their slopes."""
    n = np.arange(1, count + 1)
    c, s = np.cos(np.outer(phi, n)), np.sin(np.outer(phi, n))
    T, slope = np.zeros((2, len(phi), 2 * count + 1))
    T[:, 0] = 1.0
    T[:, 1::2], T[:, 2::2] = c, s
    slope[:, 1::2], slope[:, 2::2] = -n * s, n * c
    return T, slope
