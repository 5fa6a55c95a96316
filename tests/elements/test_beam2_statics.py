"""Deflection, section forces and stress of beams against closed forms."""

from __future__ import annotations

from dataclasses import replace
from math import pi

import numpy as np
import pytest

from flexor.elements.assembly.model import assemble
from flexor.elements.lines.beam2 import Beam2
from flexor.errors import ModelError
from flexor.materials import Isotropic, Orthotropic
from flexor.mesh import RigidLink
from flexor.mesh.section import BoxProfile, Circle, GeneralSection, Rectangle
from tests.elements.beams import ALL, AXES, CROOKED, OFFSETS, SECTIONS, E, G, cantilever
from tests.elements.structures import STEEL, fixed, line, mesh_of, properties, rigid_motions, solve


def tip(mesh, **load: float) -> np.ndarray:
    """(6,) motion of the last node under a load there, the first one clamped."""
    f = np.zeros((len(mesh.points), 6))
    for name, value in load.items():
        f[-1, ("fx", "fy", "fz", "mx", "my", "mz").index(name)] = value
    held = np.zeros(len(mesh.points), dtype=bool)
    held[0] = True
    return solve(fixed(mesh, (held, ALL)), f)[-1]


# -- stiffness


@pytest.mark.parametrize("section", [*SECTIONS[:4], BoxProfile(0.03, 0.05, 0.003)], ids=lambda s: s.type)
@pytest.mark.parametrize("n", [1, 3])
def test_cantilever(section, n: int) -> None:
    """u = F L/EA, w = F L³/3EI + F L/kGA, θ = M L/EI, φ = T L/GJ; exact with any number of elements."""
    L, F = 0.8, 100.0
    mesh = cantilever(section, n, L)
    ky, kz = section.shear_factors
    A, Iy, Iz, J = section.area, section.Iy, section.Iz, section.J
    assert tip(mesh, fx=F)[0] == pytest.approx(F * L / (E * A))
    assert tip(mesh, fy=F)[1] == pytest.approx(F * L**3 / (3 * E * Iz) + F * L / (ky * G * A))
    assert tip(mesh, fz=F)[2] == pytest.approx(F * L**3 / (3 * E * Iy) + F * L / (kz * G * A))
    assert tip(mesh, fz=F)[4] == pytest.approx(-F * L**2 / (2 * E * Iy))
    assert tip(mesh, mx=F)[3] == pytest.approx(F * L / (G * J))
    assert tip(mesh, my=F)[4] == pytest.approx(F * L / (E * Iy))
    assert tip(mesh, my=F)[2] == pytest.approx(-F * L**2 / (2 * E * Iy))
    assert tip(mesh, mz=F)[1] == pytest.approx(F * L**2 / (2 * E * Iz))
    rigid_in_shear = cantilever(section.replace(shear=False), n, L)
    assert tip(rigid_in_shear, fy=F)[1] == pytest.approx(F * L**3 / (3 * E * Iz))


def test_unsymmetric_bending() -> None:
    """A rectangle described in axes turned by 30° has an Iyz and bends as the rectangle does."""
    b, h, angle = 0.01, 0.03, pi / 6
    plain = Rectangle(b, h)
    c, s = np.cos(angle), np.sin(angle)
    Iu, Iv = plain.Iz, plain.Iy  # ∫ y² dA, ∫ z² dA in its own axes
    turned = GeneralSection(
        b * h,
        Iy=s**2 * Iu + c**2 * Iv,
        Iz=c**2 * Iu + s**2 * Iv,
        J=plain.J,
        Iyz=c * s * (Iv - Iu),
        shear_factors=(5 / 6, 5 / 6),
    )
    points, nodes = line((0, 0, 0), (0.8, 0, 0), 1)
    # own axes y', z' lie at −30° from the general section's y, z
    own = np.array([[[1, 0, 0], [0, c, s], [0, -s, c]]])
    as_rectangle = mesh_of("beam2", points, nodes, plain, orientation=own)
    as_general = mesh_of("beam2", points, nodes, turned, orientation=np.eye(3)[None])
    for load in ({"fy": 10.0}, {"fz": 10.0}, {"my": 3.0}):
        assert np.allclose(tip(as_general, **load), tip(as_rectangle, **load), rtol=1e-12, atol=1e-18)
    # and sideways it goes: v = F L³/3E Iyz/(Iy Iz − Iyz²)
    expected = 10 * 0.8**3 / (3 * E) * turned.Iyz / (turned.Iy * turned.Iz - turned.Iyz**2)
    sideways = turned.replace(shear=False)
    mesh = mesh_of("beam2", points, nodes, sideways, orientation=np.eye(3)[None])
    assert tip(mesh, fz=10.0)[1] == pytest.approx(-expected)


