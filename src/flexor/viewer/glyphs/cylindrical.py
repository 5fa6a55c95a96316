"""Cylindrical joint: a round bar on A along z, a sleeve on B."""

from __future__ import annotations

from flexor.declaration import Item
from flexor.viewer.glyphs.glyph import AXIS, METAL, Glyph, Items, joint_glyph
from flexor.viewer.primitive import sign


def draw(item: Item, items: Items) -> Glyph:
    return joint_glyph(
        sign("cylinder", 0.22, 3.0, color=AXIS),
        sign("cylinder", 0.45, 1.0, end=1, color=METAL),
    )
