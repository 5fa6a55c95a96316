"""Small reduced bodies and histories that several tests use."""

from __future__ import annotations

from functools import cache

import numpy as np

from flexor.materials import Steel
from flexor.mesh.generate import bar, plate
from flexor.mesh.section import Rectangle, ShellSection
from flexor.recover import BodyHistory
from flexor.reduce import CraigBampton, Interface, ReducedBody, reduce_mesh

E, NU, RHO = 210e9, 0.3, 7850.0
LENGTH, WIDTH, HEIGHT = 1.0, 0.1, 0.08


@cache
def rod(modes: int = 4, across: int = 2) -> ReducedBody:
    """A steel bar 1 × 0.1 × 0.08 m along x whose end faces are free to contract."""
    mesh = bar(LENGTH, WIDTH, HEIGHT, (10, across, across), element="hex20", material=Steel())
    ends = {"left": Interface("x_min", tie="average"), "right": Interface("x_max", tie="average")}
    return reduce_mesh(mesh, ends, CraigBampton(modes), name="rod", check=False, use_cache=False)


@cache
def sheet(element: str = "shell4") -> ReducedBody:
    """A steel sheet 0.4 × 0.1 m, 5 mm thick, in the plane x, y."""
    mesh = plate(0.4, 0.1, divisions=(16, 4), element=element, section=ShellSection(0.005), material=Steel())
    return reduce_mesh(mesh, {"left": "x_min", "right": "x_max"}, CraigBampton(4), name="sheet", check=False,
                       use_cache=False)  # fmt: skip


@cache
def beam() -> ReducedBody:
    """A steel beam of 1 m and 20 × 10 mm along x, eight elements."""
    mesh = bar(1.0, 0.02, 0.01, (8,), element="beam2", section=Rectangle(0.02, 0.01), material=Steel())
    ends = {"left": "x_min", "right": "x_max"}
    return reduce_mesh(mesh, ends, CraigBampton(4), name="beam", check=False, use_cache=False)


def clamped(body: ReducedBody, load: np.ndarray) -> np.ndarray:
    """(r,) coordinates with 'left' clamped and a load (6,) on 'right'."""
    f = np.zeros(body.size)
    f[6:12] = load
    z = np.zeros(body.size)
    z[6:] = np.linalg.solve(body.K[6:, 6:], f[6:])
    return z


def resting(body: ReducedBody, z: np.ndarray, times: np.ndarray | None = None) -> BodyHistory:
    """A history of coordinates z (T, r) in a frame that rests at the origin."""
    z = np.atleast_2d(z)
    times = np.arange(len(z)) * 0.1 if times is None else times
    return BodyHistory(body, times, np.zeros((len(z), 3)), np.tile(np.eye(3), (len(z), 1, 1)), z)


def swinging(body: ReducedBody, rows: int = 150, seed: int = 0) -> BodyHistory:
    """Some smooth deformation over time, different at every place."""
    rng = np.random.default_rng(seed)
    t = np.linspace(0.0, 1.0, rows)
    frequency, phase = rng.uniform(2, 30, body.size), rng.uniform(0, 6, body.size)
    return resting(body, 1e-4 * np.sin(t[:, None] * frequency + phase), t)
