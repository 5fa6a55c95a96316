"""One sphere on a flexible plate with 5000 nodes on its surface: Flexor against Exudyn's general contact.

A ball lies on a steel plate of 70 × 35 × 1 solid elements (5112 nodes, all of them on its surface), which moves in its 20 lowest free modes and rests
on a spring at each corner. It is let go with a small velocity and slides over the plate without friction.

Flexor finds the point of the skin nearest to the ball, as it is deformed, triangle by triangle. Exudyn's general contact knows triangles of rigid bodies only; on a
flexible body it knows spheres at nodes, so that each node of the plate carries a small one. Both integrate with generalized-α, ρ∞ = 0.8, the same fixed step; contact is
a spring of the same stiffness. Spheres at nodes are rough: the ball sinks in between them, by up to ROUGHNESS, which is the agreement asked for.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Callable
from functools import partial
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

import flexor as fx
from benchmarks.timing import best_of, machine_facts
from flexor.mesh.generate import bar
from flexor.mesh.mesh import Mesh

SIZE, DIVISIONS = (0.7, 0.35, 0.01), (70, 35, 1)  # m
MODES = 20
SPRING, SPRING_DAMPING = 2e4, 20.0  # N/m, N s/m, at each corner in each direction
BALL_MASS, BALL_RADIUS = 0.5, 0.05  # kg, m
NODE_RADIUS = 0.001  # m, of Exudyn's spheres at nodes; they must not touch each other
STIFFNESS, DAMPING = 1e5, 0.0  # N/m, N s/m
BEGIN = (0.3, 0.02)  # where the ball is let go [m]
VELOCITY = (0.1, 0.03, 0.0)  # m/s
GRAVITY = (0.0, 0.0, -9.81)  # m/s²
RHO_INF = 0.8
STEP, STEPS = 2e-4, 200
ROUGHNESS = 1e-3  # m
CONTESTANTS = ("flexor", "exudyn")


class PlateRun(TypedDict):
    """What every contestant returns."""

    seconds: float  # wall time of the solution
    iterations: int  # Newton iterations of all steps together
    ball: NDArray[np.float64]  # its position at the end, m


def plate_mesh() -> Mesh:
    """From x = 0 on, its middle plane z = 0."""
    return bar(*SIZE, divisions=DIVISIONS, material=fx.Steel())


def corners(points: NDArray[np.float64]) -> NDArray[np.int64]:
    """Nodes of the lower side at the four corners."""
    low, high = points.min(axis=0), points.max(axis=0)
    at = [(x, y, low[2]) for x in (low[0], high[0]) for y in (low[1], high[1])]
    return np.array([np.argmin(np.linalg.norm(points - np.array(p), axis=1)) for p in at])


def ball_at() -> tuple[float, float, float]:
    """The ball just touches."""
    return (*BEGIN, SIZE[2] / 2 + BALL_RADIUS)


def contestant(name: str) -> Callable[[float, int], PlateRun]:
    try:
        return importlib.import_module(f"benchmarks.contact_plate_{name}").ball_on_plate
    except ImportError as error:
        raise SystemExit(f"{name} cannot be loaded ({error}); install it") from error


def speed_up(repeats: int = 2, steps: int = STEPS) -> tuple[float, str, bool]:
    """How many times as long Exudyn takes, a line about it, and whether both computed the same motion."""
    runs = {name: partial(contestant(name), STEP, steps) for name in CONTESTANTS}
    best = best_of(runs, repeats)
    apart = float(np.abs(best["flexor"]["ball"] - best["exudyn"]["ball"]).max())
    ratio = best["exudyn"]["seconds"] / best["flexor"]["seconds"]
    told = "   ".join(
        f"{name} {run['seconds'] / steps * 1e6:7.0f} µs {run['iterations'] / steps:5.2f}" for name, run in best.items()
    )
    return (
        ratio,
        f"ball on plate, {steps} steps: {told}   speed-up {ratio:.2f}, {apart:.1e} m apart",
        apart <= ROUGHNESS,
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--repeats", type=int, default=2, help="runs of which the fastest counts")
    parser.add_argument("--steps", type=int, default=STEPS, help="steps to take")


def run(arguments: argparse.Namespace) -> int:
    """Print times per step, iterations per step and the speed-up; 1 if the programs do not agree on the motion."""
    print(machine_facts("numpy", "numba", "exudyn"))
    ratio, line, agree = speed_up(arguments.repeats, arguments.steps)
    print(line)
    if not agree:
        print(f"\nthe programs differ by more than {ROUGHNESS:g} m: they did not compute the same motion")
    print(f"\nratio {ratio:.3g}")
    return 0 if agree else 1
