"""Screw: turning drives along.   FTG (6.36)"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from pydantic import Field, field_validator

from flexor.declaration import Length
from flexor.effects import Coupled
from flexor.joints.surroundings import Variable
from flexor.transmissions.transmission import ONE_HOUSING, NameOfVariable, Transmission, coupled


class Screw(Transmission):
    """A thread: displacement = lead · angle / 2π, of a cylindrical joint, or of a spindle that turns and a nut that slides.

    Of a cylindrical joint the lead is positive for a right-hand thread, negative for a left-hand one. A nut that only slides turns back
    on its spindle: along the same axis its lead is negative for a right-hand thread.
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "of", "nut")
    type: Literal["screw"] = "screw"
    samples: ClassVar[tuple[dict[str, Any], ...]] = (
        {"name": "spindle", "of": "sleeve", "lead": "5 mm"},
        {"of": "wheel", "nut": "slider", "lead": -2.0, "stiffness": 30.0, "damping": 0.2},
    )
    of: NameOfVariable = Field(description="The cylindrical joint, or that in which the spindle turns.")
    nut: NameOfVariable | None = Field(None, description="Joint in which the nut slides, if that is another one.")
    lead: Length = Field(description="Displacement per turn [m], with its sign.")

    @field_validator("lead")
    @classmethod
    def _some(cls, lead: float) -> float:
        if lead == 0.0:
            raise ValueError("it is zero; the nut would never move, write e.g. 5 mm")
        return lead

    @property
    def roles(self) -> dict[str, Coupled]:
        turning = coupled("of", self.of, "rad")
        slide = Coupled("of", turning.joint, None, "m") if self.nut is None else coupled("nut", self.nut, "m")
        return {"spindle": turning, "nut": slide}

    @property
    def one_housing(self) -> str:
        return ONE_HOUSING

    def weights(self, variables: Sequence[Variable]) -> Sequence[float]:
        return (self.lead / (2 * math.pi), -1.0)
