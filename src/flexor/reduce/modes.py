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
from flexor.reduce.sparse_rows import SparseRows
from flexor.reduce.tall_basis import TallBasis
from flexor.threads import few_threads

BLOCK = 7
"""Vectors solved for at a time; with the one that is added to look for others, as many as fronts solve for at once."""
TOLERANCE = 1e-8
"""Residual of a mode, relative; frequencies are accurate to its square."""
ROUGH = 1e-4
"""Residual of modes of which the frequency alone matters, to eight digits."""
SIGHTED = 1e-3
"""Residual at which modes are told apart, and a fresh vector is added to look for others between them."""
SEARCH = 3
"""Steps that a fresh vector is given to show modes that were missed."""
FASTEST = 10.0
"""How many times smaller residuals become in a step at most, as far as it is worth while to look at them."""
MOST_STEPS = 400
ROWS = 7168
"""Rows of a few columns that are multiplied at once: up to 10⁶ products OpenBLAS copies nothing, and takes a third of the time."""

Solve = Callable[[np.ndarray], np.ndarray]


def lowest_modes(
    solve: Solve,
    M: sparse.csc_array,
    count: int,
    *,
    up_to: float = 0.0,
    shift: float = 0.0,
    without: np.ndarray | None = None,
    tolerance: float | None = None,
    guess: np.ndarray | None = None,
    roughly: int = 0,
) -> tuple[np.ndarray, np.ndarray]:
    """(λ = ω² ascending, shapes with φᵀMφ = 1) of the `count` lowest modes, and of all others with λ ≤ up_to.

    solve: x = (K − shift·M)⁻¹ b for several columns b;  without: (n, k) motions that are left out, mass-orthonormal,
    such as the rigid-body motions of a free body, on whose complement `solve` then works;  tolerance: residual of a mode, of
    which frequencies have the square;  guess: (n, k) shapes like those of the modes, to begin with;  roughly: how many of the
    `count` modes, the highest, need only be told apart.
    """
    n = M.shape[0]
    if n == 0 or (count == 0 and not up_to > 0):
        return np.zeros(0), np.zeros((n, 0))
    with few_threads(n):
        lanczos = _Lanczos(solve, M, without, _most(count) + BLOCK)
        return lanczos.run(count, up_to, shift, tolerance or TOLERANCE, guess, roughly)


def _most(sought: int) -> int:
    """Vectors of the basis before it is shrunk."""
    return 4 * sought + 16 * BLOCK


