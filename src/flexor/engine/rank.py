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
from itertools import pairwise

import numpy as np
from scipy import sparse
from scipy.linalg import lapack

from flexor.frozen import frozen

CLOSE = 0.1
"""Entries that may be pivots, relative to the largest: among them the first row is taken."""
TOLERANCE = 1e-5
"""What is left of an entry, relative to the largest seen in its part of the row, that counts as zero: axes that are parallel,
points that coincide to so many parts."""
CERTAIN = 1e-2
"""Pivots of rows of length one from which on there is no doubt that the rows are independent."""
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
    matrix: sparse.sparray | sparse.spmatrix,
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
    fronts = _rows_by_blocks(matrix, block, block if part is None else part, width)
    touching: dict[int, set[int]] = {}
    for number, front in fronts.items():
        if not front.blocks:
            found += front.rows.tolist()
        for b in front.blocks:
            touching.setdefault(b, set()).add(number)

    count = len(fronts)
    if tolerance <= TOLERANCE:
        _take_off_branches(fronts, touching, width)

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


def _rows_by_blocks(
    matrix: sparse.sparray | sparse.spmatrix, block: np.ndarray, part: np.ndarray, width: np.ndarray
) -> dict[int, _Front]:
    """Rows with the same blocks, next to each other in the matrix, as fronts."""
    rows = sparse.csr_array(matrix)
    rows.eliminate_zeros()
    n = rows.shape[0]
    order = np.argsort(block, kind="stable")
    first = np.cumsum(width) - width
    place = np.zeros(len(block), dtype=int)  # of each column in its block
    place[order] = np.arange(len(block)) - first[block[order]]
    row = np.repeat(np.arange(n), np.diff(rows.indptr))
    # the blocks of each row, in order, and the dense rows with all columns of these, one after the other
    key, pair = _numbered(row * max(len(width), 1) + block[rows.indices])
    of_row, of_block = np.divmod(key, max(len(width), 1))
    lengths = width[of_block]
    begin = np.cumsum(lengths) - lengths
    values = np.zeros(int(lengths.sum()))
    values[begin[pair] + place[rows.indices]] = rows.data
    owner = np.repeat(of_row, lengths)
    columns = order[np.repeat(first[of_block] - begin, lengths) + np.arange(len(values))]
    parts, component = _numbered(owner * (int(part.max(initial=0)) + 1) + part[columns])
    sizes, largest = np.zeros(len(parts)), np.zeros(n)
    np.maximum.at(sizes, component, np.abs(values))
    np.maximum.at(largest, owner, np.abs(values))
    seen = np.where(sizes[component] > 0.0, np.maximum(sizes[component], FLOOR * largest[owner]), 0.0)
    ends = np.searchsorted(of_row, np.arange(n + 1))
    at = np.concatenate([begin, [len(values)]])[ends].tolist()
    blocks = of_block.tolist()
    cuts = [*_changes(of_row, of_block, ends).tolist(), n]
    groups = [(tuple(blocks[ends[i] : ends[i + 1]]), i, j) for i, j in pairwise(cuts)]
    return {
        number: _Front(
            np.arange(i, j),
            own,
            values[at[i] : at[j]].reshape(j - i, -1),
            seen[at[i] : at[j]].reshape(j - i, -1),
        )
        for number, (own, i, j) in enumerate(groups)
    }


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


def _take_off_branches(fronts: dict[int, _Front], touching: dict[int, set[int]], width: np.ndarray) -> None:
    """Leave out the rows at the end of a branch, from its last body on: they are independent in columns that no others touch."""
    waiting, widths = list(touching), width.tolist()
    while waiting:
        b = waiting.pop()
        numbers = touching.get(b)
        if not numbers or not _all_pivots(b, [fronts[number] for number in sorted(numbers)], widths):
            continue
        del touching[b]
        for number in numbers:
            for c in fronts.pop(number).blocks:
                if c != b:
                    touching[c].discard(number)
                    waiting.append(c)


def _all_pivots(b: int, fronts: list[_Front], width: list[int]) -> bool:
    """Whether all rows of the fronts are pivots in the columns of block b, beyond doubt: then nothing of them is left."""
    if sum(len(front.rows) for front in fronts) > width[b]:
        return False
    own = []
    for front in fronts:
        at = sum(width[c] for c in front.blocks[: front.blocks.index(b)])
        own.append(front.values[:, at : at + width[b]])
    factors, _, _ = lapack.dgetrf((own[0] if len(own) == 1 else np.concatenate(own)).T)
    return min(map(abs, factors.diagonal().tolist())) > CERTAIN


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
