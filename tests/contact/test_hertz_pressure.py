"""Hertz's point contact: half axes and pressure by closed forms; a stiffness that follows the curvatures as surfaces move."""

import warnings

import numpy as np
import pytest
from scipy.special import ellipe, ellipk

import flexor as fx
from flexor.contact.laws.ellipse import flatness, point_contact

STEEL = fx.Steel()


def modulus(material):
    return material.young / (2 * (1 - material.poisson**2))


@pytest.mark.parametrize("ratio", [1.0, 1.0 + 1e-6, 1.01, 3.0, 200.0, 1e6])
def test_shape_of_the_ellipse(ratio):
    """B/A = (E/(1 − m) − K)/(K − E), Johnson (1985) (4.28), with the integrals of another library."""
    flat = flatness(ratio)
    assert ratio > 1 or flat == 1.0
    if flat < 1:
        K, E = ellipk(1 - flat), ellipe(1 - flat)
        assert (E / flat - K) / (K - E) == pytest.approx(ratio, rel=1e-7)


def test_the_pressure_carries_the_force():
    """∫ p = ⅔ p₀ π a b = N by definition; the approach is that of the ellipse: δ = (p₀ b/E*) K(m), Johnson (4.26c)."""
    E, depth = 1.2e11, 3e-6
    K_p, alpha, beta = point_contact(E, 90.0, 13.0)
    N = K_p * depth**1.5
    a, b = alpha * N ** (1 / 3), beta * N ** (1 / 3)
    assert a > b
    p0 = 1.5 * N / (np.pi * a * b)
    assert p0 * b / E * ellipk(1 - (b / a) ** 2) == pytest.approx(depth, rel=1e-10)
    # near enough a circle: c³ = ab√(ab) of the equivalent radius 1/√(κ₁κ₂), Johnson (4.35)
    _, alpha, beta = point_contact(E, 1.2, 1.0)
    c = (3 * 1.0 / (4 * E * np.sqrt(1.2))) ** (1 / 3)
    assert np.sqrt(alpha * beta) == pytest.approx(c, rel=2e-3)


def held(a, shape_b, at, material=STEEL, **law):
    ball = fx.RigidBody("ball", 1.0, 1e-3, position=at, shapes=[shape_b])
    items = [ball, fx.Fixed("held", fx.ground.at(*at), ball)]
    contact = fx.Contact("touch", fx.ground.surface(a), ball, fx.Hertz(material, **law))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", fx.DoubtfulModel)  # they overlap at the start
        return fx.Model("held", [*items, contact]).statics()


def test_two_spheres():
    """p₀ = E/(π(1 − ν²)) √(2h/R) = 2798.3 MPa, a = 10 mm: radii 50 mm, 4 mm nearer (code_aster SSNV104)."""
    found = held(fx.Sphere(0.05), fx.Sphere(0.05), (0.096, 0, 0), fx.Isotropic("20000 MPa", 0.3))
    assert found["touch.pressure"] == pytest.approx(2798.3e6, rel=2e-5)
    assert found["touch.semi_major"] == pytest.approx(0.010, rel=1e-9)
    assert found["touch.semi_minor"] == pytest.approx(0.010, rel=1e-9)


def test_a_ball_in_a_groove():
    """Relative curvatures 1/r − 1/r_g across, 1/r + 1/ρ along the inner race: a long ellipse across the groove."""
    r, groove, ring, depth = 5e-3, 5.2e-3, 20e-3, 2e-6
    found = held(fx.Torus(ring, groove, inside=True), fx.Sphere(r), (ring + groove - r + depth, 0, 0))
    bottom = ring + groove
    K_p, alpha, beta = point_contact(modulus(STEEL), 1 / r - 1 / groove, 1 / r - 1 / bottom)
    N = K_p * depth**1.5
    assert found["touch.normal_force"] == pytest.approx(N, rel=1e-8)
    assert found["touch.semi_major"] == pytest.approx(alpha * N ** (1 / 3), rel=1e-8)
    assert found["touch.pressure"] == pytest.approx(1.5 * N ** (1 / 3) / (np.pi * alpha * beta), rel=1e-8)


