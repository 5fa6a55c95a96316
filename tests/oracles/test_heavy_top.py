"""Asymmetric heavy body on a fixed point, on a ball or in a Cardan joint: Euler's equations with a quaternion.

In the body's axes, with inertia J about the fixed point, centre of mass c and g_B = Rᵀ g:

    q̇ = ½ q ∘ (0, ω),    J ω̇ + ω × J ω = c × m g_B − λ (b × a_B)

On a ball λ = 0. A Cardan joint keeps the arm a of the ground perpendicular to the arm b of the body, Φ = a_B · b = 0
with a_B = Rᵀ a, which needs the torque −λ (b × a_B) on the body and is closed by (index 1)

    Φ̈ = ω̇ · (b × a_B) − ω · (b × (ω × a_B)) = 0

The support pushes the body with m (R (ω̇ × c + ω × (ω × c)) − g).
"""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx
from tests.oracles.ida import integrate, with_multipliers

MASS = 1.7
CENTER = np.array([0.06, -0.04, 0.25])
J_CENTER = np.array([[0.03, 0.004, -0.002], [0.004, 0.05, 0.003], [-0.002, 0.003, 0.04]])
J = J_CENTER + MASS * (CENTER @ CENTER * np.eye(3) - np.outer(CENTER, CENTER))
GRAVITY = np.array([0.0, 0.0, -9.81])
ARM_A, ARM_B = np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])
OMEGA = {"ball": np.array([2.0, -3.0, 9.0]), "cardan": np.array([1.5, 1.0, 0.0])}
TIMES = np.linspace(0.0, 1.0, 21)


def matrix(q: np.ndarray) -> np.ndarray:
    w, x, y, z = q / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def oracle(kind: str) -> tuple[np.ndarray, np.ndarray]:
    """Rows (q, ω_B), and rows (force, torque) of the support on the body in global axes."""

    def rates(t, y):
        q, w = y[:4], y[4:]
        R = matrix(q)
        a_B, g_B = R.T @ ARM_A, R.T @ GRAVITY
        moment = np.cross(CENTER, MASS * g_B) - np.cross(w, J @ w)
        if kind == "ball":
            w_dot, torque = np.linalg.solve(J, moment), np.zeros(3)
        else:
            turn = np.cross(ARM_B, a_B)
            w_dot, lam = with_multipliers(J, moment, turn[None, :], [w @ np.cross(ARM_B, np.cross(w, a_B))])
            torque = -lam * turn
        q_dot = 0.5 * np.array([-q[1:] @ w, *(q[0] * w + np.cross(q[1:], w))])
        force = MASS * (np.cross(w_dot, CENTER) + np.cross(w, np.cross(w, CENTER)) - g_B)
        return (*q_dot, *w_dot), (*(R @ force), *(R @ torque))

    return integrate(rates, TIMES, (1, 0, 0, 0, *OMEGA[kind]))


def model(kind: str) -> fx.Model:
    moments = (*np.diag(J_CENTER), J_CENTER[0, 1], J_CENTER[0, 2], J_CENTER[1, 2])
    top = fx.RigidBody("top", MASS, moments, center_of_mass=CENTER, angular_velocity=OMEGA[kind])
    support = (
        fx.Spherical("support", fx.ground, top)
        if kind == "ball"
        else fx.Universal("support", fx.ground, top, axis=ARM_A, cross_axis=ARM_B)
    )
    return fx.Model("top", gravity=GRAVITY, items=[top, support])


@pytest.mark.parametrize("kind", ["ball", "cardan"])
def test_orientation_and_reactions_follow_the_oracle(kind: str) -> None:
    run = model(kind).dynamics(until=1, step=4e-5, output=0.05, tolerances={"acceleration": 1e-9}, show=False)
    y, reactions = oracle(kind)
    R = np.array([matrix(q) for q in y[:, :4]])
    found = np.array([matrix(q) for q in run["top.orientation"]])
    assert np.abs(found - R).max() < 1e-6
    omega = np.einsum("nij,nj->ni", R, y[:, 4:])
    assert np.abs(run["top.angular_velocity"] - omega).max() < 1e-5
    force, torque = reactions[:, :3], reactions[:, 3:]
    frame = model(kind)["support"].frame  # the joint frame: the ground's axes on a ball; else y = b, z = a
    assert np.abs(run["support.force"] - force @ frame).max() < 1e-5 * np.abs(force).max()
    assert np.abs(run["support.torque"] - torque @ frame).max() < 1e-5 * np.abs(force).max()
