"""A disc that rolls without slipping: closed forms; its law is tested in `tests/laws`."""

import numpy as np

import flexor as fx


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
