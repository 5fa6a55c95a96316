"""Where the entries of element matrices go in the sparse matrix of the whole mesh."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


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

    def of_block(self, block: int, rows: slice, nodes: np.ndarray, dofs: int) -> np.ndarray:
        """Positions of the entries of (m, N, N) matrices in the array of values, flat."""
        i = np.arange(dofs)
        corner = self.first[self.pairs[block][rows]][:, :, None, :, None]
        down = self.stride[nodes][:, :, None, None, None] * i[:, None, None]
        return (corner + down + i).ravel()


def places_of(blocks: Sequence[np.ndarray], widths: np.ndarray, equations: np.ndarray, n: int) -> Places:
    """blocks: (m, k) nodes of the elements;  widths: degrees of freedom per node that elements use (0, 3, 6);
    equations: (n_nodes, 6) their numbers, ascending;  n: number of equations."""
    n_nodes = len(widths)
    keys = [(nodes[:, :, None] * np.int64(n_nodes) + nodes[:, None, :]).ravel() for nodes in blocks]
    unique, inverse = np.unique(np.concatenate(keys), return_inverse=True)
    pairs, at = [], 0
    for nodes in blocks:
        m, k = nodes.shape
        pairs.append(inverse[at : at + m * k * k].reshape(m, k, k).astype(np.int32))
        at += m * k * k
    row, column = unique // n_nodes, unique % n_nodes

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
