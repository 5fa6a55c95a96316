"""Planetary gear train, its planets left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from pydantic import Field, field_validator

from flexor.effects import Coupled
from flexor.errors import ModelError, Problem
from flexor.joints.surroundings import Variable
from flexor.transmissions.ratio import forward, shared
from flexor.transmissions.transmission import ONE_HOUSING, NameOfVariable, Transmission, coupled


class Planetary(Transmission):
    """Sun, ring and carrier on one axis, their joints in one housing: z_s ω_s + z_r ω_r = (z_s + z_r) ω_c (Willis).

    Hold one of them with a motor of speed 0, or leave all free. The inertia of the planets belongs to the carrier; to have planets as
    bodies, give a `gear` with `carrier` for each mesh instead.
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "sun", "ring", "carrier")
    type: Literal["planetary"] = "planetary"
    samples: ClassVar[tuple[dict[str, Any], ...]] = (
        {"name": "planets", "sun": "hinge", "ring": "wheel", "carrier": "arm", "teeth": (20, 60)},
        {"sun": "wheel", "ring": "arm", "carrier": "sleeve", "teeth": (30, 75), "stiffness": 40.0, "damping": 0.4},
    )
    sun: NameOfVariable = Field(description="Joint of the sun.")
    ring: NameOfVariable = Field(description="Joint of the ring.")
    carrier: NameOfVariable = Field(description="Joint of the carrier.")
    teeth: tuple[int, int] = Field(description="Numbers of teeth of sun and ring.")

    @field_validator("teeth")
    @classmethod
    def _possible(cls, teeth: tuple[int, int]) -> tuple[int, int]:
        if not 1 <= teeth[0] < teeth[1]:
            raise ValueError(f"teeth = {list(teeth)}: the ring has more teeth than the sun, and the sun has some")
        return teeth

    @property
    def roles(self) -> dict[str, Coupled]:
        return {role: coupled(role, getattr(self, role), "rad") for role in ("sun", "ring", "carrier")}

    @property
    def one_housing(self) -> str:
        return ONE_HOUSING

    def weights(self, variables: Sequence[Variable]) -> Sequence[float]:
        housing = shared(*variables)
        axes = [each.axis for each in variables]
        if any(axis is None for axis in axes):
            raise self._askew("the axis of one of them turns with other angles")
        ways = [axis * forward(each, housing) for axis, each in zip(axes, variables) if axis is not None]
        along = [float(ways[2] @ each) for each in ways]
        if min(map(abs, along)) < 1 - 1e-6:
            raise self._askew("their axes are not parallel")
        sun, ring = self.teeth
        return (along[0] * sun / (sun + ring), along[1] * ring / (sun + ring), -1.0)

    def _askew(self, why: str) -> ModelError:
        what = "the joints of sun, ring and carrier do not turn about one axis"
        return ModelError(Problem(self.called(self.name), what, why, "give them the same axis, or take a coupling"))
