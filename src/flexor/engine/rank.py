"""Which rows of a sparse matrix follow from the others: elimination of its columns, block by block.

A block of columns (the six coordinates of a body) is eliminated by the rows that touch it: a large entry of
these columns is the pivot, its row is taken out of all others, until no entry is left that counts. What remains of the
other rows goes on without these columns, to the blocks they were joined with. A row that has lost all its entries
on the way is a combination of rows taken as pivots before:

    rows of body k:   ┌ A_k  A_rest ┐    P A_k Q = L U,    A_rest ← (A_rest below the pivots) − L U⁻¹ (A_rest of the pivots)

The branches of a tree vanish at once, a loop leaves four or fewer rows at each of its bodies. What is called zero here
is zero in the matrix itself up to the tolerance: not in its square, as with the pivots of B M⁻¹ Bᵀ.

Rows that come first are taken as pivots first, so that what is left over belongs to the last joint of a loop: leaving out
several rows of one joint stays right as the mechanism moves, leaving out one row each of several joints may not.
"""

from __future__ import annotations

import heapq
from functools import cached_property

import numpy as np

from flexor.engine.linear.rows import MatrixRows
from flexor.frozen import frozen

CLOSE = 0.1
"""Entries that may be pivots, relative to the largest: among them the first row is taken."""
TOLERANCE = 1e-5
"""What is left of an entry, relative to the largest seen in its part of the row, that counts as zero: axes that are parallel,
points that coincide to so many parts."""
CERTAIN = 1e-2
"""Distance of a row of length one from what others span, from which on there is no doubt that the rows are independent."""
NOTHING = 1e-10
"""Added to squares of lengths, so that their roots exist."""
FLOOR = 1e-6
"""Least size of a part of a row, relative to the whole: less may be rounding."""


@frozen
class _Front:
    """Rows that share the same blocks of columns: their numbers, the blocks in order, the entries, and the largest seen there."""

    rows: np.ndarray
    blocks: tuple[int, ...]
    values: np.ndarray
    seen: np.ndarray


def dependent_rows(
    matrix: MatrixRows,
    block: np.ndarray,
    part: np.ndarray | None = None,
    tolerance: float = TOLERANCE,
) -> list[int]:
    """Rows of a matrix, with rows of length one, that are combinations of the others; the last ones where there is a choice.

    block: number of the block of each column; columns of a block are eliminated together.
    part: number of what the column is a component of (displacement or rotation of a body); the block if left out.
    """
    found: list[int] = []
    width = np.bincount(block) if len(block) else np.zeros(0, dtype=int)
    rows = _RowsByBlocks(matrix, block, block if part is None else part, width)
    touching: dict[int, set[int]] = {}
    for number, blocks in enumerate(rows.blocks):
        if not blocks:
            found += range(rows.cuts[number], rows.cuts[number + 1])
        for b in blocks:
            touching.setdefault(b, set()).add(number)

    count = len(rows.blocks)
    if tolerance <= TOLERANCE:
        _take_off_branches(rows, touching)
    fronts = {number: rows.front(number) for number in set().union(*touching.values())}

    def degree(b: int) -> int:
        around = {c for number in touching[b] for c in fronts[number].blocks}
        return int(sum(width[c] for c in around))

    heap = [(degree(b), b) for b in touching]
    heapq.heapify(heap)
    while heap:
        d, b = heapq.heappop(heap)
        if b not in touching:
            continue
        now = degree(b)
        if now > d:  # grown since: again later
            heapq.heappush(heap, (now, b))
            continue
        numbers = sorted(touching.pop(b))
        if not numbers:
            continue
        rest = _eliminate(b, [fronts[number] for number in numbers], width, tolerance, found)
        neighbours = {c for number in numbers for c in fronts[number].blocks if c != b}
        for number in numbers:
            for c in fronts.pop(number).blocks:
                if c != b:
                    touching[c].discard(number)
        if len(rest.rows):
            fronts[count] = rest
            for c in rest.blocks:
                touching[c].add(count)
            count += 1
        for c in neighbours:
            heapq.heappush(heap, (degree(c), c))
    return sorted(found)


