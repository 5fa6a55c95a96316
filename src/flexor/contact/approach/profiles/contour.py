"""A prism b with a closed contour against a solid a: a cam on a flat follower, two cams on each other.

The contour at one height of the prism is a curve in space, y(s) = c(s) in the axes of b, of lines, arcs and cubics. Its nearest point is found as
that of a ring (`flexor.contact.approach.rings.ring`): by places on every piece, Newton's iteration from the lowest of them, and at a corner by that.
In what is hollow both ends of the prism touch; other solids at the height that is nearest to their origin, so that prisms along parallel axes touch where
they are side by side. On planes corners and bulges touch, each by themselves (`flexor.contact.approach.profiles.prism`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from flexor.contact.approach.rings.ring import bent
from flexor.contact.distance.contour import ends_at
from flexor.coordinates.curve import ARC, CUBIC, Piece, point_and_tangent
from flexor.law.dual import cos, sin
from flexor.law.tuples import add, dot, mtv, mv, scale, sub

PLACES = 4
"""Of a piece, from the lowest of which the nearest point is searched."""
STEPS = 40
CLOSE = 1e-13
"""Change of a parameter that is none, in parts of the piece."""


def bend_of(piece, s):
    """c″ at a parameter"""
    p = piece.p
    if piece.kind == CUBIC:
        return 2.0 * p[2] + 6.0 * s * p[3], 2.0 * p[6] + 6.0 * s * p[7]
    if piece.kind == ARC:
        angle = p[3] + s / p[2]
        return -cos(angle) / abs(p[2]), -sin(angle) / abs(p[2])
    return 0.0 * s, 0.0 * s


@cache
def foot_of_contour(distance: Callable, side: int = -1) -> Callable:
    """(piece, its parameter): the point of the contour of b, at a height z of it, that is nearest to a solid a; side: number of the sides that it is on, −1 for all."""

    def foot(a, b, p, R, z):  # type: ignore[no-untyped-def]
        zero = 0.0 * (p[0] + R[0])
        found, s, best = 0, zero, 1e300 + zero
        for i in range(b.count):
            if side >= 0 and b.sides[i] != side:
                continue
            piece = Piece(b.pieces, i)
            for j in range(PLACES):
                at = piece.end * j / PLACES
                c_1, c_2, _, _ = point_and_tangent(piece, at)
                d, _, _, _, _ = distance(a, add(p, mv(R, (c_1, c_2, z))))
                if d < best - 1e-12 * b.extent:
                    found, s, best = i, at + zero, d + zero
        more, came = 2, 0
        for _ in range(STEPS):
            piece = Piece(b.pieces, found)
            c_1, c_2, t_1, t_2 = point_and_tangent(piece, s)
            b_1, b_2 = bend_of(piece, s)
            along, bend = mv(R, (t_1, t_2, 0.0 * z)), mv(R, (b_1, b_2, 0.0 * z))
            d, n, t, k, c = distance(a, add(p, mv(R, (c_1, c_2, z))))
            speed = t_1 * t_1 + t_2 * t_2
            first, second = dot(n, along), dot(n, bend) + bent(t, k, c, n, along)
            if abs(first) < 1e-14 * speed and abs(second) < 1e-12 * speed:
                break
            change = -first / second if second * piece.end > 1e-6 * abs(first) else -first / speed
            longest = piece.end / PLACES
            change = min(max(change, zero - longest), longest + zero)
            s = s + change
            way = 1 if s > piece.end else -1 if s < 0.0 else 0
            if way != 0:  # on the next piece, unless that sends it back: then at the corner between them
                s = zero + (piece.end if way > 0 else 0.0)
                if came == -way or (side >= 0 and ends_at(b, found, way)):
                    break
                found = (found + way + b.count) % b.count
                s = zero + (0.0 if way > 0 else Piece(b.pieces, found).end)
                came = way
                continue
            came = 0
            if abs(change) < CLOSE * piece.end:
                more -= 1
                if more == 0:
                    break
        return found, s

    return foot


@cache
def nearest_of_contour(distance: Callable, side: int) -> Callable:
    """(d, n, y): that point, its distance and the normal there"""
    foot = foot_of_contour(distance, side)

    def nearest(a, b, p, R, z):  # type: ignore[no-untyped-def]
        found, s = foot(a, b, p, R, z)
        c_1, c_2, _, _ = point_and_tangent(Piece(b.pieces, found), s)
        y = add(p, mv(R, (c_1, c_2, z)))
        d, n, _, _, _ = distance(a, y)
        return d, n, y

    return nearest


@cache
def contour_on(distance: Callable, side: int = -1) -> Callable:
    """The nearest place of a prism b on a solid a; side: number of the sides of b with which it touches, −1 for all."""
    nearest = nearest_of_contour(distance, side)

    def approach(a, b, p, R, k):  # type: ignore[no-untyped-def]
        height = -mtv(R, p)[2]
        zero = 0.0 * height
        height = min(max(height, zero - b.half), b.half + zero)
        d, n, y = nearest(a, b, p, R, height)
        return d, n, sub(y, scale(0.5 * d, n))

    return approach
