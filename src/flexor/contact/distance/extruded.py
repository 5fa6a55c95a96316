"""A prism: its contour in the x-y plane, as thick as it is."""

from __future__ import annotations

from flexor.contact.distance.contour import distance_contour, other_side
from flexor.contact.distance.planar import thick


def distance_extruded(size, y):
    """That of its section, between its ends"""
    d, n_1, n_2, k = distance_contour(size, y[0], y[1])
    return thick(d, n_1, n_2, k, y[2], size.half)


def other_side_of_extruded(size, y):
    """The distance from another side of its contour, in a corner"""
    d, n_1, n_2, k = other_side(size, y[0], y[1])
    return thick(d, n_1, n_2, k, y[2], size.half)
