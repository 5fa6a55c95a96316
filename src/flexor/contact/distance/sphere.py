"""A ball, or what is around a ball-shaped hollow."""

from __future__ import annotations

from flexor.contact.distance.planar import ON_AXIS
from flexor.law.dual import sqrt


def distance_sphere(size, y):
    """d = |y| − r; from the centre it goes to the pole"""
    side = 1.0 if size.radius > 0.0 else -1.0
    q = y[0] * y[0] + y[1] * y[1] + y[2] * y[2]
    zero = 0.0 * q
    if q <= ON_AXIS * size.radius * size.radius:
        d = zero - size.radius
        return d, (zero, zero, side + zero), (1.0 + zero, zero, zero), zero, zero
    m = sqrt(q)
    n = (side * y[0] / m, side * y[1] / m, side * y[2] / m)
    k = side / m
    return side * m - size.radius, n, across(n), k, k


def across(n):
    """A unit vector across a unit vector, of dual numbers or floats."""
    if abs(n[2]) < 0.8:
        h = sqrt(n[0] * n[0] + n[1] * n[1])
        return (-n[1] / h, n[0] / h, 0.0 * h)
    h = sqrt(n[1] * n[1] + n[2] * n[2])
    return (0.0 * h, -n[2] / h, n[1] / h)
