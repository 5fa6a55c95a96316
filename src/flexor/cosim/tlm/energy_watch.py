"""The energy of all connections of a run, looked at while it goes on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from flexor.cosim.meta_model import Connection
from flexor.cosim.tlm.passivity import WIDTH, LineBalance, Passage
from flexor.cosim.tlm.wire import HEADER


class EnergyWatch:
    """Collects the samples of all interfaces; interfaces come in pairs, the two ends of a connection."""

    def __init__(self, points: Sequence[tuple[str, int, Connection]]) -> None:
        """points: name, dimensions and connection of each interface."""
        self._points = points
        self._new: list[list[bytes]] = [[] for _ in points]
        self._to = [Passage(connection.line, dimensions) for _, dimensions, connection in points]  # into each interface

    def take(self, number: int, message: bytes) -> None:
        """A message with samples of an interface."""
        self._new[number].append(message)

    def look(self) -> Iterator[tuple[Connection, LineBalance, str]]:
        """For each direction of each connection: its balance so far, and the interface that it leads to."""
        for number, parts in enumerate(self._new):
            if parts:
                rows = np.frombuffer(b"".join([part[HEADER.size :] for part in parts])).reshape(
                    -1, WIDTH[self._points[number][1]]
                )
                parts.clear()
                self._to[number].taken(rows)
                self._to[number ^ 1].sent(rows)
        for passage, (name, _, connection) in zip(self._to, self._points, strict=True):
            yield connection, passage.look(), name
