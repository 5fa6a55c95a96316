"""A point that stands fixed in b, with a radius about it, against a solid a: spheres, corners of boxes, corners of triangles."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from flexor.law.dual import sqrt
from flexor.law.tuples import add, dot, mv, scale, sub, vec

MOST_CORNERS = 500
"""Of a triangulated surface that have a place of their own; of more a group of neighbours has one, for the nearest of them."""

COINCIDENT = 1e-30
"""Square of a distance that has no direction [m²]."""


def direction(d):
    """(length, unit vector) of a vector; what has no length points along z."""
    square = dot(d, d)
    if square < COINCIDENT:
        zero = 0.0 * square
        return zero, (zero, zero, 1.0 + zero)
    length = sqrt(square)
    return length, scale(1.0 / length, d)


def approach_sphere_sphere(a, b, p, R, k):
    """g = d − r_a − r_b; of a hollow sphere a, whose radius is negative, g = −d − r_a − r_b"""
    distance, n = direction(p)
    if a.radius < 0.0 or b.radius < 0.0:
        distance, n = -distance, scale(-1.0, n)
    g = distance - a.radius - b.radius
    return g, n, scale(a.radius + 0.5 * g, n)


def approach_plane_sphere(a, b, p, R, k):
    """g = z − r"""
    g = p[2] - b.radius
    zero = 0.0 * g
    return g, (zero, zero, 1.0 + zero), (p[0], p[1], 0.5 * g)


@cache
def sphere_on(distance: Callable) -> Callable:
    """g = d − r of a sphere b on a solid a, whose signed distance is given."""

    def approach(a, b, p, R, k):  # type: ignore[no-untyped-def]
        d, n, _, _, _ = distance(a, p)
        g = d - b.radius
        return g, n, sub(p, scale(b.radius + 0.5 * g, n))

    return approach


@cache
def points_on(point: Callable, distance: Callable) -> Callable:
    """g = d of the k-th point of b on a solid a; `point(b, k)` tells where it is in the axes of b."""

    def approach(a, b, p, R, k):  # type: ignore[no-untyped-def]
        y = add(p, mv(R, point(b, k)))
        d, n, _, _, _ = distance(a, y)
        return d, n, sub(y, scale(0.5 * d, n))

    return approach


def corner_of_box(b, k):
    """The k-th of eight."""
    x, y, z = b.half[0], b.half[1], b.half[2]
    return (x if k & 1 else -x, y if k & 2 else -y, z if k & 4 else -z)


@cache
def corners_on(distance: Callable) -> Callable:
    """g = d of the nearest of the k-th group of corners of a triangulated surface b on a solid a."""

    def approach(a, b, p, R, k):  # type: ignore[no-untyped-def]
        groups = min(b.corners, MOST_CORNERS)
        first, end = k * b.corners // groups, (k + 1) * b.corners // groups
        found = first
        if end - first > 1:
            best = 1e300 + 0.0 * p[0]
            for i in range(first, end):
                d, _, _, _, _ = distance(a, add(p, mv(R, vec(b.points, 3 * i))))
                if d < best:
                    found, best = i, d + 0.0 * p[0]
        y = add(p, mv(R, vec(b.points, 3 * found)))
        d, n, _, _, _ = distance(a, y)
        return d, n, sub(y, scale(0.5 * d, n))

    return approach
