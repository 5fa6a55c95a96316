"""A sparse matrix times many columns, eight at a time: their values stand side by side, so that a row is one sum of vectors."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import sparse

from flexor.law.lanes import load8, plus8, store8, zeros8
from flexor.law.record import Record, integers_at, kernel_at, numbers_at
from flexor.law.table import AddressTable

LANES = 8
"""Columns that are taken together."""


class RowTable(Record):
    """A matrix, and what it is multiplied with."""

    multiply = kernel_at("y = A x")
    count = integers_at("number of rows")
    starts = integers_at("where the rows begin")
    columns = integers_at("of the entries")
    entries = numbers_at("their values")
    x = numbers_at("eight columns, side by side")
    y = numbers_at("the product")


def multiply(A: RowTable):
    """Kernel: y = A x."""
    starts, columns, entries, x, y = A.starts, A.columns, A.entries, A.x, A.y
    for i in range(A.count[0]):
        store8(y, 8 * i, row_times(entries, columns, starts[i], starts[i + 1], x))
    return 0


def row_times(entries, columns, q, end, x):
    """Entries q … end of the matrix times x. Four sums at a time: an addition need not wait for the last one."""
    a, b, c, d = zeros8(), zeros8(), zeros8(), zeros8()
    while q + 4 <= end:
        a = plus8(a, entries[q], load8(x, 8 * columns[q]))
        b = plus8(b, entries[q + 1], load8(x, 8 * columns[q + 1]))
        c = plus8(c, entries[q + 2], load8(x, 8 * columns[q + 2]))
        d = plus8(d, entries[q + 3], load8(x, 8 * columns[q + 3]))
        q += 4
    while q < end:
        a = plus8(a, entries[q], load8(x, 8 * columns[q]))
        q += 1
    return plus8(plus8(a, 1.0, b), 1.0, plus8(c, 1.0, d))


KERNELS: tuple[Callable, ...] = (multiply,)


def aligned(rows: int) -> np.ndarray:
    """(rows, 8) floats of which each row is one cache line."""
    room = np.empty(LANES * rows + LANES)
    skipped = -room.ctypes.data // 8 % LANES
    return room[skipped : skipped + LANES * rows].reshape(rows, LANES)


class SparseRows:
    """A matrix (m, n) by rows, ready for products."""

    def __init__(self, A: sparse.csr_array) -> None:
        starts, columns = (np.asarray(numbers, dtype=np.int64) for numbers in (A.indptr, A.indices))
        pattern = {"count": np.array([A.shape[0]]), "starts": starts, "columns": columns}
        self._set(A.shape, pattern, np.asarray(A.data, dtype=float))

    def _set(self, shape: tuple[int, int], pattern: dict[str, np.ndarray], entries: np.ndarray) -> None:
        self.shape, self._pattern, self._table = shape, pattern, AddressTable(RowTable)
        self._x, self._y = aligned(shape[1]), aligned(shape[0])
        for name, array in (*pattern.items(), ("entries", entries), ("x", self._x), ("y", self._y)):
            self._table.set(name, array)
        self._table.set_kernel("multiply", multiply)

    @classmethod
    def of_symmetric(cls, A: sparse.csc_array) -> SparseRows:
        """Of a symmetric matrix that is stored by columns, which are its rows."""
        return cls(sparse.csr_array((A.data, A.indices, A.indptr), shape=A.shape))

    def with_entries(self, entries: np.ndarray) -> SparseRows:
        """Another matrix with entries in the same places."""
        other = object.__new__(SparseRows)
        other._set(self.shape, self._pattern, entries)
        return other

    def __matmul__(self, X: np.ndarray) -> np.ndarray:
        """A X for several columns X (n, k)."""
        found = np.empty((self.shape[0], X.shape[1]))
        x, y = self._x, self._y
        for j in range(0, X.shape[1], LANES):
            part = X[:, j : j + LANES]
            x[:, : part.shape[1]] = part
            x[:, part.shape[1] :] = 0.0
            self._table.call("multiply")
            found[:, j : j + LANES] = y[:, : part.shape[1]]
        return found
