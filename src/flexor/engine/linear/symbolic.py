"""Symbolic factorisation: which blocks fill in, and which rows each column adds to.

Blocks are numbered in elimination order. The block rows below the diagonals stand in one list `flat`, those
of column k at pointers[k] … pointers[k+1], ascending.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from flexor.engine.linear.ordering import FEW, BlockGraph, Integers
from flexor.engine.linear.table import SourceColumn
from flexor.law.record import Record, integers_at, kernel_at
from flexor.law.table import AddressTable


class FactorColumns(Record):
    """Columns of the factor: the tree of elimination, and the rows below each diagonal."""

    find_columns = kernel_at("finds order, parents and lengths")
    list_rows = kernel_at("lists the rows")
    count = integers_at("number of blocks")
    starts = integers_at("where the neighbours of each block begin")
    neighbours = integers_at("the lists of them")
    order = integers_at("block of each column")
    position = integers_at("column of each block")
    parent = integers_at("first row below the diagonal of each column, or −1")
    lengths = integers_at("number of rows there")
    child = integers_at("scratch: first column with this parent, or −1; then the order as it was")
    sibling = integers_at("scratch: next column with the same parent, or −1; then the lengths as they were")
    seen = integers_at("scratch: last row that was looked at by each column, or the new number of each")
    stack = integers_at("scratch; then where the next row of each column is put")
    rows = integers_at("rows of all columns")


def find_columns(C: FactorColumns):
    """Kernel: renumber so that the columns which update each other stand close together; the fill stays the same."""
    n, order, position, parent, lengths = C.count[0], C.order, C.position, C.parent, C.lengths
    child, sibling, seen, stack = C.child, C.sibling, C.seen, C.stack
    for k in range(n):
        position[order[k]] = k
    for k in range(n):
        parent[k], lengths[k], seen[k] = -1, 0, k
        for q in range(C.starts[order[k]], C.starts[order[k] + 1]):
            j = position[C.neighbours[q]]
            while j < k and seen[j] != k:
                if parent[j] == -1:
                    parent[j] = k
                lengths[j] += 1
                seen[j] = k
                j = parent[j]
    size = 0
    for k in range(n):
        child[k] = -1
    for i in range(n):
        k = n - 1 - i
        if parent[k] < 0:
            stack[size] = k
            size += 1
        else:
            sibling[k] = child[parent[k]]
            child[parent[k]] = k
    number = n
    while size > 0:  # parents before children, from the last to the first
        size -= 1
        k = stack[size]
        number -= 1
        seen[k] = number
        j = child[k]
        while j >= 0:
            stack[size] = j
            size += 1
            j = sibling[j]
    for k in range(n):
        child[k], sibling[k], stack[k] = order[k], lengths[k], parent[k]
    for k in range(n):
        order[seen[k]], lengths[seen[k]] = child[k], sibling[k]
        parent[seen[k]] = seen[stack[k]] if stack[k] >= 0 else -1
        position[child[k]] = seen[k]
    return 0


def list_rows(C: FactorColumns):
    """Kernel: the rows of each column, ascending. Row k is found by climbing from its entries towards k.   Liu (1990) 4.2"""
    position, parent, seen, place = C.position, C.parent, C.seen, C.stack
    for k in range(C.count[0]):
        seen[k] = k
        for q in range(C.starts[C.order[k]], C.starts[C.order[k] + 1]):
            j = position[C.neighbours[q]]
            while j < k and seen[j] != k:
                C.rows[place[j]] = k
                place[j] += 1
                seen[j] = k
                j = parent[j]
    return 0


KERNELS: tuple[Callable, ...] = (find_columns, list_rows)


def fill(graph: BlockGraph, order: Integers) -> tuple[Integers, Integers, Integers]:
    """(order, pointers, flat): the order in which columns that update each other stand close together, and the rows below the diagonals.

    J. W. H. Liu: The role of elimination trees in sparse factorization, SIAM J. Matrix Anal. Appl. 11 (1990) 134-172.
    """
    n = len(order)
    table = AddressTable(FactorColumns, python=n <= FEW)
    table.set("count", np.array([n], dtype=np.int64))
    table.set("starts", graph.starts)
    table.set("neighbours", graph.neighbours)
    table.set("order", order.copy())
    for name in ("position", "parent", "lengths", "child", "sibling", "seen", "stack"):
        table.set(name, np.zeros(n, dtype=np.int64))
    for kernel in KERNELS:
        table.set_kernel(kernel.__name__, kernel)
    table.call("find_columns")
    pointers = np.concatenate([[0], np.cumsum(table.view.lengths)])
    table.view.stack[:] = pointers[:-1]
    table.set("rows", np.zeros(int(pointers[-1]), dtype=np.int64))
    table.call("list_rows")
    return table.view.order, pointers, table.view.rows


def tail_runs(own: Integers, first: Integers, pointers: Integers, flat: Integers) -> tuple[Integers, Integers]:
    """Runs of equations below each diagonal: (number, first equation); and the first run of each column.

    own: rows of each block without padding.   first: its first equation.
    """
    begins = np.ones(len(flat), dtype=bool)
    begins[1:] = first[flat[1:]] != first[flat[:-1]] + own[flat[:-1]]
    begins[pointers[:-1][np.diff(pointers) > 0]] = True
    at = np.flatnonzero(begins)
    number = np.add.reduceat(own[flat], at) if len(at) else np.zeros(0, dtype=np.int64)
    return np.stack([number, first[flat[at]]], axis=1), np.searchsorted(at, pointers)


def updates(
    sizes: Integers, own: Integers, first: Integers, panel: Integers, pointers: Integers, flat: Integers
) -> tuple[Integers, Integers, Integers]:
    """Updates of each column by earlier ones, and the runs of rows that each update adds to.

    sizes, own: columns of each block with padding and without.
    """
    n_blocks = len(sizes)
    source = np.repeat(np.arange(n_blocks), np.diff(pointers))
    above = np.concatenate([[0], np.cumsum(own[flat])])
    panel_row = sizes[source] + above[:-1] - above[pointers[source]]
    by_target = np.argsort(flat, kind="stable")
    begin = np.searchsorted(flat[by_target], np.arange(n_blocks + 1))

    sources = np.zeros(len(flat) + 1, dtype=SourceColumn.dtype())
    j = source[by_target]
    sources["rows"][:-1] = panel[j] + panel_row[by_target] * sizes[j]
    sources["width"][:-1] = sizes[j]
    sources["rank"][:-1] = own[j]
    sources["equation"][:-1] = first[j]

    lengths = pointers[j + 1] - by_target  # blocks that each update reaches, from its target on
    row_of = _finder(source * n_blocks + flat, panel_row, n_blocks)
    runs, n_runs = [np.zeros((0, 2), dtype=np.int64)], 0
    for part in _parts(lengths):
        entries, reach = by_target[part], lengths[part]
        segment = np.concatenate([[0], np.cumsum(reach)])
        blocks = flat[np.arange(segment[-1]) + np.repeat(entries - segment[:-1], reach)]
        target = np.repeat(flat[entries], reach)
        to, height = row_of(target * n_blocks + blocks), own[blocks]
        to[segment[:-1]] = 0  # the target itself
        begins = np.ones(len(blocks), dtype=bool)
        begins[1:] = to[1:] != to[:-1] + height[:-1]
        begins[segment[:-1]] = True
        at = np.flatnonzero(begins)
        runs.append(np.stack([np.add.reduceat(height, at), panel[target[at]] + to[at] * sizes[target[at]]], axis=1))
        sources["run"][part] = n_runs + np.searchsorted(at, segment[:-1])
        n_runs += len(at)
    sources["run"][-1] = n_runs
    return sources, np.concatenate(runs), begin


def _finder(keys: Integers, rows: Integers, n_blocks: int) -> Callable[[Integers], Integers]:
    """Where a block stands in the panel of a column: the row by the key of both, which ascend; of what is not there, any."""
    if n_blocks**2 > TABLE or not len(keys):
        return lambda wanted: rows[np.minimum(np.searchsorted(keys, wanted), len(rows) - 1)]
    every = np.zeros(n_blocks**2, dtype=np.int64)
    every[keys] = rows
    return every.__getitem__


TABLE = 1 << 22
"""Pairs of blocks up to which places are looked up in a table of all pairs, of which only a few pages are touched; else by bisection."""
AT_ONCE = 1 << 20
"""Blocks that are looked at together."""


def _parts(lengths: Integers) -> list[slice]:
    """Updates in parts that reach no more than about AT_ONCE blocks."""
    end = np.cumsum(lengths)
    cuts: list[int] = np.searchsorted(end, np.arange(AT_ONCE, end[-1], AT_ONCE)).tolist() if len(end) else []
    places = np.unique([0, *cuts, len(lengths)])
    return [slice(a, b) for a, b in pairwise(places.tolist())]
