"""From the graph of bodies and joints to a binary tree of subsystems.

Nested dissection: the graph of bodies is cut into halves by few joints, each half again, until few bodies are left. Before that, subsystems
that a joint connects are joined for as long as this leaves no more bodies at their border than one of them had, or two: no cut could do better. A
chain of N bodies becomes a tree of ⌈log₂ N⌉ levels with at most two bodies at every border, and what hangs on a hub is joined to it one by
one; what is left to be cut is meshed. A net of n × n bodies becomes a tree of some 2 log₂ n levels with about n bodies at its widest borders.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from flexor.hierarchy.pairing import Joined, Pairing


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
    pairing = Pairing(n_bodies, [tuple(dict.fromkeys(joint)) for joint in joints])
    for group in groups:
        _join_group(group, pairing)
    pairing.join(range(n_bodies), "")
    return pairing.pairs


def _join_group(group: Grouping, pairing: Pairing) -> list[int]:
    """Join a subsystem of the user's; its bodies."""
    bodies = list(group.bodies)
    for inner in group.inside:
        bodies += _join_group(inner, pairing)
    pairing.join(bodies, group.name)
    return bodies
