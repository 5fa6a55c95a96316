"""Polygons in a plane: cut into triangles, for display and for contact; the convex one around points."""

from __future__ import annotations

import numpy as np


def distinct(points: np.ndarray, closed: bool) -> np.ndarray:
    """Points of a polygon without those that repeat the one before; of a closed one the last is not the first."""
    apart = np.linalg.norm(np.diff(points, axis=0), axis=1) > 1e-9 * np.abs(points).max()
    found = points[np.concatenate([[True], apart])]
    return found[:-1] if closed and np.linalg.norm(found[0] - found[-1]) <= 1e-9 * np.abs(points).max() else found


def area(section: np.ndarray) -> float:
    """Inside a polygon, positive where it runs counter-clockwise."""
    x, y = section.T
    return 0.5 * float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))


def hull(points: np.ndarray) -> np.ndarray:
    """Those of some points that are the corners of the smallest convex polygon around all, counter-clockwise."""
    ordered = np.unique(points, axis=0)
    if len(ordered) < 3:
        return ordered
    halves = []
    for row in (ordered, ordered[::-1]):
        half: list[np.ndarray] = []
        for point in row:
            while len(half) > 1 and _turn(half[-2], half[-1], point) <= 0.0:
                half.pop()
            half.append(point)
        halves += half[:-1]
    return np.array(halves)


def lid(section: np.ndarray) -> np.ndarray:
    """Triangles (m, 3) of a polygon that does not cross itself, by cutting off ears; counter-clockwise."""
    left = list(range(len(section)))
    if area(section) < 0.0:
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
    return np.array([*found, (left[0], left[1], left[2])], dtype=int)


def _turn(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> float:
    return float((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]))


def _any_inside(triangle: np.ndarray, points: np.ndarray) -> bool:
    inside = np.ones(len(points), dtype=bool)
    for a, b in zip(triangle, np.roll(triangle, -1, axis=0)):
        inside &= (b[0] - a[0]) * (points[:, 1] - a[1]) - (b[1] - a[1]) * (points[:, 0] - a[0]) >= 0.0
    return bool(inside.any())
