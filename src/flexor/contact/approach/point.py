"""A point, the core of a sphere, against points and planes."""

from __future__ import annotations

from flexor.law.dual import sqrt
from flexor.law.tuples import add, column, dot, scale

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


def approach_sphere_sphere(a, b, p, R):
    """g = d − r_a − r_b; of a hollow sphere a, whose radius is negative, g = −d − r_a − r_b"""
    distance, n = direction(p)
    if a.radius < 0.0 or b.radius < 0.0:
        distance, n = -distance, scale(-1.0, n)
    g = distance - a.radius - b.radius
    return g, n, scale(a.radius + 0.5 * g, n)


def approach_plane_sphere(a, b, p, R):
    """g = z − r"""
    g = p[2] - b.radius
    zero = 0.0 * g
    return g, (zero, zero, 1.0 + zero), (p[0], p[1], 0.5 * g)


def approach_plane_point(a, b, p, R, corner):
    """g = z of a point that is fixed in b."""
    x = add(p, scale(corner[0], column(R, 0)))
    x = add(x, add(scale(corner[1], column(R, 1)), scale(corner[2], column(R, 2))))
    zero = 0.0 * x[2]
    return x[2], (zero, zero, 1.0 + zero), (x[0], x[1], 0.5 * x[2])
