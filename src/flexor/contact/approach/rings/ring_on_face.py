"""A ring of b that lies on a flat face of a solid a: four points of it, as on a plane.

The face is the nearest one to which the ring is parallel within 1.1°, n its normal, h its level: neither depends on the pose. The points of the ring

    y(φ) = c + ρ (cos φ e₁ + sin φ e₂)     are over it by    g = n · y − h − r,     r: radius of the tube.

All of it over the face it is held by the lowest one, φ₀ = atan2(−n · e₂, −n · e₁), and by quarters of a turn the other three. Of what hangs over the border the rest
is held: by both ends of the arc over the face, and two points that divide this in three; of two arcs by their ends; of more by one end of each. So there are always four points,
and of a ring that lies level their potential goes on as it slides over an edge. The ends do not depend on the direction of a tilt, as φ₀ does.

The border is where the point of the face's plane below y is beyond the face by s = BORDER · ρ, as seen from a small height over the plane. There φ follows from
s(φ) = BORDER · ρ by Newton's steps with dual numbers. The nearest point of a ring (`flexor.contact.approach.rings.ring`) tells nothing while these do.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from flexor.contact.approach.convex.flats import FLAT, NEAR, TOLD
from flexor.contact.approach.pair import far, plain, plain_axes
from flexor.contact.approach.rings.ring import LEVEL, PLACES
from flexor.contact.approach.rings.two_of_ring import two_of_rings
from flexor.law.dual import atan2, cos, sin, sqrt, value
from flexor.law.primitives import called
from flexor.law.tuples import add, column, dot, scale, sub

STRAIGHT = 1e-9
"""Curvature of a face, in parts of that of the ring, that is none."""
FLUSH = 1e-3
"""How far within a side, in parts of the radius of the ring, this is flush with it."""
HEIGHT = 0.01
"""Over a face from which its border is looked for, in parts of the radius of the ring."""
SAME = 1e-3
"""Difference of heights over a face, in parts of that height, that is none."""
BORDER = 1e-7
"""How far beyond a face its border is looked for, in parts of the radius of the ring: there the distance knows the direction of the border."""
HALVINGS = 30
"""Of the angle between two places of a ring, to 4e-10 rad."""
ALONG = 1e-4
"""Sine of the angle between a ring and a border along which it runs."""
POINTS = 4
"""Of a ring on a face."""
TURN = 6.283185307179586


def square_to_box(u):
    """Whether a ring about u may lie on a face of a box"""
    return max(abs(u[0]), max(abs(u[1]), abs(u[2]))) > FLAT


def square_to_ends(u):
    """Likewise on the ends of a body of revolution"""
    return abs(u[2]) > FLAT


def square_to_any(u):
    """Likewise where faces stand as they like"""
    return True


def point_at(center, e_1, e_2, rho, phi):
    """y(φ)"""
    return add(center, add(scale(rho * cos(phi), e_1), scale(rho * sin(phi), e_2)))


@cache
def face_below(distance: Callable) -> Callable:
    """(whether there is one, n, h): the nearest flat face that a ring is parallel to, no farther from it than told; plain numbers.

    Beside the border of a face the side is nearer than the face itself: of a ring as wide as a, which has sunk into its end. So where it is along a side it is looked from above, a trifle further inside;
    a quarter of the ring has to lie on that face.
    """

    @called
    def find(a, center, e_1, e_2, u, rho, farthest):  # type: ignore[no-untyped-def]
        found, best, normal, level = False, farthest, (0.0, 0.0, 1.0), 0.0
        beside, high, step = 0, HEIGHT * rho, 10.0 * BORDER * rho
        for i in range(PLACES):
            y = point_at(center, e_1, e_2, rho, TURN * i / PLACES)
            d, n, _, k, c = distance(a, y)
            if d < best and abs(dot(n, u)) > FLAT and (abs(k) + abs(c)) * rho < STRAIGHT:
                found, best, normal, level = True, d, n, dot(n, y) - d
            if d > -FLUSH * rho and d < step and abs(dot(n, u)) < 1.0 - FLAT:
                beside += 1
        if found or 4 * beside < PLACES:
            return found, normal, level
        for side in range(2):
            over, sum_of = 0, 0.0
            for i in range(PLACES):
                y = point_at(center, e_1, e_2, rho, TURN * i / PLACES)
                d, n, _, _, _ = distance(a, y)
                if d > -FLUSH * rho and d < step and abs(dot(n, u)) < 1.0 - FLAT:
                    up = (2.0 * side - 1.0) * high
                    above = add(sub(y, scale(d + step, n)), scale(up, u))
                    d, n, _, k, c = distance(a, above)
                    gap = d - high
                    if (
                        abs(dot(n, u)) > FLAT
                        and (abs(k) + abs(c)) * rho < STRAIGHT
                        and gap < farthest
                        and gap > -0.5 * high
                    ):
                        over, normal, sum_of = over + 1, n, sum_of + dot(n, above) - d
            if 4 * over >= PLACES:
                return True, normal, sum_of / over
        return False, normal, level

    return find


@cache
def beyond_border(distance: Callable) -> Callable:
    """(s, way): how far the point of a plane n · y = h below y is beyond the border of the face in it, and the direction away from that; 2ρ where something else is nearer."""

    def beyond(a, y, n, level, rho):  # type: ignore[no-untyped-def]
        high = HEIGHT * rho
        d, m, _, _, _ = distance(a, add(y, scale(high + level - dot(n, y), n)))
        up = dot(m, n)
        off = sub(m, scale(up, n))
        square = dot(off, off)
        zero = 0.0 * square
        if abs(d * up - high) > SAME * high:
            return 2.0 * rho + zero, add(off, (zero, zero, zero))
        if square > 0.0:
            sine = sqrt(square)
            return d * sine, scale(1.0 / sine, off)
        return zero, add(off, (zero, zero, zero))

    return beyond


@cache
def end_of_arc(distance: Callable) -> Callable:
    """(how many ends the arcs of a ring over a face have; φ of the k-th: arcs begin with even ones, end with odd ones); −1: nothing is over it. Plain numbers."""
    beyond = beyond_border(distance)

    @called
    def find(a, center, e_1, e_2, rho, n, level, k):  # type: ignore[no-untyped-def]
        first = -1
        for i in range(PLACES):  # one that is beyond the border
            s, _ = beyond(a, point_at(center, e_1, e_2, rho, TURN * i / PLACES), n, level, rho)
            if first < 0 and s > BORDER * rho:
                first = i
        if first < 0:
            return 0, 0.0
        ends, over, inner, outer = 0, False, 0.0, 0.0
        for i in range(first + 1, first + PLACES + 1):
            phi = TURN * i / PLACES
            s, _ = beyond(a, point_at(center, e_1, e_2, rho, phi), n, level, rho)
            here = s <= BORDER * rho
            if here != over:
                if ends == k:
                    inner, outer = (phi, phi - TURN / PLACES) if here else (phi - TURN / PLACES, phi)
                ends += 1
            over = here
        if k < ends:
            for _ in range(HALVINGS):
                middle = 0.5 * (inner + outer)
                s, _ = beyond(a, point_at(center, e_1, e_2, rho, middle), n, level, rho)
                if s <= BORDER * rho:
                    inner = middle
                else:
                    outer = middle
        return (ends if ends > 0 else -1), outer

    return find


@cache
def on_border(distance: Callable) -> Callable:
    """φ of a place near the border of a face, with its derivatives."""
    beyond = beyond_border(distance)

    @called
    def follow(a, center, e_1, e_2, rho, n, level, start):  # type: ignore[no-untyped-def]
        phi = start + 0.0 * (center[0] + e_1[0] + e_2[0])
        for _ in range(2):
            along = sub(scale(cos(phi), e_2), scale(sin(phi), e_1))
            s, way = beyond(a, point_at(center, e_1, e_2, rho, phi), n, level, rho)
            rate = dot(way, along)
            if abs(value(rate)) > ALONG and s < rho:
                phi = phi - (s / rho - BORDER) / rate
        return phi

    return follow


def lowest_angle(n, e_1, e_2):
    """φ₀; of a level ring 0"""
    down_1, down_2 = -dot(n, e_1), -dot(n, e_2)
    square = down_1 * down_1 + down_2 * down_2
    if square > LEVEL * LEVEL:
        return atan2(down_2, down_1)
    return 0.0 * square


@cache
def places_on(ring: Callable, distance: Callable, square_to: Callable) -> Callable:
    """Four places of each ring of b on a flat face of a; square_to(u): whether a ring about u may lie on one."""
    face, end_of, follow = face_below(distance), end_of_arc(distance), on_border(distance)

    @called
    def approach(a, b, p, R, k):  # type: ignore[no-untyped-def]
        axis = plain(column(R, 2))
        if not square_to(axis):
            return far(p, R)
        rho, z, tube = ring(b, k // POINTS)
        j = k % POINTS
        center = add(p, scale(z, column(R, 2)))
        c_0 = plain(center)
        if rho == 0.0 or distance(a, c_0)[0] > (1.0 + NEAR) * rho + tube:  # an apex, or apart
            return far(p, R)
        e_1, e_2 = column(R, 0), column(R, 1)
        f_1, f_2 = plain(e_1), plain(e_2)
        found, n, level = face(a, c_0, f_1, f_2, axis, rho, tube + NEAR * rho)
        if not found:
            return far(p, R)
        ends, start = end_of(a, c_0, f_1, f_2, rho, n, level, j)
        if ends < 0:
            return far(p, R)
        if ends > POINTS:  # one of each arc
            _, start = end_of(a, c_0, f_1, f_2, rho, n, level, min(2 * j, ends - 1))
        if ends == 0:
            phi = lowest_angle(n, e_1, e_2) + 0.25 * TURN * j
        elif j < ends:
            phi = follow(a, center, e_1, e_2, rho, n, level, start)
        else:  # of one arc
            _, one = end_of(a, c_0, f_1, f_2, rho, n, level, 0)
            _, other = end_of(a, c_0, f_1, f_2, rho, n, level, 1)
            begin, end = (
                follow(a, center, e_1, e_2, rho, n, level, one),
                follow(a, center, e_1, e_2, rho, n, level, other),
            )
            phi = (begin * (4.0 - j) + end * (j - 1.0)) / 3.0
        y = point_at(center, e_1, e_2, rho, phi)
        g = dot(n, y) - level - tube
        zero = 0.0 * g
        return g, add(n, (zero, zero, zero)), sub(y, scale(tube + 0.5 * g, n))

    return approach


@cache
def nearest_beside_places(ring: Callable, distance: Callable, square_to: Callable) -> Callable:
    """Both nearest points of each ring of b, unless places on a face are as deep: at the border of that face its normal may be that of a side."""
    return beside_places(two_of_rings(ring, distance), places_on(ring, distance, square_to), POINTS)


@cache
def beside_places(nearest: Callable, places: Callable, count: int) -> Callable:
    """The k-th place of what has rings, unless one of `count` places of the ring k // 2 on a face is as deep; a single place, k = 0, of all rings if they are counted together."""

    @called
    def approach(a, b, p, R, k):  # type: ignore[no-untyped-def]
        g, n, x = nearest(a, b, p, R, k)
        if g < 0.0:
            at, axes = plain(p), plain_axes(R)
            for j in range(count):
                if places(a, b, at, axes, count * (k // 2) + j)[0] <= TOLD * g:
                    return far(p, R)
        return g, n, x

    return approach
