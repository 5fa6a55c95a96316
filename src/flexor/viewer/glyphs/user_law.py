"""A user's own law: a frame at every end."""

from __future__ import annotations

from typing import Any

from flexor.viewer.glyphs.glyph import LOAD, Glyph, Items
from flexor.viewer.primitive import sign


def draw(item: Any, items: Items) -> Glyph:
    return Glyph((sign("frame", 1.0), sign("sphere", 0.2, color=LOAD)))
