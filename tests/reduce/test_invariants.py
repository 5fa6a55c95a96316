"""Inertia invariants against direct sums: quadrature over the elements, nodal fields, closed forms."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

import flexor as fx
from flexor.elements.assembly.loads import Centrifugal, Gravity, load_vector
from flexor.elements.assembly.model import assemble
from flexor.mesh import NodalMass
from flexor.mesh.generate import bar
from flexor.mesh.section import Rectangle
from flexor.reduce import CraigBampton, Interface, Modal, from_mesh
from flexor.reduce.reduced import project
from flexor.spatial import MassProperties
from tests.bodies.meshed_rods import ENDS, strip
from tests.reduce.bodies import held_beams, held_rod

ω = np.array([0.7, -1.3, 2.1])


@pytest.fixture(scope="module")
def skewed():
    """A distorted bar away from the origin, with an offset mass on one connection node."""
    mesh = bar(1.0, 0.2, 0.1, divisions=(5, 2, 1))
    points = mesh.points @ np.array([[0.8, 0.3, -0.1], [-0.2, 0.9, 0.4], [0.1, -0.3, 0.7]]) + [0.4, -0.7, 0.2]
    points = points + 0.004 * np.sin(40 * points[:, ::-1])
    return from_mesh(replace(mesh, points=points), {"left": "x_min", "right": Interface("x_max", at=(1.5, 0.1, 0.3))})


@pytest.fixture(scope="module")
def body(skewed):
    return project(skewed, CraigBampton(5).basis(skewed)[0])


def quadrature(problem, body):
    """(weights ρdV, positions, displacements of unit coordinates) at the 2×2×2 Gauss points of trilinear bricks."""
    mesh = problem.mesh
    g = np.array([-1, 1]) / np.sqrt(3)
    square = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    corners = np.array([(*c, t) for t in (-1, 1) for c in square])
    density = mesh.materials["material"].density
    u = body.displacement(np.eye(body.size))[:, :3]
    weights, x, S = [], [], []
    for at in product(g, repeat=3):
        N = np.prod(1 + corners * at, axis=1) / 8
        dN = np.stack([corners[:, d] * np.prod(np.delete(1 + corners * at, d, axis=1), axis=1) / 8 for d in range(3)])
        nodes = mesh.blocks[0].nodes
        J = np.einsum("da,mac->mdc", dN, mesh.points[nodes])
        weights.append(density * np.linalg.det(J))
        x.append(np.einsum("a,mac->mc", N, mesh.points[nodes]))
        S.append(np.einsum("a,macr->mcr", N, u[nodes]))
    return np.concatenate(weights), np.concatenate(x), np.concatenate(S)


def test_integrals_over_the_elements(skewed, body):
    ρ, x, S = quadrature(skewed, body)
    inv = body.invariants
    close = lambda a, b: np.allclose(a, b, rtol=1e-9, atol=1e-10 * np.abs(b).max())  # noqa: E731
    assert close(inv.mass, ρ.sum())
    assert close(inv.first, ρ @ x)
    assert close(inv.second, np.einsum("m,mi,mj->ij", ρ, x, x))
    assert close(inv.translation, np.einsum("m,mir->ir", ρ, S))
    assert close(inv.rotation, np.einsum("m,mir->ir", ρ, np.cross(x[:, :, None], S, axis=1)))
    assert close(inv.products, np.einsum("m,mkr,mls->klrs", ρ, S, S))
    assert close(inv.position_products, np.einsum("m,mk,mlr->klr", ρ, x, S))
    e = np.eye(3)
    for i, j in product(range(3), repeat=2):
        g = np.cross(e[i], np.cross(e[j], x))
        assert close(inv.centrifugal[i, j], np.einsum("m,mk,mkr->r", ρ, g, S))
        turned = np.cross(e[i], np.cross(e[j], S, axisb=1, axisc=1), axisb=1, axisc=1)
        assert close(inv.softening[i, j], np.einsum("m,mkr,mks->rs", ρ, S, turned))
    for k in range(3):
        turned = np.cross(e[k], S, axisb=1, axisc=1)
        assert close(inv.gyroscopic[k], np.einsum("m,mkr,mks->rs", ρ, S, turned))


def test_gyroscopic_matrices_do_no_work(body):
    G = body.invariants.gyroscopic
    assert np.abs(G + G.transpose(0, 2, 1)).max() < 1e-12 * np.abs(G).max()


def test_other_basis(skewed, body):
    basis = np.random.default_rng(0).standard_normal((body.size, 4))
    inv = body.invariants.in_basis(basis)
    ρ, x, S = quadrature(skewed, body)
    S = S @ basis
    assert np.allclose(inv.products, np.einsum("m,mkr,mls->klrs", ρ, S, S))
    assert np.allclose(inv.position_products, np.einsum("m,mk,mlr->klr", ρ, x, S))
    assert np.allclose(inv.translation, np.einsum("m,mir->ir", ρ, S))
    assert inv.size == 4


def test_other_origin(skewed, body):
    d = np.array([0.3, -0.2, 0.9])
    inv = body.invariants.about(d)
    ρ, x, S = quadrature(skewed, body)
    x = x - d
    assert np.allclose(inv.first, ρ @ x)
    assert np.allclose(inv.second, np.einsum("m,mi,mj->ij", ρ, x, x))
    assert np.allclose(inv.rotation, np.einsum("m,mir->ir", ρ, np.cross(x[:, :, None], S, axis=1)))
    assert np.allclose(inv.position_products, np.einsum("m,mk,mlr->klr", ρ, x, S))


def test_loads_of_the_full_model(skewed, body):
    """Gravity and the load of a steady spin, as consistent nodal forces of the mesh."""
    model = assemble(skewed.mesh)
    for k in range(3):
        g = load_vector(model, [Gravity(tuple(np.eye(3)[k]))])
        assert np.allclose(body.gravity[k], body.shapes.T @ g)
    spin = load_vector(model, [Centrifugal(tuple(ω))])
    assert np.allclose(np.einsum("i,j,ijr->r", ω, ω, body.invariants.centrifugal), -body.shapes.T @ spin)


def test_nodal_form_with_corrections_is_the_inertia_of_the_field(skewed, body):
    """M × accelerations of the connection nodes, corrected = ∫ρ Sᵀ (ω×(ω×(x + u)) + 2ω×u̇)."""
    rng = np.random.default_rng(2)
    z, rate = rng.standard_normal((2, body.size)) * 1e-2
    u, v = body.displacement(z)[:, :3], body.displacement(rate)[:, :3]
    field = np.cross(ω, np.cross(ω, body.nodes + u)) + 2 * np.cross(ω, v)
    full = np.zeros(len(body.shapes))
    moves = body.node_dofs[:, :3] >= 0
    full[body.node_dofs[:, :3][moves]] = field[moves]
    exact = body.shapes.T @ (skewed.M_full @ full)

    n = body.n_connections
    at, speed = z[:n].reshape(-1, 6), rate[:n].reshape(-1, 6)
    a = np.zeros((n // 6, 6))
    a[:, :3] = np.cross(ω, np.cross(ω, body.points + at[:, :3])) + 2 * np.cross(ω, speed[:, :3])
    nodal = body.M[:, :n] @ a.ravel()
    inertia = body.nodal_inertia()
    c, G, E = inertia.load, inertia.gyroscopic, inertia.softening
    corrected = (
        nodal
        + np.einsum("i,j,ijr->r", ω, ω, c)
        + 2 * np.einsum("k,krs,s->r", ω, G, rate)
        + np.einsum("i,j,ijrs,s->r", ω, ω, E, z)
    )
    assert np.allclose(corrected, exact, rtol=1e-9, atol=1e-9 * np.abs(exact).max())
    assert not np.allclose(nodal, exact, rtol=1e-2, atol=1e-2 * np.abs(exact).max())


def rigid_totals(problem, body):
    """Force and moment about the origin of the inertia load of a spin, and what a rigid body needs."""
    load = np.einsum("i,j,ijr->r", ω, ω, body.invariants.centrifugal)
    total = body.rigid.T @ load
    properties = problem_properties(problem)
    force = properties.mass * np.cross(ω, np.cross(ω, properties.com))
    J = properties.inertia_about((0, 0, 0))
    return total, np.concatenate([force, np.cross(ω, J @ ω)])


def problem_properties(problem) -> MassProperties:
    return assemble(problem.mesh).mass_properties


def bodies():
    heavy = bar(0.6, 0.02, 0.01, divisions=(3,), element="beam2", section=Rectangle(0.02, 0.01))
    offset = MassProperties(2.0, [0.05, -0.02, 0.03], np.diag([0.01, 0.02, 0.025])).matrix()
    moved = heavy.points + np.array([0.1, 0.2, -0.3])
    heavy = replace(heavy, points=moved, masses=(NodalMass(1, offset), NodalMass(3, offset)))
    return {
        "solid": held_rod(),
        "average": held_rod("average"),
        "beams": held_beams(),
        "beams with offset masses": from_mesh(heavy, {"left": "x_min", "right": "x_max"}),
    }


@pytest.mark.parametrize(("name", "problem"), bodies().items(), ids=list(bodies()))
def test_total_force_and_moment_of_a_spin(name, problem):
    """F = m ω×(ω×c) and M = ω×Jω, exactly, whatever the elements."""
    found, exact = rigid_totals(problem, project(problem, CraigBampton(3).basis(problem)[0]))
    assert np.allclose(found, exact, rtol=1e-8, atol=1e-9 * np.abs(exact).max())


@pytest.mark.parametrize(("name", "problem"), bodies().items(), ids=list(bodies()))
def test_mass_properties(name, problem):
    found = project(problem, Modal(3).basis(problem)[0]).mass_properties
    exact = problem_properties(problem)
    assert np.isclose(found.mass, exact.mass)
    assert np.allclose(found.com, exact.com)
    assert np.allclose(found.inertia, exact.inertia, atol=1e-9 * exact.inertia.max())


def test_static_shapes_of_one_node_are_a_rigid_body():
    """The corrections are what a rigid body has beside mass times the acceleration of one of its points."""
    p = from_mesh(bar(0.1, 0.3, 0.1, divisions=(2, 2, 2)), {"root": Interface("x_min", at=(0.02, 0.5, 0.1))})
    body = project(p, p.static)
    c = body.nodal_inertia().load
    load = np.einsum("i,j,ijr->r", ω, ω, c)
    properties = body.mass_properties
    at = body.points[0]
    r = properties.com - at
    force = properties.mass * np.cross(ω, np.cross(ω, r))
    assert np.allclose(load[:3], force, atol=1e-9)
    assert np.allclose(load[3:], np.cross(ω, properties.inertia_about(at) @ ω), atol=1e-9)


@pytest.mark.parametrize("element", ["hex8", "beam2", "shell4"])
def test_no_translation_is_seen_by_what_goes_beyond_the_nodal_form(element):
    """𝔾, E, F and K, times the shape of a translation, are nothing but rounding of M, S and K: laws leave the first node's out."""
    divisions = {"hex8": (6, 1, 1), "beam2": (6,), "shell4": (6, 2)}[element]
    body = fx.FlexibleBody(
        "rod", strip(element, *divisions), interfaces=ENDS, reduction=fx.CraigBampton(modes=4)
    ).reduced
    along = np.zeros((body.size, 3))
    along[: 6 * len(body.points)] = np.tile(np.vstack([np.eye(3), np.zeros((3, 3))]), (len(body.points), 1))
    inertia, mass = body.nodal_inertia(), np.abs(body.M).max()
    assert np.abs(inertia.gyroscopic).max() > 1e-3 * mass  # there is something to be seen
    np.testing.assert_allclose(inertia.gyroscopic @ along, 0.0, atol=1e-13 * mass)
    np.testing.assert_allclose(inertia.softening @ along, 0.0, atol=1e-13 * mass)
    np.testing.assert_allclose(inertia.moment @ along, 0.0, atol=1e-12 * mass)
    np.testing.assert_allclose(body.K @ along, 0.0, atol=1e-9 * np.abs(body.K).max())
    np.testing.assert_allclose(
        body.invariants.translation @ along, body.invariants.mass * np.eye(3), atol=1e-12 * body.invariants.mass
    )
