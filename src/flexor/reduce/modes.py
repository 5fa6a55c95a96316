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

BLOCK = 4
"""Vectors solved for at a time."""
TOLERANCE = 1e-8
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
    with few_threads(n):
        return _Lanczos(solve, M, without, _most(count) + BLOCK).run(count, up_to, shift)


def _most(sought: int) -> int:
    """Vectors of the basis before it is shrunk."""
    return 4 * sought + 16 * BLOCK


class _Lanczos:
    """The basis Q (n, m), mass-orthonormal, and the projected operator T = QᵀM A⁻¹M Q."""

    def __init__(self, solve: Solve, M: sparse.csc_array, without: np.ndarray | None, room: int) -> None:
        self.solve, self.M, self.without = solve, sparse.csr_array(M), without
        self.random = np.random.default_rng(0)
        self._store = np.zeros((M.shape[0], room), order="F")  # takes memory as it is filled
        self.T = np.zeros((0, 0))

    @property
    def Q(self) -> np.ndarray:
        return self._store[:, : len(self.T)]

    def run(self, count: int, up_to: float, shift: float) -> tuple[np.ndarray, np.ndarray]:
        width = min(BLOCK, self.M.shape[0])
        block, Mblock, *_ = self.split(self.random_block(width))
        checked = False
        for _ in range(MOST_STEPS):
            if not block.shape[1]:  # nothing is left: these are all modes there are
                return self.modes(max(count, _above(np.linalg.eigvalsh(self.T), up_to, shift)), shift)
            block, Mblock, coupling = self.extend(block, Mblock)
            θ, S = np.linalg.eigh(self.T)
            error = np.linalg.norm(coupling @ S[-coupling.shape[1] :], axis=0)
            found = _found(θ, error, count, up_to, shift)
            if found is not None and checked:
                return self.modes(found, shift)
            checked = found is not None
            if checked:  # a fresh vector shows modes that the others missed: more of one frequency than a block has
                block, Mblock, *_ = self.split(np.hstack([block, self.random_block(1)]))
            elif not block.shape[1]:  # an invariant space without all modes asked for: go on elsewhere
                block, Mblock, *_ = self.split(self.random_block(width))
            sought = max(count, _above(θ, up_to, shift))
            if len(θ) > _most(sought):
                self.shrink(θ, S, 2 * sought + 2 * BLOCK)
        raise SolveError(
            f"{count} vibration modes were not found in {MOST_STEPS} steps",
            causes=["a nearly singular stiffness", "parts of the mesh that hardly hold together"],
        )

    def random_block(self, width: int) -> np.ndarray:
        """Random vectors in the range of the operator."""
        return self.solve(self.M @ self.random.standard_normal((self.M.shape[0], width)))

    def extend(self, block: np.ndarray, Mblock: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Take a block into the basis; return (V, MV, C): the operator makes V C of it outside the basis."""
        m, p = len(self.T), block.shape[1]
        if m + p > self._store.shape[1]:
            self._store = np.hstack([self._store, np.zeros_like(self._store)])
        self._store[:, m : m + p] = block
        T = np.zeros((m + p, m + p))
        T[:m, :m] = self.T
        self.T = T
        V, MV, C, H = self.split(self.solve(Mblock))
        T[:, m:] = H
        T[m:, :m] = H[:m].T
        T[m:, m:] = 0.5 * (H[m:] + H[m:].T)
        return V, MV, C

    def split(self, W: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """(V, MV, C, H) with W = V C + Q H, V mass-orthonormal and orthogonal to Q; done twice because of rounding.

        Directions of V that are rounding errors of W are dropped.
        """
        C, H = np.eye(W.shape[1]), np.zeros((len(self.T), W.shape[1]))
        for again in (False, True):
            MW = self.M @ W
            size = float(np.einsum("ij,ij->j", W, MW).max(initial=0.0))
            if self.without is not None:
                W = W - self.without @ (self.without.T @ MW)
            h = self.Q.T @ MW
            W = W - self.Q @ h
            H += h @ C
            if not again:
                MW = self.M @ W  # the second time the parts taken off are rounding errors
            values, vectors = np.linalg.eigh(W.T @ MW)
            # a unit vector that the second time loses most of itself was rounding
            good = values > (0.5 if again else 1e-24 * size)
            root = np.sqrt(values[good])
            V = vectors[:, good] / root
            W = W @ V
            C = (root[:, None] * vectors[:, good].T) @ C
        return W, MW @ V, C, H

    def shrink(self, θ: np.ndarray, S: np.ndarray, kept: int) -> None:
        """Keep the best vectors of the basis."""
        best = np.argsort(-np.abs(θ))[:kept]
        Q = self.Q @ S[:, best]
        self.T = np.diag(θ[best])
        self._store[:, : len(best)] = Q

    def modes(self, count: int, shift: float) -> tuple[np.ndarray, np.ndarray]:
        θ, S = np.linalg.eigh(self.T)
        order = np.argsort(-np.abs(θ))[:count]
        order = order[np.abs(θ[order]) > 1e-14 * np.abs(θ).max(initial=0.0)]  # not the motions without mass
        λ = shift + 1 / θ[order]
        ascending = np.argsort(λ)
        return λ[ascending], self.Q @ S[:, order[ascending]]


def _found(θ: np.ndarray, error: np.ndarray, count: int, up_to: float, shift: float) -> int | None:
    """How many modes to hand out once all that are asked for are accurate; else None."""
    order = np.argsort(-np.abs(θ))
    accurate = error[order] <= TOLERANCE * np.abs(θ[order])
    settled = len(θ) if accurate.all() else int(np.argmin(accurate))
    low = _above(θ, up_to, shift)
    enough = settled >= count and (not up_to > 0 or settled > low)
    return max(count, low) if enough else None


def _above(θ: np.ndarray, up_to: float, shift: float) -> int:
    """How many eigenvalues belong to λ ≤ up_to."""
    return int((np.abs(θ) >= 1 / (up_to - shift)).sum()) if up_to > shift else 0
