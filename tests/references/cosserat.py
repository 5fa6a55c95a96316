"""The static boundary value problem of a rod in space under a dead wrench at its end, solved by shooting: no elements."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import root


def rod_end(
    length: float,
    stiffness: tuple[float, ...],
    force: np.ndarray,
    moment: np.ndarray | tuple[float, ...] = (0.0, 0.0, 0.0),
    curvature: tuple[float, ...] = (0.0, 0.0, 0.0),
    steps: int = 8,
) -> np.ndarray:
    """Position of the end of a rod that starts in the origin along x, with section axes x, y, z.

    stiffness: EA, GAy, GAz, GJ, EIy, EIz.   curvature: of the stress-free rod, section axes.   steps: of the load.
    x' = R (e₁ + γ),  R' = R κ̂,  m' = −x' × f,  γ = Rᵀf/EA …,  κ = κ₀ + Rᵀm/GJ …
    """
    stretch, bend = np.array(stiffness[:3]), np.array(stiffness[3:])
    bent, along = np.array(curvature), np.array([1.0, 0.0, 0.0])

    def slope(s: float, y: np.ndarray, f: np.ndarray) -> np.ndarray:
        R, m = y[3:12].reshape(3, 3), y[12:]
        tangent = R @ (along + R.T @ f / stretch)
        a, b, c = bent + R.T @ m / bend
        turning = R @ np.array([[0, -c, b], [c, 0, -a], [-b, a, 0]])
        return np.concatenate([tangent, turning.ravel(), -np.cross(tangent, f)])

    def end(m: np.ndarray, f: np.ndarray) -> np.ndarray:
        start = np.concatenate([np.zeros(3), np.eye(3).ravel(), m])
        return solve_ivp(slope, (0.0, length), start, args=(f,), method="DOP853", rtol=1e-11, atol=1e-11).y[:, -1]

    m = np.zeros(3)
    for share in np.linspace(0, 1, steps + 1)[1:]:
        f = share * np.asarray(force, dtype=float)
        found = root(lambda m, f=f, share=share: end(m, f)[12:] - share * np.asarray(moment), m, tol=1e-11)
        assert found.success, found.message
        m = found.x
    return end(m, np.asarray(force, dtype=float))[:3]
