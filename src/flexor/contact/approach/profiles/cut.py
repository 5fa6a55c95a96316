"""Solids with one corner that opens outwards, an angle bracket: both sides of it touch by themselves, and meet at a cut elsewhere.

Beside the cut, a corner like others, the solid is one: there its nearest place is looked for on all of it, and belongs to that side of the cut on which it is. The other side tells what is elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from flexor.contact.approach.pair import far
from flexor.contact.approach.polyhedra.shallower import NEAR
from flexor.law.dual import value
from flexor.law.primitives import called
from flexor.law.tuples import dot, sub


@cache
def beside_cut(whole: Callable, sided: Callable, number: int, owner: Callable) -> Callable:
    """The places of b on a side of the solid a; whole: on all of it, sided: on this side alone; owner(a, x): number of the side that is nearest to a point."""

    @called
    def approach(a, b, p, R, k):  # type: ignore[no-untyped-def]
        first, own = whole(a, b, p, R, 0), sided(a, b, p, R, 0)
        at = (value(first[2][0]), value(first[2][1]), value(first[2][2]))
        if first[0] < own[0]:
            if owner(a, at) == number:
                return first if k == 0 else whole(a, b, p, R, k)
            e = sub(own[2], first[2])
            if own[0] < 0.0 and dot(e, e) < NEAR * NEAR * own[0] * own[0]:
                return far(p, R)  # the same corner, past the cut
        return own if k == 0 else sided(a, b, p, R, k)

    return approach
