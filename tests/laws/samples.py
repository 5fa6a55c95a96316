"""The samples of every registered class, and the terms they are lowered to: listed is tested."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from flexor.bodies import BODIES, FLEXIBLE, Body, Site
from flexor.contact import CONTACTS
from flexor.declaration import Declaration
from flexor.forces import FORCES, LineLoad, MeshLoad
from flexor.joints import DRIVERS, JOINTS, Cam, Cylindrical, Guide, Planar, Prismatic, Revolute, Spherical, Universal
from flexor.joints.path import Path
from flexor.law import GROUND, Term
from flexor.spatial import exp_so3
from flexor.transmissions import TRANSMISSIONS
from tests.laws.scene import Places, variables

REGISTERED = (
    *(body for body in BODIES if body not in FLEXIBLE), *JOINTS, *DRIVERS, *(f for f in FORCES if f not in (MeshLoad, LineLoad)), *CONTACTS,
    *TRANSMISSIONS,
)  # fmt: skip
"""Bodies that deform, and loads on their meshes and lines, have laws of their own, see `flexible.py`."""

AB = {"a": "crank", "b": "rod.tip"}
MECHANISM = {
    "hinge": Revolute("hinge", **AB, axis="y", start=0.3, start_rate=-0.5),
    "slider": Prismatic("slider", **AB, start=0.2, start_rate=0.7),
    "sleeve": Cylindrical("sleeve", **AB, axis="x", start=(0.1, 2.5)),
    "cardan": Universal("cardan", **AB),
    "ball": Spherical("ball", **AB),
    "socket": Spherical("socket", **AB, form="rotation_vector"),
    "table": Planar("table", **AB),
    "wheel": Revolute("wheel", **AB, axis="y", start=-0.4, start_rate=0.8),
    "arm": Revolute("arm", **AB, axis="y", start=0.1),
    "rail": Guide(**Guide.samples[0]),
    "lobe": Cam(**Cam.samples[0]),
}
"""The joints, guides and cams that motors, joint springs and transmissions of the samples act in."""


@dataclass(frozen=True)
class Sample:
    """A declaration and two places on two bodies where it attaches."""

    declaration: Any
    sites: tuple[Site, Site]

    @property
    def name(self) -> str:
        return f"{type(self.declaration).__name__}-{self.declaration.name}"

    def terms(self, turn: Any = None, shift: Any = 0.0) -> list[Term]:
        """Its terms; with `turn` and `shift`, those of the same thing in a turned and shifted frame."""
        made, (a, b) = self.declaration, self.sites
        turn = np.eye(3) if turn is None else turn
        for name, what in made.in_space.items():
            made = made.replace(**{name: turn @ np.array(getattr(made, name)) + (shift if what == "point" else 0.0)})
        if isinstance(made, Body):
            return made.terms(a.node, turn @ np.array([0.3, -0.2, 0.5]) + shift)
        own = tuple(range(len(getattr(made, "own_scalars", ()))))
        coupled = variables([MECHANISM[each.joint] for each in made.couples], made.couples, a, b)
        joint: Any = MECHANISM.get(getattr(made, "joint", ""))
        along = tuple(Site(a.node, a.p_NM + a.R_NM @ np.array(ref.at), a.R_NM) for ref in _line_of(joint or made))
        path = (joint, Places(a, b, along=along)) if isinstance(joint, Path) else None
        around = Places(
            a, b, joint, length=0.9, scalars=own, variables=coupled, turn=turn, shift=shift, along=along, path=path
        )
        return made.terms(around)

    @property
    def term(self) -> Term:
        """Its only term, in plain Python."""
        (term,) = self.terms()
        return term


def _line_of(made: Any) -> tuple[Any, ...]:
    """The markers of its line, if it has one; the test has them on one node."""
    return made.along if "along" in type(made).model_fields else ()


def random_rotation(random: np.random.Generator) -> np.ndarray:
    """About any axis, by up to several turns."""
    return exp_so3(random.normal(size=3) * random.uniform(0.5, 8.0))


def declared(kind: type[Declaration], number: int = 0, **fields: Any) -> Any:
    """A sample of a class; called after its type where it has no name."""
    name = kind.model_fields["type"].default.replace("_", " ")
    return kind(**{"name": f"{name} {number + 1}" if number else name, **kind.samples[number], **fields})


def samples_of(*classes: type[Declaration]) -> list[Sample]:
    """All samples of these classes; `test_samples.py` reports a class that has none."""
    found = []
    for kind in classes:
        for number in range(len(kind.samples)):
            random = np.random.default_rng([number, *kind.__name__.encode()])
            sites = tuple(Site(node, random.normal(size=3) * 0.4, random_rotation(random)) for node in (1, 2))
            found.append(Sample(declared(kind, number), sites))
    return found


def on_samples(*classes: type[Declaration], where: Callable[[Sample], bool] = lambda sample: True) -> Any:
    """Decorator: run a test on every sample of these classes (that meets a condition)."""
    chosen = [sample for sample in samples_of(*classes) if where(sample)]
    return pytest.mark.parametrize("sample", chosen, ids=[sample.name for sample in chosen])


def has_two_nodes(sample: Sample) -> bool:
    """Of bodies: what is between a body and the ground, or holds to directions in space, acts on one."""
    term = sample.terms()[0]
    return len(term.nodes) == 2 and GROUND not in term.nodes and not sample.declaration.in_space


def has_constraints(sample: Sample) -> bool:
    return bool(sample.term.rows)
