"""Links, masses, markers and average ties of a body moved as its whole mesh, and what such a body refuses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import flexor as fx
from flexor.bodies.full_mesh import whole_mesh
from flexor.errors import ModelError
from flexor.mesh.mesh import AverageLink, Mesh, NodalMass, RigidBar, RigidLink
from flexor.spatial import skew
from tests.bodies.meshed_rods import ENDS, clamped, lowered, rod, strip

ALL = (0, 1, 2, 3, 4, 5)


# -- what belongs to the mesh ------------------------------------------------------------------------------------------


def offset_mass(m: float, J: tuple[float, ...], c: Any) -> np.ndarray:
    arm = m * skew(np.array(c, dtype=float))
    return np.block([[m * np.eye(3), -arm], [arm, np.diag(J) - arm @ arm / m]])


def loaded(element: str, *divisions: int) -> Mesh:
    """With a mass beside its middle, carried by a rigid link and a rigid bar."""
    mesh = strip(element, *divisions)
    n = len(mesh.points)
    middle = np.flatnonzero(np.isclose(mesh.points[:, 0], 0.5))
    points = np.vstack([mesh.points, [[0.5, 0, 0.4], [0.5, 0.2, 0.4]]])
    return replace(
        mesh,
        points=points,
        node_ids=np.arange(1, n + 3),
        rigid_links=(RigidLink(n, tuple(middle.tolist()), id=7),),
        rigid_bars=(RigidBar((n, n + 1), id=8),),
        masses=(NodalMass(n + 1, offset_mass(3.0, (0.1, 0.2, 0.15), (0, 0.1, 0.05))), NodalMass(0, 0.5 * np.diag([1, 1, 1, 0, 0, 0]))),
    )  # fmt: skip


@pytest.mark.parametrize(("element", "divisions"), [("hex8", (4, 1, 1)), ("beam2", (4,))])
def test_links_and_masses_of_the_mesh(element, divisions):
    """In rigid motion it has the kinetic energy of its mass properties, and gravity pulls at its centre."""
    interfaces = {"tip": ENDS["tip"]} if element == "beam2" else ENDS
    body = rod(loaded(element, *divisions), interfaces=interfaces, velocity=(1, 2, 3), angular_velocity=(2, -1, 0.5))
    m = body.made.mass_properties
    omega = np.array(body.angular_velocity)
    run = fx.Model("flight", [body], gravity=(0, 0, -9.81)).dynamics(until=0.02, step=1e-3)
    v = np.array(body.velocity) + np.cross(omega, m.com)
    assert run["energy.kinetic"].values[0] == pytest.approx(
        0.5 * (m.mass * v @ v + omega @ m.inertia @ omega), rel=1e-9
    )
    fall = v[2] * 0.02 - 0.5 * 9.81 * 0.02**2
    assert run["energy.potential"].values[-1] == pytest.approx(m.mass * 9.81 * fall, rel=1e-3)


def test_markers_name_nodes_of_the_mesh():
    mesh = strip("beam2", 4)
    body = rod(mesh, markers={"middle": (0.5, 0, 0), "beside": (0.5, 0.1, 0)})
    names = [node.name for node in lowered(body).parts.nodes]
    assert names == ["rod.root", "rod.tip", "rod.middle", "", "", "rod.beside"]
    assert body.carrier("middle", np.array([0.5, 0, 0]))[0] == 2
    assert body.carrier("beside", np.array([0.5, 0.1, 0]))[0] == 5
    with pytest.raises(ModelError, match=r"something attaches at \(0.5, 0.2, 0\) m"):
        body.carrier(None, np.array([0.5, 0.2, 0]))
    twice = rod(strip("hex8", 2, 1, 1), markers={"end": (1, 0, 0)})  # where an interface is: it follows that
    assert twice.realisation.carried == {"end": [twice.made.connections[1]]}
    loose = rod(strip("hex8", 2, 1, 1), interfaces={}, reduction=fx.Modal(modes=3))
    with pytest.raises(ModelError, match="neither interfaces nor markers"):
        loose.carrier(None, np.zeros(3))


@pytest.mark.filterwarnings("error::flexor.reduce.tie.UnevenTie")
@pytest.mark.parametrize("element", ["hex8", "hex20", "tet10", "shell4"])
def test_average_ties_and_markers_anywhere_are_those_of_the_superelement(element):
    """A bar on average ties, pushed at a marker inside it and turned by a moment there, little: linear statics alike."""
    divisions = (8, 2) if element == "shell4" else (8, 2, 2)
    body = rod(
        strip(element, *divisions, poisson=0.3),
        interfaces={"root": fx.Interface(ENDS["root"], tie="average"), "tip": fx.Interface(ENDS["tip"], tie="average")}
        if element != "shell4"
        else ENDS,
        markers={"inside": (0.6, 0.02, 0.01)},
        reduction=fx.CraigBampton(modes=12),
    )
    found = []
    for formulation in ("full_mesh", "superelement"):
        body = body.replace(formulation=formulation)
        model = clamped(
            body.replace(position=None),
            fx.PointForce("push", body["inside"], direction=(0.3, 0.5, 1), force=0.02),
            fx.PointTorque("twist", body["inside"], direction=(1, 0.5, 0), torque=0.01),
            fx.PointForce("pull", body["tip"], direction=(1, 0, -1), force=0.01),
        )
        found.append(model.statics())
    for name in ("inside", "tip"):
        moves = [position[f"rod.{name}.position"] - np.array(body.marker(name).at) for position in found]
        shift = found[0]["rod.root.position"] - np.array(body.marker("root").at)
        assert np.linalg.norm(moves[1] - shift) > 1e-7
        np.testing.assert_allclose(moves[0], moves[1], atol=2e-4 * np.linalg.norm(moves[1] - shift))
        turns = [position[f"rod.{name}.orientation"][1:] for position in found]
        np.testing.assert_allclose(turns[0], turns[1], atol=2e-4 * np.linalg.norm(turns[1]) + 1e-10)


def test_a_pendulum_on_an_average_tie_keeps_its_energy():
    """Hung on a bore-like tie, a mass at a marker: energy, and the swing of the superelement."""
    ends = {"root": fx.Interface(ENDS["root"], tie="average")}
    body = rod(strip("hex8", 6, 1, 1, young=1e9), interfaces=ends, markers={"inside": (0.5, 0, 0)})
    bob = fx.RigidBody("bob", mass=2.0, inertia=(0.01, 0.01, 0.01))
    tips = []
    for formulation in ("full_mesh", "superelement"):
        swinging = body.replace(formulation=formulation)
        pin = fx.Revolute("pin", fx.ground, swinging["root"], axis="y")
        hung = fx.Fixed("hung", swinging["inside"], bob)
        run = fx.Model("pendulum", [swinging, bob, pin, hung], gravity=(0, 0, -9.81)).dynamics(until=0.5, step=1e-3)
        tips.append(run["bob.position"].values)
        assert np.ptp(run["energy.check_sum"].values) < 1e-3 * np.ptp(run["energy.potential"].values)
    assert np.ptp(tips[0][:, 0]) > 0.3
    np.testing.assert_allclose(tips[0], tips[1], atol=1e-3)


# -- what it cannot do -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"damping": fx.ModalDamping(0.02)}, "stiffness-proportional damping only"),
        ({"damping": fx.Rayleigh(0.5, 1e-3)}, "stiffness-proportional damping only"),
    ],
)
def test_what_single_elements_cannot_do_is_refused(change, what):
    with pytest.raises(ModelError, match=f"flexible body 'rod': .*{what}"):
        lowered(rod(strip("hex8", 3, 1, 1), **change))


def test_links_that_do_not_hold_rigidly_are_refused():
    mesh = strip("beam2", 4)
    for what, links in (
        (
            "average link 3 .* leaves directions",
            {"average_links": (AverageLink(2, (1, 3), components=(0, 1, 2), id=3),)},
        ),
        ("averages rotations", {"average_links": (AverageLink(2, (1, 3), independent_components=ALL),)}),
        ("lie on a line", {"average_links": (AverageLink(2, (0, 1, 3)),)}),
        ("link 5 leaves directions free", {"rigid_links": (RigidLink(1, (2,), (0, 1, 2), id=5),)}),
        ("rigid bars", {"rigid_bars": (RigidBar((1, 2), ((0, 1, 2, 3, 4, 5), ()), ((), (0, 1, 2))),)}),
        ("is not that of a rigid body", {"masses": (NodalMass(2, np.diag([1.0, 2, 1, 0, 0, 0])),)}),
    ):
        with pytest.raises(ModelError, match=what):
            lowered(rod(replace(mesh, **links)))


def test_springs_are_refused():
    mesh = strip("beam2", 2)
    spring = replace(mesh.blocks[0], element="spring", section="spring", material=None, orientation=None)
    sections = {**mesh.sections, "spring": fx.SpringSection(1.0)}
    with pytest.raises(ModelError, match="its mesh has spring elements"):
        lowered(rod(replace(mesh, blocks=(*mesh.blocks, spring), sections=sections)))


def test_a_mesh_beyond_the_memory_is_refused(monkeypatch):
    """Three hex8, two matrices of 48 × 48 each: 111 kB."""
    monkeypatch.setattr(whole_mesh, "_memory", lambda: 221e3)
    with pytest.raises(ModelError, match=r"its mesh has 3 elements.*may take 0.000111 GB"):
        lowered(rod(strip("hex8", 3, 1, 1)))
    monkeypatch.setattr(whole_mesh, "_memory", lambda: 222e3)
    assert lowered(rod(strip("hex8", 3, 1, 1)))


def test_a_body_reduced_before_has_no_elements():
    body = rod(strip("hex8", 3, 1, 1))
    with pytest.raises(ModelError, match="no mesh whose elements could move"):
        lowered(fx.FlexibleBody("rod", reduced_body=body.reduced, formulation="full_mesh"))
