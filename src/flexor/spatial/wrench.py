"""Forces with moments, velocities with spins, carried from one point of a rigid body to another.

A wrench is (f, m): force in N, moment about its point in N·m. A twist is (v, ω): velocity of its point in
m/s, angular velocity in rad/s. Both are six numbers in this order, shape (..., 6), as the freedoms of a node.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from flexor.spatial.rotation import cross, skew


def shift_wrench(wrench: ArrayLike, p_AB: ArrayLike) -> np.ndarray:
    """The wrench at B that does the same to a rigid body as the given one at A, p_AB from A to B."""
    wrench, p_AB = np.asarray(wrench, dtype=float), np.asarray(p_AB, dtype=float)
    f, m = wrench[..., :3], wrench[..., 3:]
    return _six(f, m - cross(p_AB, f))  # f_B = f_A,  m_B = m_A − p_AB × f


def shift_twist(twist: ArrayLike, p_AB: ArrayLike) -> np.ndarray:
    """The twist at B of a rigid body that has the given one at A, p_AB from A to B."""
    twist, p_AB = np.asarray(twist, dtype=float), np.asarray(p_AB, dtype=float)
    v, ω = twist[..., :3], twist[..., 3:]
    return _six(v + cross(ω, p_AB), ω)  # v_B = v_A + ω × p_AB,  ω_B = ω_A


def shift_matrix(p_AB: ArrayLike) -> np.ndarray:
    """T (..., 6, 6) with twist_B = T twist_A and, since power is the same at both, wrench_A = Tᵀ wrench_B."""
    p_AB = np.asarray(p_AB, dtype=float)
    T = np.zeros((*p_AB.shape[:-1], 6, 6))
    T[..., range(6), range(6)] = 1.0
    T[..., :3, 3:] = -skew(p_AB)
    return T


def rotate_six(R_WB: ArrayLike, six_B: ArrayLike) -> np.ndarray:
    """A wrench or twist given in the axes of B, in the axes of W; its point stays the same."""
    R_WB, six_B = np.asarray(R_WB, dtype=float), np.asarray(six_B, dtype=float)
    turn = "...ij,...j->...i"
    return _six(np.einsum(turn, R_WB, six_B[..., :3]), np.einsum(turn, R_WB, six_B[..., 3:]))


def _six(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.concatenate((a, b) if a.shape == b.shape else np.broadcast_arrays(a, b), axis=-1)
