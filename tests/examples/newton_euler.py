"""Torques of the motors of examples/robot_arm.py, by recursive Newton–Euler equations (Luh, Walker and Paul 1980) in global axes.

Outwards: ω, α and the acceleration of each link, gravity as an acceleration upwards of the ground. Inwards: each joint carries what
all beyond it needs. A rotor turns n times as fast as its joint, in the link before.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

AXIS = np.array([(0, 0, 1), (0, -1, 0), (0, -1, 0)], dtype=float)
JOINT = np.array([(0, 0, 0), (0.1, 0, 0.4), (0.45, 0, 0)])  # in the link before [m]
SHAFT = np.array([(-0.15, 0, 0), (0, 0.1, 0.4), (0.08, 0.1, 0)])
MASS, CENTRE = (25, 14, 6), np.array([(0.03, 0, 0.25), (0.225, 0, 0), (0.2, 0, 0)])
INERTIA = [np.diag(J) for J in ((0.5, 0.5, 0.3), (0.04, 0.28, 0.28), (0.015, 0.09, 0.09))]
TIP = np.array([0.4, 0, 0])
ROTOR_MASS, ROTOR_INERTIA = 2, 8e-4 * np.eye(3)
GEAR, SEAL, SEAL_VISCOUS = (120, 140, 100), (0.3, 1.0, 0.35), 2e-4
MU, RADIUS, SPAN, AXIAL = 0.05, 0.05, 0.12, 0.6
STATIC, SLIP, VISCOUS = 0.6, 0.05, 3


class Link(NamedTuple):
    """Where a link begins, how it is turned, how it turns, and the acceleration of where it begins."""

    x: np.ndarray = np.zeros(3)
    R: np.ndarray = np.eye(3)
    w: np.ndarray = np.zeros(3)
    alpha: np.ndarray = np.zeros(3)
    a: np.ndarray = np.array([0, 0, 9.81])

    def at(self, p):
        """Place and acceleration of one of its points."""
        r = self.R @ p
        return self.x + r, self.a + np.cross(self.alpha, r) + np.cross(self.w, np.cross(self.w, r))

    def spinning(self, u, rate, acceleration):
        """ω and α of what turns about u in it."""
        return self.w + rate * u, self.alpha + acceleration * u + np.cross(self.w, rate * u)

    def carried(self, p, mass, J, w, alpha):
        """Place of a part, the force that it needs there, and the torque."""
        x, a = self.at(p)
        return x, mass * a, J @ alpha + np.cross(w, J @ w)


def turned(u, angle):
    """Rotation about a unit vector, Rodrigues."""
    K = np.array([[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def motor_torques(q, rate, acceleration, fastest, payload):
    """Torques of the three motors, then loads of the three bearings; fastest: |rate| that was reached since the standstill."""
    link, joints = Link(), []
    for k, n in enumerate(GEAR):
        u = link.R @ AXIS[k]
        rotor = link.carried(SHAFT[k], ROTOR_MASS, ROTOR_INERTIA, *link.spinning(u, n * rate[k], n * acceleration[k]))
        (x, a), (w, alpha) = link.at(JOINT[k]), link.spinning(u, rate[k], acceleration[k])
        link = Link(x, link.R @ turned(AXIS[k], q[k]), w, alpha, a)
        parts = [link.carried(CENTRE[k], MASS[k], link.R @ INERTIA[k] @ link.R.T, w, alpha)]
        joints.append((u, x, parts, rotor))
    parts.append(link.carried(TIP, payload, 2e-3 * payload * np.eye(3), w, alpha))

    torques, loads, beyond = np.zeros(3), np.zeros(3), []
    for k in (2, 1, 0):
        u, x, parts, rotor = joints[k]
        beyond += parts
        force = sum(f for _, f, _ in beyond)
        torque = sum(m + np.cross(at - x, f) for at, f, m in beyond)
        across, pair, way = force - force @ u * u, np.cross(torque, u) / SPAN, np.sign(rate[k])
        loads[k] = np.linalg.norm(across / 2 - pair) + np.linalg.norm(across / 2 + pair) + AXIAL * abs(force @ u)
        stribeck = 1 + STATIC * np.exp(-((fastest[k] / SLIP) ** 2))
        bearing = way * MU * RADIUS * loads[k] * stribeck + VISCOUS * rate[k]
        seal = way * SEAL[k] + SEAL_VISCOUS * GEAR[k] * rate[k]
        torques[k] = rotor[2] @ u + seal + (torque @ u + bearing) / GEAR[k]
        beyond.append(rotor)
    return np.concatenate([torques, loads])
