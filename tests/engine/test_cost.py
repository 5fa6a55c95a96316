"""What a new matrix costs beside an iteration with an old one."""

from __future__ import annotations

import pytest

import flexor as fx
from flexor.engine.cost import dearness, renewal
from flexor.solve.dynamics import prepare
from flexor.solve.settings import DynamicsSettings


def system_of(points: int, springs):
    bodies = [fx.PointMass(f"p{i}", 1.0, position=(i, 0.1 * i * i, 0)) for i in range(points)]
    items = [fx.AxialSpring(f"s{i}{j}", bodies[i], bodies[j], stiffness=1e3) for i, j in springs]
    held = fx.AxialSpring("held", fx.ground.at(0, 0, 1), bodies[0], stiffness=1e3)
    return prepare(fx.Model("springs", [*bodies, held, *items]), DynamicsSettings(until=0.01, step=1e-3))


def test_a_mesh_is_dearer_than_a_chain():
    chain = system_of(40, [(i, i + 1) for i in range(39)])
    mesh = system_of(40, [(i, j) for i in range(40) for j in range(i)])
    for each in (chain, mesh):
        assert each.run.dearness == dearness(renewal(each.equations.pattern, each.terms["size"]))
    assert chain.run.dearness == 0.0
    assert mesh.run.dearness > 0.3


def test_point_masses_have_three_equations_each():
    system = system_of(3, [(0, 1), (1, 2)])
    pattern = system.equations.pattern
    assert pattern.rows.tolist() == [3, 3, 3]
    assert sorted(pattern.columns["below"][:-1].tolist()) == [0, 3, 3]
    assert [system.equations.name(int(pattern.start[0]) + i) for i in range(4)] == [
        "p0: x",
        "p0: y",
        "p0: z",
        "padding",
    ]


def test_a_point_mass_never_turns():
    """Springs that pass it by would turn a body."""
    bob = fx.PointMass("bob", 2.0, position=(1, 0, 0))
    spring = fx.AxialSpring("spring", fx.ground.at(0, 0, 1), bob, stiffness=50.0)
    run = fx.Model("bob", [bob, spring], gravity=(0, 0, -9.81)).dynamics(until=0.5, step=5e-3, show=False)
    energy = run["energy.kinetic"] + run["energy.strain"] + run["energy.potential"]
    assert abs(energy - energy[0]).max() < 1e-4 * run["energy.kinetic"].max()


@pytest.mark.parametrize("symmetric", [True, False])
def test_factors_of_three_five_and_six_rows_agree_with_dense_ones(symmetric):
    """Padded columns whose rows stand unpadded in the panels of others."""
    import numpy as np

    from flexor.engine.linear.pattern import analyse
    from flexor.engine.linear.solver import BlockSolver

    chance = np.random.default_rng(4)
    rows = [3, 6, 5, 3, 4, 6, 3, 1, 2, 5, 8, 3]
    pairs = [(i, j) for i in range(len(rows)) for j in range(i) if chance.random() < 0.45]
    solver = BlockSolver(analyse(rows, pairs), symmetric=symmetric)
    for i, j in [*pairs, *((i, i) for i in range(len(rows)))]:
        block = chance.standard_normal((rows[i], rows[j]))
        if i == j:
            block = block + block.T + 20 * np.eye(rows[i])
        solver.add(i, j, block)
        if i != j:
            solver.add(j, i, block.T if symmetric else chance.standard_normal((rows[j], rows[i])))
    dense = solver.to_csc().toarray()
    if symmetric:
        np.testing.assert_allclose(dense, dense.T)
    b = chance.standard_normal(solver.pattern.n)
    x = b.copy()
    assert solver.factor() == 0
    assert solver.solve(x) == 0
    np.testing.assert_allclose(x, np.linalg.solve(dense, b), rtol=1e-10, atol=1e-12)
