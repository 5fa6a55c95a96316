"""Coupling: any linear combination of joint variables, or one as a function of another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from pydantic import Field, field_validator, model_validator

from flexor.coordinates.combination import MOST
from flexor.declaration import Number
from flexor.effects import Coupled, Doubt
from flexor.functions import AnyFunction, Function
from flexor.functions.kinks import kinks, without_kinks
from flexor.joints.along import Along
from flexor.joints.joint import joint_name
from flexor.joints.surroundings import Variable
from flexor.transmissions.transmission import NameOfVariable, Ratio, Transmission, coupled


class Coupling(Transmission):
    """Joint variables whose weighted sum stays as it is at the start, of: {left: 1, right: 1, cage: -2}, or is `constant`.

    Or one variable as a function of another, output = function(input), as of a cam that is known by its lift. It holds from the
    start: what is left open is brought there.
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "of")
    type: Literal["coupling"] = "coupling"
    samples: ClassVar[tuple[dict[str, Any], ...]] = (
        {"name": "differential", "of": {"hinge": 0.5, "wheel": 0.5, "arm": -1.0}},
        {"input": "hinge", "output": "slider", "function": "0.1*sin(x) + 0.02*x^2"},
        {"input": "sleeve.displacement", "output": "wheel", "function": "0.3*x^2", "stiffness": 20.0, "damping": 0.1},
        {"of": {"table.x": 1.0, "ball.angle_z": 0.3, "slider": 0.7}, "constant": 0.1},
        {"of": {"slider": 1.0, "socket.rotation_y": 0.3}},
    )
    along: ClassVar[Along] = {
        **Transmission.along,
        "constant": ("coordinate", None),
        "function": ("coordinate", "coordinate"),
    }
    of: dict[NameOfVariable, Ratio] | None = Field(
        None, description="Weight of each joint variable in the sum [SI]; the last one counts as driven."
    )
    constant: Number | None = Field(
        None, description="What the sum is, in the unit of the last variable [m or rad]; as at the start if left out."
    )
    input: NameOfVariable | None = Field(None, description="Instead of `of`: the variable that drives.")
    output: NameOfVariable | None = Field(None, description="The one that follows it.")
    function: AnyFunction | None = Field(None, description="Value of the output by that of the input [SI].")

    @field_validator("of", mode="before", json_schema_input_type=dict[str, float] | None)
    @classmethod
    def _by_names(cls, weights: Any) -> Any:
        return {joint_name(key): weight for key, weight in weights.items()} if isinstance(weights, Mapping) else weights

    @field_validator("of")
    @classmethod
    def _several(cls, weights: dict[str, float] | None) -> dict[str, float] | None:
        if weights is not None:
            if not 2 <= len(weights) <= MOST:
                raise ValueError(f"it couples {len(weights)} variables; it takes two to {MOST}")
            for name, weight in weights.items():
                if weight == 0.0:
                    raise ValueError(f"the weight of '{name}' is zero; leave it out")
        return weights

    @model_validator(mode="after")
    def _one_form(self) -> Coupling:
        pair = {"input": self.input, "output": self.output, "function": self.function}
        given = [name for name, value in pair.items() if value is not None]
        if self.of is not None and given:
            raise ValueError(f"{given[0]} is given with of; it needs of, or input, output and function")
        if self.of is None and len(given) < 3:
            missing = next(name for name in pair if name not in given)
            raise ValueError(
                f"{missing} is missing; it needs of: {{first: 1, second: -2}}, or input, output and function"
            )
        if self.of is None and self.constant is not None:
            raise ValueError("constant is given with function; add it to the function")
        return self

    @property
    def roles(self) -> dict[str, Coupled]:
        if self.of is not None:
            return {str(i): coupled("of", name) for i, name in enumerate(self.of, start=1)}
        given = {"input": self.input, "output": self.output}
        return {role: coupled(role, name) for role, name in given.items() if name is not None}

    def weights(self, variables: Sequence[Variable]) -> Sequence[float]:
        """By the last weight, so that stiffness and error are those of the last variable."""
        return tuple(w / self._last for w in self.of.values()) if self.of is not None else (0.0, -1.0)

    @property
    def _last(self) -> float:
        return abs(list(self.of.values())[-1]) if self.of else 1.0

    @property
    def characteristic(self) -> Function | None:
        return self.function

    @property
    def meshes_anywhere(self) -> bool:
        return self.function is None and self.constant is None

    def begins(self, found: float) -> float:
        return found if self.meshes_anywhere else (self.constant or 0.0) / self._last

    def doubts(self, gravity: Sequence[float]) -> list[Doubt]:
        """Where the function jumps or has a corner, forces are infinite."""
        if self.function is None:
            return []
        worst = 1 if self.stiffness is None else 0
        ends = (min(self.function.breakpoints, default=0.0), max(self.function.breakpoints, default=0.0))
        found = [kink for kink in kinks(self.function, after=ends[0] - 1.0, order=1) if kink.order <= worst]
        inside = [kink for kink in found if kink.x not in ends]
        if not found:
            return []
        first = (inside or found)[0]
        what = f"function has a {('jump', 'corner')[first.order]} at {first.x:.6g}" + _more(len(found) - 1)
        why = f"a {('position', 'velocity')[first.order]} that changes in no time takes an infinite force"
        fix = without_kinks(self.function, first)
        if not inside:
            fix = "let it end with slope zero, or go on: extrapolation: periodic for a cam that turns on, or linear"
        return [Doubt(what, why, fix, "function")]


def _more(count: int) -> str:
    return f" (and {count} more)" if count else ""
