"""A body of revolution: its contour turned about z, at the distance x from the axis and the height y."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from flexor.contact.distance.contour import distance_contour, distance_side
from flexor.contact.distance.planar import meridian, revolved


def distance_revolved(size, y):
    """That of its meridian"""
    rho, z, c, s = meridian(y, size.extent)
    d, n_1, n_2, k = distance_contour(size, rho, z)
    return revolved(rho, c, s, d, n_1, n_2, k)


@cache
def side_of_revolved(number: int) -> Callable:
    """The distance from those sides of its contour that have a number."""

    def distance(size, y):  # type: ignore[no-untyped-def]
        rho, z, c, s = meridian(y, size.extent)
        d, n_1, n_2, k = distance_side(size, rho, z, 1.0 * number)
        return revolved(rho, c, s, d, n_1, n_2, k)

    return distance
