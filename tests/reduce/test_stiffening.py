"""Geometric stiffening of floating bodies: rotating blades, and what holds them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.polynomial import Polynomial
from scipy import linalg

from flexor.bodies.control_point import shape_at
from flexor.bodies.floating import PAIRS, floating_element
from flexor.bodies.mean_axes import mean_axes
from flexor.bodies.stiffened import stiffened_element
from flexor.elements.assembly import assemble
from flexor.elements.initial_stress import geometric_stiffness, initial_stress
from flexor.errors import ModelError
from flexor.materials import Isotropic
from flexor.mesh.generate import bar, plate
from flexor.mesh.section import Rectangle, ShellSection
from flexor.reduce import CraigBampton, from_mesh, reduce_problem
from flexor.reduce.stiffening import shortening, stiffening
from flexor.spatial import exp_so3, tangent
from tests.bodies.floating_bodies import sized
from tests.bodies.material_point import material_point_element
from tests.laws.calls import matrix, residual
from tests.laws.states import State, slope

LENGTH, WIDTH, HEIGHT = 1.0, 0.02, 0.01
CORK = Isotropic(210e9, 0.0, 7850.0)
"""Without Poisson's contraction, which a clamped root of solids and shells would hinder."""
WRIGHT = {0: 3.5160, 1: 3.6817, 2: 4.1373, 3: 4.7973, 4: 5.5850, 5: 6.4495}
"""A. D. Wright, C. E. Smith, R. W. Thresher, J. L. C. Wang: Vibration modes of centrifugally stiffened beams. J. Appl. Mech.
49 (1982) 197: first flap frequency ω √(μL⁴/EI) by speed η = Ω √(μL⁴/EI), no hub."""


def ritz(eta: float, hub: float = 0.0, terms: int = 9) -> float:
    """First flap frequency of the rotating uniform cantilever, x² times Legendre polynomials; hub radius in lengths.

    ∫ w''² + η² ((1 − x²)/2 + r (1 − x)) w'² dx = ω² ∫ w² dx
    """
    x, weight = np.polynomial.legendre.leggauss(40)
    x, weight = (x + 1) / 2, weight / 2
    bases = [np.polynomial.Legendre.basis(k, domain=[0, 1]).convert(kind=Polynomial) for k in range(terms)]
    shapes = [Polynomial([0, 0, 1]) * basis for basis in bases]
    w, w1, w2 = (np.array([shape.deriv(n)(x) if n else shape(x) for shape in shapes]) for n in range(3))
    tension = eta**2 * ((1 - x**2) / 2 + hub * (1 - x))
    K = (w2 * weight) @ w2.T + (w1 * weight * tension) @ w1.T
    return float(np.sqrt(linalg.eigh(K, (w * weight) @ w.T, eigvals_only=True)[0]))


@pytest.mark.parametrize("eta", WRIGHT)
def test_published_frequencies_are_those_of_the_equation(eta):
    assert ritz(eta) == pytest.approx(WRIGHT[eta], abs=6e-5)


@cache
def blade(element: str):
    """A blade along x with its root at the origin."""
    if element == "beam2":
        mesh = bar(LENGTH, WIDTH, HEIGHT, divisions=(10,), element=element, section=Rectangle(WIDTH, HEIGHT))
    elif element == "shell4":
        mesh = plate(LENGTH, WIDTH, divisions=(14, 1), element=element, section=ShellSection(HEIGHT), material=CORK)
    else:
        mesh = bar(LENGTH, WIDTH, HEIGHT, divisions=(14, 1, 1), element=element, material=CORK)
    reduced = reduce_problem(from_mesh(mesh, {"root": "x_min"}), CraigBampton(modes=6), check=False)
    axes = mean_axes(reduced)
    return reduced, axes, shortening(reduced, axes, held="root")


