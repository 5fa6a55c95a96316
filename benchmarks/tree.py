"""The tree solver: growth of its cost with the number of bodies, against a global solution, and against peers on open chains.

1. Chains of `rigid-chain` in minimal coordinates, RK4 with h = 1 ms: Flexor against Pinocchio (its ABA, the four stages in NumPy) and MuJoCo
   (its own RK4), both from PyPI: `pip install pin mujoco`. All put the tip at the same place. Pinocchio's data grow with N³ and do not
   fit into memory at N = 1000.
2. Chains, and rows of four-bar linkages with their loops and redundant hinges, in all coordinates: time of a step with its
   stabilisation, and the exponent of its growth.
3. Accelerations of a chain of 100 links and of `examples/car.py` in all coordinates: through the tree, by the dense system of Vlasenko &
   Kasper (4), solved by LAPACK, and by the engine's sparse factorisation.

Timed is processor time of the steps, best of several runs, without building the model and starting. The last line is the worst speed-up over
the faster one of the peers that are installed.
"""

from __future__ import annotations

import argparse
import importlib
import json
import runpy
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import flexor as fx
from benchmarks.rigid_chain import STEP
from benchmarks.rigid_chain_flexor import chain_model
from benchmarks.timing import best_of, machine_facts
from flexor.engine.columns import choose_signals, take_rows
from flexor.engine.initial import solve_accelerations
from flexor.engine.memory import CHUNK_DONE
from flexor.engine.system import System
from flexor.hierarchy.stepper import Tree, TreeStepper
from flexor.law import ACCELERATION_LEVEL, MATRIX, RESIDUAL
from flexor.solve.dynamics import prepare
from flexor.solve.prepare import compile_model
from flexor.solve.settings import DynamicsSettings

