"""Motions that nothing resists: they have no frequency, and split off before those that have one are looked for.

Where nothing damps a free motion, λ = 0 is a double eigenvalue with one shape, and rounding ε would scatter it to ±√ε times
the highest frequency: a slow vibration, or one that decays and one that grows.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import linalg, sparse
from scipy.sparse.linalg import splu

from flexor.solve.pencil import Pencil
from flexor.solve.static_step import equilibration

MOTION = 1e-11
"""Accuracy δ of free motions that factors of K give."""
CANCELLED = 2e2 * float(np.finfo(float).eps)
"""Rounding of entries of C, in parts of the largest."""
Solve = Callable[..., np.ndarray]


class NotFound(Exception):
    """The iteration did not find all modes that are asked for; dense matrices have to serve."""


def held_solver(p: Pencil, S: sparse.csr_array, rows: sparse.csr_array) -> Solve:
    """(b, g) ↦ ξ of S ξ + Bᵀμ + Aᵀν = b, B ξ = 0, rows ξ = g; `rows` are those of the constraints A."""
    n, held = len(p), p.B.shape[0]
    matrix = sparse.csc_matrix(sparse.bmat([[S, p.B.T, p.A.T], [p.B, None, None], [rows, None, None]]))
    d = equilibration(matrix)
    scaled = sparse.csc_matrix(sparse.diags(d) @ matrix @ sparse.diags(d))
    try:
        factors = splu(scaled)
    except RuntimeError:
        raise NotFound from None

    def solve(b: np.ndarray, g: np.ndarray | None = None) -> np.ndarray:
        right = np.zeros((matrix.shape[0], b.shape[1]))
        right[:n] = b
        if g is not None:
            right[n + held :] = g
        right *= d[:, None]
        x = factors.solve(right)
        x += factors.solve(right - scaled @ x)
        return d[:n, None] * x[:n]

    known = np.random.default_rng(1).standard_normal((matrix.shape[0], 1))
    again = factors.solve(scaled @ known)
    if not np.abs(scaled @ (again - known)).max() < 1e-6 * np.abs(scaled @ known).max():
        raise NotFound
    return solve


def slow_motions(p: Pencil) -> tuple[np.ndarray, np.ndarray]:
    """(free motions, frequencies [1/s] about as low as the lowest of the others, ascending), by inverse iteration.

    The frequencies are those of stiffness and inertia alone; there is at least one.
    """
    largest = float(np.abs(p.K.diagonal()).max(initial=0.0))
    if not largest > 0:
        largest = max(float(np.abs(p.C.diagonal()).max(initial=0.0)) ** 2, 1.0)
    shift = 1e-12 * largest
    if p.A.shape[0]:
        s = np.sqrt(shift)
        solve = held_solver(p, p.K + s * p.C + shift * p.M, p.A_q + s * p.A)
    else:
        solve = held_solver(p, p.K + shift * p.M, p.A_q)
    width = 12
    while True:
        X = np.random.default_rng(0).standard_normal((len(p), min(width, len(p))))
        for _ in range(5):
            X = _directions(solve(p.M @ X))
        N = free_motions(p, X)
        if N.shape[1] < X.shape[1] or X.shape[1] < width:
            break
        width *= 2
    theta = linalg.eigvals(X.T @ solve(p.M @ X))
    squares = np.sort(np.abs(1.0 / theta[np.abs(theta) > 1e-300] - shift))[N.shape[1] :]
    return N, np.sqrt(squares if len(squares) else [largest])


def _directions(Y: np.ndarray) -> np.ndarray:
    """Orthonormal basis of the columns, whatever their sizes."""
    size = np.linalg.norm(Y, axis=0)
    return linalg.orth(Y / np.where(size > 0, size, 1.0), rcond=1e-10)


def free_motions(p: Pencil, candidates: np.ndarray) -> np.ndarray:
    """Orthonormal displacements ξ, of those given, that meet no resistance: K ξ vanishes but for reactions.

    What K makes of them, tested by themselves, is then rounding: of its entries, ε |ξ|ᵀ|K||ξ|, and of the motions, δ² |K|. So
    it is decided from the terms that cancel, not from how slow a motion is beside others. Forces of speed count with
    their square.
    """
    Phi = linalg.orth(candidates)
    while Phi.shape[1]:
        test = Phi @ linalg.null_space(p.A @ Phi, rcond=1e-9) if p.A.shape[0] else Phi
        _, values, right = linalg.svd(np.vstack([test.T @ (p.K @ Phi), p.A_q @ Phi]))
        left = np.append(values, np.zeros(len(right) - len(values)))
        Phi = Phi @ right.T
        free = left <= _rounding(p, np.abs(Phi))
        keep = free | (left <= 1e-6 * left.max())
        if free.all() or keep.all():
            return Phi[:, free]
        Phi = Phi[:, keep]  # once more among themselves: rounding of the stiffer ones hides what these have
    return Phi


def _rounding(p: Pencil, size: np.ndarray) -> np.ndarray:
    """Of ξᵀKξ for motions of the sizes |ξ|."""
    terms = np.einsum("ik,ik->k", size, abs(p.K) @ size) + p.stiffest @ size**2
    inertia = np.einsum("ik,ik->k", size, abs(p.M) @ size)
    speed = np.einsum("ik,ik->k", size, abs(p.C) @ size)
    terms += speed**2 / np.where(inertia > 0, inertia, np.inf)
    return p.accuracy * terms + MOTION**2 * float(np.abs(p.K.diagonal()).sum())


def without_rigid(
    p: Pencil, values: np.ndarray, xi: np.ndarray, N: np.ndarray, slow: float
) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues and shapes less those that only say that a free motion N may go on for ever.

    Where nothing damps it, λ = 0 is a double root, of which one is left as the free motion. Where something does, the
    other is −c/m. slow: |λ| below which an eigenvalue may be a zero [1/s].
    """
    keep = np.ones(len(values), dtype=bool)
    values = values.copy()
    for i in np.argsort(np.abs(values)):
        if abs(values[i]) > slow or not N.shape[1]:
            break
        x = xi[:, i] / max(float(np.linalg.norm(xi[:, i])), 1e-300)
        if np.linalg.norm(x - N @ (N.T @ x)) > 1e-3:
            continue
        drag = complex(x.conj() @ (p.C @ x))
        rounding = p.accuracy * float(np.abs(x) @ (abs(p.C) @ np.abs(x))) + MOTION**2 * float(abs(p.C).sum())
        rounding += CANCELLED * float(abs(p.C).max())  # what gyroscopic terms leave that cancel within a law
        if abs(drag) <= rounding:
            keep[i] = False
        elif abs(drag.imag) <= rounding:
            values[i] = -drag.real / complex(x.conj() @ (p.M @ x)).real
    return values[keep], xi[:, keep]


def told_apart(N: np.ndarray) -> np.ndarray:
    """Another basis of the same motions: each has one coordinate of its own, in which the others rest."""
    if not N.shape[1]:
        return N
    chosen = linalg.qr(N.T, mode="r", pivoting=True)[1][: N.shape[1]]
    return N @ np.linalg.inv(N[np.sort(chosen)])
