"""The rigid chain in joint angles, integrated to rounding error: who is right when two programs differ.

Kane's equations of the open chain, M(q) q̈ + b(q, q̇) = 0, with the Jacobians of every link's centre of mass
and rotation written out, and an explicit Runge–Kutta method of order 8. Order n³ a call: for short chains.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from benchmarks.rigid_chain import AXES, GRAVITY, INERTIA, LENGTH, MASS

Array = NDArray[np.float64]


def reference_ends(n: int, until: float) -> Array:
    """(n, 3): far end of every link at the time [s], error about 1e-9 m."""
    solution = solve_ivp(
        lambda _, y: np.concatenate([y[n:], acceleration(y[:n], y[n:])]),
        (0.0, until),
        np.zeros(2 * n),
        method="DOP853",
        rtol=1e-11,
        atol=1e-12,
    )
    p_W, _, R_WB = poses(solution.y[:n, -1])
    return p_W + LENGTH * R_WB[:, :, 0]


def poses(q: Array) -> tuple[Array, Array, Array]:
    """Near end, joint axis and rotation of every link, in global axes."""
    p, R = np.zeros(3), np.eye(3)
    points, axes, rotations = [], [], []
    for i, angle in enumerate(q):
        axis = np.array(AXES[i % 2])
        points.append(p)
        axes.append(R @ axis)
        R = R @ Rotation.from_rotvec(angle * axis).as_matrix()
        rotations.append(R)
        p = p + LENGTH * R[:, 0]
    return np.array(points), np.array(axes), np.array(rotations)


def acceleration(q: Array, u: Array) -> Array:
    """q̈ from Σ Jvᵀ m (a − g) + Jωᵀ (I α + ω × I ω) = 0 over the links."""
    n, g = len(q), np.array(GRAVITY)
    p_W, axes, R_WB = poses(q)
    M, b = np.zeros((n, n)), np.zeros(n)
    omega, alpha, a_near = np.zeros(3), np.zeros(3), np.zeros(3)  # α and a with q̈ = 0
    for i in range(n):
        alpha = alpha + np.cross(omega, axes[i] * u[i])
        omega = omega + axes[i] * u[i]
        half = 0.5 * LENGTH * R_WB[i, :, 0]
        turn = np.cross(alpha, half) + np.cross(omega, np.cross(omega, half))
        Jw, Jv = np.zeros((3, n)), np.zeros((3, n))
        Jw[:, : i + 1] = axes[: i + 1].T
        Jv[:, : i + 1] = np.cross(axes[: i + 1], p_W[i] + half - p_W[: i + 1]).T
        inertia = R_WB[i] @ np.diag(INERTIA) @ R_WB[i].T
        M += MASS * Jv.T @ Jv + Jw.T @ inertia @ Jw
        b += Jv.T @ (MASS * (a_near + turn - g)) + Jw.T @ (inertia @ alpha + np.cross(omega, inertia @ omega))
        a_near = a_near + 2 * turn
    return np.asarray(-np.linalg.solve(M, b), dtype=np.float64)
