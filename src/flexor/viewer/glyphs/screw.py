"""Screw: a thread along the axis of its joint and a nut."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexor.viewer.glyphs.glyph import AXIS, METAL, Glyph, Items
from flexor.viewer.primitive import points_of, sign


def draw(item: Any, items: Items) -> Glyph:
    t = np.linspace(-1.0, 1.0, 120)
    turn = np.sign(item.lead) * 12 * np.pi * t
    thread = np.stack([0.35 * np.cos(turn), 0.35 * np.sin(turn), 1.5 * t], axis=1)
    nut = sign("ring", 0.5, 0.2, end=1, color=METAL)
    return Glyph((sign("cylinder", 0.25, 3.0, color=METAL), sign("curve", points=points_of(thread), color=AXIS), nut))
