"""Friction in a joint: brake shoes at its axis."""

from __future__ import annotations

from typing import Any

from flexor.viewer.glyphs.glyph import DAMPER, UNIT, Arrow, Glyph, Items, variable_axis
from flexor.viewer.primitive import sign


def draw(item: Any, items: Items) -> Glyph:
    axis, angular = variable_axis(items, item.joint, item.variable)
    kind = "torque" if angular else "force"
    across = [
        sign(
            "box", 0.25, 0.25, 0.6, axis=axis, at=[s * 0.7 * c for c in UNIT["y" if axis != "y" else "x"]], color=DAMPER
        )
        for s in (1, -1)
    ]
    return Glyph(tuple(across), (Arrow((kind,), kind, at=1, direction=UNIT[axis]),))  # type: ignore[arg-type]
