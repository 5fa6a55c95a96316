"""How many modes are enough: estimates of the frequency errors of a reduced body, and the choice made from them.

A Galerkin approximation (λ, φ), φᵀMφ = 1, with the residual r = Kφ − λMφ lies above the true eigenvalue by

    λ − λ_true ≈ rᵀ K_h⁻¹ r / (1 − λ/λ_next)

where K_h is the stiffness with held connection nodes, of which the factors are at hand, and λ_next the lowest mode
that the basis lacks. It holds for any support of the connection nodes as long as the static shapes are in the basis, so
it is taken for the free body and for the body clamped at each interface in turn: the ends of what a mechanism can do.
A mode that the basis lacks altogether shows far above its own frequency, where no estimate looks for it: the modes of the free body
are compared with those of the mesh itself, one by one, as the proof of the reduced body does.
With held modes y as generalised coordinates (Craig-Bampton) r needs no solution of its own,

    rᵀ K_h⁻¹ r = λ² u_bᵀ (Pᵀ K_h⁻¹ P − Σ LᵀL/ω²) u_b,   P = M B,  L the rows of the reduced mass that couple y and u_b.
"""

from __future__ import annotations

from bisect import bisect_left

import numpy as np
from scipy.linalg import eigh

from flexor.reduce import basis
from flexor.reduce.free_body import FreeBody

MOST_MODES = 400
MOST_POINTS = 8
ZERO = 1e-6
"""λ relative to the limit below which a mode is a rigid-body motion."""


def supports(p: FreeBody) -> list[tuple[str, np.ndarray]]:
    """(what is held, connection coordinates that are) for the free body and each interface clamped."""
    cases = [("free", np.zeros(0, dtype=int))]
    return cases + [(f"clamped at '{name}'", np.arange(6 * k, 6 * k + 6)) for k, name in enumerate(p.names)]


def enough_held_modes(p: FreeBody, up_to: float, tolerance: float) -> tuple[np.ndarray, str]:
    """(H, why) static shapes and as many held modes as needed for frequencies up to `up_to` [Hz]."""
    limit = (2 * np.pi * up_to) ** 2
    reach = 1.5
    while True:
        squares, shapes = p.held_modes(1, limit * reach**2)
        below = int((squares <= limit).sum())
        estimate = _HeldEstimate(p, squares, shapes, limit)
        if below < len(squares) and estimate.error(len(squares) - 1) <= tolerance:
            # more modes never raise the error: the first number that will do, by bisection
            count = bisect_left(range(len(squares)), -tolerance, below, key=lambda k: -estimate.error(k))
            first, last = estimate.error(below), estimate.error(count)
            why = _sentence(count, below, up_to, first, last, tolerance, float(squares[count]))
            return np.hstack([p.static, shapes[:, :count]]), why
        if len(squares) >= min(MOST_MODES, p.n - p.n_connections - 1):
            why = (
                f"{len(squares)} modes: the most there are, or that Flexor takes; the estimated error of frequencies "
                f"below {_hz(up_to)} may exceed the limit of {_percent(tolerance)}"
            )
            return np.hstack([p.static, shapes]), why
        reach *= 1.4


class _HeldEstimate:
    """Frequency errors below ω² = limit with the first of some held modes."""

    def __init__(self, p: FreeBody, squares: np.ndarray, shapes: np.ndarray, limit: float) -> None:
        S = p.static
        MS = p.M @ S
        self.cases, self.squares, self.limit = supports(p), squares, limit
        self.K, self.M, self.coupling = S.T @ (p.K @ S), S.T @ MS, shapes.T @ MS
        self.quasi_static = MS.T @ p.held.solve(MS)
        self.free = true_squares(p, limit)

    def error(self, count: int) -> float:
        """The largest, relative, with `count` modes."""
        n = len(self.K)
        ω2, L = self.squares[:count], self.coupling[:count]
        missing = self.quasi_static - (L.T / ω2) @ L
        K, M = np.diag(np.concatenate([np.zeros(n), ω2])), np.eye(n + count)
        K[:n, :n], M[:n, :n], M[n:, :n], M[:n, n:] = self.K, self.M, L, L.T
        worst = free_error(eigh(K, M, eigvals_only=True), self.free, self.limit)
        for _, held in self.cases:
            kept = np.setdiff1d(np.arange(n + count), held)
            λ, φ = eigh(K[np.ix_(kept, kept)], M[np.ix_(kept, kept)])
            wanted = (λ <= self.limit) & (λ > ZERO * self.limit)
            u = np.zeros((n + count, int(wanted.sum())))
            u[kept], λ = φ[:, wanted], λ[wanted]
            gained = λ**2 * np.einsum("ij,ik,kj->j", u[:n], missing, u[:n])
            worst = max(worst, float((0.5 * gained / λ * _amplified(λ, self.squares[count])).max(initial=0.0)))
        return worst


def true_squares(p: FreeBody, limit: float) -> np.ndarray:
    """ω² ≤ limit of the free body."""
    squares = p.free_modes(1, limit)[0]
    found: np.ndarray = squares[squares <= limit]
    return found


