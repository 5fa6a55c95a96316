"""Point on a line: a rod on A along z, a ball on B."""

from __future__ import annotations

from flexor.declaration import Item
from flexor.viewer.glyphs.glyph import AXIS, METAL, Glyph, Items, joint_glyph
from flexor.viewer.primitive import sign


def draw(item: Item, items: Items) -> Glyph:
    return joint_glyph(
        sign("cylinder", 0.12, 3.0, color=AXIS),
        sign("sphere", 0.4, end=1, color=METAL),
    )
