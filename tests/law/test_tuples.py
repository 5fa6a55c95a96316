"""Vectors and matrices as tuples against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import flexor.law.tuples as tuples
from flexor.spatial import exp_so3, skew

random = np.random.default_rng(7)
A, B = random.normal(size=(2, 3, 3))
a, b = random.normal(size=(2, 3))
TINY = 1e-15


def flat(M):
    return tuple(np.ravel(M))


CASES = {
    "add": (tuples.add(a, b), a + b),
    "sub": (tuples.sub(a, b), a - b),
    "neg": (tuples.neg(a), -a),
    "scale": (tuples.scale(2.5, a), 2.5 * a),
    "dot": (tuples.dot(a, b), a @ b),
    "cross": (tuples.cross(a, b), np.cross(a, b)),
    "norm": (tuples.norm(a), np.linalg.norm(a)),
    "mv": (tuples.mv(flat(A), a), A @ a),
    "mtv": (tuples.mtv(flat(A), a), A.T @ a),
    "mm": (tuples.mm(flat(A), flat(B)), flat(A @ B)),
    "mmt": (tuples.mmt(flat(A), flat(B)), flat(A @ B.T)),
    "transpose": (tuples.transpose(flat(A)), flat(A.T)),
    "madd": (tuples.madd(flat(A), flat(B)), flat(A + B)),
    "msub": (tuples.msub(flat(A), flat(B)), flat(A - B)),
    "mscale": (tuples.mscale(2.5, flat(A)), flat(2.5 * A)),
    "adjugate": (tuples.adjugate(flat(A)), flat(np.linalg.det(A) * np.linalg.inv(A))),
    "skew": (tuples.skew(a), flat(skew(a))),
    "skew_mm": (tuples.skew_mm(a, flat(B)), flat(skew(a) @ B)),
    "mm_skew": (tuples.mm_skew(flat(A), b), flat(A @ skew(b))),
    "skew2": (tuples.skew2(a, b), flat(skew(a) @ skew(b))),
    "outer": (tuples.outer(a, b), flat(np.outer(a, b))),
    "diagonal": (tuples.diagonal(2.5), flat(2.5 * np.eye(3))),
}


@pytest.mark.parametrize("name", CASES)
def test_operation(name):
    found, expected = CASES[name]
    np.testing.assert_allclose(found, expected, rtol=0, atol=4 * TINY)


def test_column():
    for j in range(3):
        assert tuples.column(flat(A), j) == tuple(A[:, j])


@pytest.mark.parametrize("size", [0.0, 1e-9, 0.0099, 0.0101, 1.0, 3.0, np.pi, 7.0, 40.0])
def test_rotation_of_a_rotation_vector(size):
    theta = size * a / np.linalg.norm(a)
    np.testing.assert_allclose(tuples.rotation_of(tuple(theta)), flat(exp_so3(theta)), rtol=0, atol=4 * TINY)
    axis = tuple(a / np.linalg.norm(a))
    np.testing.assert_allclose(tuples.rotation_about(axis, size), flat(exp_so3(theta)), rtol=0, atol=4 * TINY)


def test_reading_and_writing():
    array = np.arange(20.0)
    assert tuples.vec(array, 2) == (2, 3, 4)
    assert tuples.mat(array, 5) == tuple(range(5, 14))
    tuples.put(array, 1, (10, 20, 30))
    assert array[:5].tolist() == [0, 11, 22, 33, 4]
    tuples.store(array, 1, (7, 8, 9))
    assert array[:5].tolist() == [0, 7, 8, 9, 4]
    tuples.store_mat(array, 3, flat(A))
    assert array[3:12].tolist() == list(flat(A))
    assert array[12] == 12


def test_parts_of_a_matrix():
    n = 7
    start = random.normal(size=(n, n))
    for put, i, j, part in (
        (lambda K, i, j: tuples.put_mat(K, n, i, j, flat(A)), 2, 4, A),
        (lambda K, i, j: tuples.put_row(K, n, i, j, a), 6, 1, a[None]),
        (lambda K, i, j: tuples.put_col(K, n, i, j, a), 3, 6, a[:, None]),
    ):
        K, expected = start.copy().ravel(), start.copy()
        expected[i : i + part.shape[0], j : j + part.shape[1]] += part
        put(K, i, j)
        np.testing.assert_array_equal(K.reshape(n, n), expected)


def test_outer_product_of_arrays():
    u, v = random.normal(size=(2, 5))
    K = np.ones(25)
    tuples.put_outer(K, 5, u, v)
    np.testing.assert_allclose(K.reshape(5, 5), 1 + np.outer(u, v), atol=TINY)
