"""Whether the bodies of a model form a tree: then the placement along the joints is the start, and nothing has to fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flexor.bodies import Body
from flexor.contact import RollingDisc
from flexor.forces import UserLaw
from flexor.joints import Distance, Joint
from flexor.model.joint_state import GROUND


def has_loops(items: Sequence[Any]) -> bool:
    """Whether something binds the bodies beyond the tree of joints along which they are placed and set in motion."""
    if any(isinstance(item, Distance | RollingDisc) for item in items):
        return True
    if any(isinstance(item, UserLaw) and item.rows for item in items):
        return True
    joints = [item for item in items if isinstance(item, Joint)]
    bodies = [item for item in items if isinstance(item, Body)]
    placed = [(GROUND, body.name) for body in bodies if body.placed]
    moving = [(GROUND, body.name) for body in bodies if body.velocity is not None or body.angular_velocity is not None]
    own = [(joint.a.body, joint.b.body) for joint in joints if joint.at is None]
    every = [(joint.a.body, joint.b.body) for joint in joints]
    return _cyclic(own + placed) or _cyclic(every) or _cyclic(every + moving)


def _cyclic(edges: Sequence[tuple[str, str]]) -> bool:
    root: dict[str, str] = {}

    def find(name: str) -> str:
        while name in root:
            name = root[name]
        return name

    for a, b in edges:
        a, b = find(a), find(b)
        if a == b:
            return True
        root[b] = a
    return False
