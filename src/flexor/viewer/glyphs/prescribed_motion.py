"""Prescribed motion of a marker: an arrow along or a ring about every axis that is driven."""

from __future__ import annotations

from typing import Any

from flexor.viewer.glyphs.glyph import DRIVE, Glyph, Items
from flexor.viewer.primitive import sign


def draw(item: Any, items: Items) -> Glyph:
    driven = [axis for axis in "xyz" if getattr(item, axis) is not None]
    turned = [axis for axis in "xyz" if getattr(item, f"angle_{axis}") is not None]
    arrows = [sign("arrow", 1.5, axis=axis, color=DRIVE) for axis in driven]
    rings = [sign("ring", 0.7, 0.08, axis=axis, color=DRIVE) for axis in turned]
    return Glyph((*arrows, *rings, sign("sphere", 0.2, color=DRIVE)))
