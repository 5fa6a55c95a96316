"""Fronts: the tree of elimination, the factor and its solutions, on matrices of every shape."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from flexor.reduce.front_tree import FrontTree, front_tree
from flexor.reduce.fronts import Fronts
from flexor.reduce.pardiso import NotFactorised, graph_of_nodes, installed

if not installed():
    pytest.skip("the ordering of nodes is MKL's (pypardiso)", allow_module_level=True)


def grid(*sides: int, widths: tuple[int, ...] = (3,)) -> tuple[sparse.csc_matrix, np.ndarray]:
    """A definite matrix on a grid of nodes with so many equations each, in turn; node of each equation."""
    rng = np.random.default_rng(len(sides))
    number = np.arange(np.prod(sides)).reshape(sides)
    pairs = [
        np.stack([number.take(range(s - 1), axis).ravel(), number.take(range(1, s), axis).ravel()], 1)
        for axis, s in enumerate(sides)
    ]
    nodes = np.repeat(np.arange(number.size), np.resize(widths, number.size))
    rng.shuffle(nodes)  # equations of a node need not be neighbours
    links = np.concatenate(pairs) if pairs else np.zeros((0, 2), dtype=int)
    touching = sparse.csr_matrix((np.ones(len(links)), links.T), shape=(number.size,) * 2) + sparse.eye(number.size)
    there = sparse.coo_matrix((touching + touching.T)[nodes][:, nodes])
    A = sparse.csr_matrix((rng.standard_normal(there.nnz), (there.row, there.col)), shape=there.shape)
    A = A + A.T
    return sparse.csc_matrix(A + sparse.diags(np.asarray(abs(A).sum(axis=1)).ravel() + 0.1)), nodes


CASES = {
    "one equation": grid(1, widths=(1,)),
    "one node": grid(1, widths=(6,)),
    "a chain": grid(40),
    "a plate with nodes of six and of three": grid(9, 11, widths=(6, 3)),
    "a block": grid(7, 6, 8, widths=(3, 3, 6, 1)),
    "pieces": (
        sparse.csc_matrix(sparse.block_diag([grid(3, 3)[0], grid(5)[0]])),
        np.concatenate([grid(3, 3)[1], 9 + grid(5)[1]]),
    ),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("columns", [None, 1, 7, 8, 9, 17])
def test_solutions_are_those_of_the_dense_matrix(case, columns):
    A, nodes = CASES[case]
    b = np.random.default_rng(0).standard_normal(A.shape[0] if columns is None else (A.shape[0], columns))
    given = b.copy()
    found = Fronts(A, True, nodes).solve(b)
    assert found.shape == b.shape
    assert np.array_equal(b, given)
    expected = np.linalg.solve(A.toarray(), b)
    assert np.abs(found - expected).max() < 1e-12 * np.abs(expected).max()
    assert np.array_equal(Fronts(A, True, nodes).solve(np.asfortranarray(b)), found)


@pytest.mark.parametrize("case", CASES)
def test_the_tree_holds_the_whole_factor(case):
    """Every entry of the dense factor lies in a front; what a front leaves lies in its parent; order and rows are whole."""
    A, nodes = CASES[case]
    graph = graph_of_nodes(A, nodes)
    tree: FrontTree = front_tree(graph, np.random.default_rng(1).permutation(graph.shape[0]), nodes)
    assert sorted(tree.order) == list(range(A.shape[0]))
    L = np.linalg.cholesky(A.toarray()[np.ix_(tree.order, tree.order)])
    fronts = range(len(tree.parent))
    own = [set(range(tree.first[g], tree.first[g + 1])) for g in fronts]
    rows = [tree.rows[tree.row_start[g] : tree.row_start[g + 1]].tolist() for g in fronts]
    for g in fronts:
        assert rows[g] == sorted(rows[g])
        for column in own[g]:
            assert set(np.flatnonzero(L[:, column])) <= own[g] | set(rows[g])
        parent = tree.parent[g]
        assert (parent > g) if rows[g] else parent == -1
        if rows[g]:
            assert set(rows[g]) <= own[parent] | set(rows[parent])


def test_an_indefinite_matrix_is_refused_at_its_equation():
    A, nodes = grid(6, 6)
    A = sparse.lil_matrix(A)
    A[17, 17] = -1.0
    with pytest.raises(NotFactorised) as refused:
        Fronts(sparse.csc_matrix(A), True, nodes)
    assert refused.value.row is not None
    assert 0 <= refused.value.row < A.shape[0]
