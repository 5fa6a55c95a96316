"""Dotted names: `front_left.strut.spring` is the spring of the strut of the component front_left.

What belongs to an item is written behind its name and a dot, too: `front_left.strut.spring.force` is a signal, `front_left.arm.tip` a marker. No item has
the name of a component that others stand in (the check of a model sees to that), so at most one item's name is the beginning of a longer name.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

NAME = r"^[^.\s][^.]*(\.[^.\s][^.]*)*$"
"""Pattern of an item's name."""


def prefixes(name: str) -> Iterator[str]:
    """`a`, `a.b` and `a.b.c` of a.b.c, the shortest first."""
    at = name.find(".")
    while at >= 0:
        yield name[:at]
        at = name.find(".", at + 1)
    yield name


def owner(name: str, known: Container[str]) -> str:
    """The known name that a name begins with; where there is none, what stands before the first dot."""
    first = at = name.find(".")
    while at >= 0:
        if name[:at] in known:
            return name[:at]
        at = name.find(".", at + 1)
    return name if first < 0 or name in known else name[:first]


def split(name: str, known: Container[str]) -> tuple[str, str]:
    """The owner of a name, and what stands behind it: ("front_left.arm", "tip")."""
    first = owner(name, known)
    return first, name[len(first) + 1 :]


def within(name: str, chosen: Container[str]) -> bool:
    """Whether a name, or a component that it stands in, is among the chosen ones."""
    return any(each in chosen for each in prefixes(name))
