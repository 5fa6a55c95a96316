"""Threads that share a tree: the same numbers to the last bit, taken only where they are faster."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import flexor as fx
from benchmarks.rigid_chain_flexor import chain_model
from benchmarks.tree import four_bars
from flexor.errors import LawError, ModelError
from flexor.hierarchy.crew import Crew
from flexor.hierarchy.pace import Pace, may_pay
from flexor.hierarchy.stepper import NotDivided, Tree
from tests.hierarchy.mechanisms import moving, random_model
from tests.hierarchy.test_shared_tree import CASES, MODELS, runs_of

pytestmark = pytest.mark.filterwarnings("ignore:.*redundant")


@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize(("name", "settings"), CASES)
def test_rows_are_those_of_one_thread(name: str, settings: dict, threads: int) -> None:
    model = MODELS[name]()
    (alone,) = runs_of(model, 0, **settings, threads=1)
    (shared,) = runs_of(model, 0, **settings, threads=threads)
    assert np.array_equal(shared, alone)
    assert not [each for each in threading.enumerate() if each.name == "flexor branch"]


def test_redundant_constraints_of_all_branches_are_counted() -> None:
    """And threads may begin and end at any time."""
    system = moving(random_model(5, 8, 2, 2), 5)
    tree = Tree(system, minimal=False)
    tree.accelerate()
    alone, found = int(tree.numbers.deficient), system.memory.a.copy()
    crew = Crew(tree, 3)
    try:
        for begin in (crew.begin, crew.end, crew.begin):
            begin()
            system.memory.a[:] = 0.0
            tree.accelerate()
            assert tree.numbers.deficient == alone > 0
            assert np.array_equal(system.memory.a, found)
    finally:
        crew.close()


def test_a_law_that_fails_in_a_branch_is_named() -> None:
    row = four_bars(12)
    bodies = [item for item in row.items if isinstance(item, fx.RigidBody)]
    for body in (bodies[0], bodies[-1]):
        push = fx.PointForce("short", body, direction="y", force=fx.Expression("sqrt(0.0035 - t)"))
        with pytest.raises(LawError, match="'short'"):
            row.replace(items=[*row.items, push]).dynamics(until=0.01, step=1e-3, show=False, solver="tree", threads=2)


def test_the_implicit_solver_has_no_threads() -> None:
    with pytest.raises(ModelError, match=r"threads = 2.*one thread"):
        four_bars(2).dynamics(until=0.01, step=1e-3, threads=2)


def test_short_steps_are_not_divided() -> None:
    """t/N + t_sched < t is what threads need at least: NAK (19-1)."""
    assert not may_pay(0.5e-3, 2)
    assert not may_pay(1e3, 1)
    assert may_pay(5e-3, 2)
    assert may_pay(1e-3, 8)


def paced(alone: float, together: float, threads: int = 2, chunks: int = 8) -> list[bool]:
    """How each chunk of ten steps is computed, if a step takes so long."""
    pace, ways = Pace(threads), []
    for _ in range(chunks):
        ways.append(pace.shared)
        pace.took(10 * (together if pace.shared else alone), 10)
    return ways


def test_threads_are_taken_where_they_are_faster() -> None:
    assert paced(10e-3, 6e-3) == [False, False, True, False, True, True, True, True]
    assert paced(10e-3, 9.5e-3) == [False, False, True, False, True, False, False, False]
    assert paced(10e-3, 20e-3)[-3:] == [False] * 3
    assert paced(0.1e-3, 0.01e-3) == [False] * 8  # never tried
    assert paced(10e-3, 1e-3, threads=1) == [False] * 8


def test_threads_are_given_up_when_they_become_slower() -> None:
    pace = Pace(2)
    for seconds in (10, 10, 6, 10, 6):
        pace.took(seconds, 1000)
    assert pace.shared
    pace.took(12, 1000)
    assert not pace.shared
    pace.took(1, 1000)
    assert not pace.shared


def test_joint_coordinates_are_not_divided() -> None:
    with pytest.warns(NotDivided, match=r"threads = 2: without loops.*by one thread"):
        chain_model(3).dynamics(until=0.01, step=1e-3, show=False, solver="tree", threads=2)
