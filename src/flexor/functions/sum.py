"""Sum: several functions added up, e.g. a ramp with a vibration on top."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from flexor.functions.composite import Composite
from flexor.functions.function import Function
from flexor.functions.measure import Argument, Misfit, seen_by
from flexor.functions.several import Several, added, folded
from flexor.law.primitives import at
from flexor.units import Dimension, Quantity

if TYPE_CHECKING:
    from flexor.functions.any_function import AnyFunction


@functools.cache
def group_evaluator(member: Callable) -> Callable:
    """Sum of terms of one kind: p = number of terms, of floats; per term: number of its floats, these"""

    def group(p, x, out):
        f = 0.0
        f1 = 0.0
        f2 = 0.0
        integral = 0.0
        failed = 0
        place = 2
        for _ in range(int(p[0])):
            status = member(at(p, place + 1), x, out)
            if status != 0:
                failed = status
            f += out[0]
            f1 += out[1]
            f2 += out[2]
            integral += out[3]
            place += 1 + int(p[place])
        out[0] = f
        out[1] = f1
        out[2] = f2
        out[3] = integral
        return failed

    return group


@functools.cache
def pair_evaluator(first: Callable, rest: Callable) -> Callable:
    """Sum of a group and of what follows it in p."""

    def pair(p, x, out):
        failed = first(p, x, out)
        f = out[0]
        f1 = out[1]
        f2 = out[2]
        integral = out[3]
        status = rest(at(p, 2 + int(p[1])), x, out)
        out[0] += f
        out[1] += f1
        out[2] += f2
        out[3] += integral
        return status if status != 0 else failed

    return pair


class Sum(Composite):
    """f₁(x) + f₂(x) + … In Python it is also written f + g."""

    positional: ClassVar[tuple[str, ...]] = ("terms",)
    type: Literal["sum"] = "sum"
    terms: tuple[AnyFunction, ...] = Field(description="The functions to add.", min_length=1, max_length=1000)

    @classmethod
    def of(cls, *functions: Function | Quantity) -> Sum:
        """The sum of functions, sums among them resolved into their terms."""
        terms: list[Function | Quantity] = []
        for function in functions:
            terms += function.terms if isinstance(function, Sum) else [function]
        return cls(terms=tuple(terms))

    @property
    def members(self) -> tuple[Function, ...]:
        return self.terms

    def measures(self, argument: Argument = None) -> Dimension | None:
        return next((found for term in self.terms if (found := term.measures(seen_by(term, argument)))), None)

    def misfits(self, values: Dimension | None, argument: Argument) -> Iterator[Misfit]:
        argument = argument or self.argument_measures
        values = values or self.measures(argument)
        for i, term in enumerate(self.terms):
            yield from (each.inside("terms", i) for each in term.misfits(values, seen_by(term, argument)))

    def of_several(self, things: Sequence[str | None]) -> Several:
        return folded([term.of_several(things) for term in self.terms], added)

    @property
    def _groups(self) -> dict[Callable, list[Function]]:
        """Terms by evaluator, in order of first appearance."""
        groups: dict[Callable, list[Function]] = {}
        for term in self.terms:
            groups.setdefault(term.evaluator, []).append(term)
        return groups

    @property
    def evaluator(self) -> Callable[..., int]:  # type: ignore[override]
        *before, last = [group_evaluator(member) for member in self._groups]
        return functools.reduce(lambda rest, first: pair_evaluator(first, rest), reversed(before), last)

    def _packed(self, parameters: Callable[[Function], tuple[float, ...]]) -> tuple[float, ...]:
        packed: list[float] = []
        for terms in self._groups.values():
            floats: list[float] = []
            for term in terms:
                own = parameters(term)
                floats += [float(len(own)), *own]
            packed += [float(len(terms)), float(len(floats)), *floats]
        return tuple(packed)

    @property
    def parameters(self) -> tuple[float, ...]:
        return self._packed(lambda term: term.parameters)

    @property
    def value_parameters(self) -> tuple[float, ...]:
        return self._packed(lambda term: term.value_parameters)