def rotating_frequencies(element: str, eta: float, hub: float = 0.0, stiffened: bool = True) -> np.ndarray:
    """Frequencies, in units of √(EI/μL⁴), of the blade on a hub that turns about z, seen in the hub.

    The law of the floating body and that of its root, with coordinates in the turning frame: x = Q(t)(x₀ + ξ),
    R = Q(t) exp θ. The root is fixed to the hub.
    """
    reduced, axes, stiff = blade(element)
    m = axes.size
    scalars = tuple(range(m))
    law = (axes, 1, scalars, np.zeros(3))
    body = sized(stiffened_element("blade", *law, stiff) if stiffened else floating_element("blade", *law))
    X = reduced.at("root") - axes.com
    point = material_point_element("root", 1, 2, scalars, X, *shape_at(reduced, axes.modes, "root"))
    unit = np.sqrt(210e9 * HEIGHT**2 / (12 * 7850.0)) / LENGTH**2
    spin = np.array([0.0, 0.0, eta * unit])
    place = np.array([hub, 0.0, 0.0])

    def forces(z, zd, zdd, lam):
        """Rows of the body and, last, the constraints."""
        y = place - X + z[:3]
        H = tangent(z[3:6])
        turn, push = H @ zd[3:6], H @ zdd[3:6]  # H varies with θ in second order only, about θ = 0
        v = np.concatenate([np.cross(spin, y) + zd[:3], spin + turn])
        a = np.cross(spin, np.cross(spin, y)) + 2 * np.cross(spin, zd[:3]) + zdd[:3]
        a = np.concatenate([a, push + np.cross(spin, turn)])
        s = np.stack([z[6:], zd[6:], zdd[6:]], axis=1)
        R, none = exp_so3(z[3:6]), np.zeros(0)
        free = State(y[None], R[None], v[None], a[None], s, none, none, 0.0, np.zeros(3))
        held = State(
            np.array([y, place]),
            np.array([R, np.eye(3)]),
            np.zeros((2, 6)),
            np.zeros((2, 6)),
            s,
            lam,
            none,
            0.0,
            np.zeros(3),
        )
        r = residual(point, held)
        return np.concatenate([residual(body, free) + r[[*range(6), *range(12, 12 + m)]], r[12 + m :]])

    n = 6 + m
    z, lam, zero = np.zeros(n), np.zeros(6), np.zeros(n)

    def stiffness(z, lam):
        return np.array([slope(lambda d, e=e: forces(z + d * e, zero, zero, lam), 1e-6) for e in np.eye(n)]).T

    for _ in range(3):  # steady rotation
        K = stiffness(z, lam)
        whole = np.block([[K[:n], K[n:].T], [K[n:], np.zeros((6, 6))]])
        step = np.linalg.solve(whole, -forces(z, zero, zero, lam))
        z, lam = z + step[:n], lam + step[n:]
    K = stiffness(z, lam)
    C = np.array([slope(lambda d, e=e: forces(z, d * e, zero, lam), 1e-2) for e in np.eye(n)]).T[:n]
    M = np.array([slope(lambda d, e=e: forces(z, zero, d * e, lam), 1e-2) for e in np.eye(n)]).T[:n]
    B = K[n:]
    Z = linalg.null_space(B / np.abs(B).max(axis=1, keepdims=True))
    k, c, mass = (Z.T @ A @ Z for A in (K[:n], C, M))
    one = np.eye(len(k))
    values = np.linalg.eigvals(np.block([[0 * one, one], [-np.linalg.solve(mass, k), -np.linalg.solve(mass, c)]]))
    assert np.abs(values.real).max() < 1e-6 * np.abs(values).max()
    return np.sort(values.imag[values.imag > 0])[:2] / unit


@pytest.mark.parametrize("eta", [0, 1, 3, 5])
def test_rotating_blade_of_beams(eta):
    """Flap as published; in the plane of rotation ω² is less by η² (softening), the beam twice as stiff there."""
    flap, lag = np.sort(rotating_frequencies("beam2", eta))
    assert flap == pytest.approx(WRIGHT[eta], rel=3e-4)
    assert lag == pytest.approx(np.sqrt((2 * ritz(eta / 2)) ** 2 - eta**2), rel=1e-3)


@pytest.mark.parametrize("element", ["shell4", "hex8", "hex20"])
def test_rotating_blade_of_shells_and_solids(element):
    rest, fast = (rotating_frequencies(element, eta)[0] for eta in (0, 4))
    assert rest == pytest.approx(WRIGHT[0], rel=3e-3)
    assert fast**2 - rest**2 == pytest.approx(WRIGHT[4] ** 2 - WRIGHT[0] ** 2, rel=0.01)


def test_blade_on_a_hub():
    """Root one length away from the axis: the tension μΩ²((L² − x²)/2 + r(L − x)) comes from the frame's acceleration."""
    assert rotating_frequencies("beam2", 3.0, hub=1.0)[0] == pytest.approx(ritz(3, 1.0), rel=1e-3)
    assert ritz(3, 1.0) > ritz(3) + 1


def test_without_stiffening_part_of_it_is_missing():
    """Mean axes turn with the blade: the centrifugal force against that turn is exact without any stiffening, no more."""
    found = rotating_frequencies("beam2", 3.0, stiffened=False)[0]
    assert 1.2 * WRIGHT[0] < found < 0.96 * WRIGHT[3]


def test_motion_about_the_root_taken_apart():
    """Σ aₖBₖ + Σ ω̇ₖAₖ + Σ ωᵢωⱼKᵢⱼ is the geometric stiffness of the inertia about the root, put on the mesh as a whole."""
    mesh = bar(1.0, 0.1, 0.08, divisions=(6, 1, 1))
    problem = from_mesh(mesh, {"root": "x_min"})
    reduced = reduce_problem(problem, CraigBampton(modes=5), check=False)
    axes = mean_axes(reduced)
    parts = stiffening(reduced, axes, held="root")
    random = np.random.default_rng(3)
    omega, alpha = random.normal(size=(2, 3))
    arm = axes.com - reduced.at("root")
    a = np.cross(alpha, arm) + np.cross(omega, np.cross(omega, arm))
    found = np.tensordot(a, parts.acceleration, 1) + np.tensordot(alpha, parts.spin, 1)
    found += sum(omega[i] * omega[j] * K for (i, j), K in zip(PAIRS, parts.centrifugal))

    model = assemble(problem.mesh)
    x = problem.nodes - reduced.at("root")
    field = np.cross(alpha, x) + np.cross(omega, np.cross(omega, x))
    node, component = model.dofs.owners.T
    nodal = np.hstack([field, np.zeros_like(field)])[node, component]
    u = model.T @ problem.held.solve(-(model.T.T @ (model.M @ nodal))[:, None])
    G = geometric_stiffness(model, [values[..., 0] for values in initial_stress(model, u)])
    U = reduced.shapes @ axes.modes
    expected = U.T @ (G @ U)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9 * np.abs(expected).max())


