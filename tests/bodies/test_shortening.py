"""Geometric stiffening of floating bodies: rotating blades, loaded columns, and what their mass does."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.polynomial import Polynomial
from scipy import linalg, optimize

import flexor as fx
from flexor.bodies.floating.control_point import shape_at
from flexor.bodies.floating.loaded_mesh import LoadedMesh
from flexor.bodies.floating.mean_axes import mean_axes
from flexor.bodies.floating.shortening import shortening
from flexor.bodies.floating.stiffened import stiffened_term
from flexor.errors import ModelError
from flexor.materials import Isotropic
from flexor.mesh.generate import bar, plate
from flexor.mesh.section import Rectangle, ShellSection
from flexor.reduce import CraigBampton, from_mesh, reduce_problem
from tests.bodies.floating_bodies import sized
from tests.laws.calls import matrix
from tests.laws.states import State

LENGTH, WIDTH, HEIGHT = 1.0, 0.02, 0.01
YOUNG, DENSITY = 210e9, 7850.0
CORK = Isotropic(YOUNG, 0.0, DENSITY)
"""Without Poisson's contraction, which a clamped root of solids and shells would hinder."""
UNIT = np.sqrt(YOUNG * HEIGHT**2 / (12 * DENSITY)) / LENGTH**2
"""√(EI/μL⁴) [1/s]"""
EULER = np.pi**2 * YOUNG * WIDTH * HEIGHT**3 / 12 / (4 * LENGTH**2)
"""Load at which a column that is clamped at one end buckles [N]."""
WRIGHT = {0: 3.5160, 1: 3.6817, 2: 4.1373, 3: 4.7973, 4: 5.5850, 5: 6.4495}
"""A. D. Wright, C. E. Smith, R. W. Thresher, J. L. C. Wang: Vibration modes of centrifugally stiffened beams. J. Appl. Mech.
49 (1982) 197: first flap frequency ω √(μL⁴/EI) by speed η = Ω √(μL⁴/EI), no hub."""


def ritz(eta: float = 0.0, hub: float = 0.0, tip: float = 0.0, pull: float = 0.0, terms: int = 9) -> float:
    """First flap frequency of the rotating uniform cantilever, x² times Legendre polynomials.

    hub: its radius in lengths;  tip: mass at the tip in those of the beam;  pull: force at the tip in EI/L².
    ∫ w''² + N w'² dx = ω² (∫ w² dx + tip w(1)²),  N = η² ((1 − x²)/2 + r (1 − x) + tip (1 + r)) + pull
    """
    x, weight = np.polynomial.legendre.leggauss(40)
    x, weight = (x + 1) / 2, weight / 2
    bases = [np.polynomial.Legendre.basis(k, domain=[0, 1]).convert(kind=Polynomial) for k in range(terms)]
    shapes = [Polynomial([0, 0, 1]) * basis for basis in bases]
    w, w1, w2 = (np.array([shape.deriv(n)(x) if n else shape(x) for shape in shapes]) for n in range(3))
    tension = eta**2 * ((1 - x**2) / 2 + hub * (1 - x) + tip * (1 + hub)) + pull
    K = (w2 * weight) @ w2.T + (w1 * weight * tension) @ w1.T
    end = np.array([shape(1.0) for shape in shapes])
    return float(np.sqrt(linalg.eigh(K, (w * weight) @ w.T + tip * np.outer(end, end), eigvals_only=True)[0]))


@pytest.mark.parametrize("eta", WRIGHT)
def test_published_frequencies_are_those_of_the_equation(eta):
    assert ritz(eta) == pytest.approx(WRIGHT[eta], abs=6e-5)


@cache
def mesh_of(element: str):
    """A blade along x with its root at the origin."""
    if element == "beam2":
        return bar(LENGTH, WIDTH, HEIGHT, (10,), element=element, section=Rectangle(WIDTH, HEIGHT), material=CORK)
    if element == "shell4":
        return plate(LENGTH, WIDTH, divisions=(14, 1), element=element, section=ShellSection(HEIGHT), material=CORK)
    return bar(LENGTH, WIDTH, HEIGHT, divisions=(14, 1, 1), element=element, material=CORK)


