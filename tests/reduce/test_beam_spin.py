"""Load of a steady spin on two-node beams: consistent with their own displacements, exact as a whole."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.elements.assembly.loads import Centrifugal, load_vector
from flexor.elements.assembly.model import assemble
from flexor.elements.element import Properties
from flexor.elements.lines.beam2 import Beam2
from flexor.materials import Isotropic
from flexor.mesh.section import GeneralSection, Rectangle
from flexor.reduce.full import statics
from flexor.reduce.invariants import spin_loads
from flexor.reduce.of_mesh import from_mesh
from flexor.spatial import skew
from tests.elements.structures import fixed, line, mesh_of

METAL = Isotropic(7e10, 0.3, 2700.0)
SECTION = Rectangle(0.02, 0.05)
SPIN = np.array([3.0, -4.0, 5.0])


def chain(n: int, start=(0.1, 0.2, -0.3), end=(0.5, 0.6, 0.2), **more):
    points, nodes = line(start, end, n)
    return mesh_of("beam2", points, nodes, SECTION, METAL, **more)


def properties(section=SECTION, **data) -> Properties:
    return Properties(METAL.stiffness()[None], np.array([METAL.density]), METAL, section, None, data)


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"offsets": np.array([[[0.0, 0.1, 0.05], [0.02, -0.1, 0.0]]])},
        {"pins": np.array([[[0, 0, 0, 0, 1, 1], [0, 0, 0, 0, 1, 0]]], dtype=bool)},
    ],
    ids=["plain", "offsets", "pins"],
)
def test_force_and_moment_of_one_element(data):
    """ω × (ω × ∫ρx) and ω × Jω; J from the mass matrix in rigid rotations."""
    X = np.array([[[0.1, 0.2, -0.3], [0.7, -0.1, 0.2]]])
    p = properties(**data)
    load = np.einsum("i,j,ijn->n", SPIN, SPIN, Beam2.spin_load(X, p)[0])
    rigid = np.concatenate([np.block([[np.eye(3), -skew(x)], [np.zeros((3, 3)), np.eye(3)]]) for x in X[0]])
    total = rigid.T @ Beam2.mass(X, p)[0] @ rigid
    m, J = total[0, 0], total[3:, 3:]
    center = np.array([total[1, 5], total[2, 3], total[0, 4]]) / m
    expected = np.concatenate([m * np.cross(SPIN, np.cross(SPIN, center)), np.cross(SPIN, J @ SPIN)])
    np.testing.assert_allclose(rigid.T @ load, expected, rtol=1e-12, atol=1e-12 * np.abs(expected).max())


def test_work_in_the_elements_own_displacements():
    """A slender element along x, spin about z: axial field ρAω²x in linear, transverse one ρAω²y in cubic displacements.

    At y = h the load across is constant: wl/2 and wl²/12, as of a weight; along it l (2 x₁ + x₂)/6. The spin is along a
    principal axis of the sections, so that these add no moment."""
    l, h, w = 0.6, 0.3, 7.0
    slender = GeneralSection(1e-4, 1e-8, 1e-8, 1e-8)
    X = np.array([[[0.2, h, 0.0], [0.2 + l, h, 0.0]]])
    load = -(w**2) * Beam2.spin_load(X, properties(slender))[0, 2, 2] / (METAL.density * 1e-4 * w**2)
    a, b = 0.2, 0.2 + l
    expected = [l * (2 * a + b) / 6, h * l / 2, 0, 0, 0, h * l**2 / 12]
    expected += [l * (a + 2 * b) / 6, h * l / 2, 0, 0, 0, -h * l**2 / 12]
    np.testing.assert_allclose(load, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("n", [1, 3])
def test_centrifugal_load(n):
    """Exact total force and moment about any point of the axis, with the rotary inertia of the sections."""
    about = np.array([0.05, 0.0, 0.1])
    model = assemble(chain(n))
    f = model.dofs.nodal(load_vector(model, [Centrifugal(tuple(SPIN), about=tuple(about))]))
    mass = model.mass_properties
    force = -mass.mass * np.cross(SPIN, np.cross(SPIN, mass.com - about))
    moment = -np.cross(SPIN, mass.inertia_about(about) @ SPIN)
    np.testing.assert_allclose(f[:, :3].sum(axis=0), force, rtol=1e-12)
    found = np.cross(model.mesh.points - about, f[:, :3]).sum(axis=0) + f[:, 3:].sum(axis=0)
    np.testing.assert_allclose(found, moment, rtol=1e-11)


def test_blade_bent_by_its_spin():
    """A slender bar beside its axis, clamped at the root: the load across, ρAω²h, bends it by ρAω²h L⁴/8EI, exactly."""
    L, h, w = 0.8, 0.01, 20.0
    slender = GeneralSection(1e-4, 1e-9, 1e-9, 2e-9, shear_factors=(0.0, 0.0))
    points, nodes = line((0, h, 0), (L, h, 0), 2)
    mesh = fixed(mesh_of("beam2", points, nodes, slender, METAL), (np.arange(3) == 0, (0, 1, 2, 3, 4, 5)))
    u = statics(assemble(mesh), [Centrifugal((0, 0, w))]).nodal[2]
    line_mass = METAL.density * 1e-4
    assert u[1] == pytest.approx(line_mass * w**2 * h * L**4 / (8 * 7e10 * 1e-9), rel=1e-9)
    assert u[0] == pytest.approx(METAL.density * w**2 * L**3 / (3 * 7e10), rel=1e-9)


def test_reduced_body_has_the_load_of_the_full_model():
    """`spin_loads` of the reduction is the `Centrifugal` load about the origin, freedom by freedom."""
    mesh = chain(4)
    problem = from_mesh(mesh, {"left": 1, "right": 5})
    model = assemble(problem.mesh)
    found = np.einsum("i,j,ijn->n", SPIN, SPIN, spin_loads(problem))
    nodal = model.dofs.nodal(load_vector(model, [Centrifugal(tuple(SPIN))]))
    node, component = problem.owners.T
    np.testing.assert_allclose(found, -nodal[node, component], rtol=0, atol=1e-12 * np.abs(nodal).max())


def test_lumped_masses_keep_the_load_of_their_nodes():
    problem = from_mesh(chain(4), {"left": 1, "right": 5}, lumped=True)
    found = np.einsum("i,j,ijn->n", SPIN, SPIN, spin_loads(problem))
    node, component = problem.owners.T
    mass = problem.M_full.diagonal()
    moves = component < 3
    expected = mass * np.cross(SPIN, np.cross(SPIN, problem.nodes))[node, component % 3]
    np.testing.assert_allclose(found[moves], expected[moves], rtol=1e-12, atol=1e-12 * np.abs(expected).max())