class _Lanczos:
    """The basis Q (n, m), mass-orthonormal, and the projected operator T = QᵀM A⁻¹M Q."""

    def __init__(self, solve: Solve, M: sparse.csc_array, without: np.ndarray | None, room: int) -> None:
        self.solve, self.M, self.without = solve, SparseRows.of_symmetric(sparse.csc_array(M)), without
        self.random = np.random.default_rng(0)
        self.basis = TallBasis(M.shape[0], room)
        self.T = np.zeros((0, 0))
        self.near: list[np.ndarray] = []  # M times the last two blocks of Q: A⁻¹M couples the next one to no others

    @property
    def Q(self) -> np.ndarray:
        return self.basis.vectors

    def run(
        self, count: int, up_to: float, shift: float, tolerance: float, guess: np.ndarray | None, roughly: int
    ) -> tuple[np.ndarray, np.ndarray]:
        width = min(BLOCK, self.M.shape[0])
        start = self.random_block(width + 1)
        fresh: np.ndarray | None = start[:, width:]
        begin = start[:, :width] if guess is None else np.hstack([guess, start[:, :2]])  # a guess may lack modes
        block, Mblock, *_ = self.taken_apart(begin)
        due, asked = 0, None  # when to look at what was found; when a fresh vector was added
        for step in range(MOST_STEPS):
            if not block.shape[1]:  # nothing is left: these are all modes there are
                θ, S = np.linalg.eigh(self.T)
                return self.modes(θ, S, max(count, _above(θ, up_to, shift)), shift)
            block, Mblock, coupling = self.extend(block, Mblock)
            m = len(self.T)
            early = step < due or (guess is None and m < 2 * count)
            if early and block.shape[1] and m <= _most(count):
                continue  # the eigenvalues of T cost as much as a small solution
            θ, S = np.linalg.eigh(self.T)
            error = np.linalg.norm(coupling @ S[-coupling.shape[1] :], axis=0)
            seen = _found(θ, error, SIGHTED, count, up_to, shift) is not None
            found = _found(θ, error, tolerance, count - roughly, up_to, shift)
            if roughly and _found(θ, error, ROUGH, count, up_to, shift) is None:
                found = None
            asked = asked if seen else None
            if found is not None and asked is not None and step >= asked + SEARCH:
                return self.modes(θ, S, max(found, count), shift)
            if seen and asked is None:  # have the others missed any? More of one frequency than a block has
                fresh = self.random_block(1) if fresh is None else fresh
                block, Mblock, *_ = self.taken_apart(np.hstack([block, fresh]))
                fresh, asked = None, step
            elif not block.shape[1]:  # an invariant space without all modes asked for: go on elsewhere
                block, Mblock, *_ = self.taken_apart(self.random_block(width))
            sought = max(count, _above(θ, up_to, shift))
            if asked is None:
                due = step + (2 if guess is None else 1)
            else:
                due = max(step + _steps_to(tolerance, θ, error, sought - roughly), asked + SEARCH)
            if len(θ) > _most(sought):
                self.shrink(θ, S, 2 * sought + 2 * BLOCK)
        raise SolveError(
            f"{count} vibration modes were not found in {MOST_STEPS} steps",
            causes=["a nearly singular stiffness", "parts of the mesh that hardly hold together"],
        )

    def random_block(self, width: int) -> np.ndarray:
        """Random vectors in the range of the operator, of unit size."""
        W = self.solve(self.M @ self.random.standard_normal((self.M.shape[0], width)))
        return W / np.sqrt(np.einsum("ij,ij->j", W, self.M @ W))

    def extend(self, block: np.ndarray, Mblock: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Take a block into the basis; return (V, MV, C): the operator makes V C of it outside the basis."""
        m, p = len(self.T), block.shape[1]
        self.basis.add(block)
        T = np.zeros((m + p, m + p))
        T[:m, :m] = self.T
        self.T = T
        W, self.near = self.solve(Mblock), [*self.near[-1:], Mblock]
        if m and len(self.near) == 1:  # the basis has just been shrunk
            V, MV, C, H = self.taken_apart(W)
        else:
            h = np.vstack([_shares(MQ, W) for MQ in self.near])
            V, MV, C, H = self.cleaned(W - _times(self.Q[:, -len(h) :], h), float((h**2).sum(axis=0).max()))
            H[-len(h) :] += h
        T[:, m:] = H
        T[m:, :m] = H[:m].T
        T[m:, m:] = 0.5 * (H[m:] + H[m:].T)
        return V, MV, C

    def taken_apart(self, W: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """(V, MV, C, H) with W = V C + Q H, V mass-orthonormal and orthogonal to Q."""
        h = self.basis.shares(self.M @ W)
        V, MV, C, H = self.cleaned(self.basis.without(W, h), float((h**2).sum(axis=0).max(initial=0.0)))
        return V, MV, C, H + h

    def cleaned(self, W: np.ndarray, taken: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """The same for W that is orthogonal to Q but for rounding errors.

        taken: square of what was taken off W before. Directions of V that are its rounding errors are dropped.
        """
        V, MV, C = _unit(W, self.M @ W, 1e-24 * taken)
        H = self.basis.shares(MV)
        V = self.basis.without(V, H)
        if self.without is not None:
            V = V - self.without @ (self.without.T @ MV)
        V, MV, again = _unit(V, self.M @ V, 0.5)  # a unit vector that loses most of itself was rounding
        return V, MV, again @ C, H @ C

    def shrink(self, θ: np.ndarray, S: np.ndarray, kept: int) -> None:
        """Keep the best vectors of the basis."""
        best = np.argsort(-np.abs(θ))[:kept]
        self.basis.keep(self.Q @ S[:, best])
        self.T = np.diag(θ[best])
        self.near = []

    def modes(self, θ: np.ndarray, S: np.ndarray, count: int, shift: float) -> tuple[np.ndarray, np.ndarray]:
        """(λ, shapes) from eigenvalues and eigenvectors of T."""
        order = np.argsort(-np.abs(θ))[:count]
        order = order[np.abs(θ[order]) > 1e-14 * np.abs(θ).max(initial=0.0)]  # not the motions without mass
        λ = shift + 1 / θ[order]
        ascending = np.argsort(λ)
        return λ[ascending], self.Q @ S[:, order[ascending]]


def _unit(W: np.ndarray, MW: np.ndarray, least: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(V, MV, C) with W = V C and VᵀMV = 1; directions with squares of at most `least` or rounding are dropped."""
    values, vectors = np.linalg.eigh(_shares(W, MW))
    good = values > max(least, 1e-24 * values.max(initial=0.0))
    root, vectors = np.sqrt(values[good]), vectors[:, good]
    return _times(W, vectors / root), _times(MW, vectors / root), root[:, None] * vectors.T


def _shares(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """AᵀB of a few long columns each, some rows after others."""
    found = np.zeros((A.shape[1], B.shape[1]))
    for begin in range(0, len(A), ROWS):
        found += A[begin : begin + ROWS].T @ B[begin : begin + ROWS]
    return found


def _times(A: np.ndarray, factors: np.ndarray) -> np.ndarray:
    """A few long columns times a small matrix, some rows after others."""
    found = np.empty((len(A), factors.shape[1]))
    for begin in range(0, len(A), ROWS):
        np.matmul(A[begin : begin + ROWS], factors, out=found[begin : begin + ROWS])
    return found


def _found(θ: np.ndarray, error: np.ndarray, tolerance: float, count: int, up_to: float, shift: float) -> int | None:
    """How many modes to hand out once all that are asked for are accurate; else None."""
    order = np.argsort(-np.abs(θ))
    accurate = error[order] <= tolerance * np.abs(θ[order])
    settled = len(θ) if accurate.all() else int(np.argmin(accurate))
    low = _above(θ, up_to, shift)
    enough = settled >= count and (not up_to > 0 or settled > low)
    return max(count, low) if enough else None


def _steps_to(goal: float, θ: np.ndarray, error: np.ndarray, count: int) -> int:
    """Steps that modes need at least until their residuals are as small as this, or one."""
    order = np.argsort(-np.abs(θ))[:count]
    worst = float((error[order] / np.abs(θ[order])).max(initial=0.0))
    return max(1, int(np.log(max(worst / goal, 1.0)) / np.log(FASTEST)))


def _above(θ: np.ndarray, up_to: float, shift: float) -> int:
    """How many eigenvalues belong to λ ≤ up_to."""
    return int((np.abs(θ) >= 1 / (up_to - shift)).sum()) if up_to > shift else 0
