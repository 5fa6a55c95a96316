"""Meshed loops and spring grids: Flexor against Exudyn.

A *net* of n × n knots (rigid spheres) and 2n(n−1) links (rigid rods) on ball joints hangs by its four corners. Knot (i, j) starts at
rest at a (i, j, ±1/4), up and down in turn, so that every mesh is slack, and falls under gravity −z. A *grid* of n³ point masses is
joined to its neighbours by springs along x, y and z; one upper edge is held, all else falls and swings from the unstretched state.

Both programs integrate with generalized-α, ρ∞ = 0.8, fixed step; nets with Lagrange multipliers (index 3). Timed is the call that
solves, with its initial accelerations; building and assembling the model is not.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Callable
from functools import partial
from typing import NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray

from benchmarks.timing import Run, best_of, machine_facts

SPACING = 0.1  # m, between knots or masses
KNOT_MASS, KNOT_RADIUS = 0.02, 0.01  # kg, m
KNOT_INERTIA = 0.4 * KNOT_MASS * KNOT_RADIUS**2  # kg m²
LINK_MASS, LINK_RADIUS = 0.05, 0.005  # kg, m
POINT_MASS, STIFFNESS, DAMPING = 0.02, 2e3, 0.05  # kg, N/m, N s/m
GRAVITY = (0.0, 0.0, -9.81)  # m/s²
RHO_INF = 0.8
STEP = 1e-3  # s
AGREEMENT = 5e-6  # m: two programs must put every point this close together to be compared


class NetRun(TypedDict):
    """What every contestant returns."""

    seconds: float  # wall time of the solution
    iterations: int  # Newton iterations of all steps together
    factorisations: int  # of the iteration matrix
    points: NDArray[np.float64]  # knots or masses at the end, m


class Net(NamedTuple):
    """points: (N, 3) [m].   bars: pairs of points.   held: points that do not move."""

    points: NDArray[np.float64]
    bars: list[tuple[int, int]]
    held: list[int]


def net(n: int) -> Net:
    points = [(SPACING * i, SPACING * j, SPACING / 4 * (-1) ** (i + j)) for i in range(n) for j in range(n)]
    along = [(n * i + j, n * (i + 1) + j) for i in range(n - 1) for j in range(n)]
    across = [(n * i + j, n * i + j + 1) for i in range(n) for j in range(n - 1)]
    return Net(np.array(points), along + across, [0, n - 1, n * (n - 1), n * n - 1])


def grid(n: int) -> Net:
    number = np.arange(n**3).reshape(n, n, n)
    points = SPACING * np.stack(np.meshgrid(*[np.arange(n)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    pairs = [(number[:-1], number[1:]), (number[:, :-1], number[:, 1:]), (number[..., :-1], number[..., 1:])]
    bars = [(int(a), int(b)) for one, other in pairs for a, b in zip(one.ravel(), other.ravel(), strict=True)]
    return Net(points.astype(float), bars, number[0, :, -1].tolist())


MODELS = {
    "net-5": ("net", 5, 150),
    "net-10": ("net", 10, 150),
    "net-16": ("net", 16, 150),
    "grid-4": ("grid", 4, 300),
    "grid-8": ("grid", 8, 150),
}
"""Kind, n, steps."""
CONTESTANTS = ("flexor", "exudyn")


def contestant(name: str, kind: str) -> Callable[[int, float, int], NetRun]:
    try:
        return getattr(importlib.import_module(f"benchmarks.nets_{name}"), kind)
    except ImportError as error:
        raise SystemExit(f"{name} cannot be loaded ({error}); install it") from error


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--repeats", type=int, default=5, help="runs of which the fastest counts")
    parser.add_argument("--only", nargs="+", default=list(MODELS), choices=list(MODELS), help="some of the models")


def run(arguments: argparse.Namespace) -> int:
    """Print a line per model, then the worst speed-up; 1 if the programs do not agree on the motion."""
    print(machine_facts("numpy", "numba", "exudyn"))
    print(f"steps of {STEP * 1e3:g} ms; µs per step, iterations per step, factorisations; difference in m")
    ratios, agree = [], True
    for name in arguments.only:
        kind, n, steps = MODELS[name]
        runs = {each: partial(contestant(each, kind), n, STEP, steps) for each in CONTESTANTS}
        best = best_of(runs, arguments.repeats)
        apart = float(np.abs(best["flexor"]["points"] - best["exudyn"]["points"]).max())
        ratios.append(best["exudyn"]["seconds"] / best["flexor"]["seconds"])
        agree = agree and apart <= AGREEMENT
        told = "   ".join(described(each, best[each], steps) for each in CONTESTANTS)
        print(f"{name:8s} {steps} steps: {told}   speed-up {ratios[-1]:.2f}, {apart:.1e}", flush=True)
    if not agree:
        print(f"\nthe programs differ by more than {AGREEMENT:g} m: they did not compute the same motion")
    print(f"\nratio {min(ratios):.3g}")
    return 0 if agree else 1


def described(name: str, done: Run, steps: int) -> str:
    time, iterations = done["seconds"] / steps * 1e6, done["iterations"] / steps
    return f"{name} {time:7.0f} µs {iterations:5.2f} {done['factorisations']:4d}"
