"""Bushing: a sleeve of rubber on A around a core on B."""

from __future__ import annotations

from typing import Any

from flexor.spatial import triad
from flexor.viewer.glyphs.glyph import METAL, SPRING, Arrow, Glyph, Items
from flexor.viewer.primitive import between, primitive, sign


def draw(item: Any, items: Items) -> Glyph:
    exerts = (
        Arrow(("force_x", "force_y", "force_z"), "force", at=1),
        Arrow(("torque_x", "torque_y", "torque_z"), "torque", at=1),
    )
    R = triad(item.axis)
    sleeve = primitive("ring", (0.6, 0.3), (0, 0, 0), R, end=0, relative=True, color=SPRING)
    return Glyph((sleeve, sign("cylinder", 0.28, 1.2, end=1, color=METAL), between("line", color=SPRING)), exerts)
