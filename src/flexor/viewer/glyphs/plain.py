"""Items that have no glyph of their own."""

from __future__ import annotations

from flexor.declaration import Item
from flexor.joints.joint import Joint
from flexor.viewer.glyphs.glyph import AXIS, METAL, SPRING, Glyph, joint_glyph
from flexor.viewer.primitive import Primitive, between, sign


def plain(item: Item) -> Glyph:
    """From what the item says of itself."""
    if isinstance(item, Joint):
        return joint_glyph(*free_motions(item))
    if item.line is not None:
        return Glyph((between("line", color=SPRING),))
    return Glyph((sign("frame", 1.0),))


def free_motions(joint: Joint) -> list[Primitive]:
    """A block, an arrow along each free translation and a ring about each free rotation."""
    found = [sign("box", 0.5, 0.5, 0.5, color=METAL)]
    found += [sign("arrow", 1.2, axis=axis, color=AXIS) for axis in joint.translations]
    found += [sign("ring", 0.6, 0.08, axis=axis, color=AXIS) for axis in dict.fromkeys(joint.rotations)]
    return found
