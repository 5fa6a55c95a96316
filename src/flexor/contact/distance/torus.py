"""A ring of circular section, or the wall of a tube bent to a ring."""

from __future__ import annotations

from flexor.contact.distance.planar import ON_AXIS, meridian, revolved
from flexor.law.dual import sqrt


def distance_torus(size, y):
    """In the meridian a circle about (R, 0); from its middle it goes away from the axis"""
    rho, z, c, s = meridian(y, size.ring)
    side = 1.0 if size.radius > 0.0 else -1.0
    u = rho - size.ring
    q = u * u + z * z
    zero = 0.0 * q
    if q <= ON_AXIS * size.ring * size.ring:
        return revolved(rho, c, s, zero - size.radius, side + zero, zero, zero)
    m = sqrt(q)
    return revolved(rho, c, s, side * m - size.radius, side * u / m, side * z / m, side / m)
