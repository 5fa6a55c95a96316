"""Belt or chain around two wheels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from pydantic import Field, model_validator

from flexor.declaration import Length
from flexor.effects import Coupled
from flexor.joints.surroundings import Variable
from flexor.transmissions.ratio import sense, shared
from flexor.transmissions.transmission import ONE_HOUSING, NameOfVariable, Transmission, coupled


class Belt(Transmission):
    """A belt or chain that does not slip, around two wheels in one frame: r_out · output = r_in · input.

    The wheels turn alike, also where the axes of their joints point against each other; against each other if the belt is crossed.
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "input", "output")
    type: Literal["belt"] = "belt"
    samples: ClassVar[tuple[dict[str, Any], ...]] = (
        {"name": "belt", "input": "hinge", "output": "wheel", "radii": ("50 mm", "200 mm")},
        {"input": "arm", "output": "wheel", "teeth": (17, 40), "crossed": True, "stiffness": 30.0, "damping": 0.1},
    )
    input: NameOfVariable = Field(description="Joint of the driving wheel.")
    output: NameOfVariable = Field(description="Joint of the driven wheel.")
    radii: tuple[Length, Length] | None = Field(None, description="Radii of the driving and the driven wheel [m].")
    teeth: tuple[int, int] | None = Field(None, description="Or, of a chain or toothed belt: their numbers of teeth.")
    crossed: bool = Field(False, description="Whether the belt is crossed, so that the wheels turn against each other.")

    @model_validator(mode="after")
    def _one_ratio(self) -> Belt:
        if (self.radii is None) == (self.teeth is None):
            raise ValueError("it needs one of radii and teeth, e.g. radii: [50 mm, 200 mm]")
        if self.radii is not None and min(self.radii) <= 0.0:
            raise ValueError(
                f"radii = {list(self.radii)}: both are greater than zero; a crossed belt is told by crossed"
            )
        if self.teeth is not None and min(self.teeth) < 1:
            raise ValueError(f"teeth = {list(self.teeth)}: a wheel has at least one tooth")
        return self

    @property
    def roles(self) -> dict[str, Coupled]:
        return {role: coupled(role, getattr(self, role), "rad") for role in ("input", "output")}

    @property
    def one_housing(self) -> str:
        return ONE_HOUSING

    def weights(self, variables: Sequence[Variable]) -> Sequence[float]:
        driving, driven = self.radii or self.teeth or (1.0, 1.0)
        kind = "crossed" if self.crossed else "open"
        first, last = variables
        return (sense(self.called(self.name), kind, first, last, shared(first, last)) * driving / driven, -1.0)