def test_force_beside_the_shear_centre_twists() -> None:
    """A channel loaded at its centroid turns by F e L/GJ; loaded through its shear centre it does not."""
    e, L, F = 0.02, 0.8, 50.0
    channel = GeneralSection(3e-4, Iy=9e-9, Iz=4e-9, J=2e-10, shear_factors=(0.4, 0.5), shear_center=(-e, 0))
    mesh = cantilever(channel, 2, L)
    assert tip(mesh, fz=F)[3] == pytest.approx(F * e * L / (G * channel.J))
    through = tip(mesh, fz=F, mx=-F * e)
    assert through[3] == pytest.approx(0.0, abs=1e-15)
    assert through[2] == pytest.approx(F * L**3 / (3 * E * 9e-9) + F * L / (0.5 * G * 3e-4))


def test_rod_bears_axial_force_alone() -> None:
    points, nodes = line((0, 0, 0), (2, 0, 0), 1)
    K = Beam2.stiffness(points[nodes], properties(GeneralSection(1e-4)))[0]
    expected = np.zeros((12, 12))
    expected[np.ix_([0, 6], [0, 6])] = E * 1e-4 / 2 * np.array([[1, -1], [-1, 1]])
    assert np.allclose(K, expected, atol=1e-6)
    M = Beam2.mass(points[nodes], properties(GeneralSection(1e-4)))[0]
    R = rigid_motions(points)
    total = R.T @ M @ R
    assert np.allclose(np.diag(total)[:3], 7850 * 1e-4 * 2)
    assert total[5, 5] == pytest.approx(7850 * 1e-4 * 2**3 / 3)


def test_orthotropic_beam_uses_the_moduli_along_it() -> None:
    wood = Orthotropic(young=(11e9, 1e9, 0.5e9), poisson=(0.3, 0.4, 0.3), shear=(0.7e9, 0.1e9, 0.6e9))
    section = Rectangle(0.05, 0.2)
    mesh = cantilever(section, material=wood)
    assert tip(mesh, fz=1.0)[2] == pytest.approx(0.8**3 / (3 * 11e9 * section.Iy) + 0.8 / (5 / 6 * 0.6e9 * 0.01))
    assert tip(mesh, fy=1.0)[1] == pytest.approx(0.8**3 / (3 * 11e9 * section.Iz) + 0.8 / (5 / 6 * 0.7e9 * 0.01))


def test_isotropic_with_given_shear_modulus() -> None:
    """E = 210, G = 82 GPa is ν = 0.2805."""
    material = Isotropic(210e9, 210 / (2 * 82) - 1, 7900.0)
    assert tip(cantilever(Circle(0.01), material=material), mx=1.0)[3] == pytest.approx(0.8 / (82e9 * pi / 2 * 0.01**4))


def test_reference_sections_may_be_replaced() -> None:
    mesh = cantilever(Circle(0.01))
    thicker = replace(mesh, sections={"section": Circle(0.02)})
    assert tip(thicker, mx=1.0)[3] == pytest.approx(tip(mesh, mx=1.0)[3] / 16)


# -- ends and axes


def test_offsets_are_rigid_arms() -> None:
    """The same as a beam between nodes of its own, tied by rigid links."""
    points = np.array([[0, 0, 0], [0.6, 0.1, 0.2]])
    ends = points + OFFSETS[0]
    mesh = mesh_of("beam2", points, [[0, 1]], CROOKED, orientation=AXES[None], data={"offsets": OFFSETS})
    linked = mesh_of(
        "beam2",
        np.concatenate([points, ends]),
        [[2, 3]],
        CROOKED,
        orientation=AXES[None],
        rigid_links=(RigidLink(0, (2,)), RigidLink(1, (3,))),
    )
    a, b = assemble(mesh), assemble(linked)
    assert a.K.shape == b.K_reduced.shape == (12, 12)
    for one, other in ((a.K, b.K_reduced), (a.M, b.M_reduced)):
        assert np.allclose(one.toarray(), other.toarray(), atol=1e-12 * abs(one).max())


