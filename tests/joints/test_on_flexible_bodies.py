"""Every joint between two meshed bodies: nearly rigid ones move as rigid ones do, in each formulation, on either side."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import flexor as fx
from flexor.bodies import FlexibleBody, RigidBody
from flexor.declaration import Item
from flexor.joints import JOINTS, Cam, Distance, Guide, PrescribedMotion
from flexor.mesh import Mesh
from flexor.mesh.generate import box
from flexor.results.marker_motion import Attached

LENGTH, WIDTH = 0.2, 0.05
STIFF = fx.Isotropic(young=2e13, poisson=0.3, density=7800)
Body = RigidBody | FlexibleBody


@cache
def bar() -> Mesh:
    return box((LENGTH, WIDTH, WIDTH), (3, 1, 1), at=(0, -WIDTH / 2, -WIDTH / 2), element="hex20", material=STIFF)


@cache
def block(name: str, formulation: str, x: float) -> Body:
    """A bar along x with the markers left and right."""
    ends = {"left": fx.plane(at=(0, 0, 0), normal="x"), "right": fx.plane(at=(LENGTH, 0, 0), normal="x")}
    if formulation == "rigid":
        return block(name, "floating", x).rigid()  # type: ignore[union-attr]
    return FlexibleBody(name, bar(), interfaces=ends, formulation=formulation, position=(x, 0, 0))  # type: ignore[arg-type]


def at(body: Body, end: str) -> Attached:
    return body[end] if isinstance(body, FlexibleBody) else body.at(LENGTH if end == "right" else 0, 0, 0)


def joined(joint: type, first: Body, second: Body) -> Item:
    """A joint between the right end of the first body and the left end of the second."""
    a, b = at(first, "right"), at(second, "left")
    if joint is Cam:
        return Cam("joint", a, b, profile=fx.Profile([(-1, 0), (1, 0)], kind="lines", closed=False), axis="z")
    if joint is Guide:
        return Guide("joint", [at(first, "left"), a], b, ends="stop", stop=1e3)
    if joint is PrescribedMotion:
        return PrescribedMotion("joint", b, seen_from=a, x="0.1*t", y=0)
    if joint is Distance:
        return Distance("joint", a, at(second, "right"))
    return joint("joint", a, b)  # type: ignore[no-any-return]


def fallen(joint: type, kinds: tuple[str, str]) -> np.ndarray:
    """(rows, 12) positions of the ends of both bars, which hang in a ball at the left end and fall."""
    first, second = block("first", kinds[0], 0.0), block("second", kinds[1], LENGTH)
    ball = fx.Spherical("ball", fx.ground, at(first, "left"))
    model = fx.Model("fall", [first, second, ball, joined(joint, first, second)], gravity=(0, -9.81, 3))
    run = model.dynamics(until=0.1, step=2e-3, show=False)
    ends = [at(body, end) for body in (first, second) for end in ("left", "right")]
    return np.hstack([run.between(fx.ground, end).position for end in ends])


@cache
def rigid(joint: type) -> np.ndarray:
    return fallen(joint, ("rigid", "rigid"))


@pytest.mark.parametrize(
    "kinds", [("floating", "superelement"), ("superelement", "full_mesh"), ("full_mesh", "floating")], ids="-".join
)
@pytest.mark.parametrize("joint", JOINTS, ids=lambda joint: joint.__name__)
def test_nearly_rigid_bars_fall_as_rigid_ones(joint: type, kinds: tuple[str, str]) -> None:
    np.testing.assert_allclose(fallen(joint, kinds), rigid(joint), atol=2e-5)
