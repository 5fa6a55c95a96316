"""Planar joint: a plate on A across z, a foot on B."""

from __future__ import annotations

from flexor.declaration import Item
from flexor.viewer.glyphs.glyph import AXIS, METAL, Glyph, Items, joint_glyph
from flexor.viewer.primitive import sign


def draw(item: Item, items: Items) -> Glyph:
    return joint_glyph(
        sign("plane", 3.0, 3.0, color=AXIS),
        sign("cylinder", 0.5, 0.3, end=1, color=METAL),
        sign("arrow", 1.6, axis="x", color=METAL),
        sign("arrow", 1.6, axis="y", color=METAL),
    )
