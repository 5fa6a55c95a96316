"""Nets and spring grids in Flexor.

Newton's tolerances are those with which every point stays within 1e-7 m of the converged solution (the Exudyn contestant: 2e-6 m in
nets); all other settings are the defaults.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

import flexor as fx
from benchmarks.nets import (
    DAMPING,
    GRAVITY,
    KNOT_INERTIA,
    KNOT_MASS,
    LINK_MASS,
    LINK_RADIUS,
    POINT_MASS,
    RHO_INF,
    STIFFNESS,
    NetRun,
)
from benchmarks.nets import grid as grid_of
from benchmarks.nets import net as net_of
from benchmarks.nowhere import Nowhere
from flexor.solve.dynamics import integrate, prepare
from flexor.solve.settings import DynamicsSettings, Tolerances


def net_model(n: int) -> fx.Model:
    """The net as a user declares it."""
    shape = net_of(n)
    knots = [fx.RigidBody(f"knot{k}", KNOT_MASS, (KNOT_INERTIA,) * 3, position=p) for k, p in enumerate(shape.points)]
    items: list[Any] = [*knots]
    for k, (a, b) in enumerate(shape.bars):
        along = shape.points[b] - shape.points[a]
        length = float(np.linalg.norm(along))
        about, across = LINK_MASS * LINK_RADIUS**2 / 2, LINK_MASS * (3 * LINK_RADIUS**2 + length**2) / 12
        middle = (shape.points[a] + shape.points[b]) / 2
        link = fx.RigidBody(f"link{k}", LINK_MASS, (about, across, across), position=middle, orientation=frame(along))
        for end, knot in ((-1, a), (1, b)):
            items.append(fx.Spherical(f"ball{k}{'ab'[end > 0]}", knots[knot], link.at(end * length / 2, 0, 0)))
        items.append(link)
    items += [fx.Spherical(f"corner{k}", fx.ground.at(*shape.points[k]), knots[k]) for k in shape.held]
    return fx.Model("net", gravity=GRAVITY, items=items)


def frame(along: np.ndarray) -> list[list[float]]:
    """Axes of a link: x along it, y level."""
    x = along / np.linalg.norm(along)
    y = np.cross((0.0, 0.0, 1.0), x)
    y /= np.linalg.norm(y)
    return np.column_stack([x, y, np.cross(x, y)]).tolist()


def grid_model(n: int) -> fx.Model:
    """The spring grid as a user declares it."""
    shape = grid_of(n)
    held = set(shape.held)
    points = {k: fx.PointMass(f"p{k}", POINT_MASS, position=p) for k, p in enumerate(shape.points) if k not in held}
    items: list[Any] = [*points.values()]
    for k, (a, b) in enumerate(shape.bars):
        if not {a, b} <= held:
            ends = [fx.ground.at(*shape.points[e]) if e in held else points[e] for e in (a, b)]
            items.append(fx.AxialSpring(f"s{k}", *ends, stiffness=STIFFNESS, damping=DAMPING))
    return fx.Model("grid", gravity=GRAVITY, items=items)


def net(n: int, h: float, steps: int) -> NetRun:
    return solved(net_model(n), n * n, h, steps, Tolerances(displacement=1e-9, acceleration=1e-4))


def grid(n: int, h: float, steps: int) -> NetRun:
    return solved(grid_model(n), n**3 - n, h, steps, Tolerances(acceleration=1e-6))


def solved(model: fx.Model, count: int, h: float, steps: int, tolerances: Tolerances) -> NetRun:
    """The points are the first bodies of the model."""
    settings = DynamicsSettings(
        until=steps * h,
        step=h,
        output=steps * h,
        integrator=RHO_INF,
        tolerances=tolerances,
        record=(),
        energies=False,
    )
    system = prepare(model, settings)
    begin = time.perf_counter()
    integrate(system, settings, Nowhere())
    seconds = time.perf_counter() - begin
    points = system.nodes("x")[1 : count + 1].copy()
    return NetRun(
        seconds=seconds,
        iterations=int(system.run.iterations),
        factorisations=int(system.run.factorisations),
        points=points,
    )
