"""A cylinder with flat ends, or a bore through a plate."""

from __future__ import annotations

from flexor.contact.distance.planar import meridian, revolved
from flexor.law.dual import sqrt


def distance_cylinder(size, y):
    """That of its meridian"""
    rho, z, c, s = meridian(y, size.radius)
    return revolved(rho, c, s, *section_of_cylinder(size, rho, z))


def section_of_cylinder(size, rho, z):
    """In the meridian a rectangle ρ ≤ r, |z| ≤ h; of a bore the strip ρ ≥ r, |z| ≤ h"""
    side = 1.0 if size.radius > 0.0 else -1.0
    end = 1.0
    if z < 0.0:
        end = -1.0
    u, w = side * rho - size.radius, end * z - size.half
    zero = 0.0 * (u + w)
    if u > 0.0 and w > 0.0:  # about the rim
        d = sqrt(u * u + w * w)
        return d, side * u / d, end * w / d, 1.0 / d
    if u > w:
        return u + zero, side + zero, zero, zero
    return w + zero, zero, end + zero, zero
