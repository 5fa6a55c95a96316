"""Ramp: from one value to another over a span, e.g. the run-up of a motor."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Literal

from pydantic import Field, field_validator

from flexor.declaration import Number
from flexor.functions.blend import SHAPES, Shape, blend_evaluator
from flexor.functions.function import Function


class Ramp(Function):
    """Goes from `initial` to `final` while x goes from `start` to `start + over`; constant before and after.

    By default the way between is the quintic u³ (10 − 15u + 6u²), so that f, f′ and f″ are continuous and a
    driven mechanism feels no jolt; its largest slope is 15/8 of the mean one. `smooth: linear` is the
    straight ramp with corners; the other shapes are described in `flexor.functions.blend`.
    """

    positional: ClassVar[tuple[str, ...]] = ("initial", "final")
    value_fields: ClassVar[tuple[str, ...]] = ("initial", "final")
    argument_fields: ClassVar[tuple[str, ...]] = ("over", "start")
    evaluator: ClassVar[Callable[..., int]] = staticmethod(blend_evaluator)
    type: Literal["ramp"] = "ramp"
    initial: Number = Field(description="Value before the ramp.")
    final: Number = Field(description="Value after the ramp.")
    over: Number = Field(description="Length of the ramp, e.g. 0.1 s.", gt=0)
    start: Number = Field(0.0, description="Where the ramp begins, e.g. 2 s.")
    smooth: Shape = Field(
        "quintic", description="Shape: quintic, cubic, cosine or linear; true is quintic, false linear."
    )

    @field_validator("smooth", mode="before", json_schema_input_type=Shape | bool)
    @classmethod
    def _yes_or_no(cls, value: object) -> object:
        return {True: "quintic", False: "linear"}[value] if isinstance(value, bool) else value

    @property
    def parameters(self) -> tuple[float, ...]:
        return (self.initial, self.final, self.start, self.over, float(SHAPES.index(self.smooth)))

    @property
    def breakpoints(self) -> tuple[float, ...]:
        return (self.start, self.start + self.over)


ramp = Ramp
