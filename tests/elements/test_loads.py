"""Loads: resultants, and closed-form answers under pressure, weight and rotation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from flexor.elements import SOLIDS
from flexor.elements.assembly import FeModel, assemble
from flexor.elements.loads import LOADS, Centrifugal, Gravity, PointLoad, Pressure, Traction, load_vector
from flexor.errors import ModelError
from flexor.materials import Isotropic
from flexor.mesh import Mesh, NodalMass, RigidLink
from flexor.mesh.generate import bar, box, cylinder
from flexor.mesh.select import Nearest, NodeSet, Numbered, OnPlane
from flexor.reduce.full import statics
from flexor.spatial import MassProperties, Pose
from tests.elements import samples

each_element = pytest.mark.parametrize("element", [kind.name for kind in SOLIDS])


def resultant(model: FeModel, f: np.ndarray, about=(0, 0, 0)) -> np.ndarray:
    """Force and moment of nodal forces."""
    return model.dofs.rigid_modes(model.mesh.points, about).T @ f


@each_element
def test_weight(element: str) -> None:
    mesh, _ = samples.distorted_box(element)
    model = assemble(mesh)
    g = np.array([1.0, 2.0, -9.81])
    m = 7850 * 0.48
    expected = np.concatenate([m * g, np.cross([0.5, 0.4, 0.3], m * g)])
    f = load_vector(model, [Gravity(tuple(g))])
    # first moments of bricks with curved edges are beyond the degree of the rule
    accuracy = {"wedge15": 1e-5, "hex20": 1e-5}.get(element, 1e-12)
    assert np.allclose(resultant(model, f)[:3], expected[:3], rtol=1e-12)
    assert np.allclose(resultant(model, f)[3:], expected[3:], rtol=accuracy)
    assert np.allclose(f, model.M @ model.dofs.rigid_modes(mesh.points)[:, :3] @ g, rtol=1e-10, atol=1e-9)


@each_element
def test_pressure_on_a_flat_face(element: str) -> None:
    """p A through the middle of the face, into the body."""
    mesh = box((1.0, 0.8, 0.6), (2, 3, 2), element=element, material=samples.MATERIAL)
    f = load_vector(assemble(mesh), [Pressure("x_max", "2 bar")])
    total = resultant(assemble(mesh), f, about=(1.0, 0.4, 0.3))
    assert np.allclose(total, [-2e5 * 0.48, 0, 0, 0, 0, 0], atol=1e-9)
    touched = np.flatnonzero(np.abs(assemble(mesh).dofs.nodal(f)).max(axis=1) > 1e-9)
    assert set(touched) <= set(mesh.node_sets["x_max"])


@each_element
def test_pressure_all_around_has_no_resultant(element: str) -> None:
    mesh = cylinder(0.3, 0.5, (8, 1, 2), element=element, material=samples.MATERIAL)
    model = assemble(mesh)
    everywhere = Numbered(tuple(range(1, len(mesh.points) + 1)))
    f = load_vector(model, [Pressure(everywhere, 1e5)])
    assert np.allclose(resultant(model, f), 0, atol=1e-9 * np.abs(f).max() * len(f))
    # virtual work in a uniform expansion u = x is −3 p V
    assert f @ mesh.points[model.dofs.owners[:, 0], model.dofs.owners[:, 1]] == pytest.approx(
        -3e5 * model.mass_properties.mass / 7850, rel=1e-9
    )


@each_element
def test_traction(element: str) -> None:
    mesh = box((1.0, 0.8, 0.6), (2, 2, 2), element=element, material=samples.MATERIAL)
    model = assemble(mesh)
    f = load_vector(model, [Traction("z_max", (100.0, 200.0, -300.0))])
    assert np.allclose(resultant(model, f, about=(0.5, 0.4, 0.6)), [80, 160, -240, 0, 0, 0], atol=1e-10)


def test_point_load_is_shared() -> None:
    mesh = box((1, 1, 1), (1, 1, 1), material=samples.MATERIAL)
    model = assemble(mesh)
    f = model.dofs.nodal(load_vector(model, [PointLoad("x_max", force=("1 kN", 0, 0))]))
    assert np.allclose(f[mesh.node_sets["x_max"], 0], 250)
    assert f[:, 0].sum() == pytest.approx(1000)
    f = model.dofs.nodal(load_vector(model, [PointLoad(Nearest((1, 1, 1)), (0, 0, 5.0))]))
    assert f[7, 2] == 5.0


def held(mesh: Mesh, name: str, components=(0, 1, 2)) -> tuple:
    return tuple((int(i), components) for i in mesh.node_sets[name])


@pytest.mark.parametrize("element", ["hex8", "tet10", "wedge15", "hex20"])
def test_hanging_bar(element: str) -> None:
    """Own weight along the bar, ν = 0: tip ρ g L² / 2E and stress ρ g (L − x)."""
    mesh = bar(2.0, 0.1, 0.1, (8, 1, 1), element=element, material=Isotropic(1e9, 0.0, 1000.0))
    solution = statics(assemble(replace(mesh, fixed=held(mesh, "x_min"))), [Gravity((9.81, 0, 0))])
    tip = solution.nodal[mesh.node_sets["x_max"], 0]
    assert np.allclose(tip, 1000 * 9.81 * 2**2 / 2e9, rtol=1e-9)
    reaction = solution.reactions[mesh.node_sets["x_min"], 0].sum()
    assert reaction == pytest.approx(-1000 * 9.81 * 0.02, rel=1e-9)
    if element != "hex8":
        assert np.allclose(solution.stress[:, 0], 9810 * (2 - mesh.points[:, 0]), atol=1e-5 * 9810)
    assert solution.residual < 1e-12
    assert "node" in str(solution)


@pytest.mark.parametrize("element", ["hex20", "tet10", "wedge15"])
def test_rotating_bar(element: str) -> None:
    """Spin about the held end, ν = 0: u = ρω²(L²x/2 − x³/6)/E, so the tip moves by ρω²L³/3E."""
    mesh = bar(0.5, 0.02, 0.02, (20, 1, 1), element=element, material=Isotropic(70e9, 0.0, 2700.0))
    model = assemble(replace(mesh, fixed=(*held(mesh, "x_min", (0,)), (0, (1, 2)), (1, (1,)))))
    f = load_vector(model, [Centrifugal(("0 rpm", "0 rpm", "3000 rpm"))])
    w = 3000 * 2 * np.pi / 60
    assert resultant(model, f)[0] == pytest.approx(2700 * 0.02**2 * w**2 * 0.5**2 / 2, rel=1e-12)
    tip = statics(model, f).nodal[mesh.node_sets["x_max"], 0].mean()
    assert tip == pytest.approx(2700 * w**2 * 0.5**3 / 3 / 70e9, rel=2e-4)


def test_masses_under_gravity_and_rotation() -> None:
    """A concentrated mass with offset and inertia loads its node like the rigid body it stands for."""
    tip = np.array([0.4, 0.1, -0.2])
    body = MassProperties(3.0, np.array([0.05, -0.02, 0.03]), np.array([0.02, 0.05, 0.03]))
    mesh = Mesh(
        points=np.array([tip, [1.4, 0.1, -0.2]]),
        node_ids=np.array([1, 2]),
        blocks=(),
        rigid_links=(RigidLink(0, (1,)),),
        masses=(NodalMass(0, body.matrix()),),
    )
    model = assemble(mesh)
    f = model.dofs.nodal(load_vector(model, [Gravity((0, 0, -10.0))]))[0]
    assert np.allclose(f[:3], [0, 0, -30])
    assert np.allclose(f[3:], np.cross(body.com, [0, 0, -30]))
    w = np.array([1.0, -2.0, 0.5])
    f = model.dofs.nodal(load_vector(model, [Centrifugal(tuple(w), about=(0.1, 0, 0))]))[0]
    # −ṗ and −L̇ of the body in steady rotation, moments about the node
    moved = body.moved(Pose(tip - [0.1, 0, 0], np.eye(3)))
    force = -moved.mass * np.cross(w, np.cross(w, moved.com))
    about_axis_point = -np.cross(w, moved.inertia_about([0, 0, 0]) @ w)
    moment = about_axis_point - np.cross(tip - [0.1, 0, 0], force)
    assert np.allclose(f[:3], force)
    assert np.allclose(f[3:], moment)


def test_mistakes() -> None:
    mesh = box((1, 1, 1), (2, 1, 1), material=samples.MATERIAL)
    model = assemble(mesh)
    cases = [
        (PointLoad("x_max", moment=(1, 0, 0)), "node .*rotation x.*only solids"),
        (Pressure(Nearest((0, 0, 0)), 1.0), "no outer face"),
        (Pressure("nowhere", 1.0), "no node set 'nowhere'"),
        (Pressure(OnPlane((0.5, 0, 0), "x"), 1.0), "no outer face"),  # nodes inside
    ]
    for load, message in cases:
        with pytest.raises(ModelError, match=message):
            load_vector(model, [load])


def test_load_on_a_loose_node_is_refused() -> None:
    mesh = box((1, 1, 1), (1, 1, 1), material=samples.MATERIAL)
    points = np.vstack([mesh.points, [2, 0, 0], [3, 0, 0]])
    mesh = replace(mesh, points=points, node_ids=np.arange(1, 11), rigid_links=(RigidLink(8, (9,)),))
    with pytest.raises(ModelError, match="node 9: it is loaded, but has neither stiffness nor mass"):
        load_vector(assemble(mesh), [PointLoad(Numbered((9,)), (1.0, 0, 0))])


@pytest.mark.parametrize(
    "load",
    [
        PointLoad(NodeSet("a"), ("1 kN", 0, 0)),
        Pressure("a", "2 MPa"),
        Traction(Nearest((0, 0, 0)), (1, 2, 3)),
        Gravity(),
        Centrifugal((0, 0, "100 rpm")),
    ],
)
def test_round_trip(load) -> None:
    assert type(load)(**load.model_dump()) == load
    assert type(load) in LOADS
