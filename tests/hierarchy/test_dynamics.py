"""Runs by the tree solver: same motion as the implicit one, constraints kept, energy kept, whatever the partition."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import flexor as fx
from benchmarks.rigid_chain_flexor import chain_model
from benchmarks.tree import four_bars
from flexor.errors import DivergenceError, ModelError
from flexor.hierarchy.partition import Grouping
from flexor.hierarchy.stepper import Tree
from tests.hierarchy.mechanisms import moving, random_model


def test_the_same_signals_as_the_implicit_solver() -> None:
    model = chain_model(4)
    implicit = model.dynamics(until=0.5, step=2e-4, output=0.05, show=False)
    tree = model.dynamics(until=0.5, step=1e-3, output=0.05, show=False, solver="tree")
    assert tree.names == implicit.names
    assert np.array_equal(tree.time, implicit.time)
    for name in tree.names:
        scale = max(1.0, np.abs(implicit[name][:]).max())
        assert np.abs(tree[name][:] - implicit[name][:]).max() < 2e-4 * scale, name
    assert np.abs(tree["link3.position"][:] - implicit["link3.position"][:]).max() < 1e-6


def test_order_of_both_methods() -> None:
    """RK4 is of order 4; Dormand–Prince holds its tolerance, in between by dense output."""
    model = chain_model(2)
    exact = model.dynamics(until=1, step=2e-4, output=0.1, show=False, solver="tree")["link1.position"][:]
    errors = []
    for step in (0.02, 0.01):
        run = model.dynamics(until=1, step=step, output=0.1, show=False, solver="tree")
        errors.append(np.abs(run["link1.position"][:] - exact).max())
    assert 3.5 < np.log2(errors[0] / errors[1]) < 4.6
    run = model.dynamics(until=1, error=1e-8, output=0.1, show=False, solver="tree")
    assert np.allclose(run.time, np.linspace(0, 1, 11))
    assert np.abs(run["link1.position"][:] - exact).max() < 1e-6
    assert len(run.history["time"]) < 100  # rows do not bind the steps


def four_bar() -> fx.Model:
    crank = fx.RigidBody("crank", 1.0, 0.1, center_of_mass=(0, 0.2, 0), markers={"tip": (0, 0.4, 0)})
    coupler = fx.RigidBody("coupler", 1.0, 0.2, center_of_mass=(0.5, 0, 0), markers={"end": (1, 0.3, 0)})
    rocker = fx.RigidBody("rocker", 1.0, 0.1, markers={"end": (0, 0.7, 0)})
    return fx.Model(
        "four-bar",
        [
            *(crank, coupler, rocker),
            fx.Revolute("A", fx.ground, crank, axis="z", start_rate=8),
            fx.Revolute("B", crank["tip"], coupler, axis="z"),
            fx.Revolute("D", fx.ground.at(1, 0, 0), rocker, axis="z"),
            fx.Spherical("C", rocker["end"], coupler["end"]),
        ],
        gravity=(0, -9.81, 0),
    )


def gap(run) -> float:
    """How far the loop is open at most."""
    return float(np.abs(run["rocker.end.position"][:] - run["coupler.end.position"][:]).max())


@pytest.mark.filterwarnings("ignore::flexor.RedundantConstraints")
def test_drift_with_and_without_stabilisation() -> None:
    """Without it constraints open over time; with it they hold to the last digits, and the energy no worse."""
    free = four_bar().dynamics(until=4, step=5e-3, show=False, solver="tree", stabilise=False)
    led = four_bar().dynamics(until=4, step=5e-3, show=False, solver="tree")
    assert gap(free) > 1e-8
    assert gap(led) < 1e-12
    loss = [np.abs(run["energy.check_sum"] - run["energy.check_sum"][0]).max() for run in (free, led)]
    assert loss[1] < 1e-4


def test_energy_of_a_conservative_chain() -> None:
    run = chain_model(5).dynamics(until=3, step=1e-3, output=0.1, show=False, solver="tree")
    energy = run["energy.check_sum"]
    assert np.abs(energy - energy[0]).max() < 1e-6 * np.abs(run["energy.kinetic"][:]).max()


def test_another_order_of_the_items_is_the_same_mechanism() -> None:
    model = chain_model(6)
    other = model.replace(items=tuple(reversed(model.items)))
    runs = [each.dynamics(until=0.3, step=1e-3, output=0.1, show=False, solver="tree") for each in (model, other)]
    for name in ("link5.position", "link2.angular_velocity", "joint1.force"):
        assert np.abs(runs[0][name][:] - runs[1][name][:]).max() < 1e-9


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_another_partition_gives_the_same_accelerations(seed: int) -> None:
    """Even one that no-one would choose: bodies at random, most of them at every border."""
    system = moving(random_model(seed, 9, 2, 1), seed)
    Tree(system).accelerate()
    expected = system.memory.a.copy()
    bodies = np.random.default_rng(seed).permutation(len(Tree(system).cells.members))
    groups = [Grouping("all", (), (Grouping("one", tuple(bodies[:4])), Grouping("other", tuple(bodies[4:]))))]
    Tree(system, groups=groups).accelerate()
    assert np.abs(system.memory.a - expected).max() < 1e-11 * max(1, np.abs(expected).max())


def test_a_run_goes_on_where_it_stopped(tmp_path) -> None:
    whole = chain_model(3).dynamics(until=0.2, step=1e-3, show=False, solver="tree")
    half = chain_model(3).dynamics(until=0.1, step=1e-3, show=False, solver="tree", file=tmp_path / "half.flexor.h5")
    both = half.continue_until(0.2, show=False)
    assert np.array_equal(both.time, whole.time)
    assert np.abs(both["link2.position"][:] - whole["link2.position"][:]).max() < 1e-12
    assert np.abs(both["energy.check_sum"][:] - whole["energy.check_sum"][:]).max() < 1e-9


def test_a_body_without_joints_and_a_damper() -> None:
    """Free flight with a viscous damper: v = v₀ e^(−d t/m); the energy that it loses is told."""
    ball = fx.RigidBody("ball", 2.0, 0.1, velocity=(3, 0, 0), angular_velocity=(0, 1, 0))
    drag = fx.GlobalSpring("drag", fx.ground, ball, direction="x", damping=4)
    run = fx.Model("drag", [ball, drag]).dynamics(until=1, step=1e-3, show=False, solver="tree")
    assert run["ball.velocity_x"][-1] == pytest.approx(3 * np.exp(-2), rel=1e-9)
    assert run["energy.dissipated"][-1] == pytest.approx(9 * (1 - np.exp(-4)), rel=1e-5)


def test_a_stiff_spring_is_told() -> None:
    ball = fx.RigidBody("ball", 1.0, 0.1)
    spring = fx.AxialSpring("spring", fx.ground.at(1, 0, 0), ball, stiffness=1e8)
    with pytest.raises(DivergenceError, match="without bound") as error:
        fx.Model("stiff", [ball, spring], gravity=(1, 0, 0)).dynamics(until=1, step=1e-3, show=False, solver="tree")
    assert any("implicit" in cause for cause in error.value.causes)


def test_a_stiff_spring_in_a_run_that_ends_before_numbers_do_is_told() -> None:
    arm = fx.RigidBody("arm", 1.0, 0.1, position=(0.5, 0, 0))
    pin = fx.Revolute("pin", fx.ground, arm.at(-0.5, 0, 0), axis="y")
    stiff = fx.Model("stiff", [arm, pin, fx.JointSpring("spring", "pin", stiffness=1e9)], gravity=(0, 0, -9.81))
    with pytest.warns(fx.EnergyDrift, match=r"2\.8/ω") as told:
        stiff.dynamics(until=0.02, step=1e-3, show=False, solver="tree")
    assert not any("rho" in str(each.message) or "elimination" in str(each.message) for each in told)


def links(angle: float, *items: Any) -> fx.Model:
    """A parallelogram with two arms of 1 m, 2 m apart, at this angle to the line of its pins."""
    out = np.array((np.cos(angle), np.sin(angle), 0))
    turn = {"axis": "z", "angle": angle}
    left = fx.RigidBody("left", 1, 0.1, position=0.5 * out, orientation=turn)
    right = fx.RigidBody("right", 1, 0.1, position=np.add(0.5 * out, (2, 0, 0)), orientation=turn)
    coupler = fx.RigidBody("coupler", 1, 0.2, position=np.add(out, (1, 0, 0)))
    pins = [
        fx.Revolute("A", fx.ground, left.at(-0.5, 0, 0), axis="z"),
        fx.Revolute("B", left.at(0.5, 0, 0), coupler.at(-1, 0, 0), axis="z"),
        fx.Revolute("C", coupler.at(1, 0, 0), right.at(0.5, 0, 0), axis="z"),
        fx.Revolute("D", fx.ground.at(2, 0, 0), right.at(-0.5, 0, 0), axis="z"),
    ]
    return fx.Model("links", [left, right, coupler, *pins, *items], gravity=(0, -9.81, 0))


def stretched() -> fx.Model:
    """Two rods in one line between pins of the ground: no finite force carries their weight."""
    rods = [fx.RigidBody(f"rod{i}", 1, 0.1, position=(i + 0.5, 0, 0)) for i in range(2)]
    ends = [fx.ground, rods[0].at(0.5, 0, 0), rods[1].at(0.5, 0, 0)]
    others = [rods[0].at(-0.5, 0, 0), rods[1].at(-0.5, 0, 0), fx.ground.at(2, 0, 0)]
    pins = [fx.Revolute(f"pin{i}", a, b, axis="y") for i, (a, b) in enumerate(zip(ends, others, strict=True))]
    return fx.Model("stretched", [*rods, *pins], gravity=(0, 0, -9.81))


@pytest.mark.parametrize(
    ("model", "why"),
    [
        (links(0.0), "change point, where it can go on in several ways"),
        (stretched(), "dead centre that it cannot leave"),
        (links(1.0, fx.Motor("m", "A", acceleration=1), fx.Motor("n", "D", acceleration=2)), "contradict each other"),
    ],
)
@pytest.mark.filterwarnings("ignore::flexor.RedundantConstraints")
def test_a_start_without_a_way_on_is_refused_as_by_the_implicit_solver(model: fx.Model, why: str) -> None:
    for solver in ("implicit", "tree"):
        with pytest.raises(fx.AssemblyError, match=why):
            model.dynamics(until=0.1, step=1e-3, show=False, solver=solver)


def refusal(*items, **settings) -> str:
    with pytest.raises(ModelError) as error:
        fx.Model("refused", list(items)).dynamics(until=1, show=False, solver="tree", **({"step": 1e-3} | settings))
    return str(error.value)


def test_what_the_tree_cannot_do_is_refused_by_name() -> None:
    arm = fx.RigidBody("arm", 1.0, 0.1)
    pin = fx.Revolute("pin", fx.ground, arm, axis="z")
    told = refusal(arm, pin, fx.Friction("rub", pin, coefficient=0.1, radius=0.01))
    assert "'rub'" in told
    assert "leave solver out" in told
    link = fx.RigidBody("link", 0.0)
    second = fx.Revolute("second", arm.at(1, 0, 0), link, axis="z")
    for options in ({}, {"coordinates": "all"}):
        told = refusal(arm, link, pin, second, **options)
        assert "'link'" in told
        assert "inertia" in told


@pytest.mark.parametrize(
    "settings", [{"integrator": 0.5}, {"newton": "full"}, {"augmentation": 1.0}, {"start": "zero"}]
)
def test_settings_of_the_implicit_solver_are_refused(settings) -> None:
    assert next(iter(settings)) in refusal(fx.RigidBody("arm", 1.0, 0.1), **settings)


def test_stabilisation_is_of_the_tree_alone() -> None:
    with pytest.raises(ModelError, match="stabilise"):
        chain_model(1).dynamics(until=1, step=0.1, show=False, stabilise=False)


@pytest.mark.filterwarnings("ignore::flexor.RedundantConstraints")
def test_the_tree_solver_runs_as_plain_python() -> None:
    """To look for a mistake; in joint coordinates, in all coordinates, with loops."""
    for model, options in ((chain_model(2), {}), (chain_model(2), {"coordinates": "all"}), (four_bar(), {})):
        runs = [
            model.dynamics(until=0.02, step=0.01, show=False, solver="tree", python=python, **options)
            for python in (False, True)
        ]
        for name in runs[0].names:
            assert np.abs(runs[0][name][:] - runs[1][name][:]).max() < 1e-12


@pytest.mark.filterwarnings("ignore::flexor.RedundantConstraints")
def test_rows_between_steps_have_reactions_of_their_own() -> None:
    """Dense output is led back to the constraints, and keeps the energy."""
    run = four_bar().dynamics(until=1, error=1e-9, output=0.01, show=False, solver="tree")
    assert len(run.time) == 101
    assert gap(run) < 1e-11
    closely = four_bar().dynamics(until=1, step=1e-3, output=0.01, show=False, solver="tree")
    assert np.abs(run["A.force"][:] - closely["A.force"][:]).max() < 1e-5 * np.abs(run["A.force"][:]).max()
    energy = run["energy.check_sum"]
    assert np.abs(energy - energy[0]).max() < 1e-6


def test_redundant_joints_are_told_with_what_becomes_of_their_forces() -> None:
    """All constraints stay: another joint shares the load than in the implicit solver, and the sum is the same."""
    model = four_bars(2)
    with pytest.warns(fx.RedundantConstraints) as told:
        tree = model.dynamics(until=0.01, step=1e-3, show=False, solver="tree")
    (text,) = (str(each.message) for each in told)
    assert text.startswith("1 redundant constraint kept: r0: ")
    assert "joints of these loops ('r0', 'foot0', 'foot1', 'l0') are not determined" in text
    assert "the tree solver finds the smallest ones" in text
    with pytest.warns(fx.RedundantConstraints, match="1 redundant constraint left out: r0: .*not unique"):
        implicit = model.dynamics(until=0.01, step=1e-3, show=False)
    feet = [run["foot0.force"][:] + run["foot1.force"][:] for run in (tree, implicit)]
    assert np.abs(feet[0] - feet[1]).max() < 1e-3
