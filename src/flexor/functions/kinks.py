"""Jumps and corners of a function: where it, or its slope, has two values."""

from __future__ import annotations

from typing import NamedTuple

from flexor.errors import LawError
from flexor.functions.function import Function

NEAR = 1e-9
"""Distance at which a function is looked at on both sides of a point, relative to where that is."""
SMALL = 1e-3
"""Jump of a slope, relative to the largest slope around, that is no corner: curves drawn through close points."""
MOST = 1000
"""Points that are looked at."""


class Kink(NamedTuple):
    """A jump of f (order 0) or a corner, a jump of f′ (order 1), at x, and how much it jumps."""

    x: float
    order: int
    by: float


def kinks(function: Function, after: float = 0.0, order: int = 1) -> list[Kink]:
    """Jumps of f, and of f′ if order is 1, behind x = `after`, as far as the function knows its breakpoints."""
    points = [x for x in function.breakpoints if x > after][:MOST]
    sides = []
    for x in points:
        gap = NEAR * abs(x)
        try:
            left, right = [
                (function(at), function.derivative(at), function.derivative(at, 2)) for at in (x - gap, x + gap)
            ]
        except LawError:  # not defined beyond: the run tells, if it comes there
            continue
        sides.append((x, gap, left, right))
    steepest = max((abs(side[1]) for _, _, *both in sides for side in both), default=0.0)
    largest = max((abs(side[0]) for _, _, *both in sides for side in both), default=0.0)
    found = []
    for x, gap, left, right in sides:
        smooth, smooth_slope = [2 * gap * max(abs(left[i]), abs(right[i])) for i in (1, 2)]
        step, bend = right[0] - left[0], right[1] - left[1]
        if abs(step) > 2 * smooth + 1e-9 * largest:
            found.append(Kink(x, 0, step))
        elif order == 1 and abs(bend) > 2 * smooth_slope + SMALL * steepest:
            found.append(Kink(x, 1, bend))
    return found


def without_kinks(function: Function, first: Kink) -> str:
    """What to write for a function of this kind, so that it and its slope have no jumps."""
    if first.x == function.breakpoints[-1] and getattr(function, "extrapolation", "") == "hold" and first.order:
        return "let the table end with slope zero, or let it go on beyond the run"
    remedies = {
        "step": 'give it a width, e.g. width="10 ms"',
        "ramp": 'write smooth="quintic"',
        "table": 'write kind="akima" or "cubic"',
    }
    kinds = dict.fromkeys(each.type for each in _parts(function))  # type: ignore[attr-defined]
    return " and ".join(remedies[kind] for kind in kinds if kind in remedies) or (
        'use a ramp, or a table with kind="cubic"'
    )


def _parts(function: Function) -> list[Function]:
    members = getattr(function, "members", ())
    return [part for each in members for part in _parts(each)] if members else [function]
