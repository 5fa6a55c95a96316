"""A cylinder b against a solid a: the line of its axis with a radius about it, and beyond its ends its rims.

The point of the axis nearest to a solid is where the distance d of y(s) = p + s u has d' = n · u = 0: the nearest of some places, from there
Newton's iteration with d'' = u · ∇∇d · u. If it is one of the ends, the rim is what touches (`flexor.contact.approach.ring`). An axis that is
everywhere as near, along a parallel one, touches in its middle, or as near to it as it gets.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from flexor.contact.approach.ring import bent, nearest_of_ring
from flexor.law.tuples import add, column, dot, scale, sub

PLACES = 8
"""Of each half of an axis."""
STEPS = 40
CLOSE = 1e-13
"""Change of s that is none, in parts of the half length."""


@cache
def nearest_of_axis(distance: Callable) -> Callable:
    """(s, d, n): the point of an axis nearest to a solid a, between its ends."""

    def nearest(a, p, u, half):  # type: ignore[no-untyped-def]
        zero = 0.0 * (p[0] + u[0])
        at, best = zero, 1e300 + zero
        for i in range(2 * PLACES + 1):
            s = half * ((i + 1) // 2) / PLACES
            if i & 1:
                s = -s
            d, _, _, _, _ = distance(a, add(p, scale(s, u)))
            if d < best - 1e-12 * half:
                at, best = s + zero, d + zero
        more = 2
        for _ in range(STEPS):
            d, n, t, k, c = distance(a, add(p, scale(at, u)))
            first = half * dot(n, u)
            second = half * half * bent(t, k, c, n, u)
            if abs(second) < 1e-12 * half and abs(first) < 1e-12 * half:
                break
            if second > 1e-9 * abs(first):
                change = -first / second
            else:
                change = -first / half
            if change > 1.0 / PLACES:
                change = 1.0 / PLACES + zero
            if change < -1.0 / PLACES:
                change = zero - 1.0 / PLACES
            at = at + half * change
            if at > half:
                at = half + zero
            if at < -half:
                at = zero - half
            if abs(change) < CLOSE:
                more -= 1
                if more == 0:
                    break
        d, n, _, _, _ = distance(a, add(p, scale(at, u)))
        return at, d + zero, n

    return nearest


@cache
def cylinder_on(distance: Callable) -> Callable:
    """The nearest place of a cylinder b, without its flat ends, on a solid a."""
    nearest, nearest_of_rim = nearest_of_axis(distance), nearest_of_ring(distance)

    def approach(a, b, p, R, k):  # type: ignore[no-untyped-def]
        u = column(R, 2)
        s, d, n = nearest(a, p, u, b.half)
        if s < b.half and s > -b.half:
            y = add(p, scale(s, u))
            g = d - b.radius
            return g, n, sub(y, scale(b.radius + 0.5 * g, n))
        end = b.half if s > 0.0 else -b.half
        d, n, y = nearest_of_rim(a, add(p, scale(end, u)), column(R, 0), column(R, 1), b.radius)
        return d, n, sub(y, scale(0.5 * d, n))

    return approach
