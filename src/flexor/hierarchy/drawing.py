"""The tree of subsystems as text."""

from __future__ import annotations

from collections.abc import Iterator

from flexor.dotted import prefixes
from flexor.hierarchy.memory import JointRows, Subsystem
from flexor.hierarchy.stepper import Tree

NAMED = 4
"""Names that are told of a subsystem, at most."""


def drawn(tree: Tree, most: int = 60) -> list[str]:
    """Lines: what the tree consists of, then subsystem by subsystem from the top; at most so many of these, deeper ones left out."""
    numbers, subsystems = tree.numbers, tree.subsystems
    bodies = _count(int(numbers.n_cells), "body", "bodies")
    if not len(subsystems):
        return [f"tree of {bodies}"]
    levels, widest = int(subsystems["level"].max()), int(subsystems["border"].max())
    head = f"tree of {bodies} and {_count(int(numbers.n_joints), 'joint')}: {_count(levels, 'level')}, at most {widest} coordinates at a border"
    depth = _depth_for(tree, most)
    found = [head, *_branch(tree, len(subsystems) - 1, "", "", depth)]
    if tree.links is not None:
        found.append(f"no loops: runs take {_count(tree.links.size // 2, 'joint coordinate')} and articulated bodies")
    return found


def _branch(tree: Tree, number: int, lead: str, under: str, depth: int) -> Iterator[str]:
    s = Subsystem(tree.memory.subsystems, number)
    joints = [JointRows(tree.memory.joints, int(s.joints) + i) for i in range(int(s.joint_count))]
    names = dict.fromkeys(tree.system.mechanism.terms[int(joint.term)].name for joint in joints)
    by = f"  by {_listed(list(names))}" if names else ""
    members = _members(tree, number)
    if s.left < 0:
        yield f"{lead}{members[0]}{by}"
        return
    whole = _component(tree, members) or (_listed(members) if depth > 0 else _count(len(members), "body", "bodies"))
    yield f"{lead}{whole}{by}"
    if depth > 0:
        yield from _branch(tree, int(s.left), f"{under}├─ ", f"{under}│  ", depth - 1)
        yield from _branch(tree, int(s.right), f"{under}└─ ", f"{under}   ", depth - 1)


def _component(tree: Tree, members: list[str]) -> str:
    """The component that a subsystem is, with the number of its bodies; empty if it is none."""
    found = list(prefixes(members[0]))[:-1]
    for name in reversed(found):
        if all(each.startswith(f"{name}.") for each in members):
            every = _members(tree, len(tree.subsystems) - 1)
            whole = sum(each.startswith(f"{name}.") for each in every) == len(members)
            return f"{name} ({_count(len(members), 'body', 'bodies')})" if whole else ""
    return ""


def _members(tree: Tree, number: int) -> list[str]:
    """Names of the bodies of a subsystem."""
    found, stack = [], [number]
    while stack:
        s = Subsystem(tree.memory.subsystems, stack.pop())
        if s.left < 0:
            found.append(tree.cells.name(tree.system, int(s.cell)))
        else:
            stack += [int(s.right), int(s.left)]
    return found


def _depth_for(tree: Tree, most: int) -> int:
    """Levels from the top that take no more lines."""
    depth, layer, lines = 0, [len(tree.subsystems) - 1], 1
    while layer:
        layer = [
            int(child)
            for number in layer
            for child in (tree.subsystems["left"][number], tree.subsystems["right"][number])
            if child >= 0
        ]
        lines += len(layer)
        if lines > most:
            break
        depth += 1
    return depth


def _listed(names: list[str]) -> str:
    return ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")


def _count(number: int, one: str, several: str = "") -> str:
    return f"{number} {one if number == 1 else several or one + 's'}"
