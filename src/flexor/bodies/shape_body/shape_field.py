"""Displacement, rotation, strain and stress anywhere in a body of shape functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from flexor.bodies.shape_body.series import ShapeSeries
from flexor.errors import ModelError, Problem
from flexor.spatial import Pose, skew

BATCH = 512
"""Points that are evaluated together."""
OFF = 1e-3
"""Distance from the body, in parts of its size, up to which a point is on it."""


@dataclass(frozen=True, eq=False)
class ShapeField:
    """Shapes V (size, m) of the products of a series, less the rigid motions (6, m) at `center`, in the axes X_BG of the series.

    stiffness: 6×6 from strain to stress in the axes of the coordinates [Pa].
    """

    series: ShapeSeries
    V: np.ndarray
    rigid: np.ndarray
    center: np.ndarray
    pose: Pose
    stiffness: np.ndarray

    @property
    def size(self) -> int:
        """Number of shapes m."""
        return int(self.V.shape[1])

    @property
    def com(self) -> np.ndarray:
        """(3,) centre of mass in the axes of the body [m]."""
        return self.pose.apply(self.center)

    def displacement(self, points: ArrayLike) -> np.ndarray:
        """(Q, 3, m) of points (Q, 3) of the body [m], in its axes."""
        x = self._local(points)
        found = self._sums(self.series.displacement, x)
        found -= self.rigid[:3] - np.array([skew(d) @ self.rigid[3:] for d in x - self.center])  # t + θ × d
        return np.einsum("ij,qjm->qim", self.pose.R, found)

    def rotation(self, points: ArrayLike) -> np.ndarray:
        """(Q, 3, m) ½ ∇ × u [rad]."""
        x = self._local(points)

        def turned(points: np.ndarray) -> np.ndarray:
            found, axes = self._sums(self.series.rotation, points), self.series.axes(points)
            return found if axes is None else np.einsum("qij,qjm->qim", axes, found)

        return np.einsum("ij,qjm->qim", self.pose.R, self._all_round(turned, x) - self.rigid[3:])

    def motion_at(self, point: ArrayLike) -> np.ndarray:
        """(6, m) displacement and rotation of a point [m, rad]."""
        x = np.asarray(point, dtype=float)[None]
        return np.vstack([self.displacement(x)[0], self.rotation(x)[0]])

    def strain(self, points: ArrayLike) -> np.ndarray:
        """(Q, 6, m) xx, yy, zz, xy, yz, zx in the axes of the body, shear as γ = 2 ε; refused at points that are not in the body."""
        return self._tensor(points, np.eye(6), 0.5)

    def stress(self, points: ArrayLike) -> np.ndarray:
        """(Q, 6, m) the same of stress [Pa]."""
        return self._tensor(points, self.stiffness, 1.0)

    def _tensor(self, points: ArrayLike, by_strain: np.ndarray, shear: float) -> np.ndarray:
        def turned(points: np.ndarray) -> np.ndarray:
            local = np.einsum("ij,qjm->qim", by_strain, self._sums(self.series.strain, points))
            axes = self.series.axes(points)
            R = np.broadcast_to(self.pose.R, (len(points), 3, 3)) if axes is None else self.pose.R @ axes
            return np.einsum("qij,qjm->qim", _turning(R, shear), local)

        x = self._local(points)
        for number, point in enumerate(x):
            away = self.series.outside(point) if np.isfinite(point).all() else np.inf
            if away > OFF * self.series.extent:
                self._refuse(number, np.asarray(points, dtype=float).reshape(-1, 3)[number], away)
        return self._all_round(turned, x)

    def _refuse(self, number: int, point: np.ndarray, away: float) -> None:
        """A point that is not in the body."""
        where = f"point {number} of strain or stress, ({', '.join(f'{c:g}' for c in point)}) m"
        if not np.isfinite(away):
            raise ModelError(Problem(where, "it is no place", "its coordinates are not all numbers", "correct it"))
        why = "its shape functions are told inside of the body, and grow quickly outside"
        raise ModelError(
            Problem(where, f"it is {away:.3g} m off the body", why, "give points of the body, in its axes")
        )

    def _local(self, points: ArrayLike) -> np.ndarray:
        x = np.asarray(points, dtype=float).reshape(-1, 3)
        return (x - self.pose.p) @ self.pose.R

    def _sums(self, sums: tuple, points: np.ndarray) -> np.ndarray:
        parts = [self.series.sums(sums, points[i : i + BATCH], self.V) for i in range(0, len(points), BATCH)]
        return np.concatenate(parts) if parts else np.zeros((0, len(sums), self.size))

    def _all_round(self, value: Callable[[np.ndarray], np.ndarray], points: np.ndarray) -> np.ndarray:
        """Values at points; on an axis, where slopes depend on the side from which one comes, their mean."""
        found = value(points)
        for number, around in self.series.all_round(points):
            found[number] = value(around).mean(axis=0)
        return found

    def outside(self, point: ArrayLike) -> float:
        """How far a point of the body's axes is outside of the body [m]; 0 inside."""
        return self.series.outside(self._local(point)[0])


PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))


def _turning(R: np.ndarray, shear: float) -> np.ndarray:
    """(Q, 6, 6) components in fixed axes from those in axes R (Q, 3, 3); shear: tensor component per stored shear, ½ for γ."""
    T = np.zeros((len(R), 6, 6))
    for row, (i, j) in enumerate(PAIRS):
        out = 1.0 if row < 3 else 1 / shear
        for column, (k, l) in enumerate(PAIRS):
            own = R[:, i, k] * R[:, j, l]
            if column >= 3:
                own = shear * (own + R[:, i, l] * R[:, j, k])
            T[:, row, column] = out * own
    return T
