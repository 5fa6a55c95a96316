"""Rows of a scene: what of the picture changes with time, some tens to hundreds of numbers per recorded time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

import numpy as np

BLOCK = 256
"""Rows that are computed together."""


class Window:
    """Some recorded rows as signals by name, as recovery reads them (`flexor.recover.from_signals.Signals`)."""

    def __init__(self, names: Sequence[str], table: np.ndarray, numbers: np.ndarray | None = None) -> None:
        """table: (rows, names).   numbers: which rows of the run these are."""
        self._columns = {name: i for i, name in enumerate(names)}
        self._table = table
        self.numbers = np.arange(len(table)) if numbers is None else numbers

    def __getitem__(self, name: str) -> np.ndarray:
        return self._table[:, self._columns[name]]

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._table)

    def vector(self, name: str, axes: str = "xyz") -> np.ndarray:
        """(rows, 3) or (rows, 4) of a vector or quaternion."""
        return np.stack([self[f"{name}_{axis}"] for axis in axes], axis=1)


class NamedRows(Protocol):
    """Rows with names: a Run, or an equilibrium as one row."""

    @property
    def names(self) -> tuple[str, ...]: ...

    @property
    def units(self) -> dict[str, str]: ...

    def __len__(self) -> int: ...

    def __getitem__(self, name: str, /) -> Any: ...

    def __contains__(self, name: str, /) -> bool: ...

    def __iter__(self) -> Iterator[str]: ...

    def rows(self, first: int, count: int) -> np.ndarray: ...

    def blocks(self, table: str, rows: int | None = None) -> Iterator[np.ndarray]: ...


def window_of(run: NamedRows, first: int, count: int) -> Window:
    """Rows of a run, from its file as it is now."""
    table = run.rows(first, count)
    return Window(("time", *run.names), table, first + np.arange(len(table)))


Fill = Callable[[Window], np.ndarray]
"""The numbers (rows, width) of one part of a row."""


class Layout:
    """What stands where in a row."""

    def __init__(self) -> None:
        self.width = 0
        self._parts: list[tuple[int, Fill]] = []

    def add(self, width: int, fill: Fill) -> int:
        """Room for some numbers; returns where they begin."""
        offset = self.width
        self._parts.append((width, fill))
        self.width += width
        return offset

    def rows(self, window: Window) -> np.ndarray:
        """(rows, width) float32."""
        if not self._parts or not len(window):
            return np.zeros((len(window), self.width), dtype=np.float32)
        found = [fill(window).reshape(len(window), width) for width, fill in self._parts]
        return np.concatenate(found, axis=1).astype(np.float32)
