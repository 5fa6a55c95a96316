"""Unit quaternions q = (w, x, y, z), scalar first: w = cos θ/2, (x, y, z) = n sin θ/2.

q and −q are the same rotation. All functions work over leading axes: q has shape (..., 4), R (..., 3, 3).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from flexor.errors import ModelError, Problem


def quaternion_to_matrix(q: ArrayLike) -> np.ndarray:
    """The rotation matrix of q; the length of q does not matter, but it must not be zero."""
    q = np.asarray(q, dtype=float)
    size = np.linalg.norm(q, axis=-1, keepdims=True)
    if not np.all(size > 0):
        why, fix = "it has no direction", "no rotation is (1, 0, 0, 0)"
        raise ModelError(Problem("quaternion", "its length is zero or not a number", why, fix))
    w, x, y, z = np.moveaxis(q / size, -1, 0)
    R = (  # R = I + 2 w v̂ + 2 v̂²
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )
    return np.moveaxis(np.array(R), (0, 1), (-2, -1))


def matrix_to_quaternion(R: ArrayLike) -> np.ndarray:
    """The unit quaternion of R with w ≥ 0; for half a turn (w = 0) its largest component is positive.

    All ten products 4 qᵢ qⱼ are sums of entries of R; the row of the largest 4 qᵢ² is q times a number well
    away from zero, so nothing is lost near half a turn (Shepperd, J. Guidance and Control 1 (1978) 223).
    """
    R = np.asarray(R, dtype=float)
    r = {(i, j): R[..., i, j] for i in range(3) for j in range(3)}
    Q = np.empty((*R.shape[:-2], 4, 4))  # 4 q qᵀ
    Q[..., 0, 0] = 1 + r[0, 0] + r[1, 1] + r[2, 2]
    Q[..., 1, 1] = 1 + r[0, 0] - r[1, 1] - r[2, 2]
    Q[..., 2, 2] = 1 - r[0, 0] + r[1, 1] - r[2, 2]
    Q[..., 3, 3] = 1 - r[0, 0] - r[1, 1] + r[2, 2]
    Q[..., 0, 1] = Q[..., 1, 0] = r[2, 1] - r[1, 2]
    Q[..., 0, 2] = Q[..., 2, 0] = r[0, 2] - r[2, 0]
    Q[..., 0, 3] = Q[..., 3, 0] = r[1, 0] - r[0, 1]
    Q[..., 1, 2] = Q[..., 2, 1] = r[1, 0] + r[0, 1]
    Q[..., 1, 3] = Q[..., 3, 1] = r[0, 2] + r[2, 0]
    Q[..., 2, 3] = Q[..., 3, 2] = r[2, 1] + r[1, 2]
    largest = np.argmax(np.diagonal(Q, axis1=-2, axis2=-1), axis=-1)
    q = np.take_along_axis(Q, largest[..., None, None], axis=-2)[..., 0, :]
    q /= np.linalg.norm(q, axis=-1, keepdims=True)
    return np.where(q[..., :1] < 0, -q, q)


def quaternion_product(p: ArrayLike, q: ArrayLike) -> np.ndarray:
    """p q, the rotation q followed by p: R(p q) = R(p) R(q)."""
    p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
    s, u, t, v = p[..., :1], p[..., 1:], q[..., :1], q[..., 1:]
    scalar = s * t - np.sum(u * v, axis=-1, keepdims=True)
    return np.concatenate((scalar, s * v + t * u + np.cross(u, v)), axis=-1)


def quaternion_conjugate(q: ArrayLike) -> np.ndarray:
    """The inverse rotation of a unit quaternion."""
    return np.asarray(q, dtype=float) * (1.0, -1.0, -1.0, -1.0)


def continuous_quaternions(q: ArrayLike) -> np.ndarray:
    """Choose the signs along a history q (time first, shape (n, ..., 4)) so that it does not jump.

    The first sign is kept; each later one is the nearer of q and −q to its predecessor. The samples must be
    less than half a turn apart.
    """
    q = np.asarray(q, dtype=float)
    step = np.sum(q[1:] * q[:-1], axis=-1, keepdims=True)
    sign = np.where(step < 0, -1.0, 1.0)
    return np.concatenate((q[:1], np.cumprod(sign, axis=0) * q[1:]))
