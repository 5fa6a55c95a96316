"""Modal frequency response: real modes, coupled by damping only where it does so, and static corrections.   FTG (7.97)–(7.100)

Beside the modes Φ, ΦᵀMΦ = 1, the space has static answers to every load, less what modes tell of them (residual vectors): what the
modes that are left out would do far below their frequencies. Where damping and gyroscopic terms do not couple modes, each has an
equation of its own (7.100); else the modes are solved together (7.99).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import linalg, sparse

from flexor.errors import ModelError, Problem, SolveError
from flexor.solve.free_motions import NotFound, held_solver
from flexor.solve.frequency.direct import Factory
from flexor.solve.frequency.in_coordinates import InCoordinates, in_coordinates, obstacle
from flexor.solve.frequency.linear_system import LinearSystem
from flexor.solve.frequency.space import Space
from flexor.solve.linearise import Linearisation
from flexor.solve.modes import real_modes
from flexor.solve.pencil import Pencil, pencil
from flexor.warning import warn

ANALYSIS = "frequency_response"
REACH = 2.0
"""Modes up to this multiple of the highest frequency are taken."""
AT_FIRST = 20
"""Modes that are sought, before it is seen whether they reach that far."""
ROUNDING = 2e3 * float(np.finfo(float).eps)
"""Relative size of what is rounding in a sum over coordinates."""
WORTH = 1e-7
"""Part of a static answer that modes do not tell, from which on it is a direction of its own."""
LOOKED_AT = 4
"""Frequencies at which the result is compared with the direct response."""
TOLD, FLOOR = 0.02, 0.01
"""Difference from there on a warning tells of; relative to the response there, or to FLOOR of the largest if that is more."""


class TruncatedModes(UserWarning):
    """Too few modes for a frequency response."""


@dataclass(frozen=True)
class Modal:
    """Modes and static corrections as columns of V, with VᵀA(s)V by powers of s.

    squares: ω² of the modes [1/s²], free motions first.   every: no mode is left out.   damping, turning: by how much damping couples modes, in
    parts of their own, and gyroscopic terms, in parts of critical damping.
    """

    V: np.ndarray
    small: tuple[np.ndarray, np.ndarray, np.ndarray]
    squares: np.ndarray
    every: bool
    damping: float
    turning: float


def modal_response(
    system: LinearSystem, omegas: np.ndarray, count: int | None = None, ratios: np.ndarray | None = None
) -> tuple[np.ndarray, str]:
    """Outputs by inputs at every frequency, and what was done.   count: of modes.   ratios: ζ of the modes, in place of the model's damping."""
    equations = in_coordinates(system)
    if equations is None:
        raise ModelError(Problem(ANALYSIS, "modes do not serve here", obstacle(system), 'method="direct"'))
    space = Space(equations)
    modal = modes_and_corrections(equations, space, system.vectors, float(omegas.max()), count, ratios)
    space.span(modal.V)
    found = space.solve(1j * omegas, modal.small)
    if found is None or not np.all(np.isfinite(found[0])):
        cause = 'an undamped resonance among the frequencies; give damping, or leave it out, or method="direct"'
        raise SolveError("the modal equations have no solution", causes=[cause])
    values, residual = found
    said = _said(modal, ratios)
    if ratios is None and not modal.every:
        said += "; " + _compared(system, omegas, values, residual, len(modal.squares))
    return values, said


