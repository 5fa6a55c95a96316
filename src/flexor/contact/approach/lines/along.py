"""Lines that lie along each other: a cylinder or cone along another one, along an edge of a box or a polyhedron, or along a prism. Three places:

    0      where the surfaces are nearest, g
    1, 2   both ends of the line that they share, g_1 and g_2: a rim of one of them on the wall of the other, whichever ends first

Of lines that cross the ends are apart; of lines that tilt one end is the nearest place; of parallel ones all three are as near, and the nearest one would leap
to and fro. So none of them has the law of the contact by itself, but all three together (`flexor.contact.laws.line_share`).

A rim touches a wall where it is separated from it most as n turns about the axis of that wall, n · u = k,  as in `flexor.contact.approach.convex.separation`: both gaps are
stationary, ġ = n · u.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from flexor.contact.approach.convex.flats import FLAT
from flexor.contact.approach.convex.separation import BESIDE, turned_about, unit
from flexor.contact.approach.convex.solid import EDGE, Convex, beside
from flexor.contact.approach.lines.overhang import end_over_border
from flexor.contact.approach.pair import AXES, ELSEWHERE, ORIGIN, SurfacePair, far
from flexor.contact.approach.rings.rim import rims_on
from flexor.law.dual import sqrt
from flexor.law.primitives import called
from flexor.law.tuples import add, column, cross, dot, neg, scale, sub

ACROSS = 0.05
"""Cosine of the angle between the axes of a cylinder and a prism below which it lies across this."""
LEANING = 0.2
"""Sine of the angle between a rim's normal on a wall and those of the wall that ends at it, from which on that wall does not lie on the other one."""
STEPS, TURNS = 16, 6
LONGEST = 0.4
"""Of a step about the axis of a wall [rad]."""
CLOSE = 1e-12
"""Change of an angle after which one more step is exact [rad]; gap, in parts of the distance of both surfaces, that is none."""
MIDDLE = 1e-6
"""Square of the distance of a rim's centre from the axis of a wall, in parts of its radius, at which it is on no side of it."""
DEEPER = 1.01
"""How much deeper than the nearest place the deeper end can be that is this place itself."""
BEYOND = 1.1
"""How much deeper than the nearest place an end can be along another direction; else the surfaces do not lie on each other there."""


def with_ends(nearest: Callable, end: Callable) -> SurfacePair:
    """The nearest place of two surfaces, and the ends of the line that they share; end(a, b, p, R, i): the i-th of them, far if there is none."""
    return SurfacePair(_with_ends(nearest, end), 3, lines=1)


@cache
def _with_ends(nearest: Callable, end: Callable) -> Callable:
    def approach(a, b, p, R, k):  # type: ignore[no-untyped-def]
        if k > 0:
            return end(a, b, p, R, k - 1)
        return nearest(a, b, p, R, 0)

    return approach


@cache
def line_at(approach: Callable) -> Callable:
    """The three places of a line, from the k-th on, each (g, n, x); the ends are far where the surfaces are apart."""

    @called
    def place(a, b, p, R, k):  # type: ignore[no-untyped-def]
        return approach(a, b, p, R, k)

    @called
    def line(a, b, p, R, k):  # type: ignore[no-untyped-def]
        first = place(a, b, p, R, k)
        if first[0] >= 0.0:
            return first, far(p, R), far(p, R)
        one, other = place(a, b, p, R, k + 1), place(a, b, p, R, k + 2)
        low = one if one[0] < other[0] else other
        alike = dot(first[1], low[1]) > FLAT and low[0] > DEEPER * first[0]
        if one[0] >= ELSEWHERE or other[0] >= ELSEWHERE or (low[0] < BEYOND * first[0] and not alike):
            return first, far(p, R), far(p, R)
        # along parallel lines, and where they tilt, the nearest place is the deeper end itself
        if alike and first[0] > low[0] - CLOSE * sqrt(dot(p, p)):
            return low, one, other
        # along another direction an end counts as the nearest place at most, whose force is along its own normal
        return first, (first if one[0] < first[0] else one), (first if other[0] < first[0] else other)

    return line


