"""Symbolic analysis: where every block of the matrix and of its factors is stored, and who updates whom.

Blocks are eliminated one after another. Block column J is stored as one *row panel*: first the dense diagonal
block, then every block (I, J) below it that is coupled or fills in, in elimination order of I; each row has
as many floats as J has equations, one row after the other. So the panel of J is a row-major matrix whose
leading dimension is the size of J, and an update by an earlier column adds to runs of its rows.

    panel of J:   ┌ (J, J) ┐   size(J) rows
                  │ (I, J) │   rows of the next coupled block I > J
                  └ (I′,J) ┘   …

Columns of blocks of three to five equations are padded to six, which the kernels are quick with; their rows in the panels of others
are not, so that padding does not multiply with the fill.

A symmetric matrix needs no more. For an unsymmetric one, block (J, I) is stored transposed, in the shape and
order of (I, J), `mirror` floats further on; the mirrors of diagonal blocks are working storage.

Vectors are numbered in elimination order, padding included: block b of the user has the equations
start[b] … start[b] + rows[b] − 1.

A large pattern may have no room for the factors: then only the coupled blocks are stored, and `flexor.engine.linear.large`
keeps the factors elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from flexor.engine.linear import table
from flexor.engine.linear.ordering import BlockGraph, Integers, elimination_order, precedence
from flexor.engine.linear.symbolic import fill, tail_runs, updates
from flexor.warning import warn

PAD_FROM = 3
"""Columns of blocks of this many rows up to five are padded to six: measured to be quicker from three on."""

LARGE = 4e9
"""Work of a factorisation (see `Pattern`) from which on Pardiso, where it is installed, is quicker than the kernels here. Measured:
bars of hex20 elements, 16 000 to 19 000 degrees of freedom: a slender one (8e9) 1.4 times, a stout one (46e9) 7 times."""

MUCH = 2
"""Blocks of the factor below the diagonal, in parts of those of the matrix, from which on the order depends on how ties are broken: by a
tenth of the work and more in nets, grids and plates. Two ways are tried there."""

SLACK = 30
"""Floats behind the last panel: rows of six are read where fewer are left."""


@dataclass(frozen=True)
class Pattern:
    """Blocks in elimination order and their storage.

    n            equations, padding included
    start, rows  of each of the user's blocks: first equation, number of equations
    mirror       length of the lower part of the values; displacement of the upper part
    columns, sources, runs, tails, identity, pads    see `flexor.engine.linear.table`
    column       block column of each user block
    below        (pointers, rows): block rows below the diagonal of each column, ascending
    coupled      block pairs (I, J), I ≥ J, of columns which are coupled before fill
    work, fill   Σ size · (rows at and below the diagonal)², Σ size · (those rows), of the factors
    filled       whether there is room for the factors
    """

    n: int
    start: Integers
    rows: Integers
    mirror: int
    columns: np.ndarray
    sources: np.ndarray
    runs: Integers
    tails: Integers
    identity: np.ndarray
    pads: Integers
    column: Integers
    below: tuple[Integers, Integers]
    coupled: Integers
    work: float
    fill: float
    filled: bool

    @property
    def n_blocks(self) -> int:
        """Number of block columns."""
        return len(self.columns) - 1

    @cached_property
    def groups(self) -> Integers:
        """Of each equation: the last block column of all that is connected with it, directly or through others."""
        found = np.repeat(self._last_connected(), self.columns["size"][:-1])
        found.setflags(write=False)
        return found

    def _last_connected(self) -> Integers:
        """Of each block column: roots of the elimination tree, or as a search in the graph where the fill is not known."""
        n = self.n_blocks
        if self.filled:
            pointers, rows = self.below
            last = np.arange(n)
            inner = pointers[1:] > pointers[:-1]
            last[inner] = rows[pointers[:-1][inner]]  # parents, from which it goes on by twice as many each time
            while np.any((further := last[last]) != last):
                last = further
            return last
        from scipy import sparse
        from scipy.sparse.csgraph import connected_components

        graph = sparse.coo_array((np.ones(len(self.coupled)), (self.coupled[:, 0], self.coupled[:, 1])), shape=(n, n))
        label = connected_components(graph, directed=False)[1]
        last = np.zeros(n, dtype=np.int64)
        np.maximum.at(last, label, np.arange(n))
        return last[label]

    def locate(self, I: ArrayLike, J: ArrayLike) -> tuple[Integers, Integers, NDArray[np.bool_]]:
        """Where block (I, J) of the user is stored: (offset, ld, transposed).

        Element (a, b) is at offset + a·ld + b, or at offset + b·ld + a if transposed. Symmetric storage holds
        one of (I, J) and (J, I): add the one that is not transposed. Unsymmetric storage holds both, the
        transposed one `mirror` floats further on.
        """
        I, J = np.broadcast_arrays(np.asarray(I, dtype=np.int64), np.asarray(J, dtype=np.int64))
        transposed = self.column[I] < self.column[J]
        row, col = np.where(transposed, J, I), np.where(transposed, I, J)
        row, col = self.column[row], self.column[col]
        ld = self.columns["size"][col]
        offset = self.columns["panel"][col] + self._panel_row(row, col) * ld
        return offset, ld, transposed

    def entries(self, symmetric: bool) -> tuple[Integers, Integers, Integers]:
        """Row, column and place in the values of every entry of the coupled blocks, both triangles."""
        row, col = self.coupled[:, 0], self.coupled[:, 1]
        sizes, first = self.columns["size"], self.columns["start"]
        place = self.columns["panel"][col] + self._panel_row(row, col) * sizes[col]
        height = np.where(row == col, sizes[row], self.columns["own"][row])
        pair = np.repeat(np.arange(len(row)), height)  # of each row of each block
        inside, width = np.arange(len(pair)) - np.repeat(np.cumsum(height) - height, height), sizes[col][pair]
        begin = np.cumsum(width) - width
        number = np.arange(width.sum())
        a = np.repeat(first[row][pair] + inside, width)
        b = number + np.repeat(first[col][pair] - begin, width)
        place = number + np.repeat(place[pair] + inside * width - begin, width)
        off = np.repeat((row != col)[pair], width)
        upper = place[off] + (0 if symmetric else self.mirror)
        return np.concatenate([a, b[off]]), np.concatenate([b, a[off]]), np.concatenate([place, upper])

    def chosen(self, symmetric: bool, rows: Integers, columns: Integers) -> tuple[Integers, Integers, Integers]:
        """The entries of some equations, in the order given, in the columns of some, ascending.

        Their places in the values, their numbers among the columns, where each row begins.
        """
        number, among = np.full((2, self.n), -1)
        number[rows], among[columns] = np.arange(len(rows)), np.arange(len(columns))
        by_row, by_column = np.zeros((2, self.n_blocks), dtype=bool)
        by_row[self.column[self.identity["block"][rows]]] = True
        by_column[self.column[self.identity["block"][columns]]] = True
        low, up = self.coupled[:, 0], self.coupled[:, 1]  # (low, up) is stored, and stands for (up, low), too
        direct, turned = by_row[low] & by_column[up], by_row[up] & by_column[low] & (low != up)
        sizes, own, first = (self.columns[each][:-1] for each in ("size", "own", "start"))
        ld = sizes[up]
        begin = self.columns["panel"][up] + self._panel_row(low, up) * ld
        i, j = np.concatenate([low[direct], up[turned]]), np.concatenate([up[direct], low[turned]])
        begin = np.concatenate([begin[direct], begin[turned] + (0 if symmetric else self.mirror)])
        down = np.concatenate([ld[direct], np.ones(turned.sum(), dtype=np.int64)])
        right = np.concatenate([np.ones(direct.sum(), dtype=np.int64), ld[turned]])
        height, width = np.where(i == j, sizes[i], own[i]), np.where(i == j, sizes[j], own[j])
        block, inside = _repeated(height)  # of each row of each block
        row = number[first[i][block] + inside]
        order = np.argsort(np.where(row >= 0, row * self.n + first[j][block], -1))[np.count_nonzero(row < 0) :]
        block, inside, row = block[order], inside[order], row[order]
        part, across = _repeated(width[block])  # of each entry
        column = among[first[j][block][part] + across]
        places = (begin[block] + inside * down[block])[part] + across * right[block][part]
        kept = column >= 0
        counts = np.bincount(row[part[kept]], minlength=len(rows))
        return places[kept], column[kept], np.concatenate([[0], np.cumsum(counts)])

    def _panel_row(self, row: Integers, col: Integers) -> Integers:
        """Scalar row at which block row `row` begins in the panel of column `col`."""
        pointers, rows = self.below
        keys = np.repeat(np.arange(self.n_blocks), np.diff(pointers)) * self.n_blocks + rows
        sizes = self.columns["size"]
        ends = np.concatenate([[0], np.cumsum(self.columns["own"][rows])])
        below = row != col
        wanted = col * self.n_blocks + row
        found = np.searchsorted(keys, wanted)
        if np.any(below & (np.append(keys, -1)[found] != wanted)):
            raise KeyError("these blocks are not coupled: name every coupled pair in the analysis")
        return np.where(below, sizes[col] + ends[found] - ends[pointers[col]], 0)


def _repeated(counts: Integers) -> tuple[Integers, Integers]:
    """Of several things with so many parts each: whose part each one is, and which of its parts."""
    whose = np.repeat(np.arange(len(counts)), counts)
    return whose, np.arange(len(whose)) - np.repeat(np.cumsum(counts) - counts, counts)


def analyse(
    rows: Sequence[int] | Integers,
    pairs: Iterable[tuple[int, int]] | Integers,
    multiplier: Sequence[bool] | NDArray[np.bool_] | None = None,
    after: Mapping[int, set[int]] | None = None,
    *,
    filled: bool | None = None,
) -> Pattern:
    """Order the blocks, find the fill, lay out the storage.

    rows: equations of each block (6 for a node; modes together; the constraints of a joint).
    pairs: coupled blocks, in any order, with or without repetition; the diagonal needs no mention.
    multiplier: which blocks are Lagrange multipliers, their own diagonal being zero.
    after: blocks that have to wait for others, each with those.
    filled: make room for the factors; by itself where their work is not LARGE, or Pardiso is not installed.
    """
    rows = np.asarray(rows, dtype=np.int64)
    flags = np.zeros(len(rows), dtype=bool) if multiplier is None else np.asarray(multiplier, dtype=bool)
    pairs = np.asarray(pairs if isinstance(pairs, np.ndarray) else list(pairs), dtype=np.int64).reshape(-1, 2)
    sizes = np.where((rows >= PAD_FROM) & (rows < 6), 6, rows)
    low, high = pairs.min(axis=1, initial=len(rows)), pairs.max(axis=1, initial=-1)
    keys = np.unique((low * len(rows) + high)[low != high])
    joined = np.column_stack(np.divmod(keys, max(len(rows), 1)))
    graph = BlockGraph.of(joined, len(rows))
    waits = precedence(graph, rows, flags, after or {})
    order, pointers, flat = fill(graph, elimination_order(graph, rows, waits))
    if len(flat) > MUCH * len(joined):
        other = fill(graph, elimination_order(graph, rows, waits, last_first=False))
        order, pointers, flat = min((order, pointers, flat), other, key=lambda each: _work(rows, sizes, *each)[0])
    position = np.empty(len(rows), dtype=np.int64)
    position[order] = np.arange(len(rows))
    ends = np.sort(position[joined], axis=1)
    coupled = np.concatenate([np.repeat(np.arange(len(rows))[:, None], 2, axis=1), ends[:, ::-1]])
    work, entries = _work(rows, sizes, order, pointers, flat)
    if filled is None:
        filled = work <= LARGE or not _pardiso_installed()
    if not filled:
        pointers, flat = _direct(coupled, len(rows))
    return _lay_out(rows, flags, order, sizes[order], (pointers, flat), coupled, (work, entries, filled))


def _pardiso_installed() -> bool:
    from flexor.reduce import pardiso  # loads MKL, which few models need

    return pardiso.installed()


def tell_if_slow(pattern: Pattern) -> None:
    """Where each factorisation takes a second or more for want of a library, say which one."""
    if pattern.filled and pattern.work > 4 * LARGE:
        from flexor.reduce.factor import SlowFactorisation  # loads SuperLU, which few models need

        size = f"{pattern.rows.sum()} equations, whose factors have {pattern.fill / 1e6:.0f} million numbers"
        fast = "pypardiso (pip install 'flexor[solvers]') factorises them up to seven times as fast"
        warn(f"the model has {size}: {fast}", SlowFactorisation)


def _direct(coupled: Integers, n: int) -> tuple[Integers, Integers]:
    """Block rows below the diagonals in one list, and where those of each column begin, of the blocks that are coupled, without fill."""
    row, col = coupled[coupled[:, 0] != coupled[:, 1]].T
    order = np.lexsort((row, col))
    return np.searchsorted(col[order], np.arange(n + 1)), row[order]


def _heights(own: Integers, pointers: Integers, flat: Integers) -> Integers:
    """Scalar rows below the diagonal of each column."""
    return np.diff(np.concatenate([[0], np.cumsum(own[flat])])[pointers])


def _work(rows: Integers, sizes: Integers, order: Integers, pointers: Integers, flat: Integers) -> tuple[float, float]:
    """Work and fill of the factors, see `Pattern`."""
    own, width = rows[order], sizes[order]
    height = _heights(own, pointers, flat)
    return float((width * (own + height) ** 2).sum()), float((width * (own + height)).sum())


def _lay_out(
    rows: Integers,
    multiplier: NDArray,
    order: Integers,
    sizes: Integers,
    below: tuple[Integers, Integers],
    coupled: Integers,
    factors: tuple[float, float, bool],
) -> Pattern:
    n_blocks = len(order)
    pointers, flat = below
    own = rows[order]
    height = _heights(own, pointers, flat)
    first = np.concatenate([[0], np.cumsum(sizes)])
    panel = np.concatenate([[0], np.cumsum((sizes + height) * sizes)])

    columns = np.zeros(n_blocks + 1, dtype=table.Column.dtype())
    columns["start"], columns["panel"] = first, panel
    columns["size"][:-1], columns["own"][:-1], columns["below"][:-1] = sizes, own, height
    columns["nature"][:-1] = np.where(multiplier[order], table.CONSTRAINT, table.PRIMAL)

    work, entries, filled = factors
    sources = np.zeros(1, dtype=table.SourceColumn.dtype())
    tails = runs = np.zeros((0, 2), dtype=np.int64)
    if filled:
        tails, columns["tail"] = tail_runs(own, first, pointers, flat)
        sources, runs, columns["source"] = updates(sizes, own, first, panel, pointers, flat)

    start, column = (np.zeros(len(rows), dtype=np.int64) for _ in range(2))
    column[order], start[order] = np.arange(n_blocks), first[:-1]
    identity = np.zeros(int(first[-1]), dtype=table.Identity.dtype())
    k = np.repeat(np.arange(n_blocks), sizes)
    inside = np.arange(len(k)) - first[k]
    padding = inside >= own[k]
    identity["block"], identity["row"] = order[k], inside
    identity["kind"] = np.where(padding, table.PAD, columns["nature"][k])
    pads = (panel[k] + inside * (sizes[k] + 1))[padding]
    return Pattern(
        n=int(first[-1]),
        start=start,
        rows=rows,
        mirror=int(panel[-1]) + SLACK,
        columns=columns,
        sources=sources,
        runs=runs,
        tails=tails,
        identity=identity,
        pads=pads,
        column=column,
        below=below,
        coupled=coupled,
        work=work,
        fill=entries,
        filled=filled,
    )
