"""Many frequencies from few: exact solutions at chosen frequencies span a space in which all others are found.

Each exact solution, less what prescribed motion lifts it by, obeys the constraints; real and imaginary parts make an orthonormal basis V.
In it the equations are small, VᵀA(s)V c = −Vᵀ(d + A·lift), and solved at all frequencies by one diagonalisation. The residual of the
full equations, seen through a few random vectors, tells where the next exact solutions are taken; they also tell the true error. The sweep
ends when those at the worst frequencies agree with what was predicted.
"""

from __future__ import annotations

import numpy as np
from scipy import linalg

from flexor.solve.frequency.direct import Factory
from flexor.solve.frequency.in_coordinates import POWERS, InCoordinates, in_coordinates
from flexor.solve.frequency.linear_system import LinearSystem

MANY = 60
"""Frequencies from which on a sweep may pay."""
TOLERANCE = 4e-9
"""Relative error of outputs; where they are smaller than FLOOR of their largest value, or of what they might be, relative to that."""
FLOOR = 1e-4
STALLED = 1e-7
"""Likewise where exact solutions bring nothing new, so that what differs is their rounding."""
ROUNDING = 30.0
"""Errors of exact solutions by rounding, in parts of what refinement changes in them, which are not told from those of the sweep."""
LOOKS = 10
"""Exact solutions per round."""
LARGEST = 400
"""Size of the space beyond which a sweep is given up."""
NEW = 1e-14
"""Part of a solution, relative to it, that is worth a direction of its own."""
COARSE = 1000
"""Frequencies that residuals are looked at until they are small."""
SKETCH = 8
"""Random vectors through which residuals are seen."""


def swept_response(system: LinearSystem, omegas: np.ndarray) -> tuple[np.ndarray, int] | None:
    """Outputs by inputs at every frequency, and at how many the equations were solved; None where a sweep does not pay."""
    if len(omegas) < MANY or np.any(omegas == 0):
        return None
    reduced = in_coordinates(system)
    if reduced is None:
        return None
    space = _Space(reduced)
    factory, own = Factory(system), system.own
    exact: dict[int, np.ndarray] = {}
    rounding: dict[int, np.ndarray] = {}
    bound: dict[int, np.ndarray] = {}
    order = np.argsort(omegas)
    looked = order[:: max(1, len(order) // COARSE)]  # some at first, all in the end
    worst = order[np.unique(np.linspace(0, len(omegas) - 1, LOOKS).astype(int))]
    values: dict[int, np.ndarray] = {}
    agreed, off = False, [np.array(np.inf)]
    while True:
        solutions = {}
        for i in map(int, worst):
            solutions[i] = factory.solve(float(omegas[i]))
            exact[i], rounding[i] = solutions[i][system.read], factory.rounding[system.read]
            bound[i] = space.bound(solutions[i][own], float(omegas[i]))
        if values:
            floor = FLOOR * np.max([np.abs(each) for each in exact.values()], axis=0)
            off = [
                np.maximum(np.abs(values[i] - exact[i]) - ROUNDING * rounding[i], 0.0)
                / np.maximum(np.maximum(np.abs(exact[i]), np.maximum(floor, FLOOR * bound[i])), 1e-300)
                for i in solutions
            ]
            if np.max(off) <= TOLERANCE and len(looked) == len(order):
                break
            agreed = bool(np.max(off) <= TOLERANCE)
            looked = order if agreed else looked
        if len(exact) >= len(omegas) // 3 or space.size >= LARGEST:
            return None
        before = space.size
        for i, x in solutions.items():
            space.add(x[own], 1j * omegas[i])
        if space.size == before and not agreed:  # what is left is rounding
            if len(looked) == len(order) and np.max(off) <= STALLED:
                break
            return None
        found = space.solve(1j * omegas[looked])
        if found is None:
            return None
        told, residual = found
        worst = looked[_largest(residual, np.isin(looked, list(exact)))]
        values = {int(i): told[np.flatnonzero(looked == i)[0]] for i in worst}
        if not len(worst):
            return None
    result = np.empty((len(omegas), *told.shape[1:]), dtype=complex)
    result[looked] = told
    for i, each in exact.items():
        result[i] = each
    return result, len(exact)


def _largest(residual: np.ndarray, taken: np.ndarray) -> np.ndarray:
    """Where residuals are largest, one of each hill between two frequencies that were solved, in ascending order of frequency."""
    size, hills = np.where(taken, -1.0, residual), np.cumsum(taken)
    tops = {int(np.argmax(np.where(hills == hill, size, -1.0))) for hill in np.unique(hills)}
    return np.array(sorted((top for top in tops if size[top] >= 0), key=lambda top: -size[top])[:LOOKS], dtype=np.int64)


class _Space:
    """The basis, and the small equations in it."""

    def __init__(self, equations: InCoordinates) -> None:
        self.eq = equations
        n, inputs = equations.d.shape[:2]
        stiffness = np.maximum(np.abs(equations.A[0].diagonal()), 1e-300)
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

    def solve(self, s: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """Outputs (s, outputs, inputs) and sizes of residuals at all s."""
        A = [self.V.T @ a for a in self.AV]
        b = np.einsum("nr,pni->rpi", self.V, self.b)
        powers = np.array([s**p for p in self.powers])  # (p, s)
        used = [p for p in range(len(self.powers)) if np.any(self.b[p])]
        c = _solved(A, -np.einsum("rpi,ps->rsi", b[:, used], powers[used]), s)
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


def _solved(A: list[np.ndarray], b: np.ndarray, s: np.ndarray) -> np.ndarray | None:
    """c of (A₀ + s A₁ + s² A₂) c = b for all s, (rows, s, inputs): by one diagonalisation, refined.

    With z = (c, s c), E ż = F z, about a point σ: (sE − F)⁻¹ = X diag(1/((s − σ)τ − 1)) X⁻¹ (F − σE)⁻¹, τ and X of (F − σE)⁻¹E.
    """
    r = len(b)
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
    for i in range(b.shape[2]):
        c, left = found[:, :, i], b[:, :, i]
        for _ in range(2):
            c += X[:r] @ (weights * (W @ left))
            left = b[:, :, i] - A[0] @ c - A[1] @ (s * c) - A[2] @ (s * s * c)
    return found
