"""The shortest moves that meet linear equations, and those that meet some as nearly as others permit."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

EPSILON = 1e-12
"""Lets equations repeat each other; of the square of a row's length."""


LOOSE = 1e-8
"""The same where equations repeat each other only nearly: motions that change them by less than 1e-4 do not count."""


def shortest(J: sparse.csr_matrix, off: np.ndarray, epsilon: np.ndarray | float = EPSILON) -> np.ndarray | None:
    """The shortest δ with J δ = −r."""
    m, n = J.shape
    if m == 0:
        return np.zeros(n)
    return solved(sparse.identity(n), J, np.zeros(n), -off, epsilon)


def shortest_of_parts(
    J: sparse.csr_matrix,
    off: np.ndarray,
    rows: np.ndarray,
    columns: np.ndarray,
    parts: np.ndarray,
    epsilon: np.ndarray | float = EPSILON,
) -> np.ndarray:
    """The shortest δ of some parts that share no row and no column; zero in all others, not a number where it fails.

    rows, columns: number of the part that each belongs to.   parts: mask of those that are wanted.
    epsilon: of all rows, or of each part.
    """
    each_row = np.broadcast_to(epsilon, parts.shape)[rows]
    if parts.all():
        move = shortest(J, off, each_row)
    else:
        r, c = np.flatnonzero(parts[rows]), np.flatnonzero(parts[columns])
        part = shortest(J[r][:, c], off[r], each_row[r])
        move = None
        if part is not None:
            move = np.zeros(J.shape[1])
            move[c] = part
    if move is not None:
        return move
    wanted = np.flatnonzero(parts)
    if len(wanted) == 1:
        return np.where(parts[columns], np.nan, 0.0)
    each = (np.arange(len(parts)) == i for i in wanted)  # one that fails does not spoil the rest
    return np.sum([shortest_of_parts(J, off, rows, columns, one, epsilon) for one in each], axis=0)


def solved(
    A: sparse.spmatrix, J: sparse.csr_matrix, f: np.ndarray, g: np.ndarray, epsilon: np.ndarray | float = EPSILON
) -> np.ndarray | None:
    """δ of [A Jᵀ; J −ε] [δ; μ] = [f; g]."""
    m, n = J.shape
    matrix = sparse.bmat([[A, J.T], [J, -sparse.diags(np.broadcast_to(epsilon, m))]], format="csc")
    try:
        solution = splu(matrix).solve(np.concatenate([f, g]))
    except RuntimeError:  # singular, or not finite
        return None
    return solution[:n] if np.all(np.isfinite(solution)) else None


def largest(values: np.ndarray) -> float:
    return float(np.abs(values).max(initial=0.0))


def largest_of_each(values: np.ndarray, part: np.ndarray, count: int) -> np.ndarray:
    """Of each part, the largest absolute value."""
    found = np.zeros(count)
    np.maximum.at(found, part, np.abs(values))
    return found


def norm_of_each(values: np.ndarray, part: np.ndarray, count: int) -> np.ndarray:
    """Of each part, the root of the sum of squares."""
    return np.sqrt(np.bincount(part, values * values, minlength=count))


def nearest(G: sparse.csr_matrix, off: np.ndarray, B: sparse.csr_matrix, phi: np.ndarray) -> np.ndarray | None:
    """min |G δ + r_stated| subject to B δ = −Φ, the shortest of all such."""
    return solved(G.T @ G + 1e-9 * sparse.identity(G.shape[1]), B, -(G.T @ off), -phi)