@cache
def round_part_on_line(of_a: Convex, of_b: Convex) -> Callable:
    """Of a part of b, a rim or a corner, on a line of a, a generator or an edge: (whether it touches one, g, n, what touches of b, where that is on the line and how long this is).

    family, part: of a's lines, and that of its parts at which they begin.   from_a, center: where n begins to turn about the line.   i: part of b.
    """
    a_support, b_support, a_family, a_line = of_a.support_of, of_b.support_of, of_a.family, of_a.line

    @called
    def touching(A, B, family, part, from_a, center, i):  # type: ignore[no-untyped-def]
        u, k = a_family(A, family)
        c = sqrt(1.0 - k * k + 0.0 * u[0])
        out = beside(sub(center, from_a), u)
        square = dot(out, out)
        zero = 0.0 * square
        if square <= MIDDLE * dot(center, center):
            return False, zero, add(u, scale(zero, u)), add(center, scale(zero, u)), zero, zero
        e, more = scale(1.0 / sqrt(square), out), 2
        for _ in range(STEPS):
            n, way = add(scale(k, u), scale(c, e)), scale(c, cross(u, e))
            x_a, bend_a, t_a = a_support(A, n, part)
            x_b, bend_b, t_b = b_support(B, neg(n), i)
            w = sub(x_b, x_a)
            second = -c * dot(e, w) - bend_a * dot(t_a, way) * dot(t_a, way) - bend_b * dot(t_b, way) * dot(t_b, way)
            if second >= 0.0:
                return False, zero, n, x_b, zero, zero
            change = min(max(-dot(way, w) / second, -LONGEST), LONGEST)
            e = turned_about(u, 0.0, e, change)
            if abs(change) < CLOSE:
                more -= 1
                if more == 0:
                    break
        n = unit(add(scale(k, u), scale(c, e)))
        x_a, _, _ = a_support(A, n, part)
        x_b, _, _ = b_support(B, neg(n), i)
        begin, along, length = a_line(A, family, n)
        return True, dot(n, sub(x_b, x_a)) + zero, n, x_b, dot(sub(x_b, begin), along), length + zero

    return touching


@cache
def end_of_walls(of_a: Convex, of_b: Convex) -> Callable:
    """The i-th end of the line that the walls of two cylinders or cones share: the i-th rim of b on the wall of a, or the rim of a there on that of b, whichever is first."""
    a_placed, b_placed, a_size, b_size, a_wall, b_wall = (
        of_a.placed,
        of_b.placed,
        of_a.size,
        of_b.size,
        of_a.wall,
        of_b.wall,
    )
    b_on_a, a_on_b, a_family, b_family = (
        round_part_on_line(of_a, of_b),
        round_part_on_line(of_b, of_a),
        of_a.family,
        of_b.family,
    )

    @called
    def end(a, b, p, R, i):  # type: ignore[no-untyped-def]
        A, B = a_placed(a, ORIGIN, AXES), b_placed(b, p, R)
        j = i if dot(A[2], B[2]) > 0.0 else 1 - i
        outwards = add(scale(2.0 * i - 1.0, B[2]), scale(2.0 * j - 1.0, A[2]))
        (family, begin, from_a), (_, part, center) = a_wall(A, 0), b_wall(B, i)
        first, of_a_wall = b_on_a(A, B, family, begin, from_a, center, part), family
        (family, begin, from_b), (_, part, center) = b_wall(B, 0), a_wall(A, j)
        other = a_on_b(B, A, family, begin, from_b, center, part)
        (u, k), (v, l) = a_family(A, of_a_wall), b_family(B, family)
        first = (first[0] and abs(dot(first[2], v) + l) < LEANING, *first[1:])
        other = (other[0] and abs(dot(other[2], u) + k) < LEANING, *other[1:])
        return first_of(p, R, first, other, outwards, EDGE * a_size(A), EDGE * b_size(B))

    return end


@called
def first_of(p, R, first, other, outwards, slack_a, slack_b):
    """The end (g, n, x) of a line where b ends, first, or where a does, other: both of `round_part_on_line`, whichever is less far outwards; far if that is beside the line.

    Outwards is the middle of the directions of both lines: along it what touches of b and of a passes each other where both gaps are the same.
    """
    of_b, g, n, y, at, length = first
    of_a, h, m, z, over, long = other
    if not of_b and not of_a:
        return far(p, R)
    if not of_a or (of_b and dot(outwards, sub(y, z)) <= 0.0):
        slack = slack_a + abs(g)
        if at < -slack or at > length + slack:
            return far(p, R)
        return g, n, sub(y, scale(0.5 * g, n))
    slack = slack_b + abs(h)
    if over < -slack or over > long + slack:
        return far(p, R)
    return h, neg(m), sub(z, scale(0.5 * h, m))


