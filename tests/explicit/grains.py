"""Balls in a box, for tests of the explicit solver."""

from __future__ import annotations

from typing import Any

import numpy as np

import flexor as fx

RADIUS, MASS = 5e-3, 1.3e-3
INERTIA = 0.4 * MASS * RADIUS**2


def ball(i: int, position: Any, **fields: Any) -> fx.RigidBody:
    return fx.RigidBody(f"b{i}", MASS, (INERTIA,) * 3, position=position, shapes=[fx.Sphere(RADIUS)], **fields)


def box(width: float) -> list[Any]:
    """Floor and four walls."""
    sides = (((0, 0, 1), 0.0), ((1, 0, 0), 0.0), ((0, 1, 0), 0.0), ((-1, 0, 0), width), ((0, -1, 0), width))
    return [fx.ground.surface(fx.Plane(n, at=[at * abs(each) for each in n])) for n, at in sides]


def lattice(n: int, side: int) -> tuple[np.ndarray, float]:
    """Places a little apart, each moved at random, and the width of the box [m]."""
    number = np.arange(n)
    grid = np.stack([number % side, number // side % side, number // side**2], axis=1)
    return 6e-3 + 10.8e-3 * grid + np.random.default_rng(0).uniform(-2e-4, 2e-4, (n, 3)), 10.8e-3 * (side - 1) + 12e-3


def pile(n: int, side: int, law: Any = None, friction: Any = 0.0) -> fx.Model:
    places, width = lattice(n, side)
    balls = [ball(i, place) for i, place in enumerate(places)]
    law = fx.Penalty(2e4, damping=2.0) if law is None else law
    grains = fx.Contacts("grains", balls, law, friction=friction, walls=box(width))
    return fx.Model("pile", [*balls, grains], gravity=(0, 0, -9.81))
