"""Block of a control system: a small box where the sensor reads that its input comes from; it has no place of its own."""

from __future__ import annotations

from typing import Any

from flexor.viewer.glyphs.glyph import WATCH, Glyph, Items
from flexor.viewer.primitive import sign


def draw(item: Any, items: Items) -> Glyph:
    return Glyph((sign("box", 0.3, 0.2, 0.2, at=(0, 0, 1.1), color=WATCH),))
