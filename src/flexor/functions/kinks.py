"""Jumps and corners of a function: where it, its slope or its curvature has two values."""

from __future__ import annotations

import functools
import math
from itertools import pairwise
from typing import NamedTuple

from flexor.errors import LawError
from flexor.functions.function import Function
from flexor.functions.scan import rough, rough_places

NEAR = 1e-9
"""Distance at which a function is looked at on both sides of a point, relative to where that is."""
SMALL = (1e-9, 1e-3)
"""Jumps of f and f′, relative to the largest values around, that are none: curves drawn through close points."""
SLIGHT = 0.05
"""As much for the highest order that is asked for."""
MOST = 1000
"""Points that are looked at."""


class Kink(NamedTuple):
    """A jump of f (order 0), f′ (1, a corner) or f″ (2) at x, and how much it jumps; infinite where it grows beyond all bounds."""

    x: float
    order: int
    by: float


@functools.lru_cache(maxsize=64)
def kinks(function: Function, after: float = 0.0, order: int = 1) -> tuple[Kink, ...]:
    """Jumps of f and of its derivatives up to an order behind x = `after`: at breakpoints, and where formulas show them."""
    points = {x for x in function.breakpoints if x > after}
    if rough(function):
        points |= {x for x in rough_places(function, order) if x > after and all(abs(x - y) > 1e-6 * x for y in points)}
    looks = []
    for x in sorted(points)[:MOST]:
        gap = NEAR * (abs(x) or max(map(abs, points)) or 1.0)
        try:
            looks.append((x, gap, _look(function, x - gap), _look(function, x + gap)))
        except LawError:  # not defined beyond: the run tells, if it comes there
            continue
    if not looks:
        return ()
    between = _between(function, [after, *(x for x, *_ in looks)])
    largest = [
        max((abs(look[k]) for look in (*between, *(side for _, _, *both in looks for side in both))), default=0.0)
        for k in range(3)
    ]
    found = []
    for x, gap, left, right in looks:
        for k in range(order + 1):
            step = right[k] - left[k]
            smooth = 4 * gap * max(abs(left[k + 1]), abs(right[k + 1])) if k < 2 else 0.0
            usual = max((abs(look[k]) for look in between), default=0.0)
            if max(abs(left[k]), abs(right[k])) > 10 * usual and _grows(function, x, gap, k):
                found.append(Kink(x, k, math.inf))
            elif abs(step) > smooth + (SLIGHT if k == order else SMALL[k]) * largest[k]:
                found.append(Kink(x, k, step))
            else:
                continue
            break
    return tuple(found)


def _look(function: Function, x: float) -> tuple[float, float, float]:
    return function(x), function.derivative(x), function.derivative(x, 2)


def _between(function: Function, points: list[float]) -> list[tuple[float, float, float]]:
    """What the function does between points, and behind the last one."""
    ends = [*points, 2 * points[-1] - points[-2]]
    found = []
    for a, b in pairwise(ends):
        for part in (0.23, 0.71):
            try:
                look = _look(function, a + part * (b - a))
            except LawError:
                continue
            if all(map(math.isfinite, look)):
                found.append(look)
    return found


def _grows(function: Function, x: float, gap: float, order: int) -> bool:
    """Whether a derivative grows beyond all bounds towards x, at least as a power of the distance does."""
    for side in (-1, 1):
        try:
            near, far = (_look(function, x + side * by)[order] for by in (gap, 1000 * gap))
        except LawError:
            continue
        if not math.isfinite(near) or abs(near) > 20 * abs(far) > 0:
            return True
    return False


def without_kinks(function: Function, first: Kink, order: int = 1) -> str:
    """What to write for a function of this kind, so that it and its derivatives up to this order have no jumps."""
    if (
        first.x == max(function.breakpoints, default=None)
        and getattr(function, "extrapolation", "") == "hold"
        and first.order
    ):
        return "let the table end with slope zero, or let it go on beyond the run"
    smooth = ', smooth="quintic"' if order > 1 else ""
    remedies = {
        "step": f'give it a width, e.g. width="10 ms"{smooth}',
        "ramp": 'write smooth="quintic"',
        "table": 'write kind="cubic"' if order > 1 else 'write kind="akima" or "cubic"',
    }
    kinds = dict.fromkeys(each.type for each in _parts(function))  # type: ignore[attr-defined]
    return " and ".join(remedies[kind] for kind in kinds if kind in remedies) or (
        'use a ramp, or a table with kind="cubic"'
    )


def _parts(function: Function) -> list[Function]:
    members = getattr(function, "members", ())
    return [part for each in members for part in _parts(each)] if members else [function]
