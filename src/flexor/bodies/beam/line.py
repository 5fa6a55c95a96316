"""The reference line of a beam: where its nodes are and how its sections stand at both ends of every element."""

from __future__ import annotations

from itertools import pairwise
from typing import Literal

import numpy as np

from flexor.spatial import exp_so3

Curve = Literal["polyline", "spline", "arc"]


class Line:
    """A curve by points: straight pieces with corners, a smooth spline, or one circular arc through three points."""

    def __init__(self, points: np.ndarray, curve: Curve) -> None:
        steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
        if len(points) < 2 or steps.min() <= 1e-12 * max(np.abs(points).max(), 1e-300):
            raise ValueError("two neighbouring points of it coincide; give different points")
        self.points, self.curve = points, curve
        if curve == "polyline":
            self.stations = np.concatenate([[0.0], np.cumsum(steps)])
        elif curve == "spline":
            from scipy.interpolate import CubicSpline

            # by chord length, then by arc length of the result
            self._spline = CubicSpline(np.concatenate([[0.0], np.cumsum(steps)]), points)
            knots = self._spline.x
            fine = np.unique(np.concatenate([np.linspace(a, b, 65) for a, b in pairwise(knots)]))
            speed = np.linalg.norm(self._spline(fine, 1), axis=1)
            middle = np.linalg.norm(self._spline((fine[1:] + fine[:-1]) / 2, 1), axis=1)
            pieces = np.diff(fine) / 6 * (speed[1:] + 4 * middle + speed[:-1])  # Simpson
            self._fine, self._arc = fine, np.concatenate([[0.0], np.cumsum(pieces)])
            self.stations = np.interp(knots, self._fine, self._arc)
        else:
            self._place_arc()
        self.length = float(self.stations[-1])

    def _place_arc(self) -> None:
        if len(self.points) != 3:
            raise ValueError("an arc needs three points; give its start, a point between and its end")
        a, b = self.points[1] - self.points[0], self.points[2] - self.points[0]
        normal = np.cross(a, b)
        square = normal @ normal
        if square < 1e-20 * (a @ a) * (b @ b):
            raise ValueError("the three points of its arc are on a line; choose curve: polyline")
        # circumcentre from the first point: ((a² b − b² a) × (a × b)) / (2 |a × b|²), up to sign
        to_center = np.cross((a @ a) * b - (b @ b) * a, normal) / (2 * square)
        self._center = self.points[0] + to_center
        self._radius = float(np.linalg.norm(to_center))
        e = -to_center / self._radius
        self._e, self._f = e, np.cross(normal / np.sqrt(square), e)
        angles = [np.arctan2((q - self._center) @ self._f, (q - self._center) @ self._e) for q in self.points]
        self.stations = self._radius * (np.array(angles) % (2 * np.pi))

    def at(self, s: np.ndarray, after: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Positions and unit tangents at arc lengths s; at a corner the tangent after it, or before it."""
        if self.curve == "polyline":
            x = np.stack([np.interp(s, self.stations, self.points[:, i]) for i in range(3)], axis=1)
            inside = np.where(after, 1e-9, -1e-9) * self.length
            piece = np.clip(np.searchsorted(self.stations, s + inside, side="right") - 1, 0, len(self.points) - 2)
            tangents = np.diff(self.points, axis=0)[piece]
        elif self.curve == "spline":
            parameter = np.interp(s, self._arc, self._fine)
            x, tangents = self._spline(parameter), self._spline(parameter, 1)
        else:
            angle = (s / self._radius)[:, None]
            x = self._center + self._radius * (np.cos(angle) * self._e + np.sin(angle) * self._f)
            tangents = -np.sin(angle) * self._e + np.cos(angle) * self._f
        return x, tangents / np.linalg.norm(tangents, axis=1, keepdims=True)

    def divide(self, elements: int, at_points: bool = False) -> np.ndarray:
        """Arc lengths of the nodes; a polyline has nodes at its corners, and any line at its points if asked."""
        if self.curve != "polyline" and not at_points:
            return np.linspace(0.0, self.length, elements + 1)
        pieces = np.diff(self.stations)
        if elements < len(pieces):
            raise ValueError(f"its line has {len(pieces)} pieces, each an element at least; raise divisions")
        count = np.ones(len(pieces), dtype=int)
        while count.sum() < elements:
            count[np.argmax(pieces / count)] += 1
        ends = [np.linspace(a, b, n + 1)[1:] for a, b, n in zip(self.stations, self.stations[1:], count)]
        return np.concatenate([[0.0], *ends])


def section_axes(tangents: np.ndarray, up: np.ndarray | None, angles: np.ndarray) -> np.ndarray:
    """(n, 3, 3) x along the beam, z as near to `up` as it can be, turned by the angles."""
    up = _upright(tangents) if up is None else up
    y = np.cross(up / np.linalg.norm(up), tangents)
    if (np.linalg.norm(y, axis=1) < 1e-6).any():
        raise ValueError("it points up itself somewhere; give a direction up that is across the beam everywhere")
    y /= np.linalg.norm(y, axis=1, keepdims=True)
    S = np.stack([tangents, y, np.cross(tangents, y)], axis=-1)
    return exp_so3(angles[:, None] * tangents) @ S


def _upright(tangents: np.ndarray) -> np.ndarray:
    """z; where the line comes near to it, the normal of the plane that the line is in, or −x for a line along z."""
    z = np.array([0.0, 0.0, 1.0])
    if np.linalg.norm(np.cross(tangents, z), axis=1).min() > 0.05:
        return z
    _, size, axes = np.linalg.svd(tangents)
    if size[1] < 1e-6 * size[0]:
        return np.sign(tangents[0, 2]) * np.array([-1.0, 0.0, 0.0])
    normal = axes[2]
    return normal * np.sign(normal[np.argmax(np.abs(normal))])
