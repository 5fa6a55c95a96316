"""Where the entries of element matrices go in the sparse matrix of the whole mesh."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from flexor.law.record import Record, integers_at, kernel_at
from flexor.law.table import AddressTable


@dataclass(frozen=True)
class Places:
    """Compressed rows of all equations, built from pairs of nodes: all rows of a node have the same columns.

    pairs: for every block the (m, k, k) number of each pair of its nodes;  first: where the block of a pair begins;
    stride: for every node the length of its rows.
    """

    indptr: np.ndarray
    indices: np.ndarray
    pairs: tuple[np.ndarray, ...]
    first: np.ndarray
    stride: np.ndarray


class PlacesTable(Record):
    """Elements of all blocks, one after another, and the pairs of nodes that meet in them."""

    count_pairs = kernel_at("counts the pairs of each node")
    number_pairs = kernel_at("numbers them, node by node, in the order of their second nodes")
    list_columns = kernel_at("lists the columns of all equations")
    count = integers_at("number of nodes")
    start = integers_at("where the nodes of each element begin")
    members = integers_at("its nodes")
    element = integers_at("element of each of the members")
    uses = integers_at("members that are a node, node after node")
    use_start = integers_at("where those of a node begin")
    widths = integers_at("degrees of freedom of each node")
    equations = integers_at("six numbers for each node")
    last = integers_at("scratch: node with which each was paired last; at first −1")
    length = integers_at("pairs of each node")
    stride = integers_at("degrees of freedom in them")
    next = integers_at("first pair of each node; then the next one to be numbered")
    offset = integers_at("where the row of each node begins; then where the next pair goes")
    pair_start = integers_at("where the pairs of each element begin")
    pairs = integers_at("number of each pair of its nodes")
    column = integers_at("second node of each pair")
    first = integers_at("where the entries of each pair begin")
    indptr = integers_at("where the rows of equations begin")
    indices = integers_at("their columns")


def count_pairs(t: PlacesTable):
    """Kernel: pairs of each node, and degrees of freedom in them."""
    start, members, element, last = t.start, t.members, t.element, t.last
    for c in range(t.count[0]):
        for o in range(t.use_start[c], t.use_start[c + 1]):
            e = element[t.uses[o]]
            for q in range(start[e], start[e + 1]):
                r = members[q]
                if last[r] != c:
                    last[r] = c
                    t.length[r] += 1
                    t.stride[r] += t.widths[c]
    return 0


def number_pairs(t: PlacesTable):
    """Kernel: number of each pair; second nodes come one after another, so that those of a node ascend."""
    start, members, element, last, following, offset = t.start, t.members, t.element, t.last, t.next, t.offset
    for c in range(t.count[0]):
        for o in range(t.use_start[c], t.use_start[c + 1]):
            e = element[t.uses[o]]
            k = start[e + 1] - start[e]
            to = t.pair_start[e] + t.uses[o] - start[e]
            for q in range(start[e], start[e + 1]):
                r = members[q]
                if last[r] != c:
                    last[r] = c
                    t.column[following[r]], t.first[following[r]] = c, offset[r]
                    following[r] += 1
                    offset[r] += t.widths[c]
                t.pairs[to] = following[r] - 1
                to += k
    return 0


def list_columns(t: PlacesTable):
    """Kernel: the columns of every row of every node."""
    equations, column, indices, end = t.equations, t.column, t.indices, 0
    for r in range(t.count[0]):
        begin, end = end, end + t.length[r]
        for i in range(t.widths[r]):
            at = t.indptr[equations[6 * r + i]]
            for q in range(begin, end):
                for j in range(t.widths[column[q]]):
                    indices[at] = equations[6 * column[q] + j]
                    at += 1
    return 0


KERNELS: tuple[Callable, ...] = (count_pairs, number_pairs, list_columns)


def places_of(blocks: Sequence[np.ndarray], widths: np.ndarray, equations: np.ndarray, n: int) -> Places:
    """blocks: (m, k) nodes of the elements;  widths: degrees of freedom per node that elements use (0, 3, 6);
    equations: (n_nodes, 6) their numbers, ascending;  n: number of equations."""
    n_nodes = len(widths)
    members = np.concatenate([nodes.ravel() for nodes in blocks])
    sizes = np.repeat([nodes.shape[1] for nodes in blocks], [len(nodes) for nodes in blocks])
    pair_start = _sums(sizes**2)
    length, stride = np.zeros(n_nodes, dtype=np.int64), np.zeros(n_nodes, dtype=np.int64)
    table = AddressTable(PlacesTable)
    for kernel in KERNELS:
        table.set_kernel(kernel.__name__, kernel)
    for name, numbers in (
        ("count", np.array([n_nodes])),
        ("start", _sums(sizes)),
        ("members", members),
        ("element", np.repeat(np.arange(len(sizes)), sizes)),
        ("uses", by_number(members, n_nodes)),
        ("use_start", _sums(np.bincount(members, minlength=n_nodes))),
        ("widths", widths),
        ("equations", equations),
        ("last", np.full(n_nodes, -1)),
        ("length", length),
        ("stride", stride),
    ):
        table.set(name, np.asarray(numbers, dtype=np.int64))
    table.call("count_pairs")

    lengths = np.zeros(n, dtype=np.int64)  # of the rows of equations
    used = np.arange(6) < widths[:, None]
    lengths[equations[used]] = np.repeat(stride, widths)
    indptr, begin = _sums(lengths), _sums(length)
    pairs, first = np.empty(pair_start[-1], dtype=np.int64), np.empty(begin[-1], dtype=np.int64)
    indices = np.empty(indptr[-1], dtype=np.int64)
    for name, numbers in (
        ("last", np.full(n_nodes, -1)),
        ("next", begin),
        ("offset", indptr[np.where(widths > 0, equations[:, 0], 0)]),
        ("pair_start", pair_start),
        ("pairs", pairs),
        ("column", np.empty(begin[-1], dtype=np.int64)),
        ("first", first),
        ("indptr", indptr),
        ("indices", indices),
    ):
        table.set(name, numbers)
    table.call("number_pairs")
    table.call("list_columns")
    ends = _sums(np.array([nodes.size * nodes.shape[1] for nodes in blocks]))
    parts = [pairs[a:b].reshape(*nodes.shape, nodes.shape[1]) for a, b, nodes in zip(ends, ends[1:], blocks)]
    small = indptr[-1] < 2**31 and n < 2**31
    kind = np.int32 if small else np.int64
    return Places(indptr.astype(kind), indices.astype(kind), tuple(parts), first, stride)


def _sums(lengths: np.ndarray) -> np.ndarray:
    """Where parts of these lengths begin, one after another, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])


def by_number(numbers: np.ndarray, n: int) -> np.ndarray:
    """Order, ascending and stable, of numbers 0 … n − 1; by counting, in a fifth of the time of a sort."""
    count = len(numbers)
    each = sparse.csr_array((np.arange(count, dtype=np.int32), numbers, np.arange(count + 1)), shape=(count, n))
    return each.tocsc().data
