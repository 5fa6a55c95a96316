"""Singular, redundant and non-finite matrices are found and named."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from flexor.engine.linear import table
from tests.engine.linear.systems import System, chain, hub, random_system, revolute, ring

MODES = [pytest.param(False, id="compiled"), pytest.param(True, id="python")]
KINDS = [pytest.param(True, id="ldl"), pytest.param(False, id="lu")]


def consistent(system: System) -> np.ndarray:
    return system.matrix() @ np.random.default_rng(1).standard_normal(system.starts[-1])


@pytest.mark.parametrize("python", MODES)
@pytest.mark.parametrize("symmetric", KINDS)
def test_redundant_joints_of_a_plane_four_bar_are_dropped(symmetric, python):
    """Of 20 constraints 3 repeat others: out of the plane the loop is closed three joints out of four."""
    system = ring(4)
    solver = system.solver(symmetric, python)
    solver.numbers.drop = 1
    b = consistent(system)
    assert solver.factor() == table.OK
    assert len(solver.dropped) == 3
    x = system.solve(solver, b)
    assert system.residual(x, b) < 1e-12
    for block, row in solver.dropped:
        assert system.multiplier[block]
        assert x[system.starts[block] + row] == 0.0
    rank = np.linalg.matrix_rank(system.matrix().toarray())
    assert rank == system.starts[-1] - 3


@pytest.mark.parametrize("symmetric", KINDS)
@pytest.mark.parametrize("n", [6, 10, 20])
def test_redundant_joints_of_longer_loops(n, symmetric):
    system = ring(n)
    solver = system.solver(symmetric)
    solver.numbers.drop = 1
    b = consistent(system)
    assert solver.factor() == table.OK
    assert len(solver.dropped) == 3
    assert system.residual(system.solve(solver, b), b) < 1e-11


@pytest.mark.parametrize("symmetric", KINDS)
def test_count_of_dropped_rows_starts_anew(symmetric):
    system = ring(4)
    solver = system.solver(symmetric)
    solver.numbers.drop = 1
    for _ in range(2):
        system.load(solver)
        assert solver.factor() == table.OK
        assert len(solver.dropped) == 3


@pytest.mark.parametrize("python", MODES)
@pytest.mark.parametrize("symmetric", KINDS)
def test_redundant_joint_is_named_unless_dropped(symmetric, python):
    system = ring(4)
    solver = system.solver(symmetric, python)
    assert solver.factor() == table.SINGULAR
    block, row, pivot, scale = solver.bad_pivot
    assert system.multiplier[block]
    assert 0 <= row < 5
    assert pivot <= table.DEFAULT_THRESHOLDS[table.CONSTRAINT] * scale
    assert scale > 1e-3


@pytest.mark.parametrize("python", MODES)
@pytest.mark.parametrize("symmetric", KINDS)
@pytest.mark.parametrize("drop", [0.0, 1.0])
@pytest.mark.parametrize("size", [2, 6, 9])
def test_loose_degree_of_freedom_is_named(size, drop, symmetric, python):
    """Bodies are never dropped."""
    rng = np.random.default_rng(0)
    system = System()
    loose = size - 1
    stiffness = np.eye(size)
    stiffness[loose, loose] = 0.0
    coupling = rng.standard_normal((size, 6)) / 10
    coupling[loose] = 0.0
    body = system.block(size, stiffness)
    system.couple(body, system.block(6, 4 * np.eye(6)), coupling)
    solver = system.solver(symmetric, python)
    solver.numbers.drop = int(drop)
    assert solver.factor() == table.SINGULAR
    assert solver.bad_pivot == (body, loose, 0.0, 0.0)


@pytest.mark.parametrize("symmetric", KINDS)
def test_free_structure_is_singular_to_rounding(symmetric):
    """A chain of nodes on springs that nobody holds: the pivot is not exactly zero."""
    rng = np.random.default_rng(3)
    system = System()
    spring = rng.standard_normal((6, 6))
    spring = spring @ spring.T + 6 * np.eye(6)
    nodes = [system.block(6, (2 - (i in (0, 29))) * spring) for i in range(30)]
    for a, b in pairwise(nodes):
        system.couple(a, b, -spring)
    solver = system.solver(symmetric)
    assert solver.factor() == table.SINGULAR
    block, _, pivot, scale = solver.bad_pivot
    assert block in nodes
    assert pivot <= 1e-14 * scale
    held = system.blocks[0, 0]
    system.blocks[0, 0] = held + 1e-6 * np.eye(6)
    system.load(solver)
    assert solver.factor() == table.OK


@pytest.mark.filterwarnings("ignore:.*encountered in:RuntimeWarning")
@pytest.mark.parametrize("python", MODES)
@pytest.mark.parametrize("symmetric", KINDS)
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_values_that_are_not_finite_are_found(value, symmetric, python):
    system = random_system(4, symmetric)
    pattern = system.analyse()
    for pair in list(system.blocks)[:: 17 if python else 1]:
        i, j = pair
        if pattern.column[i] < pattern.column[j] and symmetric:
            continue
        original = system.blocks[pair]
        system.blocks[pair] = original.copy()
        system.blocks[pair][0, -1] = value
        solver = system.solver(symmetric, python, pattern)
        assert solver.factor() == table.NOT_FINITE, pair
        system.blocks[pair] = original


@pytest.mark.parametrize("symmetric", KINDS)
def test_not_finite_diagonal_is_named(symmetric):
    system = chain(5)
    system.blocks[3, 3][4, 4] = np.nan
    solver = system.solver(symmetric)
    assert solver.factor() == table.NOT_FINITE
    block, row, pivot, _ = solver.bad_pivot
    assert (block, np.isnan(pivot)) == (3, True)
    assert row == 4 or not symmetric


@pytest.mark.parametrize("symmetric", KINDS)
@pytest.mark.parametrize("ratio", [1e3, 1e6])
def test_light_link_between_heavy_bodies_is_not_redundant(ratio, symmetric):
    system = System()
    half, axis = np.array([0.5, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])
    heavy = [system.block(6, ratio * np.eye(6)) for _ in range(2)]
    light = system.block(6, np.eye(6))
    for body, s in zip(heavy, (-half, half)):
        joint = system.block(5, np.zeros((5, 5)), multiplier=True)
        system.couple(joint, body, revolute(-s, axis))
        system.couple(joint, light, -revolute(s, axis))
    solver = system.solver(symmetric)
    assert solver.factor() == table.OK


def test_threshold_is_an_option():
    system = hub(3)
    solver = system.solver()
    solver.numbers.thresholds[table.CONSTRAINT] = 2.0
    assert solver.factor() == table.SINGULAR
    assert system.multiplier[solver.bad_pivot[0]]
    system.load(solver)
    solver.numbers.thresholds[table.CONSTRAINT] = 1e-10
    solver.numbers.thresholds[table.PRIMAL] = 2.0
    assert solver.factor() == table.SINGULAR
    assert not system.multiplier[solver.bad_pivot[0]]


@pytest.mark.filterwarnings("ignore:.*encountered in:RuntimeWarning")
@pytest.mark.parametrize("python", MODES)
@pytest.mark.parametrize("symmetric", KINDS)
def test_overflow_in_the_last_pivot_of_a_block_is_found(symmetric, python):
    """s₅₅ − s₅₀ s₀₅ / s₀₀ is −∞."""
    system = System()
    values = np.eye(6)
    if symmetric:
        values[0, 0], values[0, 5], values[5, 0] = 1e-200, 1e150, 1e150
    else:
        values[0, 5], values[5, 0], values[5, 5] = 1e308, 0.9, -1e308
    system.block(6, values)
    solver = system.solver(symmetric, python)
    assert solver.factor() == table.NOT_FINITE
    assert solver.bad_pivot[:2] == (0, 5)


@pytest.mark.parametrize("python", MODES)
@pytest.mark.parametrize("size", [3, 6, 8])
def test_zero_diagonal_is_judged_by_its_column(size, python):
    """The last column depends on the others; its pivot is not zero, but mere rounding."""
    rng = np.random.default_rng(size)
    values = rng.standard_normal((size, size))
    np.fill_diagonal(values, 0.0)
    last_row = values[-1, :-1]
    combination = rng.standard_normal(size - 1)
    combination -= last_row * (last_row @ combination) / (last_row @ last_row)
    values[:, -1] = values[:, :-1] @ combination
    values[-1, -1] = 0.0
    system = System()
    system.block(size, values)
    solver = system.solver(symmetric=False, python=python)
    assert solver.factor() == table.SINGULAR
    block, row, pivot, scale = solver.bad_pivot
    assert (block, row) == (0, size - 1)
    assert 0.0 < pivot < 1e-14
    assert scale == np.abs(values[:, -1]).max()
