"""Sparse matrices times several columns, against SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from flexor.reduce.sparse_rows import SparseRows


@pytest.mark.parametrize("columns", [0, 1, 7, 8, 9, 24])
@pytest.mark.parametrize("shape", [(1, 1), (30, 30), (17, 40)])
def test_products_are_those_of_scipy(shape, columns):
    rng = np.random.default_rng(columns)
    A = sparse.csr_array(sparse.random_array(shape, density=0.3, rng=rng))
    X = rng.standard_normal((shape[1], columns))
    rows = SparseRows(A)
    for given in (X, np.asfortranarray(X)):
        np.testing.assert_allclose(rows @ given, A @ X, rtol=0, atol=1e-14)
    np.testing.assert_allclose(rows.with_entries(2 * A.data) @ X, 2 * (A @ X), rtol=0, atol=1e-14)


def test_a_symmetric_matrix_may_be_stored_by_columns():
    A = sparse.random_array((25, 25), density=0.2, rng=np.random.default_rng(0))
    A = sparse.csc_array(A + A.T)
    X = np.eye(25)
    np.testing.assert_array_equal(SparseRows.of_symmetric(A) @ X, A.toarray())
