"""Rack and pinion.   FTG (6.35)"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field, field_validator

from flexor.declaration import Length
from flexor.effects import Coupled, Doubt
from flexor.joints.surroundings import Surroundings, Variable
from flexor.transmissions.ratio import forward, shared
from flexor.transmissions.transmission import ONE_HOUSING, NameOfVariable, Transmission, coupled

NEARLY = 0.02
"""By how much of the radius the distance of a rack may differ where it is drawn at its pinion."""


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

    def doubts_at_start(self, around: Surroundings) -> list[Doubt]:
        """A rack that is drawn where it touches the pinion, and would go the other way there."""
        found = super().doubts_at_start(around)
        pinion, rack = around.variables
        drawn = _drawn(pinion, rack)
        if (
            drawn is not None
            and abs(abs(drawn) - abs(self.radius)) < NEARLY * abs(self.radius)
            and drawn * self.radius < 0
        ):
            what = (
                f"radius = {self.radius:.6g} m, but where the rack is drawn the rim of the pinion moves the other way"
            )
            why = "the rack goes by radius · angle along the axis of its joint, wherever it is drawn"
            found.append(Doubt(what, why, f"write radius: {-self.radius:.6g}, or draw it on the other side", "radius"))
        return found


def _drawn(pinion: Variable, rack: Variable) -> float | None:
    """How far a rack moves as its pinion turns by 1, by the distance of its line from the pinion's axis [m]."""
    if pinion.axis is None or rack.axis is None:
        return None
    housing = shared(pinion, rack)
    e, d = forward(pinion, housing) * pinion.axis, forward(rack, housing) * rack.axis
    normal = np.cross(e, d)
    if np.linalg.norm(normal) < 1 - 1e-6:
        return None
    # with r = (p_rack − p_pinion)·n n and n = e × d the rim moves by (e × r)·d = −r·n
    return -float((rack.frame.p - pinion.frame.p) @ normal)
