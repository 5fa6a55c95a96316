"""A run that is kept in memory: what a run file holds (`flexor.results.run_file`), read in the same way, without HDF5."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Any

import numpy as np

from flexor.results.run_file import HISTORY, RUNNING, refuse_objects, to_json, versions

Checkpoint = tuple[dict[str, np.ndarray], int, int]
"""A checkpoint with the numbers of rows and steps recorded when it was taken."""


class GrowingTable:
    """Rows that are added block by block; they are put together when somebody looks at them."""

    chunks = None
    """It is read as a whole."""

    def __init__(self, width: int) -> None:
        self._blocks = [np.zeros((0, width))]
        self._one_at_a_time = Lock()  # others may look at it while it grows

    def extend(self, blocks: list[np.ndarray], end: int) -> None:
        """Make some rows the last ones of a table of `end` rows; if they are there already, nothing is done."""
        if self.shape[0] < end:
            with self._one_at_a_time:
                self._blocks.extend(blocks)

    @property
    def shape(self) -> tuple[int, int]:
        with self._one_at_a_time:
            return sum(map(len, self._blocks)), self._blocks[0].shape[1]

    def __getitem__(self, where: Any) -> np.ndarray:
        """Some of its rows and columns, as a copy."""
        with self._one_at_a_time:
            if len(self._blocks) > 1:
                self._blocks = [np.concatenate(self._blocks)]
            whole = self._blocks[0]
        return whole[where].copy()


class OneValue:
    """A value that is overwritten."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __getitem__(self, where: tuple[()]) -> Any:
        return self._value

    def __setitem__(self, where: tuple[()], value: Any) -> None:
        self._value = value


class RunInMemory:
    """The tables and values of a run by the names that they have in a file."""

    def __init__(
        self, columns: Sequence[tuple[str, str]], settings: Mapping[str, object], meta: Mapping[str, object]
    ) -> None:
        self._columns, self._texts = list(columns), (to_json(settings), to_json(meta))
        self._parts: dict[str, GrowingTable | OneValue] = {
            "signals": GrowingTable(len(columns)),
            "history": GrowingTable(len(HISTORY)),
            "status": OneValue(RUNNING.encode()),
            "message": OneValue(b""),
            "seconds": OneValue(0.0),
        }
        self._state: Checkpoint | None = None

    def __getitem__(self, name: str) -> Any:
        return self._parts[name]

    def keep_state(self, state: Checkpoint) -> None:
        """A state to continue from, with the numbers of rows and steps that were recorded by then; replaces the earlier one."""
        refuse_objects(state[0])
        self._state = state

    def checkpoint(self) -> tuple[dict[str, Any], int, int] | None:
        """The last state, as `flexor.results.run_file.read_checkpoint` finds it; None if there is none."""
        if self._state is None:
            return None
        arrays, rows, steps = self._state
        return {name: array.copy() if array.ndim else array.item() for name, array in arrays.items()}, rows, steps

    def introduction(
        self,
    ) -> tuple[list[str], list[str], dict[str, Any], dict[str, Any], dict[str, str], str]:
        """As `flexor.results.run_file.introduction`; who has the run has the model itself."""
        names, units = ([column[i] for column in self._columns] for i in (0, 1))
        settings, meta = map(json.loads, self._texts)
        return names, units, settings, meta, dict(versions()), ""
