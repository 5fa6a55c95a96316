"""Homokinetic joint: a bell on A, balls in a ring on B."""

from __future__ import annotations

from flexor.declaration import Item
from flexor.viewer.glyphs.glyph import AXIS, METAL, Glyph, Items, joint_glyph
from flexor.viewer.primitive import sign


def draw(item: Item, items: Items) -> Glyph:
    return joint_glyph(
        sign("sphere", 0.6, color=METAL),
        sign("ring", 0.7, 0.12, color=AXIS),
        sign("ring", 0.5, 0.14, end=1, color=METAL),
        sign("cylinder", 0.15, 1.6, at=(0, 0, -0.8), color=AXIS),
        sign("cylinder", 0.15, 1.6, end=1, at=(0, 0, 0.8), color=AXIS),
    )
