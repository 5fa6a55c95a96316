"""Added mass: a ball with three rings."""

from __future__ import annotations

from typing import Any

from flexor.viewer.glyphs.glyph import METAL, Glyph, Items
from flexor.viewer.primitive import sign


def draw(item: Any, items: Items) -> Glyph:
    rings = [sign("ring", 0.5, 0.06, axis=axis, color=METAL) for axis in "xyz"]
    return Glyph((sign("sphere", 0.4, color=METAL), *rings))
