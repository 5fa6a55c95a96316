"""Element matrices are added to those of the whole mesh, in compiled code."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from flexor.elements.assembly.places import Places
from flexor.law.record import Record, integers_at, kernel_at, numbers_at
from flexor.law.table import AddressTable


class ScatterTable(Record):
    """Matrices of some elements of a kind, and where they go."""

    scatter = kernel_at("adds them")
    size = integers_at("elements, nodes of each, freedoms of a node")
    nodes = integers_at("of the elements")
    pairs = integers_at("number of each pair of their nodes")
    first = integers_at("where the entries of a pair begin")
    stride = integers_at("length of the rows of a node")
    matrices = numbers_at("of the elements, one after another")
    values = numbers_at("entries of the whole")


def scatter(t: ScatterTable):
    """Kernel: add symmetric matrices; their rounding is made symmetric too."""
    m, k, dofs = t.size[0], t.size[1], t.size[2]
    nodes, pairs, first, stride, matrices, values = t.nodes, t.pairs, t.first, t.stride, t.matrices, t.values
    width = k * dofs
    for e in range(m):
        for a in range(k):
            long = stride[nodes[e * k + a]]
            for b in range(k):
                corner = first[pairs[(e * k + a) * k + b]]
                there = e * width * width + a * dofs * width + b * dofs
                back = e * width * width + b * dofs * width + a * dofs
                for i in range(dofs):
                    for j in range(dofs):
                        both = matrices[there + i * width + j] + matrices[back + j * width + i]
                        values[corner + i * long + j] += 0.5 * both
    return 0


KERNELS: tuple[Callable, ...] = (scatter,)


class Scattering:
    """The places of a mesh, ready for matrices of its elements."""

    def __init__(self, where: Places) -> None:
        self._where, self._table = where, AddressTable(ScatterTable)
        self._table.set("first", where.first)
        self._table.set("stride", where.stride)
        self._table.set_kernel("scatter", scatter)

    def choose(self, block: int, rows: slice, nodes: np.ndarray, dofs: int) -> None:
        """Matrices of some elements of a block come next, with (m, k) nodes of so many degrees of freedom each."""
        self._table.set("size", np.array([*nodes.shape, dofs]))
        self._table.set("nodes", np.asarray(nodes, dtype=np.int64))
        self._table.set("pairs", self._where.pairs[block][rows])

    def add(self, matrices: np.ndarray, values: np.ndarray) -> None:
        """Add their matrices to the entries of the whole."""
        self._table.set("matrices", matrices)
        self._table.set("values", values)
        self._table.call("scatter")