def blade(element: str, *, hub: float = 0.0, **how) -> tuple[fx.FlexibleBody, list]:
    """A clamped blade, and what its model consists of."""
    body = fx.FlexibleBody(
        "blade",
        mesh_of(element),
        interfaces={"root": "x_min", "tip": "x_max"},
        reduction=CraigBampton(modes=6),
        formulation="floating",
        position=(hub, -WIDTH / 2 if element == "shell4" else 0.0, 0),
        **{"stiffening": True, **how},
    )
    return body, [body, fx.Fixed("clamp", fx.ground.at(hub, 0, 0), body["root"])]


def frequencies(items: list, eta: float = 0.0) -> np.ndarray:
    """The two lowest, in units of √(EI/μL⁴), seen from a ground that turns about z."""
    model = fx.Model("blade", items)
    return np.sort(model.modes(4, angular_velocity=(0, 0, eta * UNIT)).frequencies)[:2] * 2 * np.pi / UNIT


@pytest.mark.parametrize("eta", [0, 1, 3, 5])
def test_rotating_blade_of_beams(eta):
    """Flap as published; in the plane of rotation ω² is less by η² (softening), the beam twice as stiff there."""
    flap, lag = frequencies(blade("beam2")[1], eta)
    assert flap == pytest.approx(WRIGHT[eta], rel=3e-4)
    assert lag == pytest.approx(np.sqrt((2 * ritz(eta / 2)) ** 2 - eta**2), rel=1e-3)


@pytest.mark.parametrize("element", ["shell4", "hex8", "hex20"])
def test_rotating_blade_of_shells_and_solids(element):
    rest, fast = (frequencies(blade(element)[1], eta)[0] for eta in (0, 4))
    assert rest == pytest.approx(WRIGHT[0], rel=3e-3)
    assert fast**2 - rest**2 == pytest.approx(WRIGHT[4] ** 2 - WRIGHT[0] ** 2, rel=0.01)


def test_blade_on_a_hub():
    """Root one length away from the axis: the tension is that of the force which the root takes."""
    assert frequencies(blade("beam2", hub=1.0)[1], 3.0)[0] == pytest.approx(ritz(3, hub=1.0), rel=1e-3)
    assert ritz(3, hub=1.0) > ritz(3) + 1


def test_blade_with_a_mass_at_its_tip():
    """The pull of another body, through a joint."""
    mass = 0.5 * DENSITY * WIDTH * HEIGHT * LENGTH
    body, items = blade("beam2")
    tip = fx.RigidBody("tip", mass, (1e-9, 1e-9, 1e-9), position=(LENGTH, 0, 0))
    found = frequencies([*items, tip, fx.Fixed("weld", body["tip"], tip)], 4.0)
    expected = ritz(4, tip=0.5)
    assert np.abs(found / expected - 1).min() < 3e-4  # the first mode is in the plane of rotation


@pytest.mark.parametrize("element", ["beam2", "hex20"])
@pytest.mark.parametrize("share", [-2.0, 0.5, 0.9])
def test_column_under_a_dead_load(element, share):
    """ω² falls with the load, and rises with a pull. The body knows the force through its tip alone."""
    body, items = blade(element)
    load = fx.PointForce("load", body["tip"], force=-share * EULER, direction=(1, 0, 0))
    found, without = frequencies([*items, load])[0], frequencies(items)[0]
    expected = (ritz(pull=-share * np.pi**2 / 4) / ritz()) ** 2 - 1
    assert (found / without) ** 2 - 1 == pytest.approx(expected, rel=3e-3)


def test_column_buckles_at_eulers_load():
    body, items = blade("beam2")
    squares = []
    for share in (0.98, 0.99):
        load = fx.PointForce("load", body["tip"], force=-share * EULER, direction=(1, 0, 0))
        squares.append(frequencies([*items, load])[0] ** 2)
    critical = 0.99 + 0.01 * squares[1] / (squares[0] - squares[1])
    assert critical == pytest.approx(1.0, rel=1e-3)


