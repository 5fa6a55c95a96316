"""Axes of elements and coordinate systems, many at a time; matrices hold the axes as columns, in global axes."""

from __future__ import annotations

import numpy as np

PARALLEL = 1e-6
"""Sine of the angle below which two directions count as one."""


def unit(v: np.ndarray) -> np.ndarray:
    """Vectors (…, 3) scaled to length 1; zero stays zero."""
    size = np.linalg.norm(v, axis=-1, keepdims=True)
    return np.divide(v, size, out=np.zeros_like(v, dtype=float), where=size > 0)


def from_x_and_y(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(m, 3, 3) axes with x along the first and y in the plane of both, and where that is impossible (parallel)."""
    x, y = np.broadcast_arrays(unit(np.asarray(x, float)), unit(np.asarray(y, float)))
    z = np.cross(x, y)
    impossible = np.linalg.norm(z, axis=-1) < PARALLEL
    z = unit(z)
    return np.stack([x, np.cross(z, x), z], axis=-1), impossible


def curvilinear(system: str, p: np.ndarray, R: np.ndarray, points: np.ndarray) -> np.ndarray:
    """(m, 3, 3) axes of a coordinate system with origin p and axes R at points (m, 3).

    "cylindrical": radial, tangential, axial; "spherical": radial, polar (away from z), azimuthal; else R everywhere.
    On the axis itself the radial direction is x.
    """
    if system not in ("cylindrical", "spherical"):
        return np.broadcast_to(R, (len(points), 3, 3))
    local = (points - p) @ R
    off_axis = np.hypot(local[:, 0], local[:, 1])
    on_axis = off_axis <= 1e-12 * max(np.abs(local).max(initial=0.0), 1e-300)
    c = np.where(on_axis, 1.0, local[:, 0] / np.where(on_axis, 1.0, off_axis))
    s = np.where(on_axis, 0.0, local[:, 1] / np.where(on_axis, 1.0, off_axis))
    zero, one = np.zeros_like(c), np.ones_like(c)
    if system == "cylindrical":
        axes = np.stack([np.stack([c, s, zero], -1), np.stack([-s, c, zero], -1), np.stack([zero, zero, one], -1)], -1)
        return R @ axes
    theta = np.arctan2(np.where(on_axis, 0.0, off_axis), local[:, 2])
    ct, st = np.cos(theta), np.sin(theta)
    radial, polar = np.stack([st * c, st * s, ct], -1), np.stack([ct * c, ct * s, -st], -1)
    return R @ np.stack([radial, polar, np.stack([-s, c, zero], -1)], -1)


def rectangular(system: str, coordinates: np.ndarray) -> np.ndarray:
    """Cartesian from (r, θ°, z) or (r, θ° from z, φ°) coordinates, in the same frame."""
    if system == "cylindrical":
        turn = np.radians(coordinates[:, 1])
        return np.stack([coordinates[:, 0] * np.cos(turn), coordinates[:, 0] * np.sin(turn), coordinates[:, 2]], axis=1)
    if system == "spherical":
        theta, phi = np.radians(coordinates[:, 1]), np.radians(coordinates[:, 2])
        across = coordinates[:, 0] * np.sin(theta)
        return np.stack([across * np.cos(phi), across * np.sin(phi), coordinates[:, 0] * np.cos(theta)], axis=1)
    return coordinates


def normals(X: np.ndarray) -> np.ndarray:
    """(m, 3) unit normals of triangles (m, 3, 3) or of the diagonals of quadrilaterals (m, 4, 3)."""
    if X.shape[1] == 3:
        return unit(np.cross(X[:, 1] - X[:, 0], X[:, 2] - X[:, 0]))
    return unit(np.cross(X[:, 2] - X[:, 0], X[:, 3] - X[:, 1]))


def in_plane(normal: np.ndarray, direction: np.ndarray) -> np.ndarray:
    """(m, 3, 3) axes with z along the normal and x along the projection of the direction onto the plane."""
    n, d = np.broadcast_arrays(normal, direction)
    x = unit(d - np.einsum("mi,mi->m", n, d)[:, None] * n)
    return np.stack([x, np.cross(n, x), n], axis=-1)


def turned(axes: np.ndarray, about: int, angle: np.ndarray | float) -> np.ndarray:
    """Axes turned about one of their own by an angle [rad]."""
    angle = np.broadcast_to(angle, (len(axes),))
    c, s = np.cos(angle)[:, None], np.sin(angle)[:, None]
    a, b = axes[..., (about + 1) % 3], axes[..., (about + 2) % 3]
    result = axes.copy()
    result[..., (about + 1) % 3], result[..., (about + 2) % 3] = c * a + s * b, c * b - s * a
    return result
