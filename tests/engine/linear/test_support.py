"""Bodies without inertia: their joints support them, and the factorisation needs no pivoting."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.engine.linear import table
from flexor.engine.linear.solver import BlockSolver
from tests.engine.linear.systems import System, massless_link, revolute

MODES = [pytest.param(False, id="compiled"), pytest.param(True, id="python")]
KINDS = [pytest.param(True, id="ldl"), pytest.param(False, id="lu")]


def thin_rods(n: int) -> System:
    """A chain of rods on hinges that lie across them, none with inertia about its axis."""
    system = System()
    half, axis = np.array([0.5, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])
    rods = [system.block(6, np.diag([1.0, 1, 1, 0, 0.1, 0.1])) for _ in range(n)]
    for i in range(n):
        joint = system.block(5, np.zeros((5, 5)), multiplier=True)
        system.couple(joint, rods[i], revolute(-half, axis))
        if i:
            system.couple(joint, rods[i - 1], -revolute(half, axis))
    return system


def supported(system: System, symmetric: bool, python: bool, weight: float = 1.0) -> BlockSolver:
    """A solver in which every joint supports its bodies; the bodies of a joint are coupled."""
    joints = [m for m in range(len(system.rows)) if system.multiplier[m]]
    acts_on = {m: sorted({j for i, j in system.pairs if i == m}) for m in joints}
    for bodies in acts_on.values():
        for i in bodies:
            for j in bodies:
                system.blocks.setdefault((i, j), np.zeros((6, 6)))
    solver = system.solver(symmetric, python)
    weights = np.where(solver.pattern.identity["kind"] == table.CONSTRAINT, weight, 0.0)
    solver.support(acts_on, weights)
    system.load(solver)
    return solver


@pytest.mark.parametrize("python", MODES)
@pytest.mark.parametrize("symmetric", KINDS)
def test_massless_link(symmetric, python):
    system, (_, link, _) = massless_link()
    alone = system.solver(symmetric, python)
    assert alone.factor() == table.SINGULAR
    assert alone.bad_pivot[0] == link

    solver = supported(system, symmetric, python)
    b = np.random.default_rng(1).standard_normal(system.starts[-1])
    assert solver.factor() == table.OK
    x = system.solve(solver, b)
    assert system.residual(x, b) < 1e-14
    np.testing.assert_allclose(x, np.linalg.solve(system.matrix().toarray(), b), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("symmetric", KINDS)
@pytest.mark.parametrize("weight", [1e-3, 1.0, 1e3])
def test_thin_rods_need_neither_pivoting_nor_further_storage(weight, symmetric):
    system = thin_rods(40)
    assert system.solver(symmetric).factor() == table.SINGULAR
    solver = supported(system, symmetric, False, weight)
    assert solver.pattern.columns["size"][:-1].max() == 6
    b = np.random.default_rng(2).standard_normal(system.starts[-1])
    assert solver.factor() == table.OK
    exact = np.linalg.solve(system.matrix().toarray(), b)
    np.testing.assert_allclose(system.solve(solver, b), exact, atol=1e-9 * np.abs(exact).max())


def test_the_factorisation_can_be_changed_afterwards():
    system = thin_rods(5)
    solver = supported(system, True, False)
    solver.use_lu()
    system.load(solver)
    assert solver.factor() == table.OK
    b = np.arange(float(system.starts[-1]))
    assert system.residual(system.solve(solver, b), b) < 1e-13


def test_the_assembled_matrix_does_not_show_the_support():
    system = thin_rods(3)
    solver = supported(system, True, True)
    places = system.places(solver.pattern)
    np.testing.assert_array_equal(solver.to_csc()[places][:, places].toarray(), system.matrix().toarray())
