"""A sphere: all points at a distance from its centre, the origin of its axes."""

from __future__ import annotations

from flexor.bodies.shape import Sphere
from flexor.contact.surfaces.surface import Surface, own_axes
from flexor.law.record import Packed, Record, number


class SphereSize(Record):
    """Numbers of a sphere."""

    radius = number("its radius, negative if it is touched from within", "m")


def _pack(shape: Sphere) -> Packed:
    return SphereSize.pack(radius=-shape.radius if shape.inside else shape.radius)


def _curvatures(shape: Sphere) -> tuple[float, float]:
    curvature = (-1.0 if shape.inside else 1.0) / shape.radius
    return curvature, curvature


def _reach(shape: Sphere) -> tuple[float, float, float]:
    return shape.radius, shape.radius, shape.radius


SPHERE = Surface("sphere", SphereSize, _pack, own_axes, _curvatures, _reach)