def test_pins() -> None:
    """Moments released at both ends: a simply supported span; a hinge at midspan of a clamped one."""
    section, L, F = Rectangle(0.02, 0.04, shear=False), 2.0, 1000.0
    pins = np.zeros((2, 2, 6), dtype=bool)
    pins[0, 0, 4:] = pins[1, 1, 4:] = True
    points, nodes = line((0, 0, 0), (L, 0, 0), 2)
    axes = np.tile(np.eye(3), (2, 1, 1))
    ends = np.array([True, False, True])
    f = np.zeros((3, 6))
    f[1, 2] = F
    mesh = mesh_of("beam2", points, nodes, section, orientation=axes, data={"pins": pins})
    u = solve(fixed(mesh, (ends, ALL)), f)
    assert u[1, 2] == pytest.approx(F * L**3 / (48 * E * section.Iy))
    # hinge: two cantilevers of L/2 share the load
    hinge = np.zeros((2, 2, 6), dtype=bool)
    hinge[0, 1, 4:] = True
    mesh = mesh_of("beam2", points, nodes, section, orientation=axes, data={"pins": hinge})
    u = solve(fixed(mesh, (ends, ALL)), f)
    assert u[1, 2] == pytest.approx(F / 2 * (L / 2) ** 3 / (3 * E * section.Iy))
    forces = Beam2.force_operator(points[nodes], properties(section, STEEL, axes, pins=hinge))
    moments = np.einsum("mpin,mn->mpi", forces, u[nodes].reshape(2, 12))[:, :, 4]
    assert np.allclose(moments, [[-F / 2 * L / 2, 0], [0, -F / 2 * L / 2]], atol=1e-9 * F * L)
    total = rigid_motions(points[nodes[0]])
    assert np.allclose(
        Beam2.stiffness(points[nodes], properties(section, STEEL, axes, pins=pins))[0] @ total, 0, atol=1
    )


@pytest.mark.parametrize("released", [(3, 9), (0, 6), (4, 10, 2)])
def test_pins_that_leave_it_loose_are_refused(released: tuple[int, ...]) -> None:
    pins = np.zeros((1, 12), dtype=bool)
    pins[0, list(released)] = True
    points, nodes = line((0, 0, 0), (1, 0, 0), 1)
    p = properties(Circle(0.01), pins=pins.reshape(1, 2, 6))
    with pytest.raises(ModelError, match=r"element 1 of its block: its pins \(.*\) leave it loose"):
        Beam2.stiffness(points[nodes], p)


def test_effective_length() -> None:
    """A beam shorter than it acts is as compliant as one of the effective length; zero length needs an orientation."""
    section = Circle(0.01)
    points, nodes = line((0, 0, 0), (0.1, 0, 0), 1)
    K = Beam2.stiffness(points[nodes], properties(section, STEEL, length=np.array([0.5])))[0]
    assert K[6, 6] == pytest.approx(E * section.area / 0.5)
    assert K[9, 9] == pytest.approx(G * section.J / 0.5)
    assert np.abs(K @ rigid_motions(points)).max() < 1e-9 * K.max()
    point = np.zeros((1, 2, 3))
    short = properties(section, STEEL, AXES[None], length=np.array([0.5]))
    force = AXES[:, 0] @ Beam2.stiffness(point, short)[0][6:9, 6:9] @ AXES[:, 0]
    assert force == pytest.approx(E * section.area / 0.5)
    assert np.all(Beam2.mass(point, short) == 0)
    with pytest.raises(ModelError, match="element 1 of its block: its ends coincide"):
        Beam2.stiffness(point, properties(section))


