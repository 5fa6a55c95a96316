"""A matrix on a fixed pattern of blocks: assemble, factorise and solve, from Python or from a compiled loop."""

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
from flexor.engine.linear.table import COUNTS, N_PADS, N_VALUES, OK, PADS, VALUES
from flexor.law.primitives import f64, i64


def clear(L):
    """Kernel: values = 0, with a unit diagonal on padding."""
    V, pads = f64(L, VALUES), i64(L, PADS)
    for i in range(i64(L, COUNTS)[N_VALUES]):
        V[i] = 0.0
    for i in range(i64(L, COUNTS)[N_PADS]):
        V[pads[i]] = 1.0
    return OK


class BlockSolver:
    """Storage, factors and kernels of one matrix.

    symmetric: LDLᵀ on one triangle, or LU with both. Merged blocks need pivoting, hence LU.
    python: run the kernels as plain Python on NumPy arrays, for tests and debugging.
    """

    def __init__(self, pattern: Pattern, symmetric: bool = True, python: bool = False) -> None:
        self.pattern = pattern
        self.python = python
        self.error: BaseException | None = None
        """Exception raised inside a kernel that runs in Python (status EXCEPTION)."""
        self._arrays: dict[int, NDArray] = {}
        self._table: Any = [None] * table.N_SLOTS if python else np.zeros(table.N_SLOTS, dtype=np.int64)
        self._keep: Any = None
        p = pattern
        n_multipliers = int((p.identity[:, table.KIND] == table.MULTIPLIER).sum())
        for slot, array in (
            (table.RHS, np.zeros(p.n)),
            (table.OPTIONS, np.array([table.DEFAULT_THRESHOLD, 0.0])),
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
        """Factorise by LU with pivoting inside blocks: the values are both triangles, `pattern.mirror` apart."""
        self._use(False, factor_lu, solve_lu)

    def _use(self, symmetric: bool, factor: Any, solve: Any) -> None:
        self.symmetric = symmetric
        p = self.pattern
        n_values = p.mirror if symmetric else 2 * p.mirror
        largest = int(p.columns[:, table.SIZE].max(initial=0))
        self._set(table.VALUES, np.zeros(n_values))
        self._set(table.COUNTS, np.array([p.n_blocks, n_values, len(p.pads), p.mirror]))
        self._set(table.WORK, np.zeros(largest**2 if symmetric else 2 * largest**2))
        self._set(table.ORDER, np.zeros(largest, dtype=np.int64))
        for slot, kernel in ((table.FACTOR, factor), (table.SOLVE, solve), (table.CLEAR, clear)):
            if self.python:
                self._table[slot] = kernel
            else:
                from flexor.law.compile import compiled

                self._table[slot] = compiled(kernel, "kernel").address
        self.clear()

    def _set(self, slot: int, array: NDArray) -> None:
        self._arrays[slot] = array
        self._table[slot] = array if self.python else array.ctypes.data

    # -- use from Python -------------------------------------------------------------------------------------

    @property
    def table_pointer(self) -> Any:
        """What the engine's table holds to reach this solver: the address of its table, or the list in Python."""
        return self._table if self.python else int(self._table.ctypes.data)

    @property
    def values(self) -> NDArray[np.float64]:
        """The matrix, where `pattern.locate` says; after `factor` its factors."""
        return self._arrays[table.VALUES]

    def clear(self) -> None:
        self._call(table.CLEAR)

    def factor(self) -> int:
        return self._call(table.FACTOR)

    def solve(self, vector: NDArray[np.float64]) -> int:
        if vector.dtype != np.float64 or vector.shape != (self.pattern.n,) or not vector.flags.c_contiguous:
            raise ValueError(f"the vector must have {self.pattern.n} contiguous floats")
        self._table[table.RHS] = vector if self.python else vector.ctypes.data
        return self._call(table.SOLVE)

    def _call(self, slot: int) -> int:
        if self.python:
            return int(self._table[slot](self._table))
        kernel = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(int(self._table[slot]))
        return int(kernel(self._table.ctypes.data))
