"""Beams against closed forms."""

from __future__ import annotations

from dataclasses import replace
from math import pi, sqrt

import numpy as np
import pytest

from flexor.elements.assembly import assemble
from flexor.elements.beam2 import Beam2
from flexor.errors import ModelError
from flexor.materials import Isotropic, Orthotropic
from flexor.mesh import RigidLink
from flexor.mesh.section import BoxProfile, Circle, GeneralSection, IProfile, Rectangle, Tube
from flexor.spatial import exp_so3
from tests.elements.structures import (
    STEEL,
    fixed,
    frequencies,
    line,
    mesh_of,
    properties,
    rigid_motions,
    solve,
)

ALL = (0, 1, 2, 3, 4, 5)
E, G = STEEL.young, STEEL.shear
CROOKED = GeneralSection(
    3e-4,
    Iy=4e-9,
    Iz=9e-9,
    J=2e-9,
    Iyz=-3e-9,
    shear_factors=(0.4, 0.6),
    shear_center=(0.004, -0.007),
    line_mass=0.3,
    line_inertia=1e-5,
)
SECTIONS = [Rectangle(0.01, 0.03), Circle(0.01), Tube(0.02, 0.003), IProfile(0.03, 0.05, 0.002, 0.004), CROOKED]
AXES = exp_so3(np.array([0.3, 1.2, -0.5]))
OFFSETS = np.array([[[0.02, -0.01, 0.03], [-0.01, 0.04, 0.0]]])


def tip(mesh, **load: float) -> np.ndarray:
    """(6,) motion of the last node under a load there, the first one clamped."""
    f = np.zeros((len(mesh.points), 6))
    for name, value in load.items():
        f[-1, ("fx", "fy", "fz", "mx", "my", "mz").index(name)] = value
    held = np.zeros(len(mesh.points), dtype=bool)
    held[0] = True
    return solve(fixed(mesh, (held, ALL)), f)[-1]


def cantilever(section, n: int = 1, length: float = 0.8, material=STEEL, **more):
    """Along x, section axes along y and z."""
    points, nodes = line((0, 0, 0), (length, 0, 0), n)
    axes = np.tile(np.eye(3), (n, 1, 1))
    return mesh_of("beam2", points, nodes, section, material, orientation=axes, **more)


# -- laws


@pytest.mark.parametrize("section", SECTIONS, ids=lambda s: s.type)
@pytest.mark.parametrize("offsets", [None, OFFSETS], ids=["central", "offset"])
def test_six_rigid_motions_and_no_other_mode_without_stiffness(section, offsets) -> None:
    X = np.array([[[0.2, 0.1, -0.3], [0.5, -0.2, 0.4]]])
    p = properties(section, STEEL, AXES[None], **({} if offsets is None else {"offsets": offsets}))
    K = Beam2.stiffness(X, p)[0]
    values = np.linalg.eigvalsh(K)
    assert np.abs(K @ rigid_motions(X[0])).max() < 1e-11 * values[-1]
    scale = 1 / np.sqrt(np.diag(K))
    scaled = np.linalg.eigvalsh(K * scale[:, None] * scale)
    assert np.sum(np.abs(scaled) < 1e-11) == 6
    assert scaled[6] > 1e-6
    # objective
    R = exp_so3(np.array([-0.4, 0.9, 1.3]))
    turned = properties(section, STEEL, (R @ AXES)[None], **({} if offsets is None else {"offsets": offsets @ R.T}))
    Q = np.kron(np.eye(4), R)
    for matrix in (Beam2.stiffness, Beam2.mass):
        A = matrix(X, p)[0]
        assert np.allclose(matrix(X @ R.T, turned)[0], Q @ A @ Q.T, atol=1e-12 * np.abs(A).max())
    # no force in a rigid motion
    forces = Beam2.force_operator(X, p)[0]
    assert np.abs(forces @ rigid_motions(X[0])).max() < 1e-11 * np.abs(forces).max()


def test_ends_exchanged_is_the_same_beam() -> None:
    """Seen from the other end x and z point the other way, so Iyz and the shear centre's z change sign."""
    X = np.array([[[0.0, 0, 0], [0.5, 0.1, 0.2]]])
    y, z = CROOKED.shear_center
    mirrored = CROOKED.replace(Iyz=-CROOKED.Iyz, shear_center=(y, -z))
    axes = np.zeros((1, 3, 3))
    axes[0, :, 1] = [0.3, 1.0, 0.0]
    order = np.r_[6:12, 0:6]
    for matrix in (Beam2.stiffness, Beam2.mass):
        A = matrix(X, properties(CROOKED, STEEL, axes))[0]
        B = matrix(X[:, ::-1], properties(mirrored, STEEL, axes))[0]
        assert np.allclose(B[np.ix_(order, order)], A, atol=1e-12 * np.abs(A).max())


