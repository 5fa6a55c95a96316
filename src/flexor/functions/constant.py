"""Constant: the same value everywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar, Literal

from pydantic import Field

from flexor.declaration import Number
from flexor.functions.function import Function
from flexor.functions.measure import Misfit
from flexor.units import Dimension


def constant_evaluator(p, x, out):
    out[0] = p[0]
    out[1] = 0.0
    out[2] = 0.0
    out[3] = p[0] * x
    return 0


class Constant(Function):
    """f(x) = value. A plain number stands for it wherever a function is expected."""

    positional: ClassVar[tuple[str, ...]] = ("value",)
    value_fields: ClassVar[tuple[str, ...]] = ("value",)
    evaluator: ClassVar[Callable[..., int]] = staticmethod(constant_evaluator)
    type: Literal["constant"] = "constant"
    value: Number = Field(description="The value, e.g. 5 or 3000 rpm.")

    def misfits(self, values: Dimension | None, argument: Dimension | None) -> Iterator[Misfit]:
        """As of all functions; a constant is called by the field it stands in, as it is mostly written there."""
        return (Misfit((), each.problem) for each in super().misfits(values, argument))

    @property
    def varies(self) -> bool:
        return False

    @property
    def parameters(self) -> tuple[float, ...]:
        return (self.value,)


constant = Constant
