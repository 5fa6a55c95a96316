"""Axial joint: a rod of varying length along z of A that holds the directions."""

from __future__ import annotations

from flexor.declaration import Item
from flexor.viewer.glyphs.glyph import AXIS, METAL, Glyph, Items, joint_glyph
from flexor.viewer.primitive import between, sign


def draw(item: Item, items: Items) -> Glyph:
    return joint_glyph(
        sign("cylinder", 0.3, 1.4, color=METAL),
        between("line", color=AXIS),
        sign("cylinder", 0.18, 1.4, end=1, color=AXIS),
    )
