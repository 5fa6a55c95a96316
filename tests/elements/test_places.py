"""Where entries of element matrices go, against the pairs of nodes themselves."""

import numpy as np
import pytest

from flexor.elements.assembly.places import places_of


def mesh(seed, nodes=30):
    """Elements of three kinds, the first with a node twice; widths of the nodes, some of them in no element; their equations."""
    random = np.random.default_rng(seed)
    blocks = [np.array([random.choice(nodes, k, replace=False) for _ in range(m)]) for k, m in ((8, 5), (2, 4), (4, 1))]
    blocks[0][0, 1] = blocks[0][0, 0]
    widths = np.zeros(nodes, dtype=int)
    for block, width in zip(blocks, (3, 6, 6), strict=True):
        widths[block] = np.maximum(widths[block], width)
    equations, n = np.full((nodes, 6), -1), 2  # two equations that no element has
    for node in range(nodes):
        equations[node, : widths[node]] = np.arange(n, n + widths[node])
        n += widths[node]
    return blocks, widths, equations, n


@pytest.mark.parametrize("seed", range(4))
def test_every_pair_of_nodes_has_its_block(seed):
    blocks, widths, equations, n = mesh(seed)
    where = places_of(blocks, widths, equations, n)
    there = np.zeros((n, n), dtype=bool)
    for block, pairs in zip(blocks, where.pairs, strict=True):
        for e, nodes in enumerate(block):
            for a, r in enumerate(nodes):
                for b, c in enumerate(nodes):
                    for i in range(widths[r]):
                        begin = where.first[pairs[e, a, b]] + i * where.stride[r]
                        row, columns = equations[r, i], equations[c, : widths[c]]
                        assert where.indptr[row] <= begin < where.indptr[row + 1]
                        assert where.indices[begin : begin + widths[c]].tolist() == columns.tolist()
                        there[row, columns] = True
    for row in range(n):
        listed = where.indices[where.indptr[row] : where.indptr[row + 1]]
        assert listed.tolist() == np.flatnonzero(there[row]).tolist()