def test_default_axes() -> None:
    """Without an orientation z points up; a vertical beam has y along the global y."""
    section = Rectangle(0.01, 0.03, shear=False)
    for end, weak in (((1.0, 1.0, 0.0), (1, -1, 0)), ((0, 0, 1.0), (0, 1, 0)), ((1.0, 0, 2.0), (0, 1, 0))):
        points, nodes = line((0, 0, 0), end, 1)
        direction = np.array(weak) / np.linalg.norm(weak)
        mesh = mesh_of("beam2", points, nodes, section)
        u = tip(mesh, **dict(zip(("fx", "fy", "fz"), direction)))
        L = np.linalg.norm(end)
        assert u[:3] @ direction == pytest.approx(L**3 / (3 * E * section.Iz))
    points, nodes = line((0, 0, 0), (0, 1, 0), 1)
    with pytest.raises(ModelError, match="its orientation is along the beam"):
        Beam2.stiffness(points[nodes], properties(section, STEEL, np.eye(3)[None]))


# -- section forces and stress


def fibre_stress(mesh, u: np.ndarray, **how) -> np.ndarray:
    block = mesh.blocks[0]
    p = properties(mesh.sections["section"], STEEL, block.orientation, **dict(block.data))
    S = Beam2.fibre_stress_operator(mesh.points[block.nodes], p, **how)
    return np.einsum("mpin,mn->mpi", S, u[block.nodes].reshape(len(block.nodes), -1))


def test_section_forces_and_stress() -> None:
    """A cantilever along y under six loads: forces at both ends by statics; σ = N/A + My z/Iy − Mz y/Iz, τ = T r/J."""
    section, L = Circle(0.02), 0.5
    axes = np.stack([[0, 1.0, 0], [0, 0, 1.0], [1.0, 0, 0]], axis=-1)[None]
    mesh = mesh_of("beam2", [[0, 0, 0], [0, L, 0]], [[0, 1]], section, orientation=axes)
    f = np.zeros((2, 6))
    local = np.array([1000.0, 20, -30, 7, 4, 5])  # N, Fy, Fz, T, My, Mz at the tip
    f[1] = np.concatenate([axes[0] @ local[:3], axes[0] @ local[3:]])
    u = solve(fixed(mesh, (np.array([True, False]), ALL)), f)
    p = properties(section, STEEL, axes)
    forces = Beam2.force_operator(mesh.points[[[0, 1]]], p)[0] @ u.ravel()
    root = local + np.array([0, 0, 0, 0, 30 * L, 20 * L])
    assert np.allclose(forces, [root, local], rtol=1e-9)
    assert np.allclose(Beam2.force_operator(mesh.points[[[0, 1]]], p, "center")[0] @ u.ravel(), (root + local) / 2)
    stress = fibre_stress(mesh, u)[0].reshape(8, 2, 6)
    for (y, z, *_), both in zip(section.stress_points(), stress):
        for (N, _, _, T, My, Mz), value in zip((root, local), both):
            sigma = N / section.area + My * z / section.Iy - Mz * y / section.Iz
            tensor = np.array([[sigma, -z * T / section.J, y * T / section.J], [0, 0, 0], [0, 0, 0]])
            tensor = axes[0] @ (tensor + tensor.T - np.diag(np.diag(tensor))) @ axes[0].T
            assert np.allclose(value, tensor[[0, 1, 2, 0, 1, 2], [0, 1, 2, 1, 2, 0]], atol=1e-6 * abs(sigma) + 1)
    strain = Beam2.fibre_strain_operator(mesh.points[[[0, 1]]], p)[0] @ u.ravel()
    assert np.allclose(strain[:, 1], stress.reshape(-1, 6)[:, 1] / E)
    assert np.allclose(strain[:, 0], -0.3 * strain[:, 1])
    assert np.allclose(strain[:, 3], stress.reshape(-1, 6)[:, 3] / G)


def test_stress_of_unsymmetric_bending() -> None:
    """σ = (My (z Iz − y Iyz) + Mz (…))/(Iy Iz − Iyz²): bending moment My alone."""
    section = CROOKED.replace(points=((0.01, 0.02), (-0.01, 0.005)))
    mesh = cantilever(section)
    f = np.zeros((2, 6))
    f[1, 4] = 10.0
    u = solve(fixed(mesh, (np.array([True, False]), ALL)), f)
    stress = fibre_stress(mesh, u, where="center")[0, :, 0]
    Iy, Iz, Iyz = section.Iy, section.Iz, section.Iyz
    expected = [10 * (z * Iz - y * Iyz) / (Iy * Iz - Iyz**2) for y, z in section.points]
    assert np.allclose(stress, expected, rtol=1e-9)
