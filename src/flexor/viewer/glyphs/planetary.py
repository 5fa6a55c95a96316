"""Planetary gear: sun, ring and carrier about their joints."""

from __future__ import annotations

from typing import Any

from flexor.viewer.glyphs.glyph import AXIS, METAL, Glyph, Items
from flexor.viewer.glyphs.wheel import toothed, wheels_of
from flexor.viewer.primitive import sign


def draw(item: Any, items: Items) -> Glyph:
    sun, ring, carrier = (*wheels_of(item), 1, 1)[:3]
    arms = [
        sign("cylinder", 0.22, 0.3, end=carrier, at=at, color=AXIS)
        for at in ((0.8, 0, 0), (-0.4, 0.7, 0), (-0.4, -0.7, 0))
    ]
    return Glyph((*toothed(sun, 0.5), sign("ring", 1.25, 0.15, end=ring, color=METAL), *arms))
