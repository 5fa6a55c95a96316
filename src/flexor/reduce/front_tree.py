"""How a symmetric matrix is taken apart into dense fronts, by its graph alone.

Equations of a node go together. Column j of the factor has entries in some rows; the first of them is its parent in the tree
of elimination, whose column has all the others too (Liu 1990). Columns that have nearly the same rows are eliminated together,
in one front, at the price of some zeros, since dense algebra is fast (Ashcraft and Grimes 1989).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from flexor.law.record import Record, integers_at, kernel_at
from flexor.law.table import AddressTable

SHARES = ((24, 0.5), (60, 0.15), (150, 0.05), (1 << 40, 0.01))
"""Equations of a front up to which this share of its entries may be zeros."""
PER_ENTRY = 1000.0
"""What an entry of the factor costs in the solutions of a reduction, in operations of its factorisation."""


class Elimination(Record):
    """The graph, and what is found of it; nodes in the order of elimination."""

    grow = kernel_at("finds parents, rows and fronts")
    list_rows = kernel_at("lists rows of columns")
    count = integers_at("number of nodes")
    starts = integers_at("where the neighbours of each node begin")
    neighbours = integers_at("of the nodes")
    weights = integers_at("equations of each node")
    parent = integers_at("in the tree, or −1")
    below = integers_at("equations below the own ones in the columns of each node")
    seen = integers_at("scratch")
    group = integers_at("last node of the front that each is eliminated in")
    size = integers_at("equations eliminated in the front with this last node")
    zeros = integers_at("entries in it that are zero")
    limits = integers_at("sizes of fronts, and the share of zeros up to each, in thousandths")
    lengths = integers_at("rows of each column in nodes")
    places = integers_at("where the rows of a column are to be listed, or −1")
    rows = integers_at("the lists")


def grow(E: Elimination):
    """Kernel: parents, rows, fronts. Row i of the factor is found by climbing from its entries towards i.   Liu (1990) 4.2"""
    n, starts, neighbours, weights = E.count[0], E.starts, E.neighbours, E.weights
    parent, below, lengths, seen = E.parent, E.below, E.lengths, E.seen
    for i in range(n):
        parent[i], below[i], lengths[i], seen[i] = -1, 0, 0, i
        for q in range(starts[i], starts[i + 1]):
            j = neighbours[q]
            if j < i:
                while seen[j] != i:
                    if parent[j] == -1:
                        parent[j] = i
                    below[j] += weights[i]
                    lengths[j] += 1
                    seen[j] = i
                    j = parent[j]
    group, size, zeros, limits = E.group, E.size, E.zeros, E.limits
    for i in range(n):
        group[i], size[i], zeros[i] = i, weights[i], 0
    for j in range(n):
        p = parent[j]
        if p >= 0:
            k = size[j] + size[p]
            area = trapezium(k, below[p])
            new = area - trapezium(size[j], below[j]) - trapezium(size[p], below[p])
            limit = 0
            while k > limits[2 * limit]:
                limit += 1
            if new == 0 or 1000 * (new + zeros[j] + zeros[p]) <= limits[2 * limit + 1] * area:
                group[j], size[p] = p, k
                zeros[p] += zeros[j] + new
    for i in range(n):
        j = n - 1 - i
        group[j] = group[group[j]]
    return 0


def trapezium(k, below):
    """Entries of k columns with rows below them."""
    return k * (k + 1) // 2 + k * below


def list_rows(E: Elimination):
    """Kernel: the rows, ascending, of the columns that have places for them."""
    starts, neighbours, parent, seen, places, rows = E.starts, E.neighbours, E.parent, E.seen, E.places, E.rows
    for i in range(E.count[0]):
        seen[i] = i
        for q in range(starts[i], starts[i + 1]):
            j = neighbours[q]
            if j < i:
                while seen[j] != i:
                    if places[j] >= 0:
                        rows[places[j]] = i
                        places[j] += 1
                    seen[j] = i
                    j = parent[j]
    return 0


KERNELS: tuple[Callable, ...] = (grow, list_rows)


@dataclass(frozen=True)
class FrontTree:
    """Fronts in postorder: behind the last of its children, with all their descendants before, comes their parent.

    order: (n,) equation at each place of the elimination;  first: (G + 1,) place of the first one of each front.
    rows: places below those of each front, ascending;  row_start: (G + 1,) where they begin.
    parent: (G,) front that takes over what is left of each, or −1.
    """

    order: np.ndarray
    first: np.ndarray
    rows: np.ndarray
    row_start: np.ndarray
    parent: np.ndarray

    @property
    def work(self) -> float:
        """Operations that the factor takes, and what its entries cost in some tens of solutions, in such operations."""
        k, r = np.diff(self.first).astype(float), np.diff(self.row_start).astype(float)
        return float((k**3 / 3 + k * k * r + k * r * r + PER_ENTRY * k * (0.5 * k + r)).sum())


def front_tree(graph: sparse.csr_matrix, sequence: np.ndarray, nodes: np.ndarray) -> FrontTree:
    """Of a graph of nodes that are to be eliminated in this sequence;  nodes: (n,) node of each equation."""
    n = graph.shape[0]
    ordered = graph[sequence][:, sequence]
    weights = np.bincount(nodes, minlength=n)[sequence]
    table = AddressTable(Elimination)
    for name in ("parent", "below", "seen", "group", "size", "zeros", "lengths"):
        table.set(name, np.zeros(n, dtype=np.int64))
    table.set("count", np.array([n], dtype=np.int64))
    table.set("starts", np.asarray(ordered.indptr, dtype=np.int64))
    table.set("neighbours", np.asarray(ordered.indices, dtype=np.int64))
    table.set("weights", weights.astype(np.int64))
    table.set("limits", np.array([(size, round(1000 * share)) for size, share in SHARES], dtype=np.int64))
    for kernel in KERNELS:
        table.set_kernel(kernel.__name__, kernel)
    table.call("grow")
    tree = table.view
    last, group = np.unique(tree.group, return_inverse=True)
    above = tree.parent[last]
    sequence_of_fronts = _postorder(np.where(above >= 0, group[above], -1))
    last, group = last[sequence_of_fronts], _inverse(sequence_of_fronts)[group]
    lengths = tree.lengths[last]
    begins = np.concatenate([[0], np.cumsum(lengths)])
    listed = np.full(n, -1)
    listed[last] = begins[:-1]
    table.set("places", listed)
    table.set("rows", np.zeros(begins[-1], dtype=np.int64))
    table.call("list_rows")

    by_front = np.argsort(group, kind="stable")  # nodes as they are eliminated front by front
    place = _inverse(by_front)
    equation = np.concatenate([[0], np.cumsum(weights[by_front])])  # first one of each place
    owner = np.repeat(np.arange(len(last)), lengths)
    below = np.sort(owner * n + place[tree.rows]) - owner * n
    width = weights[by_front][below]
    row_start = np.concatenate(
        [[0], np.cumsum(np.bincount(owner, weights=width, minlength=len(last)).astype(np.int64))]
    )
    parents = tree.parent[last]
    return FrontTree(
        order=np.argsort(place[_inverse(sequence)][nodes], kind="stable"),
        first=equation[np.concatenate([[0], np.cumsum(np.bincount(group, minlength=len(last)))])],
        rows=_runs(equation[below], width),
        row_start=row_start,
        parent=np.where(parents >= 0, group[parents], -1),
    )


def _postorder(parent: np.ndarray) -> np.ndarray:
    """The members of a tree, each right behind the last of its children's families; parents have higher numbers."""
    children: list[list[int]] = [[] for _ in range(len(parent) + 1)]
    for i, p in enumerate(parent.tolist()):
        children[p].append(i)
    found, waiting = [], children[-1]
    while waiting:
        i = waiting.pop()
        found.append(i)
        waiting += children[i]
    return np.array(found[::-1], dtype=np.int64)


def _inverse(sequence: np.ndarray) -> np.ndarray:
    """Place of each number in a sequence of all of them."""
    place = np.empty(len(sequence), dtype=np.int64)
    place[sequence] = np.arange(len(sequence))
    return place


def _runs(begin: np.ndarray, length: np.ndarray) -> np.ndarray:
    """begin₀, begin₀ + 1, …, as many as `length` says, then from begin₁ on, …"""
    ends = np.cumsum(length)
    return np.repeat(begin - (ends - length), length) + np.arange(ends[-1] if len(ends) else 0)
