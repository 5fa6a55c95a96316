"""A box about its centre: eight corners, and what touches its faces and edges."""

from __future__ import annotations

from flexor.bodies.shape import Box
from flexor.contact.surfaces.surface import Surface, as_oriented
from flexor.law.record import Packed, Record, numbers


class BoxSize(Record):
    """Numbers of a box."""

    half = numbers(3, "half of its sides", "m")


def _pack(shape: Box) -> Packed:
    return BoxSize.pack(half=_reach(shape))


def _curvatures(shape: Box) -> tuple[float, float]:
    return 0.0, 0.0


def _reach(shape: Box) -> tuple[float, float, float]:
    return 0.5 * shape.x, 0.5 * shape.y, 0.5 * shape.z


BOX = Surface("box", BoxSize, _pack, as_oriented, _curvatures, _reach)
