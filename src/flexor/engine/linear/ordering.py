"""In which order to eliminate the blocks.

Minimum degree on the graph of blocks, each weighted by its size, with a rule of precedence for multipliers:
the diagonal of a multiplier block is zero until the bodies it acts on have been eliminated. After *all* of
them its pivot is −G M⁻¹ Gᵀ over all its bodies, regular whenever the constraints are. After *one* body it is
−G_b M_b⁻¹ G_bᵀ over that body alone; this needs independent constraints on that body, and loses accuracy as
they use up its freedom. It is allowed where

    rows of the multiplier ≤ ½ (rows of the body − rows of all other multipliers on it)

so that a hub with many spherical joints can be eliminated last and does not fill the matrix. The other
multipliers count whether they are eliminated before or after: all constraints on that body must be
independent while its neighbours are not yet there. (A link with a spherical joint at either end is the
counter-example: with both ends held its length is given twice, five of six constraints are independent.)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexor.engine.linear.degree import Quotient, order_blocks
from flexor.law.record import INTEGERS_AT
from flexor.law.table import AddressTable

Integers = NDArray[np.int64]

FEW = 24
"""Blocks up to which the kernels run as plain Python: sooner done than machine code is loaded."""


class BlockGraph(NamedTuple):
    """Blocks and whom they are coupled with: neighbours[starts[i]:starts[i + 1]] of block i, ascending."""

    starts: Integers
    neighbours: Integers

    @classmethod
    def of(cls, pairs: Integers, n: int) -> BlockGraph:
        """Of n blocks; pairs: (m, 2), each once, of two different blocks."""
        i, j = np.concatenate([pairs, pairs[:, ::-1]]).T
        by_block = np.argsort(i * n + j)
        counts = np.bincount(i, minlength=n)
        return cls(np.concatenate([[0], np.cumsum(counts)]), j[by_block])

    @property
    def pairs(self) -> tuple[Integers, Integers]:
        """Each coupled pair, from both sides."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts)), self.neighbours


class Precedence(NamedTuple):
    """Who waits for whom, pair by pair: `later` comes after all its `earlier` ones, or after one that is `enough` by itself."""

    later: Integers
    earlier: Integers
    enough: NDArray[np.bool_]


def precedence(
    graph: BlockGraph, rows: Integers, multiplier: NDArray[np.bool_], after: Mapping[int, set[int]]
) -> Precedence:
    """Multipliers after the bodies that they act on; after: blocks that have to wait for others, each with those."""
    m, b = graph.pairs
    acts = multiplier[m] & ~multiplier[b]
    m, b = m[acts], b[acts]
    taken = np.bincount(b, rows[m], minlength=len(rows)).astype(np.int64)
    enough = 2 * rows[m] <= rows[b] - (taken[b] - rows[m])
    if after:
        told = [(later, earlier) for later, every in after.items() for earlier in sorted(every)]
        more, those = np.array(told, dtype=np.int64).reshape(-1, 2).T
        kept = ~np.isin(m, list(after))
        m, b = np.concatenate([m[kept], more]), np.concatenate([b[kept], those])
        enough = np.concatenate([enough[kept], np.zeros(len(told), dtype=bool)])
    return Precedence(m, b, enough)


def elimination_order(graph: BlockGraph, rows: Integers, waits: Precedence, last_first: bool = True) -> Integers:
    """Elimination order by approximate minimum degree on the quotient graph, see `flexor.engine.linear.degree`.

    last_first: which of several blocks is taken whose degrees have become equal in the same moment.
    """
    n, size = len(rows), len(graph.neighbours)
    table = AddressTable(Quotient, python=n <= FEW)
    by_earlier = np.argsort(waits.earlier, kind="stable")
    table.set("count", np.array([n], dtype=np.int64))
    table.set("tie", np.array([1 if last_first else -1], dtype=np.int64))
    table.set("starts", graph.starts)
    table.set("weight", np.maximum(rows, 1))
    table.set("near", graph.neighbours.copy())
    table.set("cliques", np.zeros(size + n, dtype=np.int64))
    table.set("missing", np.bincount(waits.later, minlength=n))
    table.set("waiting", waits.later[by_earlier])
    table.set("waiting_from", np.searchsorted(waits.earlier[by_earlier], np.arange(n + 1)))
    table.set("enough", waits.enough[by_earlier].astype(np.int64))
    for field in Quotient.FIELDS:
        if field.kind == INTEGERS_AT and getattr(table.view, field.name) is None:
            table.set(field.name, np.zeros(n, dtype=np.int64))
    table.set_kernel("order_blocks", order_blocks)
    if table.call("order_blocks"):
        raise ValueError("blocks of the matrix wait for each other in a circle; none of them can be eliminated first")
    order: Integers = table.view.order
    return order
