"""The ball on a flexible plate in Flexor: a floating body, contact over its whole skin."""

from __future__ import annotations

import time
from functools import cache

import flexor as fx
from benchmarks.contact_plate import (
    BALL_MASS,
    BALL_RADIUS,
    GRAVITY,
    MODES,
    RHO_INF,
    SPRING,
    SPRING_DAMPING,
    STIFFNESS,
    VELOCITY,
    PlateRun,
    ball_at,
    corners,
    plate_mesh,
)
from benchmarks.nowhere import Nowhere
from flexor.solve.dynamics import integrate, prepare
from flexor.solve.settings import DynamicsSettings, Tolerances

FAST = 10.0
"""Surfaces that meet more slowly are left to the fixed step [m/s]."""


@cache
def model() -> fx.Model:
    """The plate as a user declares it."""
    mesh = plate_mesh()
    feet = {f"foot{i}": tuple(mesh.points[node]) for i, node in enumerate(corners(mesh.points))}
    plate = fx.FlexibleBody(
        "plate", mesh, reduction=fx.Modal(MODES), formulation="floating", markers=feet, position=(0, 0, 0)
    )
    springs = [
        fx.Bushing(
            f"spring{i}",
            fx.ground.at(*at),
            plate[name],
            stiffness=(SPRING,) * 3 + (0,) * 3,
            damping=(SPRING_DAMPING,) * 3 + (0,) * 3,
        )
        for i, (name, at) in enumerate(feet.items())
    ]
    inertia = 0.4 * BALL_MASS * BALL_RADIUS**2
    ball = fx.RigidBody(
        "ball", BALL_MASS, inertia, position=ball_at(), velocity=VELOCITY, shapes=[fx.Sphere(BALL_RADIUS)]
    )
    touch = fx.Contact("touch", ball, plate.surface("skin"), fx.Penalty(STIFFNESS, rest_speed=FAST))
    return fx.Model("ball on a plate", gravity=GRAVITY, items=[plate, *springs, ball, touch])


def ball_on_plate(h: float, steps: int) -> PlateRun:
    """Solve over the given number of steps h [s]."""
    settings = DynamicsSettings(
        until=steps * h,
        step=h,
        integrator=RHO_INF,
        tolerances=Tolerances(displacement=1e-9, acceleration=1e-3),
        output=steps * h,
        record=(),
        energies=False,
    )
    system = prepare(model(), settings)
    begin = time.perf_counter()
    integrate(system, settings, Nowhere())
    seconds = time.perf_counter() - begin
    number = next(i for i, node in enumerate(system.mechanism.nodes) if node.name == "ball")
    return PlateRun(seconds=seconds, iterations=int(system.run.iterations), ball=system.nodes("x")[number])
