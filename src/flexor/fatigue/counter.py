"""Runs the compiled work of `counting` on NumPy arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexor.errors import ModelError, Problem
from flexor.fatigue import counting
from flexor.fatigue.counting import BEYOND_STRENGTH, NOT_FINITE, Counting, CountingRule, SNLine, Task
from flexor.law.table import AddressTable
from flexor.mistakes import suggestion

if TYPE_CHECKING:
    from flexor.fatigue.mean_stress import MeanStress
    from flexor.fatigue.sn_curve import SNCurve

RESIDUES = {"closed": counting.CLOSED, "half": counting.HALF, "none": counting.NONE}
"""What becomes of ranges that no later one closes: the history repeats itself; half a cycle each; they are left out."""
_FLOATS = {"turns": 2, "kept": 1, "stack": 1, "ranges": 1, "means": 1, "counts": 1}
_WHOLE = {"places": 2, "which": 1, "numbers": 1, "rest": 1, "pairs": 2}
"""Arrays of the kernels, and how many times a history they are long."""


class Counter:
    """Memory and kernels for histories of `rows` values, or more.

    shear: the values are shear stress, whose mean counts without its sign.   python: run as plain Python, for tests and debugging.
    """

    def __init__(
        self,
        rows: int,
        gate: float = 0.0,
        residue: str = "closed",
        curve: SNCurve | None = None,
        correction: MeanStress | None = None,
        shear: bool = False,
        python: bool = False,
    ) -> None:
        if not 0 <= gate < np.inf:
            why, fix = "smaller oscillations are passed over", "0, or a small stress such as '1 MPa'"
            raise ModelError(Problem("rainflow", f"gate = {gate:.6g}", why, fix))
        if residue not in RESIDUES:
            fix = suggestion(residue, RESIDUES, "there are")
            raise ModelError(Problem("rainflow", f"there is no residue '{residue}'", "", fix))
        self._table = AddressTable(Counting, python)
        self.memory = self._table.view
        self._rule, self._task = CountingRule(np.zeros(CountingRule.WORDS)), Task(np.zeros(Task.WORDS))
        self._rule.gate, self._rule.residue = gate, RESIDUES[residue]
        self._rule.correction = counting.UNCORRECTED
        self._rule.strength = np.inf
        self._rule.shear = int(shear)
        self._set("rule", self._rule)
        self._set("task", self._task)
        self._columns = self._rows = 0
        segments = curve.segments if curve is not None else ()
        if curve is not None and correction is not None:
            correction.tell(self._rule, curve.ratio)
        self._rule.segments = len(segments)
        packed = [SNLine.pack(**each).words for each in segments]
        self._set("segments", np.concatenate(packed) if packed else np.zeros(1))
        self._room(max(rows, 1))

    def turning_points(self, values: np.ndarray) -> np.ndarray:
        """Rows of the turning points of one history (T,)."""
        self._one(values)
        self._run("extract")
        return self.memory.places[: int(self._task.found)].copy()

    def cycles(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Ranges, means, counts, first and turning row of the cycles of one history (T,)."""
        self._one(values)
        self._run("count")
        T, found = self.memory, int(self._task.found)
        begin, end = T.places[T.pairs[: 2 * found].reshape(-1, 2)].T
        return T.ranges[:found].copy(), T.means[:found].copy(), T.counts[:found].copy(), begin, end

    def judged(
        self, ranges: np.ndarray, means: np.ndarray, counts: np.ndarray, peaks: np.ndarray | float = 0.0
    ) -> tuple[np.ndarray, np.ndarray]:
        """Damage and corrected range [Pa] of each cycle; peaks: largest normal stress where they are of shear."""
        n = len(ranges)
        self._room(n)
        self._beside(n)
        T = self.memory
        T.ranges[:n], T.means[:n], T.counts[:n], T.peaks[:n] = ranges, means, counts, peaks
        self._task.found = n
        self._run("judge")
        return T.damages[:n].copy(), T.corrected[:n].copy()

    def damage(
        self, values: np.ndarray, peaks: np.ndarray | float = 0.0
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Damage, largest corrected range, highest and lowest value of each column of values (T, m)."""
        values = np.asarray(values, dtype=float)
        rows, columns = values.shape
        self._room(rows)
        along = values.T.flags.c_contiguous  # each history in one piece
        self._task.rows, self._task.columns, self._task.down = rows, columns, 1 if along else columns
        self._beside(columns)
        self._set("values", values.T if along else values)
        T = self.memory
        T.peaks[:columns] = peaks
        self._run("damage")
        return tuple(each[:columns].copy() for each in (T.damages, T.corrected, T.highest, T.lowest))  # type: ignore[return-value]

    def _one(self, values: np.ndarray) -> None:
        self._room(len(values))
        self._task.rows, self._task.columns, self._task.down = len(values), 1, 1
        self._beside(1)
        self._set("values", np.asarray(values, dtype=float))

    def _run(self, name: str) -> None:
        if name not in self._table._calls and getattr(self.memory, name) is None:
            self._table.set_kernel(name, getattr(counting, name))
        status = self._table.call(name)
        if status == NOT_FINITE:
            raise Spoilt(int(self._task.bad_column), int(self._task.bad_row))
        if status == BEYOND_STRENGTH:
            raise Overloaded(int(self._task.bad_column), int(self._task.bad_row))

    def _set(self, name: str, value: object) -> None:
        self._table.set(name, value)

    def _room(self, rows: int) -> None:
        """Make the arrays long enough for a history of so many values, which has less cycles than that."""
        if rows <= self._rows:
            return
        self._rows = rows
        for name, times in _FLOATS.items():
            self._set(name, np.zeros(times * (rows + 3)))
        for name, times in _WHOLE.items():
            self._set(name, np.zeros(times * (rows + 3), dtype=np.int64))

    def _beside(self, columns: int) -> None:
        if columns > self._columns:
            self._columns = columns
            for name in ("damages", "corrected", "highest", "lowest", "peaks"):
                self._set(name, np.zeros(columns))


class Spoilt(Exception):
    """A value of a column is not finite."""

    def __init__(self, column: int, row: int) -> None:
        super().__init__(column, row)
        self.column, self.row = column, row


class Overloaded(Spoilt):
    """The mean stress of a cycle reaches the strength; its row is not known."""
