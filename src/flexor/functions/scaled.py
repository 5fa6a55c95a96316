"""Scaled: another function times a number."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from flexor.declaration import Number
from flexor.functions.composite import Composite
from flexor.functions.constant import Constant
from flexor.functions.function import Function
from flexor.functions.measure import Argument, Misfit
from flexor.functions.product import product_measures, product_misfits
from flexor.functions.several import Several
from flexor.law.primitives import at
from flexor.units import Dimension

if TYPE_CHECKING:
    from flexor.functions.any_function import AnyFunction


@functools.cache
def scaled_evaluator(member: Callable) -> Callable:
    """p = factor, parameters of the member"""

    def scaled(p, x, out):
        status = member(at(p, 1), x, out)
        for i in range(4):
            out[i] *= p[0]
        return status

    return scaled


class Scaled(Composite):
    """factor · function. In Python it is also written 2 * f or -f."""

    positional: ClassVar[tuple[str, ...]] = ("factor", "function")
    type: Literal["scaled"] = "scaled"
    factor: Number = Field(description="What the function is multiplied by.")
    function: AnyFunction = Field(description="The function.")

    @property
    def members(self) -> tuple[Function, ...]:
        return (self.function,)

    @property
    def _factors(self) -> tuple[Function, Function]:
        return Constant(value=self.factor), self.function

    def measures(self, argument: Argument = None) -> Dimension | None:
        return product_measures(self._factors, argument)

    def of_several(self, things: Sequence[str | None]) -> Several:
        evaluator, parameters = self.function.of_several(things)
        return scaled_evaluator(evaluator), (self.factor, *parameters)

    def misfits(self, values: Dimension | None, argument: Argument) -> Iterator[Misfit]:
        return product_misfits(self._factors, (("factor",), ("function",)), values, argument or self.argument_measures)

    @property
    def evaluator(self) -> Callable[..., int]:  # type: ignore[override]
        return scaled_evaluator(self.function.evaluator)

    @property
    def parameters(self) -> tuple[float, ...]:
        return (self.factor, *self.function.parameters)

    @property
    def value_parameters(self) -> tuple[float, ...]:
        return (self.factor, *self.function.value_parameters)
