"""Rotations by their rotation vector θ = θ n: axis n, angle θ in rad   FTG 2.3.

An increment is a rotation about global axes, R ← exp(δθ) R, and ω is in global axes. All functions work over
leading axes: vectors have shape (..., 3), matrices (..., 3, 3). Those of θ are smooth everywhere, θ = 0
included, and accept complex θ, so they may be differentiated by the complex step.
"""

from __future__ import annotations

import math
from math import factorial

import numpy as np
from numpy.typing import ArrayLike

from flexor.spatial.quaternion import matrix_to_quaternion

# Below θ² = 1 the coefficients of the formulas are summed as power series in θ²; ten terms reach round-off.
_SERIES = [[(-1) ** k / factorial(2 * k + n) for n in (1, 2, 3)] for k in range(10)]
# (1 − θ/2 cot θ/2)/θ² = Σ |B₂ₖ| θ²⁽ᵏ⁻¹⁾/(2k)!   with the Bernoulli numbers B₂, B₄, …
_BERNOULLI = (1 / 6, 1 / 30, 1 / 42, 1 / 30, 5 / 66, 691 / 2730, 7 / 6, 3617 / 510, 43867 / 798, 174611 / 330)
_COTANGENT_SERIES = [b / factorial(2 * k) for k, b in enumerate(_BERNOULLI, start=1)]


def skew(a: ArrayLike) -> np.ndarray:
    """The matrix â with â b = a × b. (FTG (2.14) prints its transpose.)"""
    a = _vector(a)
    A = np.zeros((*a.shape, 3), dtype=a.dtype)
    A[..., 2, 1], A[..., 0, 2], A[..., 1, 0] = a[..., 0], a[..., 1], a[..., 2]
    A[..., 1, 2], A[..., 2, 0], A[..., 0, 1] = -a[..., 0], -a[..., 1], -a[..., 2]
    return A


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a × b over leading axes, a few times faster than NumPy's on single vectors."""
    return a.take(_NEXT, -1) * b.take(_LAST, -1) - a.take(_LAST, -1) * b.take(_NEXT, -1)


_NEXT, _LAST = np.array((1, 2, 0)), np.array((2, 0, 1))


def unskew(A: ArrayLike) -> np.ndarray:
    """The vector a of the skew part of A: ½ (A − Aᵀ) b = a × b."""
    A = np.asarray(A)
    axial = (A[..., 2, 1] - A[..., 1, 2], A[..., 0, 2] - A[..., 2, 0], A[..., 1, 0] - A[..., 0, 1])
    return np.stack(axial, axis=-1) / 2


def exp_so3(theta: ArrayLike) -> np.ndarray:
    """The rotation matrix of a rotation vector, of any number of turns."""
    θ = _vector(theta)
    a, b, _ = _coefficients(_square(θ))
    return np.eye(3) + a * skew(θ) + b * _skew_squared(θ)  # R = I + sinθ/θ θ̂ + (1−cosθ)/θ² θ̂²   FTG (2.18)


def about(axis: int, angle: float) -> np.ndarray:
    """The rotation matrix about one of the coordinate axes 0, 1, 2."""
    R = np.zeros((3, 3))
    j, k = (axis + 1) % 3, (axis + 2) % 3
    R[axis, axis] = 1.0
    R[j, j] = R[k, k] = math.cos(angle)
    R[k, j] = math.sin(angle)
    R[j, k] = -R[k, j]
    return R


def log_so3(R: ArrayLike) -> np.ndarray:
    """The rotation vector of R with 0 ≤ |θ| ≤ π; accurate at 0 and at π.

    At exactly half a turn both signs are right; the one whose largest component is positive is returned.
    """
    q = matrix_to_quaternion(R)
    w, v = q[..., :1], q[..., 1:]
    s = np.linalg.norm(v, axis=-1, keepdims=True)  # sin θ/2
    tiny = s < 1e-150  # there sin θ/2 = θ/2, and its square underflows
    return 2 * v * np.where(tiny, 1.0, np.arctan2(s, w) / np.where(tiny, 1.0, s))


