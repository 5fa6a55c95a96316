"""Distance rod: a bar with balls at both ends."""

from __future__ import annotations

from typing import Any

from flexor.viewer.glyphs.glyph import BETWEEN, METAL, Arrow, Glyph, Items
from flexor.viewer.primitive import between, sign


def draw(item: Any, items: Items) -> Glyph:
    arrow = Arrow(("force",), "reaction", at=1, direction=BETWEEN)  # compression is positive: it pushes B away
    bar = between("line", color=METAL, width=0.2)
    return Glyph((bar, sign("sphere", 0.3, color=METAL), sign("sphere", 0.3, end=1, color=METAL)), (arrow,))
