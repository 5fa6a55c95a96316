"""The shortest moves that meet linear equations, and those that meet some as nearly as others permit."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

EPSILON = 1e-12
"""Lets equations repeat each other; of the square of a row's length."""


def shortest(J: sparse.csr_matrix, off: np.ndarray) -> np.ndarray | None:
    """The shortest δ with J δ = −r."""
    m, n = J.shape
    if m == 0:
        return np.zeros(n)
    return solved(sparse.identity(n), J, np.zeros(n), -off)


def solved(A: Any, J: sparse.csr_matrix, f: np.ndarray, g: np.ndarray) -> np.ndarray | None:
    """δ of [A Jᵀ; J −ε] [δ; μ] = [f; g]."""
    m, n = J.shape
    matrix = sparse.bmat([[A, J.T], [J, -EPSILON * sparse.identity(m)]], format="csc")
    try:
        solution = splu(matrix).solve(np.concatenate([f, g]))
    except RuntimeError:  # singular, or not finite
        return None
    return solution[:n] if np.all(np.isfinite(solution)) else None


def largest(values: np.ndarray) -> float:
    return float(np.abs(values).max(initial=0.0))


def nearest(G: sparse.csr_matrix, off: np.ndarray, B: sparse.csr_matrix, phi: np.ndarray) -> np.ndarray | None:
    """min |G δ + r_stated| subject to B δ = −Φ, the shortest of all such."""
    return solved(G.T @ G + 1e-9 * sparse.identity(G.shape[1]), B, -(G.T @ off), -phi)
