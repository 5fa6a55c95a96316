"""A mesh while it is being read: nodes and elements by the file's numbers, and what could not be taken over.

Files refer to things by number or name in any order, so a reader first collects, then resolves. Whatever does not fit
together (a number used twice, an element whose node is missing) is a FileError with file and line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from flexor.io.file_text import wrong
from flexor.io.file_units import FileUnits
from flexor.mesh.mesh import FARTHEST
from flexor.mesh.note import Concern, Note, Severity

Place = tuple[Path, int]
"""File and line."""


@dataclass(frozen=True)
class Stretch:
    """Elements of one kind from one stretch of a file; `nodes` by number, in Flexor's order."""

    kind: str
    ids: np.ndarray
    nodes: np.ndarray
    path: Path
    lines: np.ndarray


class NumberTable:
    """Positions of numbers (node or element ids) in the order of the file."""

    def __init__(self, ids: np.ndarray) -> None:
        self.ids = ids
        self._order = np.argsort(ids, kind="stable")
        self._sorted = ids[self._order]

    def __len__(self) -> int:
        return len(self.ids)

    def find(self, ids: np.ndarray) -> np.ndarray:
        """Position of each number, −1 where there is none."""
        ids = np.asarray(ids, dtype=np.int64)
        if not len(self.ids):
            return np.full(ids.shape, -1)
        at = np.minimum(np.searchsorted(self._sorted, ids), len(self.ids) - 1)
        return np.where(self._sorted[at] == ids, self._order[at], -1)

    def first_repeated(self) -> int | None:
        """Position of the first number that stands a second time."""
        repeated = self._order[1:][self._sorted[1:] == self._sorted[:-1]]
        return int(repeated.min()) if len(repeated) else None


