"""Contacts: the shapes that they have of their own, walls above all; those of bodies are drawn with them."""

from __future__ import annotations

from typing import Any

from flexor.viewer.glyphs.contact import shapes_at_ends
from flexor.viewer.glyphs.glyph import METAL, Glyph, Items
from flexor.viewer.primitive import sign


def draw(item: Any, items: Items) -> Glyph:
    return Glyph(shapes_at_ends(item.shapes) or (sign("sphere", 0.15, end=0, color=METAL),))
