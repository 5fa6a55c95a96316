"""Sensor: a small mark where it reads."""

from __future__ import annotations

from typing import Any

from flexor.viewer.glyphs.glyph import WATCH, Glyph, Items
from flexor.viewer.primitive import sign


def draw(item: Any, items: Items) -> Glyph:
    return Glyph((sign("cone", 0.25, 0.5, at=(0, 0, 0.6), color=WATCH), sign("ring", 0.3, 0.06, color=WATCH)))
