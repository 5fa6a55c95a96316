"""Axial spring: a coil where it has stiffness, a damper where it damps."""

from __future__ import annotations

from typing import Any

from flexor.viewer.glyphs.glyph import BETWEEN, DAMPER, SPRING, Arrow, Glyph, Items
from flexor.viewer.primitive import between, sign


def draw(item: Any, items: Items) -> Glyph:
    springs = bool(item.stiffness or item.force is not None)
    damps = bool(item.damping or item.damper is not None)
    drawn = [between("coil", 0.45, 8, color=SPRING)] if springs or not damps else []
    drawn += [between("damper", 0.3 if springs else 0.4, color=DAMPER)] if damps else []
    pulls = Arrow(("force",), "force", at=1, direction=BETWEEN, sign=-1.0)  # tension is positive: it pulls B towards A
    return Glyph((*drawn, sign("sphere", 0.15, color=SPRING), sign("sphere", 0.15, end=1, color=SPRING)), (pulls,))
