"""From the graph of bodies and joints to a balanced binary tree of subsystems.

Nested dissection, found from below: subsystems that a joint connects are paired, level by level, such that few bodies stay at the border
of each pair. A chain of N bodies becomes a tree of ⌈log₂ N⌉ levels with at most two bodies at every border; what hangs on a hub is joined to it one by one,
which no cut through the middle does as well.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

FEW = 2
"""Bodies at a border that are not worth avoiding."""


@dataclass
class _Group:
    """A subsystem in the making."""

    bodies: list[int]
    border: set[int]
    branch: int
    level: int = 0
    others: dict[int, set[int]] = field(default_factory=dict)
    """Subsystems that joints connect it with, and which joints."""


@dataclass(frozen=True)
class Joined:
    """Two parts that are joined: numbers below the count of bodies are bodies, others earlier pairs.

    joints: the joints that join them.   name: of a subsystem of the user's own.
    """

    left: int
    right: int
    joints: tuple[int, ...] = ()
    name: str = ""


@dataclass(frozen=True)
class Grouping:
    """A subsystem by the user's own hierarchy: its name, bodies of its own, and subsystems inside."""

    name: str
    bodies: tuple[int, ...] = ()
    inside: tuple[Grouping, ...] = ()


def own_groups(names: Sequence[str]) -> tuple[Grouping, ...]:
    """The user's own hierarchy, by the dotted names of bodies: front_left.strut.rod is a body of the component strut in front_left."""
    return _groups([(name.split("."), number) for number, name in enumerate(names) if "." in name], "")


def _groups(bodies: Sequence[tuple[list[str], int]], within: str) -> tuple[Grouping, ...]:
    of_group: dict[str, list[tuple[list[str], int]]] = {}
    for (first, *rest), number in bodies:
        of_group.setdefault(first, []).append((rest, number))
    found = []
    for first, members in of_group.items():
        name = f"{within}{first}"
        own = tuple(number for rest, number in members if len(rest) == 1)
        deeper = [(rest, number) for rest, number in members if len(rest) > 1]
        found.append(Grouping(name, own, _groups(deeper, f"{name}.")))
    return tuple(found)


def paired(n_bodies: int, joints: Sequence[Iterable[int]], groups: Sequence[Grouping] = ()) -> list[Joined]:
    """All pairs in the order in which they are joined; bodies that nothing connects are joined at the end.

    joints: bodies that each joint connects, the ground left out.   groups: the user's own subsystems, see `Grouping`.
    """
    of_joint = [tuple(dict.fromkeys(joint)) for joint in joints]
    pairs: list[Joined] = []
    part = list(range(n_bodies))
    for group in groups:
        _join_group(group, part, of_joint, pairs, n_bodies)
    tops = list(dict.fromkeys(part))
    _join(tops, part, of_joint, pairs, n_bodies, "")
    return pairs


def _join_group(
    group: Grouping, part: list[int], joints: list[tuple[int, ...]], pairs: list[Joined], n_bodies: int
) -> list[int]:
    """Join a subsystem of the user's; its bodies."""
    bodies = list(group.bodies)
    for inner in group.inside:
        bodies += _join_group(inner, part, joints, pairs, n_bodies)
    _join(list(dict.fromkeys(part[body] for body in bodies)), part, joints, pairs, n_bodies, group.name)
    return bodies


def _join(
    tops: list[int], part: list[int], joints: list[tuple[int, ...]], pairs: list[Joined], n_bodies: int, name: str
) -> None:
    """Join these parts to one. part: of each body, the part that it belongs to by now."""
    if len(tops) < 2:
        return
    members: dict[int, list[int]] = {top: [] for top in tops}
    for body, top in enumerate(part):
        if top in members:
            members[top].append(body)
    groups = {top: _Group(bodies, set(), top) for top, bodies in members.items()}
    open_joints: dict[int, set[int]] = {body: set() for bodies in members.values() for body in bodies}
    for number, joint in enumerate(joints):
        if len({part[body] for body in joint}) < 2:
            continue
        touched = [part[body] for body in joint if part[body] in groups]
        for body in joint:
            if part[body] in groups:
                open_joints[body].add(number)
                groups[part[body]].border.add(body)
        for a in touched:
            for b in touched:
                if a != b:
                    groups[a].others.setdefault(b, set()).add(number)
    deep = len(tops).bit_length()  # levels of a balanced tree; deeper ones are alike
    where = set(tops)
    body_group = {body: top for top, bodies in members.items() for body in bodies}

    def closed_by(a: int, b: int) -> set[int]:
        both = {a, b}
        return {
            number
            for number in groups[a].others.get(b, ())
            if all(part[body] in where and body_group[body] in both for body in joints[number])
        }

    def cost(a: int, b: int) -> tuple[int, int, int]:
        closed = closed_by(a, b)
        freed = {body for number in closed for body in joints[number] if open_joints[body] <= closed}
        after = len(groups[a].border) + len(groups[b].border) - len(freed)
        most = max(len(groups[a].border), len(groups[b].border), FEW)
        return max(after - most, 0), min(max(groups[a].level, groups[b].level), deep), after

    heap = [(cost(a, b), a, b) for a in groups for b in groups[a].others if a < b]
    heapq.heapify(heap)

    def unite(a: int, b: int) -> None:
        """The larger one, a, takes in b."""
        closed = closed_by(a, b)
        first, second = groups[a], groups.pop(b)
        pairs.append(Joined(first.branch, second.branch, tuple(sorted(closed))))
        first.branch = n_bodies + len(pairs) - 1
        first.bodies += second.bodies
        first.level = max(first.level, second.level) + 1
        first.border |= second.border
        for body in second.bodies:
            body_group[body] = a
        for number in closed:
            for body in joints[number]:
                open_joints[body].discard(number)
                if not open_joints[body]:
                    first.border.discard(body)
        first.others.pop(b, None)
        for other, between in second.others.items():
            if other == a:
                continue
            groups[other].others.pop(b, None)
            first.others.setdefault(other, set()).update(between)
            groups[other].others.setdefault(a, set()).update(between)
            heapq.heappush(heap, (cost(a, other), a, other))

    while heap:
        old, a, b = heapq.heappop(heap)
        if a not in groups or b not in groups or b not in groups[a].others:
            continue
        now = cost(a, b)
        if now > old and heap and now > heap[0][0]:
            heapq.heappush(heap, (now, a, b))
            continue
        unite(*((a, b) if len(groups[a].bodies) >= len(groups[b].bodies) else (b, a)))
    rest = [(group.level, number) for number, group in groups.items()]
    heapq.heapify(rest)
    while len(rest) > 1:
        _, a = heapq.heappop(rest)
        _, b = heapq.heappop(rest)
        unite(a, b)
        heapq.heappush(rest, (groups[a].level, a))
    (whole,) = groups.values()
    pairs[-1] = replace(pairs[-1], name=name)
    for body in whole.bodies:
        part[body] = whole.branch