class _RowsByBlocks:
    """Rows with the same blocks, next to each other in the matrix.

    blocks: of each group of rows, in order.   cuts: first row of each, and the end of the last.
    """

    def __init__(self, matrix: MatrixRows, block: np.ndarray, part: np.ndarray, width: np.ndarray) -> None:
        rows = matrix.without_zeros()
        n = rows.shape[0]
        order = np.argsort(block, kind="stable")
        first = np.cumsum(width) - width
        place = np.zeros(len(block), dtype=int)  # of each column in its block
        place[order] = np.arange(len(block)) - first[block[order]]
        # the blocks of each row, in order, and the dense rows with all columns of these, one after the other
        key, pair = _numbered(rows.row * max(len(width), 1) + block[rows.indices])
        of_row, of_block = np.divmod(key, max(len(width), 1))
        self._lengths = width[of_block]
        self._begin = np.cumsum(self._lengths) - self._lengths
        self._values = np.zeros(int(self._lengths.sum()))
        self._values[self._begin[pair] + place[rows.indices]] = rows.data
        self._columns, self._of_row, self._part = order, of_row, part
        self._offset = np.repeat(first[of_block] - self._begin, self._lengths) if n else np.zeros(0, dtype=int)
        self._ends = np.searchsorted(of_row, np.arange(n + 1))
        self._at: list[int] = np.append(self._begin, len(self._values))[self._ends].tolist()
        self.width: list[int] = width.tolist()
        self.cuts: list[int] = [*_changes(of_row, of_block, self._ends).tolist(), n]
        every, ends = of_block.tolist(), self._ends.tolist()
        self.blocks: list[tuple[int, ...]] = [tuple(every[ends[i] : ends[i + 1]]) for i in self.cuts[:-1]]

    @cached_property
    def _seen(self) -> np.ndarray:
        """The largest entry in the part of each row, where there is one."""
        values, owner = self._values, np.repeat(self._of_row, self._lengths)
        part = self._part[self._columns[self._offset + np.arange(len(values))]]
        parts, component = _numbered(owner * (int(self._part.max(initial=0)) + 1) + part)
        sizes, largest = np.zeros(len(parts)), np.zeros(len(self._at) - 1)
        np.maximum.at(sizes, component, np.abs(values))
        np.maximum.at(largest, owner, np.abs(values))
        found: np.ndarray = np.where(sizes[component] > 0.0, np.maximum(sizes[component], FLOOR * largest[owner]), 0.0)
        return found

    def front(self, number: int) -> _Front:
        """The rows of a group."""
        i, j = self.cuts[number : number + 2]
        here = slice(self._at[i], self._at[j])
        values, seen = (each[here].reshape(j - i, -1) for each in (self._values, self._seen))
        return _Front(np.arange(i, j), self.blocks[number], values, seen)

    def in_block(self, number: int, b: int) -> np.ndarray:
        """The entries of a group's rows in the columns of block b."""
        i, j = self.cuts[number : number + 2]
        before = self.blocks[number][: self.blocks[number].index(b)]
        at = sum(self.width[c] for c in before)
        return self._values[self._at[i] : self._at[j]].reshape(j - i, -1)[:, at : at + self.width[b]]

    def independent(self) -> list[tuple[bool, ...]]:
        """Of each group: whether its rows are independent in the columns of each of its blocks alone, beyond doubt."""
        cuts = np.array(self.cuts, dtype=int)
        first, height = self._ends[cuts[:-1]], np.diff(cuts)
        counts = self._ends[cuts[:-1] + 1] - first if len(height) else np.zeros(0, dtype=int)
        group = np.repeat(np.arange(len(counts)), counts)
        entry = np.arange(len(group)) + np.repeat(first - (np.cumsum(counts) - counts), counts)
        begin, width, rows = self._begin[entry], self._lengths[entry], height[group]
        stride = np.diff(np.array(self._at))[cuts[:-1]][group] if len(group) else begin
        found = np.zeros(len(group), dtype=bool)
        shape = rows * (int(width.max(initial=0)) + 1) + width
        for each in np.unique(shape[rows <= width]):
            same = np.flatnonzero(shape == each)
            across = np.arange(width[same[0]])
            down = np.arange(rows[same[0]])[:, None] * stride[same][:, None, None]
            found[same] = _certain(self._values[begin[same][:, None, None] + down + across])
        every, ends = found.tolist(), np.cumsum(counts).tolist()
        return [tuple(every[end - count : end]) for end, count in zip(ends, counts.tolist())]


