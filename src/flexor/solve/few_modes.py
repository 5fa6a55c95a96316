"""The lowest modes of large mechanisms, by sparse factors.

Complex modes: a block Arnoldi iteration with the inverse at a real shift σ. With x = (ξ, ξ̇) the first-order form of
(λ²M + λC + K) ξ + Bᵀμ + Aᵀν = 0 has the inverse y ↦ x,

    [ σ²M + σC + K  Bᵀ  Aᵀ ] [ ξ ]     [ M y₂ + (C + σM) y₁ ]
    [      B                ] [ μ ]  = − [         0          ],   ξ̇ = σ ξ + y₁,
    [   σA + A_q            ] [ ν ]     [        A y₁        ]

whose eigenvalues 1/(λ − σ) are largest for λ near σ, those of what the constraints hold are zero. Several vectors are
taken at a time, and a fresh one at the end looks for modes that were missed (as in reduce/modes.py). Free motions N,
K N = 0, are split off: (N, 0) is an eigenvector for λ = 0, so that only the rest of x need be kept. Eigenvalues are those
of K, C, M projected on all ξ and ξ̇ of the iteration, which keeps the symmetries that hold λ on the imaginary axis
(second-order Arnoldi method, Bai and Su 2005).

Undamped modes: block Lanczos, and a count of the negative pivots of K − ω²M + ρBᵀB, of which there are as many as modes
below ω (Sylvester), proves that none is missing.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import linalg, sparse
from scipy.sparse.linalg import splu

from flexor.reduce.modes import lowest_modes
from flexor.solve.all_modes import projected_pairs
from flexor.solve.free_motions import NotFound, held_solver, slow_motions, without_rigid
from flexor.solve.pencil import Pencil
from flexor.solve.static_step import EPS, equilibration
from flexor.warning import warn

BLOCK, SEARCH = 4, 4
"""Vectors solved for at a time; steps that a fresh vector is given to show modes that were missed."""
TOLERANCE = 1e-10
"""Error of a shape, relative."""
MOST = 1200
"""Vectors of the basis."""


# -- with damping and gyroscopic terms -----------------------------------------------------------------------------


def few_complex(p: Pencil, count: int, within: float = 0.0) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """(λ, shapes, free motions, radius): all modes of |λ| ≤ radius, among them the `count` lowest beside the free motions,
    counting a conjugate pair once, and all of |λ| ≤ within. An infinite radius: there are no others."""
    N, slow = slow_motions(p)
    shift = max(0.4 * float(slow[min(count, len(slow)) - 1]), 0.2 * within)
    values, xi, radius = _Arnoldi(p, N, shift).run(count, within)
    return values, xi, N, radius


class _Arnoldi:
    """Basis Y of (ξ less free motions, ξ̇/σ), orthonormal, and basis Q of all motions ξ, ξ̇ in it."""

    def __init__(self, p: Pencil, N: np.ndarray, shift: float) -> None:
        self.p, self.N, self.shift = p, N, shift
        self.solve = held_solver(p, p.K + shift * p.C + shift**2 * p.M, p.A_q + shift * p.A)
        self.D = p.C + shift * p.M
        self.random = np.random.default_rng(0)
        allowed = _allowed(p)
        self.Y = _Basis(2 * len(p), 1e-12, lambda y: np.vstack([allowed(y[: len(p)]), allowed(y[len(p) :])]))
        self.Q = _Basis(len(p), 1e-8, allowed)
        self.Q.add(N)
        self.last = np.zeros((2 * len(p), 0))
        self.refresh(BLOCK)

    def inverse(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(x, ξ)"""
        p, n, s = self.p, len(self.p), self.shift
        y1, y2 = y[:n], s * y[n:]
        xi = self.solve(-(p.M @ y2 + self.D @ y1), -(p.A @ y1))
        return np.vstack([s * (xi - self.N @ (self.N.T @ xi)), s * xi + y1]), xi

    def refresh(self, width: int) -> None:
        """Add random motions that the constraints allow to the last block."""
        y = self.random.standard_normal((2 * len(self.p), width))
        for _ in range(2):
            y, xi = self.inverse(y)
            self.Q.add(xi)
        self.last = np.hstack([self.last, self.Y.add(y)])

    def advance(self) -> None:
        """The next block."""
        y, xi = self.inverse(self.last)
        self.Q.add(xi)
        self.last = self.Y.add(y)

    def run(self, count: int, within: float) -> tuple[np.ndarray, np.ndarray, float]:
        known: np.ndarray | None = None
        steps, due = 0, self.N.shape[1] + 4 * count + 10
        while self.Q.count <= MOST:
            self.advance()
            if not self.last.shape[1]:  # the space holds all motions, or fresh ones show others
                self.refresh(BLOCK)
            if not self.last.shape[1]:
                return *self.pairs(), np.inf
            steps += 1
            if self.Q.count < due or steps < (1 if known is None else SEARCH):
                continue
            due, steps = 1.2 * self.Q.count, 0
            values, xi, sizes, radius = self.settled(count, within)
            if sizes is None:
                continue
            if (
                known is not None
                and len(known) == len(sizes)
                and np.allclose(known, sizes, rtol=1e-6, atol=1e-6 * self.shift)
            ):
                return values, xi, radius
            known, due = sizes, 0
            self.refresh(1)
        raise NotFound

    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """Eigenvalues and shapes of the motions in the basis, from the lowest; free motions are not among them."""
        Q = self.Q.columns
        values, xi, _ = projected_pairs(self.p, Q, Q, self.N)
        order = np.argsort(np.abs(values), kind="stable")
        values, xi = without_rigid(self.p, values[order], xi[:, order], self.N, 1e-5 * self.shift)
        order = np.flatnonzero(np.abs(values) < 1e9 * self.shift)
        return values[order], xi[:, order] / np.linalg.norm(xi[:, order], axis=0)

    def settled(self, count: int, within: float) -> tuple[np.ndarray, np.ndarray, np.ndarray | None, float]:
        """What is asked for, with the sizes |λ| once all of it is accurate, and the radius |λ| up to which all is."""
        values, xi = self.pairs()
        sizes = np.abs(values[values.imag >= 0])
        enough = max(count, int((sizes <= within).sum()))
        if len(sizes) <= enough:
            return values, xi, None, 0.0
        radius = float(sizes[enough])
        few = np.abs(values) <= 1.000001 * radius
        values, xi = values[few], xi[:, few]
        upper = values.imag >= 0
        if not self.accurate(values[upper], xi[:, upper]):
            return values, xi, None, 0.0
        sizes = sizes[:enough]
        return values, xi, sizes[sizes > 1e-4 * self.shift], radius  # a nearly free motion has one or two eigenvalues

    def accurate(self, values: np.ndarray, xi: np.ndarray) -> bool:
        """Whether a step of inverse iteration, (σ²M + σC + K)⁻¹ (λ²M + λC + K) ξ, would change no shape by more than rounding."""
        p = self.p
        r = p.M @ xi * values**2 + p.C @ xi * values + p.K @ xi
        g = p.A @ xi * values + p.A_q @ xi
        change = np.linalg.norm(self.solve(r.real, g.real) + 1j * self.solve(r.imag, g.imag), axis=0)
        size, rate = np.abs(xi), np.abs(values)
        terms = abs(p.M) @ size * rate**2 + abs(p.C) @ size * rate + abs(p.K) @ size
        rounding = np.linalg.norm(self.solve(EPS * terms * self.random.choice([-1.0, 1.0], terms.shape)), axis=0)
        return bool(np.all(change <= np.maximum(TOLERANCE, 30 * rounding)))


