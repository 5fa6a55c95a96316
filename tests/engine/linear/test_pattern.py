"""Where blocks are stored."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from flexor.engine.linear import symbolic, table
from flexor.engine.linear.pattern import analyse
from flexor.engine.linear.solver import BlockSolver
from tests.engine.linear.systems import random_system

SEEDS = range(5)


def places(pattern, i, j, shape):
    offset, ld, transposed = (int(found) for found in pattern.locate(i, j))
    a, b = np.indices(shape)
    return offset + (b * ld + a if transposed else a * ld + b), transposed


@pytest.mark.parametrize("seed", SEEDS)
def test_blocks_do_not_overlap(seed):
    system = random_system(seed)
    pattern = system.analyse()
    taken = np.zeros(pattern.mirror, dtype=int)
    for i, j in system.blocks:
        where, transposed = places(pattern, i, j, (system.rows[i], system.rows[j]))
        if not transposed:
            taken[where] += 1
    assert taken.max() == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_transposed_block_is_the_other_one(seed):
    system = random_system(seed)
    pattern = system.analyse()
    for i, j in system.pairs:
        one, transposed = places(pattern, i, j, (system.rows[i], system.rows[j]))
        other, not_transposed = places(pattern, j, i, (system.rows[j], system.rows[i]))
        assert transposed != not_transposed
        np.testing.assert_array_equal(one, other.T)


def test_locate_takes_arrays():
    system = random_system(0)
    pattern = system.analyse()
    i, j = np.array(system.pairs).T
    offset, ld, transposed = pattern.locate(i, j)
    for k in range(len(i)):
        assert (offset[k], ld[k], transposed[k]) == pattern.locate(i[k], j[k])


def test_uncoupled_blocks_have_no_place():
    pattern = analyse([6, 6, 6], [(0, 1)])
    with pytest.raises(KeyError, match="not coupled"):
        pattern.locate(0, 2)


@pytest.mark.parametrize(("rows", "size"), [(1, 1), (2, 2), (3, 6), (4, 6), (5, 6), (6, 6), (7, 7), (20, 20)])
def test_padding(rows, size):
    pattern = analyse([rows, 6], [(0, 1)], [True, False])
    assert pattern.n == size + 6
    start = pattern.start[0]
    mine = pattern.identity[start : start + size]
    assert mine["block"].tolist() == [0] * size
    assert mine["row"].tolist() == list(range(size))
    assert mine["kind"].tolist() == [table.CONSTRAINT] * rows + [table.PAD] * (size - rows)
    solver = BlockSolver(pattern, python=True)
    diagonal = solver.to_csc().diagonal()
    padding = pattern.identity["kind"] == table.PAD
    np.testing.assert_array_equal(diagonal, np.where(padding, 1.0, 0.0))
    assert solver.values.sum() == size - rows


@pytest.mark.parametrize("symmetric", [True, False])
def test_assembled_matrix(symmetric):
    system = random_system(3, symmetric)
    solver = system.solver(symmetric, python=True)
    places = system.places(solver.pattern)
    assembled = solver.to_csc()
    np.testing.assert_array_equal(assembled[places][:, places].toarray(), system.matrix().toarray())
    assert assembled.shape == (solver.pattern.n, solver.pattern.n)


@pytest.mark.parametrize("symmetric", [True, False])
def test_some_rows_and_columns_of_the_assembled_matrix(symmetric):
    system = random_system(3, symmetric)
    solver = system.solver(symmetric, python=True)
    rng = np.random.default_rng(1)
    rows, columns = rng.permutation(solver.pattern.n)[:9], np.sort(rng.permutation(solver.pattern.n)[:14])
    whole = solver.to_csc().toarray()
    np.testing.assert_array_equal(solver.rows_of(rows, columns).csr.toarray(), whole[np.ix_(rows, columns)])
    assert solver.rows_of(rows[:0], columns).shape == (0, 14)
    assert solver.rows_of(rows, columns).csr.has_sorted_indices


def test_rows_are_found_anew_when_others_are_asked_for_or_the_matrix_changes():
    system = random_system(3, False)
    solver = system.solver(False, python=True)
    rows, columns = np.array([4, 1, 7]), np.arange(2, 12)
    first = solver.rows_of(rows, columns)
    first.data[:] = first.indices[:] = first.indptr[:] = 0  # what was given away does not come back
    for others in (rows, rows[::-1].copy(), rows):
        whole = solver.to_csc().toarray()
        np.testing.assert_array_equal(solver.rows_of(others, columns).csr.toarray(), whole[np.ix_(others, columns)])
    solver.values[:] *= 2.0
    np.testing.assert_array_equal(solver.rows_of(rows, columns).csr.toarray(), 2.0 * whole[np.ix_(rows, columns)])
    solver.use_ldl()  # of the values one triangle
    whole = solver.to_csc().toarray()
    np.testing.assert_array_equal(solver.rows_of(rows, columns).csr.toarray(), whole[np.ix_(rows, columns)])


@pytest.mark.parametrize("seed", SEEDS)
def test_groups_are_what_is_connected(seed):
    rng = np.random.default_rng(seed)
    rows, pairs = rng.integers(1, 8, 30), rng.integers(0, 30, (18, 2))
    pattern = analyse(rows, pairs)
    graph = sparse.coo_array((np.ones(18), pairs.T), shape=(30, 30))
    count, label = connected_components(graph, directed=False)
    expected = label[pattern.identity["block"]]
    assert len(set(zip(expected.tolist(), pattern.groups.tolist()))) == count == len(set(pattern.groups.tolist()))


def test_repeated_and_one_sided_pairs_are_the_same_pattern():
    rows, pairs = [6, 3, 6, 2], [(0, 1), (1, 2), (3, 2)]
    once = analyse(rows, pairs)
    twice = analyse(rows, [*pairs, *[(j, i) for i, j in pairs], (1, 1)])
    np.testing.assert_array_equal(once.start, twice.start)
    np.testing.assert_array_equal(once.runs, twice.runs)


def test_places_found_in_a_table_are_those_found_by_bisection(monkeypatch):
    rows, pairs = [3] * 40, [(i, j) for i in range(40) for j in range(i) if (7 * i + 3 * j) % 11 == 0]
    by_table = analyse(rows, pairs)
    monkeypatch.setattr(symbolic, "TABLE", 0)
    by_bisection = analyse(rows, pairs)
    np.testing.assert_array_equal(by_table.runs, by_bisection.runs)
    np.testing.assert_array_equal(by_table.sources, by_bisection.sources)
