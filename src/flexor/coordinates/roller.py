"""How large a roller may be that touches a plane curve in one point.

A circle that touches the curve at c, on the side of its normal n, has the point q of the curve inside if its radius is larger than

    ρ_q = |q − c|²/(2 n·(q − c)),   n·(q − c) > 0,

and for q → c larger than the radius of curvature 1/|κ|, if the curve is concave there. A larger roller cannot come to c: it rests on
two other places at once, and the path of its centre is undercut.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexor.coordinates.profile_pieces import Trace

MOST = 2000
"""Places along a curve from which all others are looked at; between them its curvature alone tells."""
SHALLOW = 2e-3
"""Angle from the tangent towards a point [rad], below which the point tells nothing of how the curve bends."""


@dataclass(frozen=True, eq=False)
class Room:
    """The largest roller at each of many places along a curve."""

    points: np.ndarray
    """(n, 2) [m]"""
    weights: np.ndarray
    """Part of the curve's length that each stands for."""
    radius: np.ndarray
    """Of the largest roller that touches the curve there and nowhere else [m]; infinite where any does."""
    other: np.ndarray
    """(n, 2), where it touches the curve, too [m]; where it touches in one point, that."""

    @property
    def largest(self) -> float:
        """Radius above which no roller touches the curve anywhere [m]."""
        return float(self.radius.max())

    def out_of_reach(self, radius: float) -> float:
        """Part of the curve's length that a roller does not come to."""
        return float(self.weights[self._narrow(radius)].sum())

    def narrowest(self) -> tuple[float, np.ndarray, np.ndarray]:
        """Radius of the largest roller that comes everywhere, where it is held up, and where it touches, too."""
        i = int(np.argmin(self.radius))
        return float(self.radius[i]), self.points[i], self.other[i]

    def _narrow(self, radius: float) -> np.ndarray:
        return self.radius < radius * (1.0 + 1e-6)


def room(line: Trace, side: float) -> Room:
    """Of a curve; side: 1 to the left of its direction, −1 to the right."""
    normals = side * np.column_stack([-line.tangents[:, 1], line.tangents[:, 0]])
    concave = np.maximum(side * line.curvature, 0.0)
    with np.errstate(divide="ignore"):
        radius = 1.0 / concave
    other = line.points.copy()
    least = 1e-12 * float(np.linalg.norm(np.ptp(line.points, axis=0)))
    for k in range(0, len(line.s), 1 + len(line.s) // MOST):
        c, n = line.points[k], normals[k]
        away = line.points - c
        square, towards = np.sum(away * away, axis=1), away @ n
        seen = np.flatnonzero(towards > np.maximum(SHALLOW * np.sqrt(square), least))
        if len(seen):
            circles = square[seen] / (2.0 * towards[seen])
            best = int(np.argmin(circles))
            if circles[best] < radius[k]:
                radius[k], other[k] = circles[best], line.points[seen[best]]
    weights = 0.5 * (line.lengths + np.roll(line.lengths, 1))
    return Room(line.points, weights / weights.sum(), radius, other)
