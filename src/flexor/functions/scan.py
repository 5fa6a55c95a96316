"""Jumps, corners and poles of formulas, which know only some of their breakpoints: found by halving intervals."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

import numpy as np

from flexor.errors import LawError
from flexor.functions.expression import Expression
from flexor.functions.function import Function

SPANS = ((0.0, 1.0), (1.0, 10.0), (10.0, 100.0))
"""Where formulas are looked at, one after the other until something is found."""
INTERVALS = 1000
"""Into which each span is divided."""
TRIED = 40
"""Intervals that are halved, at most, of each span and order."""
ROUGH = re.compile(
    r"\b(abs|sign|floor|mod|min|max|step|if|tan|atan2|sqrt|log|log10|asin|acos|and|or|not)\b|[<>=!/^]|\*\*"
)
"""What a formula needs for a jump, a corner or a pole."""


def rough(function: Function) -> bool:
    """Whether there are formulas in it that may have jumps and corners where only their values tell."""
    members = getattr(function, "members", ())
    return any(map(rough, members)) or (isinstance(function, Expression) and bool(ROUGH.search(function.text)))


def rough_places(function: Function, order: int) -> list[float]:
    """Places behind x = 0 where f, f′ or f″, up to `order`, seem to jump or to grow beyond all bounds."""
    for begin, end in SPANS:
        x = np.linspace(begin, end, INTERVALS + 1)
        found: set[float] = set()
        for k in range(order + 1):
            try:
                found |= set(_jumps(function, k, x))
            except LawError:  # not defined everywhere: the run tells, if it comes there
                return sorted(found)
        if found:
            return sorted(found)
    return []


def _jumps(function: Function, order: int, x: np.ndarray) -> list[float]:
    """Where the derivative of this order changes over an interval otherwise than its own rate tells, however short that is."""
    off = _misfit(function, order)
    values, rates = _values(function, order, x), _rates(function, order, x)
    with np.errstate(invalid="ignore", over="ignore"):
        change = np.abs(np.diff(values) - 0.5 * np.diff(x) * (rates[1:] + rates[:-1]))
    change[~np.isfinite(change)] = np.inf
    usual = float(np.median(change)) + 1e-9 * float(np.abs(values[np.isfinite(values)]).max(initial=0.0))
    places: list[float] = []
    for i in np.flatnonzero(change > 4 * usual)[:TRIED]:
        place = _halved(off, float(x[i]), float(x[i + 1]))
        if place is not None and place > 0 and not any(abs(place - other) < 1e-6 * place for other in places):
            places.append(place)
    return places


def _halved(off: Callable[[float, float], float], a: float, b: float) -> float | None:
    """Where in an interval the change sits that stays when the interval shrinks; None if it fades, as a smooth one does."""
    first = off(a, b)
    for count in range(60):
        middle = 0.5 * (a + b)
        if b - a <= 1e-12 * abs(b):
            break
        left, right = off(a, middle), off(middle, b)
        a, b = (a, middle) if left >= right else (middle, b)
        if count >= 6 and max(left, right) < 0.3 * first:
            return None
    return 0.5 * (a + b)


def _misfit(function: Function, order: int) -> Callable[[float, float], float]:
    def off(a: float, b: float) -> float:
        ends = np.array([a, b])
        values, rates = _values(function, order, ends), _rates(function, order, ends)
        with np.errstate(invalid="ignore", over="ignore"):
            change = abs(values[1] - values[0] - 0.5 * (b - a) * (rates[0] + rates[1]))
        return float(change) if math.isfinite(change) else math.inf

    return off


def _values(function: Function, order: int, x: np.ndarray) -> np.ndarray:
    return function.derivative(x, order) if order else function(x)


def _rates(function: Function, order: int, x: np.ndarray) -> np.ndarray:
    return function.derivative(x, order + 1) if order < 2 else np.zeros_like(x)
