"""Step: a jump from one value to another, sudden or over a short width."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Literal

from pydantic import Field

from flexor.declaration import Number
from flexor.functions.blend import SHAPES, Shape, blend_evaluator
from flexor.functions.function import Function


class Step(Function):
    """`initial` for x < at, `final` from x = at on, or from x = at + width on if a width is given.

    With a width the value passes from one to the other along the cubic u² (3 − 2u), u = (x − at)/width, the
    STEP function of ADAMS: f and f′ are continuous, f″ jumps. Other shapes: `flexor.functions.blend`.
    A sudden step makes an error-controlled integrator work hard; a width of a few time steps is kinder.
    The derivative of a sudden step is given as zero.
    """

    positional: ClassVar[tuple[str, ...]] = ("initial", "final")
    value_fields: ClassVar[tuple[str, ...]] = ("initial", "final")
    argument_fields: ClassVar[tuple[str, ...]] = ("at", "width")
    evaluator: ClassVar[Callable[..., int]] = staticmethod(blend_evaluator)
    type: Literal["step"] = "step"
    initial: Number = Field(0.0, description="Value before the step.")
    final: Number = Field(1.0, description="Value after the step.")
    at: Number = Field(0.0, description="Where the step begins, e.g. 1 s.")
    width: Number = Field(0.0, description="Length of the transition, e.g. 10 ms; 0 is a sudden jump.", ge=0)
    smooth: Shape = Field("cubic", description="Shape of the transition: cubic, quintic, cosine or linear.")

    @property
    def parameters(self) -> tuple[float, ...]:
        return (self.initial, self.final, self.at, self.width, float(SHAPES.index(self.smooth)))

    @property
    def breakpoints(self) -> tuple[float, ...]:
        return (self.at, self.at + self.width) if self.width else (self.at,)


step = Step