def modes_and_corrections(
    eq: InCoordinates,
    space: Space,
    vectors: np.ndarray | None,
    highest: float,
    count: int | None = None,
    ratios: np.ndarray | None = None,
) -> Modal:
    """Modes of the symmetric parts of stiffness and mass, as many as asked for or up to REACH times the highest ω, and corrections."""
    K, C, M = (sparse.csr_array(X.real) for X in eq.A)
    n = K.shape[0]
    none = sparse.csr_array((0, n))
    own = np.arange(n) if vectors is None else vectors[eq.rows]
    p = pencil(Linearisation(K, C, M, eq.B, none, none, ("",) * n, np.arange(n), own), symmetric=True)
    squares, xi, N = _enough(p, highest, count)
    every = _all_found(p, squares, N)
    if N.shape[1]:
        N = N @ linalg.inv(linalg.cholesky(N.T @ (p.M @ N)))
    if count is not None and count < len(squares) + N.shape[1]:
        keep = max(0, count - N.shape[1])
        every = every and keep >= len(squares)
        squares, xi, N = squares[:keep], xi[:, :keep], N[:, :count]
    squares = np.concatenate([np.zeros(N.shape[1]), squares])
    Phi = np.hstack([N, xi])
    Phi = Phi / np.sqrt(np.einsum("ik,ik->k", Phi, p.M @ Phi))
    W, mu = (np.zeros((n, 0)), np.zeros(0)) if every else _corrections(p, space, Phi, squares)
    V = p.shapes(np.hstack([Phi, W]))
    symmetric = [0.5 * (X + X.T) for X in (K, M)]
    A0 = np.diag(np.concatenate([squares, np.ones(len(mu))])) + _seen(sparse.csr_array(K - symmetric[0]), V)
    A2 = np.diag(np.concatenate([np.ones(len(squares)), mu])) + _seen(sparse.csr_array(M - symmetric[1]), V)
    H = sparse.csr_array(eq.A[0].imag)
    A1, damping, turning = _damping(C, V, squares, ratios)
    return Modal(V, (A0 + 1j * _seen(H, V), A1, A2), squares, every, damping, turning)


