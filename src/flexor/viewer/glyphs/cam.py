"""Cam: its profile on A, the roller or the point that follows on B."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexor.coordinates.profile import Profile
from flexor.joints.cam_law import Piece, point_and_tangent
from flexor.spatial import triad
from flexor.viewer.glyphs.glyph import AXIS, METAL, Glyph, Items
from flexor.viewer.primitive import Primitive, points_of, primitive, sign

POINTS = 12
"""Of every piece of the curve."""
THICK = 0.12
"""Thickness of the plate in parts of its size."""


def draw(item: Any, items: Items) -> Glyph:
    R = triad(item.axis)
    line = along(item.profile)
    shown = [
        primitive("curve", (), (0, 0, 0), R, end=0, points=points_of(line), closed=item.profile.closed, color=METAL)
    ]
    shown.append(plate(line, item.profile.closed, R))
    if item.radius > 0:
        thick = max(0.2 * item.radius, THICK * float(np.ptp(line, axis=0).max()))
        shown.append(primitive("cylinder", (item.radius, thick), (0, 0, 0), R, end=1, color=AXIS))
    else:
        shown.append(sign("sphere", 0.25, end=1, color=AXIS))
    return Glyph(tuple(shown))


def plate(line: np.ndarray, closed: bool, R: np.ndarray) -> Primitive:
    """The curve as the edge of a plate; a closed one is filled from its middle."""
    n, half = len(line), THICK / 2 * float(np.ptp(line, axis=0).max()) * np.array([0.0, 0.0, 1.0])
    middle = line.mean(axis=0)
    vertices = np.concatenate([line - half, line + half, [middle - half, middle + half]])
    a = np.arange(n if closed else n - 1)
    b = (a + 1) % n
    wall = [np.stack([a, b, b + n], axis=1), np.stack([a, b + n, a + n], axis=1)]
    caps = (
        [np.stack([b, a, np.full(n, 2 * n)], axis=1), np.stack([a + n, b + n, np.full(n, 2 * n + 1)], axis=1)]
        if closed
        else []
    )
    arrays = {"vertices": vertices, "triangles": np.concatenate([*wall, *caps])}
    return primitive("surface", (), (0, 0, 0), R, end=0, color=METAL, arrays=arrays)


def along(profile: Profile) -> np.ndarray:
    """(n, 3) points along the curve [m]."""
    found = []
    for packed in profile.pieces():
        piece = Piece(packed.words)
        for s in np.linspace(0.0, piece.end, POINTS, endpoint=False):
            found.append(point_and_tangent(piece, float(s))[:2])
    if not profile.closed:
        found.append(point_and_tangent(piece, piece.end)[:2])
    return np.pad(np.array(found, dtype=float), ((0, 0), (0, 1)))
