"""Free joint, which only measures: the frames on A and B, and a thin line between them."""

from __future__ import annotations

from flexor.declaration import Item
from flexor.viewer.glyphs.glyph import METAL, Glyph, Items, joint_glyph
from flexor.viewer.primitive import between, sign


def draw(item: Item, items: Items) -> Glyph:
    return joint_glyph(
        sign("frame", 1.2),
        sign("frame", 0.8, end=1),
        between("line", color=METAL),
    )
