"""A ring of b, a circle about its axis with a tube around it, against a solid a.

Tori are one ring; cylinders, cones and bodies of revolution are rings, too: their rims, or slices along the axis. Against a plane the lowest
point of a ring is known; against other solids it is where the distance d of the points of the ring

    y(φ) = c + ρ (cos φ e₁ + sin φ e₂)      has    d' = n · y' = 0,     d'' = n · y'' + y' · ∇∇d · y' > 0:

the lowest of some places, from there Newton's iteration. The last of its steps carry the derivatives of φ: exactly, as d' is differentiated as
it stands. A ring that is everywhere as near touches at φ = 0.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from flexor.contact.approach.pair import plain
from flexor.law.dual import cos, sin, sqrt, value
from flexor.law.primitives import called
from flexor.law.tuples import add, column, cross, dot, mv, scale, sub

PLACES = 16
"""Of a ring, from the lowest of which its lowest point is searched."""
PITCH = 6.283185307179586 / PLACES
"""From one to the next [rad]."""
HALVINGS = 3
"""Of that, where a place is lower than both beside it."""
STEPS = 40
CLOSE = 1e-13
"""Change of the angle that is none [rad]."""
LONGEST = 0.4
"""Of a step [rad]: as far as from one place to the next."""
LEVEL = 1e-9
"""Sine of the angle between a ring and a plane at which all its points are as near."""
APEX = 1e3
"""How far away the three other points of an apex are [m]."""
ROUND = 1e-12
"""d'' in parts of the radius at which all points of a ring are as near."""


def ring_of_torus(b, k):
    """(ρ, z, radius of the tube)"""
    return b.ring, 0.0, b.radius


def ring_of_cylinder(b, k):
    """A slice, or else one of both rims, also of a bore"""
    if b.slices > 0:
        return abs(b.radius), b.half * ((2.0 * k + 1.0) / b.slices - 1.0), 0.0
    return abs(b.radius), b.half if k else -b.half, 0.0


def ring_of_contour(b, k):
    """A slice, or else one of its corners"""
    return b.rings[3 * k], b.rings[3 * k + 1], 0.0


@cache
def later(ring: Callable, count: int) -> Callable:
    """The rings behind the first `count`."""

    def ring_of(b, k):  # type: ignore[no-untyped-def]
        return ring(b, k + count)

    return ring_of


def from_plane(b, p, R, rho, z, tube, quarter):
    """The lowest point of a ring on a plane; by quarters of a turn from there the other three"""
    center = add(p, scale(z, column(R, 2)))
    e_1, e_2 = column(R, 0), column(R, 1)
    down_1, down_2 = -e_1[2], -e_2[2]  # of the plane's normal, in the plane of the ring
    square = down_1 * down_1 + down_2 * down_2
    c, s = 1.0 + 0.0 * square, 0.0 * square
    if square > LEVEL * LEVEL:
        sine = sqrt(square)
        c, s = down_1 / sine, down_2 / sine
    if quarter == 1:
        c, s = -s, c
    if quarter == 2:
        c, s = -c, -s
    if quarter == 3:
        c, s = s, -c
    y = add(center, add(scale(rho * c, e_1), scale(rho * s, e_2)))
    g = y[2] - tube
    zero = 0.0 * g
    if rho == 0.0 and quarter > 0:  # an apex is one point
        return abs(g) + APEX, (zero, zero, 1.0 + zero), (y[0], y[1], 0.5 * g)
    return g, (zero, zero, 1.0 + zero), (y[0], y[1], 0.5 * g)


@cache
def rings_on_plane(ring: Callable) -> Callable:
    """Four points of each ring: three hold a ring that stands level. Slices touch with their lowest points only."""

    def approach(a, b, p, R, k):  # type: ignore[no-untyped-def]
        rho, z, tube = ring(b, k >> 2)
        return from_plane(b, p, R, rho, z, tube, k & 3)

    return approach


@cache
def slices_on_plane(ring: Callable) -> Callable:
    """The lowest point of each ring."""

    def approach(a, b, p, R, k):  # type: ignore[no-untyped-def]
        rho, z, tube = ring(b, k)
        return from_plane(b, p, R, rho, z, tube, 0)

    return approach


def bent(t, k, c, n, v):
    """v · ∇∇d · v"""
    along, over = dot(t, v), dot(cross(n, t), v)
    return k * along * along + c * over * over


@cache
def refined(distance: Callable) -> Callable:
    """(d, n, y): the point of a ring nearest to a solid a, from the lowest of some places on: φ of that."""

    def refine(a, center, e_1, e_2, rho, phi):  # type: ignore[no-untyped-def]
        zero = 0.0 * (center[0] + e_1[0] + e_2[0])
        phi = phi + zero
        low, high = phi - LONGEST, phi + LONGEST  # it lies between the places beside the lowest one
        more = 2  # steps that carry the derivatives, once it has converged
        for _ in range(STEPS):
            c, s = cos(phi), sin(phi)
            out = add(scale(c, e_1), scale(s, e_2))
            along = sub(scale(c, e_2), scale(s, e_1))
            d, n, t, k, o = distance(a, add(center, scale(rho, out)))
            first = dot(n, along)
            second = rho * bent(t, k, o, n, along) - dot(n, out)
            if abs(second) < ROUND and abs(first) < ROUND:
                break
            if second > ROUND:
                change = -first / second
            else:
                change = -first
            if first > 0.0:
                high = phi + zero
            else:
                low = phi + zero
            if phi + change > high + CLOSE or phi + change < low - CLOSE:
                change = 0.5 * (low + high) - phi  # d bends sharply between them
            phi = phi + change
            if abs(change) < CLOSE:
                more -= 1
                if more == 0:
                    break
        y = add(center, scale(rho, add(scale(cos(phi), e_1), scale(sin(phi), e_2))))
        d, n, _, _, _ = distance(a, y)
        return d, n, y

    return refine


@cache
def lowest_place(distance: Callable) -> Callable:
    """An angle near that of the point of a ring nearest to a solid a: of some places the lowest, each that is lower than both beside it looked at more closely. Plain numbers."""

    @called
    def height(a, center, e_1, e_2, rho, angle):  # type: ignore[no-untyped-def]
        d, _, _, _, _ = distance(a, add(center, add(scale(rho * cos(angle), e_1), scale(rho * sin(angle), e_2))))
        return d

    @called
    def place(a, center, e_1, e_2, rho):  # type: ignore[no-untyped-def]
        d = height(a, center, e_1, e_2, rho, 0.0)
        phi, best, before, last = 0.0, d, 1e300, d
        for i in range(1, PLACES + 2):
            d = height(a, center, e_1, e_2, rho, i * PITCH)
            if last <= before and last < d:
                middle, reach, low = (i - 1) * PITCH, 0.5 * PITCH, last
                for _ in range(HALVINGS if low - 0.5 * PITCH * rho < best else 0):
                    left, right = (
                        height(a, center, e_1, e_2, rho, middle - reach),
                        height(a, center, e_1, e_2, rho, middle + reach),
                    )
                    if left < low and left <= right:
                        middle, low = middle - reach, left
                    elif right < low:
                        middle, low = middle + reach, right
                    reach = 0.5 * reach
                if low < best - 1e-12 * rho:
                    phi, best = middle, low
            before, last = last, d
        return phi

    return place


@cache
def nearest_of_ring(distance: Callable) -> Callable:
    """(d, n, y): the point of a ring nearest to a solid a."""
    refine, place = refined(distance), lowest_place(distance)

    def nearest(a, center, e_1, e_2, rho):  # type: ignore[no-untyped-def]
        phi = place(a, plain(center), plain(e_1), plain(e_2), value(rho))
        return refine(a, center, e_1, e_2, rho, phi)

    return nearest


@cache
def rings_on(ring: Callable, distance: Callable) -> Callable:
    """The nearest point of each ring of b on a solid a."""
    nearest = nearest_of_ring(distance)

    def approach(a, b, p, R, k):  # type: ignore[no-untyped-def]
        rho, z, tube = ring(b, k)
        d, n, y = nearest(a, add(p, mv(R, (0.0, 0.0, z))), column(R, 0), column(R, 1), rho)
        g = d - tube
        return g, n, sub(y, scale(tube + 0.5 * g, n))

    return approach
