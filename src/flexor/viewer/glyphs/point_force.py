"""Force at a point: an arrow that grows with it."""

from __future__ import annotations

from typing import Any

from flexor.spatial import direction
from flexor.viewer.glyphs.glyph import LOAD, Arrow, Glyph, Items
from flexor.viewer.primitive import sign


def draw(item: Any, items: Items) -> Glyph:
    d = direction(item.direction)
    arrow = Arrow(("force",), "force", axes=0 if item.follows else None, direction=(d[0], d[1], d[2]))
    return Glyph((sign("sphere", 0.2, color=LOAD),), (arrow,))
