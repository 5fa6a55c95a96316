"""Factorisation and solution by blocks, against dense and sparse solvers, compiled and as plain Python."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse.linalg import spsolve

from flexor.engine.linear import table
from flexor.engine.linear.pattern import SLACK
from flexor.engine.linear.solver import BlockSolver
from tests.engine.linear.systems import System, chain, grid, hub, random_system

MODES = [pytest.param(False, id="compiled"), pytest.param(True, id="python")]
KINDS = [pytest.param(True, id="ldl"), pytest.param(False, id="lu")]


def right_hand_side(system: System) -> np.ndarray:
    return np.random.default_rng(1).standard_normal(system.starts[-1])


@pytest.mark.parametrize("python", MODES)
@pytest.mark.parametrize("symmetric", KINDS)
@pytest.mark.parametrize("constrained", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_random_system(seed, constrained, symmetric, python):
    system = random_system(seed, symmetric, constrained)
    solver = system.solver(symmetric, python)
    b = right_hand_side(system)
    assert solver.factor() == table.OK
    x = system.solve(solver, b)
    assert system.residual(x, b) < 1e-13
    np.testing.assert_allclose(x, np.linalg.solve(system.matrix().toarray(), b), rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("python", MODES)
@pytest.mark.parametrize("symmetric", KINDS)
@pytest.mark.parametrize("sizes", [(21, 6, 3, 26), (7, 34, 13, 1)], ids=str)
def test_bodies_with_many_modes(sizes, symmetric, python):
    """Four rows at a time, and what is left of them; strips of six columns, and what is left of them."""
    system, draw = System(), np.random.default_rng(3).standard_normal
    for rows in sizes:
        block = draw((rows, rows))
        system.block(rows, block + block.T if symmetric else block + 3 * np.eye(rows))
    for i in range(len(sizes)):
        for j in range(i):
            block = draw((sizes[i], sizes[j]))
            system.couple(i, j, block, None if symmetric else draw((sizes[j], sizes[i])))
    solver, b = system.solver(symmetric, python), right_hand_side(system)
    assert solver.factor() == table.OK
    np.testing.assert_allclose(
        system.solve(solver, b), np.linalg.solve(system.matrix().toarray(), b), rtol=1e-7, atol=1e-9
    )


@pytest.mark.parametrize("symmetric", KINDS)
@pytest.mark.parametrize("seed", range(10, 40))
def test_many_random_systems(seed, symmetric):
    system = random_system(seed, symmetric)
    solver = system.solver(symmetric)
    b = right_hand_side(system)
    assert solver.factor() == table.OK
    assert system.residual(system.solve(solver, b), b) < 1e-12


@pytest.mark.parametrize("symmetric", KINDS)
@pytest.mark.parametrize(
    "system", [random_system(1), chain(4), hub(5), grid(4)], ids=["random", "chain", "hub", "grid"]
)
def test_python_and_compiled_factors_are_the_same(system, symmetric):
    factors, solutions = [], []
    for python in (True, False):
        solver = system.solver(symmetric, python)
        assert solver.factor() == table.OK
        factors.append(solver.values.copy())
        solutions.append(system.solve(solver, right_hand_side(system)))
    for one, other in (factors, solutions):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-11 * np.abs(one).max())


@pytest.mark.parametrize("symmetric", KINDS)
@pytest.mark.parametrize("geometric", [False, True])
@pytest.mark.parametrize(("n", "straight"), [(10, True), (1000, True), (1000, False)])
def test_chain_of_revolute_joints(n, straight, geometric, symmetric):
    system = chain(n, geometric=geometric, straight=straight)
    solver = system.solver(symmetric)
    b = right_hand_side(system)
    assert solver.factor() == table.OK
    assert system.residual(system.solve(solver, b), b) < 1e-12


@pytest.mark.parametrize("symmetric", KINDS)
@pytest.mark.parametrize("factor", [1.0, 4e6])
def test_hub(factor, symmetric):
    system = hub(50, factor)
    solver = system.solver(symmetric)
    b = right_hand_side(system)
    assert solver.factor() == table.OK
    assert system.residual(system.solve(solver, b), b) < 1e-13


@pytest.mark.parametrize("symmetric", KINDS)
def test_grid_against_superlu(symmetric):
    system = grid(15, diagonal=True, symmetric=symmetric)
    solver = system.solver(symmetric)
    b = right_hand_side(system)
    assert solver.factor() == table.OK
    np.testing.assert_allclose(system.solve(solver, b), spsolve(system.matrix(), b), rtol=1e-8, atol=1e-10)


def test_lu_of_a_symmetric_matrix_gives_the_solution_of_ldl():
    system = random_system(7)
    b = right_hand_side(system)
    solutions = []
    for symmetric in (True, False):
        solver = system.solver(symmetric)
        assert solver.factor() == table.OK
        solutions.append(system.solve(solver, b))
    np.testing.assert_allclose(solutions[0], solutions[1], rtol=1e-9, atol=1e-11)


def test_factors_can_be_made_and_used_again():
    system = random_system(5)
    solver = system.solver()
    b = right_hand_side(system)
    assert solver.factor() == table.OK
    first = system.solve(solver, b)
    np.testing.assert_array_equal(system.solve(solver, b), first)
    for i in range(len(system.rows)):
        system.blocks[i, i] = 2.0 * system.blocks[i, i]
    system.load(solver)
    assert solver.factor() == table.OK
    second = system.solve(solver, b)
    assert system.residual(second, b) < 1e-13
    assert np.abs(second - first).max() > 1e-3


@pytest.mark.parametrize("python", MODES)
@pytest.mark.parametrize("size", [3, 6, 8])
def test_rows_are_exchanged_inside_a_block(size, python):
    """A block with zero diagonal: each equation belongs to another unknown."""
    rng = np.random.default_rng(size)
    system = System()
    cycle = np.roll(np.eye(size), 1, axis=0) + 0.01 * rng.standard_normal((size, size))
    np.fill_diagonal(cycle, 0.0)
    a, b = system.block(size, cycle), system.block(6, 5 * np.eye(6))
    system.couple(a, b, rng.standard_normal((size, 6)), rng.standard_normal((6, size)))
    solver = system.solver(symmetric=False, python=python)
    rhs = right_hand_side(system)
    assert solver.factor() == table.OK
    assert system.residual(system.solve(solver, rhs), rhs) < 1e-14


@pytest.mark.parametrize("symmetric", KINDS)
def test_nothing_is_written_beyond_the_arrays(symmetric):
    system = random_system(2, symmetric)
    solver = system.solver(symmetric)
    guarded = {}
    for name in ("values", "work", "order", "pivots", "scale", "dropped"):
        array = getattr(solver.memory, name)
        longer = np.full(len(array) + 16, 77, dtype=array.dtype)
        longer[8:-8] = array
        guarded[name] = longer
        solver.table.set(name, longer[8:-8])
    b = right_hand_side(system)
    assert solver.factor() == table.OK
    assert system.residual(system.solve(solver, b), b) < 1e-12
    for longer in guarded.values():
        assert (longer[:8] == 77).all()
        assert (longer[-8:] == 77).all()


@pytest.mark.parametrize("symmetric", KINDS)
@pytest.mark.parametrize("name", ["values", "runs", "tails", "sources", "scale"])
def test_arrays_are_exactly_as_long_as_needed(name, symmetric):
    """One item less, and plain Python notices; of the values, which rows of six may be read beyond, that many less."""
    system = random_system(2, symmetric)
    solver = system.solver(symmetric, python=True)
    vector = np.zeros(solver.pattern.n)
    spare = SLACK if name == "values" else 0
    solver.table.set(name, getattr(solver.memory, name)[: -1 - spare].copy())
    with pytest.raises(IndexError):
        solver.factor() or solver.solve(vector)


def test_wrong_vectors_are_refused():
    solver = BlockSolver(random_system(0).analyse(), python=True)
    with pytest.raises(ValueError, match="contiguous floats"):
        solver.solve(np.zeros(solver.pattern.n - 1))
    with pytest.raises(ValueError, match="contiguous floats"):
        solver.solve(np.zeros(solver.pattern.n, dtype=np.float32))
    with pytest.raises(ValueError, match="contiguous floats"):
        solver.solve(np.zeros(2 * solver.pattern.n)[::2])


@pytest.mark.parametrize("symmetric", KINDS)
def test_saved_factors_can_be_taken_over(symmetric):
    system = random_system(5, symmetric)
    solver, other = system.solver(symmetric), system.solver(symmetric)
    b = right_hand_side(system)
    assert solver.factor() == table.OK
    assert other.load(solver.save())
    np.testing.assert_array_equal(system.solve(solver, b), system.solve(other, b))
    assert not system.solver(not symmetric).load(solver.save())
    other.use_pivoted()
    assert not other.load(solver.save())
