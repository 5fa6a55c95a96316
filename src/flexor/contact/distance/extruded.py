"""A prism: its contour in the x-y plane, as thick as it is."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from flexor.contact.distance.contour import distance_contour, distance_side, side_at
from flexor.contact.distance.planar import thick


def distance_extruded(size, y):
    """That of its section, between its ends"""
    d, n_1, n_2, k = distance_contour(size, y[0], y[1])
    return thick(d, n_1, n_2, k, y[2], size.half)


def number_on_extruded(size, y):
    """Number of the side that is nearest to a point"""
    return side_at(size, y[0], y[1])


@cache
def side_of_extruded(number: int) -> Callable:
    """The distance from those sides of its contour that have a number."""

    def distance(size, y):  # type: ignore[no-untyped-def]
        d, n_1, n_2, k = distance_side(size, y[0], y[1], 1.0 * number)
        return thick(d, n_1, n_2, k, y[2], size.half)

    return distance
