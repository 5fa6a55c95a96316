"""Points of floating bodies that move in second order of the modes: kinematics, gradient and stiffness of elimination."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.bodies.floating.law import floating_term
from flexor.bodies.follower import Follower
from flexor.bodies.marker import Site
from flexor.engine.initial import move
from flexor.engine.system import System
from flexor.forces import PointForce
from flexor.law import MATRIX, RESIDUAL
from flexor.law.coordinates import Node, Scalar
from flexor.model.mechanism import Mechanism
from flexor.spatial import exp_so3, log_so3
from tests.bodies.floating_bodies import axes_of, cloud
from tests.laws.samples import random_rotation
from tests.laws.scene import Places
from tests.laws.states import slope

MODES = 3


def pulled(python: bool) -> System:
    """A body with one point, which a dead force on an arm pulls; any state."""
    random = np.random.default_rng(4)
    axes = axes_of(cloud(MODES))
    nodes = (
        Node("ground", np.zeros(3), np.eye(3), np.zeros(6)),
        Node("body", random.normal(size=3), random_rotation(random), random.normal(size=6)),
        Node("body.tip", np.zeros(3), np.eye(3), np.zeros(6)),
    )
    scalars = tuple(Scalar(f"body.mode_{i}", "", random.normal(), random.normal()) for i in range(MODES))
    numbers = tuple(range(MODES))
    N, shapes = 0.12 * random.normal(size=(6, MODES, MODES)), 0.3 * random.normal(size=(6, MODES))  # a turn of 2.6 rad
    site = Site(1, random.normal(size=3), np.eye(3))
    follower = Site(2, np.zeros(3), np.eye(3))
    tip = Follower("", 2, 1, site, follower, (), numbers, shapes, N + N.transpose(0, 2, 1))
    arm = Site(2, np.array([0.3, -0.5, 0.4]), np.eye(3))
    load = PointForce("load", "body.tip", force=7.0, direction=(1, -2, 0.5)).terms(Places(arm))
    body = floating_term("body", axes, 1, numbers, nodes[1].x)
    made = Mechanism("pulled", nodes, scalars, (body, *load), (tip,), (0.0, 0.0, 0.0))
    system = System(made, symmetric=False, python=python)
    system.memory.a[6:12] = random.normal(size=6)
    system.memory.s[2::3] = random.normal(size=MODES)
    system.call("follow")
    return system


def advanced(tau: float) -> System:
    """The system a little later, on a motion with its velocities and accelerations."""
    system = pulled(python=True)
    v, a, s = system.nodes("v"), system.nodes("a"), system.memory.s.reshape(-1, 3)
    delta = np.zeros(system.equations.pattern.n)
    _, rows = system.node_rows
    delta[rows[0]] = tau * v[1] + 0.5 * tau**2 * a[1]
    delta[system.memory.scalar_eq] = tau * s[:, 1] + 0.5 * tau**2 * s[:, 2]
    turn, rate = delta[rows[0, 3:]], v[1, 3:] + tau * a[1, 3:]
    v[1] += tau * a[1]
    v[1, 3:] = rate + 0.5 * np.cross(turn, rate)  # H(θ) θ̇ but for terms of second order in τ
    s[:, 1] += tau * s[:, 2]
    move(system, delta)
    return system


def test_point_moves_as_its_displacement_of_second_order_says():
    system = pulled(python=True)
    follower = system.mechanism.followers[0]
    q = system.memory.s[0::3]
    u = follower.shapes @ q + 0.5 * np.einsum("kij,i,j->k", follower.curvature, q, q)
    R = system.memory.R.reshape(-1, 3, 3)
    expected = system.nodes("x")[1] + R[1] @ (follower.site_master.p_NM + u[:3])
    np.testing.assert_allclose(system.nodes("x")[2], expected, atol=1e-14)
    np.testing.assert_allclose(R[2], R[1] @ exp_so3(u[3:]), atol=1e-14)


def test_velocity_and_acceleration_are_rates_of_the_position():
    now = pulled(python=True)
    R = now.memory.R.reshape(-1, 3, 3)[2]
    v, a = now.nodes("v")[2], now.nodes("a")[2]
    np.testing.assert_allclose(v[:3], slope(lambda tau: advanced(tau).nodes("x")[2]), atol=1e-9)
    turn = slope(lambda tau: log_so3(advanced(tau).memory.R.reshape(-1, 3, 3)[2] @ R.T))
    np.testing.assert_allclose(v[3:], turn, atol=1e-9)
    np.testing.assert_allclose(a, slope(lambda tau: advanced(tau).nodes("v")[2]), atol=2e-8)


@pytest.mark.parametrize("python", [True, False])
def test_stiffness_is_the_derivative_of_the_residual(python):
    """Also where the modes turn the point by large angles."""
    system = pulled(python)
    n = system.equations.pattern.n

    def residual(j: int, step: float) -> np.ndarray:
        there = pulled(python)
        move(there, step * np.eye(n)[j])
        there.evaluate(RESIDUAL)
        return there.memory.residual.copy()

    system.evaluate(RESIDUAL | MATRIX)
    found = system.solver.to_csc().toarray()
    expected = np.array([slope(lambda d, j=j: residual(j, d)) for j in range(n)]).T
    padding = np.flatnonzero(np.diag(found) - np.diag(expected) == 1.0)
    found[padding, padding] -= 1.0
    np.testing.assert_allclose(found, expected, atol=1e-8 * np.abs(expected).max())
