"""All eigenvalues of small motions, by dense matrices: for mechanisms of up to some hundred coordinates."""

from __future__ import annotations

import numpy as np
from scipy import linalg

from flexor.solve.free_motions import NotFound, free_motions, slow_motions, without_rigid
from flexor.solve.pencil import Pencil, constrained, null_space

CANDIDATE = 1e-8
"""Share of the largest stiffness below which a motion is looked at more closely."""
UNRESISTED = 1e-11
"""Singular values, of rows and columns of unit length, that are zero."""
INFINITE = 1e10
"""Times the largest frequency beyond which an eigenvalue stands for a motion without inertia or damping."""
Eigenpairs = tuple[np.ndarray, np.ndarray]


def all_undamped(p: Pencil) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(ω² ascending, shapes, free motions) of (K − ω²M) ξ = 0 with symmetric matrices; free motions are not among the shapes."""
    Z = constrained(p)
    Z = Z @ _following(Z.T @ (p.K @ Z), None, Z.T @ (p.M @ Z)) if Z.shape[1] else Z
    if not Z.shape[1]:
        return np.zeros(0), Z, Z
    N = _free(p, Z, Z.T @ (p.K @ Z))
    Z = Z @ linalg.null_space(N.T @ (p.M @ Z)) if N.shape[1] else Z
    if not Z.shape[1]:
        return np.zeros(0), Z, N
    K, M = Z.T @ (p.K @ Z), Z.T @ (p.M @ Z)
    squares, vectors = linalg.eigh(0.5 * (K + K.T), 0.5 * (M + M.T))
    return squares, Z @ vectors, N


def _free(p: Pencil, Z: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Free motions among those that Z spans, of the stiffness K; where sparse factors fail, from the smallest singular values."""
    try:
        return slow_motions(p)[0]
    except NotFound:
        _, sizes, right = linalg.svd(K)
        sizes = np.append(sizes, np.zeros(len(right) - len(sizes)))
        return free_motions(p, Z @ right[sizes <= CANDIDATE * sizes.max(initial=0.0)].T)


def _unresisted(K: np.ndarray) -> np.ndarray:
    """Orthonormal x with K x = 0, where K is not nearly symmetric: rows and columns of like size tell zeros from rounding."""
    rows = np.linalg.norm(K, axis=1)
    scaled = K[rows > 0] / rows[rows > 0, None]
    columns = np.linalg.norm(scaled, axis=0)
    columns = np.where(columns > UNRESISTED, columns, 1.0)
    _, sizes, right = linalg.svd(scaled / columns)
    sizes = np.append(sizes, np.zeros(len(right) - len(sizes)))
    found = right[sizes <= UNRESISTED].T / columns[:, None]
    return linalg.orth(found) if found.shape[1] else found


def all_complex(p: Pencil) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(λ, shapes, free motions) of all small motions, both of each conjugate pair; free motions are not among the shapes."""
    Z = constrained(p)
    if not Z.shape[1]:
        return np.zeros(0, dtype=complex), Z, Z
    L = Z
    if not p.A.shape[0]:
        K, C, M = (Z.T @ (X @ Z) for X in (p.K, p.C, p.M))
        Z, L = Z @ _following(K, C, M), Z @ _following(K.T, C.T, M.T)
    resistance = np.vstack([L.T @ (p.K @ Z), p.A_q @ Z])
    free = Z @ _unresisted(resistance) if p.states else _free(p, Z, resistance)
    values, xi, fast = projected_pairs(p, L, Z, free)
    return *without_rigid(p, values, xi, free, 1e-6 * fast), free


def projected_pairs(p: Pencil, L: np.ndarray, Z: np.ndarray, free: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """(λ, ξ̇ of each, the fastest [1/s]) of motions q in the columns of Z that B allows, tested by those of L.

    With q̇ = V w + S q, where V spans the velocities that rolling allows and S = −A⁺A_q, and q = N a₀ + N_c a, free motions N
    split off:   ȧ = N_cᵀ(V w + S N_c a),   VᵀMV ẇ = −Vᵀ(C + M S)(V w + S N_c a) − VᵀK N_c a
    """
    K, C, M = (L.T @ (X @ Z) for X in (p.K, p.C, p.M))
    A, A_q = p.A @ Z, p.A_q @ Z
    V = null_space(A)
    S = -linalg.pinv(A, rtol=1e-9) @ A_q if len(A) else np.zeros_like(K)
    N = linalg.orth(linalg.lstsq(Z, free)[0]) if free.shape[1] else np.zeros((len(K), 0))
    N_c = linalg.null_space(N.T) if N.shape[1] else np.eye(len(K))
    M_w, D, SN = V.T @ M @ V, V.T @ (C + M @ S), S @ N_c
    k, d, m = (max(float(np.abs(X).max(initial=0.0)), 1e-300) for X in (K, D, M_w))
    fast = max(float(np.sqrt(k / m)), d / m, 1e-300)  # time in units of 1/fast
    left = np.block([[N_c.T @ SN / fast, N_c.T @ V], [-(V.T @ K @ N_c + D @ SN) / fast**2, -D @ V / fast]])
    values, y = _eigenpairs(left, M_w, N_c.shape[1])
    return fast * values, Z @ (SN @ y[: N_c.shape[1]] / fast + V @ y[N_c.shape[1] :]), fast


def _eigenpairs(left: np.ndarray, M: np.ndarray, first: int) -> Eigenpairs:
    """Finite eigenvalues of left − λ diag(1, M)."""
    if not len(left):
        return np.zeros(0, dtype=complex), np.zeros((0, 0), dtype=complex)
    if not len(M) or np.linalg.cond(M) < 1e9:  # an ordinary eigenvalue problem is several times faster
        left = left.copy()
        left[first:] = linalg.solve(M, left[first:]) if len(M) else left[first:]
        return linalg.eig(left)
    values, vectors = linalg.eig(left, linalg.block_diag(np.eye(first), M))
    good = np.isfinite(values) & (np.abs(values) < INFINITE)
    return values[good], vectors[:, good]


def _following(K: np.ndarray, C: np.ndarray | None, M: np.ndarray) -> np.ndarray:
    """Columns: motions in which what has neither inertia nor damping follows the rest statically, K_bb ξ_b = −K_ba ξ_a."""
    b = _idle(M, 1e-12)
    if C is not None and b.shape[1]:
        b = b @ _idle(np.vstack([C @ b, C.T @ b]), 1e-12, float(np.abs(C).max()))
    if not b.shape[1]:
        return np.eye(len(M))
    a = linalg.null_space(b.T)
    return a - b @ linalg.lstsq(b.T @ K @ b, b.T @ K @ a)[0]


def _idle(X: np.ndarray, least: float, scale: float = 0.0) -> np.ndarray:
    """Orthonormal directions that X does not see, by singular values relative to the largest."""
    _, sizes, right = linalg.svd(X)
    sizes = np.append(sizes, np.zeros(len(right) - len(sizes)))
    return right[sizes <= least * max(float(sizes.max(initial=0.0)), scale)].T
