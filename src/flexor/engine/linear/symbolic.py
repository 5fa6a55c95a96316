"""Symbolic factorisation: which blocks fill in, and which rows each column adds to.

Blocks are numbered in elimination order. The block rows below the diagonals stand in one list `flat`, those
of column k at pointers[k] … pointers[k+1], ascending.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from flexor.engine.linear import table
from flexor.engine.linear.ordering import Graph

Integers = NDArray[np.int64]


def fill(graph: Graph, order: list[int]) -> list[list[int]]:
    """Rows below the diagonal of each column of the factor, all numbered in elimination order."""
    position = [0] * len(order)
    for k, block in enumerate(order):
        position[block] = k
    filled: list[set[int]] = [set() for _ in order]
    children: list[list[int]] = [[] for _ in order]
    below: list[list[int]] = []
    for k, block in enumerate(order):
        rows = {i for i in map(position.__getitem__, graph[block]) if i > k}
        for child in children[k]:
            rows |= filled[child]
        rows.discard(k)
        filled[k] = rows
        below.append(sorted(rows))
        if rows:
            children[below[k][0]].append(k)
    return below


def postorder(order: list[int], below: list[list[int]]) -> tuple[list[int], list[list[int]]]:
    """Renumber so that the columns which update each other stand close together; the fill stays the same."""
    n = len(order)
    children: list[list[int]] = [[] for _ in range(n)]
    roots: list[int] = []
    for k in range(n):
        (children[below[k][0]] if below[k] else roots).append(k)
    visited: list[int] = []
    stack = roots[::-1]
    while stack:  # parents before children, from the last to the first
        k = stack.pop()
        visited.append(k)
        stack += children[k]
    visited.reverse()
    new = [0] * n
    for i, k in enumerate(visited):
        new[k] = i
    return [order[k] for k in visited], [sorted(new[i] for i in below[k]) for k in visited]


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

    sources = np.zeros(len(flat) + 1, dtype=table.SourceColumn.dtype())
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
