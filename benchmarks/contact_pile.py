"""1000 spheres fall into a box and settle: Flexor's explicit solver against Exudyn's general contact, and MuJoCo for information.

Spheres of 10 mm and 2500 kg/m³ stand 0.8 mm apart, each moved a little at random, and fall 2 mm and more under gravity. Every pair presses with 20 N/mm
and rubs with µ = 0.3. Flexor and Exudyn take the same explicit steps of 50 µs: 1/25 of the shortest period of a pair. What an impact
loses is about as much in both (a restitution of 0.9): Flexor's force is K δ (1 + χ δ̇), Exudyn's K δ + d δ̇. The bed must come to lie at
the same height, and its overlaps be as deep.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import partial
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from benchmarks.timing import Run

RADIUS, DENSITY = 5e-3, 2500.0  # m, kg/m³
MASS = DENSITY * 4.0 / 3.0 * np.pi * RADIUS**3  # kg
STIFFNESS = 2e4  # N/m, of a pair
FRICTION, SMOOTH_SPEED = 0.3, 0.1  # of every pair; m/s up to which friction rises
RESTITUTION = 0.9
GRAVITY = 9.81  # m/s²
SIDE, SPACING, JITTER = 10, 10.8e-3, 2e-4  # spheres along the floor; m
WIDTH = SPACING * (SIDE - 1) + 2 * 6e-3  # m, of the box
STEP, TIME = 5e-5, 0.25  # s
HEIGHT, DEPTH = 0.02, 0.2
"""How far mean heights and mean overlaps may differ, in parts of them, to be the same bed."""


class PileRun(TypedDict):
    """What every contestant returns."""

    seconds: float  # wall time of the solution
    steps: int
    centres: NDArray[np.float64]  # of the spheres at the end, m


def centres(n: int) -> NDArray[np.float64]:
    """Where the spheres begin (n, 3) [m]: layers of SIDE × SIDE."""
    number = np.arange(n)
    grid = np.stack([number % SIDE, number // SIDE % SIDE, number // SIDE**2], axis=1)
    return 6e-3 + SPACING * grid + np.random.default_rng(0).uniform(-JITTER, JITTER, (n, 3))


def overlaps(centres: NDArray[np.float64]) -> NDArray[np.float64]:
    """Depths of all spheres in each other and in the floor [m]."""
    from scipy.spatial import cKDTree

    pairs = cKDTree(centres).query_pairs(2 * RADIUS, output_type="ndarray")
    between = 2 * RADIUS - np.linalg.norm(centres[pairs[:, 0]] - centres[pairs[:, 1]], axis=1)
    floor = RADIUS - centres[:, 2]
    return np.concatenate([between, floor[floor > 0]])


def contestants(n: int = 1000) -> dict[str, Callable[[], Run]]:
    """Flexor, then others, by name; each returns a PileRun."""
    found: dict[str, Callable[[], Run]] = {}
    for name, module, settings in (
        ("flexor", "flexor", {}),
        ("exudyn", "exudyn", {"threads": 1}),
        ("exudyn, 2 threads", "exudyn", {"threads": 2}),
        ("mujoco", "mujoco", {}),
    ):
        try:
            solve: Callable[..., Any] = importlib.import_module(f"benchmarks.contact_pile_{module}").pile
        except ImportError:
            continue  # it is told by who reads the list
        found[name] = partial(solve, n, STEP, round(TIME / STEP), **settings)
    return found


def described(run: Run) -> str:
    deep = overlaps(run["centres"])
    return (
        f"{run['seconds'] / run['steps'] * 1e6:6.0f} µs a step, {run['seconds']:6.2f} s; mean height {run['centres'][:, 2].mean() * 1e3:.2f} mm, "
        f"overlaps {deep.mean() * 1e6:.2f} µm in the mean, {deep.max() * 1e6:.1f} µm at most"
    )


def differ(one: Run, other: Run) -> str:
    """What tells that two runs did not compute the same; nothing if they did."""
    heights = [run["centres"][:, 2].mean() for run in (one, other)]
    depths = [overlaps(run["centres"]).mean() for run in (one, other)]
    if abs(heights[0] - heights[1]) > HEIGHT * heights[1]:
        return f"the beds are {heights[0] * 1e3:.2f} and {heights[1] * 1e3:.2f} mm high in the mean"
    if abs(depths[0] - depths[1]) > DEPTH * depths[1]:
        return f"overlaps are {depths[0] * 1e6:.2f} and {depths[1] * 1e6:.2f} µm in the mean"
    return ""
