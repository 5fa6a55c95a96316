"""A cylinder about z, or a bore; for line contact in slices along its axis."""

from __future__ import annotations

from flexor.bodies.shape import Cylinder
from flexor.contact.surfaces.surface import Surface, along_axis
from flexor.law.record import Packed, Record, integer, number


class CylinderSize(Record):
    """Numbers of a cylinder."""

    radius = number("its radius, negative if it is touched from within", "m")
    half = number("half of its length", "m")
    slices = integer("into how many it is cut for line contact; 0: it touches with its ends")


def _pack(shape: Cylinder, slices: int = 0) -> Packed:
    radius = -shape.radius if shape.inside else shape.radius
    return CylinderSize.pack(radius=radius, half=0.5 * shape.length, slices=slices)


def _curvatures(shape: Cylinder) -> tuple[float, float]:
    return (-1.0 if shape.inside else 1.0) / shape.radius, 0.0


def _reach(shape: Cylinder) -> tuple[float, float, float]:
    return shape.radius, shape.radius, 0.5 * shape.length


CYLINDER = Surface("cylinder", CylinderSize, _pack, along_axis, _curvatures, _reach, sliced=True)
