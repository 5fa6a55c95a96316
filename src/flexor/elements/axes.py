"""Operators on nodal freedoms, and their stress and strain, brought from an element's own axes to global ones.

R (m, 3, 3) holds the element's axes as columns: global components = R × local components.
"""

from __future__ import annotations

import numpy as np

_COMPONENTS = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))


def columns_to_global(B: np.ndarray, R: np.ndarray) -> np.ndarray:
    """(m, …, N) rows acting on local freedoms, made to act on global ones; freedoms come in threes."""
    m = len(B)
    return (B.reshape(m, -1, 3) @ R.swapaxes(-1, -2)).reshape(B.shape)  # u_local = Rᵀ u_global


def matrix_to_global(K: np.ndarray, R: np.ndarray) -> np.ndarray:
    """(m, N, N) symmetric matrices of local freedoms, for global ones."""
    half = columns_to_global(K, R)
    return columns_to_global(np.ascontiguousarray(half.swapaxes(-1, -2)), R)


def stress_to_global(S: np.ndarray, R: np.ndarray) -> np.ndarray:
    """(m, points, 6, N) stress operators (xx, yy, zz, xy, yz, zx) from local to global components."""
    return np.einsum("mij,mpjn->mpin", _bond(R, 1.0), S, optimize=True)


def strain_to_global(E: np.ndarray, R: np.ndarray) -> np.ndarray:
    """The same for strain with engineering shear, γ = 2 ε."""
    return np.einsum("mij,mpjn->mpin", _bond(R, 2.0), E, optimize=True)


def _bond(R: np.ndarray, shear: float) -> np.ndarray:
    """(m, 6, 6) for t' = R t Rᵀ, `shear` the factor of the off-diagonal components."""
    Q = np.empty((len(R), 6, 6))
    for row, (i, j) in enumerate(_COMPONENTS):
        for col, (k, l) in enumerate(_COMPONENTS):
            value = R[:, i, k] * R[:, j, l]
            if k != l:
                value = (value + R[:, i, l] * R[:, j, k]) / shear
            Q[:, row, col] = value * (shear if i != j else 1.0)
    return Q
