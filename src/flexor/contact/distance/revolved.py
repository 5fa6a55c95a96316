"""A body of revolution: its contour turned about z, at the distance x from the axis and the height y."""

from __future__ import annotations

from flexor.contact.distance.contour import distance_contour, other_side
from flexor.contact.distance.planar import meridian, revolved


def distance_revolved(size, y):
    """That of its meridian"""
    rho, z, c, s = meridian(y, size.extent)
    d, n_1, n_2, k = distance_contour(size, rho, z)
    return revolved(rho, c, s, d, n_1, n_2, k)


def other_side_of_revolved(size, y):
    """The distance from another side of its contour, in a groove"""
    rho, z, c, s = meridian(y, size.extent)
    d, n_1, n_2, k = other_side(size, rho, z)
    return revolved(rho, c, s, d, n_1, n_2, k)
