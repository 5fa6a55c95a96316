"""Belt or chain: two wheels and the line between them."""

from __future__ import annotations

from typing import Any

from flexor.viewer.glyphs.glyph import AXIS, METAL, Glyph, Items
from flexor.viewer.glyphs.wheel import wheels_of
from flexor.viewer.primitive import Primitive, between, sign


def draw(item: Any, items: Items) -> Glyph:
    first, last = wheels_of(item)[:2]
    radii = item.radii or (None, None)
    return Glyph(
        (_pulley(first, radii[0]), _pulley(last, radii[1]), between("line", ends=(first, last), color=METAL, width=0.2))
    )


def _pulley(end: int, radius: float | None) -> Primitive:
    if radius is None:
        return sign("ring", 0.8, 0.15, end=end, color=AXIS)
    return sign("ring", 0.0, 0.0, end=end, color=AXIS) | {
        "size": [float(radius), 0.05 * float(radius)],
        "relative": False,
    }
