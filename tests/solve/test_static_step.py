"""Steps towards equilibrium: when a stiffness counts as singular."""

import numpy as np
import pytest
from scipy import sparse

from flexor.solve.static_step import static_step


def turned(size, smallest):
    """A symmetric matrix with one singular value that small, the others near one, in directions of no equation."""
    random = np.random.default_rng(3)
    Q, _ = np.linalg.qr(random.standard_normal((size, size)))
    values = np.append(random.uniform(0.5, 2.0, size - 1), smallest)
    return sparse.csc_matrix(Q @ np.diag(values) @ Q.T)


@pytest.mark.parametrize("size", [2, 30, 300])
@pytest.mark.parametrize(("smallest", "singular"), [(1e-17, True), (1e-12, False)])
def test_a_stiffness_is_singular_where_rounding_is_all_that_is_left_of_it(size, smallest, singular):
    matrix = turned(size, smallest)
    assert static_step(matrix, np.zeros(size), 0.0, np.ones(size))[1] == singular


def test_pivots_do_not_hide_that_a_stiffness_is_singular():
    """Ones on the diagonal, −1 above it: all pivots are one, and the inverse has an entry of 2⁵⁸."""
    size = 60
    matrix = sparse.csc_matrix(np.eye(size) - np.triu(np.ones((size, size)), 1))
    assert static_step(matrix, np.zeros(size), 0.0, np.ones(size))[1]
