"""A ring of circular section, or the wall of a tube bent to a ring."""

from __future__ import annotations

from flexor.contact.distance.planar import ON_AXIS, meridian, revolved
from flexor.law.dual import sqrt


def distance_torus(size, y):
    """That of its meridian"""
    rho, z, c, s = meridian(y, size.ring)
    return revolved(rho, c, s, *section_of_torus(size, rho, z))


def section_of_torus(size, rho, z):
    """In the meridian a circle about (R, 0); from its middle it goes away from the axis"""
    side = 1.0 if size.radius > 0.0 else -1.0
    u = rho - size.ring
    q = u * u + z * z
    zero = 0.0 * q
    if q <= ON_AXIS * size.ring * size.ring:
        return zero - size.radius, side + zero, zero, zero
    m = sqrt(q)
    return side * m - size.radius, side * u / m, side * z / m, side / m
