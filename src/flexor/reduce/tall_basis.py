"""The vectors of a basis, column by column, and what eight other vectors at a time have of them.

The vectors are long and some hundreds: their products with eight others wait for memory. The values of the others stand side by
side, and a few hundred rows of them stay in the processor's cache while all vectors of the basis pass by once.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from flexor.law.lanes import load8, minus8, plus8, store8
from flexor.law.record import Record, integers_at, kernel_at, numbers_at
from flexor.law.table import AddressTable
from flexor.reduce.sparse_rows import LANES, aligned

ROWS = 512
"""Rows that are taken together."""


class TallTable(Record):
    """The vectors of a basis Q (n, m), and others."""

    find_shares = kernel_at("H = QᵀX")
    take_off = kernel_at("X ← X − Q H")
    size = integers_at("length n of the vectors; their number, rounded up to a multiple of eight")
    Q = numbers_at("the vectors, one after another")
    X = numbers_at("eight others, side by side")
    H = numbers_at("their shares, side by side")


def shares_at(H, h):
    """The shares of eight vectors of the basis."""
    a, b, c, d = load8(H, h), load8(H, h + 8), load8(H, h + 16), load8(H, h + 24)
    e, f, g, i = load8(H, h + 32), load8(H, h + 40), load8(H, h + 48), load8(H, h + 56)
    return a, b, c, d, e, f, g, i


def add_shares(Q, n, column, X, H, begin, end):
    """What some rows add to the shares of eight vectors of the basis."""
    a, b, c, d, e, f, g, i = shares_at(H, 8 * column)
    for row in range(begin, end):
        x, q = load8(X, 8 * row), column * n + row
        a, b, c, d = plus8(a, Q[q], x), plus8(b, Q[q + n], x), plus8(c, Q[q + 2 * n], x), plus8(d, Q[q + 3 * n], x)
        e, f, g = plus8(e, Q[q + 4 * n], x), plus8(f, Q[q + 5 * n], x), plus8(g, Q[q + 6 * n], x)
        i = plus8(i, Q[q + 7 * n], x)
    h = 8 * column
    store8(H, h, a)
    store8(H, h + 8, b)
    store8(H, h + 16, c)
    store8(H, h + 24, d)
    store8(H, h + 32, e)
    store8(H, h + 40, f)
    store8(H, h + 48, g)
    store8(H, h + 56, i)


def take_off_eight(Q, n, column, X, H, begin, end):
    """Take the shares of eight vectors of the basis off some rows."""
    a, b, c, d, e, f, g, i = shares_at(H, 8 * column)
    for row in range(begin, end):
        q = column * n + row
        x = minus8(minus8(load8(X, 8 * row), Q[q], a), Q[q + n], b)
        x = minus8(minus8(x, Q[q + 2 * n], c), Q[q + 3 * n], d)
        x = minus8(minus8(x, Q[q + 4 * n], e), Q[q + 5 * n], f)
        store8(X, 8 * row, minus8(minus8(x, Q[q + 6 * n], g), Q[q + 7 * n], i))


def with_all(eight: Callable) -> Callable:
    """What is done with eight vectors and some rows, done with all."""

    def go(t):  # type: ignore[no-untyped-def]
        n, m = t.size[0], t.size[1]
        for begin in range(0, n, ROWS):
            for column in range(0, m, 8):
                eight(t.Q, n, column, t.X, t.H, begin, min(begin + ROWS, n))

    return go


add_all_shares, take_off_all = with_all(add_shares), with_all(take_off_eight)


def find_shares(t: TallTable):
    """Kernel: H = QᵀX."""
    for i in range(8 * t.size[1]):
        t.H[i] = 0.0
    add_all_shares(t)
    return 0


def take_off(t: TallTable):
    """Kernel: X ← X − Q H."""
    take_off_all(t)
    return 0


KERNELS: tuple[Callable, ...] = (find_shares, take_off)


class TallBasis:
    """Vectors of length n, with room for some at first."""

    def __init__(self, n: int, room: int) -> None:
        self._count, self._X, self._table = 0, aligned(n), AddressTable(TallTable)
        self._table.set("size", np.array([n, 0]))
        self._table.set("X", self._X)
        for kernel in KERNELS:
            self._table.set_kernel(kernel.__name__, kernel)
        self._make_room(_whole(room))

    def _make_room(self, room: int) -> None:
        """Memory for more vectors; it is taken as it is filled."""
        store = np.zeros((room, self._table.view.size[0]))
        if self._count:
            store[: self._count] = self.vectors.T
        self._store = store
        self._table.set("Q", store)
        self._table.set("H", np.zeros((room, LANES)))

    @property
    def vectors(self) -> np.ndarray:
        """(n, m) all of them."""
        return self._store[: self._count].T

    def add(self, block: np.ndarray) -> None:
        """More vectors (n, k)."""
        count = self._count + block.shape[1]
        if count > len(self._store):
            self._make_room(_whole(2 * count))
        self._store[self._count : count] = block.T
        self._set_count(count)

    def keep(self, vectors: np.ndarray) -> None:
        """These (n, k), no more than there are, instead of all."""
        self._store[: vectors.shape[1]] = vectors.T
        self._set_count(vectors.shape[1])

    def _set_count(self, count: int) -> None:
        self._count = count
        self._table.view.size[1] = _whole(count)  # what stands behind the last one is multiplied too, and left out

    def shares(self, X: np.ndarray) -> np.ndarray:
        """(m, k) QᵀX of vectors X (n, k)."""
        found = np.empty((self._count, X.shape[1]))
        for j in range(0, X.shape[1], LANES):
            self._lanes(X[:, j : j + LANES])
            self._table.call("find_shares")
            found[:, j : j + LANES] = self._H()[:, : X.shape[1] - j]
        return found

    def without(self, X: np.ndarray, shares: np.ndarray) -> np.ndarray:
        """X − Q H, with shares H (m, k)."""
        found = np.empty(X.shape)
        for j in range(0, X.shape[1], LANES):
            self._lanes(X[:, j : j + LANES])
            self._table.view.H[:] = 0.0
            self._H()[:, : X.shape[1] - j] = shares[:, j : j + LANES]
            self._table.call("take_off")
            found[:, j : j + LANES] = self._X[:, : X.shape[1] - j]
        return found

    def _lanes(self, part: np.ndarray) -> None:
        """Put up to eight vectors where the kernels read them."""
        self._X[:, : part.shape[1]] = part
        self._X[:, part.shape[1] :] = 0.0

    def _H(self) -> np.ndarray:
        """(m, 8) shares where the kernels write and read them."""
        return self._table.view.H[: LANES * self._count].reshape(-1, LANES)


def _whole(count: int) -> int:
    """The next multiple of eight."""
    return -(-count // LANES) * LANES
