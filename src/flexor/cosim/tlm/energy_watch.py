"""The energy of all connections of a run, looked at while it goes on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from flexor.cosim.meta_model import Connection
from flexor.cosim.tlm.blow_up import BlowUp
from flexor.cosim.tlm.passivity import WIDTH, LineBalance, Passage
from flexor.cosim.tlm.wire import HEADER


class EnergyWatch:
    """Collects the samples of all interfaces; interfaces come in pairs, the two ends of a connection."""

    def __init__(self, points: Sequence[tuple[str, int, Connection]]) -> None:
        """points: name, dimensions and connection of each interface."""
        self._points = points
        self._new: list[list[bytes]] = [[] for _ in points]
        self._to = [Passage(connection.line, dimensions) for _, dimensions, connection in points]  # into each interface
        self._ends = [BlowUp(connection.line, dimensions) for _, dimensions, connection in points]

    def take(self, number: int, message: bytes) -> None:
        """A message with samples of an interface."""
        self._new[number].append(message)

    def look(self) -> Iterator[tuple[Connection, LineBalance, str]]:
        """For each direction of each connection: its balance so far, and the interface that it leads to."""
        with np.errstate(over="ignore", invalid="ignore"):  # a solution that blows up
            self._sort()
            found = [passage.look() for passage in self._to]
        for balance, (name, _, connection) in zip(found, self._points, strict=True):
            yield connection, balance, name

    def _sort(self) -> None:
        for number, parts in enumerate(self._new):
            if parts:
                rows = np.frombuffer(b"".join([part[HEADER.size :] for part in parts])).reshape(
                    -1, WIDTH[self._points[number][1]]
                )
                parts.clear()
                self._to[number].taken(rows)
                self._to[number ^ 1].sent(rows)
                wide = len(self._to[number].impedances)
                self._ends[number].take(rows[:, 0], self._to[number].velocities(rows), rows[:, -wide:])

    def blown_up(self) -> Iterator[tuple[Connection, str, BlowUp]]:
        """Connections at which the solution blows up: the interface that feeds them most, and since when."""
        for first in range(0, len(self._ends), 2):
            pair = self._ends[first : first + 2]
            if any(end.found for end in pair):
                worst = max((0, 1), key=lambda i: (pair[i].fed, pair[i].fastest))
                seen = pair[worst] if pair[worst].found else pair[1 - worst]
                yield self._points[first][2], self._points[first + worst][0], seen
