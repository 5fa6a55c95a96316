"""Slider-crank driven by a torque against a spring and damper on the slider: redundant coordinates, index 1.

Coordinates (θ, x, y, β, s): crank angle, centre and angle of the rod, slider on the x axis; gravity along −y. The rod's
big end lies at a behind its centre of mass, the small end at b before it; the crank's centre of mass at c.

    Φ₁ = x − a cos β − r cos θ      Φ₂ = y − a sin β − r sin θ
    Φ₃ = x + b cos β − s            Φ₄ = y + b sin β

    J_O θ̈ + r (λ₁ sin θ − λ₂ cos θ)                            = T(t) − m₁ g c cos θ
    m₂ ẍ + λ₁ + λ₃ = 0,   m₂ ÿ + λ₂ + λ₄                       = −m₂ g
    J₂ β̈ + a (λ₁ sin β − λ₂ cos β) − b (λ₃ sin β − λ₄ cos β)   = 0
    m₃ s̈ − λ₃                                                  = −k (s − s₀) − d ṡ

closed by Φ̈ = 0. The crank pulls the rod with −(λ₁, λ₂), the slider with −(λ₃, λ₄).
"""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np

import flexor as fx
from tests.oracles.ida import integrate, with_multipliers

R, A, B, C = 0.1, 0.12, 0.2, 0.03
M1, M2, M3 = 1.5, 0.7, 0.9
J1, J2 = 6e-3, 5e-3  # about the centres of mass
K, D, FREE = 60.0, 1.0, 0.3
G = 9.81
THETA, RATE = 0.7, 12.0
TIMES = np.linspace(0.0, 0.5, 51)


def torque(t: float) -> float:
    return 0.3 + 2.0 * sin(2 * pi * 3.0 * t)


def oracle() -> tuple[np.ndarray, np.ndarray]:
    """Rows (θ, x, y, β, s and their rates), and rows (λ₁ … λ₄)."""
    M = np.diag([J1 + M1 * C**2, M2, M2, J2, M3])

    def rates(t, y):
        th, _, _, be, s, w, _, _, bw, sv = y
        sth, cth, sbe, cbe = sin(th), cos(th), sin(be), cos(be)
        Q = np.array([torque(t) - M1 * G * C * cth, 0, -M2 * G, 0, -K * (s - FREE) - D * sv])
        gradient = np.array(
            [
                [R * sth, 1, 0, A * sbe, 0],
                [-R * cth, 0, 1, -A * cbe, 0],
                [0, 1, 0, -B * sbe, -1],
                [0, 0, 1, B * cbe, 0],
            ]
        )
        turning = w**2 * R * np.array([cth, sth, 0, 0]) + bw**2 * np.array([A * cbe, A * sbe, -B * cbe, -B * sbe])
        a, multipliers = with_multipliers(M, Q, gradient, -turning)
        return (*y[5:], *a), multipliers

    beta, x, y, s = position(THETA)
    beta_rate = -R * cos(THETA) * RATE / ((A + B) * cos(beta))
    s_rate = -R * sin(THETA) * RATE - (A + B) * sin(beta) * beta_rate
    velocity = (RATE, s_rate + B * sin(beta) * beta_rate, -B * cos(beta) * beta_rate, beta_rate, s_rate)
    return integrate(rates, TIMES, (THETA, x, y, beta, s, *velocity))


def position(theta: float) -> tuple[float, float, float, float]:
    """β, x, y, s of a crank angle: the rod leans so that its small end is on the x axis."""
    beta = -np.arcsin(R * sin(theta) / (A + B))
    s = R * cos(theta) + (A + B) * cos(beta)
    return beta, s - B * cos(beta), -B * sin(beta), s


def model() -> fx.Model:
    beta, x, y, s = position(THETA)
    crank = fx.RigidBody("crank", M1, (J1, J1, J1), center_of_mass=(C, 0, 0))
    rod = fx.RigidBody("rod", M2, (1e-3, J2, J2), position=(x, y, 0), orientation={"axis": "z", "angle": beta})
    slider = fx.RigidBody("slider", M3, (1e-3, 1e-3, 1e-3), position=(s, 0, 0))
    return fx.Model(
        "slider-crank",
        gravity=(0, -G, 0),
        items=[
            crank,
            rod,
            slider,
            fx.Revolute("main", fx.ground, crank, axis="z", start=THETA, start_rate=RATE),
            fx.Spherical("pin", crank.at(R, 0, 0), rod.at(-A, 0, 0)),
            fx.Universal("wrist", slider, rod.at(B, 0, 0), axis="z", cross_axis="y"),
            fx.Prismatic("bore", fx.ground, slider, axis="x"),
            fx.PointTorque("drive", crank, direction="z", torque=fx.sine(2.0, frequency=3.0, offset=0.3)),
            fx.AxialSpring("spring", fx.ground.at(-1, 0, 0), slider, stiffness=K, damping=D, free_length=1 + FREE),
        ],
    )


def turned(vectors: np.ndarray, angle: np.ndarray) -> np.ndarray:
    """Components of plane vectors in axes that are turned by an angle."""
    c, s = np.cos(angle), np.sin(angle)
    return np.column_stack([c * vectors[:, 0] + s * vectors[:, 1], c * vectors[:, 1] - s * vectors[:, 0]])


def test_motion_and_pin_forces_follow_the_oracle() -> None:
    run = model().dynamics(until=0.5, step=2e-5, output=0.01, tolerances={"acceleration": 1e-9}, show=False)
    y, multipliers = oracle()
    assert np.ptp(y[:, 0]) > 2 * pi  # the crank goes round
    assert np.abs(run["main.angle"] - y[:, 0]).max() < 1e-6
    assert np.abs(run["rod.position"][:, :2] - y[:, 1:3]).max() < 1e-6
    assert np.abs(run["slider.position_x"] - y[:, 4]).max() < 1e-6
    for joint, force, angle in (("pin", multipliers[:, :2], y[:, 0]), ("wrist", multipliers[:, 2:], 0 * y[:, 0])):
        found = np.column_stack([run[f"{joint}.force_x"], run[f"{joint}.force_y"]])
        assert np.abs(found + turned(force, angle)).max() < 1e-5 * np.abs(force).max()
