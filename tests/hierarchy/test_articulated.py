"""Mechanisms without loops in minimal coordinates: the same accelerations, reactions and motion as with all coordinates."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flexor as fx
from benchmarks.rigid_chain_flexor import chain_model
from flexor.engine.initial import solve_accelerations
from flexor.hierarchy.stepper import Tree
from flexor.hierarchy.symmetric import full, shifted_coupling, shifted_moments, turned
from flexor.spatial import exp_so3, skew
from tests.hierarchy.mechanisms import moving, random_model


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**31), st.integers(1, 12))
def test_accelerations_and_reactions_of_random_trees(seed: int, bodies: int) -> None:
    """Joints of all kinds, from either side; the state goes through joint coordinates and back."""
    system = moving(random_model(seed, bodies, 0, 0), seed)
    solve_accelerations(system)
    expected = system.copy("x", "R", "v", "a", "lam")
    tree = Tree(system)
    assert tree.links is not None
    tree.begin()
    for name, values in expected.items():
        scale = max(1.0, np.abs(values).max())
        assert np.abs(getattr(system.memory, name) - values).max() < 1e-9 * scale, name


def reversed_joint(joint):
    return joint.replace(a=joint.b, b=joint.a)


@pytest.mark.parametrize("kind", [fx.Universal, fx.Cylindrical, fx.PointOnLine, fx.Planar])
@pytest.mark.parametrize("turn", [False, True])
def test_motion_in_minimal_and_in_all_coordinates(kind, turn: bool) -> None:
    """From step to step both give the same signals, angles with their turns included."""
    arm = fx.RigidBody("arm", 1.3, (0.1, 0.2, 0.25), center_of_mass=(0.3, 0.1, -0.2))
    about = {"cross_axis": "x"} if kind is fx.Universal else {}
    joint = kind("joint", fx.ground, arm, axis="z", start_rate=(3.0,) * len(kind.variables), **about)
    if turn:
        base = fx.RigidBody("base", 2.0, 0.3)
        joint = kind("joint", arm, base, axis="z", **about)
        pin = fx.Revolute("pin", fx.ground, base, axis="y", start_rate=20)
        items = [arm, base, pin, joint]
    else:
        items = [arm, joint]
    model = fx.Model("pair", items, gravity=(0.5, 0.3, -9.81))
    runs = [
        model.dynamics(until=0.4, step=1e-3, output=0.05, show=False, solver="tree", **options)
        for options in ({}, {"coordinates": "all"})
    ]
    for name in runs[0].names:
        scale = max(1.0, np.abs(runs[1][name][:]).max())
        assert np.abs(runs[0][name][:] - runs[1][name][:]).max() < 1e-6 * scale, name


def test_a_free_body_tumbles() -> None:
    """Energy and angular momentum of a body that flies freely."""
    body = fx.RigidBody("body", 2.0, (0.1, 0.2, 0.25), angular_velocity=(1, 5, 0.1), velocity=(1, 0, 0))
    run = fx.Model("free", [body]).dynamics(until=5, step=5e-3, show=False, solver="tree")
    energy = run["energy.kinetic"]
    assert np.abs(energy - energy[0]).max() < 1e-7
    assert np.abs(run["body.position_x"] - run.time).max() < 1e-12


def test_springs_act_on_links() -> None:
    """A pendulum with a spring and a damper on its joint: the same as with all coordinates, energy balance included."""
    arm = fx.RigidBody("arm", 1.0, 0.1, center_of_mass=(0.5, 0, 0), markers={"tip": (1, 0, 0)})
    pin = fx.Revolute("pin", fx.ground, arm, axis="z")
    spring = fx.AxialSpring("spring", fx.ground.at(1, 1, 0), arm["tip"], stiffness=40, damping=1, free_length=0.5)
    torsion = fx.JointSpring("torsion", pin, stiffness=5, damping=0.1)
    model = fx.Model("pendulum", [arm, pin, spring, torsion], gravity=(0, -9.81, 0))
    runs = [
        model.dynamics(until=1, step=1e-3, show=False, solver="tree", **options)
        for options in ({}, {"coordinates": "all"})
    ]
    for name in runs[0].names:
        assert np.abs(runs[0][name][:] - runs[1][name][:]).max() < 1e-6 * max(1, np.abs(runs[1][name][:]).max()), name
    energy = runs[0]["energy.check_sum"]
    assert np.abs(energy - energy[0]).max() < 1e-4


def test_turns_are_counted_between_rows_that_are_far_apart() -> None:
    wheel = fx.RigidBody("wheel", 1.0, 0.1)
    pin = fx.Revolute("pin", fx.ground, wheel, axis="z", start_rate=100)
    run = fx.Model("wheel", [wheel, pin]).dynamics(until=1, step=1e-3, output=0.25, show=False, solver="tree")
    assert np.allclose(run["pin.angle"][:], 100 * run.time)


def test_loops_are_not_taken_for_trees() -> None:
    assert Tree(moving(random_model(3, 5, 1, 0), 3)).links is None
    assert Tree(moving(chain_model(3))).links is not None
    assert Tree(moving(chain_model(3)), minimal=False).links is None


def test_symmetric_matrices() -> None:
    rng = np.random.default_rng(1)
    S, C = (B @ B.T for B in rng.normal(size=(2, 3, 3)))
    B, d = rng.normal(size=(3, 3)), rng.normal(size=3)
    R = exp_so3(rng.normal(size=3))
    upper = np.triu_indices(3)
    assert np.allclose(np.reshape(full(turned(R.reshape(-1), S[upper])), (3, 3)), R @ S @ R.T)
    D = skew(d)
    E = B + D @ C
    assert np.allclose(np.reshape(shifted_coupling(d, B.reshape(-1), C[upper]), (3, 3)), E)
    whole = S - B @ D + D @ E.T
    assert np.allclose(whole, whole.T)
    assert np.allclose(np.reshape(full(shifted_moments(d, S[upper], B.reshape(-1), E.reshape(-1))), (3, 3)), whole)
