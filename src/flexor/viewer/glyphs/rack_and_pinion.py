"""Rack and pinion: a wheel of the pitch radius and a toothed bar."""

from __future__ import annotations

from typing import Any

from flexor.viewer.glyphs.glyph import AXIS, METAL, Glyph, Items
from flexor.viewer.glyphs.wheel import wheels_of
from flexor.viewer.primitive import primitive, sign


def draw(item: Any, items: Items) -> Glyph:
    pinion, rack = wheels_of(item)[:2]
    radius = abs(float(item.radius))
    wheel = primitive("ring", (radius, 0.08 * radius), end=pinion, color=AXIS)
    teeth = [sign("box", 0.3, 0.3, 0.15, end=rack, at=(0, 0, 0.4 * k), color=METAL) for k in range(-3, 4)]
    return Glyph((wheel, sign("box", 0.2, 0.2, 3.0, end=rack, color=METAL), *teeth))
