"""Euler angles: three turns about axes, one after the other   FTG 2.3.5, 2.3.6.

A sequence such as "zyx" names the axes in the order of turning; the angles (rad) stand in the same order.
*Follower axes* turn with the body, R = R₁(α) R₂(β) R₃(γ)   FTG (2.31). *Fixed axes* stay in space,
R = R₃(γ) R₂(β) R₁(α)   FTG (2.30), which is the follower sequence reversed. (FTG (2.33) prints sin α where
R_y needs sin β.) All functions work over leading axes: angles have shape (..., 3), matrices (..., 3, 3).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from flexor.errors import ModelError, Problem

EULER_SEQUENCES = (
    "xyz", "yzx", "zxy", "zyx", "xzy", "yxz",  # three axes   FTG Table 2.1
    "xyx", "yxy", "yzy", "zyz", "zxz", "xzx",  # two axes
)  # fmt: skip

_LOCKED = 1e-14  # sine of the angle between two axes below which they count as one; R changes by twice that


def euler_to_matrix(angles: ArrayLike, sequence: str = "zyx", *, fixed: bool = False) -> np.ndarray:
    """The rotation matrix of three Euler angles."""
    angles = np.asarray(angles, dtype=float)
    i, j, k = _axes(sequence)
    α, β, γ = np.moveaxis(angles, -1, 0)
    if fixed:
        return _turn(k, γ) @ _turn(j, β) @ _turn(i, α)
    return _turn(i, α) @ _turn(j, β) @ _turn(k, γ)


def matrix_to_euler(R: ArrayLike, sequence: str = "zyx", *, fixed: bool = False) -> np.ndarray:
    """The Euler angles of R, the outer two in [−π, π].

    The middle one lies in [−π/2, π/2] if the sequence has three axes, in [0, π] if it has two.

    Where the first and last follower axis coincide (gimbal lock: middle angle ±π/2 for three axes, 0 or π for
    two) only the sum or difference of their angles is defined. Then the last follower angle is set to zero,
    that is, the last angle with follower axes and the first with fixed axes. Near lock the two angles are
    ill-determined, but together they always give R back, to within 2e-14.
    """
    R = np.asarray(R, dtype=float)
    i, j, k = _axes(sequence)
    if fixed:
        return matrix_to_euler(R, sequence[::-1])[..., ::-1]
    l = 3 - i - j  # the axis beside the first and the second; it is k if all three differ
    s = 1.0 if (j - i) % 3 == 1 else -1.0  # sign of the permutation (i, j, l)
    if k == l:
        # Row i of R is (cos β cos γ, −s cos β sin γ, s sin β) along i, j, k
        y, x = -s * R[..., i, j], R[..., i, i]
    else:
        # Row i of R is (cos β, sin β sin γ, s sin β cos γ) along i, j, l
        y, x = R[..., i, j], s * R[..., i, l]
    size = np.hypot(x, y)  # |cos β| or |sin β|
    γ = np.where(size < _LOCKED, 0.0, np.arctan2(y, x))
    β = np.arctan2(s * R[..., i, k], size) if k == l else np.arctan2(size, R[..., i, i])
    # R R₃(γ)ᵀ = R₁(α) R₂(β), whose column j is that of R₁(α): well determined whatever γ is
    A = R @ np.swapaxes(_turn(k, γ), -1, -2)
    α = np.arctan2(s * A[..., l, j], A[..., j, j])
    return np.stack((α, β, γ), axis=-1)


def euler_rates_to_omega(angles: ArrayLike, sequence: str = "zyx", *, fixed: bool = False) -> np.ndarray:
    """E(angles) with ω = E · d(angles)/dt, ω in global axes; singular at gimbal lock.

    Its columns are the three axes as they stand after the turns before them.
    """
    angles = np.asarray(angles, dtype=float)
    i, j, k = _axes(sequence)
    if fixed:
        return euler_rates_to_omega(angles[..., ::-1], sequence[::-1])[..., ::-1]
    α, β, _ = np.moveaxis(angles, -1, 0)
    first = _turn(i, α)
    second = first @ _turn(j, β)
    return np.stack((first[..., :, i], first[..., :, j], second[..., :, k]), axis=-1)


def _axes(sequence: str) -> tuple[int, int, int]:
    if sequence not in EULER_SEQUENCES:
        why = "it must be three of x, y, z with no axis twice in a row"
        raise ModelError(Problem("Euler angles", f"sequence {sequence!r} is unknown", why, "e.g. 'zyx'"))
    i, j, k = ("xyz".index(axis) for axis in sequence)
    return i, j, k


def _turn(axis: int, angle: np.ndarray) -> np.ndarray:
    """The rotation about one coordinate axis   FTG (2.32)–(2.34)."""
    y, z = (axis + 1) % 3, (axis + 2) % 3
    R = np.zeros((*np.shape(angle), 3, 3))
    R[..., axis, axis] = 1
    R[..., y, y] = R[..., z, z] = np.cos(angle)
    R[..., z, y] = np.sin(angle)
    R[..., y, z] = -R[..., z, y]
    return R
