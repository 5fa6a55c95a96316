"""Universal joint: a cross whose arms turn in a fork on A (z) and one on B (y)."""

from __future__ import annotations

from flexor.declaration import Item
from flexor.viewer.glyphs.glyph import AXIS, METAL, Glyph, Items, joint_glyph
from flexor.viewer.primitive import sign


def draw(item: Item, items: Items) -> Glyph:
    return joint_glyph(
        sign("cylinder", 0.16, 1.6, color=AXIS),
        sign("cylinder", 0.16, 1.6, end=1, axis="y", color=AXIS),
        sign("ring", 0.25, 0.12, at=(0, 0, 0.8), color=METAL),
        sign("ring", 0.25, 0.12, at=(0, 0, -0.8), color=METAL),
        sign("ring", 0.25, 0.12, end=1, axis="y", at=(0, 0.8, 0), color=METAL),
        sign("ring", 0.25, 0.12, end=1, axis="y", at=(0, -0.8, 0), color=METAL),
    )
