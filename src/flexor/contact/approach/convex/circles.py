"""Where circles in space cross each other, or lines, seen along a direction."""

from __future__ import annotations

from flexor.law.dual import sqrt, value
from flexor.law.tuples import add, cross, dot, scale, sub

TOUCHING = 1e-12
"""Share of a radius by which circles, or a line and a circle, cross at least."""


def across(u):
    """A unit vector across another one."""
    if abs(u[0]) < 0.6:
        q = (0.0 * u[0], u[2], -u[1])
    else:
        q = (u[1], -u[0], 0.0 * u[2])
    return scale(1.0 / sqrt(dot(q, q)), q)


def line_and_circle(p, u, center, axis, radius, n, which):
    """(whether they cross, seen along n, and the radial unit vector there): a line through p along u; which: 0 or 1, of two"""
    m = cross(n, u)
    zero = 0.0 * dot(m, sub(center, p))
    inward = sub(m, scale(dot(m, axis), axis))
    square = dot(inward, inward)
    if value(square) < 1e-12 or radius == 0.0:
        return False, (zero, zero, zero + 1.0)
    wide = sqrt(square)
    e = scale(1.0 / wide, inward)
    c = -dot(m, sub(center, p)) / (radius * wide)
    rest = 1.0 - c * c
    if rest < TOUCHING:
        return False, (zero, zero, zero + 1.0)
    return True, add(scale(c, e), scale(sqrt(rest) if which else -sqrt(rest), cross(axis, e)))


def two_circles(c_a, r_a, c_b, r_b, n, which):
    """(whether they cross, seen along n, and where)"""
    d = sub(c_b, c_a)
    d = sub(d, scale(dot(d, n), n))
    square = dot(d, d)
    if value(square) < TOUCHING * (r_a + r_b) * (r_a + r_b):
        return False, add(c_a, scale(0.0, d))
    long = sqrt(square)
    along = 0.5 * (square + r_a * r_a - r_b * r_b) / long
    rest = r_a * r_a - along * along
    if rest < TOUCHING * r_a * r_a:
        return False, add(c_a, scale(0.0, d))
    e = scale(1.0 / long, d)
    over = scale(sqrt(rest) if which else -sqrt(rest), cross(n, e))
    return True, add(c_a, add(scale(along, e), over))


def radial(y, center, axis):
    """Unit vector from the centre of a circle towards a point, in its plane; of a point on the axis any."""
    q = sub(y, center)
    q = sub(q, scale(dot(q, axis), axis))
    square = dot(q, q)
    if square > 0.0:
        return scale(1.0 / sqrt(square), q)
    return across(axis)
