"""Contact: the shapes that it has of its own, and the force on b."""

from __future__ import annotations

from typing import Any

from flexor.bodies import Box, Cylinder, Plane, Sphere
from flexor.bodies.side import Side
from flexor.spatial import quaternion_to_matrix, triad
from flexor.viewer.glyphs.glyph import METAL, Arrow, Glyph, Items
from flexor.viewer.primitive import Primitive, primitive, sign

PLATE = 0.02
"""Thickness of the plate that stands for a plane, in parts of its side."""


def draw(item: Any, items: Items) -> Glyph:
    shapes = [
        None if isinstance(shape, Side) else shape for shape in (item.shape_a, item.shape_b)
    ]  # a side is drawn with its body
    found = [drawn_shape(shape, end) for end, shape in enumerate(shapes) if shape is not None]
    force = Arrow(("force_x", "force_y", "force_z"), "reaction", at=1)
    return Glyph(tuple(found) or (sign("sphere", 0.15, end=1, color=METAL),), (force,))


def drawn_shape(shape: Any, end: int) -> Primitive:
    """A shape at an end; what is not simple as a sign."""
    if isinstance(shape, Sphere):
        return primitive("sphere", (shape.radius,), shape.at, end=end, color=shape.color)
    if isinstance(shape, Cylinder):
        R = triad(shape.axis)
        return primitive("cylinder", (shape.radius, shape.length), shape.at, R, end=end, color=shape.color)
    if isinstance(shape, Box):
        R = quaternion_to_matrix(shape.orientation)
        return primitive("box", (shape.x, shape.y, shape.z), shape.at, R, end=end, color=shape.color)
    if isinstance(shape, Plane):
        R, thick = triad(shape.normal), PLATE * shape.size
        return primitive(
            "box", (shape.size, shape.size, thick), shape.at - 0.5 * thick * R[:, 2], R, end=end, color=shape.color
        )
    return sign("sphere", 0.15, end=end, color=METAL)