PEERS = {"pinocchio": "benchmarks.tree_pinocchio:pinocchio_chain", "mujoco": "benchmarks.tree_mujoco:mujoco_chain"}
AGREEMENT = 1e-6
"""Distance of the tips [m] below which programs have computed the same motion."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--n", type=int, nargs="+", default=[10, 100, 1000], help="links of chains against peers")
    parser.add_argument("--grow", type=int, nargs="*", default=[100, 1000, 10000], help="numbers of bodies for growth")
    parser.add_argument("--repeats", type=int, default=5, help="runs of which the fastest counts")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of tables")


def run(arguments: argparse.Namespace) -> int:
    """Print all tables, then the worst speed-up; 1 if programs do not agree on the motion."""
    say: Callable[..., None] = (lambda *_: None) if arguments.json else partial(print, flush=True)
    facts = machine_facts("numpy", "numba", "pin", "mujoco")
    say(facts)
    peers = {name: found for name, place in PEERS.items() if (found := _peer(place)) is not None}
    missing = [name for name in PEERS if name not in peers]
    if missing:
        say(f"not installed, left out: {', '.join(missing)}; pip install pin mujoco")
    say("\nopen chains, µs per RK4 step")
    chains = [compare(n, peers, arguments.repeats) for n in arguments.n]
    for row in chains:
        times = "   ".join(f"{name} {row[name]:9.1f}" for name in ("flexor", *peers))
        say(f"  N = {row['n']:5d}: {times}   speed-up {row['ratio']:.2f}, tips differ by {row['apart']:.1e} m")
    say("\nall coordinates, RK4 with stabilisation, µs per step and body")
    growth = {}
    for name, model in (("chain", chain_model), ("four-bars", four_bars)):
        rows = [(n, step_time(model(n), arguments.repeats)) for n in arguments.grow]
        for n, seconds in rows:
            say(f"  {name:9s} N = {n:5d}: {seconds / n * 1e6:8.2f}")
        if len(rows) > 1:
            slope = np.polyfit(np.log([n for n, _ in rows]), np.log([s for _, s in rows]), 1)[0]
            growth[name] = float(slope)
            say(f"  {name:9s} grows as N^{slope:.2f}")
    say("\naccelerations in all coordinates, µs")
    whole = {}
    for name, mechanism in (("chain of 100", chain_model(100)), ("car", car())):
        whole[name] = against_global(mechanism, arguments.repeats)
        say(f"  {name:12s}: " + ", ".join(f"{way} {seconds * 1e6:.0f}" for way, seconds in whole[name].items()))
    agree = all(row["apart"] < AGREEMENT for row in chains)
    ratio = min((row["ratio"] for row in chains if np.isfinite(row["ratio"])), default=float("nan"))
    if arguments.json:
        print(json.dumps({"machine": facts, "chains": chains, "growth": growth, "global": whole, "ratio": ratio}))
    else:
        if not agree:
            print(f"\nthe programs differ by more than {AGREEMENT:g} m: they did not compute the same motion")
        print(f"\nratio {ratio:.3g}")
    return 0 if agree else 1


def car() -> fx.Model:
    """The car of `examples/car.py`."""
    return runpy.run_path(str(Path(__file__).parents[1] / "examples" / "car.py"))["car"]()


def _peer(place: str) -> Callable[[int, float, int], dict[str, Any]] | None:
    module, _, function = place.partition(":")
    try:
        return getattr(importlib.import_module(module), function)
    except ImportError:
        return None


def compare(n: int, peers: dict[str, Callable], repeats: int) -> dict[str, Any]:
    """A chain of n links by all programs."""
    steps = {10: 2000, 100: 500}.get(n, max(5, 100_000 // n))
    contestants = {"flexor": flexor_chain, **peers}
    best = best_of({name: partial(each, n, STEP, steps) for name, each in contestants.items()}, repeats)
    row: dict[str, Any] = {"n": n, "steps": steps}
    row |= {name: result["seconds"] / steps * 1e6 for name, result in best.items()}
    able = [name for name in peers if np.isfinite(row[name])]
    row["ratio"] = min((row[name] for name in able), default=float("nan")) / row["flexor"]
    row["apart"] = max((float(np.linalg.norm(best[name]["tip"] - best["flexor"]["tip"])) for name in able), default=0.0)
    return row


def settings_of(steps: int, **more: Any) -> DynamicsSettings:
    until = steps * STEP
    one = {"record": (), "energies": False, "solver": "tree", "threads": 1}
    return DynamicsSettings(until=until, step=STEP, output=until, **one, **more)


def flexor_chain(n: int, h: float, steps: int) -> dict[str, Any]:
    """The chain in minimal coordinates."""
    chosen = settings_of(steps)
    system = prepare(chain_model(n), chosen)
    seconds = steps_timed(system, TreeStepper(system, chosen))
    R = system.memory.R.reshape(-1, 3, 3)[-1]
    return {"seconds": seconds, "tip": system.nodes("x")[-1] + R @ np.array([0.5, 0, 0])}


def steps_timed(system: System, stepper: TreeStepper) -> float:
    """Seconds of all steps of a run, without its start and its files."""
    run = system.run
    choose_signals(system, (), False)
    stepper.start()
    run.steps_max = run.step_rows_max
    seconds = 0.0
    while run.end_time - run.time0 > 1e-9 * run.max_step:
        begin = time.thread_time()
        status = stepper.loop()
        seconds += time.thread_time() - begin
        assert status == CHUNK_DONE
        take_rows(system)
    return seconds


def four_bars(n: int) -> fx.Model:
    """About n bodies: uprights in a row and couplers between them, with spatial hinges, some of which are redundant in each loop."""
    count = max(n // 2, 1)
    slender = (1e-4, 1 / 12, 1 / 12)
    uprights = [
        fx.RigidBody(f"u{i}", 1.0, slender, center_of_mass=(0.5, 0, 0), position=(i, 0, 0), orientation=_UP)
        for i in range(count + 1)
    ]
    items: list[Any] = [*uprights]
    items += [fx.Revolute(f"foot{i}", fx.ground.at(i, 0, 0), each, axis="z") for i, each in enumerate(uprights)]
    for i in range(count):
        coupler = fx.RigidBody(f"c{i}", 1.0, slender, center_of_mass=(0.5, 0, 0), position=(i, 1, 0))
        items += [
            coupler,
            fx.Spherical(f"l{i}", uprights[i].at(1, 0, 0), coupler),
            fx.Revolute(f"r{i}", uprights[i + 1].at(1, 0, 0), coupler.at(1, 0, 0), axis="z"),
        ]
    return fx.Model("four-bars", items, gravity=(1.0, -9.81, 0))


_UP = {"axis": "z", "angle": "90 deg"}


def step_time(model: fx.Model, repeats: int) -> float:
    """Of one step in all coordinates, with stabilisation [s]."""
    steps = max(3, 6000 // len(model.items))
    chosen = settings_of(steps, coordinates="all")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        system = prepare(model, chosen)
    stepper = TreeStepper(system, chosen)
    keep = system.copy("x", "R", "v", "a", "lam", "history")
    best = np.inf
    for _ in range(repeats):
        system.put(keep)
        system.run.time = system.run.time0 = 0.0
        system.run.step_count = 0
        best = min(best, steps_timed(system, stepper) / steps)
    return float(best)


def against_global(model: fx.Model, repeats: int) -> dict[str, float]:
    """Seconds for accelerations: through the tree, by a dense global system (its solution alone), by the engine's sparse one."""
    system = compile_model(model)
    tree = Tree(system, minimal=False)
    system.evaluate(RESIDUAL | MATRIX | ACCELERATION_LEVEL, 0.0, 0.0, 1.0)
    matrix = system.solver.rows_of(
        np.arange(system.equations.pattern.n), np.arange(system.equations.pattern.n)
    ).csr.toarray()
    matrix += np.diag(np.where(np.abs(matrix).sum(axis=0) == 0, 1.0, 0.0))
    right = -system.memory.residual
    ways: dict[str, Callable[[], object]] = {
        "tree": lambda: tree.table.call("rates"),
        "dense": lambda: np.linalg.solve(matrix, right),
        "sparse": lambda: solve_accelerations(system),
    }
    tree.begin()
    tree.memory.y[:] = tree.memory.y0
    found = {}
    for name, way in ways.items():
        best = np.inf
        for _ in range(max(repeats, 3)):
            begin = time.thread_time()
            way()
            best = min(best, time.thread_time() - begin)
        found[name] = float(best)
    return found
