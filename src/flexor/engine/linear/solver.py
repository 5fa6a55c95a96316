"""A matrix on a fixed pattern of blocks: assemble, factorise, solve, from Python or from a compiled loop."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from flexor.engine.linear import table
from flexor.engine.linear.ldl import factor_ldl, solve_ldl
from flexor.engine.linear.lu import factor_lu, solve_lu
from flexor.engine.linear.pattern import Pattern
from flexor.engine.linear.pivoted import KERNEL, PivotedFactors
from flexor.engine.linear.table import COUNTS, N_PADS, N_VALUES, OK, PADS, VALUES
from flexor.law.compile import compiled
from flexor.law.primitives import f64, i64


def clear(L):
    """Kernel: values = 0, with a unit diagonal on padding."""
    V, pads = f64(L, VALUES), i64(L, PADS)
    for i in range(i64(L, COUNTS)[N_VALUES]):
        V[i] = 0.0
    for i in range(i64(L, COUNTS)[N_PADS]):
        V[pads[i]] = 1.0
    return OK


_FACTORS = {"values": table.VALUES, "pivots": table.PIVOTS, "scale": table.SCALE}


class BlockSolver:
    """Storage, factors and kernels of one matrix.

    symmetric: LDLᵀ on one triangle, or LU with both. Merged blocks need pivoting, hence LU.
    python: run the kernels as plain Python on NumPy arrays, for tests and debugging.
    """

    def __init__(self, pattern: Pattern, symmetric: bool = True, python: bool = False) -> None:
        self.pattern = pattern
        self.python = python
        self._arrays: dict[int, NDArray] = {}
        self._table: Any = [None] * table.N_SLOTS if python else np.zeros(table.N_SLOTS, dtype=np.int64)
        self._functions: dict[int, Any] = {}
        self._pivoted: PivotedFactors | None = None
        self._entries: tuple[bool, NDArray, NDArray, NDArray] | None = None
        p = pattern
        n_multipliers = int((p.identity[:, table.KIND] == table.MULTIPLIER).sum())
        for slot, array in (
            (table.RHS, np.zeros(p.n)),
            (table.OPTIONS, np.array(table.DEFAULT_OPTIONS)),
            (table.INFO, np.zeros(table.DROPPED + 2 * n_multipliers, dtype=np.int64)),
            (table.MEASURE, np.zeros(table.N_MEASURE)),
            (table.COLUMNS, p.columns),
            (table.SOURCES, p.sources),
            (table.RUNS, p.runs),
            (table.TAILS, p.tails),
            (table.IDENTITY, p.identity),
            (table.PADS, p.pads),
            (table.PIVOTS, np.zeros(p.n)),
            (table.SCALE, np.zeros(p.n)),
        ):
            self._set(slot, np.ascontiguousarray(array).reshape(-1))
        if symmetric and not p.merged:
            self.use_ldl()
        else:
            self.use_lu()

    # -- choice of the factorisation -------------------------------------------------------------------------

    def use_ldl(self) -> None:
        """Factorise by LDLᵀ: the values are those of one triangle."""
        if self.pattern.merged:
            raise ValueError("merged blocks need pivoting: use LU")
        self._use(True, factor_ldl, solve_ldl)

    def use_lu(self) -> None:
        """Factorise by LU with pivoting inside blocks: the values are both triangles, `mirror` apart."""
        self._use(False, factor_lu, solve_lu)

    def use_pivoted(self) -> None:
        """Factorise by SuperLU with full partial pivoting (slow, Python); the values stay where they are."""
        self._pivoted = PivotedFactors(self.to_csc, self._right_hand_side, self._arrays)
        kernels = (self._pivoted.factor, self._pivoted.solve) if self.python else self._pivoted.addresses
        self._table[table.FACTOR], self._table[table.SOLVE] = kernels

    @property
    def pivoted(self) -> bool:
        """Whether it pivots over the whole matrix."""
        return self._pivoted is not None

    def _use(self, symmetric: bool, factor: Any, solve: Any) -> None:
        p = self.pattern
        n_values = p.mirror if symmetric else 2 * p.mirror
        largest = int(p.columns[:, table.SIZE].max(initial=0))
        self.symmetric = symmetric
        self._pivoted = None
        self._set(table.VALUES, np.zeros(n_values))
        self._set(table.COUNTS, np.array([p.n_blocks, n_values, len(p.pads), p.mirror]))
        self._set(table.WORK, np.zeros(largest**2 if symmetric else 2 * largest**2))
        self._set(table.ORDER, np.zeros(largest, dtype=np.int64))
        for slot, kernel in ((table.FACTOR, factor), (table.SOLVE, solve), (table.CLEAR, clear)):
            self._table[slot] = kernel if self.python else compiled(kernel, "kernel").address
        self.clear()

    def _set(self, slot: int, array: NDArray) -> None:
        self._arrays[slot] = array
        self._table[slot] = array if self.python else array.ctypes.data

    # -- use from Python -------------------------------------------------------------------------------------

    @property
    def table_pointer(self) -> Any:
        """What the engine's table holds to reach this solver: the address of its table, or the list."""
        return self._table if self.python else int(self._table.ctypes.data)

    @property
    def values(self) -> NDArray[np.float64]:
        """The matrix, where `pattern.locate` says; after `factor` its factors."""
        return self._arrays[table.VALUES]

    @property
    def options(self) -> NDArray[np.float64]:
        """THRESHOLD, MULTIPLIER_THRESHOLD and DROP (see `table`), to be changed in place."""
        return self._arrays[table.OPTIONS]

    @property
    def bad_pivot(self) -> tuple[int, int, float, float]:
        """After NOT_FINITE or SINGULAR: block, row in it, magnitude of the pivot, scale it is judged by."""
        info, measure = self._arrays[table.INFO], self._arrays[table.MEASURE]
        pivot, scale = float(measure[table.BAD_PIVOT]), float(measure[table.BAD_SCALE])
        return int(info[table.BAD_BLOCK]), int(info[table.BAD_ROW]), pivot, scale

    @property
    def dropped(self) -> list[tuple[int, int]]:
        """(user block, row in it) of the multipliers dropped by the last factorisation."""
        info = self._arrays[table.INFO]
        pairs = info[table.DROPPED : table.DROPPED + 2 * info[table.N_DROPPED]].reshape(-1, 2)
        return [(int(block), int(row)) for block, row in pairs]

    @property
    def error(self) -> BaseException | None:
        """The exception behind the status EXCEPTION."""
        return self._pivoted.error if self._pivoted else None

    def clear(self) -> None:
        """Make the values ready for assembly."""
        self._call(table.CLEAR)

    def factor(self) -> int:
        """Turn the values into factors; returns OK, NOT_FINITE, SINGULAR or EXCEPTION."""
        return self._call(table.FACTOR)

    def solve(self, vector: NDArray[np.float64]) -> int:
        """Solve in place on a vector in the numbering of the pattern."""
        if vector.dtype != np.float64 or vector.shape != (self.pattern.n,) or not vector.flags.c_contiguous:
            given = f"{vector.dtype} {vector.shape}"
            raise ValueError(f"the vector must be {self.pattern.n} contiguous floats, not {given}")
        before = self._table[table.RHS]
        self._table[table.RHS] = vector if self.python else vector.ctypes.data
        try:
            return self._call(table.SOLVE)
        finally:
            self._table[table.RHS] = before

    def add(self, i: int, j: int, matrix: NDArray[np.float64]) -> None:
        """Add to block (i, j) of the user. Symmetric storage ignores the block which it holds as (j, i)."""
        offset, ld, transposed = (int(found) for found in self.pattern.locate(i, j))
        if transposed and self.symmetric:
            return
        rows, columns = matrix.shape
        a, b = np.meshgrid(np.arange(rows), np.arange(columns), indexing="ij")
        place = offset + self.pattern.mirror + b * ld + a if transposed else offset + a * ld + b
        self.values[place] += matrix

    def to_csc(self) -> sparse.csc_array:
        """The assembled matrix in the numbering of the pattern, padding included; ask before `factor`."""
        if self._entries is None or self._entries[0] != self.symmetric:
            rows, columns, places = self.pattern.entries(self.symmetric)
            order = np.lexsort((rows, columns))
            pointers = np.searchsorted(columns[order], np.arange(self.pattern.n + 1))
            self._entries = (self.symmetric, places[order], rows[order], pointers)
        _, places, rows, pointers = self._entries
        return sparse.csc_array((self.values[places], rows, pointers), shape=(self.pattern.n, self.pattern.n))

    def save(self) -> dict[str, NDArray]:
        """Copies of the factors, for a restart."""
        return {name: self._arrays[slot].copy() for name, slot in _FACTORS.items()}

    def load(self, factors: dict[str, NDArray]) -> bool:
        """Take over saved factors; whether they fit this pattern and factorisation."""
        sizes = {name: self._arrays[slot].shape for name, slot in _FACTORS.items()}
        if self._pivoted or any(name not in factors or factors[name].shape != sizes[name] for name in sizes):
            return False  # (the factors of the fallback are not among the saved ones)
        for name, slot in _FACTORS.items():
            self._arrays[slot][:] = factors[name]
        return True

    def _right_hand_side(self) -> NDArray[np.float64]:
        """The vector that the slot RHS points at."""
        if self.python:
            return self._table[table.RHS]
        floats = ctypes.c_double * self.pattern.n
        return np.ctypeslib.as_array(floats.from_address(int(self._table[table.RHS])))

    def _call(self, slot: int) -> int:
        if self.python:
            return int(self._table[slot](self._table))
        address = int(self._table[slot])
        if address not in self._functions:
            self._functions[address] = KERNEL(address)
        return int(self._functions[address](self._table.ctypes.data))
