"""Revolute joint: a pin on A in a ring on B, about z."""

from __future__ import annotations

from flexor.declaration import Item
from flexor.viewer.glyphs.glyph import AXIS, METAL, Glyph, Items, joint_glyph
from flexor.viewer.primitive import sign


def draw(item: Item, items: Items) -> Glyph:
    return joint_glyph(
        sign("cylinder", 0.22, 1.8, color=AXIS),
        sign("cylinder", 0.4, 0.5, at=(0, 0, 0.6), color=METAL),
        sign("cylinder", 0.4, 0.5, at=(0, 0, -0.6), color=METAL),
        sign("ring", 0.45, 0.16, end=1, color=METAL),
    )
