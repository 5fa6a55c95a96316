"""A cylinder or cone b against a solid a: spheres along its axis, and beyond its ends its rims.

The wall of a cone is what spheres about the places of its axis have in common to touch, whose radius changes evenly, r(s) = r_0 + k s; k = −sin γ with the slope γ
of its generators, none of a cylinder. The place nearest to a solid is where  d(y) − r  of y(s) = p + s u  has  n · u = k:  the nearest of some places, from there
Newton's iteration with d'' = u · ∇∇d · u. If it is one of the ends, a rim touches (`flexor.contact.approach.rings.rim`). An axis that is
everywhere as near, along a parallel one, touches in its middle, or as near to it as it gets.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from flexor.contact.approach.pair import far, plain, plain_axes
from flexor.contact.approach.rings.rim import rims_on
from flexor.contact.approach.rings.ring import bent
from flexor.law.dual import value
from flexor.law.primitives import called
from flexor.law.tuples import add, column, dot, scale, sub

PLACES = 8
"""Of each half of an axis."""
STEPS = 40
SAME = 1e-10
"""Difference of gaps that is none [m]."""
CLOSE = 1e-13
"""Change of s that is none, in parts of the half length."""


@cache
def place_of_axis(distance: Callable) -> Callable:
    """(s, inner): the lowest of some places of an axis, and of those that are lower than both beside them; inner = 2 half where there is none. Plain numbers."""

    @called
    def place(a, p, u, half, slope):  # type: ignore[no-untyped-def]
        at, best, inner, lowest = 0.0, 1e300, 2.0 * half, 1e300
        before, last = 1e300, 1e300
        for i in range(-PLACES, PLACES + 1):
            s = half * i / PLACES
            d, _, _, _, _ = distance(a, add(p, scale(s, u)))
            h = d - slope * s
            if h < best - 1e-12 * half or (h < best + 1e-12 * half and abs(s) < abs(at)):
                at, best = s, min(h, best)
            if i > 1 - PLACES and last < before - 1e-12 * half and last < h - 1e-12 * half and last < lowest:
                inner, lowest = s - half / PLACES, last
            before, last = last, h
        return at, inner

    return place


@cache
def nearest_of_axis(distance: Callable) -> Callable:
    """(s, d, n): the place of an axis, from −half to half about p, whose sphere is nearest to a solid a, from the place `at` on; k: slope of their radii."""

    @called
    def nearest(a, p, u, half, slope, at):  # type: ignore[no-untyped-def]
        zero = 0.0 * (p[0] + u[0])
        at = at + zero
        # it lies between the places beside that one; whether these are known to rise outwards
        low, high = max(at - half / PLACES, zero - half), min(at + half / PLACES, zero + half)
        falls, rises = False, False
        more = 2
        for _ in range(STEPS):
            d, n, t, k, c = distance(a, add(p, scale(at, u)))
            first = half * (dot(n, u) - slope)
            second = half * half * bent(t, k, c, n, u)
            if abs(second) < 1e-12 * half and abs(first) < 1e-12 * half:
                break
            if first > 0.0:
                high, rises = at + zero, True
            else:
                low, falls = at + zero, True
            to = at - half * first / second if second > 1e-9 * abs(first) else (low if first > 0.0 else high) + zero
            if to <= low:
                to = 0.5 * (low + high) if falls and at > low else low + zero
            if to >= high:
                to = 0.5 * (low + high) if rises and at < high else high + zero
            change = (to - at) / half
            at = to + zero
            if abs(change) < CLOSE:
                more -= 1
                if more == 0:
                    break
        d, n, _, _, _ = distance(a, add(p, scale(at, u)))
        return at, d + zero, n

    return nearest


@cache
def frustum_on(ends: Callable, distance: Callable) -> Callable:
    """The nearest place of a cylinder or cone b, without its flat ends, on a solid a; `ends(b)`: radius and height of both rims."""
    place, nearest, rim = place_of_axis(distance), nearest_of_axis(distance), rims_on(ends, distance)

    @called
    def of_wall(center, u, radius, slope, s, d, n):  # type: ignore[no-untyped-def]
        r = radius + slope * s
        return d - r, n, sub(add(center, scale(s, u)), scale(r + 0.5 * (d - r), n))

    def approach(a, b, p, R, k):  # type: ignore[no-untyped-def]
        u = column(R, 2)
        r_0, z_0, r_1, z_1 = ends(b)
        # spheres that touch the wall at its rims: their centres on the normals there, r/cos γ away
        lean = (r_0 - r_1) / (z_1 - z_0)  # tan γ
        low, high, wide = z_0 - r_0 * lean, z_1 - r_1 * lean, (1.0 + lean * lean) ** 0.5
        half, slope = 0.5 * (high - low), (r_1 - r_0) * wide / (high - low)
        center = add(p, scale(0.5 * (low + high), u))
        radius = 0.5 * (r_0 + r_1) * wide
        at, inner = place(a, plain(center), plain(u), half, slope)
        s, d, n = nearest(a, center, u, half, slope, at)
        if s < half and s > -half:
            return of_wall(center, u, radius, slope, s, d, n)
        low_rim, high_rim = rim(a, b, p, R, 0), rim(a, b, p, R, 1)
        found = high_rim if high_rim[0] < low_rim[0] else low_rim
        if inner > half:
            return found
        s, d, n = nearest(a, center, u, half, slope, inner)  # what is hollow may be near to the wall, too
        wall = of_wall(center, u, radius, slope, s, d, n)
        return wall if wall[0] < found[0] and s < half and s > -half else found

    return approach


@cache
def between_rims(wall: Callable, rims: Callable, count: int) -> Callable:
    """The place of a wall, far away unless it is nearer than those of all rims, of it and of mouths, which tell by themselves: on what bulges."""

    @called
    def approach(a, b, p, R, k):  # type: ignore[no-untyped-def]
        g, n, x = wall(a, b, p, R, 0)
        at, axes, least = plain(p), plain_axes(R), 1e300
        for i in range(count):
            least = min(least, rims(a, b, at, axes, i)[0])
        if value(g) > least - SAME * (1.0 + abs(value(g))):
            return far(p, R)
        return g, n, x

    return approach
