"""The parts of a model that have to fit: bodies bound to each other in loops.

Where bodies form a tree, the placement along the joints is the start. Mechanisms that only the ground connects do not
know of each other; each is a part of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from flexor.bodies import Body
from flexor.declaration import Item, answers
from flexor.joints import Joint
from flexor.joints.path import Path
from flexor.model.attachments import attachments, bound_bodies, joints_of
from flexor.model.joint_state import GROUND


def parts_with_loops(items: Sequence[Item]) -> list[list[Item]]:
    """Bodies that are bound to each other beyond a tree of joints, with all that binds and drives them, part by part."""
    same, joints = _Groups(), joints_of(items)
    bound = {item.name: ends for item in items if (ends := bound_bodies(item, joints))}
    paths = {item.name: item for item in items if isinstance(item, Path)}
    driven = {item.name: drive for item in items if answers(type(item), "drive") and (drive := item.drive) is not None}
    for item in items if driven and paths else ():
        if item.name in driven and driven[item.name].joint in paths:  # it binds what that leads, also where springs do
            path = paths[driven[item.name].joint]
            ends = list(dict.fromkeys(ref.body for ref in attachments(path) if ref.body != GROUND))
            bound[item.name] = bound[path.name] = ends
    for first, *others in bound.values():
        for other in others:
            same.join(first, other)
    parts: dict[str, list[Item]] = {}
    for item in items:
        if isinstance(item, Body):
            parts.setdefault(same.root(item.name), []).append(item)
        elif item.name in bound:
            parts.setdefault(same.root(bound[item.name][0]), []).append(item)
        elif item.name in driven:
            parts.setdefault(same.root(bound[driven[item.name].joint][0]), []).append(item)
    return [part for part in parts.values() if _has_loops(part)]


def fits_in_one_way(part: Sequence[Item]) -> bool:
    """Whether what is stated leaves the bodies one position only, without a choice of branches.

    Bodies that are placed stand with the ground, those on both sides of a joint whose variables are all stated with each other.
    Two hinges, slides or balls between the same two of them leave one way to fit. If loops are left then, they may have several.
    """
    same = _Groups()
    held = {item.drive.joint for item in part if item.drive is not None and item.drive.position is not None}
    for item in part:
        if isinstance(item, Body) and item.position is not None and item.orientation is not None:
            same.join(GROUND, item.name)
        elif isinstance(item, Joint) and (item.start is not None or not item.variables or _driven(item, held)):
            same.join(item.a.body, item.b.body)
    plain = [item for item in part if isinstance(item, Joint) and _plain(item)]
    joined = True
    while joined:
        joined = False
        between: set[frozenset[str]] = set()
        for joint in plain:
            ends = frozenset((same.root(joint.a.body), same.root(joint.b.body)))
            if len(ends) == 2 and ends in between:
                joined = same.join(*ends) or joined
            between.add(ends)
    edges = [(item.a.body, item.b.body) for item in part if isinstance(item, Joint)]
    edges += [(GROUND, item.name) for item in part if isinstance(item, Body) and item.position is not None]
    joints = joints_of(part)
    others = [item for item in part if not isinstance(item, Joint) and bound_bodies(item, joints)]
    if not all(item.one_way for item in others):
        return False
    for item in others:
        if not item.couples:  # what couples variables, one following the others, leaves no choice
            bound = [ref.body for ref in attachments(item)]
            edges += pairwise(bound if len(bound) > 1 else [GROUND, *bound])
    roots = [(same.root(a), same.root(b)) for a, b in edges]
    return not _cyclic([(a, b) for a, b in roots if a != b])


def _plain(joint: Joint) -> bool:
    """A hinge, a slide, both along one axis, or a ball; a universal joint can fit turned over as well."""
    turns, slides = len(joint.rotations), len(joint.translations)
    return (turns <= 1 and slides <= 1) or (turns == 3 and not slides)


def _driven(joint: Joint, held: set[str]) -> bool:
    return joint.name in held and len(joint.variables) == 1


def _has_loops(part: Sequence[Item]) -> bool:
    """Whether something binds the bodies beyond the tree of joints along which they are placed and set in motion."""
    if len(part) == 1 and isinstance(part[0], Body):
        return False
    joints = [item for item in part if isinstance(item, Joint)]
    named = joints_of(joints)
    bodies = [item for item in part if isinstance(item, Body)]
    others = [item for item in part if not isinstance(item, Joint | Body)]
    if any(bound_bodies(item, named) for item in others):
        return True
    paths = {item.name for item in others if isinstance(item, Path)}
    if any(item.drive is not None and item.drive.joint in paths for item in others):
        return True
    placed = [(GROUND, body.name) for body in bodies if body.placed]
    moving = [(GROUND, body.name) for body in bodies if body.velocity is not None or body.angular_velocity is not None]
    own = [(joint.a.body, joint.b.body) for joint in joints if joint.at is None]
    every = [(joint.a.body, joint.b.body) for joint in joints]
    return _cyclic(own + placed) or _cyclic(every) or _cyclic(every + moving)


def is_tree_of_placed(part: Sequence[Item]) -> bool:
    """Whether a part has loops only by the places that its bodies are given: its joints form a tree, along which nothing is set in motion."""
    joints = [item for item in part if isinstance(item, Joint)]
    bodies = [item for item in part if isinstance(item, Body)]
    if len(joints) + len(bodies) < len(part):
        return False
    if any(body.velocity is not None or body.angular_velocity is not None for body in bodies):
        return False
    return not _cyclic([(joint.a.body, joint.b.body) for joint in joints])


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
