"""Random mechanisms: trees of bodies on joints of all kinds, closed to loops, some of them with joints that repeat each other."""

from __future__ import annotations

import warnings

import numpy as np

import flexor as fx
from flexor.engine.initial import project_velocities
from flexor.engine.system import System
from flexor.solve.prepare import compile_model

KINDS = (fx.Revolute, fx.Prismatic, fx.Cylindrical, fx.Spherical, fx.Universal, fx.Planar, fx.PointOnLine, fx.Fixed)


def random_model(seed: int, bodies: int, loops: int, repeated: int) -> fx.Model:
    """A tree of bodies; `loops` joints more close it, `repeated` ones stand beside others and follow from them."""
    rng = np.random.default_rng(seed)
    parts, items = [], []
    for i in range(bodies):
        moments = rng.uniform(0.5, 1.0, 3)
        part = fx.RigidBody(
            f"body {i}",
            rng.uniform(0.2, 5.0),
            tuple(moments * rng.uniform(0.05, 0.5)),
            position=rng.uniform(-2, 2, 3),
            orientation={"axis": rng.uniform(-1, 1, 3), "angle": rng.uniform(-3, 3)},
            center_of_mass=rng.uniform(-0.3, 0.3, 3),
        )
        before = fx.ground if i == 0 or rng.random() < 0.1 else parts[rng.integers(i)]
        items += [part, _joint(rng, f"joint {i}", KINDS[rng.integers(len(KINDS))], before, part)]
        parts.append(part)
    for i in range(loops if bodies > 1 else 0):
        a, b = rng.choice(bodies, 2, replace=False)
        kind = (fx.Spherical, fx.PointOnLine, fx.Revolute)[rng.integers(3)]
        items.append(_joint(rng, f"loop {i}", kind, parts[a], parts[b]))
    hinges = [item for item in items if isinstance(item, fx.Revolute)]
    for i, hinge in enumerate(hinges[:repeated]):
        place = np.array(hinge.at) + 0.7 * np.array(hinge.axis) / np.linalg.norm(hinge.axis)
        items.append(fx.Revolute(f"again {i}", hinge.a, hinge.b, at=place, axis=hinge.axis))
    spring = fx.AxialSpring("spring", fx.ground.at(3, 0, 0), parts[-1], stiffness=50, damping=2, free_length=1)
    return fx.Model("random", [*items, spring], gravity=(0.3, -0.2, -9.81))


def _joint(rng, name, kind, a, b):
    fields = {"at": rng.uniform(-2, 2, 3)}
    if "axis" in kind.model_fields:
        fields["axis"] = axis = rng.uniform(-1, 1, 3)
        if "cross_axis" in kind.model_fields:
            fields["cross_axis"] = np.cross(axis, (0.3, 0.5, -0.7))
    return kind(name, a, b, **fields)


def moving(model: fx.Model, seed: int = 0) -> System:
    """The model compiled, with random velocities that its constraints allow."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        system = compile_model(model)
    rng = np.random.default_rng(seed)
    nodes = system.memory.node_list
    system.nodes("v")[nodes] = rng.uniform(-2, 2, (len(nodes), 6))
    system.memory.s[1::3] = rng.uniform(-1, 1, len(system.mechanism.scalars))
    for node in nodes:
        system.nodes("v")[node, list(system.mechanism.nodes[node].locked)] = 0.0
    if system.mechanism.followers:
        system.call("follow")
    project_velocities(system)
    return system
