"""Product: several functions multiplied, e.g. a sine under an envelope."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from flexor.errors import Problem
from flexor.functions.composite import Composite
from flexor.functions.function import Function
from flexor.functions.measure import Argument, Misfit, Path, seen_by
from flexor.functions.quadrature import with_integral
from flexor.functions.several import Several, folded
from flexor.law.primitives import at
from flexor.units import Dimension

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


def product_measures(factors: Sequence[Function], argument: Argument) -> Dimension | None:
    """What a product measures: factors without a unit count as pure numbers, unless all are."""
    known = [found for factor in factors if (found := factor.measures(seen_by(factor, argument)))]
    return functools.reduce(Dimension.times, known) if known else None


def product_misfits(
    factors: Sequence[Function], places: Sequence[Path], values: Dimension | None, argument: Argument
) -> Iterator[Misfit]:
    """What does not fit in a product whose factors stand at these places in it."""
    known = [factor.measures(seen_by(factor, argument)) for factor in factors]
    alone = sum(found is not None for found in known) == 1
    for factor, place, own in zip(factors, places, known, strict=True):
        for each in factor.misfits(values if alone and own else None, seen_by(factor, argument)):
            yield each.inside(*place)
    whole = product_measures(factors, argument)
    if values is not None and whole is not None and not alone and not values.takes(whole.without_radians):
        why = f"{values.name or 'it'} is measured in {values.unit}" if values.unit else "a pure number is expected"
        yield Misfit((), Problem("a product", f"its factors give {whole.unit}", why, "check the units of its factors"))


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

    def measures(self, argument: Argument = None) -> Dimension | None:
        return product_measures(self.factors, argument)

    def of_several(self, things: Sequence[str | None]) -> Several:
        return folded([factor.of_several(things) for factor in self.factors], product_values)

    def misfits(self, values: Dimension | None, argument: Argument) -> Iterator[Misfit]:
        places: list[Path] = [("factors", i) for i in range(len(self.factors))]
        return product_misfits(self.factors, places, values, argument or self.argument_measures)

    @property
    def evaluator(self) -> Callable[..., int]:  # type: ignore[override]
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
