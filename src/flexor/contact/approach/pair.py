"""How near two surfaces are: the table entry of a pair, and what turns it round.

A function of approach tells, of two surfaces a and b, the gap g (negative where they overlap), the unit normal n from a to b and the point
of contact x on the common normal, halfway between both:

    approach(a, b, p, R, k) → (g, n, x)

    a, b   records of their numbers (`flexor.contact.surfaces`)
    p, R   pose of b's axes in a's: origin and matrix, as tuples of numbers or dual numbers; n and x are in a's axes, too
    k      which of the places at which they may touch, 0 … places − 1

Where they touch at one place only the function may leave k out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from flexor.law.tuples import add, mtv, mv, neg, transpose

Function = Callable
"""approach(a, b, p, R, k)"""


@dataclass(frozen=True)
class Pair:
    """How two kinds of surfaces approach each other, and at how many places at most."""

    function: Function
    places: int = 1


def pair(function: Callable, places: int = 1) -> Pair:
    """An entry of the table; the function takes k if there are several places."""
    return Pair(function if places > 1 else _at_one_place(function), places)


@cache
def turned(pair: Pair) -> Pair:
    """The same pair in the other order."""
    function = pair.function

    def approach(a, b, p, R, k):  # type: ignore[no-untyped-def]
        g, n, x = function(b, a, neg(mtv(R, p)), transpose(R), k)
        return g, neg(mv(R, n)), add(p, mv(R, x))

    return Pair(approach, pair.places)


def _at_one_place(function: Callable) -> Function:
    def approach(a, b, p, R, k):  # type: ignore[no-untyped-def]
        return function(a, b, p, R)

    return approach
