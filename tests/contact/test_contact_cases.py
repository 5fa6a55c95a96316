"""Mechanisms with contact, against closed forms, invariants and independent integration."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import flexor as fx

G = 9.81


def ball(name, radius, mass, **at):
    """A solid sphere."""
    return fx.RigidBody(name, mass, 0.4 * mass * radius**2, shapes=[fx.Sphere(radius)], **at)


def test_a_row_of_balls_that_touch():
    """One hits seven that lie in contact: the blow runs through all of them at once, and several leave. Against `solve_ivp` with N = K δ^1.5.

    Contacts at rest which a blow runs through are followed as closely as the blow needs, not as their own speed would.
    """
    r, m, n = 0.02, 0.1, 8
    law = fx.Penalty(1e9, exponent=1.5)
    balls = [ball(f"b{i}", r, m, position=(2 * r * i - (1e-4 if i == 0 else 0), 0, 0), velocity=(1.0 * (i == 0), 0, 0)) for i in range(n)]  # fmt: skip
    contacts = [fx.Contact(f"c{i}", balls[i], balls[i + 1], law) for i in range(n - 1)]
    run = fx.Model("row", [*balls, *contacts]).dynamics(until=1.5e-3, step=1e-4, show=False)

    def rates(_t, y):
        x, v = np.split(y, 2)
        force = law.stiffness * np.maximum(x[:-1] - x[1:], 0.0) ** 1.5
        return np.concatenate([v, (np.append(0.0, force) - np.append(force, 0.0)) / m])

    begin = np.concatenate([[-1e-4], np.zeros(n - 1), [1.0], np.zeros(n - 1)])
    expected = solve_ivp(rates, (0, 1.5e-3), begin, rtol=1e-9, atol=1e-12, max_step=1e-5).y[n:, -1]
    found = [run[f"b{i}.velocity_x"][-1] for i in range(n)]
    assert found == pytest.approx(expected, abs=2e-3)
    assert len(run.history["step_size"]) < 350


def test_what_slides_at_the_start_rubs_at_once():
    """A block under its own weight, thrown with 2 m/s: −μ g from the first instant on, without a step in which it would not rub."""
    block = fx.RigidBody("block", 2.0, 0.01, position=(0, 0, 0.01 - 2 * G / 4e6), velocity=(2, 0, 0), shapes=[fx.Box(0.2, 0.2, 0.02)])  # fmt: skip
    floor = fx.Contact("floor", fx.ground.surface(fx.Plane()), block, fx.Penalty(1e6), friction=0.3)
    run = fx.Model("thrown", gravity=(0, 0, -G), items=[block, floor]).dynamics(until=0.02, step=5e-3, show=False)
    assert run["floor.friction_force"].values == pytest.approx(0.3 * 2 * G, rel=1e-6)
    assert run["block.acceleration_x"][0] == pytest.approx(-0.3 * G, rel=1e-9)
    assert run["floor.sticks"][0] == 0
    np.testing.assert_allclose(run["block.velocity_x"].values, 2 - 0.3 * G * run.time, atol=1e-8)
