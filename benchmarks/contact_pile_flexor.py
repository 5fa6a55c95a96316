"""The pile in Flexor's explicit solver; all settings but the step are the defaults."""

from __future__ import annotations

import time

import flexor as fx
from benchmarks.contact_pile import (
    FRICTION,
    GRAVITY,
    MASS,
    RADIUS,
    RESTITUTION,
    SMOOTH_SPEED,
    STIFFNESS,
    WIDTH,
    PileRun,
    centres,
)
from benchmarks.nowhere import Nowhere
from flexor.explicit.stepper import ExplicitStepper
from flexor.solve.dynamics import integrate, prepare
from flexor.solve.settings import DynamicsSettings


def model(n: int) -> fx.Model:
    """The pile as a user declares it."""
    inertia = 0.4 * MASS * RADIUS**2
    balls = [
        fx.RigidBody(f"ball{i}", MASS, (inertia,) * 3, position=p, shapes=[fx.Sphere(RADIUS)])
        for i, p in enumerate(centres(n))
    ]
    sides = [((1, 0, 0), 0.0), ((-1, 0, 0), WIDTH), ((0, 1, 0), 0.0), ((0, -1, 0), WIDTH), ((0, 0, 1), 0.0)]
    walls = [
        fx.ground.surface(fx.Plane(normal, at=[at * abs(each) for each in normal], size=WIDTH)) for normal, at in sides
    ]
    law = fx.Penalty(STIFFNESS, restitution=RESTITUTION, rest_speed=0.05)
    friction = fx.ContactFriction(FRICTION, model="smooth", smooth_speed=SMOOTH_SPEED)
    grains = fx.Contacts("grains", balls, law, friction=friction, walls=walls)
    return fx.Model("pile", [*balls, grains], gravity=(0, 0, -GRAVITY))


def pile(n: int, h: float, steps: int) -> PileRun:
    settings = DynamicsSettings(until=steps * h, step=h, output=steps * h, solver="explicit", record=(), energies=False)
    system = prepare(model(n), settings)
    stepper = ExplicitStepper(system, settings)
    begin = time.perf_counter()
    integrate(system, settings, Nowhere(), stepper=stepper)
    seconds = time.perf_counter() - begin
    return PileRun(seconds=seconds, steps=int(system.run.iterations), centres=system.nodes("x")[1:].copy())
