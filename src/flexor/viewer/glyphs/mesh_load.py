"""Load on a mesh: arrows at its body."""

from __future__ import annotations

from typing import Any

from flexor.viewer.glyphs.glyph import LOAD, Glyph, Items
from flexor.viewer.primitive import sign


def draw(item: Any, items: Items) -> Glyph:
    return Glyph((sign("arrow", 1.4, color=LOAD), sign("arrow", 1.4, at=(0.5, 0, 0), color=LOAD)))
