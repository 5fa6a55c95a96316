"""What a function measures: whether the units written in it fit each other and the place where it is used.

A number without a unit is in SI units of whatever is needed there. In a product, where one factor has a unit, factors without one
count as pure numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from flexor.declaration import Declaration
from flexor.errors import LawError, Problem, UnitError
from flexor.units import Dimension, Measured

if TYPE_CHECKING:
    from flexor.functions.function import Function

Path = tuple[str | int, ...]
Argument = Dimension | Mapping[str | None, Dimension | None] | None
"""What the argument of a function measures; of several things, what each of them does, as far as that is known."""


def seen_by(function: Function, argument: Argument) -> Any:
    """What the argument of a member measures: of a member that is a function of one thing alone, what that does."""
    if not isinstance(argument, Mapping) or function.several:
        return argument
    return next((argument.get(name) for name in function.arguments), None)


class Misfit(NamedTuple):
    """A value whose unit does not fit: its place in the function, and what is wrong (`where` is the value as written)."""

    path: Path
    problem: Problem

    def inside(self, *path: str | int) -> Misfit:
        """The same, seen from a function that holds this one."""
        return Misfit((*path, *self.path), self.problem)


def written(declaration: Declaration, fields: Iterable[str]) -> Iterator[tuple[Path, Measured]]:
    """The values in these fields that were written with a unit."""
    for field in fields:
        value = getattr(declaration, field)
        if isinstance(value, tuple):
            yield from (((field, i), each) for i, each in enumerate(value) if type(each) is Measured)
        elif type(value) is Measured:
            yield (field,), value


def misfit(path: Path, value: Measured, expected: Dimension | None) -> Iterator[Misfit]:
    """The value, if it does not measure what is expected; None takes any."""
    if expected is not None and (problem := expected.refusal(value.text)):
        yield Misfit(path, problem)


def least_known(function: Function) -> tuple[float, float]:
    """The least value of a function of time that shows at t = 0 and at later breakpoints, and when; ∞ where it has none."""
    points = sorted({0.0, *(point for point in function.breakpoints if point > 0)})
    least = math.inf, 0.0
    for x in points[:: 1 + len(points) // 1000]:
        try:
            least = min(least, (function(x), x))
        except LawError:
            continue  # the run tells, if it comes there
    return least


def refuse(misfits: Iterable[Misfit]) -> None:
    """Raise UnitError if there are any."""
    found = list(misfits)
    if found:
        raise UnitError([each.problem for each in found], [each.path for each in found])
