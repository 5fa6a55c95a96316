"""Expression: a formula in one variable, e.g. 2*sin(3*t), or of sensors, e.g. 2*tilt - 0.5*spin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Literal, Self

from pydantic import Field, field_validator, model_validator

from flexor.functions.function import Function
from flexor.functions.parser import parse
from flexor.functions.program import run_program
from flexor.functions.quadrature import with_integral
from flexor.functions.several import Several, of_formula


class Expression(Function):
    """A formula in t (or in x, which means the same), or of sensors by their names, in SI units.

    Numbers, pi, e; + − * / ^ (or **), parentheses; < <= > >= == != (1 if true, else 0), and, or, not; sin cos
    tan asin acos atan sinh cosh tanh exp log log10 sqrt abs sign floor of one argument, atan2(y, x), mod(a,
    b), min(…), max(…), step(x) = 1 for x ≥ 0 else 0, and if(condition, value, other value). Angles are in
    radians, log is the natural logarithm.

    Where a function may depend on sensors, 2*tilt - 0.5*spin*sin(t) is one of two sensors and of time; a name that has
    spaces or other signs, or that means something else already, stands in quotes: 2*'left wheel'.

    Derivatives are exact; at a kink they are those of one side. The integral is found numerically (see
    `flexor.functions.quadrature`). The formula is read by a parser of its own; it cannot run code.
    """

    positional: ClassVar[tuple[str, ...]] = ("text",)
    evaluator: ClassVar[Callable[..., int]] = staticmethod(with_integral(run_program))
    type: Literal["expression"] = "expression"
    text: str = Field(description="The formula, e.g. 2*sin(3*t), or 2*tilt - 0.5*spin of two sensors.")

    @field_validator("text")
    @classmethod
    def _readable(cls, text: str) -> str:
        parse(text)
        return text

    @model_validator(mode="after")
    def _one_way_to_name_sensors(self) -> Self:
        names = [name for name in parse(self.text).arguments if name is not None]
        if self.sensor is not None and names:
            raise ValueError(
                f"the formula names '{names[0]}', and there is sensor: {self.sensor}, too; "
                "write t for that one, or name all sensors in the formula and leave out sensor"
            )
        return self

    @property
    def varies(self) -> bool:
        return bool(parse(self.text).arguments)

    @property
    def arguments(self) -> tuple[str | None, ...]:
        found = parse(self.text).arguments
        return (self.sensor,) if found == (None,) else found

    def of_several(self, things: Sequence[str | None]) -> Several:
        if not self.several:
            return super().of_several(things)
        return of_formula(parse(self.text).code, [things.index(name) for name in self.arguments])

    @property
    def title(self) -> str:
        return f"expression '{self.text[:60]}'"

    @property
    def parameters(self) -> tuple[float, ...]:
        return (1.0, *self.value_parameters[1:])

    @property
    def value_parameters(self) -> tuple[float, ...]:
        code, breakpoints, _ = parse(self.text)
        return (0.0, float(len(breakpoints)), *breakpoints, *code)

    @property
    def breakpoints(self) -> tuple[float, ...]:
        return parse(self.text).breakpoints


expression = Expression
