"""Rows that follow from others, compared with singular values of the dense matrix."""

from itertools import pairwise

import numpy as np
import pytest
from scipy import sparse

from flexor.engine.linear.rows import MatrixRows
from flexor.engine.rank import dependent_rows


def rows_of(matrix):
    """Of a dense matrix, or of an empty one of this shape."""
    found = sparse.csr_array(matrix)
    return MatrixRows(found.data, found.indices, found.indptr, found.shape)


def unit_rows(matrix):
    return matrix / np.linalg.norm(matrix, axis=1)[:, None]


def random_case(seed, bodies=8, joints=14, repeated=6):
    """Joints of random rows between random bodies, and rows that combine some of them, in random order."""
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(joints):
        a, b = rng.choice(bodies, 2, replace=False)
        for _ in range(rng.integers(1, 6)):
            row = np.zeros(6 * bodies)
            row[6 * a : 6 * a + 6], row[6 * b : 6 * b + 6] = rng.standard_normal((2, 6))
            rows.append(row)
    rows = unit_rows(np.array(rows))
    for _ in range(repeated):
        few = rng.choice(len(rows), 3, replace=False)
        rows = np.vstack([rows, rng.standard_normal(3) @ rows[few]])
    return unit_rows(rows)[rng.permutation(len(rows))], np.repeat(np.arange(bodies), 6)


@pytest.mark.parametrize("seed", range(12))
def test_as_many_as_the_rank_lacks_and_the_others_are_independent(seed):
    matrix, block = random_case(seed)
    found = dependent_rows(rows_of(matrix), block)
    rank = np.linalg.matrix_rank(matrix, tol=1e-9)
    assert len(found) == len(matrix) - rank
    kept = np.delete(matrix, found, axis=0)
    assert np.linalg.svd(kept, compute_uv=False).min() > 1e-5


def test_blocks_of_any_width():
    matrix, _ = random_case(3)
    for block in (np.zeros(48, dtype=int), np.arange(48), np.repeat(np.arange(3), [1, 40, 7])):
        assert len(dependent_rows(rows_of(matrix), block)) == len(matrix) - np.linalg.matrix_rank(matrix)


def test_rows_without_entries_depend():
    matrix = np.array([[1.0, 0.0], [0.0, 0.0], [0.6, 0.8]])
    assert dependent_rows(rows_of(matrix), np.array([0, 1])) == [1]
    assert dependent_rows(rows_of((0, 2)), np.array([0, 1])) == []
    assert dependent_rows(rows_of((2, 0)), np.zeros(0, dtype=int)) == [0, 1]


@pytest.mark.parametrize(("angle", "count"), [(1e-7, 1), (1e-3, 0)])
def test_nearly_parallel_rows(angle, count):
    matrix = np.array([[1.0, 0.0], [np.cos(angle), np.sin(angle)]])
    assert len(dependent_rows(rows_of(matrix), np.array([0, 0]))) == count


def test_parts_of_a_row_may_be_of_any_size():
    """Rank is not a matter of units: columns of one body may be a million times smaller than those of another."""
    matrix, block = random_case(5)
    rank = np.linalg.matrix_rank(matrix)
    units = np.where(np.arange(len(block)) % 6 < 3, 1.0, 10.0 ** -(block % 6))
    part = 2 * block + (np.arange(len(block)) % 6 < 3)
    assert len(dependent_rows(rows_of(unit_rows(matrix * units)), block, part)) == len(matrix) - rank


@pytest.mark.parametrize("seed", range(4))
def test_branches_on_a_loop_change_nothing(seed):
    """A loop with a row too much, and a chain of bodies that hangs on each of its bodies."""
    rng = np.random.default_rng(seed)
    loop, hanging = 4, 3
    bodies = loop * (1 + hanging)
    joints = [(i, (i + 1) % loop) for i in range(loop)]
    for i in range(loop):
        chain = [i, *(loop + hanging * i + k for k in range(hanging))]
        joints += list(pairwise(chain))
    rows = []
    for a, b in joints:
        for _ in range(5):
            row = np.zeros(6 * bodies)
            row[6 * a : 6 * a + 6], row[6 * b : 6 * b + 6] = rng.standard_normal((2, 6))
            rows.append(row)
    own = 5 * loop
    rows[own - 1] = rng.standard_normal(own - 1) @ np.array(rows[: own - 1])
    matrix = unit_rows(np.array(rows))
    whole = dependent_rows(rows_of(matrix), np.repeat(np.arange(bodies), 6))
    alone = dependent_rows(rows_of(matrix[:own, : 6 * loop]), np.repeat(np.arange(loop), 6))
    assert whole == alone
    assert len(whole) == 1


def test_short_rows_at_the_end_of_a_branch_are_looked_at_closely():
    """Two rows that differ by less than the tolerance in a block that nothing else touches depend on each other."""
    near = np.array([[1.0, 0.0, 0.0, 0.0], [1.0, 1e-7, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]])
    assert dependent_rows(rows_of(unit_rows(near)), np.array([0, 0, 1, 1])) == [1]
