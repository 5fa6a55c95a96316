"""Product: several functions multiplied, e.g. a sine under an envelope."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field

from flexor.functions.composite import Composite
from flexor.functions.function import Function
from flexor.functions.quadrature import with_integral
from flexor.law.primitives import at

if TYPE_CHECKING:
    from flexor.functions.any_function import AnyFunction


@functools.cache
def product_values(first: Callable, rest: Callable) -> Callable:
    """Product of two functions: p = number of floats of the first, these floats, floats of the rest"""

    def product(p, x, out):
        status = first(at(p, 1), x, out)
        if status != 0:
            return status
        a = out[0]
        a1 = out[1]
        a2 = out[2]
        status = rest(at(p, 1 + int(p[0])), x, out)
        b = out[0]
        b1 = out[1]
        b2 = out[2]
        out[0] = a * b
        out[1] = a1 * b + a * b1
        out[2] = a2 * b + 2.0 * a1 * b1 + a * b2
        out[3] = math.nan
        return status

    return product


class Product(Composite):
    """f₁(x) · f₂(x) · … In Python it is also written f * g.

    The integral is found numerically (see `flexor.functions.quadrature`).
    """

    positional: ClassVar[tuple[str, ...]] = ("factors",)
    type: Literal["product"] = "product"
    factors: tuple[AnyFunction, ...] = Field(description="The functions to multiply.", min_length=2, max_length=8)

    @property
    def members(self) -> tuple[Function, ...]:
        return self.factors

    @property
    def evaluator(self) -> Any:  # type: ignore[override]
        *before, last = [factor.evaluator for factor in self.factors]
        values = functools.reduce(lambda rest, first: product_values(first, rest), reversed(before), last)
        return with_integral(values)

    @property
    def parameters(self) -> tuple[float, ...]:
        return (1.0, *self.value_parameters[1:])

    @property
    def value_parameters(self) -> tuple[float, ...]:
        points = self.breakpoints
        packed = [0.0, float(len(points)), *points]
        for factor in self.factors[:-1]:
            own = factor.value_parameters
            packed += [float(len(own)), *own]
        return (*packed, *self.factors[-1].value_parameters)
