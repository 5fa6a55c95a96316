"""Cam: its profile on A, the roller or the point that follows on B."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexor.joints.cam_law import Piece, point_and_tangent
from flexor.joints.profile import Profile
from flexor.spatial import triad
from flexor.viewer.glyphs.glyph import AXIS, METAL, Glyph, Items
from flexor.viewer.primitive import points_of, primitive, sign

POINTS = 12
"""Of every piece of the curve."""


def draw(item: Any, items: Items) -> Glyph:
    R = triad(item.axis)
    line = along(item.profile)
    shown = primitive("curve", (), (0, 0, 0), R, end=0, points=points_of(line), closed=item.profile.closed, color=METAL)
    if item.radius > 0:
        roller = primitive("ring", (item.radius, 0.04 * item.radius), (0, 0, 0), R, end=1, color=AXIS)
        disc = primitive("cylinder", (0.9 * item.radius, 0.2 * item.radius), (0, 0, 0), R, end=1, color=AXIS)
        return Glyph((shown, roller, disc))
    return Glyph((shown, sign("sphere", 0.25, end=1, color=AXIS)))


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
