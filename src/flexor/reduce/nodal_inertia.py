"""Inertia of a reduced body whose nodes move far: what the field has beyond the interpolation of the nodes.

In a frame that turns with ω the points of the body move with V = v₀ + ω × (x + Sz) + Sż. The nodal form interpolates
the motion of the nodes, S v̄ with v̄_k = [v₀ + ω × (X_k + d_k) + ḋ_k; ω + ψ̇_k], which holds v₀ + ω × x exactly. Left over is

    V = (S + Y(z) G) v̄,   Yₖ z = eₖ × Sz − S [eₖ × d; 0],   ω = G v̄

and accelerations, to first order in z (a node's rotation sees ω × ψ̇ once, hence M a*),

    ∫ρ Sᵀa = M a* + Σ ωᵢωⱼ (cᵢⱼ + Eᵢⱼ z) + Σ 𝔾ₖ (2 ωₖ ż + αₖ z),    a* = ā − [0; ω × ψ̇]
    ∫ρ Yₖᵀa = zᵀ𝔾ₖᵀ ā + Σ ωᵢωⱼ F_kij z

The terms with α and F are of the same order as those with E: without them neither
energy nor angular momentum balance in the deformed state.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from flexor.spatial import PERMUTATION, skew

AXES = np.eye(3)


@dataclass(frozen=True)
class NodalInertia:
    """load: (3, 3, N) c;  gyroscopic: (3, N, N) 𝔾;  softening: (3, 3, N, N) E;  moment: (3, 3, 3, N) F[k, i, j]"""

    load: np.ndarray
    gyroscopic: np.ndarray
    softening: np.ndarray
    moment: np.ndarray


class InertiaLoads(Protocol):
    """What of the inertia invariants is needed here (`flexor.reduce.invariants.Invariants` has it)."""

    @property
    def centrifugal(self) -> np.ndarray: ...
    @property
    def gyroscopic(self) -> np.ndarray: ...
    @property
    def softening(self) -> np.ndarray: ...
    @property
    def position_products(self) -> np.ndarray: ...


def nodal_inertia(M: np.ndarray, points: np.ndarray, invariants: InertiaLoads) -> NodalInertia:
    """From the reduced mass, the connection nodes (c, 3) and the inertia invariants about the same origin."""
    N, n = len(M), 6 * len(points)
    load, gyroscopic = invariants.centrifugal.copy(), invariants.gyroscopic.copy()
    softening = invariants.softening.copy()
    moment = np.zeros((3, 3, 3, N))
    hats = [skew(e) for e in AXES]
    translations = np.diag([1.0, 0.0])
    turns = np.zeros((3, N, N))
    for k in range(3):
        turns[k, :n, :n] = np.kron(np.eye(len(points)), np.kron(translations, hats[k]))
        gyroscopic[k] -= M @ turns[k]
    P = invariants.position_products
    # (eₖ × s)·(eᵢ × (eⱼ × x)) = (eₖ × s)ⱼ xᵢ − δᵢⱼ (eₖ × s)·x
    moment += np.einsum("jkb,ibr->kijr", PERMUTATION, P)
    moment -= np.einsum("ij,akb,abr->kijr", AXES, PERMUTATION, P)
    for i in range(3):
        for j in range(3):
            twice = hats[i] @ hats[j]
            nodal = np.zeros(N)
            nodal[:n] = np.hstack([points @ twice.T, np.zeros((len(points), 3))]).ravel()
            for k in range(3):
                moment[k, i, j] -= invariants.centrifugal[i, j] @ turns[k] + nodal @ gyroscopic[k]
            load[i, j] -= M @ nodal
            soften = np.zeros((N, N))
            soften[:n, :n] = np.kron(np.eye(len(points)), np.kron(translations, twice))
            softening[i, j] -= M @ soften
    return NodalInertia(load, gyroscopic, softening, moment)
