"""A matrix on a fixed pattern of blocks: assemble, factorise, solve, from Python or from a compiled loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from flexor.engine.linear.callback import CallbackFactors
from flexor.engine.linear.ldl import factor_ldl, solve_ldl
from flexor.engine.linear.lu import factor_lu, solve_lu
from flexor.engine.linear.pattern import Pattern
from flexor.engine.linear.rows import MatrixRows
from flexor.engine.linear.support import seat_tables
from flexor.engine.linear.table import CONSTRAINT, DEFAULT_THRESHOLDS, OK, Factorisation, Linear
from flexor.law.table import AddressTable

if TYPE_CHECKING:
    from scipy import sparse

    from flexor.engine.linear.large import LargeFactors
    from flexor.engine.linear.pivoted import PivotedFactors


def clear(L: Linear):
    """Kernel: values = 0, with a unit diagonal on padding."""
    V, pads = L.values, L.pads
    for i in range(L.numbers.n_values):
        V[i] = 0.0
    for i in range(L.numbers.n_pads):
        V[pads[i]] = 1.0
    return OK


_FACTORS = ("values", "pivots", "scale", "carried")


REMEMBERED = 4
"""Choices of rows and columns of the matrix whose places are kept."""


class BlockSolver:
    """Storage, factors and kernels of one matrix.

    symmetric: LDLᵀ on one triangle, or LU with both; by Pardiso where the pattern has no room for the factors.
    python: run the kernels as plain Python on NumPy arrays, for tests and debugging.
    """

    def __init__(self, pattern: Pattern, symmetric: bool = True, python: bool = False) -> None:
        self.pattern = pattern
        self.python = python
        self.table = AddressTable(Linear, python)
        self.memory = self.table.view
        self._pivoted: PivotedFactors | None = None
        self._large: LargeFactors | None = None
        self._lists: dict[bool, tuple[NDArray, NDArray, NDArray]] = {}
        self._chosen: dict[tuple[bool, bytes, bytes], tuple[NDArray, NDArray, NDArray]] = {}
        p = pattern
        n_multipliers = int((p.identity["kind"] == CONSTRAINT).sum())
        self.numbers = Factorisation(np.zeros(Factorisation.WORDS))
        """Counts, options (to be changed in place) and findings."""
        self.numbers.thresholds[:] = DEFAULT_THRESHOLDS
        for name, array in (
            ("rhs", np.zeros(p.n)),
            ("numbers", self.numbers),
            ("columns", p.columns.view(np.int64)),
            ("sources", p.sources.view(np.int64)),
            ("runs", p.runs),
            ("tails", p.tails),
            ("identity", p.identity.view(np.int64)),
            ("pads", p.pads),
            ("dropped", np.zeros(2 * n_multipliers, dtype=np.int64)),
            ("pivots", np.zeros(p.n)),
            ("scale", np.zeros(p.n)),
            ("weights", np.zeros(p.n)),
            ("lanes", np.tril(np.ones((7, 6)), -1)),
        ):
            self.table.set(name, array)
        self._acts_on: dict[int, list[int]] = {}
        self._use(symmetric)

    def reset(self) -> None:
        """Forget what was seen of earlier matrices, and all options."""
        self.numbers._memory[:] = 0
        self.numbers.thresholds[:] = DEFAULT_THRESHOLDS
        self.memory.scale[:] = 0.0
        self._use(self.symmetric)

    # -- choice of the factorisation -------------------------------------------------------------------------

    def use_ldl(self) -> None:
        """Factorise by LDLᵀ: the values are those of one triangle."""
        self._use(True)

    def use_lu(self) -> None:
        """Factorise by LU with pivoting inside blocks: the values are both triangles, `mirror` apart."""
        self._use(False)

    def use_pivoted(self) -> None:
        """Factorise by SuperLU with full partial pivoting (slow, Python); the values stay where they are."""
        from flexor.engine.linear.pivoted import PivotedFactors  # loads SuperLU, which few models need

        self._pivoted = PivotedFactors(self.to_csc, self._right_hand_side, self.memory)
        self._call_back(self._pivoted)

    def _call_back(self, factors: CallbackFactors) -> None:
        for name, address in zip(("factor", "solve"), factors.addresses, strict=True):
            self.table.set_kernel(name, getattr(factors, name), address)

    def use_blocks(self) -> None:
        """Factorise by blocks again after `use_pivoted`."""
        self._use(self.symmetric)

    def support(self, acts_on: dict[int, list[int]], weights: NDArray[np.float64]) -> None:
        """Let constraints support coordinates without inertia (see `flexor.engine.linear.support`).

        acts_on: the blocks of multipliers that do, each with the blocks of coordinates it acts on.
        weights: by equation, > 0 for their multipliers; about the inertia that the constraint meets.
        """
        self.memory.weights[:] = weights
        self._acts_on = acts_on
        self._use(self.symmetric)

    def _use(self, symmetric: bool) -> None:
        p = self.pattern
        factor, solve = (factor_ldl, solve_ldl) if symmetric else (factor_lu, solve_lu)
        seats, pairs, carried = seat_tables(p, self._acts_on, symmetric)
        n_values = p.mirror if symmetric else 2 * p.mirror
        largest = int(p.columns["size"].max(initial=0))
        self.symmetric = symmetric
        self._pivoted = None
        n = self.numbers
        n.n_blocks, n.n_values, n.n_pads, n.mirror = p.n_blocks, n_values, len(p.pads), p.mirror
        n.n_seats, n.n_pairs = len(seats), len(pairs)
        self.table.set("values", np.zeros(n_values))
        self.table.set("work", np.zeros(largest**2 if symmetric else 2 * largest**2))
        self.table.set("order", np.zeros(largest, dtype=np.int64))
        self.table.set("seats", seats)
        self.table.set("pairs", pairs)
        self.table.set("carried", np.zeros(carried))
        for name, kernel in (("factor", factor), ("solve", solve), ("clear", clear)):
            self.table.set_kernel(name, kernel)
        if not p.filled:
            from flexor.engine.linear.large import LargeFactors  # loads MKL, which few models need

            if self._large is None or self._large.symmetric != symmetric:
                self._large = LargeFactors(p, symmetric, self._right_hand_side, self.memory)
            self._large.forget()
            self._call_back(self._large)
        self.clear()

    # -- use from Python -------------------------------------------------------------------------------------

    @property
    def values(self) -> NDArray[np.float64]:
        """The matrix, where `pattern.locate` says; after `factor` its factors, if the pattern has room for them."""
        return self.memory.values

    @property
    def pivoted(self) -> bool:
        """Whether the factors are those of `use_pivoted`."""
        return self._pivoted is not None

    @property
    def n_supporting(self) -> int:
        """Number of blocks of multipliers that support coordinates without inertia."""
        return len(self._acts_on)

    @property
    def weights(self) -> NDArray[np.float64]:
        """Weight of each equation's support, to be changed in place."""
        return self.memory.weights

    @property
    def bad_pivot(self) -> tuple[int, int, float, float]:
        """After NOT_FINITE or SINGULAR: block, row in it, magnitude of the pivot, scale it is judged by."""
        n = self.numbers
        return int(n.bad_block), int(n.bad_row), float(n.bad_pivot), float(n.bad_scale)

    @property
    def dropped(self) -> list[tuple[int, int]]:
        """(user block, row in it) of the multipliers dropped by the last factorisation."""
        pairs = self.memory.dropped.reshape(-1, 2)[: self.numbers.n_dropped]
        return [(int(block), int(row)) for block, row in pairs]

    @property
    def error(self) -> BaseException | None:
        """The exception behind the status EXCEPTION."""
        by = self._pivoted or self._large
        return by.error if by else None

    def clear(self) -> None:
        """Make the values ready for assembly."""
        self.table.call("clear")

    def factor(self) -> int:
        """Turn the values into factors; returns OK, NOT_FINITE, SINGULAR or EXCEPTION."""
        return self.table.call("factor")

    def solve(self, vector: NDArray[np.float64]) -> int:
        """Solve in place on a vector in the numbering of the pattern."""
        if vector.dtype != np.float64 or vector.shape != (self.pattern.n,) or not vector.flags.c_contiguous:
            given = f"{vector.dtype} {vector.shape}"
            raise ValueError(f"the vector must be {self.pattern.n} contiguous floats, not {given}")
        before = self.memory.rhs
        if vector.ctypes.data == before.ctypes.data:
            return self.table.call("solve")
        self.table.set("rhs", vector)
        try:
            return self.table.call("solve")
        finally:
            self.table.set("rhs", before)

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
        from scipy import sparse

        places, rows, pointers = self.listed()
        return sparse.csc_array((self.values[places], rows, pointers), shape=(self.pattern.n, self.pattern.n))

    def listed(self) -> tuple[NDArray, NDArray, NDArray]:
        """All entries, column by column: their places in the values, their rows, where each column begins."""
        if self.symmetric not in self._lists:
            rows, columns, places = self.pattern.entries(self.symmetric)
            order = np.lexsort((rows, columns))
            pointers = np.searchsorted(columns[order], np.arange(self.pattern.n + 1))
            self._lists[self.symmetric] = (places[order], rows[order], pointers)
        return self._lists[self.symmetric]

    def rows_of(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> MatrixRows:
        """Some rows of the assembled matrix, in the order given, and some columns, ascending; ask before `factor`."""
        key = (self.symmetric, rows.tobytes(), columns.tobytes())
        if key not in self._chosen:  # the same ones are asked for at all levels of the constraints
            if len(self._chosen) >= REMEMBERED:
                self._chosen.clear()
            self._chosen[key] = self.pattern.chosen(self.symmetric, rows, columns)
        places, column, begin = self._chosen[key]
        return MatrixRows(self.values[places], column.copy(), begin.copy(), (len(rows), len(columns)))

    def save(self) -> dict[str, NDArray]:
        """Copies of the factors, for a restart."""
        return {name: getattr(self.memory, name).copy() for name in _FACTORS}

    def load(self, factors: dict[str, NDArray]) -> bool:
        """Take over saved factors; whether they fit this pattern and factorisation."""
        sizes = {name: getattr(self.memory, name).shape for name in _FACTORS}
        if self._pivoted or any(name not in factors or factors[name].shape != sizes[name] for name in sizes):
            return False  # (the factors of the fallback are not among the saved ones)
        for name in _FACTORS:
            getattr(self.memory, name)[:] = factors[name]
        if self._large is not None:
            self._large.forget()  # they are made of the saved values, which are still the matrix
        return True

    def _right_hand_side(self) -> NDArray[np.float64]:
        return self.memory.rhs
