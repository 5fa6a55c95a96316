"""Motor: a drum around the axis that it turns about, or an arrow along the one it pushes along."""

from __future__ import annotations

from typing import Any

from flexor.viewer.glyphs.glyph import DRIVE, UNIT, Arrow, Glyph, Items, variable_axis
from flexor.viewer.primitive import sign


def draw(item: Any, items: Items) -> Glyph:
    axis, angular = variable_axis(items, item.joint, item.variable)
    effort = (
        Arrow(("torque",), "torque", at=1, direction=UNIT[axis])
        if angular
        else Arrow(("force",), "force", at=1, direction=UNIT[axis])
    )
    if not angular:
        return Glyph(
            (sign("cylinder", 0.3, 1.6, axis=axis, color=DRIVE), sign("cone", 0.4, 0.6, axis=axis, end=1, color=DRIVE)),
            (effort,),
        )
    drum = sign("ring", 0.85, 0.18, axis=axis, color=DRIVE)
    return Glyph(
        (
            drum,
            sign(
                "cone",
                0.3,
                0.5,
                axis="x" if axis != "x" else "y",
                at=[0.85 * c for c in UNIT["y" if axis != "y" else "z"]],
                color=DRIVE,
            ),
        ),
        (effort,),
    )
