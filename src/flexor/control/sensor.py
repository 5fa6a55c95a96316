"""Sensor: reads a quantity of the model, so that functions may depend on it."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field

from flexor.bodies.marker import MarkerRef
from flexor.declaration import Direction, Item, Point
from flexor.dotted import NAME, prefixes
from flexor.joints.surroundings import Surroundings
from flexor.law import Term


class Sensor(Item):
    """Reads a signal of the model: of a joint, spring, motor or load, the motion of a marker, an energy, a strain, the time.

    Loads, free lengths and other functions may then depend on it: `force: {type: table, x: …, y: …, sensor: tilt}`, or on several
    of them in a formula: `force: -60*tilt - 12*spin`. It has the value of the same instant, also where it reads rates,
    accelerations or reactions that depend on what it steers. Signal: value.

    Energies are arm.kinetic_energy (also potential, strain, total) of one item, energy.kinetic (potential, strain, total) of all.
    arm.strain is that of a strain gauge on a flexible body, `at` a point of its surface along a `direction`.
    """

    readable: ClassVar[bool] = True
    positional: ClassVar[tuple[str, ...]] = ("name", "of")
    type: Literal["sensor"] = "sensor"
    samples: ClassVar[tuple[dict[str, Any], ...]] = (
        {"name": "tilt", "of": "hinge.angle"},
        {"name": "gap", "of": "crank.tip.position_x", "seen_from": "rod.tip"},
        {"name": "stored", "of": "energy.total"},
        {"name": "clock", "of": "time"},
    )
    name: str = Field(description="Unique name of the sensor.", min_length=1, pattern=NAME)
    of: str = Field(
        description="The signal that it reads: pin.angle, strut.force, pin.force_x; of a body or marker "
        "arm.tip.position_x, also velocity, acceleration, angular_velocity, angular_acceleration, euler_zyx_1 …; "
        "energy.kinetic, arm.strain, time.",
        min_length=1,
    )
    at: Point | None = Field(
        None,
        description="Of a strain, arm.strain: it is read at the nearest point of the surface; axes of the body [m].",
    )
    direction: Direction | None = Field(
        None, description="Of a strain: along which it is read, projected onto the surface; axes of the body."
    )
    side: Literal["top", "bottom"] = Field("top", description="Of a strain on a shell: on which side it is read.")
    seen_from: MarkerRef | None = Field(
        None, description="Of a marker's motion: as seen from this marker, in its axes; the ground if left out."
    )

    @property
    def reads(self) -> tuple[str, ...]:
        """What the name of its signal begins with, one of which is the item or body that it reads, or energy, time."""
        return tuple(prefixes(self.of))

    def terms(self, around: Surroundings) -> list[Term]:
        """Its reading."""
        return around.readings
