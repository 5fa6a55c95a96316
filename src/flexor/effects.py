"""What an item tells of how it acts, so that whoever looks at a model as a whole need not know its class.

An item answers by the properties of `declaration.Item`; these are the words of the answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol


class OfTime(Protocol):
    """A function of time [s] with its rate."""

    def __call__(self, x: float, /) -> float: ...

    def derivative(self, x: float, /) -> float: ...


@dataclass(frozen=True)
class AlongLine:
    """It acts along the line between its ends, the fields a and b.

    field: that gives its length.   length: as a function of time [m], kept by a rod, stress-free of a spring; as drawn if None.
    prescribed: whether it keeps that length, as a rod does; else it exerts a force.
    pulls: whether it may act where its ends coincide, whatever its length is; then it has no direction.
    remedy: what to do if it has none.
    """

    field: str
    length: OfTime | None
    prescribed: bool
    pulls: bool
    remedy: str


@dataclass(frozen=True)
class Drive:
    """It prescribes a variable of a joint, by one of its position, speed and acceleration as functions of time.

    joint: its name.   variable: the joint's only one if None.
    by_spring: whether a spring follows the motion from its start, so that later it need not be met.
    eliminated: whether the variable, of a joint that is eliminated, is no unknown; its terms then give it to the follower.
    by_sensors: whether it follows sensors, so that none of the functions is there.
    """

    joint: str
    variable: str | None
    position: OfTime | None = None
    speed: OfTime | None = None
    acceleration: OfTime | None = None
    by_spring: bool = False
    eliminated: bool = False
    by_sensors: bool = False

    def value(self) -> float | None:
        """What the variable is at t = 0, if that is prescribed [m, rad]."""
        return None if self.position is None else float(self.position(0.0))

    def rate(self) -> float | None:
        """Its rate at t = 0, if that is prescribed [m/s, rad/s]."""
        if self.position is not None:
            return float(self.position.derivative(0.0))
        return None if self.speed is None else float(self.speed(0.0))


class Coupled(NamedTuple):
    """A joint variable that it couples with others.

    field: where it is named.   joint: its name.   variable: if None, the joint's only one, or the only one that measures `unit`.
    unit: "rad" or "m" where it must be an angle or a translation; either if empty.
    """

    field: str
    joint: str
    variable: str | None = None
    unit: str = ""

    @property
    def name(self) -> str:
        """As it is written: pin, or pin.angle."""
        return self.joint if self.variable is None else f"{self.joint}.{self.variable}"


class Doubt(NamedTuple):
    """What is probably not meant in an item, seen alone; field: where, none if it concerns several."""

    what: str
    why: str
    fix: str
    field: str = ""
