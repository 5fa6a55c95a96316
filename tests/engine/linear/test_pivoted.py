"""The fallback with full pivoting."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.engine.linear import table
from tests.engine.linear.systems import chain, massless_link, random_system, ring

MODES = [pytest.param(False, id="compiled"), pytest.param(True, id="python")]
KINDS = [pytest.param(True, id="ldl"), pytest.param(False, id="lu")]


@pytest.mark.parametrize("python", MODES)
@pytest.mark.parametrize("symmetric", KINDS)
def test_same_solution(symmetric, python):
    system = random_system(3, symmetric)
    solver = system.solver(symmetric, python)
    solver.use_pivoted()
    b = np.random.default_rng(1).standard_normal(system.starts[-1])
    assert solver.factor() == table.OK
    x = system.solve(solver, b)
    np.testing.assert_allclose(x, np.linalg.solve(system.matrix().toarray(), b), rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("python", MODES)
def test_massless_link_without_support(python):
    system, _ = massless_link()
    solver = system.solver(python=python)
    assert solver.factor() == table.SINGULAR
    solver.use_pivoted()
    system.load(solver)
    b = np.random.default_rng(1).standard_normal(system.starts[-1])
    assert solver.factor() == table.OK
    assert system.residual(system.solve(solver, b), b) < 1e-14


@pytest.mark.parametrize("factor", [1.0, 4e6])
def test_redundant_joints(factor):
    system = ring(4, factor)
    solver = system.solver()
    solver.use_pivoted()
    assert solver.factor() == table.SINGULAR
    assert system.multiplier[solver.bad_pivot[0]]
    solver.numbers.drop = 1
    b = system.matrix() @ np.random.default_rng(1).standard_normal(system.starts[-1])
    for _ in range(2):
        assert solver.factor() == table.OK
        assert len(solver.dropped) == 3
    x = system.solve(solver, b)
    assert system.residual(x, b) < 1e-13
    for block, row in solver.dropped:
        assert x[system.starts[block] + row] == 0.0


def test_loose_degree_of_freedom_is_named():
    system = chain(3)
    system.couple(0, 0, np.zeros((6, 6)))
    for i, j in system.pairs:
        if 0 in (i, j):
            system.blocks[i, j] = np.zeros_like(system.blocks[i, j])
    solver = system.solver()
    solver.use_pivoted()
    solver.numbers.drop = 1
    assert solver.factor() == table.SINGULAR
    assert solver.bad_pivot[0] == 0


def test_values_that_are_not_finite():
    system = chain(3)
    system.blocks[1, 1][2, 2] = np.nan
    solver = system.solver()
    solver.use_pivoted()
    assert solver.factor() == table.NOT_FINITE
    assert solver.bad_pivot[:2] == (1, 2)


@pytest.mark.parametrize("python", MODES)
def test_exceptions_are_kept(python):
    system = chain(3)
    solver = system.solver(python=python)
    solver.use_pivoted()
    assert solver.solve(np.zeros(solver.pattern.n)) == table.EXCEPTION
    assert "no factors" in str(solver.error)

    def interrupted():
        raise KeyboardInterrupt

    solver._pivoted.assembled = interrupted
    assert solver.factor() == table.EXCEPTION
    assert isinstance(solver.error, KeyboardInterrupt)


def test_back_to_blocks():
    system = chain(3)
    solver = system.solver()
    blocks, places = solver.memory.factor, solver.table.addresses.ctypes.data
    solver.use_pivoted()
    assert solver.memory.factor != blocks
    solver.use_ldl()
    assert solver.memory.factor is blocks
    assert solver.table.addresses.ctypes.data == places
    system.load(solver)
    assert solver.factor() == table.OK