def test_a_given_radius_stays_and_penalty_knows_no_pressure():
    found = held(fx.Plane(), fx.Sphere(0.05), (0, 0, 0.05 - 1e-5), radius=0.02)
    assert found["touch.normal_force"] == pytest.approx(4 / 3 * modulus(STEEL) * np.sqrt(0.02) * 1e-5**1.5, rel=1e-9)
    assert found["touch.semi_major"] == pytest.approx(np.sqrt(0.02 * 1e-5), rel=1e-9)
    ball = fx.RigidBody("ball", 1.0, 1e-3, position=(0, 0, 0.05), shapes=[fx.Sphere(0.05)])
    model = fx.Model("soft", [ball, fx.Contact("touch", fx.ground.surface(fx.Plane()), ball, fx.Penalty(1e5))])
    with pytest.raises(fx.FlexorError, match="pressure"):
        _ = model.statics()["touch.pressure"]


RUBBER = fx.Isotropic("100 kPa", 0.3)
X = np.linspace(-0.4, 0.4, 41)
TROUGH = fx.Extruded(
    fx.Profile([(x, 2 * x * x) for x in X.tolist()]), 1.0, orientation={"axis": "x", "angle": "90 deg"}
)
BALL = 0.2


def in_trough(x, gap):
    """A ball over the parabola z = 2x², this far from its point x."""
    n = np.array([-4 * x, 1.0]) / np.hypot(4 * x, 1.0)
    c = np.array([x, 2 * x * x]) + (BALL + gap) * n
    ball = fx.RigidBody("ball", 1.0, 0.016, position=(c[0], 0, c[1]), shapes=[fx.Sphere(BALL)])
    return ball, fx.Contact("touch", fx.ground.surface(TROUGH), ball, fx.Hertz(RUBBER))


def stiffness(x):
    bend = 4 / (1 + 16 * x * x) ** 1.5
    return point_contact(modulus(RUBBER), 1 / BALL - bend, 1 / BALL)[0]


def test_an_equilibrium_has_the_curvature_of_its_own_place():
    """A ball that begins on the slope of a parabola comes to rest at its bottom, where it is stiffer by a fifth and sinks in accordingly."""
    ball, touch = in_trough(0.2, 1e-3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # along the trough it may rest anywhere
        found = fx.Model("bowl", [ball, touch], gravity=(0, 0, -9.81)).statics()
    assert stiffness(0.0) > 1.1 * stiffness(0.2)
    assert found["ball.position"][0] == pytest.approx(0, abs=1e-6)
    assert -found["touch.gap"] == pytest.approx((9.81 / stiffness(0.0)) ** (2 / 3), rel=3e-3)


def test_a_cam_of_changing_radius():
    """A ball that is pushed slowly over a parabola under a constant force: N = K(κ(x)) δ^1.5 at each place, energy in balance."""
    ball, touch = in_trough(0.25, 0.0)
    run = fx.Model("bowl", [ball, touch], gravity=(0, 0, -9.81)).dynamics(until=0.3, step=1e-3, show=False)
    N, depth, x = (run[f"touch.{name}"].values for name in ("normal_force", "gap", "point_x"))
    pressed = N > 5
    found = N[pressed] / (-depth[pressed]) ** 1.5
    expected = np.array([stiffness(each) for each in x[pressed]])
    assert np.ptp(expected) > 0.1 * expected.mean()
    np.testing.assert_allclose(found, expected, rtol=0.01)
    sums, gained = run["energy.check_sum"].values, run["energy.dissipated"].values
    assert np.ptp(gained) > 5e-3  # what following takes and gives is accounted for
    assert np.ptp(sums) < 1.5e-3