def test_batch_is_each_one_alone() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3, 2, 3))
    axes = np.stack([exp_so3(v) for v in rng.normal(size=(3, 3))])
    pins = np.zeros((3, 2, 6), dtype=bool)
    pins[1, 0, 4] = pins[2, 1, 3:5] = True
    offsets = 0.1 * rng.normal(size=(3, 2, 3))
    p = properties(CROOKED, STEEL, axes, offsets=offsets, pins=pins)
    for method in (Beam2.stiffness, Beam2.mass, Beam2.volume, Beam2.force_operator, Beam2.fibre_stress_operator):
        together = method(X, p)
        for i in range(3):
            one = properties(CROOKED, STEEL, axes[i : i + 1], offsets=offsets[i : i + 1], pins=pins[i : i + 1])
            assert np.allclose(together[i], method(X[i : i + 1], one)[0], rtol=1e-12, atol=1e-6)


# -- statics


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


def test_mass_stays_when_pinned() -> None:
    pins = np.zeros((1, 2, 6), dtype=bool)
    pins[0, 0, 3:] = True
    points, nodes = line((0, 0, 0), (1, 0, 0), 1)
    p = properties(CROOKED, STEEL, np.eye(3)[None], pins=pins)
    R = rigid_motions(points)
    free = R.T @ Beam2.mass(points[nodes], properties(CROOKED, STEEL, np.eye(3)[None]))[0] @ R
    assert np.allclose(R.T @ Beam2.mass(points[nodes], p)[0] @ R, free, rtol=1e-12, atol=1e-15)


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


# -- mass and frequencies


def test_mass_and_inertia() -> None:
    """A beam off the origin: mass and inertia with the section's own, exactly, in any direction."""
    points = np.array([[0.1, 0.2, 0.0], [0.4, 0.6, 1.2]])
    L = np.linalg.norm(points[1] - points[0])
    p = properties(CROOKED, STEEL, AXES[None])
    R = rigid_motions(points)
    total = R.T @ Beam2.mass(points[None], p)[0] @ R
    per_length = 7850 * 3e-4 + 0.3
    assert np.allclose(total[:3, :3], per_length * L * np.eye(3), atol=1e-12)
    x = (points[1] - points[0]) / L
    y = AXES[:, 1] - (AXES[:, 1] @ x) * x
    y /= np.linalg.norm(y)
    z = np.cross(x, y)
    c = points.mean(axis=0)
    S = per_length * L * (np.outer(c, c) + L**2 / 12 * np.outer(x, x))
    S += 7850 * L * (9e-9 * np.outer(y, y) + 4e-9 * np.outer(z, z) - 3e-9 * (np.outer(y, z) + np.outer(z, y)))
    inertia = np.trace(S) * np.eye(3) - S + 1e-5 * L * np.outer(x, x)
    assert np.allclose(total[3:, 3:], inertia, rtol=1e-10)
    lumped = Beam2.mass(points[None], p, lumped=True)[0]
    assert np.count_nonzero(lumped - np.diag(np.diag(lumped))) == 0
    assert np.diag(lumped).min() > 0
    assert np.trace(lumped[:3, :3] + lumped[6:9, 6:9]) == pytest.approx(3 * per_length * L)


