"""Spherical joint: a ball on B in a cup on A."""

from __future__ import annotations

from flexor.declaration import Item
from flexor.viewer.glyphs.glyph import AXIS, METAL, Glyph, Items, joint_glyph
from flexor.viewer.primitive import sign


def draw(item: Item, items: Items) -> Glyph:
    return joint_glyph(
        sign("sphere", 0.5, end=1, color=AXIS),
        sign("ring", 0.55, 0.14, color=METAL),
        sign("ring", 0.55, 0.14, axis="x", color=METAL),
    )
