"""Triangles of curved shapes, for display: tori, cones, bodies of revolution, prisms."""

from __future__ import annotations

import numpy as np

from flexor.bodies import Cone, Extruded, Revolved, Torus
from flexor.coordinates.polygon import distinct, lid

AROUND = 64
"""Steps of a full turn."""
WALL = 0.15
"""Thickness of what is drawn behind an open profile of a prism, in parts of its extent."""

Mesh = tuple[np.ndarray, np.ndarray]
"""Points (n, 3) [m] and triangles (m, 3)."""


def torus(shape: Torus) -> Mesh:
    """The tube as a closed profile about the axis."""
    angle = np.linspace(0.0, 2.0 * np.pi, AROUND // 2, endpoint=False)
    section = np.column_stack([shape.ring + shape.radius * np.cos(angle), shape.radius * np.sin(angle)])
    return turned(section, closed=True)


def cone(shape: Cone) -> Mesh:
    """Its slope, and its ends unless it is hollow."""
    half = 0.5 * shape.length
    slope = [(shape.radius, -half), (shape.top, half)]
    return turned(np.array(slope if shape.inside else [(0.0, -half), *slope, (0.0, half)]), closed=False)


def revolved(shape: Revolved) -> Mesh:
    """Its profile about the axis, with the ends of an open one unless it is hollow."""
    points = shape.profile.trace.points
    if not shape.profile.closed and not shape.inside:
        points = np.array([(0.0, points[0, 1]), *points, (0.0, points[-1, 1])])
    return turned(points, closed=shape.profile.closed)


def turned(section: np.ndarray, closed: bool) -> Mesh:
    """Points (distance from the axis, height) turned about z."""
    section = distinct(section, closed)
    angle = np.linspace(0.0, 2.0 * np.pi, AROUND, endpoint=False)
    x, z = section.T
    points = np.stack([np.outer(np.cos(angle), x), np.outer(np.sin(angle), x), np.tile(z, (AROUND, 1))], axis=-1)
    n = len(section)
    i, j = (each.ravel() for each in np.meshgrid(np.arange(AROUND), np.arange(n if closed else n - 1), indexing="ij"))
    a, b, c, d = i * n + j, ((i + 1) % AROUND) * n + j, ((i + 1) % AROUND) * n + (j + 1) % n, i * n + (j + 1) % n
    return points.reshape(-1, 3), np.concatenate([np.column_stack([a, b, c]), np.column_stack([a, c, d])])


def extruded(shape: Extruded) -> Mesh:
    """A prism; behind an open profile a wall."""
    trace = shape.profile.trace
    section = distinct(trace.points, shape.profile.closed)
    if not shape.profile.closed:
        side = -1.0 if shape.inside else 1.0
        normals = np.column_stack([trace.tangents[:, 1], -trace.tangents[:, 0]])[[0, -1]]
        back = section[[-1, 0]] + WALL * side * np.ptp(section, axis=0).max() * normals[::-1]
        section = np.concatenate([section, back])
    half, n = 0.5 * shape.length, len(section)
    points = np.concatenate([np.column_stack([section, np.full(n, z)]) for z in (-half, half)])
    i = np.arange(n)
    j = (i + 1) % n
    sides = np.concatenate([np.column_stack([i, j, n + j]), np.column_stack([i, n + j, n + i])])
    ends = lid(section)
    return points, np.concatenate([sides, ends[:, ::-1], ends + n])