class Draft:
    """Nodes, elements and notes of a file that is being read."""

    def __init__(self, path: Path, units: FileUnits) -> None:
        self.path = path
        self.units = units
        self.batches: list[Stretch] = []
        self._nodes: list[tuple[np.ndarray, np.ndarray, Path, np.ndarray]] = []
        self._notes: dict[tuple[str, str], tuple[Severity, Concern, list]] = {}
        self.node_ids = np.zeros(0, dtype=np.int64)
        self.points = np.zeros((0, 3))
        self.nodes = NumberTable(self.node_ids)
        self.elements = NumberTable(self.node_ids)
        self._keys: list[np.ndarray] = []
        self.keys = np.zeros(0, dtype=np.int64)
        """Once settled: number of the section, property or group of each element in the order of the batches; −1: none."""

    # -- collecting

    def note(
        self,
        name: str,
        why: str,
        place: Place,
        count: int = 1,
        *,
        severity: Severity = "left out",
        concerns: Concern = "mesh",
    ) -> None:
        """Something that the mesh cannot hold, or holds otherwise; equal ones are counted."""
        _, _, entry = self._notes.setdefault((name, why), (severity, concerns, [place, 0]))
        entry[1] += count

    def notes(self) -> tuple[Note, ...]:
        """One line each: name, why, count, first place."""
        return tuple(
            Note(
                f"{name}: {why} ({f'{count} times, first at ' if count > 1 else ''}{place[0]}:{place[1]})",
                severity,
                concerns,
            )
            for (name, why), (severity, concerns, (place, count)) in self._notes.items()
        )

    def add_nodes(self, ids: np.ndarray, points: np.ndarray, path: Path, lines: Sequence[int] | np.ndarray) -> None:
        """Nodes in the file's length unit, global axes."""
        where = np.asarray(lines)
        far = np.abs(points) > FARTHEST / self.units.length
        for bad, what in (
            (ids <= 0, "is not positive"),
            (~np.isfinite(points).all(axis=1), "has no finite position"),
            (far.any(axis=1), f"lies farther away than {FARTHEST:g} m"),
        ):
            if bad.any():
                at = int(np.argmax(bad))
                raise wrong(path, int(where[at]), f"node {ids[at]} {what}", fix="correct the line")
        self._nodes.append((ids, points * self.units.length, path, where))

    def add_elements(
        self,
        kind: str,
        ids: np.ndarray,
        nodes: np.ndarray,
        path: Path,
        lines: Sequence[int] | np.ndarray,
        keys: np.ndarray | None = None,
    ) -> None:
        """Elements by node numbers in Flexor's order."""
        if not len(ids):
            return
        batch = Stretch(kind, ids, nodes, path, np.asarray(lines))
        if (ids <= 0).any():
            at = int(np.argmax(ids <= 0))
            raise wrong(path, int(batch.lines[at]), f"element {ids[at]} is not positive", fix="correct the line")
        self.batches.append(batch)
        self._keys.append(np.full(len(ids), -1, dtype=np.int64) if keys is None else keys)

    @property
    def highest_node(self) -> int:
        """Highest node number so far, 0 if there is none."""
        return max((int(ids.max()) for ids, *_ in self._nodes), default=0)

    def move_nodes(self, move: Callable[[np.ndarray], np.ndarray], below: int) -> None:
        """Put nodes elsewhere, of those numbered from `below` on none (0: all)."""
        for i, (ids, points, path, lines) in enumerate(self._nodes):
            if not below or (ids < below).all():
                self._nodes[i] = (ids, move(points), path, lines)

    # -- resolving

    def settle(self) -> None:
        """All nodes and elements are there: check that no number stands twice and that no node is missing."""
        if not self._nodes:
            raise wrong(self.path, None, "the file has no nodes", "a mesh needs them", "export the nodes too")
        self.node_ids = np.concatenate([ids for ids, *_ in self._nodes])
        self.points = np.concatenate([points for _, points, *_ in self._nodes])
        self.nodes = NumberTable(self.node_ids)
        if (twice := self.nodes.first_repeated()) is not None:
            path, line = self._place_in([(p, n) for _, _, p, n in self._nodes], twice)
            raise wrong(path, line, f"node {self.node_ids[twice]} is given twice", fix="remove or renumber one of them")
        self.keys = np.concatenate([np.zeros(0, dtype=np.int64), *self._keys])
        self.elements = NumberTable(np.concatenate([np.zeros(0, dtype=np.int64), *(b.ids for b in self.batches)]))
        if (twice := self.elements.first_repeated()) is not None:
            path, line = self._place_in([(b.path, b.lines) for b in self.batches], twice)
            number = self.elements.ids[twice]
            raise wrong(path, line, f"element {number} is given twice", fix="remove or renumber one of them")
        for batch in self.batches:
            self._no_node_missing(batch)

    @staticmethod
    def _place_in(stretches: list[tuple[Path, np.ndarray]], at: int) -> Place:
        for path, lines in stretches:
            if at < len(lines):
                return path, int(lines[at])
            at -= len(lines)
        raise IndexError(at)

    def _no_node_missing(self, batch: Stretch) -> None:
        missing = self.nodes.find(batch.nodes) < 0
        if missing.any():
            row = int(np.argmax(missing.any(axis=1)))
            node = batch.nodes[row][missing[row]][0]
            what = f"element {batch.ids[row]} refers to node {node}, which does not exist"
            more = int(missing.any(axis=1).sum()) - 1
            why = f"so do {more} more elements" if more else ""
            raise wrong(batch.path, int(batch.lines[row]), what, why, "add the node or correct its number")

    def index(self, ids: Sequence[int] | np.ndarray, what: str, place: Place) -> np.ndarray:
        """Positions of nodes that something refers to."""
        ids = np.asarray(ids, dtype=np.int64)
        found = self.nodes.find(ids)
        if (found < 0).any():
            node = ids[np.argmax(found < 0)]
            raise wrong(
                *place, f"{what} refers to node {node}, which does not exist", fix="add it or correct its number"
            )
        return found

    def assign(self, ids: np.ndarray, key: int) -> int:
        """Give elements their section, property or group; numbers of elements that were left out are passed over."""
        at = self.elements.find(ids)
        self.keys[at[at >= 0]] = key
        return int((at >= 0).sum())

    def batches_of(self, ids: np.ndarray) -> Iterator[tuple[Stretch, np.ndarray]]:
        """Batches with their rows that hold these elements; numbers of elements that were left out are passed over."""
        at = self.elements.find(ids)
        starts = np.cumsum([0, *(len(batch.ids) for batch in self.batches)])
        owner = np.searchsorted(starts, at[at >= 0], side="right") - 1
        for number in np.unique(owner).tolist():
            yield self.batches[number], at[at >= 0][owner == number] - starts[number]

    def groups(self) -> Iterator[tuple[str, int, np.ndarray, np.ndarray, np.ndarray]]:
        """Elements gathered by kind and key: kind, key, ids, node positions, and places in batch order."""
        gathered: dict[tuple[str, int], list[tuple[np.ndarray, np.ndarray, np.ndarray]]] = {}
        start = 0
        for batch in self.batches:
            nodes = self.nodes.find(batch.nodes)
            keys = self.keys[start : start + len(batch.ids)]
            by_key = np.argsort(keys, kind="stable")
            for chosen in np.split(by_key, np.flatnonzero(np.diff(keys[by_key])) + 1):
                part = (batch.ids[chosen], nodes[chosen], start + chosen)
                gathered.setdefault((batch.kind, int(keys[chosen[0]])), []).append(part)
            start += len(batch.ids)
        for (kind, key), parts in gathered.items():
            ids, nodes, at = (np.concatenate(each) for each in zip(*parts))
            yield kind, key, ids, nodes, at
