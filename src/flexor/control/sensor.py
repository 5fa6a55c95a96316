"""Sensor: reads a quantity of the model, so that functions may depend on it."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field

from flexor.bodies.marker import MarkerRef
from flexor.declaration import Item
from flexor.joints.surroundings import Surroundings
from flexor.law import Term


class Sensor(Item):
    """Reads a signal of the model: of a joint, spring, motor or load, or the motion of a marker.

    Loads, free lengths and other functions may then depend on it: `force: {type: table, x: …, y: …, sensor: tilt}`. It has the
    value of the same instant, also where it reads rates, accelerations or reactions that depend on what it steers. Signal: value.
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "of")
    type: Literal["sensor"] = "sensor"
    samples: ClassVar[tuple[dict[str, Any], ...]] = (
        {"name": "tilt", "of": "hinge.angle"},
        {"name": "gap", "of": "crank.tip.position_x", "seen_from": "rod.tip"},
    )
    name: str = Field(description="Unique name of the sensor.", min_length=1, pattern=r"^[^.\s][^.]*$")
    of: str = Field(
        description="The signal that it reads: pin.angle, strut.force, pin.force_x; of a body or marker "
        "arm.tip.position_x, also velocity, acceleration, angular_velocity, angular_acceleration, euler_zyx_1 …",
        min_length=1,
    )
    seen_from: MarkerRef | None = Field(
        None, description="Of a marker's motion: as seen from this marker, in its axes; the ground if left out."
    )

    def terms(self, around: Surroundings) -> list[Term]:
        """Its reading."""
        return around.readings
