"""Joint spring: a coil along a translation, a spiral about a rotation."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexor.viewer.glyphs.glyph import DAMPER, SPRING, UNIT, Arrow, Glyph, Items, variable_axis
from flexor.viewer.primitive import between, points_of, sign


def draw(item: Any, items: Items) -> Glyph:
    axis, angular = variable_axis(items, item.joint, item.variable)
    springs = bool(item.stiffness or item.force is not None)
    color = SPRING if springs else DAMPER
    if not angular:
        return Glyph((between("coil" if springs else "damper", 0.45, *((8,) if springs else ()), color=color),))
    turns = np.linspace(0.0, 5 * np.pi, 60)
    radius = 0.35 + 0.5 * turns / turns[-1]
    flat = np.stack([radius * np.cos(turns), radius * np.sin(turns), 0 * turns], axis=1)
    spiral = sign("curve", axis=axis, points=points_of(flat), color=color)
    return Glyph((spiral,), (Arrow(("torque",), "torque", at=1, direction=UNIT[axis]),))