def tangent(theta: ArrayLike) -> np.ndarray:
    """H(θ) with ω = H(θ) θ̇: exp(θ + δθ) = exp(H δθ) exp(θ) to first order   FTG (2.19).

    ω is in global axes; in body axes it is H(θ)ᵀ θ̇ = H(−θ) θ̇.
    """
    θ = _vector(theta)
    _, b, c = _coefficients(_square(θ))
    # H = I + (1−cosθ)/θ² θ̂ + (θ−sinθ)/θ³ θ̂²   FTG (2.20) with n nᵀ = I + n̂²
    return np.eye(3) + b * skew(θ) + c * _skew_squared(θ)


def tangent_inverse(theta: ArrayLike) -> np.ndarray:
    """H(θ)⁻¹ with θ̇ = H⁻¹ ω, for |θ| < 2π; it grows without bound towards 2π, where H is singular."""
    θ = _vector(theta)
    x = _square(θ)
    near = np.abs(x) < 1
    half = np.sqrt(np.where(near, 1.0, x)) / 2
    d = np.where(near, _polynomial(_COTANGENT_SERIES, x, near), (1 - half / np.tan(half)) / (4 * half * half))
    return np.eye(3) - skew(θ) / 2 + d * _skew_squared(θ)  # H⁻¹ = I − ½ θ̂ + (1 − θ/2 cot θ/2)/θ² θ̂²


def nearest_rotation(A: ArrayLike) -> np.ndarray:
    """The rotation matrix nearest to A in the least-squares sense; mends rounded or drifted matrices."""
    U, _, Vt = np.linalg.svd(np.asarray(A, dtype=float))
    U[..., :, 2] *= np.sign(np.linalg.det(U @ Vt))[..., None]
    return U @ Vt


def is_rotation(R: ArrayLike, tolerance: float = 1e-9) -> bool:
    """Whether each R is orthonormal (no entry of RᵀR − I exceeds the tolerance) and right-handed."""
    R = np.asarray(R, dtype=float)
    error = np.abs(np.swapaxes(R, -1, -2) @ R - np.eye(3))
    return bool(np.all(error <= tolerance) and np.all(np.linalg.det(R) > 0))


def _vector(a: ArrayLike) -> np.ndarray:
    return np.asarray(a, dtype=complex if np.iscomplexobj(a) else float)


def _square(θ: np.ndarray) -> np.ndarray:
    """θ² with two axes of length 1 at the end, so that it multiplies matrices."""
    return np.sum(θ * θ, axis=-1)[..., None, None]


def _skew_squared(θ: np.ndarray) -> np.ndarray:
    return θ[..., :, None] * θ[..., None, :] - _square(θ) * np.eye(3)  # θ̂² = θ θᵀ − θ² I


def _polynomial(coefficients: list[float] | list[list[float]], x: np.ndarray, near: np.ndarray) -> np.ndarray:
    return np.polynomial.polynomial.polyval(np.where(near, x, 0.0), coefficients)


def _coefficients(x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """sin θ/θ, (1 − cos θ)/θ² and (θ − sin θ)/θ³ as functions of x = θ²."""
    near = np.abs(x) < 1
    a, b, c = _polynomial(_SERIES, x, near)
    if np.all(near):
        return a, b, c
    θ = np.sqrt(np.where(near, 1.0, x))
    far = np.sin(θ) / θ, 2 * (np.sin(θ / 2) / θ) ** 2, (θ - np.sin(θ)) / θ**3
    return np.where(near, a, far[0]), np.where(near, b, far[1]), np.where(near, c, far[2])


PERMUTATION = skew(-np.eye(3))
"""ε_ijk: (a × b)ᵢ = ε_ijk aⱼ b_k"""
