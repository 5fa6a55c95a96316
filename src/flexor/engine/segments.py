"""Which rows of a term's matrix lie in which block of the system's, of all terms at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]


class Segment(NamedTuple):
    """Consecutive coordinates of a term that lie in one block: local rows [at, at + size) ↔ block rows from `inner`."""

    block: int
    inner: int
    at: int
    size: int
    multiplier: bool = False
    reading: bool = False
    relay: bool = False
    tie: bool = False


def runs(columns: Sequence[tuple[int, int]]) -> list[Segment]:
    """Segments of a list of (block, row in block), one per run of consecutive rows."""
    found: list[Segment] = []
    for at, (block, inner) in enumerate(columns):
        last = found[-1] if found else None
        if last and last.block == block and last.inner + last.size == inner:
            found[-1] = Segment(block, last.inner, last.at, last.size + 1)
        else:
            found.append(Segment(block, inner, at, 1))
    return found


@dataclass(frozen=True)
class SegmentTable:
    """Many lists of segments, one behind the other.

    table: a row for each segment, its columns as the fields of `Segment`.   begins: where each list begins, and the end.
    """

    table: Integers
    begins: Integers

    @classmethod
    def of(cls, lists: Sequence[Sequence[Segment]]) -> SegmentTable:
        counts = np.array([len(each) for each in lists], dtype=np.int64)
        return cls(_rows([segment for each in lists for segment in each]), _begins(counts))

    @classmethod
    def of_terms(
        cls,
        nodes: Sequence[Sequence[int]],
        node_block: Integers,
        sizes: Integers,
        own: tuple[Integers, Integers, NDArray[np.bool_]],
        others: dict[int, list[Segment]],
    ) -> SegmentTable:
        """Those of terms that have nodes and multipliers, in this order.

        nodes: of each term.   node_block, sizes: block of each node (−1: none), rows of each block.
        own: of each term, the block of its multipliers (−1: none), how many these are, whether they are readings.
        others: the lists of terms, by number, that have more.
        """
        counts = np.fromiter(map(len, nodes), dtype=np.int64, count=len(nodes))
        every = np.fromiter((node for each in nodes for node in each), dtype=np.int64, count=int(counts.sum()))
        term = np.repeat(np.arange(len(nodes)), counts)
        slot = np.arange(len(every)) - np.repeat(np.cumsum(counts) - counts, counts)
        plain = np.ones(len(nodes), dtype=bool)
        plain[list(others)] = False
        block = node_block[every]
        kept = plain[term] & (block >= 0)
        term, slot, block = term[kept], slot[kept], block[kept]
        table = np.zeros((len(term), len(Segment._fields)), dtype=np.int64)
        table[:, 0], table[:, 2], table[:, 3] = block, 6 * slot, sizes[block]

        block, number, reading = own
        bound = np.flatnonzero(plain & (block >= 0))
        multipliers = np.zeros((len(bound), len(Segment._fields)), dtype=np.int64)
        multipliers[:, 0], multipliers[:, 2], multipliers[:, 3] = block[bound], 6 * counts[bound], number[bound]
        multipliers[:, 4], multipliers[:, 5] = 1, reading[bound]

        rest = np.repeat(list(others), [len(each) for each in others.values()]).astype(np.int64)
        term = np.concatenate([term, bound, rest])
        table = np.concatenate([table, multipliers, _rows([each for found in others.values() for each in found])])
        return cls(table[np.argsort(term, kind="stable")], _begins(np.bincount(term, minlength=len(nodes))))

    def __len__(self) -> int:
        """How many lists."""
        return len(self.begins) - 1

    def __add__(self, other: SegmentTable) -> SegmentTable:
        begins = np.concatenate([self.begins, self.begins[-1] + other.begins[1:]])
        return SegmentTable(np.concatenate([self.table, other.table]), begins)

    def blocks(self, i: int) -> list[int]:
        """The blocks of one list."""
        found: list[int] = self.table[self.begins[i] : self.begins[i + 1], 0].tolist()
        return found

    def pairs(self) -> tuple[Integers, Integers, Integers]:
        """Every two segments of a list, each with those up to itself: number of the list, of the later and of the earlier one."""
        counts = np.diff(self.begins)
        number = counts * (counts + 1) // 2
        which = np.repeat(np.arange(len(self)), number)
        k = np.arange(len(which)) - np.repeat(np.cumsum(number) - number, number)
        later = ((np.sqrt(8.0 * k + 1.0) - 1.0) / 2.0).astype(np.int64)
        first = self.begins[which]
        return which, first + later, first + k - later * (later + 1) // 2


def _rows(segments: Sequence[Segment]) -> Integers:
    return np.array(segments, dtype=np.int64).reshape(-1, len(Segment._fields))


def _begins(counts: Integers) -> Integers:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
