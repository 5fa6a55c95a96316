"""Products of a stiffness matrix with shapes, exact to the last digit of the result.

In a smooth shape the forces K_ij x_j on a node cancel: bending a slender solid takes 10⁻¹² of what its elements
push each other with, so a sum in double precision has few digits left. K and X are split into leading and
remaining bits,

    K X = K₁X₁ + (K₁X₂ + K₂X₁ + K₂X₂),

such that K₁X₁ is summed without any rounding (multiples of one quantum, below 2⁵³ of it) and the remainder is smaller
by 2⁻²⁰ (Ozaki, Ogita, Oishi and Rump 2012). The price is four products instead of one, of eight columns at a time.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import sparse

from flexor.law.lanes import load8, plus8, store8, times8, zeros8
from flexor.law.record import Record, integers_at, kernel_at, numbers_at
from flexor.law.table import AddressTable
from flexor.reduce.sparse_rows import LANES, aligned

DIGITS = 53
"""Bits of a double."""
WHOLE = 1.5 * 2.0 ** (DIGITS - 1)
"""A number that is added to a smaller one, and taken off again, rounds it to a whole one."""


class PreciseTable(Record):
    """A symmetric matrix, and what it is multiplied with."""

    multiply_parts = kernel_at("y = K x")
    count = integers_at("number of rows")
    starts = integers_at("where the rows begin")
    columns = integers_at("of the entries")
    entries = numbers_at("their values")
    quantum = numbers_at("of which leading bits are multiples")
    x = numbers_at("leading bits of eight columns, then remaining ones, row by row")
    y = numbers_at("the product, eight columns side by side")


def multiply_parts(t: PreciseTable):
    """Kernel: y = K₁x₁ + (K₁x₂ + K₂x₁ + K₂x₂)."""
    starts, columns, entries, x, y, quantum = t.starts, t.columns, t.entries, t.x, t.y, t.quantum[0]
    for i in range(t.count[0]):
        row = row_times_parts(entries, 1.0 / quantum, columns, starts[i], starts[i + 1], x)
        store8(y, 8 * i, times8(quantum, row))
    return 0


def row_times_parts(entries, scale, columns, begin, end, x):
    """Entries begin … end of the matrix, times a scale by which leading bits are whole numbers, times x."""
    exact, across, down, least = zeros8(), zeros8(), zeros8(), zeros8()
    for q in range(begin, end):
        value, at = scale * entries[q], 16 * columns[q]
        leading = (value + WHOLE) - WHOLE
        rest = value - leading
        exact, across = plus8(exact, leading, load8(x, at)), plus8(across, leading, load8(x, at + 8))
        down, least = plus8(down, rest, load8(x, at)), plus8(least, rest, load8(x, at + 8))
    return plus8(exact, 1.0, plus8(plus8(across, 1.0, down), 1.0, least))


KERNELS: tuple[Callable, ...] = (multiply_parts,)


def product(K: sparse.csc_array, X: np.ndarray) -> np.ndarray:
    """K X for a symmetric matrix, as if summed with some 20 bits more than double precision."""
    bits = (DIGITS - int(np.diff(K.indptr).max(initial=1)).bit_length()) // 2
    largest = np.array([K.data.max(initial=0.0), -K.data.min(initial=0.0)])
    X1, found = _leading(X, bits), np.empty(X.shape)
    x, y = aligned(2 * len(X)), aligned(len(X))
    table = AddressTable(PreciseTable)
    for name, array in (
        ("count", np.array([K.shape[0]])),
        ("starts", np.asarray(K.indptr, dtype=np.int64)),
        ("columns", np.asarray(K.indices, dtype=np.int64)),
        ("entries", np.asarray(K.data, dtype=float)),
        ("quantum", _quantum(largest, bits).reshape(1)),
        ("x", x),
        ("y", y),
    ):
        table.set(name, array)
    table.set_kernel("multiply_parts", multiply_parts)
    for j in range(0, X.shape[1], LANES):
        width = min(LANES, X.shape[1] - j)
        x[::2, :width] = X1[:, j : j + width]
        x[1::2, :width] = X[:, j : j + width] - X1[:, j : j + width]
        x[:, width:] = 0.0
        table.call("multiply_parts")
        found[:, j : j + width] = y[:, :width]
    return found


def _leading(values: np.ndarray, bits: int) -> np.ndarray:
    """The values rounded to multiples of the quantum of each column."""
    quantum = _quantum(np.abs(values), bits)
    return np.rint(values / quantum) * quantum


def _quantum(sizes: np.ndarray, bits: int) -> np.ndarray:
    """2^−bits of the largest size, rounded up to a power of two (of each column)."""
    _, exponent = np.frexp(sizes.max(axis=0, initial=0.0))
    return np.ldexp(1.0, exponent - bits)
