"""Glyphs of items: the module named like the `type` of an item draws it, `draw(item, items) -> Glyph`.

An item without such a file is drawn from what it says of itself: a joint by its free motions, what acts along a line by that
line, everything else by the frames where it attaches. Blocks of control systems share one.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import cast

from flexor.control.block import ControlBlock
from flexor.declaration import Item
from flexor.viewer.glyphs.glyph import Glyph, Items
from flexor.viewer.glyphs.plain import plain

__all__ = ["Glyph", "glyph_of", "has_file"]


def has_file(kind: str) -> bool:
    """Whether a kind of item has a glyph of its own."""
    return kind.isidentifier() and find_spec(f"{__name__}.{kind}") is not None


def glyph_of(item: Item, items: Items) -> Glyph:
    """How an item is drawn. items: all of the model, by name."""
    name = "block" if isinstance(item, ControlBlock) else item.type
    if not has_file(name):
        return plain(item)
    return cast("Glyph", import_module(f"{__name__}.{name}").draw(item, items))