@cache
def end_on_edge(of_a: Convex, of_b: Convex) -> Callable:
    """The i-th end of the line that an edge of a and the wall of a cylinder or cone b share."""
    a_placed, b_placed, b_wall, b_size, a_line = of_a.placed, of_b.placed, of_b.wall, of_b.size, of_a.line
    a_part, a_support, edge_beside = of_a.part_of, of_a.support_of, of_a.beside
    b_on_a, a_on_b = round_part_on_line(of_a, of_b), round_part_on_line(of_b, of_a)

    @called
    def end(a, b, p, R, i):  # type: ignore[no-untyped-def]
        A, B = a_placed(a, ORIGIN, AXES), b_placed(b, p, R)
        wall, b_part, center = b_wall(B, i)
        _, b_begin, from_b = b_wall(B, 0)
        u = B[2]
        found, family, out = edge_beside(A, u, center)
        if not found:
            return far(p, R)
        begin, way, length = a_line(A, family, out)
        side = 2.0 * i - 1.0 if dot(u, way) > 0.0 else 1.0 - 2.0 * i
        part, last = a_part(A, sub(out, scale(BESIDE, way))), a_part(A, add(out, scale(BESIDE * side, way)))
        first = b_on_a(A, B, family, part, begin, center, b_part)
        other = a_on_b(B, A, wall, b_begin, from_b, a_support(A, out, last)[0], last)
        outwards = add(scale(2.0 * i - 1.0, u), scale(side, way))
        return first_of(p, R, first, other, outwards, EDGE * length, EDGE * b_size(B))

    return end


@cache
def endless(distance: Callable) -> Callable:
    """The distance from a prism without ends."""

    def of_section(a, y):  # type: ignore[no-untyped-def]
        return distance(a, (y[0], y[1], 0.0 * y[2]))

    return of_section


@cache
def end_on_prism(ends: Callable, distance: Callable) -> Callable:
    """The i-th end of the line that a prism a and the wall of a cylinder b share: on a flat side, along an edge or a rounded one; `ends(b)`: radius and height of b's rims.

    Where b is beyond the end of a rounded side, its axis and the tangent t of the contour there are two lines, nearest to each other along  m = t × u.  Of a point y of the
    axis, with the foot f on the contour,  F = u · (y − f) = 0,  F′ = 1 − (u·t)² (1 − c d)  with the curvature c of the line through y.
    """
    rim = rims_on(ends, endless(distance))

    @called
    def along(a, b, p, R, i):  # type: ignore[no-untyped-def]
        g, n, x = rim(a, b, p, R, i)
        u, side, zero = column(R, 2), 2.0 * i - 1.0, 0.0 * g
        last = side if R[8] > 0.0 else -side
        first = True, g, n, add(x, scale(0.5 * g, n)), x[2] + 0.5 * g * n[2] + a.half, 2.0 * a.half + zero
        if abs(u[2]) < ACROSS:
            return first_of(p, R, first, (False, g, n, x, zero, zero), u, EDGE * a.half, zero)
        z = last * a.half + zero
        s = (z - p[2]) / u[2]
        y = add(p, scale(s, u))
        m, foot, d = n, y, g
        for _ in range(TURNS):
            d, n, _, _, c = distance(a, (y[0], y[1], zero))
            if d <= 0.0:  # the axis is within the section: it goes through an end of a, and n may be along z
                return far(p, R)
            foot = (y[0] - d * n[0], y[1] - d * n[1], z)
            t = (zero - n[1], n[0] + zero, zero)
            m, turn = unit(cross(t, u) if u[2] > 0.0 else cross(u, t)), dot(u, t)
            y = sub(y, scale(dot(sub(y, foot), u) / (1.0 - turn * turn * (1.0 - c * d)), u))
        h = dot(m, sub(y, foot)) - b.radius
        over = dot(sub(y, p), u) + b.half
        other = d > 0.0, h, neg(m), foot, over, 2.0 * b.half + zero
        outwards = add(scale(side, u), (zero, zero, last + zero))
        return first_of(p, R, first, other, outwards, EDGE * a.half, EDGE * b.radius + zero)

    return end_over_border(along, distance, True)
