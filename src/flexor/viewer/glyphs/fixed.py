"""Fixed joint: a block with a cross."""

from __future__ import annotations

from flexor.declaration import Item
from flexor.viewer.glyphs.glyph import METAL, Glyph, Items, joint_glyph
from flexor.viewer.primitive import sign


def draw(item: Item, items: Items) -> Glyph:
    return joint_glyph(
        sign("box", 0.7, 0.7, 0.7, color=METAL),
        sign("box", 1.1, 0.12, 0.12, color=METAL),
        sign("box", 0.12, 1.1, 0.12, color=METAL),
        sign("box", 0.12, 0.12, 1.1, color=METAL),
    )
