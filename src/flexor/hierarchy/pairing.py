"""Subsystems joined in pairs: which two, and which joints are closed by that."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from flexor.hierarchy.bisection import Graph, halves

FEW = 2
"""Bodies at a border that are not worth avoiding."""
LEAF = 4
"""Subsystems that are not cut any more, but paired from below."""


@dataclass(frozen=True)
class Joined:
    """Two parts that are joined: numbers below the count of bodies are bodies, others earlier pairs.

    joints: the joints that join them.   name: of a subsystem of the user's own.
    """

    left: int
    right: int
    joints: tuple[int, ...] = ()
    name: str = ""


@dataclass
class _Group:
    """A subsystem in the making.

    branch: its number, as in `Joined`.   border: bodies with joints to others.   others: subsystems that joints connect it with, and which joints.
    """

    bodies: list[int]
    branch: int
    border: set[int] = field(default_factory=set)
    level: int = 0
    others: dict[int, set[int]] = field(default_factory=dict)


class Pairing:
    """Bodies and joints, joined to subsystems step by step. joints: bodies of each, the ground left out."""

    def __init__(self, n_bodies: int, joints: Sequence[tuple[int, ...]]) -> None:
        self.n_bodies, self.joints = n_bodies, joints
        self.pairs: list[Joined] = []
        self.groups = {body: _Group([body], body) for body in range(n_bodies)}
        self.group_of = list(range(n_bodies))
        self.open_joints: list[set[int]] = [set() for _ in range(n_bodies)]
        for number, joint in enumerate(joints):
            if len(joint) < 2:
                continue
            for a in joint:
                self.open_joints[a].add(number)
                self.groups[a].border.add(a)
                for b in joint:
                    if a != b:
                        self.groups[a].others.setdefault(b, set()).add(number)

    def join(self, bodies: Iterable[int], name: str) -> None:
        """Join these bodies, and the subsystems that they belong to, to one of this name."""
        within = list(dict.fromkeys(self.group_of[body] for body in bodies))
        if len(within) < 2:
            return
        rest = [self._dissect(part) for part in self._connected(self._pair(within, only_free=True))]
        heap = [(self.groups[each].level, each) for each in rest]
        heapq.heapify(heap)
        while len(heap) > 1:  # nothing connects them
            (_, a), (_, b) = heapq.heappop(heap), heapq.heappop(heap)
            whole = self._unite(a, b)
            heapq.heappush(heap, (self.groups[whole].level, whole))
        self.pairs[-1] = replace(self.pairs[-1], name=name)

    def _dissect(self, within: list[int]) -> int:
        """Join connected subsystems to one, top-down: each of both halves, then these."""
        if len(within) <= LEAF:
            (whole,) = self._pair(within)
            return whole
        place = {each: i for i, each in enumerate(within)}
        near = [
            {place[other]: len(joints) for other, joints in self.groups[each].others.items() if other in place}
            for each in within
        ]
        side = halves(Graph([len(self.groups[each].bodies) for each in within], near))
        found = []
        for right in (False, True):
            half = [each for each, lies in zip(within, side, strict=True) if lies == right]
            parts = [self._dissect(part) for part in self._connected(half)]
            while len(parts) > 1:
                parts = [*parts[2:], self._unite(parts[0], parts[1])]
            found += parts
        return self._unite(*found)

    def _connected(self, within: list[int]) -> list[list[int]]:
        """Those that joints connect, together."""
        left, found = dict.fromkeys(within), []
        for start in within:
            if start not in left:
                continue
            del left[start]
            part = [start]
            for each in part:
                for other in self.groups[each].others:
                    if other in left:
                        del left[other]
                        part.append(other)
            found.append(part)
        return found

    def _pair(self, within: list[int], only_free: bool = False) -> list[int]:
        """Join neighbours from below, with few bodies at the border of each pair; what is left.

        only_free: as long as no border grows beyond FEW.
        """
        left = set(within)
        deep = len(within).bit_length()  # levels of a balanced tree; deeper ones are alike
        heap = [(self._cost(a, b, deep), a, b) for a in within for b in self.groups[a].others if b in left and a < b]
        heapq.heapify(heap)
        passed: dict[int, list[int]] = {}  # pairs that are not free, until one of them is another one
        while heap:
            old, a, b = heapq.heappop(heap)
            if a not in left or b not in left or b not in self.groups[a].others:
                continue
            now = self._cost(a, b, deep)
            if only_free and now[0]:
                passed.setdefault(a, []).append(b)
                passed.setdefault(b, []).append(a)
                continue
            if now > old and heap and now > heap[0][0]:
                heapq.heappush(heap, (now, a, b))
                continue
            whole, gone = self._ranked(a, b)
            again = {*self.groups[gone].others, *passed.pop(a, ()), *passed.pop(b, ())}
            self._unite(a, b)
            left.discard(gone)
            for other in sorted((again & left) - {whole}):
                heapq.heappush(heap, (self._cost(whole, other, deep), whole, other))
        return [each for each in within if each in left]

    def _closed_by(self, a: int, b: int) -> set[int]:
        """Joints all of whose bodies belong to two subsystems."""
        both = {a, b}
        return {
            number
            for number in self.groups[a].others.get(b, ())
            if all(self.group_of[body] in both for body in self.joints[number])
        }

    def _cost(self, a: int, b: int, deep: int) -> tuple[int, int, int]:
        """Bodies more at the border, level, bodies at the border, if two subsystems are joined."""
        closed = self._closed_by(a, b)
        freed = {body for number in closed for body in self.joints[number] if self.open_joints[body] <= closed}
        first, second = self.groups[a], self.groups[b]
        after = len(first.border) + len(second.border) - len(freed)
        most = max(len(first.border), len(second.border), FEW)
        return max(after - most, 0), min(max(first.level, second.level), deep), after

    def _ranked(self, a: int, b: int) -> tuple[int, int]:
        """The larger one first."""
        return (a, b) if len(self.groups[a].bodies) >= len(self.groups[b].bodies) else (b, a)

    def _unite(self, a: int, b: int) -> int:
        """The larger one takes in the other; which one that is."""
        a, b = self._ranked(a, b)
        closed = self._closed_by(a, b)
        first, second = self.groups[a], self.groups.pop(b)
        self.pairs.append(Joined(first.branch, second.branch, tuple(sorted(closed))))
        first.branch = self.n_bodies + len(self.pairs) - 1
        first.bodies += second.bodies
        first.level = max(first.level, second.level) + 1
        first.border |= second.border
        for body in second.bodies:
            self.group_of[body] = a
        for number in closed:
            for body in self.joints[number]:
                self.open_joints[body].discard(number)
                if not self.open_joints[body]:
                    first.border.discard(body)
        first.others.pop(b, None)
        for other, between in second.others.items():
            if other != a:
                self.groups[other].others.pop(b, None)
                first.others.setdefault(other, set()).update(between)
                self.groups[other].others.setdefault(a, set()).update(between)
        return a
