"""Contact: the shapes that it has of its own, and the force on b."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flexor.bodies.side import Side
from flexor.viewer.glyphs.glyph import METAL, Arrow, Glyph, Items
from flexor.viewer.primitive import Primitive, sign
from flexor.viewer.shapes import drawn_shape


def draw(item: Any, items: Items) -> Glyph:
    force = Arrow(("force_x", "force_y", "force_z"), "reaction", at=1)
    return Glyph(shapes_at_ends((item.shape_a, item.shape_b)) or (sign("sphere", 0.15, end=1, color=METAL),), (force,))


def shapes_at_ends(shapes: Iterable[Any]) -> tuple[Primitive, ...]:
    """Those that are some, each at its end; a side is drawn with its body."""
    found = ((end, shape) for end, shape in enumerate(shapes) if shape is not None and not isinstance(shape, Side))
    return tuple(drawn_shape(shape) | {"end": end} for end, shape in found)