def _allowed(p: Pencil) -> Callable[[np.ndarray], np.ndarray]:
    """Takes off motions what the constraints do not allow, x − Bᵀ(BBᵀ)⁻¹B x: rounding, which the iteration would magnify."""
    if not p.B.shape[0]:
        return lambda x: x
    try:
        factors = splu(sparse.csc_matrix(p.B @ p.B.T))
    except RuntimeError:
        raise NotFound from None
    across = sparse.csr_array(p.B.T)
    return lambda x: x - across @ factors.solve(np.ascontiguousarray(p.B @ x))


class _Basis:
    """Orthonormal columns, as many as come. least: what must be new in a vector of unit length to count."""

    def __init__(self, n: int, least: float, allowed: Callable[[np.ndarray], np.ndarray]) -> None:
        self._store, self.count, self.least, self.allowed = np.zeros((n, 64), order="F"), 0, least, allowed

    @property
    def columns(self) -> np.ndarray:
        return self._store[:, : self.count]

    def add(self, W: np.ndarray) -> np.ndarray:
        """Take in what is new in some columns; returns that, orthonormal."""
        Q = self.columns
        size = np.linalg.norm(W, axis=0)
        W = W[:, size > 0] / size[size > 0]
        for _ in range(2):
            W = W - Q @ (Q.T @ W)
        U, sizes, _ = linalg.svd(W, full_matrices=False)
        U = U[:, sizes > self.least]
        for _ in range(2):
            U = self.allowed(U)
            U = U - Q @ (Q.T @ U)
            U, sizes, _ = linalg.svd(U, full_matrices=False)
            U = U[:, sizes > 0.1]  # the rest was rounding
        while self.count + U.shape[1] > self._store.shape[1]:
            self._store = np.asfortranarray(np.hstack([self._store, np.zeros_like(self._store)]))
        self._store[:, self.count : self.count + U.shape[1]] = U
        self.count += U.shape[1]
        return U


