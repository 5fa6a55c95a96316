"""How near two surfaces are: what is known of a pair, and what turns it round or joins it with another.

A function of approach tells, of two surfaces a and b, the gap g (negative where they overlap), the unit normal n from a to b and the point
of contact x on the common normal, halfway between both:

    approach(a, b, p, R, k) → (g, n, x)

    a, b   records of their numbers (`flexor.contact.surfaces`)
    p, R   pose of b's axes in a's: origin and matrix, as tuples of numbers or dual numbers; n and x are in a's axes, too
    k      which of the places at which they may touch, 0 … places − 1
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from flexor.law.dual import value
from flexor.law.tuples import add, mtv, mv, neg, scale, transpose

Function = Callable
"""approach(a, b, p, R, k)"""
ELSEWHERE = 1e12
"""Gap of a place that is none as the surfaces stand: others tell [m]. Its normal and point mean nothing."""


ORIGIN, AXES = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
"""The pose of a in its own axes."""


@dataclass(frozen=True)
class SurfacePair:
    """How two surfaces approach each other, and at how many places at most.

    Where a search takes long, the function may be of two parts: search(a, b, p, R, k) → (what, i, j), by plain numbers, and told(a, b, p, R, what, i, j), by
    numbers or dual ones; who asks for derivatives at a pose need not search again.
    """

    function: Function
    places: int = 1
    search: Function | None = None
    told: Function | None = None
    lines: int = 0
    """How many lines the first places are of, three each (`flexor.contact.approach.lines.along`)."""


def far(p, R):
    """What a place tells that is none."""
    zero = 0.0 * (p[0] + R[0])
    return ELSEWHERE + zero, (zero, zero, zero + 1.0), add(scale(0.5, p), (zero, zero, zero))


def plain(u):
    """A vector without derivatives."""
    return (value(u[0]), value(u[1]), value(u[2]))


def plain_axes(R):
    """A matrix without derivatives."""
    return (*plain(R[0:3]), *plain(R[3:6]), *plain(R[6:9]))


def turned(pair: SurfacePair) -> SurfacePair:
    """The same pair in the other order."""
    if pair.search is None or pair.told is None:
        return SurfacePair(_turned(pair.function), pair.places, lines=pair.lines)
    return SurfacePair(_turned(pair.function), pair.places, _turned_search(pair.search), _turned_told(pair.told))


def joined(one: SurfacePair, other: SurfacePair) -> SurfacePair:
    """All places of both, one after the other; those of lines first."""
    if other.lines and one.places > 3 * one.lines:
        one, other = other, one
    assert not other.lines or one.places == 3 * one.lines
    function = _joined(one.function, other.function, one.places)
    return SurfacePair(function, one.places + other.places, lines=one.lines + other.lines)


def nearer(one: SurfacePair, other: SurfacePair) -> SurfacePair:
    """One place: that of two at which they are nearer."""
    return SurfacePair(_nearer(one.function, other.function))


@cache
def _turned(function: Function) -> Function:
    def approach(a, b, p, R, k):  # type: ignore[no-untyped-def]
        g, n, x = function(b, a, neg(mtv(R, p)), transpose(R), k)
        return g, neg(mv(R, n)), add(p, mv(R, x))

    return approach


@cache
def _turned_search(function: Function) -> Function:
    def search(a, b, p, R, k):  # type: ignore[no-untyped-def]
        return function(b, a, neg(mtv(R, p)), transpose(R), k)

    return search


@cache
def _turned_told(function: Function) -> Function:
    def told(a, b, p, R, what, i, j):  # type: ignore[no-untyped-def]
        g, n, x = function(b, a, neg(mtv(R, p)), transpose(R), what, i, j)
        return g, neg(mv(R, n)), add(p, mv(R, x))

    return told


@cache
def _joined(one: Function, other: Function, places: int) -> Function:
    def approach(a, b, p, R, k):  # type: ignore[no-untyped-def]
        if k < places:
            return one(a, b, p, R, k)
        return other(a, b, p, R, k - places)

    return approach


@cache
def _nearer(one: Function, other: Function) -> Function:
    def approach(a, b, p, R, k):  # type: ignore[no-untyped-def]
        found, second = one(a, b, p, R, k), other(a, b, p, R, k)
        if second[0] < found[0] - 1e-12 * abs(found[0]):
            return second
        return found

    return approach
