"""One sphere on a flexible plate with 5000 nodes on its surface: Flexor against Exudyn's general contact.

A ball lies on a steel plate of 70 × 35 × 1 solid elements (5112 nodes, all of them on its surface), which moves in its 20 lowest free modes and rests
on a spring at each corner. It is let go with a small velocity and slides over the plate without friction.

Flexor finds the point of the skin nearest to the ball, as it is deformed, triangle by triangle. Exudyn's general contact knows triangles of rigid bodies only; on a
flexible body it knows spheres at nodes, so that each node of the plate carries a small one. Both integrate with generalized-α, ρ∞ = 0.8, the same fixed step; contact is
a spring of the same stiffness. Spheres at nodes are rough: the ball sinks in between them, by up to ROUGHNESS, which is the agreement asked for.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import partial
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

import flexor as fx
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


def contestants() -> dict[str, Callable[[], PlateRun]]:
    """Flexor and Exudyn."""
    found: dict[str, Callable[[], PlateRun]] = {}
    for name in ("flexor", "exudyn"):
        try:
            found[name] = partial(
                importlib.import_module(f"benchmarks.contact_plate_{name}").ball_on_plate, STEP, STEPS
            )
        except ImportError:
            print(f"  {name} is not installed")
    return found


def described(run: PlateRun) -> str:
    return f"{run['seconds'] / STEPS * 1e6:7.0f} µs/step {run['iterations'] / STEPS:5.2f} iterations/step"


def differ(one: PlateRun, other: PlateRun) -> str:
    """What tells that two runs did not compute the same motion."""
    apart = float(np.abs(one["ball"] - other["ball"]).max())
    return f"the ball is {apart:.1e} m apart at the end" if apart > ROUGHNESS else ""