def _certain(rows: np.ndarray) -> np.ndarray:
    """Of several matrices (m, r, c): whether each row is far from what the rows before it span, beyond doubt."""
    square = rows @ np.swapaxes(rows, 1, 2) + NOTHING * np.eye(rows.shape[1])
    apart = np.diagonal(np.linalg.cholesky(square), axis1=1, axis2=2)
    found: np.ndarray = np.all(apart > CERTAIN, axis=1)
    return found


def _numbered(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """`np.unique` with the place of each key, quick where the same keys stand side by side."""
    begins = np.flatnonzero(np.diff(keys, prepend=-1))
    different, place = np.unique(keys[begins], return_inverse=True)
    return different, np.repeat(place, np.diff(begins, append=len(keys)))


def _changes(of_row: np.ndarray, of_block: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Rows that have other blocks than the row before; the first one is among them. ends: where the blocks of each row begin."""
    counts = np.diff(ends)
    before = np.maximum(
        np.arange(len(of_row)) - counts[of_row], 0
    )  # where that of the row before stands, if it has as many
    differs = np.bincount(of_row, of_block != of_block[before], minlength=len(counts)) > 0
    differs[1:] |= counts[1:] != counts[:-1]
    differs[:1] = True
    return np.flatnonzero(differs)


def _take_off_branches(rows: _RowsByBlocks, touching: dict[int, set[int]]) -> None:
    """Leave out the rows at the end of a branch, from its last body on: they are independent in columns that no others touch."""
    waiting, blocks = list(touching), rows.blocks
    alone = rows.independent()
    while waiting:
        b = waiting.pop()
        numbers = touching.get(b)
        if not numbers:
            continue
        if len(numbers) == 1:
            (number,) = numbers
            if not alone[number][blocks[number].index(b)]:
                continue
        else:
            own = [rows.in_block(number, b) for number in sorted(numbers)]
            if sum(map(len, own)) > rows.width[b] or not _certain(np.concatenate(own)[None])[0]:
                continue
        del touching[b]
        for number in numbers:
            for c in blocks[number]:
                if c != b:
                    touching[c].discard(number)
                    waiting.append(c)


def _eliminate(b: int, fronts: list[_Front], width: np.ndarray, tolerance: float, found: list[int]) -> _Front:
    """What the fronts leave when the columns of block b are eliminated; rows that have lost all go to `found`."""
    others = sorted({c for front in fronts for c in front.blocks if c != b})
    blocks = [b, *others]
    begin = dict(zip(blocks, np.cumsum([0, *width[blocks]]).tolist(), strict=False))
    own = int(width[b])
    rows = np.concatenate([front.rows for front in fronts])
    A, seen = np.zeros((2, len(rows), int(width[blocks].sum())))
    at = 0
    for front in fronts:
        column = 0
        for c in front.blocks:
            here = np.s_[at : at + len(front.rows), begin[c] : begin[c] + width[c]]
            A[here] = front.values[:, column : column + width[c]]
            seen[here] = front.seen[:, column : column + width[c]]
            column += width[c]
        at += len(front.rows)
    left = np.argsort(rows)
    for _ in range(min(own, len(rows))):
        size = np.abs(A[left, :own])
        size[size <= tolerance * seen[left, :own]] = 0.0
        of_row = size.max(axis=1)
        largest = float(of_row.max())
        if not largest > 0.0:
            break
        i = int(np.argmax(of_row >= CLOSE * largest))  # the first that is large enough
        pivot, column = left[i], int(np.argmax(size[i]))
        share = np.where(size[:, column] > 0.0, A[left, column] / A[pivot, column], 0.0)
        left, share = np.delete(left, i), np.delete(share, i)
        A[left] -= np.outer(share, A[pivot])
        A[left, column] = 0.0
        seen[left] = np.maximum(seen[left], np.outer(np.abs(share), seen[pivot]))
    rest, scale = A[left, own:], seen[left, own:]
    gone = ~np.any(np.abs(rest) > tolerance * scale, axis=1)
    found += rows[left[gone]].tolist()
    return _Front(rows[left[~gone]], tuple(others), rest[~gone], scale[~gone])