def test_free_body_is_stretched_by_its_spin_alone():
    """Accelerations of a body that nothing holds leave no stress; a spin across a bar stiffens it, along it does not."""
    reduced, axes, _ = blade("beam2")
    free = stiffening(reduced, axes)
    scale = np.abs(free.centrifugal[2]).max()
    np.testing.assert_allclose(free.acceleration, 0, atol=1e-9 * scale)
    np.testing.assert_allclose(free.spin, 0, atol=1e-9 * scale)
    np.testing.assert_allclose(free.centrifugal[0], 0, atol=1e-3 * scale)
    for p in (1, 2):  # about y, about z
        assert np.linalg.eigvalsh(free.centrifugal[p])[-1] > 0
    np.testing.assert_allclose(free.centrifugal, free.centrifugal.transpose(0, 2, 1), atol=1e-12 * scale)


def test_free_beam_stiffens_as_calculated():
    """First bending of the free beam: ω² = ω₀² + κ Ω², κ = ∫ μ (L²/4 − x²)/2 φ'² dx; N constant per element: 0.3 %."""
    mesh = bar(LENGTH, WIDTH, HEIGHT, divisions=(20,), element="beam2", section=Rectangle(WIDTH, HEIGHT))
    reduced = reduce_problem(from_mesh(mesh, {"root": "x_min"}), CraigBampton(modes=6), check=False)
    free = stiffening(reduced, mean_axes(reduced))
    xi, weight = np.polynomial.legendre.leggauss(30)
    beta = 4.730041 / 2
    ratio = np.cos(beta) / np.cosh(beta)
    phi = np.cos(beta * xi) + ratio * np.cosh(beta * xi)
    slope_of = beta * (-np.sin(beta * xi) + ratio * np.sinh(beta * xi))  # by ξ = 2x/L
    kappa = (weight * (1 - xi**2) / 2 * slope_of**2).sum() / (weight * phi**2).sum()
    assert free.centrifugal[2][0, 0] == pytest.approx(kappa, rel=4e-3)


def test_what_cannot_be_known_is_refused():
    reduced, axes, _ = blade("beam2")
    with pytest.raises(ModelError, match="no interface 'hub'"):
        stiffening(reduced, axes, held="hub")
    with pytest.raises(ModelError, match="scaled body"):
        stiffening(reduced.scaled(length=2.0), axes, held="root")
    with pytest.raises(ModelError, match="scaled body"):
        stiffening(reduced.scaled(density=2.0), axes, held="root")
    with pytest.raises(ModelError, match="no elements"):
        stiffening(replace(reduced, mesh=None), axes, held="root")


@pytest.mark.parametrize("element", ["beam2", "hex8"])
def test_kinetic_energy_is_positive_however_far_the_body_bends(element):
    """Also with 20 modes, the highest far above the lowest, and deflections of the order of the length."""
    if element == "beam2":
        mesh = bar(LENGTH, WIDTH, HEIGHT, divisions=(30,), element=element, section=Rectangle(WIDTH, HEIGHT))
    else:
        mesh = bar(LENGTH, WIDTH, HEIGHT, divisions=(30, 1, 1), element=element, material=CORK)
    problem = from_mesh(mesh, {"root": "x_min", "tip": "x_max"})
    reduced = reduce_problem(problem, CraigBampton(modes=14), check=False)
    axes = mean_axes(reduced)
    body = sized(
        stiffened_element("rod", axes, 1, tuple(range(axes.size)), np.zeros(3), shortening(reduced, axes, held="root"))
    )
    random = np.random.default_rng(1)
    m, none = axes.size, np.zeros(0)
    for amount in (0.01, 0.1, 1.0):
        # every mode at its share of a deflection of the tip
        q = amount * random.normal(size=m) / np.maximum(1e-9, np.linalg.norm(shape_at(reduced, axes.modes, "tip")[0]))
        s = np.stack([q, 0 * q, 0 * q], axis=1)
        still = np.zeros((1, 6))
        state = State(np.zeros((1, 3)), np.eye(3)[None], still, still, s, none, none, 0.0, np.zeros(3))
        M = matrix(body, state, (0.0, 0.0, 1.0))
        np.testing.assert_allclose(M, M.T, atol=1e-12 * np.abs(M).max())
        scale = 1 / np.sqrt(np.diag(M))
        assert np.linalg.eigvalsh(M * np.outer(scale, scale))[0] > -1e-12
