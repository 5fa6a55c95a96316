"""The kinematics of many joints at once, in NumPy: the rows of `pose_constraint`, the variables of `variable`, rods.

A row is one scalar equation between two nodes a and b; `of` says for each row which pair of markers it belongs to.
Gradients are with respect to (x_a, θ_a, x_b, θ_b), one line of twelve for each row; the rate of a row is its gradient
times the velocities of the nodes, since no row here depends on time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexor.coordinates.measure import MIDDLE, TRANSLATION
from flexor.spatial import cross


@dataclass(frozen=True)
class Frames:
    """Pairs of markers in global axes: arms from their nodes, axes (columns), and d = p_B − p_A."""

    s_a: np.ndarray
    s_b: np.ndarray
    A: np.ndarray
    B: np.ndarray
    d: np.ndarray


@dataclass(frozen=True)
class Markers:
    """Pairs of markers: numbers of their nodes (n,), positions (n, 3) and orientations (n, 3, 3) in the nodes' axes."""

    a: np.ndarray
    b: np.ndarray
    p_a: np.ndarray
    R_a: np.ndarray
    p_b: np.ndarray
    R_b: np.ndarray

    @classmethod
    def of(cls, ends: Sequence[tuple[int, np.ndarray, np.ndarray, int, np.ndarray, np.ndarray]]) -> Markers:
        """From (a, p_a, R_a, b, p_b, R_b) of each pair."""
        a, p_a, R_a, b, p_b, R_b = zip(*ends) if ends else ((),) * 6
        return cls(
            np.array(a, dtype=int),
            np.array(b, dtype=int),
            np.array(p_a, dtype=float).reshape(-1, 3),
            np.array(R_a, dtype=float).reshape(-1, 3, 3),
            np.array(p_b, dtype=float).reshape(-1, 3),
            np.array(R_b, dtype=float).reshape(-1, 3, 3),
        )

    def frames(self, x: np.ndarray, R: np.ndarray) -> Frames:
        """Where the nodes have the positions x (nodes, 3) and orientations R (nodes, 3, 3)."""
        R_a, R_b = R[self.a], R[self.b]
        s_a, s_b = (R_a @ self.p_a[..., None])[..., 0], (R_b @ self.p_b[..., None])[..., 0]
        return Frames(s_a, s_b, R_a @ self.R_a, R_b @ self.R_b, x[self.b] + s_b - x[self.a] - s_a)

    def nodes(self, of: np.ndarray) -> np.ndarray:
        """The two nodes of each row."""
        return np.stack([self.a[of], self.b[of]], axis=1)


Values = tuple[np.ndarray, np.ndarray]
"""Values of rows (m,) and their gradients (m, 12)."""


def point_rows(f: Frames, of: np.ndarray, axis: np.ndarray, fixed: np.ndarray) -> Values:
    """A_i · d; where `fixed`, d along a global axis."""
    still = fixed[:, None]
    u = np.where(still, np.eye(3)[axis], f.A[of, :, axis])
    d = f.d[of]
    return np.sum(u * d, axis=1), _pair(u, f.s_a[of] + np.where(still, 0.0, d), f.s_b[of])


def perpendicular_rows(f: Frames, of: np.ndarray, i: np.ndarray, j: np.ndarray) -> Values:
    """A_i · B_j"""
    A, B = f.A[of, :, i], f.B[of, :, j]
    return np.sum(A * B, axis=1), _spin(cross(A, B))


def variable_rows(f: Frames, of: np.ndarray, pattern: np.ndarray) -> Values:
    """Joint variables of the given patterns (m, 7); angles lie in [−π, π]."""
    sliding = pattern[:, 0] == TRANSLATION
    q, G = np.empty(len(of)), np.empty((len(of), 12))
    slides, turns = np.flatnonzero(sliding), np.flatnonzero(~sliding)
    q[slides], G[slides] = point_rows(f, of[slides], pattern[slides, 2], np.zeros(len(slides), dtype=bool))
    q[turns], G[turns] = _angles(f, of[turns], pattern[turns])
    return q, G


def _angles(f: Frames, of: np.ndarray, pattern: np.ndarray) -> Values:
    """As `variable.angle_and_gradient`."""
    kind, s_n, i_n, j_n, s_c, i_c, j_c = pattern.T
    A, B = f.A[of, :, i_n], f.B[of, :, j_n]
    n, h_n = s_n * np.sum(A * B, axis=1), s_n[:, None] * cross(A, B)
    middle = kind == MIDDLE
    A, B = f.A[of, :, i_c], f.B[of, :, j_c]
    c = np.where(middle, np.sqrt(np.maximum(1.0 - n * n, 1e-24)), s_c * np.sum(A * B, axis=1))
    h_c = s_c[:, None] * cross(A, B)
    both = (c[:, None] * h_n - n[:, None] * h_c) / np.maximum(n * n + c * c, 1e-24)[:, None]
    return np.arctan2(n, c), _spin(np.where(middle[:, None], h_n / c[:, None], both))


def length_rows(f: Frames) -> Values:
    """|d|, one row for each pair of markers; not a number where they coincide."""
    length = np.linalg.norm(f.d, axis=1)
    return length, _pair(f.d / length[:, None], f.s_a, f.s_b)


def turned_frames(axes: np.ndarray, angles: np.ndarray) -> np.ndarray:
    """Products of rotations about successive follower axes: numbers of the axes and angles (n, k) → (n, 3, 3)."""
    R = np.broadcast_to(np.eye(3), (len(axes), 3, 3)).copy()
    every = np.arange(len(axes))
    for i, angle in zip(axes.T, angles.T):
        j, k = (i + 1) % 3, (i + 2) % 3
        cos, sin = np.cos(angle)[:, None], np.sin(angle)[:, None]
        R_j, R_k = R[every, :, j], R[every, :, k]
        R[every, :, j] = cos * R_j + sin * R_k
        R[every, :, k] = cos * R_k - sin * R_j
    return R


def _pair(u: np.ndarray, arm_a: np.ndarray, arm_b: np.ndarray) -> np.ndarray:
    return np.concatenate([-u, -cross(arm_a, u), u, cross(arm_b, u)], axis=1)


def _spin(h: np.ndarray) -> np.ndarray:
    none = np.zeros_like(h)
    return np.concatenate([none, h, none, -h], axis=1)
