"""The kinematics of many joints at once, in NumPy: the rows of `pose_constraint`, the coordinates of `flexor.coordinates`.

Putting a model together and finding what is redundant evaluates all joints some dozen times, before anything is compiled: in
plain Python each takes some 300 µs by its law, here 2 µs where there are many. That is all this twin is for; tests compare it with
the laws and with `flexor.coordinates.measure`, for every kind of joint and of measure.

A row is one scalar equation between two nodes a and b; `of` says for each row which pair of markers it belongs to.
Gradients are with respect to (x_a, θ_a, x_b, θ_b), one line of twelve for each row; the rate of a row is its gradient
times the velocities of the nodes, since no row here depends on time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexor.coordinates.angle import TINY
from flexor.coordinates.measure import ANGLE, LENGTH, MIDDLE, TRANSLATION, VECTOR
from flexor.spatial import cross, log_so3, stacked, tangent_inverse


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
            stacked(p_a, 3),
            stacked(R_a, 3, 3),
            stacked(p_b, 3),
            stacked(R_b, 3, 3),
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


def perpendicular_rows(f: Frames, of: np.ndarray, i: np.ndarray, j: np.ndarray, bisects: np.ndarray) -> Values:
    """A_i · B_j; where it bisects, less A_j · B_i"""
    A, B = f.A[of, :, i], f.B[of, :, j]
    value, turning = np.sum(A * B, axis=1), cross(A, B)
    if bisects.any():
        A, B = f.A[of, :, j], f.B[of, :, i]
        value = value - bisects * np.sum(A * B, axis=1)
        turning = turning - bisects[:, None] * cross(A, B)
    return value, _spin(turning)


def variable_rows(f: Frames, of: np.ndarray, measures: np.ndarray) -> Values:
    """Coordinates by their measures, an array (m,) of `Measure.dtype()`; angles lie in [−π, π]."""
    q, G = np.empty(len(of)), np.empty((len(of), 12))
    kind = measures["kind"]
    slides, lengths = np.flatnonzero(kind == TRANSLATION), np.flatnonzero(kind == LENGTH)
    turns = np.flatnonzero((kind == ANGLE) | (kind == MIDDLE))
    q[slides], G[slides] = point_rows(f, of[slides], measures["n_a"][slides], np.zeros(len(slides), dtype=bool))
    q[lengths], G[lengths] = length_rows(f, of[lengths])
    vectors = np.flatnonzero(kind == VECTOR)
    q[turns], G[turns] = _angles(f, of[turns], measures[turns])
    q[vectors], G[vectors] = _components(f, of[vectors], measures["n_a"][vectors])
    return q, G


def _angles(f: Frames, of: np.ndarray, m: np.ndarray) -> Values:
    """As `sine_and_cosine` of `flexor.coordinates.angle`."""
    A, B = f.A[of, :, m["n_a"]], f.B[of, :, m["n_b"]]
    n, h_n = m["n_sign"] * np.sum(A * B, axis=1), m["n_sign"][:, None] * cross(A, B)
    middle = m["kind"] == MIDDLE
    A, B = f.A[of, :, m["c_a"]], f.B[of, :, m["c_b"]]
    c = np.where(middle, np.sqrt(np.maximum(1.0 - n * n, TINY)), m["c_sign"] * np.sum(A * B, axis=1))
    h_c = m["c_sign"][:, None] * cross(A, B)
    both = (c[:, None] * h_n - n[:, None] * h_c) / np.maximum(n * n + c * c, TINY)[:, None]
    return np.arctan2(n, c), _spin(np.where(middle[:, None], h_n / c[:, None], both))


def _components(f: Frames, of: np.ndarray, axis: np.ndarray) -> Values:
    """As `flexor.coordinates.rotation`: ψ_i and h = −A H⁻ᵀ e_i."""
    A, every = f.A[of], np.arange(len(of))
    psi = log_so3(np.swapaxes(A, 1, 2) @ f.B[of])
    k = tangent_inverse(psi)[every, axis, :]
    return psi[every, axis], _spin(-(A @ k[..., None])[..., 0])


def length_rows(f: Frames, of: np.ndarray) -> Values:
    """|d|; not a number where the points coincide."""
    d = f.d[of]
    length = np.linalg.norm(d, axis=1)
    return length, _pair(d / length[:, None], f.s_a[of], f.s_b[of])


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
