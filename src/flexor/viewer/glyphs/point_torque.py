"""Torque on a body: an arrow along its axis with two heads."""

from __future__ import annotations

from typing import Any

from flexor.spatial import direction
from flexor.viewer.glyphs.glyph import LOAD, Arrow, Glyph, Items
from flexor.viewer.primitive import sign


def draw(item: Any, items: Items) -> Glyph:
    d = direction(item.direction)
    arrow = Arrow(("torque",), "torque", axes=0 if item.follows else None, direction=(d[0], d[1], d[2]))
    return Glyph((sign("ring", 0.4, 0.08, color=LOAD),), (arrow,))
