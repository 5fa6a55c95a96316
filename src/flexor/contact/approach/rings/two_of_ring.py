"""The two nearest points of a ring that are beside each other no more: where it lies across an edge, or leans on both sides of a bore.

Between both the distance rises. Each has a place of its own, which keeps what it remembers: they are told apart by where they are along a direction that belongs to a, in which no two
places of a part are likely to be as far out. Of a ring that is nearest at one point alone the second place is far.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from flexor.contact.approach.pair import far, plain
from flexor.contact.approach.rings.ring import PLACES, refined
from flexor.law.dual import cos, sin
from flexor.law.primitives import called
from flexor.law.tuples import add, column, mv, scale, sub

RISES = 1e-9
"""Difference of distances from place to place, in parts of the radius, that is one."""
OUT = 0.6133, 0.5371, 0.5791
"""The direction that tells them apart."""
TURN = 6.283185307179586


@cache
def two_lowest(distance: Callable) -> Callable:
    """(φ of the one farther out, φ of the other one, how many there are), of the places of a ring that are lower than those beside them the two lowest; plain numbers."""

    @called
    def find(a, center, e_1, e_2, rho):  # type: ignore[no-untyped-def]
        first, second, low, lower = -1, -1, 1e300, 1e300
        before = distance(a, _at(center, e_1, e_2, rho, PLACES - 1))[0]
        here = distance(a, _at(center, e_1, e_2, rho, 0))[0]
        for i in range(PLACES):
            after = distance(a, _at(center, e_1, e_2, rho, i + 1))[0]
            if here < before - RISES * rho and here <= after + RISES * rho:
                if here < lower:
                    first, second, low, lower = i, first, lower, here
                elif here < low:
                    second, low = i, here
            before, here = here, after
        if first >= 0 and second >= 0:
            e = sub(_at(center, e_1, e_2, rho, second), _at(center, e_1, e_2, rho, first))
            if e[0] * OUT[0] + e[1] * OUT[1] + e[2] * OUT[2] > 0.0:
                first, second = second, first
        count = (1 if first >= 0 else 0) + (1 if second >= 0 else 0)
        return TURN * max(first, 0) / PLACES, TURN * second / PLACES, count

    return find


def _at(center, e_1, e_2, rho, i):
    """One of the places."""
    angle = TURN * i / PLACES
    return add(center, add(scale(rho * cos(angle), e_1), scale(rho * sin(angle), e_2)))


@cache
def two_of_rings(ring: Callable, distance: Callable) -> Callable:
    """Both nearest points of each ring of b on a solid a: place 2k and 2k + 1 of the k-th."""
    find, refine = two_lowest(distance), refined(distance)

    def approach(a, b, p, R, k):  # type: ignore[no-untyped-def]
        rho, z, tube = ring(b, k // 2)
        center = add(p, mv(R, (0.0, 0.0, z)))
        e_1, e_2 = column(R, 0), column(R, 1)
        one, other, count = find(a, plain(center), plain(e_1), plain(e_2), rho)
        if k % 2 == 1 and count < 2:
            return far(p, R)
        d, n, y = refine(a, center, e_1, e_2, rho, other if k % 2 == 1 else one)
        g = d - tube
        return g, n, sub(y, scale(tube + 0.5 * g, n))

    return approach
