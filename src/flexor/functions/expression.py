"""Expression: a formula in one variable, e.g. 2*sin(3*t)."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Literal

from pydantic import Field, field_validator

from flexor.functions.function import Function
from flexor.functions.parser import parse
from flexor.functions.program import run_program
from flexor.functions.quadrature import with_integral


class Expression(Function):
    """A formula in t (or in x, which means the same), in SI units.

    Numbers, pi, e; + − * / ^ (or **), parentheses; < <= > >= == != (1 if true, else 0), and, or, not; sin cos
    tan asin acos atan sinh cosh tanh exp log log10 sqrt abs sign floor of one argument, atan2(y, x), mod(a,
    b), min(…), max(…), step(x) = 1 for x ≥ 0 else 0, and if(condition, value, other value). Angles are in
    radians, log is the natural logarithm.

    Derivatives are exact; at a kink they are those of one side. The integral is found numerically (see
    `flexor.functions.quadrature`). The formula is read by a parser of its own; it cannot run code.
    """

    positional: ClassVar[tuple[str, ...]] = ("text",)
    evaluator: ClassVar[Callable[..., int]] = staticmethod(with_integral(run_program))
    type: Literal["expression"] = "expression"
    text: str = Field(description="The formula, e.g. 2*sin(3*t).")

    @field_validator("text")
    @classmethod
    def _readable(cls, text: str) -> str:
        parse(text)
        return text

    @property
    def title(self) -> str:
        return f"expression '{self.text[:60]}'"

    @property
    def parameters(self) -> tuple[float, ...]:
        return (1.0, *self.value_parameters[1:])

    @property
    def value_parameters(self) -> tuple[float, ...]:
        code, breakpoints = parse(self.text)
        return (0.0, float(len(breakpoints)), *breakpoints, *code)

    @property
    def breakpoints(self) -> tuple[float, ...]:
        return parse(self.text).breakpoints


expression = Expression
