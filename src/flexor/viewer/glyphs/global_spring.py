"""Spring in a fixed direction, or about an axis: a coil between its ends."""

from __future__ import annotations

from typing import Any

from flexor.spatial import direction
from flexor.viewer.glyphs.glyph import SPRING, UNIT, Arrow, Glyph, Items
from flexor.viewer.primitive import between, sign


def draw(item: Any, items: Items) -> Glyph:
    if item.angle is not None:
        about = sign("ring", 0.7, 0.1, axis=item.angle, color=SPRING)
        return Glyph(
            (about, between("line", color=SPRING)),
            (Arrow(("torque",), "torque", at=1, direction=UNIT[item.angle], sign=-1.0),),
        )
    along = direction(item.direction)
    pulls = Arrow(("force",), "force", at=1, axes=None, direction=(along[0], along[1], along[2]), sign=-1.0)
    return Glyph((between("coil", 0.45, 8, color=SPRING), sign("sphere", 0.2, end=1, color=SPRING)), (pulls,))
