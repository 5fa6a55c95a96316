"""A chain of N rigid links on revolute joints, released horizontally: Flexor against Exudyn.

Link i is a box 1 m × 0.1 m × 0.1 m of 1 kg along x, from (i, 0, 0) to (i+1, 0, 0). Joint i holds its
near end to the link before (joint 0 to ground); its axis is y for even i and (y + z)/√2 for odd i. (With
y and z the motion would stay in the plane y = 0 and half the joints would never turn.) The chain starts
at rest under gravity −z. Both programs integrate the constrained equations of the N free bodies
(index 3, Lagrange multipliers) with generalized-α, spectral radius ρ∞ = 0.8, fixed step h = 1 ms.

Timed is the call that solves, with its initial accelerations; building and assembling the model is not.
"""

from __future__ import annotations

import argparse
import importlib
import json
from collections.abc import Callable
from functools import partial
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from benchmarks.timing import best_of, machine_facts

LENGTH = 1.0  # m
WIDTH = 0.1  # m, both ways across
MASS = 1.0  # kg
# Box about its centre of mass, kg m²: Jxx = m (b² + b²)/12, Jyy = Jzz = m (ℓ² + b²)/12
INERTIA = (MASS * WIDTH**2 / 6, MASS * (LENGTH**2 + WIDTH**2) / 12, MASS * (LENGTH**2 + WIDTH**2) / 12)
GRAVITY = (0.0, 0.0, -9.81)  # m/s²
RHO_INF = 0.8
STEP = 1e-3  # s
AXES = ((0.0, 1.0, 0.0), (0.0, 0.5**0.5, 0.5**0.5))  # of even and of odd joints, in link axes

AGREEMENT = 1e-6  # m: two programs must put every link end this close together to be compared


class ChainRun(TypedDict):
    """What every contestant ``chain(n, h, steps)`` returns."""

    seconds: float  # wall time of the solution
    iterations: int  # Newton iterations of all steps together
    factorisations: int  # of the iteration matrix, all steps together
    tip: NDArray[np.float64]  # far end of the last link at the end, m
    ends: NDArray[np.float64]  # (n, 3): far end of every link at the end, m


Chain = Callable[[int, float, int], ChainRun]

CONTESTANTS = {
    "flexor": "benchmarks.rigid_chain_flexor:flexor_chain",
    "flexor-elimination": "benchmarks.rigid_chain_flexor:eliminated_chain",
    "exudyn": "benchmarks.rigid_chain_exudyn:exudyn_chain",
    "exudyn-tree": "benchmarks.rigid_chain_exudyn:exudyn_tree",
}


def contestant(name: str) -> Chain:
    """Load one contestant; a program that is not installed is named with its remedy."""
    module, _, function = CONTESTANTS[name].partition(":")
    try:
        return getattr(importlib.import_module(module), function)
    except ImportError as error:
        others = " or ".join(f"--only {other}" for other in CONTESTANTS if other != name)
        raise SystemExit(f"{name} cannot be loaded ({error}); install it or run with {others}") from error


def step_count(n: int) -> int:
    """Steps for a chain of n links: 1 s of motion if short, a few seconds of computing if long."""
    return 1000 if n <= 30 else 500 if n <= 300 else 200


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--n", type=int, nargs="+", default=[10, 100, 1000], help="numbers of links")
    parser.add_argument("--repeats", type=int, default=5, help="runs of which the fastest counts")
    parser.add_argument("--only", choices=CONTESTANTS, help="run one contestant alone, without comparison")
    parser.add_argument(
        "--tree", action="store_true", help="also run Exudyn's minimal-coordinate tree (not in the ratio)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of tables")


def run(arguments: argparse.Namespace) -> int:
    """Print one table per N, then the worst speed-up; 1 if the programs do not agree on the motion."""
    names = [arguments.only] if arguments.only else ["flexor", "exudyn"]
    if arguments.tree and "exudyn-tree" not in names:
        names.append("exudyn-tree")
    chains = {name: contestant(name) for name in names}
    facts = machine_facts("numpy", "numba", "exudyn")
    if not arguments.json:
        print(facts)
    rows = []
    for n in arguments.n:
        rows.append(measure(chains, n, step_count(n), arguments.repeats))
        if not arguments.json:
            print_table(rows[-1])
    speedups = [row["speedup"] for row in rows if "speedup" in row]
    agree = all(row["largest_difference"] <= AGREEMENT for row in rows) if speedups else None
    if arguments.json:
        ratio = min(speedups, default=None)
        print(json.dumps({"machine": facts, "rows": rows, "agree": agree, "ratio": ratio}))
    else:
        if agree is False:
            print(f"\nthe programs differ by more than {AGREEMENT:g} m: they did not compute the same motion")
        if speedups:
            print(f"\nratio {min(speedups):.3g}")
    return 1 if agree is False else 0


def measure(chains: dict[str, Chain], n: int, steps: int, repeats: int) -> dict[str, Any]:
    """Time every contestant on a chain of n links and compare the first with Exudyn's bodies and joints."""
    best = best_of({name: partial(chain, n, STEP, steps) for name, chain in chains.items()}, repeats)
    row: dict[str, Any] = {"n": n, "steps": steps}
    for name, result in best.items():
        row[name] = {
            "us_per_step": result["seconds"] / steps * 1e6,
            "iterations_per_step": result["iterations"] / steps,
            "factorisations_per_step": result["factorisations"] / steps,
            "tip": [float(coordinate) for coordinate in result["tip"]],
        }
    if "flexor" in best and "exudyn" in best:
        row["speedup"] = best["exudyn"]["seconds"] / best["flexor"]["seconds"]
        row["tip_difference"] = float(np.linalg.norm(best["flexor"]["tip"] - best["exudyn"]["tip"]))
        apart = np.linalg.norm(best["flexor"]["ends"] - best["exudyn"]["ends"], axis=1)
        row["largest_difference"] = float(apart.max())
    return row


def print_table(row: dict[str, Any]) -> None:
    print(f"\nN = {row['n']}: {row['steps']} steps of {STEP * 1e3:g} ms")
    print(f"  {'':12s} {'µs/step':>10s} {'iterations/step':>16s} {'factorisations/step':>20s}  tip [m]")
    for name in CONTESTANTS:
        if name in row:
            of = row[name]
            x, y, z = of["tip"]
            print(
                f"  {name:12s} {of['us_per_step']:10.1f} {of['iterations_per_step']:16.2f}"
                f" {of['factorisations_per_step']:20.3f}  ({x:.8f}, {y:.8f}, {z:.8f})"
            )
    if "speedup" in row:
        print(
            f"  speed-up {row['speedup']:.3g}, tip differs by {row['tip_difference']:.1e} m,"
            f" link ends by up to {row['largest_difference']:.1e} m"
        )
