"""Planar double pendulum with torsion springs and dampers, in two angles.

Links turn by φ₁, φ₂ from the x axis, gravity points along −y. Centres of mass lie at c₁, c₂ along the links, the
elbow at ℓ₁. With J about the centres of mass and A = m₂ ℓ₁ c₂:

    (J₁ + m₁c₁² + m₂ℓ₁²) φ̈₁ + A cos(φ₁−φ₂) φ̈₂ + A sin(φ₁−φ₂) φ̇₂² + (m₁c₁ + m₂ℓ₁) g cos φ₁ = τ₁ − τ₂
    A cos(φ₁−φ₂) φ̈₁ + (J₂ + m₂c₂²) φ̈₂ − A sin(φ₁−φ₂) φ̇₁² + m₂c₂ g cos φ₂                   = τ₂

    τ₁ = −k₁ φ₁ − d₁ φ̇₁,   τ₂ = −k₂ (δ − δ₀) − d₂ δ̇,   δ = φ₂ − φ₁
"""

from __future__ import annotations

from math import cos, sin

import numpy as np
import pytest

import flexor as fx
from tests.oracles.ida import integrate

M1, J1, C1, L1 = 1.3, 0.05, 0.28, 0.6
M2, J2, C2 = 0.8, 0.02, 0.19
K1, D1 = 2.0, 0.05
K2, D2, FREE2 = 6.0, 0.08, 0.4
G = 9.81
START = (0.3, -0.5)
RATE = (1.0, -2.0)
TIMES = np.linspace(0.0, 3.0, 61)


def oracle() -> np.ndarray:
    """Rows (φ₁, φ₂, φ̇₁, φ̇₂) over time."""
    A = M2 * L1 * C2

    def rates(t, y):
        f1, f2, w1, w2 = y
        t1 = -K1 * f1 - D1 * w1
        t2 = -K2 * (f2 - f1 - FREE2) - D2 * (w2 - w1)
        c, s = cos(f1 - f2), sin(f1 - f2)
        M = [[J1 + M1 * C1**2 + M2 * L1**2, A * c], [A * c, J2 + M2 * C2**2]]
        Q = [
            t1 - t2 - A * s * w2**2 - (M1 * C1 + M2 * L1) * G * cos(f1),
            t2 + A * s * w1**2 - M2 * C2 * G * cos(f2),
        ]
        return (w1, w2, *np.linalg.solve(M, Q)), ()

    return integrate(rates, TIMES, (START[0], START[0] + START[1], RATE[0], RATE[0] + RATE[1]))[0]


def model(enforcement: str) -> fx.Model:
    upper = fx.RigidBody("upper", M1, (0.01, J1, J1), center_of_mass=(C1, 0, 0))
    lower = fx.RigidBody("lower", M2, (0.01, J2, J2), center_of_mass=(C2, 0, 0))
    how = {"axis": "z", "enforcement": enforcement}
    return fx.Model(
        "double pendulum",
        gravity=(0, -G, 0),
        items=[
            upper,
            lower,
            fx.Revolute("shoulder", fx.ground, upper, start=START[0], start_rate=RATE[0], **how),
            fx.Revolute("elbow", upper.at(L1, 0, 0), lower, start=START[1], start_rate=RATE[1], **how),
            fx.JointSpring("spring1", "shoulder", stiffness=K1, damping=D1),
            fx.JointSpring("spring2", "elbow", stiffness=K2, damping=D2, free=FREE2),
        ],
    )


@pytest.mark.parametrize("enforcement", ["multipliers", "elimination"])
def test_angles_and_rates_follow_the_oracle(enforcement: str) -> None:
    settings = {"output": 0.05, "tolerances": {"acceleration": 1e-9}, "show": False}
    run = model(enforcement).dynamics(until=3, step=5e-5, **settings)
    f1, f2, w1, w2 = oracle().T
    assert np.abs(run["shoulder.angle"] - f1).max() < 1e-6
    assert np.abs(run["elbow.angle"] - (f2 - f1)).max() < 1e-6
    assert np.abs(run["shoulder.angle_rate"] - w1).max() < 1e-5
    assert np.abs(run["elbow.angle_rate"] - (w2 - w1)).max() < 1e-5
    elbow = L1 * np.column_stack([np.cos(f1), np.sin(f1)])
    assert np.abs(run["lower.position"][:, :2] - elbow).max() < 1e-6
