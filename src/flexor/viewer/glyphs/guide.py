"""Guide: a line through its markers and a slider."""

from __future__ import annotations

from typing import Any

from flexor.viewer.glyphs.glyph import AXIS, METAL, Glyph, Items
from flexor.viewer.primitive import between, sign


def draw(item: Any, items: Items) -> Glyph:
    count = len(item.along)
    line = [between("line", ends=(i, i + 1), color=AXIS, width=0.12) for i in range(count - 1)]
    posts = [sign("sphere", 0.18, end=i, color=AXIS) for i in range(count)]
    return Glyph((*line, *posts, sign("sphere", 0.4, end=count, color=METAL)))
