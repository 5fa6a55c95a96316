"""Prismatic joint: a rail on A along z, a carriage on B."""

from __future__ import annotations

from flexor.declaration import Item
from flexor.viewer.glyphs.glyph import AXIS, METAL, Glyph, Items, joint_glyph
from flexor.viewer.primitive import sign


def draw(item: Item, items: Items) -> Glyph:
    return joint_glyph(
        sign("box", 0.35, 0.35, 3.0, color=AXIS),
        sign("box", 0.8, 0.8, 0.9, end=1, color=METAL),
    )
