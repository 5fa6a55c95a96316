"""Named sets of nodes or elements: listed, generated, or made of other sets."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from flexor.io.draft import Place
from flexor.io.file_text import wrong

DEEPEST = 100


@dataclass
class _Set:
    name: str
    place: Place
    listed: list[np.ndarray] = field(default_factory=list)
    ranges: list[tuple[int, int, int]] = field(default_factory=list)
    others: list[tuple[str, Place]] = field(default_factory=list)


class NamedSets:
    """Sets by name; case does not matter. A part and the assembly may use the same name for different sets."""

    def __init__(self, what: str) -> None:
        self.what = what
        self._sets: dict[tuple[str, bool], _Set] = {}
        self._resolved: dict[tuple[str, bool], np.ndarray] = {}

    def get(self, name: str, scope: str, place: Place) -> _Set:
        """The set of this name, made if need be."""
        return self._sets.setdefault((name.upper(), scope == "part"), _Set(name, place))

    def names(self) -> list[tuple[str, str, Place]]:
        """Name, scope and first place of each."""
        return [(each.name, "part" if in_part else "", each.place) for (_, in_part), each in self._sets.items()]

    def has(self, name: str, scope: str) -> bool:
        key = name.upper()
        return (key, scope == "part") in self._sets or (key, scope != "part") in self._sets

    def numbers(self, name: str, scope: str, place: Place, known: np.ndarray) -> np.ndarray:
        """Sorted numbers of the set; of generated ones only those that are `known`, the numbers of the whole file."""
        return self._numbers(name, scope, place, known, ())

    def _numbers(self, name: str, scope: str, place: Place, known: np.ndarray, within: tuple[str, ...]) -> np.ndarray:
        key = (name.upper(), scope == "part")
        if key not in self._sets:
            key = (name.upper(), scope != "part")
        if key in self._resolved:
            return self._resolved[key]
        if key not in self._sets:
            raise wrong(*place, f"{self.what} set {name!r} does not exist", fix="define it or correct the name")
        if key[0] in within:
            raise wrong(*place, f"{self.what} set {name!r} contains itself", fix="remove it from its own list")
        if len(within) > DEEPEST:
            raise wrong(*place, f"{self.what} set {name!r} lies more than {DEEPEST} sets deep", fix="list its members")
        found = self._sets[key]
        parts = [np.zeros(0, dtype=np.int64), *found.listed]
        for first, last, step in found.ranges:
            parts.append(known[(known >= first) & (known <= last) & ((known - first) % step == 0)])
        for other, where in found.others:
            parts.append(self._numbers(other, scope, where, known, (*within, key[0])))
        self._resolved[key] = np.unique(np.concatenate(parts))
        return self._resolved[key]
