"""Constraints that turn as a state moves on: B δq = 0 holds at every instant, so that small motions have velocities that B forbids.

Along the motion B(t) δq(t) = 0, hence B δq̇ = −Ḃ δq. Directions N of what is free that turn by no more than this asks for, in the metric of the mass, are

    δq = N η,   Ṅ = E N,   E = −M⁻¹Bᵀ (B M⁻¹Bᵀ)⁻¹ Ḃ,                    (15.1a)

so that δq̇ = N η̇ + E N η, δq̈ = N η̈ + 2 E N η̇ + (Ė + E E) N η, and in (15.1)

    C += 2 M E,   K += C E + M (Ė + E E),   A_q += A E of nonholonomic constraints.   (15.1b)
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

from flexor.engine.system import System
from flexor.solve.begin import advance
from flexor.solve.linearise import Linearisation, linearise
from flexor.solve.steady import rate_of

SMALL = 3e-4
"""Turn over which rates of B are measured [rad]."""
ERROR = 1e-7
"""Of what is measured over it."""
LARGEST = 4000
"""Coordinates up to which small motions are carried along by constraints: E is full."""
FAINT = 1e-9
"""Mass, in parts of the largest, of what has none; and compliance of constraints that repeat others."""


def carried(system: System, now: Linearisation) -> Linearisation:
    """Small motions about a moving state as its constraints carry them along; now: with constraints as they are at this instant."""
    rate = rate_of(system)
    if rate < 1e-6 or not now.B.shape[0] or now.M.shape[0] > LARGEST:
        return now
    dt = SMALL / rate
    earliest, earlier, later, latest = (_moved(system, k * dt) for k in (-2.0, -1.0, 1.0, 2.0))
    E = _carriage(now, (later.B - earlier.B) / (2.0 * dt))
    after, before = (
        _carriage(there, (end.B - begin.B) / (2.0 * dt))
        for there, begin, end in ((later, now, latest), (earlier, earliest, now))
    )
    second = (after - before) / (2.0 * dt) + E @ E
    K, C = now.K + now.C @ E + now.M @ second, now.C + 2.0 * now.M @ E
    A_q = now.A_q + now.A @ E
    return replace(
        now, K=sparse.csr_array(K), C=sparse.csr_array(C), A_q=sparse.csr_array(A_q), accuracy=max(now.accuracy, ERROR)
    )


def turned_by_accelerations(system: System) -> float:
    """How quickly accelerations set out to turn the constraints of a mechanism at rest, |B̈| of rows of length one [1/s²]."""
    a = np.abs(system.nodes("a"))
    quick = max(float(a[:, :3].max(initial=0.0)) / float(system.run.length_scale), float(a[:, 3:].max(initial=0.0)))
    if quick < 1e-9 or not (now := linearise(system)).B.shape[0]:
        return 0.0
    dt = SMALL**0.5 / quick**0.5  # B(−t) = B(t): twice the turn of ½ q̈ t²
    S, T = _scales(now)
    turned = abs(T @ (_moved(system, dt).B - now.B) @ S)
    return 2.0 * float(turned.max()) / dt**2


def _moved(system: System, dt: float) -> Linearisation:
    """A little later, or earlier, on its motion."""
    keep, time = system.copy("x", "R", "v", "a", "proper", "pseudo", "s", "s_pseudo", "lam"), float(system.run.time)
    try:
        advance(system, dt)
        system.run.time = time + dt
        return linearise(system)
    finally:
        system.put(keep)
        system.run.time = time
        if system.mechanism.followers:
            system.call("follow")


def _carriage(now: Linearisation, rate: sparse.csr_array) -> sparse.csr_array:
    """E of (15.1a): M E + Bᵀ μ = 0, B E = −Ḃ"""
    n, rows = now.M.shape[0], now.B.shape[0]
    S, T = _scales(now)
    B, M = T @ now.B @ S, S @ (0.5 * (now.M + now.M.T)) @ S
    faint = sparse.eye_array(n) * FAINT
    whole = sparse.block_array([[M + faint, B.T], [B, -(FAINT**2) * sparse.eye_array(rows)]], format="csc")
    right = (T @ rate).toarray()
    moving = np.flatnonzero(np.any(right != 0.0, axis=0))
    E = np.zeros((n, n))
    E[:, moving] = S @ splu(whole).solve(np.vstack([np.zeros((n, len(moving))), -right[:, moving]]))[:n]
    return sparse.csr_array(E)


def _scales(now: Linearisation) -> tuple[sparse.dia_array, sparse.dia_array]:
    """To coordinates of like inertia, and to constraints of length one in them."""
    inertia = now.M.diagonal()
    size = 1.0 / np.sqrt(np.maximum(inertia, FAINT * inertia.max(initial=1e-300)))
    S = sparse.dia_array((size[None], [0]), shape=2 * (len(size),))
    length = np.sqrt(np.maximum((now.B @ S).power(2).sum(axis=1), 1e-300))
    return S, sparse.dia_array((1.0 / length[None], [0]), shape=2 * (len(length),))
