"""Slices of a line contact that press each other down: a strip on an elastic half space.

A slice j of the width w, pressed by N_j over its half width b_j, sinks the surface at the middle of slice k by A_kj N_j,

    A_kj = 1/(πE*w) [asinh((z_k − z_j + w/2)/ρ_j) − asinh((z_k − z_j − w/2)/ρ_j)],      ρ = ½ e^(−½) b = 0.3033 b

(1/distance over the slice; seen from within, the half ellipse across it counts as a line at the distance ρ, since the mean of ln|y| in it is
ln(b/2) − ½). Loads that fit the depths, δ₀ + θ z + δ_k = Σ A_kj N_j where N_k > 0, and have the same sum and moment as before, tell how a
line is truly pressed: peaks at sharp ends, and evenly with Lundberg's profile.   Johnson (1985) 5.1, Johns & Gohar 1981
"""

from __future__ import annotations

import numpy as np

INSIDE = 0.5 * np.exp(-0.5)
"""ρ/b"""
ROUNDS = 60
CLOSE = 1e-9


def strip_loads(
    modulus: float, width: float, z: np.ndarray, depth: np.ndarray, wide: np.ndarray, N: np.ndarray
) -> np.ndarray:
    """(P,) loads of slices that press each other down [N], with sum and moment of the loads N.

    modulus: E* [Pa].   width: of a slice, z: their middles, depth: of the undeformed surfaces into each other, below zero apart [m].
    wide: β of the half widths b = β √N; zero where a slice cannot carry.
    """
    total, moment = N.sum(), N @ z
    able = wide > 0
    found, held = np.where(able, np.maximum(N, 1e-6 * total), 0.0), able.copy()
    for _ in range(ROUNDS):
        rho = np.maximum(INSIDE * wide * np.sqrt(found), 1e-3 * width)
        apart = z[:, None] - z
        A = (np.arcsinh((apart + 0.5 * width) / rho) - np.arcsinh((apart - 0.5 * width) / rho)) / (
            np.pi * modulus * width
        )
        before = found
        found, held = _carrying(A, z, depth, total, moment, able, held)
        if np.abs(found - before).max() <= CLOSE * total:
            break
        found = 0.5 * (found + before)
    return found


def _carrying(
    A: np.ndarray, z: np.ndarray, depth: np.ndarray, total: float, moment: float, able: np.ndarray, held: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Loads of the slices that touch, and which do: none pulls, and none of the others is pressed in."""
    n = len(z)
    for _ in range(4 * n):
        on = np.flatnonzero(held)
        tilts = len(on) > 1
        extra = np.column_stack([np.ones(len(on)), z[on]] if tilts else [np.ones(len(on))])
        k = extra.shape[1]
        system = np.block([[A[np.ix_(on, on)], -extra], [extra.T, np.zeros((k, k))]])
        x = np.linalg.lstsq(system, np.concatenate([depth[on], [total, moment][:k]]), rcond=None)[0]
        N = np.zeros(n)
        N[on] = x[: len(on)]
        pulls = CLOSE * total < -N
        if pulls.any() and len(on) > 2:
            held = held & ~pulls
            continue
        rigid = x[len(on)] + (x[len(on) + 1] * z if tilts else 0.0)
        open_gap = A @ N - depth - rigid
        missed = able & ~held & (open_gap < -CLOSE * float(np.abs(depth).max()))
        if not missed.any():
            break
        held = held.copy()
        held[np.argmin(np.where(missed, open_gap, np.inf))] = True
    return np.maximum(N, 0.0), held