def free_error(reduced: np.ndarray, true: np.ndarray, limit: float) -> float:
    """Largest relative error of the frequencies of the free body, mode by mode; infinite where there are too few."""
    elastic = reduced[reduced > ZERO * limit]
    if len(elastic) < len(true):
        return np.inf
    return float((np.sqrt(elastic[: len(true)] / true) - 1).max(initial=0.0))


def _amplified(λ: np.ndarray, beyond: float) -> np.ndarray:
    """1/(1 − λ/λ_next), at most 100."""
    return 1 / (1 - np.minimum(λ / beyond, 0.99))


def frequency_errors(
    p: FreeBody, H: np.ndarray, limit: float, beyond: float
) -> list[tuple[str, np.ndarray, np.ndarray]]:
    """(support, λ ≤ limit, estimated relative frequency errors) of any basis that holds the static shapes.

    beyond: the lowest λ that the basis lacks, or a guess of it.
    """
    KH, MH = p.K @ H, p.M @ H
    K, M = H.T @ KH, H.T @ MH
    K, M = 0.5 * (K + K.T), 0.5 * (M + M.T)
    found = []
    for name, held in supports(p):
        kept = np.setdiff1d(np.arange(len(K)), held)
        λ, φ = eigh(K[np.ix_(kept, kept)], M[np.ix_(kept, kept)])
        wanted = (λ <= limit) & (λ > ZERO * limit)
        λ, φ = λ[wanted], φ[:, wanted]
        r = KH[:, kept] @ φ - (MH[:, kept] @ φ) * λ
        gained = np.einsum("ij,ij->j", r, p.held.solve(r)) if len(λ) else λ
        found.append((name, λ, 0.5 * np.abs(gained) / λ * _amplified(λ, beyond)))
    return found


def enough_free_modes(p: FreeBody, up_to: float, tolerance: float) -> tuple[np.ndarray, str]:
    """(H, why) rigid motion, residual attachment modes and as many free modes as needed up to `up_to` [Hz]."""
    limit = (2 * np.pi * up_to) ** 2
    reach, count, first = 1.5, None, None
    while True:
        squares, modes = p.free_modes(1, limit * reach**2)
        below = int((squares <= limit).sum())
        count = below if count is None else count
        while count < len(squares):
            H = basis.with_attachment_modes(p, modes[:, :count])
            error = _worst(frequency_errors(p, H, limit, float(squares[count])))
            first = error if first is None else first
            if error <= tolerance or count >= MOST_MODES:
                return H, _sentence(count, below, up_to, first, error, tolerance, float(squares[count]), "free")
            count += max(1, count // 4)
        reach *= 1.4


def enough_points(p: FreeBody, up_to: float, tolerance: float, moments: int) -> tuple[np.ndarray, str]:
    """(H, why) Krylov basis; expansion points up to `up_to` [Hz] are added where the estimated error is largest."""
    limit = (2 * np.pi * up_to) ** 2
    frequencies = [0.0, up_to]
    true = true_squares(p, limit)
    while True:
        H = basis.krylov(p, [2j * np.pi * f for f in frequencies], moments)
        cases = frequency_errors(p, H, limit, 4 * limit)
        own = eigh(H.T @ (p.K @ H), H.T @ (p.M @ H), eigvals_only=True)
        error = max(_worst(cases), free_error(own, true, limit))
        if error <= tolerance or len(frequencies) >= MOST_POINTS:
            points = ", ".join(_hz(f) for f in sorted(frequencies))
            return H, f"expansion points at {points}: estimated frequency error below {_hz(up_to)} {_percent(error)}"
        λ, errors = (np.concatenate([case[k] for case in cases]) for k in (1, 2))
        λ = true[-1:] if free_error(own, true, limit) > tolerance else λ[np.argsort(-errors)]
        candidates = np.sqrt(λ) / (2 * np.pi)
        apart = [f for f in candidates if all(abs(f - g) > 0.02 * up_to for g in frequencies)]
        # beside the mode, not on it: K − ω²M is singular there
        frequencies.append(float(apart[0] * 0.99) if apart else _middle_of_largest_gap(frequencies))


def _worst(cases: list[tuple[str, np.ndarray, np.ndarray]]) -> float:
    return max(float(errors.max(initial=0.0)) for _, _, errors in cases)


def _middle_of_largest_gap(frequencies: list[float]) -> float:
    points = np.sort(frequencies)
    k = int(np.argmax(np.diff(points)))
    return float(points[k : k + 2].mean())


def _sentence(
    count: int,
    below: int,
    up_to: float,
    first: float,
    error: float,
    limit: float,
    next_square: float,
    kind: str = "held",
) -> str:
    text = f"{count} modes: {below} {kind} modes lie below {_hz(up_to)}"
    if count > below:
        text += f", {count - below} more bring the estimated frequency error there from {_percent(first)} to"
    else:
        text += "; they leave an estimated frequency error of"
    next_one = _hz(next_square**0.5 / (2 * np.pi))
    return f"{text} {_percent(error)} (limit {_percent(limit)}); the next mode is at {next_one}"


def _percent(value: float) -> str:
    return f"{100 * value:.2g} %"


def _hz(frequency: float) -> str:
    return f"{frequency / 1000:.4g} kHz" if frequency >= 1000 else f"{frequency:.4g} Hz"
