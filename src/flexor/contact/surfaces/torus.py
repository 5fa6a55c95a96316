"""A torus about z: all points at a distance from a circle, the core."""

from __future__ import annotations

from flexor.bodies.shape import Torus
from flexor.contact.surfaces.surface import Surface, along_axis
from flexor.law.record import Packed, Record, number


class TorusSize(Record):
    """Numbers of a torus."""

    ring = number("radius of the circle through the middle of the tube", "m")
    radius = number("radius of the tube, negative if it is touched from within", "m")


def _pack(shape: Torus) -> Packed:
    return TorusSize.pack(ring=shape.ring, radius=-shape.radius if shape.inside else shape.radius)


def _curvatures(shape: Torus) -> tuple[float, float]:
    """On its outer equator, or at the bottom of the groove that it is from within."""
    if shape.inside:
        return -1.0 / shape.radius, -1.0 / (shape.ring + shape.radius)
    return 1.0 / shape.radius, 1.0 / (shape.ring + shape.radius)


def _reach(shape: Torus) -> tuple[float, float, float]:
    whole = shape.ring + shape.radius
    return whole, whole, shape.radius


TORUS = Surface("torus", TorusSize, _pack, along_axis, _curvatures, _reach)
