"""What a glyph consists of: primitives at the ends of an item, and arrows for the forces that it tells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from flexor.declaration import Item
from flexor.effects import Coupled
from flexor.joints.choice import NotThere, chosen_variable
from flexor.joints.joint import Joint
from flexor.viewer.primitive import Primitive

METAL, AXIS, SPRING, DAMPER, DRIVE, LOAD, WATCH = (
    "#5b6470",
    "#e0a800",
    "#2e7d32",
    "#6d4c41",
    "#c62828",
    "#d84315",
    "#6a1b9a",
)
"""Colours: joints, their axes, springs, dampers, motors, loads, sensors."""

Kind = Literal["force", "torque", "reaction", "reaction torque"]
BETWEEN = "between"


@dataclass(frozen=True)
class Arrow:
    """A force or torque as an arrow at an end.

    signals: names behind that of the item: three components in the axes of the end `axes` (global if None), or one along
    `direction` in these axes, or from the first end to the second (BETWEEN).
    at: the end it acts on.   sign: −1 where the signal has the other sense.
    """

    signals: tuple[str, ...]
    kind: Kind
    at: int = 0
    axes: int | None = 0
    direction: tuple[float, float, float] | str | None = None
    sign: float = 1.0


@dataclass(frozen=True)
class Glyph:
    """primitives: with the number of the end in whose axes they stand.   arrows: what is drawn of its forces."""

    primitives: tuple[Primitive, ...]
    arrows: tuple[Arrow, ...] = ()


Items = Mapping[str, Item]
"""The items of the model by name."""

REACTIONS = (
    Arrow(("force_x", "force_y", "force_z"), "reaction", at=1),
    Arrow(("torque_x", "torque_y", "torque_z"), "reaction torque", at=1),
)
"""Force and torque of a joint on B, in the axes of its frame on A."""


def joint_glyph(*primitives: Primitive) -> Glyph:
    """A glyph of a joint, with its reactions."""
    return Glyph(primitives, REACTIONS)


def variable_axis(items: Items, joint: str, variable: str | None) -> tuple[str, bool]:
    """Axis of the joint frame along or about which a variable moves, and whether it is an angle."""
    found = items.get(joint)
    if not isinstance(found, Joint) or not found.variables:
        return "z", True
    try:
        index = chosen_variable(found, Coupled("joint", joint, variable))
    except NotThere:
        index = 0
    return (found.translations + found.rotations)[index], index >= len(found.translations)


UNIT = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
