"""Coupling of joint variables: a ring at each joint, and lines between them."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from flexor.viewer.glyphs.glyph import AXIS, METAL, Glyph, Items
from flexor.viewer.glyphs.wheel import wheels_of
from flexor.viewer.primitive import between, sign


def draw(item: Any, items: Items) -> Glyph:
    ends = wheels_of(item)
    rings = [sign("ring", 0.6, 0.1, end=end, color=AXIS) for end in dict.fromkeys(ends)]
    return Glyph((*rings, *(between("line", ends=pair, color=METAL) for pair in pairwise(ends))))
