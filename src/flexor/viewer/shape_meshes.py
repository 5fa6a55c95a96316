"""Triangles of curved shapes, for display: tori, cones, bodies of revolution, prisms."""

from __future__ import annotations

import numpy as np

from flexor.bodies import Cone, Extruded, Revolved, Torus

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
    section = _distinct(section, closed)
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
    section = _distinct(trace.points, shape.profile.closed)
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
    lid = np.array(_lid(section), dtype=int).reshape(-1, 3)
    return points, np.concatenate([sides, lid[:, ::-1], lid + n])


def _distinct(points: np.ndarray, closed: bool) -> np.ndarray:
    """Without repeated points."""
    apart = np.linalg.norm(np.diff(points, axis=0), axis=1) > 1e-9 * np.abs(points).max()
    found = points[np.concatenate([[True], apart])]
    return found[:-1] if closed and np.linalg.norm(found[0] - found[-1]) <= 1e-9 * np.abs(points).max() else found


def _lid(section: np.ndarray) -> list[tuple[int, int, int]]:
    """Triangles of a polygon that does not cross itself, by cutting off ears; counter-clockwise as the polygon is."""
    left = list(range(len(section)))
    x, y = section.T
    if 0.5 * np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y) < 0.0:
        left.reverse()
    found: list[tuple[int, int, int]] = []
    while len(left) > 3:
        for place in range(len(left)):
            a, b, c = left[place - 1], left[place], left[(place + 1) % len(left)]
            others = section[[k for k in left if k not in (a, b, c)]]
            if _turn(section[a], section[b], section[c]) > 0.0 and not _any_inside(section[[a, b, c]], others):
                break
        else:
            place = 0  # nothing but flat ears is left
            a, b, c = left[-1], left[0], left[1]
        found.append((a, b, c))
        del left[place]
    return [*found, (left[0], left[1], left[2])]


def _turn(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> float:
    return float((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]))


def _any_inside(triangle: np.ndarray, points: np.ndarray) -> bool:
    inside = np.ones(len(points), dtype=bool)
    for a, b in zip(triangle, np.roll(triangle, -1, axis=0)):
        inside &= (b[0] - a[0]) * (points[:, 1] - a[1]) - (b[1] - a[1]) * (points[:, 0] - a[0]) >= 0.0
    return bool(inside.any())
