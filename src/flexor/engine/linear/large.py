"""Factors of large patterns by MKL Pardiso: ordered by nested dissection, factorised in dense panels, kept outside of the values.

Blocks are ordered without the multipliers, which come right after the last of the blocks they act on, so that no pivot is zero
in exact arithmetic. The matrix is equilibrated, and each factorisation is tried on a known solution: one that does not recover
it is reported as singular, and nothing is perturbed in silence.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from flexor.engine.linear import table
from flexor.engine.linear.callback import CallbackFactors
from flexor.engine.linear.pattern import Pattern
from flexor.reduce.pardiso import NotFactorised, Pardiso, PardisoOfPattern

ACCURATE = 1e-3
"""Largest error of a known solution of size one, which a regular matrix of condition 10¹² keeps; a matrix that is singular but for
rounding loses all of it. (Newton's iteration contracts by what is left, a thousandth.)"""
EXACT, REFINEMENTS = 1e-9, 3
"""Error from which on solutions are refined, and how often."""
SCALINGS = 2


class LargeFactors(CallbackFactors):
    """Factors of the matrix in the values of a pattern without room for them; `factor` and `solve` are kernels in Python."""

    def __init__(
        self,
        pattern: Pattern,
        symmetric: bool,
        right_hand_side: Callable[[], NDArray[np.float64]],
        memory: table.Linear,
    ) -> None:
        super().__init__(right_hand_side, memory)
        self.pattern, self.symmetric = pattern, symmetric
        self._factorised = False
        self._scales: tuple[NDArray, NDArray] = (np.ones(0), np.ones(0))

    def forget(self) -> None:
        """The values are a matrix whose factors are to be made when they are needed."""
        self._factorised = False

    @cached_property
    def _own(self) -> NDArray[np.int64]:
        """Equations but for padding."""
        return np.flatnonzero(self.identity["kind"] != table.PAD)

    @cached_property
    def _entries(self) -> tuple[NDArray, NDArray, NDArray]:
        """Row by row, of a symmetric matrix the upper triangle: places in the values, columns, where each row begins."""
        rows, columns, places = self.pattern.entries(self.symmetric)
        number = np.full(self.pattern.n, -1)
        number[self._own] = np.arange(len(self._own))
        rows, columns = number[rows], number[columns]
        kept = (rows >= 0) & (columns >= 0)
        if self.symmetric:
            kept &= rows <= columns
        rows, columns, places = rows[kept], columns[kept], places[kept]
        order = np.argsort(rows * len(self._own) + columns)
        return places[order], columns[order], np.searchsorted(rows[order], np.arange(len(self._own) + 1))

    @cached_property
    def _by_columns(self) -> tuple[NDArray, NDArray]:
        """The same entries column by column: their order, where each column begins."""
        columns = self._entries[1]
        order = np.argsort(columns, kind="stable")
        return order, np.searchsorted(columns[order], np.arange(len(self._own)))

    @cached_property
    def _pardiso(self) -> PardisoOfPattern:
        _, columns, starts = self._entries
        block = self.pattern.column[self.identity["block"][self._own]]
        places = np.empty(len(block), dtype=np.int64)
        places[np.argsort(order_of_blocks(self.pattern)[block], kind="stable")] = np.arange(len(block))
        return PardisoOfPattern(starts, columns, self.symmetric, places)

    def _factor(self) -> int:
        places, columns, starts = self._entries
        values = self.memory.values[places]
        self._factorised, self.numbers.n_dropped = False, 0
        wrong = np.flatnonzero(~np.isfinite(values))
        if len(wrong):
            row = int(np.searchsorted(starts, wrong[0], side="right")) - 1
            return self._report(table.NOT_FINITE, int(self._own[row]), float(values[wrong[0]]), 0.0)
        left, right = self._scales = self._equilibrated(values)
        values *= np.repeat(left, np.diff(starts))
        values *= right[columns]
        try:
            self._pardiso.factorise(values)
        except NotFactorised as failure:
            return self._report(table.SINGULAR, int(self._own[failure.row or 0]), 0.0, 1.0)
        known = 1.0 + 0.5 * np.cos(np.arange(len(left)))
        given = self._times(values, known)
        worst = 0
        for refinements in (
            0,
            REFINEMENTS,
        ):  # pivots are chosen among neighbours only: the factors may be less exact than the matrix
            self._pardiso.refine(refinements)
            wrongly = np.abs(self._pardiso.solve(given) - known)
            worst = int(np.argmax(np.where(np.isfinite(wrongly), wrongly, np.inf)))
            if wrongly[worst] <= EXACT:
                break
        if not wrongly[worst] <= ACCURATE:
            return self._report(table.SINGULAR, int(self._own[worst]), 0.0, 1.0)
        self._factorised = True
        return table.OK

    def _times(self, values: NDArray, x: NDArray) -> NDArray:
        """A x."""
        _, columns, starts = self._entries
        A = sparse.csr_array((values, columns, starts), shape=(len(x), len(x)))
        return A @ x + (A.T @ x - A.diagonal() * x if self.symmetric else 0.0)

    def _equilibrated(self, values: NDArray) -> tuple[NDArray, NDArray]:
        """Factors of rows and columns that make their largest magnitudes about 1 (Ruiz' iteration)."""
        _, columns, starts = self._entries
        by_column, first = self._by_columns
        lengths = np.diff(starts)
        left, right = np.ones(len(lengths)), np.ones(len(lengths))
        size = np.abs(values)
        for _ in range(SCALINGS):
            scaled = size * np.repeat(left, lengths) * right[columns]
            in_row, in_column = np.maximum.reduceat(scaled, starts[:-1]), np.maximum.reduceat(scaled[by_column], first)
            if self.symmetric:
                in_row = in_column = np.maximum(in_row, in_column)
            left = left / np.sqrt(np.where(in_row > 0.0, in_row, 1.0))
            right = right / np.sqrt(np.where(in_column > 0.0, in_column, 1.0))
        return left, right

    def _solve(self) -> int:
        if not self._factorised:
            status = self._factor()
            if status != table.OK:
                return status
        b = self.right_hand_side()
        left, right = self._scales
        x = right * self._pardiso.solve(left * b[self._own])
        b[self._own] = x
        return table.OK


def order_of_blocks(pattern: Pattern) -> NDArray[np.int64]:
    """(n_blocks,) place of each block column: nested dissection of the graph, multipliers right after the last block they act on."""
    n = pattern.n_blocks
    later, earlier = pattern.coupled.T
    multiplier = pattern.columns["nature"][:-1] == table.CONSTRAINT
    graph = sparse.coo_array((np.ones(len(later)), (later, earlier)), shape=(n, n))
    rank = 2 * np.asarray(Pardiso.ordering(sparse.csc_matrix(graph + graph.T))).astype(np.int64)
    after = np.full(n, -1)
    for m, other in ((later, earlier), (earlier, later)):
        acts = multiplier[m] & ~multiplier[other]
        np.maximum.at(after, m[acts], rank[other[acts]] + 1)
    rank = np.where(multiplier & (after >= 0), after, rank)
    places = np.empty(n, dtype=np.int64)
    places[np.argsort(rank, kind="stable")] = np.arange(n)
    return places
