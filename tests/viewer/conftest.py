"""Small runs of every kind of body, computed once."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import flexor as fx
from flexor.mesh.generate import bar
from flexor.results.run import Run
from flexor.spatial import quaternion_to_matrix
from flexor.viewer.scene import Scene
from tests.viewer.browser import chromium as chromium
from tests.viewer.cart import cart as cart
from tests.viewer.cart import cart_page as cart_page
from tests.viewer.cart import opened_cart as opened_cart

HOSTILE = '<script>alert("x")</script>'
LONG = "n" * 10_000


def arm(formulation: str = "superelement", name: str = "arm", element: str = "hex8") -> fx.FlexibleBody:
    mesh = bar("0.4 m", "20 mm", "10 mm", (6, 1, 1), element=element, material=fx.Steel())
    few = {"reduction": fx.CraigBampton(modes=4)} if formulation in ("superelement", "floating") else {}
    ends = {"root": "x_min", "tip": "x_max"}
    return fx.FlexibleBody(name, mesh=mesh, interfaces=ends, formulation=formulation, **few)


def swing(formulation: str) -> fx.Model:
    """An arm on a hinge, with a weight that is pulled aside at its tip."""
    body = arm(formulation)
    weight = fx.RigidBody("weight", mass=2, inertia=2e-3)
    return fx.Model(
        "swing",
        [
            body,
            weight,
            fx.Revolute("pin", fx.ground, body["root"], axis="y"),
            fx.Fixed("clamp", body["tip"], weight),
            fx.PointForce("pull", on=weight, direction=(0, 1, 0), force=fx.sine(300, frequency=20)),
        ],
        gravity=(0, 0, -9.81),
    )


@cache
def swung_run(formulation: str) -> Run:
    """The arm that swings for 0.1 s, computed once for all tests."""
    run: Run = swing(formulation).dynamics(until=0.1, step=2e-3, show=False)
    return run


@pytest.fixture(scope="session", params=["superelement", "floating", "full_mesh", "rigid"])
def swung(request: pytest.FixtureRequest) -> Run:
    return swung_run(request.param)


@pytest.fixture(scope="session")
def run() -> Run:
    """Of a floating body."""
    return swung_run("floating")


@pytest.fixture(scope="session")
def mast_model() -> fx.Model:
    """A beam, a point mass, a spring, a force."""
    mast = fx.Beam("mast", [(0, 0, 0), (0, 0, 1)], fx.Tube("20 mm", "2 mm"), fx.Steel(), divisions=4)
    bob = fx.PointMass("bob", 0.5, position=(0.4, 0, 1))
    return fx.Model(
        "mast",
        [
            mast,
            bob,
            fx.Fixed("foot", fx.ground, mast["start"]),
            fx.AxialSpring("rope", mast["end"], bob, stiffness=2000, damping=1),
            fx.PointForce("wind", on=mast["node 2"], direction="y", force=fx.sine(200, frequency=3)),
        ],
        gravity=(0, 0, -9.81),
    )


@pytest.fixture(scope="session")
def mast(mast_model: fx.Model) -> Run:
    run: Run = mast_model.dynamics(until=0.1, step=2e-3, show=False)
    return run


@pytest.fixture(scope="session")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run in a file, whose names mean to do harm."""
    wheel = fx.RigidBody(HOSTILE, mass=1, inertia=0.1, markers={'"><img src=x>': (0.1, 0, 0)})
    model = fx.Model(
        "</script><script>alert(1)</script>",
        [wheel, fx.Revolute(LONG, fx.ground, wheel), fx.JointSpring("a' b\" `${c}`", joint=LONG, stiffness=3)],
        gravity=(0, -9.81, 0),
    )
    file = tmp_path_factory.mktemp("runs") / "hostile.flexor.h5"
    run: Run = model.dynamics(until=0.1, step=1e-2, show=False, file=file)
    return run


def row_of(scene: Scene, row: int) -> np.ndarray:
    return np.asarray(scene.frames(row, 1)[0], dtype=float)


def shown_points(scene: Scene, body: dict, row: int) -> np.ndarray:
    """(N, 3) where the page puts the vertices of a body."""
    values, mesh = row_of(scene, row), body["mesh"]
    X = scene.buffers.array(mesh["vertices"]).astype(float)
    if mesh["modes"]:
        z = values[mesh["z"] : mesh["z"] + mesh["modes"]]
        X = X + np.tensordot(z, scene.buffers.array(mesh["shapes"]).astype(float), axes=1)
    at = body["pose"]
    return values[at : at + 3] + X @ quaternion_to_matrix(values[at + 3 : at + 7]).T


def shown_stress(scene: Scene, body: dict, row: int) -> np.ndarray:
    """(N, 6) the stress that the page computes."""
    mesh = body["mesh"]
    z = row_of(scene, row)[mesh["z"] : mesh["z"] + mesh["modes"]]
    return np.tensordot(z, scene.buffers.array(mesh["fields"][0]["shapes"]).astype(float), axes=1)


def body_of(scene: Scene, name: str) -> dict:
    return next(body for body in scene.header["bodies"] if body["name"] == name)