def _enough(p: Pencil, highest: float, count: int | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    sought = AT_FIRST if count is None else count
    while True:
        squares, xi, N = real_modes(p, sought)
        reached = not len(squares) or squares[-1] > (REACH * highest) ** 2
        if count is not None or reached or _all_found(p, squares, N) or len(squares) < sought:
            break
        sought *= 2
    if count is None:
        keep = squares <= max((REACH * highest) ** 2, squares[0] if len(squares) else 0.0)
        squares, xi = squares[keep], xi[:, keep]
    return squares, xi, N


def _all_found(p: Pencil, squares: np.ndarray, N: np.ndarray) -> bool:
    return len(squares) + N.shape[1] >= len(p) - p.B.shape[0]


def _corrections(p: Pencil, space: Space, Phi: np.ndarray, squares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Static answers W to all loads, less their part in the modes, with WᵀKW = 1 and μ = WᵀMW diagonal."""
    loads = np.concatenate([space.b.real, space.b.imag]).transpose(1, 0, 2).reshape(len(p), -1)
    loads = p.size[:, None] * loads[:, np.any(loads, axis=0)]
    if not loads.shape[1]:
        return np.zeros((len(p), 0)), np.zeros(0)
    loads = loads / np.linalg.norm(loads, axis=0)
    vibrating = squares[squares > 0]
    shift = 0.0 if len(vibrating) == len(squares) else 0.01 * (vibrating[0] if len(vibrating) else 1.0)
    S = p.K + shift * p.M
    try:
        W = held_solver(p, S, p.A_q)(loads)
    except NotFound:
        raise SolveError(
            "static corrections were not found: the stiffness is singular about this state", causes=['method="direct"']
        ) from None
    whole = np.sqrt(np.maximum(np.einsum("ik,ik->k", W, S @ W), 1e-300))
    for _ in range(2):
        W = W - Phi @ (Phi.T @ (p.M @ W))
    W = W / whole
    W = W[:, np.einsum("ik,ik->k", W, S @ W) > WORTH**2]
    stiffness, turn = linalg.eigh(W.T @ (p.K @ W)) if W.shape[1] else (np.zeros(0), np.zeros((0, 0)))
    new = stiffness > WORTH**2
    W = W @ turn[:, new] / np.sqrt(stiffness[new])
    mu, turn = linalg.eigh(W.T @ (p.M @ W)) if W.shape[1] else (np.zeros(0), np.zeros((0, 0)))
    return W @ turn, np.maximum(mu, 0.0)


def _seen(X: sparse.csr_array, V: np.ndarray) -> np.ndarray:
    """VᵀXV without what is rounding."""
    if not X.count_nonzero():
        return np.zeros((V.shape[1],) * 2)
    found: np.ndarray = V.T @ (X @ V)
    terms = np.abs(V).T @ (abs(X) @ np.abs(V))
    return np.where(np.abs(found) > ROUNDING * terms, found, 0.0)


def _damping(
    C: sparse.csr_array, V: np.ndarray, squares: np.ndarray, ratios: np.ndarray | None
) -> tuple[np.ndarray, float, float]:
    """VᵀCV, or 2ζω on its diagonal (7.106) with gyroscopic terms as they are; and by how much both couple modes."""
    A1 = _seen(C, V)
    own = np.sqrt(np.abs(np.diag(A1)))
    A1 = np.where(np.abs(A1) > ROUNDING * np.outer(own, own), A1, 0.0)
    damping, turning = 0.5 * (A1 + A1.T), 0.5 * (A1 - A1.T)
    r = len(squares)
    omega = np.sqrt(np.abs(squares))
    if ratios is not None:
        zeta = ratios[np.minimum(np.arange(r), len(ratios) - 1)]
        damping = np.diag(np.concatenate([2 * zeta * omega, np.zeros(V.shape[1] - r)]))
    own, rate = np.sqrt(np.abs(np.diag(damping)[:r])), np.sqrt(2 * np.maximum(omega, 1e-300))
    apart = damping[:r, :r] - np.diag(np.diag(damping)[:r])
    moving = squares != 0
    by_damping = np.abs(apart) / np.maximum(np.outer(own, own), 1e-300)
    by_turning = (np.abs(turning[:r, :r]) / np.outer(rate, rate))[moving][:, moving]
    return damping + turning, float(by_damping.max(initial=0.0)), float(by_turning.max(initial=0.0))


def _said(modal: Modal, ratios: np.ndarray | None) -> str:
    r = len(modal.squares)
    top = np.sqrt(max(float(modal.squares.max(initial=0.0)), 0.0)) / (2 * np.pi)
    said = f"modal: {'all' if modal.every else 'the lowest'} {r} modes, up to {top:.4g} Hz"
    if more := modal.V.shape[1] - r:
        said += f", and {more} static correction{'s' if more > 1 else ''}"
    if ratios is not None:
        said += ", with the damping ratios given in place of the model's damping"
    shares = [(modal.damping, "damping", "of their own"), (modal.turning, "gyroscopic terms", "of critical damping")]
    told = [f"{what} by up to {100 * share:.2g} % {of}" for share, what, of in shares if share > 1e-9]
    return said + (f"; coupled by {' and '.join(told)}, solved together" if told else "; uncoupled")


def _compared(system: LinearSystem, omegas: np.ndarray, values: np.ndarray, residual: np.ndarray, modes: int) -> str:
    """How far off the direct response is where residuals or responses are largest; with a warning where that is much."""
    size = np.abs(values).max(axis=0)
    tops = np.argmax(np.abs(values), axis=0).ravel()[: LOOKED_AT // 2]
    some = np.unique(np.concatenate([[int(np.argmax(residual)), int(np.argmax(omegas))], tops]))
    factory, off = Factory(system), []
    for i in some:
        exact = factory.solve(float(omegas[i]))[system.read]
        off.append(np.abs(values[i] - exact) / np.maximum(np.maximum(np.abs(exact), FLOOR * size), 1e-300))
    worst, *_ = np.unravel_index(int(np.argmax(off)), np.shape(off))
    most, hertz = float(np.max(off)), float(omegas[some[worst]]) / (2 * np.pi)
    told = f"off the direct response by {100 * most:.2g} % at {hertz:.4g} Hz, the most of {len(some)} looked at"
    if most > TOLD:
        fix = f'take more (modes={2 * modes}), or method="direct"'
        warn(f"frequency response by {modes} modes is {told}; {fix}", TruncatedModes)
    return told
