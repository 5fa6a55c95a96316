"""Samples of bodies that deform, in every formulation, and states of them: large motion, moderate deformation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np
import pytest

import flexor as fx
from flexor.bodies import FLEXIBLE
from flexor.bodies.body import Parts, Start
from flexor.joints.surroundings import Carrier
from flexor.law import Term
from flexor.mesh.generate import bar
from flexor.spatial import Pose, exp_so3
from tests.laws import samples
from tests.laws.states import State

MESH_MATERIAL = fx.Isotropic(young=4e3, poisson=0.3, density=900.0)
MESH = bar(1.0, 0.2, 0.3, divisions=(3, 1, 1), material=MESH_MATERIAL)
TRIANGLE = {
    "left": fx.plane(at=(0, 0, 0), normal="x"),
    "right": fx.plane(at=(1, 0, 0), normal="x"),
    "top": fx.box((0.3, -0.2, 0.14), (0.7, 0.2, 0.16)),
}
LINE = {name: TRIANGLE[name] for name in ("left", "right")}


def rod(interfaces: Any = LINE, **about: Any) -> fx.FlexibleBody:
    given = {"reduction": fx.CraigBampton(modes=3), "damping": fx.Rayleigh(0.5, 2e-3), **about}
    return fx.FlexibleBody("rod", MESH, interfaces=interfaces, **given)


COUPLING = np.diag([400.0, 150.0, 160.0, 3.0, 4.0, 6.0])
COUPLING[3, 4] = COUPLING[4, 3] = 1.0
COUPLED = fx.StiffnessSection(COUPLING, 2.0, (0.02, 0.01, 0.015), mass_center=(0.03, -0.05))


def beam(points: Any = ((0, 0, 0), (1, 0, 0)), **about: Any) -> fx.Beam:
    given = {"section": fx.Rectangle(0.2, 0.3), "material": MESH_MATERIAL, "divisions": 2, "damping": 2e-3, **about}
    return fx.Beam("rod", points, **given)


SAMPLES: dict[str, Any] = {
    "superelement": lambda: rod(),
    "superelement, three nodes": lambda: rod(TRIANGLE),
    "superelement, triangle": lambda: rod(TRIANGLE, frame="triangle"),
    "superelement, triangle on a line": lambda: rod(frame="triangle"),
    "superelement, nodal": lambda: rod(TRIANGLE, inertia="nodal"),
    "superelement, nodal, undamped": lambda: rod(inertia="nodal", damping=fx.Rayleigh()),
    "floating": lambda: rod(formulation="floating"),
    "floating, three points": lambda: rod(TRIANGLE, formulation="floating"),
    "floating, stiffened": lambda: rod(formulation="floating", stiffening=True),
    "beam": lambda: beam(),
    "beam, curved": lambda: beam([(0, 0, 0), (0.7, 0.2, 0), (1, 0.8, 0)], curve="arc", twist=(0, 0.2, 0.5)),
    "beam, stepped": lambda: beam(
        [(0, 0, 0), (0.4, 0, 0), (1, 0.2, 0)],
        section=None,
        sections=[fx.Circle(0.02), fx.Rectangle(0.03, 0.02)],
        divisions=2,
    ),
    "beam, coupled": lambda: beam(section=COUPLED, material=None, damping=3e-3),
    "beam, corotational": lambda: beam(formulation="corotational"),
    "full mesh": lambda: rod(formulation="full_mesh", damping=fx.Rayleigh(0.0, 2e-3)),
    "superelement, scaled": lambda: rod(stiffness_scale=2.0, mass_scale=0.5),
    **{
        f"{kind.__name__} {number + 1}": partial(samples.declared, kind, number)
        for kind in FLEXIBLE
        for number, fields in enumerate(kind.samples)
        if "mesh" not in fields
    },
}
"""Bodies of a small soft mesh and soft beams, and the samples of all registered bodies that need no file."""


@dataclass(frozen=True)
class Sample:
    """A body lowered at a pose."""

    body: Any
    parts: Parts

    @property
    def terms(self) -> tuple[Term, ...]:
        """Its own, without the constraints of points that it carries, which are tested as such."""
        return tuple(term for term in self.parts.terms if not term.rows)

    def state(self, term: Term, seed: int, deformation: float = 0.1, rates: float = 1.0) -> State:
        """The nodes carried along by a large rigid motion, and displaced and turned against it."""
        random = np.random.default_rng(seed)
        nodes = [self.parts.nodes[n - 1] for n in term.nodes]
        Q, shift = exp_so3(random.normal(size=3) * 2.0), random.normal(size=3) * 3.0
        x = np.array([node.x for node in nodes]) @ Q.T + shift
        size = float(np.ptp(x, axis=0).max())
        R = [Q @ node.R @ exp_so3(2 * deformation * random.normal(size=3)) for node in nodes]
        x = x + deformation * size * random.normal(size=x.shape) if len(nodes) > 1 else x
        n, m = len(nodes), len(term.scalars)
        spin, speed = random.normal(size=3) * 2.0, random.normal(size=3) * 2.0
        v = np.hstack([np.cross(spin, x) + speed, np.tile(spin, (n, 1))]) + rates * random.normal(size=(n, 6))
        s = random.normal(size=(m, 3)) * np.array([deformation, rates, 1.0])
        return State(
            x=x,
            R=np.array(R),
            v=v,
            a=random.normal(size=(n, 6)) * 3.0,
            s=s,
            lam=random.normal(size=len(term.rows)),
            h=np.array(term.history, dtype=float),
            t=0.4,
            gravity=random.normal(size=3) * 5.0,
        )


@cache
def declared(name: str) -> Any:
    return SAMPLES[name]()


def sample(name: str, pose: Pose | None = None) -> Sample:
    body = declared(name)
    return Sample(body, body.parts(Start(pose or Pose(), np.zeros(6))))


END = fx.plane(at=(1, 0, 0), normal="x")
TOP = fx.plane(at=(0, 0, 0.15), normal="z")


def loaded(name: str, where: Any = END) -> tuple[Sample, tuple[Term, ...]]:
    """A body with a load on its mesh, which varies in time."""
    made = sample(name)
    push = fx.MeshLoad("push", "rod", (fx.Traction(where, (3e3, -2e3, 1e3)),), factor=fx.sine(2.0, frequency=1.3))
    return made, tuple(push.on_body(Carrier(made.body, 1, 0)))


on_flexible = pytest.mark.parametrize("name", list(SAMPLES))
