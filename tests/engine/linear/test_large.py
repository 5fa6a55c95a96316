"""Patterns without room for their factors, which Pardiso keeps."""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx
from flexor.engine.linear import pattern, table
from flexor.engine.linear.large import order_of_blocks
from flexor.engine.linear.pattern import analyse
from flexor.engine.linear.solver import BlockSolver
from flexor.mesh.generate import bar
from flexor.reduce import pardiso
from flexor.reduce.factor import SlowFactorisation
from tests.engine.linear.systems import chain, random_system, ring

if not pardiso.installed():
    pytest.skip("pypardiso is not installed", allow_module_level=True)

KINDS = [pytest.param(True, id="symmetric"), pytest.param(False, id="unsymmetric")]
MODES = [pytest.param(False, id="compiled"), pytest.param(True, id="python")]


def large(system, symmetric=True, python=False) -> BlockSolver:
    unfilled = analyse(system.rows, system.pairs, system.multiplier, filled=False)
    return system.solver(symmetric, python, unfilled)


@pytest.mark.parametrize("python", MODES)
@pytest.mark.parametrize("symmetric", KINDS)
def test_same_solution(symmetric, python):
    system = random_system(3, symmetric)
    solver, own = large(system, symmetric, python), system.solver(symmetric, python)
    assert len(solver.values) < len(own.values)
    for scale in (1.0, 3.0):  # the second time with the analysis of the first
        solver.values[:] *= scale
        b = np.random.default_rng(1).standard_normal(system.starts[-1])
        assert solver.factor() == table.OK
        x = system.solve(solver, b)
        np.testing.assert_allclose(scale * x, np.linalg.solve(system.matrix().toarray(), b), rtol=1e-9, atol=1e-11)


def test_joints_of_a_chain():
    """Multipliers have no diagonal of their own: they come after the bodies that they join."""
    system = chain(30)
    solver = large(system)
    places = order_of_blocks(solver.pattern)
    column = solver.pattern.column
    for i, j in system.pairs:
        if system.multiplier[i] and not system.multiplier[j]:
            assert places[column[i]] > places[column[j]]
    b = np.random.default_rng(1).standard_normal(system.starts[-1])
    assert solver.factor() == table.OK
    assert system.residual(system.solve(solver, b), b) < 1e-12


def test_redundant_joints_are_singular():
    system = ring(4, 1.0)
    solver = large(system)
    assert solver.factor() == table.SINGULAR
    assert system.multiplier[solver.bad_pivot[0]]
    solver.use_pivoted()
    solver.numbers.drop = 1
    assert solver.factor() == table.OK
    assert len(solver.dropped) == 3
    solver.use_blocks()
    system.load(solver)
    assert solver.factor() == table.SINGULAR


def test_a_loose_coordinate_is_singular():
    system = chain(3)
    system.couple(0, 0, np.zeros((6, 6)))
    for i, j in system.pairs:
        if 0 in (i, j):
            system.couple(i, j, np.zeros_like(system.blocks[i, j]))
    assert large(system).factor() == table.SINGULAR


def test_what_is_not_finite_is_named():
    system = chain(3)
    system.blocks[2, 2][1, 1] = np.nan
    solver = large(system)
    assert solver.factor() == table.NOT_FINITE
    assert solver.bad_pivot[:2] == (2, 1)


def test_saved_factors_are_made_again():
    system = random_system(3, True)
    one, other = large(system), large(system)
    assert one.factor() == table.OK
    other.clear()
    assert other.load(one.save())
    b = np.random.default_rng(1).standard_normal(system.starts[-1])
    assert np.array_equal(system.solve(one, b), system.solve(other, b))


def test_groups_do_not_depend_on_the_storage():
    rows, pairs = [6, 3, 6, 6, 3], [(0, 1), (1, 2), (3, 4)]
    full, sparse = analyse(rows, pairs, filled=True), analyse(rows, pairs, filled=False)
    assert np.array_equal(full.groups, sparse.groups)
    assert len(np.unique(full.groups)) == 2


def swinging_bar(friction: float = 0.0) -> fx.Model:
    mesh = bar(0.5, 0.05, 0.04, (6, 2, 2), element="hex8", material=fx.Steel())
    faces = {"left": fx.plane(at=(0, 0, 0), normal="x"), "right": fx.plane(at=(0.5, 0, 0), normal="x")}
    body = fx.FlexibleBody("bar", mesh=mesh, formulation="full_mesh", interfaces=faces)
    weight = fx.RigidBody("weight", mass=1.0, inertia=(1e-3, 1e-3, 1e-3), position=(0.5, 0, 0))
    items = [
        body,
        weight,
        fx.Revolute("pin", fx.ground, body["left"], axis="y"),
        fx.Spherical("ball", body["right"], weight, enforcement="multipliers"),
    ]
    if friction:
        items.append(fx.Friction("bearing", "pin", friction, radius="5 mm"))
    return fx.Model("swing", items, gravity=(0, 0, -9.81))


@pytest.mark.parametrize("friction", [0.0, 0.2])
def test_a_run_is_the_same(monkeypatch, friction):
    """With Pardiso and with the project's own factors, to Newton's tolerance; friction makes the matrix unsymmetric."""
    model = swinging_bar(friction)
    runs = []
    for work in (np.inf, 0.0):
        monkeypatch.setattr(pattern, "LARGE", work)
        runs.append(model.dynamics(until=0.02, step=1e-3, newton="full", show=False))
    for signal in ("weight.position_z", "weight.velocity_z", "bar.right.acceleration_z", "pin.force_x"):
        own, other = (np.array(run[signal]) for run in runs)
        np.testing.assert_allclose(other, own, rtol=1e-6, atol=1e-6 * np.abs(own).max())


def test_a_restart_is_the_same(monkeypatch):
    monkeypatch.setattr(pattern, "LARGE", 0.0)
    model = swinging_bar()
    whole = model.dynamics(until=0.01, step=1e-3, show=False)
    rest = model.dynamics(until=0.005, step=1e-3, show=False).continue_until(0.01, show=False)
    np.testing.assert_allclose(rest["weight.position_z"][-1], whole["weight.position_z"][-1], rtol=1e-13)


def test_what_would_help_is_told(monkeypatch):
    monkeypatch.setattr(pardiso, "installed", lambda: False)
    monkeypatch.setattr(pattern, "LARGE", 0.0)
    with pytest.warns(SlowFactorisation, match=r"flexor\[solvers\]"):
        swinging_bar().dynamics(until=1e-3, step=1e-3, show=False)