@pytest.mark.parametrize("shear", [False, True])
def test_consistent_mass_in_closed_form(shear: bool) -> None:
    """Bending of one element: translational and rotary parts, Przemieniecki (1968), § 11.4, with Φ = 12EI/(kGA L²)."""
    section, L = Rectangle(0.05, 0.2, shear=shear), 0.7
    rho, A, I = 7850.0, section.area, section.Iz
    f = 12 * E * I / (5 / 6 * G * A * L**2) if shear else 0.0
    a = 13 / 35 + 7 / 10 * f + f**2 / 3
    b = 9 / 70 + 3 / 10 * f + f**2 / 6
    c = (11 / 210 + 11 / 120 * f + f**2 / 24) * L
    d = (13 / 420 + 3 / 40 * f + f**2 / 24) * L
    e = (1 / 105 + f / 60 + f**2 / 120) * L**2
    g = (1 / 140 + f / 60 + f**2 / 120) * L**2
    translation = np.array([[a, c, b, -d], [c, e, d, -g], [b, d, a, -c], [-d, -g, -c, e]])
    p, q = 6 / 5, (1 / 10 - f / 2) * L
    r, s = (2 / 15 + f / 6 + f**2 / 3) * L**2, (1 / 30 + f / 6 - f**2 / 6) * L**2
    rotary = np.array([[p, q, -p, q], [q, r, -q, -s], [-p, -q, p, -q], [q, -s, -q, r]])
    expected = (rho * A * L * translation + rho * I / L * rotary) / (1 + f) ** 2
    points, nodes = line((0, 0, 0), (L, 0, 0), 1)
    M = Beam2.mass(points[nodes], properties(section, STEEL, np.eye(3)[None]))[0]
    bending = [1, 5, 7, 11]
    assert np.allclose(M[np.ix_(bending, bending)], expected, rtol=1e-10)
    assert np.allclose(M[np.ix_([0, 6], [0, 6])], rho * A * L / 6 * np.array([[2, 1], [1, 2]]))
    assert np.allclose(M[np.ix_([3, 9], [3, 9])], rho * (section.Iy + I) * L / 6 * np.array([[2, 1], [1, 2]]))


def test_frequencies_of_a_simply_supported_timoshenko_beam() -> None:
    """Stubby beam: the lower root of Timoshenko's quadratic for each half-wave."""
    section, L = Rectangle(0.1, 0.2), 1.0
    mesh = cantilever(section, 120, L)
    ends = np.abs(mesh.points[:, 0] - L / 2) > L / 2 - 1e-9
    every = np.ones(len(mesh.points), dtype=bool)
    found = frequencies(fixed(mesh, (every, (0, 1, 3, 5)), (ends, (2,))), 3)
    rho, A, I, S = 7850.0, section.area, section.Iy, 5 / 6 * G * section.area
    for n, f in enumerate(found, start=1):
        k = n * pi / L
        # det [S k² − ρA ω², −S k; −S k, EI k² + S − ρI ω²] = 0
        a, b, c = rho * A * rho * I, -(rho * A * (E * I * k**2 + S) + rho * I * S * k**2), S * k**2 * E * I * k**2
        omega2 = (-b - sqrt(b * b - 4 * a * c)) / (2 * a)
        assert f == pytest.approx(sqrt(omega2) / (2 * pi), rel=2e-4)


def test_torsional_and_axial_frequencies() -> None:
    section, L = Rectangle(0.01, 0.03), 0.5
    mesh = cantilever(section, 30, L)
    root = mesh.points[:, 0] == 0
    every = np.ones(len(mesh.points), dtype=bool)
    torsion = frequencies(fixed(mesh, (root, ALL), (every, (0, 1, 2, 4, 5))), 2)
    polar = section.Iy + section.Iz
    exact = sqrt(G * section.J / (7850 * polar)) / (4 * L)
    assert np.allclose(torsion, [exact, 3 * exact], rtol=2e-3)
    axial = frequencies(fixed(mesh, (root, ALL), (every, (1, 2, 3, 4, 5))), 1)[0]
    assert axial == pytest.approx(sqrt(E / 7850) / (4 * L), rel=2e-4)


def test_lumped_mass_converges_to_the_same_frequencies() -> None:
    mesh = cantilever(Rectangle(0.01, 0.02), 40, 1.0)
    mesh = fixed(mesh, (mesh.points[:, 0] == 0, ALL))
    assert np.allclose(frequencies(mesh, 4, lumped=True), frequencies(mesh, 4), rtol=2e-3)


def test_isotropic_with_given_shear_modulus() -> None:
    """E = 210, G = 82 GPa is ν = 0.2805."""
    material = Isotropic(210e9, 210 / (2 * 82) - 1, 7900.0)
    assert tip(cantilever(Circle(0.01), material=material), mx=1.0)[3] == pytest.approx(0.8 / (82e9 * pi / 2 * 0.01**4))


def test_reference_sections_may_be_replaced() -> None:
    mesh = cantilever(Circle(0.01))
    thicker = replace(mesh, sections={"section": Circle(0.02)})
    assert tip(thicker, mx=1.0)[3] == pytest.approx(tip(mesh, mx=1.0)[3] / 16)
