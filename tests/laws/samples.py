"""A few declarations of every registered class, and the terms they are lowered to.

A new class in a registry needs an entry in SAMPLES; all laws are then tested on it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import flexor.functions as fx
from flexor.bodies import BODIES, FLEXIBLE, Box, Marker, PointMass, RigidBody, Site
from flexor.contact import CONTACTS, RollingDisc
from flexor.forces import FORCES, AxialSpring, JointSpring, MeshLoad, PointForce, PointTorque
from flexor.joints import (
    DRIVERS,
    JOINTS,
    Cylindrical,
    Distance,
    Fixed,
    Motor,
    Planar,
    PointOnLine,
    Prismatic,
    Revolute,
    Spherical,
    Universal,
)
from flexor.law import GROUND, Term
from flexor.spatial import exp_so3

REGISTERED = (
    *(body for body in BODIES if body not in FLEXIBLE), *JOINTS, *DRIVERS, *(f for f in FORCES if f is not MeshLoad), *CONTACTS
)  # fmt: skip
"""Bodies that deform have laws of their own, see `flexible.py`."""

AB = {"a": "crank", "b": "rod.tip"}
SINE = fx.sine(0.4, frequency=0.35, phase=0.3, offset=1.6)
CUBIC = fx.polynomial(0.5, -1.2, 0.7, 0.9)
SPLINE = fx.table([-6, -2, 0.5, 1, 3, 7], [4, -1, 0.5, 0.7, 2, 9], kind="cubic", extrapolation="linear")

SAMPLES: dict[type, list[dict[str, Any]]] = {
    RigidBody: [
        {"name": "disc", "mass": 1.7, "inertia": (0.4, 0.6, 0.8)},
        {
            "name": "crank",
            "mass": "800 g",
            "inertia": (0.5, 0.7, 0.6, 0.1, -0.2, 0.05),
            "center_of_mass": ("30 mm", 0.1, -0.2),
            "position": (1, 2, 3),
            "orientation": {"axis": "z", "angle": "30 deg"},
            "angular_velocity": (0, 0, "3000 rpm"),
            "markers": {"tip": Marker((0.1, 0, 0))},
            "shapes": (Box(0.1, 0.2, 0.3),),
        },
    ],
    PointMass: [{"name": "bob", "mass": 2.3}],
    Fixed: [AB, {**AB, "at": (1, 2, 3)}],
    Revolute: [AB, {**AB, "axis": (1, -2, 0.5), "start": "400 deg", "start_rate": 2}],
    Prismatic: [AB, {**AB, "axis": "-x", "start": ["5 mm"]}],
    Cylindrical: [AB, {**AB, "axis": "y", "start": [0.3, -7.0]}],
    Spherical: [AB, {**AB, "start": [0.3, -0.4, 2.0]}],
    Universal: [AB, {**AB, "axis": "x", "cross_axis": (0, 0.1, 1), "start": [0.2, 5.0]}],
    Planar: [AB, {**AB, "axis": (0, 1, 1), "start": [0.3, -0.4, 2.0]}],
    PointOnLine: [AB, {**AB, "axis": "y"}],
    Distance: [{**AB, "length": 1.3}, {**AB, "length": SINE}, AB],
    Motor: [
        {"joint": "hinge", "speed": "300 rpm"},
        {"joint": "hinge", "position": SINE},
        {"joint": "hinge", "acceleration": CUBIC},
        {"joint": "slider", "speed": CUBIC},
        {"joint": "slider", "acceleration": SINE},
        {"joint": "sleeve", "variable": "angle", "position": CUBIC},
        {"joint": "cardan", "variable": "angle_a", "speed": SINE},
        {"joint": "cardan", "variable": "angle_b", "position": SPLINE},
        {"joint": "ball", "variable": "angle_z", "position": SINE},
        {"joint": "ball", "variable": "angle_y", "position": fx.sine(0.3, frequency=0.2)},
        {"joint": "ball", "variable": "angle_x", "speed": SINE},
        {"joint": "table", "variable": "y", "position": CUBIC},
        {"joint": "slider", "speed": SINE + CUBIC},
    ],
    AxialSpring: [
        {**AB, "stiffness": "3 N/m", "damping": 0.8},
        {**AB, "stiffness": 2.0, "force": CUBIC, "damper": fx.polynomial(0, 0.3, 0, 0.2), "free_length": SINE},
        {**AB, "force": SPLINE, "free_length": 0.4},
        {**AB, "damping": 1.4, "free_length": 0.0},
        {**AB, "force": "sinh(0.5*t)*exp(-t^2)", "damping": 0.3},
    ],
    JointSpring: [
        {"joint": "hinge", "stiffness": 3.0, "damping": 0.8},
        {"joint": "hinge", "force": CUBIC, "damper": fx.polynomial(0, 0.3, 0, 0.2), "free": SINE},
        {"joint": "slider", "stiffness": "2 N/m", "damping": 0.3, "free": SINE},
        {"joint": "cardan", "variable": "angle_b", "stiffness": 2.0, "force": SPLINE, "damping": 0.5},
        {"joint": "ball", "variable": "angle_y", "stiffness": 2.0, "damping": 0.5},
        {"joint": "ball", "variable": "angle_x", "stiffness": 2.0, "damping": 0.5},
    ],
    PointForce: [
        {"on": "crank.tip", "direction": "y", "force": SINE},
        {"on": {"body": "crank", "at": (0.1, 0, 0)}, "direction": (1, 2, -3), "force": "-5 N", "follows": True},
    ],
    PointTorque: [
        {"on": "crank", "direction": (0, 0, -2), "torque": SINE},
        {"on": "crank.tip", "direction": (1, 2, -3), "torque": "2 N*m", "follows": True},
    ],
    RollingDisc: [
        {"on": "crank.tip", "radius": "300 mm"},
        {"on": "crank", "radius": 0.4, "axis": (0.1, 1, 0.2), "normal": (0.1, 0.2, 1), "point": (0, 0, 0.1)},
    ],
}

MECHANISM = {
    "hinge": Revolute("hinge", **AB, axis="y", start=0.3, start_rate=-0.5),
    "slider": Prismatic("slider", **AB, start=0.2, start_rate=0.7),
    "sleeve": Cylindrical("sleeve", **AB, axis="x", start=(0.1, 2.5)),
    "cardan": Universal("cardan", **AB),
    "ball": Spherical("ball", **AB),
    "table": Planar("table", **AB),
}
"""The joints that motors and joint springs of the samples act in."""


@dataclass(frozen=True)
class Sample:
    """A declaration and two places on two bodies where it attaches."""

    declaration: Any
    sites: tuple[Site, Site]

    @property
    def name(self) -> str:
        return f"{type(self.declaration).__name__}-{self.declaration.name}"

    def terms(self, python: bool = True, turn: Any = None, shift: Any = 0.0) -> list[Term]:
        """Its terms; with `turn` and `shift`, those of the same thing in a turned and shifted frame."""
        made, (a, b) = self.declaration, self.sites
        turn = np.eye(3) if turn is None else turn
        if not getattr(made, "follows", True):  # a direction in global axes
            made = made.replace(direction=turn @ np.array(made.direction))
        if isinstance(made, RollingDisc):
            made = made.replace(normal=turn @ np.array(made.normal), point=turn @ np.array(made.point) + shift)
        offers = {
            "node": a.node,
            "x0": turn @ np.array([0.3, -0.2, 0.5]) + shift,
            "a": a,
            "b": b,
            "site": a,
            "sites": [a, b],
            "joint": MECHANISM.get(getattr(made, "joint", "")),
            "length": fx.Constant(0.9),
            "python": python,
        }
        return made.terms(**{name: offers[name] for name in inspect.signature(made.terms).parameters})

    @property
    def term(self) -> Term:
        """Its only term, in plain Python."""
        (term,) = self.terms()
        return term


def random_rotation(random: np.random.Generator) -> np.ndarray:
    """About any axis, by up to several turns."""
    return exp_so3(random.normal(size=3) * random.uniform(0.5, 8.0))


def samples_of(*classes: type) -> list[Sample]:
    """All samples of these classes; `test_samples.py` reports a class that has none."""
    found = []
    for registered in classes:
        for number, fields in enumerate(SAMPLES.get(registered, [])):
            random = np.random.default_rng([number, *registered.__name__.encode()])
            sites = tuple(Site(node, random.normal(size=3) * 0.4, random_rotation(random)) for node in (1, 2))
            found.append(Sample(registered(**{"name": f"sample {number + 1}", **fields}), sites))
    return found


def on_samples(*classes: type, where: Callable[[Sample], bool] = lambda sample: True) -> Any:
    """Decorator: run a test on every sample of these classes (that meets a condition)."""
    chosen = [sample for sample in samples_of(*classes) if where(sample)]
    return pytest.mark.parametrize("sample", chosen, ids=[sample.name for sample in chosen])


def has_two_nodes(sample: Sample) -> bool:
    """Of bodies: what is between a body and the ground acts on one."""
    return len(sample.term.nodes) == 2 and GROUND not in sample.term.nodes


def has_constraints(sample: Sample) -> bool:
    return bool(sample.term.rows)
