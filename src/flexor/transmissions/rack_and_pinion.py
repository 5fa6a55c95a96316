"""Rack and pinion.   FTG (6.35)"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from pydantic import Field, field_validator

from flexor.declaration import Length
from flexor.effects import Coupled
from flexor.joints.surroundings import Variable
from flexor.transmissions.transmission import ONE_HOUSING, NameOfVariable, Transmission, coupled


class RackAndPinion(Transmission):
    """A wheel that drives a rack in the same housing: displacement of the rack = radius · angle of the pinion.

    The radius is negative where the rack goes the other way, as the axes of the two joints point.
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "pinion", "rack")
    type: Literal["rack_and_pinion"] = "rack_and_pinion"
    samples: ClassVar[tuple[dict[str, Any], ...]] = (
        {"name": "steering", "pinion": "hinge", "rack": "slider", "radius": "10 mm"},
        {"pinion": "wheel", "rack": "sleeve", "radius": -0.4, "stiffness": "30 N/m", "backlash": "5 mm"},
    )
    pinion: NameOfVariable = Field(description="Joint in which the pinion turns.")
    rack: NameOfVariable = Field(description="Joint in which the rack slides.")
    radius: Length = Field(description="Pitch radius [m], with its sign.")

    @field_validator("radius")
    @classmethod
    def _some(cls, radius: float) -> float:
        if radius == 0.0:
            raise ValueError("it is zero; the rack would never move, write e.g. 10 mm")
        return radius

    @property
    def roles(self) -> dict[str, Coupled]:
        return {"pinion": coupled("pinion", self.pinion, "rad"), "rack": coupled("rack", self.rack, "m")}

    @property
    def one_housing(self) -> str:
        return ONE_HOUSING

    def weights(self, variables: Sequence[Variable]) -> Sequence[float]:
        return (self.radius, -1.0)