def test_column_buckles_under_its_own_weight():
    """q L = 7.837 EI/L² (Timoshenko & Gere, Theory of elastic stability, 2.12); ω² falls nearly linearly with q."""
    critical = 7.837 * YOUNG * HEIGHT**2 / (12 * LENGTH**3 * DENSITY)  # [m/s²]
    _, items = blade("beam2")
    models = [fx.Model("column", items, gravity=(-share * critical, 0, 0)) for share in (0.5, 0.9)]
    squares = [model.modes(2).frequencies[0] ** 2 for model in models]
    assert 0.9 + 0.4 * squares[1] / (squares[0] - squares[1]) == pytest.approx(1.0, rel=5e-3)


def test_scaled_body_stiffens_as_its_mass_does():
    """Four times the mass at half the speed: the same tension, half the frequency."""
    same, heavy = frequencies(blade("beam2")[1], 4.0), frequencies(blade("beam2", mass_scale=4.0)[1], 2.0)
    np.testing.assert_allclose(2 * heavy, same, rtol=1e-6)
    stiff = frequencies(blade("beam2", stiffness_scale=4.0)[1], 8.0)
    np.testing.assert_allclose(stiff, 2 * same, rtol=1e-6)


def test_without_stiffening_part_of_it_is_missing():
    """Mean axes turn with the blade: the centrifugal force against that turn is exact without any stiffening, no more."""
    found = frequencies(blade("beam2", stiffening=False)[1], 3.0)[0]
    assert 1.2 * WRIGHT[0] < found < 0.96 * WRIGHT[3]


def test_free_beam_stiffens_as_calculated():
    """First bending of the free beam: ω² = ω₀² + κ Ω², κ = ∫ μ (L²/4 − x²)/2 φ'² dx; N constant per element: 0.3 %."""
    mesh = bar(LENGTH, WIDTH, HEIGHT, divisions=(20,), element="beam2", section=Rectangle(WIDTH, HEIGHT))
    reduced = reduce_problem(from_mesh(mesh, {"root": "x_min"}), CraigBampton(modes=6), check=False)
    loaded = LoadedMesh(reduced)
    found = loaded.stiffness(loaded.spins, reduced.shapes @ mean_axes(reduced).modes)
    xi, weight = np.polynomial.legendre.leggauss(30)
    beta = 4.730041 / 2
    ratio = np.cos(beta) / np.cosh(beta)
    phi = np.cos(beta * xi) + ratio * np.cosh(beta * xi)
    slope_of = beta * (-np.sin(beta * xi) + ratio * np.sinh(beta * xi))  # by ξ = 2x/L
    kappa = (weight * (1 - xi**2) / 2 * slope_of**2).sum() / (weight * phi**2).sum()
    assert found[2][0, 0] == pytest.approx(kappa, rel=4e-3)  # a spin about z; that along the bar stretches nothing
    np.testing.assert_allclose(found[0], 0, atol=1e-3 * np.abs(found[2]).max())


@pytest.mark.parametrize("element", ["beam2", "hex8"])
def test_kinetic_energy_is_positive_however_far_the_body_bends(element):
    """Also with 20 modes, the highest far above the lowest, and deflections of the order of the length."""
    kind = {"element": element, "section": Rectangle(WIDTH, HEIGHT)} if element == "beam2" else {"element": element}
    mesh = bar(LENGTH, WIDTH, HEIGHT, divisions=(30, 1, 1), material=CORK, **kind)
    problem = from_mesh(mesh, {"root": "x_min", "tip": "x_max"})
    reduced = reduce_problem(problem, CraigBampton(modes=14), check=False)
    axes = mean_axes(reduced)
    m, none = axes.size, np.zeros(0)
    body = sized(stiffened_term("rod", axes, 1, tuple(range(m)), np.zeros(3), shortening(reduced, axes)))
    random = np.random.default_rng(1)
    for amount in (0.01, 0.1, 1.0):
        # every mode at its share of a deflection of the tip
        q = amount * random.normal(size=m) / np.linalg.norm(shape_at(reduced, axes.modes, "tip")[0])
        s = np.stack([q, 0 * q, 0 * q], axis=1)
        still = np.zeros((1, 6))
        state = State(np.zeros((1, 3)), np.eye(3)[None], still, still, s, none, none, 0.0, np.zeros(3))
        M = matrix(body, state, (0.0, 0.0, 1.0))
        np.testing.assert_allclose(M, M.T, atol=1e-12 * np.abs(M).max())
        scale = 1 / np.sqrt(np.diag(M))
        assert np.linalg.eigvalsh(M * np.outer(scale, scale))[0] > -1e-12


