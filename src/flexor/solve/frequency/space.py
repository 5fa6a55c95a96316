"""The equations of a harmonic response in a space of few motions, solved at all frequencies.

    q = V c + lift,   VᵀA(s)V c = −Vᵀ(d + A(s)·lift) u,      s = iω

V: exact solutions at some frequencies (`sweep`), or modes with static corrections (`modal`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import linalg

from flexor.solve.frequency.in_coordinates import POWERS, InCoordinates

NEW = 1e-14
"""Part of a solution, relative to it, that is worth a direction of its own."""
POOR = 1e-9
"""Residual of small equations, relative, from which on they are solved one by one."""
STACK = 1 << 21
"""Numbers of such equations that are held at a time."""
SKETCH = 8
"""Random vectors through which residuals are seen."""


class Space:
    """The basis, and the small equations in it."""

    def __init__(self, equations: InCoordinates) -> None:
        self.eq = equations
        n, inputs = equations.d.shape[:2]
        stiffness, mass = np.abs(equations.A[0].diagonal()), np.abs(equations.A[2].diagonal())
        if not np.any(stiffness):  # nothing holds it
            stiffness = mass if np.any(mass) else np.ones(n)
        known = stiffness > 1e-12 * stiffness.max()
        self.scale = np.sqrt(np.where(known, stiffness, np.median(stiffness[known])))  # V is orthonormal in scale·q
        self.V = np.zeros((n, 0))
        self.AV = [np.zeros((n, 0)) for _ in range(3)]
        random = np.random.default_rng(0).choice([-1.0, 1.0], (SKETCH, n)) / self.scale
        self.look = equations.allowed(random)
        # forces by powers of s: those of the input, and of what lifts
        self.powers = range(-2, 5)
        self.b = np.zeros((len(self.powers), n, inputs), dtype=complex)
        for k, power in enumerate(POWERS):
            self.b[power + 2] += equations.d[:, :, k]
            if np.any(equations.lift[:, :, k]):
                for j, A in enumerate(equations.A):
                    self.b[power + j + 2] += A @ equations.lift[:, :, k]

    @property
    def size(self) -> int:
        return self.V.shape[1]

    def bound(self, q: np.ndarray, omega: float) -> np.ndarray:
        """How large outputs might be with a solution of this size, (outputs, inputs): those far below are zero but for rounding."""
        rows = sum(omega**j * np.abs(R) for j, R in enumerate(self.eq.R)) / self.scale
        return np.outer(np.linalg.norm(rows, axis=1), np.linalg.norm(self.scale[:, None] * q, axis=0))

    def add(self, q: np.ndarray, s: complex) -> None:
        """Extend the space by exact solutions at s, a column per input."""
        lift = sum(s**power * self.eq.lift[:, :, k] for k, power in enumerate(POWERS))
        new = q - lift
        W = self.scale[:, None] * np.hstack([new.real, new.imag])
        size = np.linalg.norm(W, axis=0)
        W = W[:, size > 1e-14 * max(size.max(initial=0.0), 1e-300)]
        W = W / np.linalg.norm(W, axis=0)
        old = self.scale[:, None] * self.V
        for _ in range(2):
            W = W - old @ (old.T @ W)
        U, kept, _ = np.linalg.svd(W, full_matrices=False)
        V = U[:, kept > NEW] / self.scale[:, None]
        V = self.eq.allowed(self.eq.allowed(V.T)).T  # rounding, which what is new is made of, obeys no constraints
        U = self.scale[:, None] * V
        U = U - old @ (old.T @ U)
        size = np.linalg.norm(U, axis=0)
        V = U[:, size > 0.1] / size[size > 0.1] / self.scale[:, None]  # without what was rounding alone
        self.V = np.hstack([self.V, V])
        self.AV = [np.hstack([a, A @ V]) for a, A in zip(self.AV, self.eq.A, strict=True)]

    def span(self, V: np.ndarray) -> None:
        """Take these columns for the space."""
        self.V, self.AV = V, [A @ V for A in self.eq.A]

    def solve(self, s: np.ndarray, small: Sequence[np.ndarray] | None = None) -> tuple[np.ndarray, np.ndarray] | None:
        """Outputs (s, outputs, inputs) and sizes of residuals at all s.   small: matrices in place of VᵀA(s)V, by powers of s."""
        A = [self.V.T @ a for a in self.AV] if small is None else small
        b = np.einsum("nr,pni->rpi", self.V, self.b)
        powers = np.array([s**p for p in self.powers])  # (p, s)
        used = [p for p in range(len(self.powers)) if np.any(self.b[p])]
        c = solved(A, -np.einsum("rpi,ps->rsi", b[:, used], powers[used]), s)
        if c is None:
            return None
        rows = [R @ self.V for R in self.eq.R]
        values = -sum(s[:, None, None] ** j * np.einsum("or,rsi->soi", row, c) for j, row in enumerate(rows))
        for k, power in enumerate(POWERS):
            own = self.eq.e[:, :, k] + 0j
            values = values - s[:, None, None] ** power * own
            if np.any(self.eq.lift[:, :, k]):
                for j, R in enumerate(self.eq.R):
                    values = values - s[:, None, None] ** (power + j) * (R @ self.eq.lift[:, :, k])
        seen = sum(s**j * np.einsum("kr,rsi->kis", self.look @ a, c) for j, a in enumerate(self.AV))
        felt = np.einsum("kn,pni,ps->kis", self.look, self.b[used], powers[used])
        return values, (np.abs(seen + felt) / np.abs(felt).max(axis=0)).max(axis=(0, 1))


def solved(A: Sequence[np.ndarray], b: np.ndarray, s: np.ndarray) -> np.ndarray | None:
    """c of (A₀ + s A₁ + s² A₂) c = b for all s, (rows, s, inputs): by one diagonalisation, refined; each row by itself if uncoupled.

    With z = (c, s c), E ż = F z, about a point σ: (sE − F)⁻¹ = X diag(1/((s − σ)τ − 1)) X⁻¹ (F − σE)⁻¹, τ and X of (F − σE)⁻¹E.
    """
    r = len(b)
    if all(not np.any(X - np.diag(np.diag(X))) for X in A):  # (7.100)
        a = sum(np.diag(X)[:, None] * s**j for j, X in enumerate(A))
        return b / a[:, :, None]
    middle = complex(np.sqrt(np.abs(s).min() * np.abs(s).max())) * (0.3 + 1j)
    E = np.zeros((2 * r, 2 * r), dtype=complex)
    F = np.zeros((2 * r, 2 * r), dtype=complex)
    size = abs(middle)  # z = (c, s c/|σ|)
    E[:r, :r], E[r:, r:] = np.eye(r), size * A[2]
    F[:r, r:], F[r:, :r], F[r:, r:] = size * np.eye(r), -A[0], -size * A[1]
    try:
        shifted = linalg.inv(F - middle * E)
        tau, X = linalg.eig(shifted @ E)
        W = np.linalg.solve(X, shifted[:, r:])
    except (linalg.LinAlgError, ValueError):
        return None
    weights = 1.0 / ((s[None] - middle) * tau[:, None] - 1.0)  # (2r, s)
    found = np.zeros(b.shape, dtype=complex)
    left = b
    for _ in range(2):
        for i in range(b.shape[2]):
            found[:, :, i] += X[:r] @ (weights * (W @ left[:, :, i]))
        left = b - _product(A, found, s)
    size = np.abs(b).max(axis=(0, 2)) + max(np.abs(X).max() for X in A) * 1e-300
    poor = np.flatnonzero(
        ~(np.abs(left).max(axis=(0, 2)) <= POOR * size)
    )  # as where free motions make two eigenvectors one
    for some in np.array_split(poor, max(1, len(poor) * r * r // STACK)):
        z = s[some, None, None]
        try:
            found[:, some] = np.linalg.solve(A[0] + z * A[1] + z**2 * A[2], b[:, some].transpose(1, 0, 2)).transpose(
                1, 0, 2
            )
        except np.linalg.LinAlgError:
            return None
    return found


def _product(A: Sequence[np.ndarray], c: np.ndarray, s: np.ndarray) -> np.ndarray:
    """(A₀ + s A₁ + s² A₂) c"""
    flat = (len(c), -1)
    total: np.ndarray = sum((X @ (s[:, None] ** j * c).reshape(flat)).reshape(c.shape) for j, X in enumerate(A))
    return total
