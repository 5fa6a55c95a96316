"""Stiffness and mass matrices of beams: the laws they obey, their inertia and frequencies against closed forms."""

from __future__ import annotations

from math import pi, sqrt

import numpy as np
import pytest

from flexor.elements.lines.beam2 import Beam2
from flexor.mesh.section import Rectangle
from flexor.spatial import exp_so3
from tests.elements.beams import ALL, AXES, CROOKED, OFFSETS, SECTIONS, E, G, cantilever
from tests.elements.structures import STEEL, fixed, frequencies, line, properties, rigid_motions

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


def test_mass_stays_when_pinned() -> None:
    pins = np.zeros((1, 2, 6), dtype=bool)
    pins[0, 0, 3:] = True
    points, nodes = line((0, 0, 0), (1, 0, 0), 1)
    p = properties(CROOKED, STEEL, np.eye(3)[None], pins=pins)
    R = rigid_motions(points)
    free = R.T @ Beam2.mass(points[nodes], properties(CROOKED, STEEL, np.eye(3)[None]))[0] @ R
    assert np.allclose(R.T @ Beam2.mass(points[nodes], p)[0] @ R, free, rtol=1e-12, atol=1e-15)


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