def test_what_cannot_be_known_is_refused():
    reduced = reduce_problem(from_mesh(mesh_of("beam2"), {"root": "x_min"}), CraigBampton(modes=6), check=False)
    axes = mean_axes(reduced)
    with pytest.raises(ModelError, match="no interface 'hub'"):
        shortening(reduced, axes, {"hub": "hub"})
    with pytest.raises(ModelError, match="another size"):
        shortening(reduced.scaled(length=2.0), axes)
    with pytest.raises(ModelError, match="no elements"):
        shortening(replace(reduced, mesh=None), axes)


# -- lateral-torsional buckling, arms ------------------------------------------------------------------------------------

THIN, DEEP, ALLOY = 0.002, 0.05, Isotropic(70e9, 0.3, 2700.0)
"""A strip that bends in its plane."""


def strip(element: str):
    if element == "shell4":
        made = plate(LENGTH, DEEP, THIN, (24, 4), element=element, material=ALLOY)
        return replace(
            made, points=np.column_stack([made.points[:, 0], 0 * made.points[:, 0], made.points[:, 1] - DEEP / 2])
        )
    divisions = (16, 1, 1) if element == "beam2" else (16, 1, 2)
    return bar(LENGTH, THIN, DEEP, divisions, element=element, material=ALLOY)


@pytest.mark.parametrize(
    ("element", "tie", "error"),
    [("beam2", "rigid", 0.01), ("shell4", "rigid", 0.045), ("hex20", "average", 0.02), ("hex20", "rigid", 0.07)],
)
def test_strip_tips_over_at_prandtls_load(element, tie, error):
    """F = 4.013 √(EI GJ)/L² at the tip of a cantilever, across its weak axis (Prandtl 1899).

    Clamped shells and solids are held against warping; linear buckling of their meshes gives 1.037 (shell4) and 1.060 (hex20).
    """
    G, I = ALLOY.young / (2 * (1 + ALLOY.poisson)), DEEP * THIN**3 / 12
    J = DEEP * THIN**3 / 3 * (1 - 0.63 * THIN / DEEP)
    prandtl = 4.013 * np.sqrt(ALLOY.young * I * G * J) / LENGTH**2
    ends = {"root": fx.Interface("x_min", tie=tie), "tip": fx.Interface("x_max", tie=tie)}
    how = {"reduction": CraigBampton(modes=12), "formulation": "floating", "stiffening": True}
    body = fx.FlexibleBody("strip", strip(element), interfaces=ends, **how)

    def stiffness(share: float) -> float:
        load = fx.PointForce("load", body["tip"], force=-share * prandtl, direction="z")
        found = fx.Model("strip", [body, fx.Fixed("clamp", fx.ground, body["root"]), load]).modes(1).frequencies[0]
        return float(np.sign(found) * found**2)

    critical = optimize.brentq(stiffness, 0.9, 1.15, xtol=1e-3)
    assert 0.995 < critical < 1 + error


@pytest.mark.parametrize("arm", [0.25, 0.5])
def test_column_with_a_load_on_a_rigid_arm(arm):
    """A dead load at the end of a rigid arm beyond the tip: cos kL = k d sin kL, P = k² EI."""
    k = optimize.brentq(lambda k: np.cos(k) - k * arm * np.sin(k), 0.1, np.pi / 2)
    body = fx.FlexibleBody(
        "column",
        mesh_of("beam2"),
        interfaces={"root": "x_min", "end": fx.Interface("x_max", at=(LENGTH + arm, 0, 0))},
        reduction=CraigBampton(modes=6),
        formulation="floating",
        stiffening=True,
    )
    squares = []
    for share in (0.9, 0.99):
        force = share * k**2 * YOUNG * WIDTH * HEIGHT**3 / 12
        load = fx.PointForce("load", body["end"], force=-force, direction="x")
        model = fx.Model("column", [body, fx.Fixed("clamp", fx.ground, body["root"]), load])
        squares.append(model.modes(1).frequencies[0] ** 2)
    assert 0.99 + 0.09 * squares[1] / (squares[0] - squares[1]) == pytest.approx(1.0, abs=1e-3)
