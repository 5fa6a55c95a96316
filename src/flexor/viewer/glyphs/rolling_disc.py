"""Rolling disc: the rim of the wheel and the plane that it rolls on."""

from __future__ import annotations

from typing import Any

from flexor.spatial import direction, triad
from flexor.viewer.glyphs.glyph import METAL, Arrow, Glyph, Items
from flexor.viewer.primitive import primitive


def draw(item: Any, items: Items) -> Glyph:
    R = triad(item.axis)
    rim = primitive("ring", (item.radius, 0.03 * item.radius), (0, 0, 0), R, end=0, color=METAL)
    n = direction(item.normal)
    up = Arrow(("normal_force",), "reaction", axes=None, direction=(n[0], n[1], n[2]))
    return Glyph((rim,), (up,))
