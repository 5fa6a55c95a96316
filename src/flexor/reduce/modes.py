"""Vibration modes of large sparse models: block Lanczos iteration with the inverse of the stiffness.

The operator A⁻¹M, A = K − σM, is symmetric in the scalar product xᵀMy, and its largest eigenvalues θ = 1/(λ − σ) belong
to the lowest modes λ = ω² (Grimes, Lewis and Simon 1994). Several vectors are solved for at a time: a factor is read
from memory once for all of them, and multiple modes, common in symmetric parts, are found together. The basis is kept
orthogonal throughout and is shrunk to its best vectors when it has grown too large (Wu and Simon 2000).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import sparse

from flexor.errors import SolveError
from flexor.reduce.factor import few_threads

BLOCK = 8
"""Vectors solved for at a time."""
TOLERANCE = 1e-9
"""Residual of a mode, relative; frequencies are accurate to its square."""
MOST_STEPS = 400

Solve = Callable[[np.ndarray], np.ndarray]


def lowest_modes(
    solve: Solve,
    M: sparse.csc_array,
    count: int,
    *,
    up_to: float = 0.0,
    shift: float = 0.0,
    without: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """(λ = ω² ascending, shapes with φᵀMφ = 1) of the `count` lowest modes, and of all others with λ ≤ up_to.

    solve: x = (K − shift·M)⁻¹ b for several columns b;  without: (n, k) motions that are left out, mass-orthonormal,
    such as the rigid-body motions of a free body, on whose complement `solve` then works.
    """
    n = M.shape[0]
    if n == 0 or (count == 0 and not up_to > 0):
        return np.zeros(0), np.zeros((n, 0))
    with few_threads():
        return _Lanczos(solve, M, without).run(count, up_to, shift)


class _Lanczos:
    """The basis Q (n, m), mass-orthonormal, and the projected operator T = QᵀM A⁻¹M Q."""

    def __init__(self, solve: Solve, M: sparse.csc_array, without: np.ndarray | None) -> None:
        self.solve, self.M, self.without = solve, M, without
        self.random = np.random.default_rng(0)
        self.Q = np.zeros((M.shape[0], 0), order="F")
        self.T = np.zeros((0, 0))

    def run(self, count: int, up_to: float, shift: float) -> tuple[np.ndarray, np.ndarray]:
        n = self.M.shape[0]
        width = max(1, min(BLOCK, n))
        block, _ = self.orthonormal(self.start(width))
        for _ in range(MOST_STEPS):
            if not block.shape[1]:
                return self.modes(min(count, len(self.T)), up_to, shift, np.zeros(len(self.T)))
            rest = self.extend(block)
            block, coupling = self.orthonormal(rest)
            θ, S = np.linalg.eigh(self.T)
            error = np.linalg.norm(coupling @ S[-coupling.shape[1] :], axis=0)
            wanted = self.wanted(θ, error, count, up_to, shift)
            if wanted is not None:
                return self.modes(wanted, up_to, shift, error)
            if block.shape[1] == 0:  # the space is exhausted before all modes are found: go on elsewhere
                block, _ = self.orthonormal(self.start(width))
            sought = max(count, int((θ > 1 / (up_to - shift)).sum()) if up_to > shift else 0)
            if len(θ) > 4 * sought + 12 * width:
                self.shrink(θ, S, 2 * sought + 2 * width)
        raise SolveError(
            f"{count} vibration modes were not found in {MOST_STEPS} steps",
            causes=["a nearly singular stiffness", "parts of the mesh that hardly hold together"],
        )

    def start(self, width: int) -> np.ndarray:
        """Random vectors in the range of the operator."""
        return self.solve(np.asarray(self.M @ self.random.standard_normal((self.M.shape[0], width))))

    def extend(self, block: np.ndarray) -> np.ndarray:
        """Add a block to the basis and T; return what the operator makes of it outside the basis."""
        W = self.solve(np.asarray(self.M @ block))
        self.Q = np.asfortranarray(np.hstack([self.Q, block]))
        W, H = self.purged(W)
        m, p = len(self.T), block.shape[1]
        T = np.zeros((m + p, m + p))
        T[:m, :m] = self.T
        T[:, m:] = H
        T[m:, :m] = H[:m].T
        T[m:, m:] = 0.5 * (H[m:] + H[m:].T)
        self.T = T
        return W

    def purged(self, W: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """W without its part in the basis (and in `without`), twice for rounding; and that part."""
        H = np.zeros((self.Q.shape[1], W.shape[1]))
        for _ in range(2):
            MW = np.asarray(self.M @ W)
            if self.without is not None:
                W = W - self.without @ (self.without.T @ MW)
            h = self.Q.T @ MW
            W = W - self.Q @ h
            H += h
        return W, H

    def orthonormal(self, W: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(V, C) with W = V C, V mass-orthonormal; directions that are rounding errors of the others are dropped."""
        kept = np.eye(W.shape[1])
        size = np.sqrt(np.abs(np.einsum("ij,ij->j", W, self.M @ W)))
        scale = max(float(size.max(initial=0.0)), float(np.abs(self.T).max(initial=0.0)) * 1e-3)
        for _ in range(2):
            W, _ = self.purged(W)
            values, vectors = np.linalg.eigh(W.T @ (self.M @ W))
            good = values > (1e-11 * scale) ** 2
            root = np.sqrt(values[good])
            W = W @ (vectors[:, good] / root)
            kept = (root[:, None] * vectors[:, good].T) @ kept
            scale = 0.0
        return W, kept

    def wanted(self, θ: np.ndarray, error: np.ndarray, count: int, up_to: float, shift: float) -> int | None:
        """How many modes are found, once all that are asked for are accurate; else None."""
        order = np.argsort(-np.abs(θ))
        accurate = error[order] <= TOLERANCE * np.abs(θ[order])
        settled = int(np.argmin(accurate)) if not accurate.all() else len(θ)
        enough = settled >= count
        if up_to > shift:
            beyond = np.flatnonzero(np.abs(θ[order]) < 1 / (up_to - shift))
            enough = enough and len(beyond) > 0 and settled > beyond[0]
        return max(count, settled) if enough else None

    def shrink(self, θ: np.ndarray, S: np.ndarray, kept: int) -> None:
        best = np.argsort(-np.abs(θ))[:kept]
        self.Q = np.asfortranarray(self.Q @ S[:, best])
        self.T = np.diag(θ[best])

    def modes(self, count: int, up_to: float, shift: float, error: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        θ, S = np.linalg.eigh(self.T)
        order = np.argsort(-np.abs(θ))[:count]
        order = order[np.abs(θ[order]) > 1e-14 * np.abs(θ).max(initial=0.0)]  # motions without mass
        λ = shift + 1 / θ[order]
        shapes = self.Q @ S[:, order]
        ascending = np.argsort(λ)
        return λ[ascending], shapes[:, ascending]
