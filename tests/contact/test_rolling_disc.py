"""A disc that rolls without slipping: closed forms and exact tangent."""

import numpy as np
import pytest

import flexor as fx
from flexor.bodies.marker import Site
from flexor.law import ACCELERATION_LEVEL, VELOCITY_LEVEL
from tests.laws.calls import matrix, residual
from tests.laws.random_states import random_state
from tests.laws.states import ACCELERATIONS, COORDINATES, MULTIPLIERS, VELOCITIES
from tests.laws.test_tangent import derivative


def sample():
    disc = fx.RollingDisc("contact", "wheel", radius=0.3, axis=(0.1, 1, 0.2), normal=(0.1, 0.2, 1), point=(0, 0, 0.1))
    R = np.linalg.qr(np.arange(9).reshape(3, 3) + np.eye(3))[0]
    return disc.elements(Site(1, np.array([0.02, 0.1, -0.05]), R * np.sign(np.linalg.det(R))))[0]


@pytest.mark.parametrize("seed", range(3))
def test_tangent(seed):
    element = sample()
    state = random_state(element, seed)
    wheel = slice(6, 15)  # the ground has no equations
    for level in (0, VELOCITY_LEVEL, ACCELERATION_LEVEL):
        by_q, by_v, by_a = (
            derivative(element, state, level, what, 12) for what in (COORDINATES, VELOCITIES, ACCELERATIONS)
        )
        by_lam = derivative(element, state, level, MULTIPLIERS, 3)
        for c in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.7, -1.3, 0.4)):
            expected = np.hstack([c[0] * by_q + c[1] * by_v + c[2] * by_a, by_lam])
            if level == VELOCITY_LEVEL:
                expected[12:, :12] = c[1] * by_v[12:]
            if level == ACCELERATION_LEVEL:
                expected[12:, :12] = c[2] * by_a[12:]
            K = matrix(element, state, c, level)
            np.testing.assert_allclose(K[wheel, wheel], expected[wheel, wheel], atol=1e-8, err_msg=f"{c} {level}")


def test_height_rate_and_slip_rate():
    """Φ̇ and the rates of slip, against differences along the motion."""
    from tests.laws.states import moved

    element = sample()
    state = random_state(element, 1)
    state = state.__class__(
        **{**vars(state), "v": state.v * np.array([[0.0], [1.0]]), "a": state.a * np.array([[0.0], [1.0]])}
    )
    h = 1e-6
    ahead, behind = moved(state, h), moved(state, -h)
    rate = (residual(element, ahead)[12] - residual(element, behind)[12]) / (2 * h)
    assert residual(element, state, VELOCITY_LEVEL)[12] == pytest.approx(rate, abs=1e-7)
    slip = (residual(element, ahead, VELOCITY_LEVEL)[12:] - residual(element, behind, VELOCITY_LEVEL)[12:]) / (2 * h)
    np.testing.assert_allclose(residual(element, state, ACCELERATION_LEVEL)[12:], slip, atol=1e-6)


def test_disc_rolls_down_an_incline():
    """A solid disc accelerates at g sin β / (1 + J/mρ²) = ⅔ g sin β."""
    rho, m, beta, g = 0.4, 2.0, 0.3, 9.81
    normal = np.array([np.sin(beta), 0, np.cos(beta)])
    wheel = fx.RigidBody("wheel", m, (m * rho**2 / 4, m * rho**2 / 2, m * rho**2 / 4), position=rho * normal)
    disc = fx.RollingDisc("contact", wheel, radius=rho, axis="y", normal=normal)
    run = fx.Model("incline", gravity=(0, 0, -g), items=[wheel, disc]).dynamics(until=1.0, step=1e-2, show=False)
    down = np.array([np.cos(beta), 0, -np.sin(beta)])
    travelled = (run["wheel.position"].values - rho * normal) @ down
    np.testing.assert_allclose(travelled, 0.5 * (2 / 3) * g * np.sin(beta) * run.time**2, atol=1e-9)
    np.testing.assert_allclose(run["contact.normal_force"].values[2:], m * g * np.cos(beta), rtol=1e-9)


def test_steady_turn_of_a_leaning_disc():
    """A disc rolling in a circle keeps its lean: the balance of moments about the contact gives the turning rate."""
    rho, m, g, lean, spin = 0.3, 1.0, 9.81, 0.3, 30.0
    J_t, J_p = m * rho**2 / 4, m * rho**2 / 2
    # spin ω₃ about the axis, precession Ω about the vertical; axis leans by `lean` from the horizontal
    s, c = np.sin(lean), np.cos(lean)
    # L̇ = Ω n × u (J_p ω₃ − J_t Ω s) equals the moment of m (v̇ + g n) at ρ d, v̇ = ρ ω₃ Ω (c u + s d):
    # (J_p + mρ²) ω₃ Ω c − J_t Ω² s c + m g ρ s = 0, ω₃ the whole angular velocity along the axis
    roots = np.roots([-J_t * s * c, (J_p + m * rho**2) * spin * c, m * g * rho * s])
    turn = roots[np.argmin(np.abs(roots))]
    u = np.array([0, c, s])
    omega = spin * u + turn * (np.array([0, 0, 1]) - s * u)
    d = -(np.array([0, 0, 1]) - s * u) / c
    centre = -rho * d
    wheel = fx.RigidBody(
        "wheel",
        m,
        (J_t, J_p, J_t),
        position=centre,
        orientation={"axis": "x", "angle": lean},
        velocity=-np.cross(omega, rho * d),
        angular_velocity=omega,
    )
    disc = fx.RollingDisc("contact", wheel, radius=rho, axis="y")
    run = fx.Model("turn", gravity=(0, 0, -g), items=[wheel, disc]).dynamics(until=2.0, step=5e-4, show=False)
    np.testing.assert_allclose(run["contact.lean"], lean, atol=2e-5)
    np.testing.assert_allclose(np.linalg.norm(run["wheel.velocity"].values, axis=1), rho * abs(spin), rtol=1e-4)
    assert np.ptp(run["energy.check_sum"].values) < 1e-4 * run["energy.kinetic"].values.max()
