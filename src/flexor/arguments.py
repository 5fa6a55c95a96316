"""Arguments of an analysis, refused in words where they make no sense: modes(0), statics(load_steps=-1), modes(at="strat")."""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Integral

from flexor.errors import ModelError, Problem
from flexor.mistakes import suggestion
from flexor.units import Quantity, si


def whole(analysis: str, name: str, value: object, least: int = 1) -> int:
    """A whole number, no less than `least`."""
    if isinstance(value, bool) or not isinstance(value, Integral) or int(value) < least:
        what = f"{name} = {value!r} is no whole number from {least} on"
        raise ModelError(Problem(analysis, what, "", f"write e.g. {name}={max(least, 10)}"))
    return int(value)


def quantity_of(analysis: str, name: str, value: Quantity, dimension: str, least: float = -math.inf) -> float:
    """A finite value in SI units, greater than `least`."""
    try:
        number = si(value, dimension)
    except ValueError as error:
        raise ModelError(Problem(analysis, f"{name}: {error}")) from None
    if not isinstance(number, float) or not math.isfinite(number):
        raise ModelError(Problem(analysis, f"{name} = {value!r} is no finite number"))
    if number <= least:
        raise ModelError(Problem(analysis, f"{name} = {value!r} is not greater than {least:g}", "", "check its sign"))
    return number


def one_of(analysis: str, name: str, value: object, choice: Iterable[str]) -> str:
    """One of the words of a choice."""
    choice = list(choice)
    if not isinstance(value, str) or value not in choice:
        raise ModelError(
            Problem(analysis, f"{name} = {value!r} is unknown", "", suggestion(str(value), choice, "choose"))
        )
    return value
