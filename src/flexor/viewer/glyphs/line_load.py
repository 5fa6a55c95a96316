"""Load along a beam: a row of arrows in its direction."""

from __future__ import annotations

from typing import Any

from flexor.spatial import triad
from flexor.viewer.glyphs.glyph import LOAD, Glyph, Items
from flexor.viewer.primitive import primitive


def draw(item: Any, items: Items) -> Glyph:
    R = triad(item.direction)
    row = [primitive("arrow", (1.4,), (0.6 * i, 0, 0), R, end=0, relative=True, color=LOAD) for i in range(3)]
    return Glyph(tuple(row))
