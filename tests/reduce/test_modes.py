"""Block Lanczos against dense eigenvalues."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from scipy.linalg import eigh

from flexor.reduce.factor import factorise
from flexor.reduce.modes import lowest_modes
from tests.reduce.bodies import held_rod


def chain(n: int, seed: int = 0) -> tuple[sparse.csc_array, sparse.csc_array]:
    """A held chain of springs and masses, all different."""
    rng = np.random.default_rng(seed)
    k, m = rng.uniform(0.5, 2, n + 1), rng.uniform(0.5, 2, n)
    K = sparse.diags_array([k[:-1] + k[1:], -k[1:-1], -k[1:-1]], offsets=[0, 1, -1], format="csc")
    return sparse.csc_array(K), sparse.csc_array(sparse.diags_array(m))


def check(K, M, squares, shapes, count):
    exact = eigh(K.toarray(), M.toarray(), eigvals_only=True)[:count]
    assert np.allclose(squares, exact, rtol=1e-11)
    assert np.allclose(shapes.T @ (M @ shapes), np.eye(count), atol=1e-10)
    again = np.linalg.solve(K.toarray(), M @ shapes) * squares
    assert np.allclose(again, shapes, atol=1e-7 * np.abs(shapes).max())


@pytest.mark.parametrize("n", [1, 2, 7, 30, 300])
@pytest.mark.parametrize("count", [1, 5, 29])
def test_lowest_modes_of_a_chain(n, count):
    K, M = chain(n)
    squares, shapes = lowest_modes(factorise(K).solve, M, min(count, n))
    check(K, M, squares, shapes, min(count, n))


def test_more_modes_than_there_are():
    K, M = chain(5)
    squares, _ = lowest_modes(factorise(K).solve, M, 50)
    assert np.allclose(squares, eigh(K.toarray(), M.toarray(), eigvals_only=True))


@pytest.mark.parametrize("stiffness", [1.0, 1e11])
def test_modes_of_equal_frequency_are_all_found(stiffness):
    K, M = chain(40)
    K = stiffness * K
    K10, M10 = (sparse.csc_array(sparse.block_diag([A] * 10)) for A in (K, M))
    squares, shapes = lowest_modes(factorise(K10).solve, M10, 20)
    check(K10, M10, squares, shapes, 20)


def test_modes_of_nearly_equal_frequency_are_all_found():
    """Twelve blades that differ by some 10⁻⁷: far more than a block has vectors."""
    K, M = chain(40)
    scale = 1 + 1e-7 * np.random.default_rng(4).standard_normal(12)
    K12, M12 = (sparse.csc_array(sparse.block_diag(parts)) for parts in ([K * s for s in scale], [M] * 12))
    squares, shapes = lowest_modes(factorise(K12).solve, M12, 24)
    check(K12, M12, squares, shapes, 24)


def test_many_modes_with_a_shrinking_basis():
    p = held_rod()
    K, M = p.K[p.held.free][:, p.held.free], p.M[p.held.free][:, p.held.free]
    squares, shapes = lowest_modes(factorise(K).solve, M, 60)
    check(K, M, squares, shapes, 60)


@pytest.mark.parametrize("quantile", [0.003, 0.02, 0.1])
def test_all_modes_below_a_frequency(quantile):
    p = held_rod()
    K, M = p.K[p.held.free][:, p.held.free], p.M[p.held.free][:, p.held.free]
    exact = eigh(K.toarray(), M.toarray(), eigvals_only=True)
    limit = float(np.quantile(exact, quantile))
    squares, _ = lowest_modes(factorise(K).solve, M, 1, up_to=limit)
    assert np.allclose(squares, exact[exact <= limit], rtol=1e-10)


def test_all_modes_below_a_frequency_beyond_all():
    K, M = chain(50)
    squares, _ = lowest_modes(factorise(K).solve, M, 1, up_to=1e9)
    assert np.allclose(squares, eigh(K.toarray(), M.toarray(), eigvals_only=True))


def test_modes_near_a_negative_shift():
    p = held_rod()
    shift = -((2 * np.pi * 100.0) ** 2)
    squares, _ = lowest_modes(factorise(p.K - shift * p.M).solve, p.M, 10, shift=shift)
    exact = eigh(p.K.toarray(), p.M.toarray(), eigvals_only=True)[:10]
    assert np.abs(squares[:6]).max() < 1e-6 * squares[6]
    assert np.allclose(squares[6:], exact[6:], rtol=1e-9)


def test_motions_without_mass_are_no_modes():
    K, M = chain(60)
    m = M.diagonal()
    m[::3] = 0.0
    M = sparse.csc_array(sparse.diags_array(m))
    heavy, light = np.flatnonzero(m), np.flatnonzero(m == 0)
    k = K.toarray()
    condensed = k[np.ix_(heavy, heavy)] - k[np.ix_(heavy, light)] @ np.linalg.solve(
        k[np.ix_(light, light)], k[np.ix_(light, heavy)]
    )
    exact = eigh(condensed, np.diag(m[heavy]), eigvals_only=True)
    squares, _ = lowest_modes(factorise(K).solve, M, 12)
    assert np.allclose(squares, exact[:12], rtol=1e-9)


def test_no_modes_asked_for():
    K, M = chain(9)
    squares, shapes = lowest_modes(factorise(K).solve, M, 0)
    assert squares.shape == (0,)
    assert shapes.shape == (9, 0)


def test_the_result_does_not_depend_on_chance():
    K, M = chain(200)
    first, second = (lowest_modes(factorise(K).solve, M, 7)[1] for _ in range(2))
    assert np.array_equal(first, second)


@pytest.mark.parametrize("missing", [0, 3, 11])
def test_a_guess_is_improved_and_completed(missing):
    """Shapes that are a little off, and one of them not there at all: what was missed is found, in fewer solutions."""
    K, M = chain(300)
    squares, shapes = lowest_modes(factorise(K).solve, M, 13)
    guess = np.delete(shapes[:, :12], missing, axis=1)
    off = factorise(K).solve(np.asarray(M @ np.random.default_rng(1).standard_normal(guess.shape)))
    guess = guess + 0.01 * off / np.linalg.norm(off, axis=0) * np.linalg.norm(guess, axis=0)
    found, _ = lowest_modes(factorise(K).solve, M, 12, tolerance=1e-4, guess=guess)
    np.testing.assert_allclose(found, squares[:12], rtol=1e-7)
