"""Two parameters of a surface, over which a pressure can be mapped: angle and height of a cylinder, arc length and height of a cam, …"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from flexor.bodies.shape import Cone, Cylinder, Extruded, Plane, Revolved, Sphere, Torus
from flexor.contact.surfaces.contour import profile_of

TURN = 2.0 * np.pi
SMALL = 1e-6
"""Change of a parameter by which directions are found: of an angle [rad], of a length in parts of the size."""


@dataclass(frozen=True)
class Chart:
    """Parameters (s, t) of a surface, in whose directions it is orthogonal.

    names, units: of both.   periods: after which they return, or infinity.
    of(points) → s, t;  at(s, t) → points (…, 3) [m], in the axes of the surface.   scales: for steps of differences.
    """

    names: tuple[str, str]
    units: tuple[str, str]
    periods: tuple[float, float]
    of: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
    at: Callable[[np.ndarray, np.ndarray], np.ndarray]
    scales: tuple[float, float]

    def tangents(self, s: np.ndarray, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """∂x/∂s, ∂x/∂t (…, 3)"""
        d, e = SMALL * self.scales[0], SMALL * self.scales[1]
        along = (self.at(s + d, t) - self.at(s - d, t)) / (2 * d)
        return along, (self.at(s, t + e) - self.at(s, t - e)) / (2 * e)


def chart_of(shape: Any, toward: np.ndarray) -> Chart | None:
    """The chart of a shape; toward: a mean direction from its centre to what is mapped, in its axes. None if it has none."""
    make = CHARTS.get(type(shape))
    return None if make is None else make(shape, toward)


def _plane(shape: Plane, toward: np.ndarray) -> Chart:
    return Chart(
        ("x", "y"),
        ("m", "m"),
        (np.inf, np.inf),
        lambda y: (y[..., 0], y[..., 1]),
        lambda s, t: np.stack(np.broadcast_arrays(s, t, 0.0), axis=-1),
        (shape.size, shape.size),
    )


def _sphere(shape: Sphere, toward: np.ndarray) -> Chart:
    """Longitude and latitude about the point that it is mapped around: its poles are far away."""
    x = toward / max(float(np.linalg.norm(toward)), 1e-300)
    x = x if np.linalg.norm(x) > 0.5 else np.array([1.0, 0.0, 0.0])
    z = np.eye(3)[int(np.argmin(np.abs(x)))]
    y = np.cross(z, x) / np.linalg.norm(np.cross(z, x))
    Q = np.array([x, y, np.cross(x, y)])

    def of(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        u = points @ Q.T
        return np.arctan2(u[..., 1], u[..., 0]), np.arctan2(u[..., 2], np.hypot(u[..., 0], u[..., 1]))

    def at(s: np.ndarray, t: np.ndarray) -> np.ndarray:
        s, t = np.broadcast_arrays(s, t)
        return shape.radius * np.stack([np.cos(t) * np.cos(s), np.cos(t) * np.sin(s), np.sin(t)], axis=-1) @ Q

    return Chart(("longitude", "latitude"), ("rad", "rad"), (TURN, np.inf), of, at, (1.0, 1.0))


def _cylinder(shape: Cylinder, toward: np.ndarray) -> Chart:
    def at(s: np.ndarray, t: np.ndarray) -> np.ndarray:
        s, t = np.broadcast_arrays(s, t)
        return np.stack([shape.radius * np.cos(s), shape.radius * np.sin(s), t], axis=-1)

    return Chart(("angle", "height"), ("rad", "m"), (TURN, np.inf), _round, at, (1.0, shape.length))


def _round(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return np.arctan2(y[..., 1], y[..., 0]), y[..., 2]


def _torus(shape: Torus, toward: np.ndarray) -> Chart:
    def of(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return _round(y)[0], np.arctan2(y[..., 2], np.hypot(y[..., 0], y[..., 1]) - shape.ring)

    def at(s: np.ndarray, t: np.ndarray) -> np.ndarray:
        s, t = np.broadcast_arrays(s, t)
        rho = shape.ring + shape.radius * np.cos(t)
        return np.stack([rho * np.cos(s), rho * np.sin(s), shape.radius * np.sin(t)], axis=-1)

    return Chart(("angle", "angle in the section"), ("rad", "rad"), (TURN, TURN), of, at, (1.0, 1.0))


class _Line:
    """A plane curve in small steps, by its arc length."""

    def __init__(self, points: np.ndarray, closed: bool) -> None:
        points = np.vstack([points, points[:1]]) if closed else points
        steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
        kept = np.append(True, steps > 1e-12 * steps.sum())
        self.points = points[kept]
        self.length = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(self.points, axis=0), axis=1)))

    def of(self, y: np.ndarray) -> np.ndarray:
        """Arc length of the nearest point."""
        a, d = self.points[:-1], np.diff(self.points, axis=0)
        h = np.linalg.norm(d, axis=1)
        flat = np.reshape(y, (-1, 1, 2))
        share = np.clip(np.sum((flat - a) * d, axis=2) / h**2, 0.0, 1.0)
        nearest = np.argmin(np.linalg.norm(a + share[..., None] * d - flat, axis=2), axis=1)
        rows = np.arange(len(flat))
        return (self.length[nearest] + share[rows, nearest] * h[nearest]).reshape(y.shape[:-1])

    def at(self, s: np.ndarray) -> np.ndarray:
        return np.stack([np.interp(s, self.length, self.points[:, i]) for i in (0, 1)], axis=-1)


def _revolved(shape: Cone | Revolved, toward: np.ndarray) -> Chart:
    profile = profile_of(shape)
    line = _Line(profile.trace.points, profile.closed)

    def of(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return _round(y)[0], line.of(np.stack([np.hypot(y[..., 0], y[..., 1]), y[..., 2]], axis=-1))

    def at(s: np.ndarray, t: np.ndarray) -> np.ndarray:
        s, t = np.broadcast_arrays(s, t)
        c = line.at(t)
        return np.stack([c[..., 0] * np.cos(s), c[..., 0] * np.sin(s), c[..., 1]], axis=-1)

    along = float(line.length[-1])
    return Chart(("angle", "along the profile"), ("rad", "m"), (TURN, np.inf), of, at, (1.0, along))


def _extruded(shape: Extruded, toward: np.ndarray) -> Chart:
    line = _Line(shape.profile.trace.points, shape.profile.closed)

    def at(s: np.ndarray, t: np.ndarray) -> np.ndarray:
        s, t = np.broadcast_arrays(s, t)
        c = line.at(np.mod(s, line.length[-1]) if shape.profile.closed else s)
        return np.stack([c[..., 0], c[..., 1], t], axis=-1)

    along = float(line.length[-1])
    return Chart(
        ("along the profile", "height"),
        ("m", "m"),
        (along if shape.profile.closed else np.inf, np.inf),
        lambda y: (line.of(y[..., :2]), y[..., 2]),
        at,
        (along, shape.length),
    )


CHARTS: dict[type, Callable[[Any, np.ndarray], Chart]] = {
    Plane: _plane,
    Sphere: _sphere,
    Cylinder: _cylinder,
    Torus: _torus,
    Cone: _revolved,
    Revolved: _revolved,
    Extruded: _extruded,
}
"""Surfaces with two parameters; boxes and triangulated ones have none."""
