"""Gear: two shafts that turn in a fixed ratio.   FTG (6.34)"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, ClassVar, Literal

from pydantic import Field, model_validator

from flexor.effects import Coupled
from flexor.errors import ModelError, Problem
from flexor.joints.surroundings import Variable
from flexor.transmissions.ratio import forward, on_axis, sense, shared
from flexor.transmissions.transmission import ONE_HOUSING, NameOfVariable, Ratio, Transmission, coupled


class Gear(Transmission):
    """Two wheels in mesh: angle of the output = ratio · angle of the input, seen from the housing in which both turn.

    With `teeth` the sense of rotation follows from `mesh` and from how the axes of the joints point; `ratio` has its sign. Where one
    wheel turns in a carrier and the other does not, as sun and planet, `carrier` names the joint in which the carrier turns.
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "input", "output")
    type: Literal["gear"] = "gear"
    samples: ClassVar[tuple[dict[str, Any], ...]] = (
        {"name": "stage", "input": "hinge", "output": "wheel", "teeth": (20, 40)},
        {"input": "hinge", "output": "sleeve.angle", "ratio": 3.0, "stiffness": 40.0, "damping": 0.3},
        {"input": "wheel", "output": "hinge", "ratio": -0.5, "stiffness": 40.0, "damping": 0.3, "backlash": "2 deg"},
        {"input": "hinge", "output": "cardan.angle_b", "ratio": -0.4},
    )
    input: NameOfVariable = Field(description="Joint of the first wheel.")
    output: NameOfVariable = Field(description="Joint of the second wheel.")
    ratio: Ratio | None = Field(None, description="Speed of the output over that of the input, with its sign.")
    teeth: tuple[int, int] | None = Field(None, description="Or: numbers of teeth of input and output.")
    mesh: Literal["external", "internal", "bevel"] | None = Field(
        None,
        description="With `teeth`: external (if left out), internal where one wheel is a ring, bevel where the axes cross.",
    )
    carrier: NameOfVariable | None = Field(
        None, description="Joint of the carrier that one of the wheels turns in, where the other does not."
    )

    @model_validator(mode="after")
    def _one_ratio(self) -> Gear:
        if (self.ratio is None) == (self.teeth is None):
            raise ValueError("it needs one of ratio and teeth, e.g. teeth: [20, 40]")
        if self.ratio == 0.0:
            raise ValueError("ratio is zero; the output would never turn, write e.g. ratio: -0.5")
        if self.teeth is not None and min(self.teeth) < 1:
            raise ValueError(f"teeth = {list(self.teeth)}: a wheel has at least one tooth")
        if self.ratio is not None and self.mesh is not None:
            raise ValueError("mesh is given with ratio, which has its sign already; leave out mesh, or give teeth")
        if self.teeth is not None and self.mesh == "internal" and self.teeth[0] == self.teeth[1]:
            raise ValueError("teeth are equal; of two wheels one inside the other the outer one has more")
        return self

    @property
    def roles(self) -> dict[str, Coupled]:
        between = {} if self.carrier is None else {"carrier": coupled("carrier", self.carrier, "rad")}
        first, last = coupled("input", self.input, "rad"), coupled("output", self.output, "rad")
        return {"input": first, **between, "output": last}

    @property
    def one_housing(self) -> str:
        return f"{ONE_HOUSING}, or name the joint of the carrier: carrier: …" if self.carrier is None else ""

    def weights(self, variables: Sequence[Variable]) -> Sequence[float]:
        first, last = variables[0], variables[-1]
        if self.carrier is None:
            return (self._ratio(first, last, shared(first, last)), -1.0)
        carrier = variables[1]
        housing = {carrier.joint.a.body, carrier.joint.b.body}
        ratio = self._ratio(first, last, housing)
        # θ_out − s_out θ_c = i (θ_in − s_in θ_c)   Willis
        inside = _carrier(carrier, first, last)
        s_in, s_out = (self._taken_off(carrier, each, inside) for each in (first, last))
        if s_in == s_out == 0.0:
            what, why = "carrier does nothing", f"both wheels turn in '{inside}', in which the ratio holds already"
            raise ModelError(Problem(self.called(self.name), what, why, "leave it out"))
        return (ratio, s_out - ratio * s_in, -1.0)

    def _ratio(self, first: Variable, last: Variable, housing: Collection[str]) -> float:
        if self.ratio is not None:
            return self.ratio
        assert self.teeth is not None
        return (
            sense(self.called(self.name), self.mesh or "external", first, last, housing) * self.teeth[0] / self.teeth[1]
        )

    def _taken_off(self, carrier: Variable, wheel: Variable, inside: str) -> float:
        """What the angle of a wheel's joint is more than that of the wheel in the carrier, as the carrier's joint turns by 1."""
        ends = carrier.joint.a.body, carrier.joint.b.body
        stands_on = {wheel.joint.a.body, wheel.joint.b.body}
        if inside in stands_on:
            return 0.0
        if not stands_on & set(ends) or not on_axis(carrier, wheel):
            what = f"joint '{wheel.joint.name}' has nothing to do with that of the carrier, '{carrier.joint.name}'"
            why = (
                f"a wheel turns in the carrier, or on its axis in what the carrier turns in: '{ends[0]}' or '{ends[1]}'"
            )
            fix = "name the joint of the carrier about whose axis it turns"
            raise ModelError(Problem(self.called(self.name), what, why, fix))
        assert carrier.axis is not None
        assert wheel.axis is not None
        turns = 1.0 if inside == ends[1] else -1.0
        return turns * round(float(carrier.axis @ wheel.axis)) * forward(wheel, ends)


def _carrier(joint: Variable, *wheels: Variable) -> str:
    """Which of the two bodies of a joint carries a wheel about, off the axis of the joint; the second if none does."""
    for body in (joint.joint.b.body, joint.joint.a.body):
        for wheel in wheels:
            if body in (wheel.joint.a.body, wheel.joint.b.body) and not on_axis(joint, wheel):
                return body
    return joint.joint.b.body
