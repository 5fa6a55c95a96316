"""Joints, springs, motors, loads … in a scene: where they stand, how they are drawn, their forces as arrows, their signals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from flexor.bodies import Body
from flexor.contact import CONTACTS
from flexor.control import CONTROLS, Sensor
from flexor.declaration import Item
from flexor.dotted import owner
from flexor.errors import FlexorError
from flexor.joints import DRIVERS, JOINTS
from flexor.transmissions import TRANSMISSIONS
from flexor.viewer.bodies import Bodies
from flexor.viewer.ends import End, Ends
from flexor.viewer.glyphs import glyph_of
from flexor.viewer.glyphs.glyph import BETWEEN, Arrow
from flexor.viewer.properties import properties_of
from flexor.viewer.rows import Layout, Window

GROUPS: tuple[tuple[str, tuple[type[Item], ...]], ...] = (
    ("joints", JOINTS),
    ("motors", DRIVERS),
    ("transmissions", TRANSMISSIONS),
    ("contacts", CONTACTS),
    ("sensors", (Sensor,)),
    ("controls", CONTROLS),
)
LOADS = ("point_force", "point_torque", "mesh_load", "line_load")
UNITS = {"force": "N", "reaction": "N", "torque": "N m", "reaction torque": "N m"}


def group_of(item: Item) -> str:
    """Where it stands in the tree."""
    if item.type == "friction":
        return "forces"
    for name, kinds in GROUPS:
        if isinstance(item, kinds):
            return name
    return "loads" if item.type in LOADS else "forces"


def items_of(bodies: Bodies, layout: Layout, notes: list[str]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The items of the model and the arrows of their forces, for the header; rows get the vectors of the arrows."""
    finder = Ends(bodies)
    known = {item.name: item for item in bodies.model.items}
    signals, units = (bodies.run.names, bodies.run.units) if bodies.run is not None else ((), {})
    own: dict[str, list[str]] = {}
    for name in signals:
        own.setdefault(owner(name, known), []).append(name)
    items: list[dict[str, Any]] = []
    arrows: list[dict[str, Any]] = []
    for item in bodies.model.items:
        if isinstance(item, Body):
            continue
        try:
            ends = finder.of(item)
            glyph = glyph_of(item, known)
        except (FlexorError, OSError, KeyError, ValueError) as error:
            notes.append(f"{item.called(item.name)} is not drawn: {error}")
            ends, glyph = [], None
        headers = [finder.header(end) for end in ends]
        drawn = [bodies.buffers.sent(p) for p in glyph.primitives if _stands(p, len(ends))] if glyph else []
        for arrow in glyph.arrows if glyph else ():
            names = [f"{item.name}.{signal}" for signal in arrow.signals]
            if arrow.at < len(ends) and all(name in units for name in names):
                offset = layout.add(3, _vector(arrow, names, ends))
                about = {"name": f"{item.name}.{arrow.signals[0].removesuffix('_x')}", "item": len(items)}
                place = {"at": headers[arrow.at], "vector": offset}
                arrows.append({**about, **place, "kind": arrow.kind, "unit": UNITS[arrow.kind], "largest": 0.0})
        items.append(
            {
                "name": item.name,
                "type": type(item).__name__,
                "group": group_of(item),
                "ends": headers,
                "glyph": drawn,
                "properties": properties_of(item, known),
                "signals": own.get(item.name, []),
            }
        )
    return items, arrows


def _stands(primitive: dict[str, Any], count: int) -> bool:
    """Whether the ends that it is drawn at are there."""
    end = primitive.get("end", 0)
    needed = max(primitive.get("ends", (0, 1))) if end == "between" else end
    return needed < count


def _vector(arrow: Arrow, names: list[str], ends: list[End]) -> Callable[[Window], np.ndarray]:
    """The force or torque at recorded rows, in global axes."""

    def vector(window: Window) -> np.ndarray:
        if arrow.direction == BETWEEN:
            d = ends[1].position(window) - ends[0].position(window)
            length = np.linalg.norm(d, axis=1)
            unit = d / np.where(length > 0, length, 1.0)[:, None]
            return arrow.sign * window[names[0]][:, None] * unit
        if arrow.direction is not None:
            own = arrow.sign * window[names[0]][:, None] * np.asarray(arrow.direction, dtype=float)
        else:
            own = arrow.sign * np.stack([window[name] for name in names], axis=1)
        if arrow.axes is None:
            return own
        found: np.ndarray = np.einsum("tij,tj->ti", ends[arrow.axes].axes(window), own)
        return found

    return vector
