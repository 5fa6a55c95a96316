"""Flat ends of a cylinder, cone or body of revolution, and what stands over them: planes that end at a rim.

Spheres along an axis, rims and slices touch as the wall does (`flexor.contact.approach.lines.line`, `ring`); flat ends touch nothing by themselves. What presses on them touches as on a plane, with
its corners and bulges, each where its lowest point y is over an end and nearer to that than to anything else of the solid: where the distance of y is its height,  d(y) = g.

Beside an end y is as far away as it is from the whole solid, so that its way over the rim is followed, too. Within, others tell: the wall and the rims, where those are nearer. What goes on below
the level of the end, beside it, does not stand over it: prisms as wide as a roller, whose ends are flush.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from flexor.contact.approach.pair import far, plain
from flexor.coordinates.curve import Piece, point_and_tangent
from flexor.law.dual import sqrt, value
from flexor.law.primitives import called
from flexor.law.tuples import add, column, dot, mtv, scale, sub

SAME = 1e-9
"""Difference of lengths, in parts of the height of the solid and the gap, that is none."""
BELOW = 1e-4
"""How far below what stands over an end it is looked at, in parts of the height of the solid."""
ALONG = 1e-6
"""Sine of the angle between a normal and the normals of a wall at which it is one of these."""


def ends_of_contour(size):
    """Heights of both ends of an open profile about an axis, lower one first"""
    last = Piece(size.pieces, size.count - 1)
    one, other = point_and_tangent(Piece(size.pieces, 0), 0.0)[1], point_and_tangent(last, last.end)[1]
    return min(one, other), max(one, other)


def ends_of_frustum(size):
    """Likewise of a cylinder"""
    return -size.half, size.half


@cache
def on_ends(on_plane: Callable, ends: Callable, distance: Callable, other: Callable) -> Callable:
    """The places of b on a plane, `on_plane`, on both flat ends of a; `ends(a)`: their heights; distance: from all of a; other: from all of b."""

    def beneath(a, b, p, R, k, end, level):  # type: ignore[no-untyped-def]
        """(g, x): gap and place over an end, in axes of that with z outwards"""
        if end:
            g, _, x = on_plane(a, b, (p[0], p[1], p[2] - level), R, k)
            return g, x
        back = (R[0], R[1], R[2], -R[3], -R[4], -R[5], -R[6], -R[7], -R[8])
        g, _, x = on_plane(a, b, (p[0], -p[1], level - p[2]), back, k)
        return g, x

    @called
    def approach(a, b, p, R, k):  # type: ignore[no-untyped-def]
        zero = 0.0 * (p[0] + R[0])
        found = far(p, R)
        low, high = ends(a)
        for end in range(2):
            side, level = 2.0 * end - 1.0, high if end else low
            g, x = beneath(a, b, p, R, k, end, level)
            slack = SAME * (high - low + abs(value(g)))
            if abs(value(x[2] - 0.5 * g)) > slack:  # not the lowest, or the same as another one: others tell
                continue
            y = (x[0], side * x[1], level + side * g)
            d, n, _, _, _ = distance(a, y)
            if abs(value(d - g)) <= slack:
                below = BELOW * (high - low)
                at = mtv(R, sub((y[0], y[1], y[2] - side * below), p))
                if other(b, plain(at))[0] < 0.5 * below:
                    continue
                return g + zero, (zero, zero, side + zero), (x[0] + zero, side * x[1], level + side * x[2])
            if d > 0.0 and d < found[0] and side * n[2] >= 0.0:  # over the other end it is told from there
                found = d + zero, add(n, (zero, zero, zero)), sub(y, scale(0.5 * d, n))
        return found

    return approach


@cache
def beside_ends(nearest: Callable, rim: Callable, rims: Callable, distance: Callable, solid: Callable) -> Callable:
    """The nearest place of the wall and rims of a frustum b on a solid a, `nearest`; of its rims alone where what is deepest below the wall is nearer to a flat end.

    rim: place of the k-th rim; rims(b): radius and height of both; distance: from all of b; solid: from a. Where a goes on along the wall, farther from the end than it is below
    the wall, the wall is the shorter way out all the same.
    """

    @called
    def approach(a, b, p, R, k):  # type: ignore[no-untyped-def]
        g, n, x = nearest(a, b, p, R, k)
        r_0, z_0, r_1, z_1 = rims(b)
        long = sqrt((z_1 - z_0) * (z_1 - z_0) + (r_1 - r_0) * (r_1 - r_0))
        u = column(R, 2)
        if g < 0.0 and abs(value(dot(n, u)) * long - (r_1 - r_0)) < ALONG * long:
            y, below = sub(sub(x, scale(0.5 * g, n)), p), -value(g)  # of a, deepest below the wall
            z = dot(y, u)
            if dot(sub(y, scale(z, u)), n) > 0.0:  # the axis itself is in a
                y = scale(z, u)
                below = (r_0 * (z_1 - value(z)) + r_1 * (value(z) - z_0)) / long
            d, _, _, _, _ = distance(b, mtv(R, y))
            inwards = below if value(z) < 0.5 * (z_0 + z_1) else -below
            farther = sub(add(add(p, y), scale(inwards, u)), scale(0.5 * below, n))
            if value(d) + below > SAME * long and solid(a, farther)[0] > 0.0:
                one, other = rim(a, b, p, R, 0), rim(a, b, p, R, 1)
                return other if other[0] < one[0] else one
        return g, n, x

    return approach
