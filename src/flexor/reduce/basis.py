"""Reduction bases H, u = H [u_b; y], all in the same form: connection nodes first, then generalised coordinates.

    guyan            H = [I; −K_ii⁻¹ K_ib]                                       FTG 3.1.2
    craig_bampton    H = [[I, 0], [−K_ii⁻¹ K_ib, Φ]]                              FTG (3.13)
    free_interface   free modes with residual attachment modes (Craig–Chang, Rubin)
    krylov           moment matching at complex frequencies, rigid-body modes kept   ZE 2.4, 3.4
    modal            free modes alone; no connection coordinates, for floating bodies only

Bases of the last three kinds are brought to the form above by a change of coordinates where they can express any
motion of the connection nodes.
"""

from __future__ import annotations

import numpy as np
from scipy import linalg

from flexor.errors import SolveError
from flexor.reduce.factor import factorise
from flexor.reduce.modes import lowest_modes
from flexor.reduce.problem import Problem


def constraint_modes(p: Problem) -> np.ndarray:
    """(n, 6c) static shapes of unit motions of the connection nodes."""
    i, b = p.i, p.b
    H = np.zeros((p.n, len(b)))
    H[b, np.arange(len(b))] = 1.0
    if len(i):
        H[i] = -p.interior_factors.solve(p.K[i][:, b].toarray())
    return H


def guyan(p: Problem) -> tuple[np.ndarray, np.ndarray]:
    """Static condensation; returns (H, ω² of the component modes: none)."""
    return constraint_modes(p), np.zeros(0)


def fixed_modes(p: Problem, count: int) -> tuple[np.ndarray, np.ndarray]:
    """(ω², shapes (n, count)) with all connection nodes fixed."""
    i = p.i
    squares, shapes = lowest_modes(p.K[i][:, i].tocsc(), p.M[i][:, i].tocsc(), min(count, len(i)), p.interior_factors)
    full = np.zeros((p.n, shapes.shape[1]))
    full[i] = shapes
    return squares, full


def craig_bampton(p: Problem, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Constraint modes and `count` fixed-interface modes.   FTG 3.2"""
    static = constraint_modes(p)
    squares, shapes = fixed_modes(p, count)
    return np.column_stack([static, shapes]), squares


def free_modes(p: Problem, count: int) -> tuple[np.ndarray, np.ndarray]:
    """(ω², shapes) of `count` elastic modes of the free body; rigid-body modes are left out."""
    squares, shapes = lowest_modes(p.K, p.M, count + 6, p.shifted_factors, p.shift)
    elastic = squares > 1e-3 * abs(p.shift) + 1e-9 * squares[-1]
    keep = np.flatnonzero(elastic)[:count]
    return squares[keep], shapes[:, keep]


def free_interface(p: Problem, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Rigid-body modes, `count` free modes and residual attachment modes of every connection coordinate.

    The residual flexibility is G − Φ ω⁻² Φᵀ with the elastic flexibility G = Pᵀ K⁺ P, P = I − M R (RᵀMR)⁻¹ Rᵀ, which
    removes rigid-body acceleration from the load (Craig & Chang 1977, Rubin 1975).
    """
    squares, shapes = free_modes(p, count)
    attachment = _elastic_flexibility(p)
    attachment -= shapes @ (shapes.T @ (p.M @ attachment))
    return to_interface_form(p, np.column_stack([p.rigid, shapes, attachment]))


def _elastic_flexibility(p: Problem) -> np.ndarray:
    """(n, 6c) elastic response of the free body to unit loads on the connection coordinates, rigid motion removed."""
    R, M = p.rigid, p.M
    masses = np.linalg.inv(p.mass_matrix)
    F = np.zeros((p.n, len(p.b)))
    F[p.b, np.arange(len(p.b))] = 1.0
    balanced = F - (M @ R) @ (masses @ (R.T @ F))
    response = p.shifted_factors.solve(balanced)
    for _ in range(3):  # remove the error of the shift: K x = f needs x + σ K⁻¹ M x …
        response = p.shifted_factors.solve(balanced - p.shift * (M @ response))
        response -= R @ (masses @ (R.T @ (M @ response)))
    return response - R @ (masses @ (R.T @ (M @ response)))


def krylov(p: Problem, points: tuple[complex, ...], moments: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Match the transfer matrix of the connection coordinates, and `moments` − 1 derivatives, at complex s.

    V spans Re and Im of [(s²M + K)⁻¹ M]ʲ (s²M + K)⁻¹ F for every expansion point s (conjugates come for free), and
    the six rigid-body modes, so that the body still moves freely.   ZE 3.4
    """
    F = np.zeros((p.n, len(p.b)))
    F[p.b, np.arange(len(p.b))] = 1.0
    blocks = [p.rigid]
    seen: list[complex] = []
    for s in points:
        if any(abs(s - other) < 1e-12 * abs(s) or abs(s - np.conj(other)) < 1e-12 * abs(s) for other in seen):
            continue
        seen.append(s)
        square = s * s
        if abs(square.imag) < 1e-14 * abs(square):
            factors = factorise(p.K + square.real * p.M, definite=square.real >= 0)
            block = factors.solve(F)
            for _ in range(moments):
                blocks.append(block)
                block = factors.solve(np.asarray(p.M @ block))
        else:
            from scipy.sparse.linalg import splu

            complex_factors = splu((p.K + square * p.M).tocsc())
            complex_block = complex_factors.solve(F.astype(complex))
            for _ in range(moments):
                blocks += [complex_block.real, complex_block.imag]
                complex_block = complex_factors.solve(p.M @ complex_block)
    return to_interface_form(p, np.column_stack(blocks))


def modal(p: Problem, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Rigid-body modes and `count` elastic modes of the free body: no connection coordinates."""
    squares, shapes = free_modes(p, count)
    return np.column_stack([p.rigid, shapes]), squares


def orthonormal(V: np.ndarray, tolerance: float = 1e-10) -> np.ndarray:
    """Independent directions of the columns of V, orthonormal, columns scaled first."""
    size = np.linalg.norm(V, axis=0)
    U, s, _ = np.linalg.svd(V[:, size > 0] / size[size > 0], full_matrices=False)
    return U[:, s > tolerance * s[0]]


def to_interface_form(p: Problem, V: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(H, ω²) spanning the same space as V, its first 6c coordinates being the connection nodes' motions."""
    V = orthonormal(V)
    at_nodes = V[p.b]
    U, s, W = np.linalg.svd(at_nodes)
    rank = int((s > 1e-9 * s[0]).sum())
    if rank < len(p.b):
        raise SolveError(
            f"the reduction basis moves the {len(p.b)} connection coordinates in only {rank} ways",
            causes=["too few modes or expansion points; add some", "use craig_bampton, which has no such limit"],
        )
    static = V @ (W[:rank].T / s[:rank]) @ U.T[:rank]
    inner = V @ W[rank:].T
    if inner.shape[1] == 0:
        return static, np.zeros(0)
    k, m = inner.T @ (p.K @ inner), inner.T @ (p.M @ inner)
    squares, vectors = linalg.eigh(0.5 * (k + k.T), 0.5 * (m + m.T))
    return np.column_stack([static, inner @ vectors]), squares