# -- stiffness and mass alone --------------------------------------------------------------------------------------


def few_undamped(p: Pencil, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(ω² ascending, shapes, free motions): at least the `count` lowest beside the free motions."""
    N, slow = slow_motions(p)
    shift = -0.1 * float(slow[0]) ** 2
    factors = held_solver(p, p.K - shift * p.M, p.A_q)
    M = sparse.csc_array(p.M)
    free = N @ linalg.inv(linalg.cholesky(N.T @ (M @ N))) if N.shape[1] else N

    def solve(b: np.ndarray) -> np.ndarray:
        x = factors(b)
        return x - free @ (free.T @ (M @ x))

    squares, xi = lowest_modes(solve, M, count + 3, shift=shift, without=free)
    xi = solve(M @ xi) * (squares - shift)
    xi /= np.sqrt(np.einsum("ik,ik->k", xi, M @ xi))
    if len(squares) == count + 3:  # else these are all
        last = count - 1 + int(np.argmax(np.diff(squares[count - 1 :])))
        between = 0.5 * (squares[last] + squares[last + 1])
        there = last + 1 + (N.shape[1] if between > 0 else 0)
        if not any(modes_below(p, between, penalty) == there for penalty in PENALTIES):
            if len(p) <= MOST:
                raise NotFound
            warn(
                f"that these are the lowest {there} modes could not be proven; compare with modes({2 * count})",
                ModesNotProven,
            )
        squares, xi = squares[: last + 1], xi[:, : last + 1]
    return squares, xi, N


PENALTIES = (1e3, 1e6, 1e9)
"""ρ relative to the largest stiffness. A chain of many joints is soft against a small one, a large one costs digits; either
can only add to the count, so that one that agrees proves it."""


class ModesNotProven(UserWarning):
    """The count of modes below a frequency did not come out as the number found."""


def modes_below(p: Pencil, square: float, penalty: float = PENALTIES[0]) -> int | None:
    """How many modes have ω² below a value: negative pivots of K − ω²M + ρBᵀB. None where the factors are inaccurate."""
    S = sparse.csc_matrix(p.K - square * p.M)
    largest = float(np.abs(S.diagonal()).max(initial=0.0))
    S = sparse.csc_matrix(S + penalty * largest * (p.B.T @ p.B))
    d = equilibration(S)
    S = sparse.csc_matrix(sparse.diags(d) @ S @ sparse.diags(d))
    try:
        factors = splu(S, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})
    except RuntimeError:
        return None
    if not np.array_equal(factors.perm_r, factors.perm_c):
        return None
    known = np.random.default_rng(1).standard_normal(len(p))
    if not np.abs(S @ (factors.solve(S @ known) - known)).max() < 1e-6 * np.abs(S @ known).max():
        return None
    return int((factors.U.diagonal() < 0).sum())
