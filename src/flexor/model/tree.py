"""The parts of a model that have to fit: bodies bound to each other in loops.

Where bodies form a tree, the placement along the joints is the start. Mechanisms that only the ground connects do not
know of each other; each is a part of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

from flexor.bodies import Body, MarkerRef
from flexor.contact import RollingDisc
from flexor.declaration import Item
from flexor.forces import UserLaw
from flexor.joints import Distance, Joint, Motor
from flexor.model.joint_state import GROUND


def parts_with_loops(items: Sequence[Item]) -> list[list[Item]]:
    """Bodies that are bound to each other beyond a tree of joints, with all that binds and drives them, part by part."""
    same = _Groups()
    bound = {item.name: ends for item in items if (ends := _bodies_of(item))}
    for first, *others in bound.values():
        for other in others:
            same.join(first, other)
    parts: dict[str, list[Item]] = {}
    for item in items:
        if isinstance(item, Body):
            parts.setdefault(same.root(item.name), []).append(item)
        elif item.name in bound:
            parts.setdefault(same.root(bound[item.name][0]), []).append(item)
        elif isinstance(item, Motor):
            parts.setdefault(same.root(bound[item.joint][0]), []).append(item)
    return [part for part in parts.values() if _has_loops(part)]


def _bodies_of(item: Item) -> list[str]:
    """Names of the bodies that an item binds."""
    refs: tuple[MarkerRef, ...] = ()
    if isinstance(item, Joint | Distance):
        refs = (item.a, item.b)
    elif isinstance(item, RollingDisc):
        refs = (item.on,)
    elif isinstance(item, UserLaw) and item.rows:
        refs = item.on
    return [ref.body for ref in refs if ref.body != GROUND]


def _has_loops(part: Sequence[Item]) -> bool:
    """Whether something binds the bodies beyond the tree of joints along which they are placed and set in motion."""
    if any(_bodies_of(item) and not isinstance(item, Joint) for item in part):
        return True
    joints = [item for item in part if isinstance(item, Joint)]
    bodies = [item for item in part if isinstance(item, Body)]
    placed = [(GROUND, body.name) for body in bodies if body.placed]
    moving = [(GROUND, body.name) for body in bodies if body.velocity is not None or body.angular_velocity is not None]
    own = [(joint.a.body, joint.b.body) for joint in joints if joint.at is None]
    every = [(joint.a.body, joint.b.body) for joint in joints]
    return _cyclic(own + placed) or _cyclic(every) or _cyclic(every + moving)


def _cyclic(edges: Sequence[tuple[str, str]]) -> bool:
    same = _Groups()
    return any(not same.join(a, b) for a, b in edges)


class _Groups:
    """Names that belong together."""

    def __init__(self) -> None:
        self.above: dict[str, str] = {}

    def root(self, name: str) -> str:
        top = name
        while top in self.above:
            top = self.above[top]
        while name != top:  # shorten the way for the next time
            self.above[name], name = top, self.above[name]
        return top

    def join(self, a: str, b: str) -> bool:
        """Whether they were apart before."""
        a, b = self.root(a), self.root(b)
        if a != b:
            self.above[b] = a
        return a != b
