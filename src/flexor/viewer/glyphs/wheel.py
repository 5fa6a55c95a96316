"""Wheels of transmissions, at the second end of each joint that they couple."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Any

from flexor.viewer.glyphs.glyph import AXIS, METAL
from flexor.viewer.primitive import Primitive, sign

TEETH = 12


def wheels_of(item: Any) -> list[int]:
    """Numbers of the ends on the second bodies of its joints, each joint once."""
    joints = list(dict.fromkeys(each.joint for each in item.couples))
    found = [2 * i + 1 for i in range(len(joints))]
    return found if len(found) > 1 else found * 2


def toothed(end: int, radius: float) -> list[Primitive]:
    """A toothed wheel about z of an end."""
    teeth = [
        sign(
            "box",
            0.16,
            0.16,
            0.25,
            end=end,
            at=(radius * cos(2 * pi * k / TEETH), radius * sin(2 * pi * k / TEETH), 0.0),
            color=METAL,
        )
        for k in range(TEETH)
    ]
    return [sign("ring", 0.9 * radius, 0.12, end=end, color=AXIS), *teeth]
