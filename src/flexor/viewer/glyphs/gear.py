"""Gear: a toothed wheel at each of its joints, joined by a line."""

from __future__ import annotations

from typing import Any

from flexor.viewer.glyphs.glyph import METAL, Glyph, Items
from flexor.viewer.glyphs.wheel import toothed, wheels_of
from flexor.viewer.primitive import between


def draw(item: Any, items: Items) -> Glyph:
    first, last = wheels_of(item)[:2]
    return Glyph((*toothed(first, 1.0), *toothed(last, 0.7), between("line", ends=(first, last), color=METAL)))
