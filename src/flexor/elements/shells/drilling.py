"""Rotation about the normal of a flat facet that stands for a piece of a curved shell.

A shell that bends without stretching turns by θ(x) whose change along the surface lies in the surface: dθ·n = 0. Seen
along the one normal nₑ of a facet it is not zero. With the tilt τ = n − nₑ of the true normal the edge from i to j shows

    (θ_j − θ_i)·nₑ = −(θ_j − θ_i)·τ_m ,   τ_m in the middle of the edge,

of the order of bending × L²/R, which the membrane would take for stretching and resist: 12/256 (L²/Rt)² times the
energy of bending. So the membrane is given d_i = θ_i·nₑ + c_i instead, where

    c_j − c_i = (θ_j − θ_i)·τ_m      (least squares around the facet)

Triangles of both orientations alternate over a mesh, and the mean rotation of their corners differs from that of the
facet by turns. There the mean of the c_i makes it that of the edges, which turn with their mean θ·nₑ and, by the
sagitta of their arc in the direction t, with Δθ·(Δτ + t t·Δτ)/12 besides. Quadrilaterals differ all alike and the
rotation of the nodes about the normal follows: the mean of their c_i is zero.
Only differences of rotations enter, so rigid motions stay free of strain; on a flat shell c = 0.
"""

from __future__ import annotations

import numpy as np


def drilling(xy: np.ndarray, z: np.ndarray, curvature: np.ndarray) -> np.ndarray:
    """(m, k, k, 2) operator from the rotations (θx, θy) of the nodes to c_i.

    xy: (m, k, 2) nodes in the plane, z: (m, k) their heights over it [m];  curvature: (m, 2, 2) in its axes [1/m].
    """
    k = xy.shape[1]
    along = np.roll(np.eye(k), 1, axis=1) - np.eye(k)  # differences over the edges
    middle = np.abs(along) / 2
    tilt = _tilt(xy, z, curvature)
    steps = along[:, :, None] * (middle @ tilt)[:, :, None, :]  # (θ_j − θ_i)·τ_m: (m, edge, node, 2)
    c = np.einsum("ie,meja->mija", np.linalg.pinv(along), steps)
    if k > 3:
        return c
    side, bent = along @ xy, along @ tilt
    t = side / np.linalg.norm(side, axis=2, keepdims=True)
    bent = bent + np.einsum("mea,mea->me", bent, t)[..., None] * t
    of_edges = along[:, :, None] * bent[:, :, None, :] / 12 - np.einsum("ei,mija->meja", middle, c)
    return c + np.einsum("me,meja->mja", _shares(t), of_edges)[:, None]


def _tilt(xy: np.ndarray, z: np.ndarray, C: np.ndarray) -> np.ndarray:
    """(m, k, 2) τ at the nodes: the slope C x − g of the parabola z = c + g·x − ½ xᵀCx through them."""
    steep = np.einsum("mab,mkb->mka", C, xy)
    height = z + np.einsum("mka,mka->mk", steep, xy) / 2
    level = np.concatenate([np.ones_like(xy[..., :1]), xy], axis=2)
    return steep - (np.linalg.pinv(level) @ height[..., None])[:, None, 1:, 0]


def _shares(t: np.ndarray) -> np.ndarray:
    """(m, 3) weights with which the rotations of the edges make that of a triangle, whatever its strain."""
    x, y = t[..., 0], t[..., 1]
    shear = np.stack([np.ones_like(x), x * x - y * y, 2 * x * y], axis=1)  # sum 1, and none of the strain's two shears
    return np.linalg.inv(shear)[:, :, 0]
