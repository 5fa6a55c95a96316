"""Where the entries of element matrices go in the sparse matrix of the whole mesh."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse


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


def places_of(blocks: Sequence[np.ndarray], widths: np.ndarray, equations: np.ndarray, n: int) -> Places:
    """blocks: (m, k) nodes of the elements;  widths: degrees of freedom per node that elements use (0, 3, 6);
    equations: (n_nodes, 6) their numbers, ascending;  n: number of equations."""
    n_nodes = len(widths)
    row = np.concatenate([np.repeat(nodes, nodes.shape[1], axis=1).ravel() for nodes in blocks])
    column = np.concatenate([np.tile(nodes, nodes.shape[1]).ravel() for nodes in blocks])
    order = by_number(column, n_nodes)
    order = order[by_number(row[order], n_nodes)]  # by rows, those of one row by columns
    row, column = row[order], column[order]
    new = np.concatenate([[True], (row[1:] != row[:-1]) | (column[1:] != column[:-1])])
    inverse = np.empty(len(order), dtype=np.int64)
    inverse[order] = np.cumsum(new) - 1
    row, column = row[new], column[new]
    pairs, at = [], 0
    for nodes in blocks:
        m, k = nodes.shape
        pairs.append(inverse[at : at + m * k * k].reshape(m, k, k))
        at += m * k * k

    # columns of the rows of one node, each stored once
    width = widths[column]
    offset = np.concatenate([[0], np.cumsum(width)])
    columns = equations[column][np.arange(6) < width[:, None]]
    begin = offset[np.searchsorted(row, np.arange(n_nodes + 1))]
    stride = np.diff(begin)

    # the same columns for each of its degrees of freedom
    lengths = np.zeros(n, dtype=np.int64)
    used = np.arange(6) < widths[:, None]
    node = np.repeat(np.arange(n_nodes), widths)
    lengths[equations[used]] = stride[node]
    indptr = np.concatenate([[0], np.cumsum(lengths)])
    shift = begin[node] - indptr[equations[used]]
    indices = columns[np.arange(indptr[-1]) + np.repeat(shift, stride[node])]

    row_start = indptr[np.where(widths > 0, equations[:, 0], 0)]
    first = row_start[row] + offset[:-1] - begin[row]
    small = indptr[-1] < 2**31 and n < 2**31
    kind = np.int32 if small else np.int64
    return Places(indptr.astype(kind), indices.astype(kind), tuple(pairs), first, stride)


def by_number(numbers: np.ndarray, n: int) -> np.ndarray:
    """Order, ascending and stable, of numbers 0 … n − 1; by counting, in a fifth of the time of a sort."""
    count = len(numbers)
    each = sparse.csr_array((np.arange(count, dtype=np.int32), numbers, np.arange(count + 1)), shape=(count, n))
    return each.tocsc().data
