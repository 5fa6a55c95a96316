"""Spatial four-bar RSSR: crank and rocker on skew axes, joined by a rod with ball joints at both ends.

Two angles and one multiplier. The crank turns by θ about z through O, the rocker by ψ about x through C; the rod is a
uniform slender rod between P(θ) and Q(ψ), whose kinetic energy is m/6 (v_P² + v_P·v_Q + v_Q²). With P′ = dP/dθ:

    J₁ θ̈ + (m/6) P′·(2 P̈ + Q̈) − λ P′·(Q − P) = τ − (m₁ + m) g P′_z / 2
    J₂ ψ̈ + (m/6) Q′·(2 Q̈ + P̈) + λ Q′·(Q − P) =   − (m₂ + m) g Q′_z / 2
    (Q − P)·(Q̈ − P̈) + |Q̇ − Ṗ|² = 0

with P̈ = P′ θ̈ + P″ θ̇² and gravity along −z. The slender rod's spin about its own axis is never excited.
"""

from __future__ import annotations

from math import cos, sin

import numpy as np

import flexor as fx
from tests.oracles.ida import integrate, with_multipliers

G = 9.81
CRANK, ROCKER = 0.1, 0.25
C_POINT = np.array([0.3, 0.35, 0.1])
M1, J1 = 0.6, 2e-3  # crank about its centre of mass, half-way along
M2, J2 = 0.9, 6e-3
ROD = 0.5
TORQUE = 0.05
THETA, PSI, RATE = 0.4, 1.9, 6.0
TIMES = np.linspace(0.0, 1.5, 61)


def crank(theta: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """P and its first and second derivative by θ."""
    e, n = np.array([cos(theta), sin(theta), 0.0]), np.array([-sin(theta), cos(theta), 0.0])
    return CRANK * e, CRANK * n, -CRANK * e


def rocker(psi: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Q and its first and second derivative by ψ."""
    e, n = np.array([0.0, cos(psi), sin(psi)]), np.array([0.0, -sin(psi), cos(psi)])
    return C_POINT + ROCKER * e, ROCKER * n, -ROCKER * e


def oracle() -> np.ndarray:
    """Rows (θ, ψ, θ̇, ψ̇) over time."""
    inertia1, inertia2 = J1 + M1 * CRANK**2 / 4, J2 + M2 * ROCKER**2 / 4

    def rates(t, y):
        th, ps, w1, w2 = y
        P, P1, P2 = crank(th)
        Q, Q1, Q2 = rocker(ps)
        d, d_dot, turning = Q - P, Q1 * w2 - P1 * w1, (P2 * w1**2, Q2 * w2**2)
        M = ROD / 6 * np.array([[2 * P1 @ P1, P1 @ Q1], [Q1 @ P1, 2 * Q1 @ Q1]]) + np.diag([inertia1, inertia2])
        forces = np.array(
            [
                TORQUE - (M1 + ROD) / 2 * G * P1[2] - ROD / 6 * P1 @ (2 * turning[0] + turning[1]),
                -(M2 + ROD) / 2 * G * Q1[2] - ROD / 6 * Q1 @ (2 * turning[1] + turning[0]),
            ]
        )
        gamma = -d_dot @ d_dot - d @ (turning[1] - turning[0])
        a, multipliers = with_multipliers(M, forces, np.array([[-P1 @ d, Q1 @ d]]), [gamma])
        return (w1, w2, *a), multipliers

    d, P1, Q1 = rocker(PSI)[0] - crank(THETA)[0], crank(THETA)[1], rocker(PSI)[1]
    return integrate(rates, TIMES, (THETA, PSI, RATE, RATE * (P1 @ d) / (Q1 @ d)))[0]


def model() -> fx.Model:
    P, Q = crank(THETA)[0], rocker(PSI)[0]
    length = float(np.linalg.norm(Q - P))
    x = (Q - P) / length
    y = np.cross([0, 0, 1], x) / np.linalg.norm(np.cross([0, 0, 1], x))
    axes = np.column_stack([x, y, np.cross(x, y)])
    transverse = ROD * length**2 / 12
    first = fx.RigidBody("crank", M1, (1e-3, J1, J1), center_of_mass=(CRANK / 2, 0, 0))
    rod = fx.RigidBody("rod", ROD, (1e-4, transverse, transverse), position=(P + Q) / 2, orientation=axes)
    last = fx.RigidBody("rocker", M2, (J2, 1e-3, J2), center_of_mass=(0, ROCKER / 2, 0))
    return fx.Model(
        "RSSR",
        gravity=(0, 0, -G),
        items=[
            first,
            rod,
            last,
            fx.Revolute("main", fx.ground, first, axis="z", start=THETA, start_rate=RATE),
            fx.Revolute("pivot", fx.ground.at(*C_POINT), last, axis="x", start=PSI),
            fx.Spherical("big", first.at(CRANK, 0, 0), rod.at(-length / 2, 0, 0)),
            fx.Spherical("small", rod.at(length / 2, 0, 0), last.at(0, ROCKER, 0)),
            fx.PointTorque("drive", first, direction="z", torque=TORQUE),
        ],
    )


def test_motion_follows_the_oracle() -> None:
    run = model().dynamics(until=1.5, step=2e-5, output=0.025, tolerances={"acceleration": 1e-9}, show=False)
    y = oracle()
    assert np.abs(run["main.angle"] - y[:, 0]).max() < 1e-6
    assert np.abs(run["pivot.angle"] - y[:, 1]).max() < 1e-6
    assert np.abs(run["main.angle_rate"] - y[:, 2]).max() < 1e-4
    assert np.ptp(y[:, 0]) > 2 * np.pi
    middle = np.array([crank(a)[0] + rocker(b)[0] for a, b in y[:, :2]]) / 2
    assert np.abs(run["rod.position"] - middle).max() < 1e-6
