"""Accelerations through the tree are those of the implicit engine's global system."""

from __future__ import annotations

import warnings

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import flexor as fx
from benchmarks.nets_flexor import net_model
from flexor.engine.initial import set_proper, solve_accelerations
from flexor.errors import FlexorError
from flexor.hierarchy.partition import Grouping
from flexor.hierarchy.stepper import Tree
from flexor.law import ACCELERATION_LEVEL, RESIDUAL
from flexor.solve.prepare import compile_model
from tests.hierarchy.mechanisms import moving, random_model
from tests.model.strategies import models


def differences(system) -> tuple[float, float]:
    """Largest difference of accelerations, and of what the laws say of them: M a + Gᵀ λ − f; relative."""
    solve_accelerations(system)
    expected, seconds = system.memory.a.copy(), system.memory.s[2::3].copy()
    tree = Tree(system)
    tree.accelerate()
    found = np.concatenate([system.memory.a, system.memory.s[2::3]])
    expected = np.concatenate([expected, seconds])
    scale = max(1.0, np.abs(expected).max())
    return float(np.abs(found - expected).max() / scale), scale


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**31), st.integers(1, 12))
def test_random_trees(seed: int, bodies: int) -> None:
    assert differences(moving(random_model(seed, bodies, 0, 0), seed))[0] < 1e-10


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**31), st.integers(3, 10), st.integers(1, 3))
def test_random_loops(seed: int, bodies: int, loops: int) -> None:
    assert differences(moving(random_model(seed, bodies, loops, 0), seed))[0] < 1e-10


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**31), st.integers(3, 10), st.integers(0, 2), st.integers(1, 3))
def test_random_redundant_loops(seed: int, bodies: int, loops: int, repeated: int) -> None:
    assert differences(moving(random_model(seed, bodies, loops, repeated), seed))[0] < 1e-10


def test_a_net_however_it_is_divided() -> None:
    """Meshed loops, cut by nested dissection, into strips one after the other, and at random."""
    system = moving(net_model(4))
    n, rng = 16 + 24, np.random.default_rng(1)
    solve_accelerations(system)
    expected = system.memory.a.copy()
    strips = [Grouping(f"strip {i}", tuple(range(i, n, 7))) for i in range(7)]
    mixed = [Grouping(f"part {i}", tuple(map(int, part))) for i, part in enumerate(np.split(rng.permutation(n), 4))]
    nested = [Grouping("half", (), (mixed[0], mixed[2]))]
    for groups in ((), strips, mixed, nested):
        Tree(system, groups=groups).accelerate()
        assert np.abs(system.memory.a - expected).max() < 1e-10 * np.abs(expected).max()


def test_the_laws_agree_with_accelerations_and_multipliers() -> None:
    """With redundant constraints multipliers differ, but their forces balance: M a + Gᵀ λ = f to rounding."""
    system = moving(random_model(5, 8, 2, 2), 5)
    tree = Tree(system)
    tree.accelerate()
    rows = system.is_coordinate
    set_proper(system)
    system.evaluate(RESIDUAL | ACCELERATION_LEVEL, 0, 0, 1)
    residual = system.memory.residual
    largest = np.abs(system.memory.lam).max()
    assert tree.numbers.deficient > 0
    assert np.abs(residual[rows]).max() < 1e-11 * largest
    assert np.abs(residual[system.is_constraint]).max() < 1e-5


@settings(max_examples=12, deadline=None)
@given(models())
def test_any_sound_model(model) -> None:
    """Trees with motors, functions, eliminated joints, free bodies; masses from 1 mg to 1000 t."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            system = compile_model(model)
            solve_accelerations(system)
        except FlexorError:
            return
        assert differences(system)[0] < 1e-8


def test_a_heavy_body_of_small_inertia_stays_fixed() -> None:
    """Its mobilities 1/m and r²/I differ by 10⁷; a single correction leaves 5e-3 rad/s²."""
    a = fx.RigidBody("a", 9e5, 0.01, position=(0, 0, 0), center_of_mass=(-0.395, -0.25, -0.05))
    b = fx.RigidBody("b", 9e5, 3.7, position=(0.3, 0, 0), center_of_mass=(0.33, 0.18, -0.3))
    fixed = fx.Fixed("fixed", fx.ground, a, at=(0.14, -0.173, 0.001))
    plane = fx.Planar("plane", a, b, at=(0.31, 0, 0.013), axis="x")
    pull = fx.AxialSpring("pull", fx.ground.at(3, 0, 0), b, stiffness=3e5, free_length=1)
    system = moving(fx.Model("heavy", [a, b, fixed, plane, pull]))
    Tree(system, minimal=False).accelerate()
    assert np.abs(system.nodes("a")[1]).max() < 1e-5
