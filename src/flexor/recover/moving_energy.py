"""Kinetic energy of a deforming body in a moving frame.   Theory manual (23.13), (23.14)"""

from __future__ import annotations

import numpy as np

from flexor.reduce.reduced import ReducedBody


def moving_energy(reduced: ReducedBody, z: np.ndarray, v: np.ndarray, w: np.ndarray, z_dot: np.ndarray) -> np.ndarray:
    """(T,) ½ ∫ρ |v + ω × (x + Sz) + Sż|² [J];  v, w: (T, 3) of the frame, in the body's axes."""
    inv = reduced.invariants
    # P = ∫ρ (x + Sz)(x + Sz)ᵀ;  ωᵀJω = |ω|² tr P − ωᵀPω
    cross = np.einsum("ijr,tr->tij", inv.position_products, z)
    P = inv.second + cross + cross.swapaxes(1, 2) + np.einsum("ijrs,tr,ts->tij", inv.products, z, z, optimize=True)
    first = inv.first + z @ inv.translation.T
    momentum = z_dot @ inv.translation.T  # ∫ρ Sż
    # ∫ρ (x + Sz) × Sż,  eₖ·(a × b) = −a·(eₖ × b)
    spin = z_dot @ inv.rotation.T - np.einsum("krs,tr,ts->tk", inv.gyroscopic, z, z_dot, optimize=True)
    twice = inv.mass * _dot(v, v) + 2 * _dot(v, np.cross(w, first) + momentum)
    twice += _dot(w, w) * np.trace(P, axis1=1, axis2=2) - np.einsum("ti,tij,tj->t", w, P, w)
    twice += 2 * _dot(w, spin) + np.einsum("ti,ij,tj->t", z_dot, reduced.M, z_dot, optimize=True)
    return 0.5 * twice


def _dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.einsum("ti,ti->t", a, b)
