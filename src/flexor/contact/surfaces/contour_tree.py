"""A tree of circles around the pieces of a contour, in halves of it, so that what is far from a point need not be looked at.

Nodes stand one after the other from the root down; each tells the node behind all that is below it, to which a search goes on where its circle is too far away.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from flexor.coordinates.curve import Piece, point_and_tangent

NODE = 5
"""Numbers of a node: circle around its pieces (3), the node behind all below it, its piece or −1."""
STEPS = 32
"""Places of a piece by which its circle is found."""
ROOM = 1e-9
"""By how much circles around others are larger, for rounding."""
Circle: TypeAlias = tuple[float, float, float]
"""Centre and radius."""


def _circle(of: Piece) -> Circle:
    """Centre and radius of a circle around a piece, with some room for what is between the places that were looked at."""
    at = np.array([point_and_tangent(of, s)[:2] for s in np.linspace(0.0, of.end, STEPS + 1)])
    center = 0.5 * (at.min(axis=0) + at.max(axis=0))
    step = np.linalg.norm(np.diff(at, axis=0), axis=1).max()
    return center[0], center[1], float(np.linalg.norm(at - center, axis=1).max() + 0.5 * step)


def tree_of(pieces: Sequence[Piece]) -> np.ndarray:
    """Nodes of the tree, (2 n − 1, NODE)."""
    circles = [_circle(piece) for piece in pieces]
    nodes: list[list[float]] = []

    def grow(first: int, end: int) -> Circle:
        at = len(nodes)
        nodes.append([])
        if end - first == 1:
            around, piece = circles[first], first
        else:
            middle, piece = (first + end) // 2, -1
            around = _around(grow(first, middle), grow(middle, end))
        nodes[at] = [*around, len(nodes), piece]
        return around

    grow(0, len(circles))
    return np.array(nodes)


def _around(one: Circle, other: Circle) -> Circle:
    """The least circle around two others."""
    if other[2] > one[2]:
        one, other = other, one
    x, y = other[0] - one[0], other[1] - one[1]
    off = float(np.hypot(x, y))
    if off + other[2] <= one[2]:
        return one
    radius = 0.5 * (off + one[2] + other[2])
    share = (radius - one[2]) / off
    return one[0] + share * x, one[1] + share * y, radius * (1.0 + ROOM)
