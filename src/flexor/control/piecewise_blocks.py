"""Logic switch, limitation and dead zone.   FTG 8.4.3, types 21–23"""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from flexor.control.block import SingleInput
from flexor.control.segments import segments_term
from flexor.declaration import Number
from flexor.law import Term


class LogicSwitch(SingleInput):
    """Two values, y = `lower` for u < `at`, `upper` for u ≥ `at`. Signal: value.

    In a loop that drives the input back to `at` from both sides it would switch without end: give the loop a Hysteresis or a lag.
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "input", "lower", "upper", "at")
    type: Literal["logic_switch"] = "logic_switch"
    samples: ClassVar[tuple[dict[str, Any], ...]] = ({"input": "tilt", "lower": -2.0, "upper": 5.0, "at": 0.1},)
    lower: Number = Field(0.0, description="Value below `at`.")
    upper: Number = Field(1.0, description="Value from there on.")
    at: Number = Field(0.0, description="Input at which it switches.")

    def block_terms(self, inputs: tuple[str, ...]) -> list[Term]:
        return [segments_term(self.name, inputs[0], self.signals, (self.at,), (0.0, 0.0), (self.lower, self.upper))]


class _TwoBorders(SingleInput):
    positional: ClassVar[tuple[str, ...]] = ("name", "input", "lower", "upper")

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        lower, upper = self.lower, self.upper  # type: ignore[attr-defined]
        if not lower < upper:
            raise ValueError(f"lower = {lower:g} is not below upper = {upper:g}; exchange them")
        return self


class Limitation(_TwoBorders):
    """y = u between `lower` and `upper`, and no further. Signal: value."""

    type: Literal["limitation"] = "limitation"
    samples: ClassVar[tuple[dict[str, Any], ...]] = ({"input": "tilt", "lower": -0.3, "upper": 0.5},)
    lower: Number = Field(description="Smallest output.")
    upper: Number = Field(description="Largest output.")

    def block_terms(self, inputs: tuple[str, ...]) -> list[Term]:
        low, high = self.lower, self.upper
        return [segments_term(self.name, inputs[0], self.signals, (low, high), (0.0, 1.0, 0.0), (low, 0.0, high))]


class DeadZone(_TwoBorders):
    """y = 0 between `lower` and `upper`, beyond them u less the border. Signal: value."""

    type: Literal["dead_zone"] = "dead_zone"
    samples: ClassVar[tuple[dict[str, Any], ...]] = ({"input": "tilt", "lower": -0.1, "upper": 0.2},)
    lower: Number = Field(description="Input below which it acts.")
    upper: Number = Field(description="Input above which it acts.")

    def block_terms(self, inputs: tuple[str, ...]) -> list[Term]:
        low, high = self.lower, self.upper
        return [segments_term(self.name, inputs[0], self.signals, (low, high), (1.0, 0.0, 1.0), (-low, 0.0, -high))]
