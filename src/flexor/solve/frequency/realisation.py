"""From the equations of a harmonic response to ẋ = A x + B u, y = C x + D u in as few states as there are.

Coordinates that the constraints allow, q = T z + lift, with those of inertia as modes, a and ȧ; those with damping alone, b; what has
neither follows statically. An input by its speed or acceleration is integrated, ū = u/s or u/s², by states of its own. Rates of inputs,
as base motion by its position has them, are taken into the states, x → x + B_m u^(m−1), as far as no output depends on them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import linalg, sparse

from flexor.errors import ModelError, Problem, SolveError
from flexor.solve.frequency.in_coordinates import POWERS, InCoordinates, in_coordinates, obstacle
from flexor.solve.frequency.linear_system import LinearSystem
from flexor.solve.linearise import Linearisation
from flexor.solve.pencil import constrained, pencil

ANALYSIS = "state_space"
NONE = 1e-11
"""Inertia and damping, relative to the largest, below which a motion has none."""
IMPROPER = 1e-9
"""What an output has of a rate of an input, relative to the terms that it is made of, up to which it is rounding."""
DEGREES = 10
"""Of s, more than any product here has."""


@dataclass(frozen=True)
class Realisation:
    """Matrices of the first-order equations, and the names of the states."""

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    states: tuple[str, ...]


@dataclass(frozen=True)
class _Motion:
    """ẋ = A x + Σ B_j ū^(j),   z = P x + Σ Q_j ū^(j).   B, Q: (degrees, rows, inputs)."""

    A: np.ndarray
    B: np.ndarray
    P: np.ndarray
    Q: np.ndarray
    names: tuple[str, ...]


def realised(system: LinearSystem, inputs: tuple[str, ...], outputs: tuple[str, ...]) -> Realisation:
    """In minimal coordinates; refused where inputs act on outputs by rates that no state can hold."""
    eq = in_coordinates(system)
    if eq is None:
        fix = "take modes(complex=True) for poles, frequency_response for responses"
        raise ModelError(Problem(ANALYSIS, "there is none of this model", obstacle(system), fix))
    T, K, C, M = _allowed(eq, system.vectors)
    lift = _static_lift(eq, T, K)
    order = [_integrals(eq.d[:, i], lift[:, i], eq.e[:, i]) for i in range(len(inputs))]
    felt = _of_inputs(eq.d, order)
    lifted = _of_inputs(lift, order)
    forces = felt.copy()
    for j, X in enumerate(eq.A):
        forces[j:] += np.einsum("nm,pmi->pni", X.real.toarray(), lifted)[: DEGREES - j] if np.any(lifted) else 0.0
    motion = _motion(K, C, M, np.einsum("nr,pni->pri", T, forces))
    B, rows, D = _output_rows(eq, T, motion, lifted, _of_inputs(eq.e, order))
    return _without_rates(motion, B, rows, D, order, inputs, outputs)


def _allowed(eq: InCoordinates, vectors: np.ndarray | None) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Basis T of the displacements that the constraints allow, and K, C, M in it."""
    K, C, M = (sparse.csr_array(X.real) for X in eq.A)
    n = K.shape[0]
    none = sparse.csr_array((0, n))
    own = np.arange(n) if vectors is None else vectors[eq.rows]
    p = pencil(Linearisation(K, C, M, eq.B, none, none, ("",) * n, np.arange(n), own))
    Z = constrained(p)
    return p.shapes(Z), *(Z.T @ (X @ Z) for X in (p.K, p.C, p.M))


def _static_lift(eq: InCoordinates, T: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Prescribed motion with what goes along statically, if something holds it: smaller forces are left, and fewer digits lost."""
    if not np.any(eq.lift) or not K.size or np.linalg.cond(K) > 1e13:
        return eq.lift
    held = T.T @ (eq.A[0].real @ eq.lift.reshape(len(T), -1))
    found: np.ndarray = eq.lift - (T @ np.linalg.solve(K, held)).reshape(eq.lift.shape)
    return found


def _integrals(*parts: np.ndarray) -> int:
    """How often an input is integrated before it acts; parts: (rows, 5), by POWERS."""
    used = [power for k, power in enumerate(POWERS) if any(np.any(part[:, k]) for part in parts)]
    return max(0, -min(used, default=0))


def _of_inputs(given: np.ndarray, order: list[int]) -> np.ndarray:
    """By powers of s from zero on, of inputs that are integrated as often as they need, (degrees, rows, inputs)."""
    found = np.zeros((DEGREES, *given.shape[:2]))
    for i, k in enumerate(order):
        for j, power in enumerate(POWERS):
            if np.any(given[:, i, j]):
                found[power + k, :, i] += given[:, i, j]
    return found


def _motion(K: np.ndarray, C: np.ndarray, M: np.ndarray, b: np.ndarray) -> _Motion:
    """Of M z̈ + C ż + K z + Σ b_j ū^(j) = 0, where M may have no inverse."""
    U, size, Vt = linalg.svd(M) if M.size else (M, np.zeros(0), M)
    heavy = size > NONE * max(float(size.max(initial=0.0)), 1e-300)
    U1, V1, U2, V2 = U[:, heavy], Vt[heavy].T, U[:, ~heavy], Vt[~heavy].T
    Ud, dampers, Vdt = linalg.svd(U2.T @ C @ V2) if U2.shape[1] else (np.zeros((0, 0)),) * 3
    dampers = np.ravel(dampers)
    damped = dampers > NONE * max(float(np.abs(C).max(initial=0.0)), 1e-300)
    Us, Vs = U2 @ Ud[:, ~damped], V2 @ Vdt[~damped].T
    Ud, Vd = U2 @ Ud[:, damped], V2 @ Vdt[damped].T
    if Us.shape[1] and max(np.abs(Us.T @ C).max(), np.abs(C @ Vs).max()) > 1e-9 * np.abs(C).max(initial=1e-300):
        why = "it has no inertia, and damping that does not resist its own motion"
        raise SolveError("something in the model has no state space", causes=[why])
    try:
        by_static = linalg.solve(Us.T @ K @ Vs, Us.T) if Us.shape[1] else np.zeros((0, len(K)))
    except linalg.LinAlgError:
        cause = "give it mass, damping or a spring"
        raise SolveError("something without inertia is free to move", causes=[cause]) from None
    follow = np.eye(len(K)) - Vs @ by_static @ K  # z of what leads, with what follows statically
    turn, names, n = np.eye(V1.shape[1]), [], V1.shape[1]
    scale = 1.0 / np.sqrt(size[heavy])
    if np.abs(M - M.T).max(initial=0.0) <= 1e-9 * size.max(initial=0.0):
        U1, V1 = V1, V1
        inner = scale[:, None] * (V1.T @ K @ follow @ V1) * scale
        squares, turn = linalg.eigh(0.5 * (inner + inner.T)) if n else (np.zeros(0), turn)
        hertz = np.sign(squares) * np.sqrt(np.abs(squares)) / (2 * np.pi)
        names = [f"mode {i + 1} ({f:.6g} Hz)" for i, f in enumerate(hertz)]
    else:
        names = [f"motion {i + 1}" for i in range(n)]
    La, Va = U1 * scale @ turn, V1 * scale @ turn  # LaᵀMVa = 1
    m = Vd.shape[1]
    Kf = K @ follow
    C_dd = Ud.T @ C @ Vd

    def damped_rows(rows: np.ndarray) -> np.ndarray:
        return linalg.solve(C_dd, rows) if m else rows

    lead = np.hstack([Va, np.zeros((len(K), n)), Vd])
    P = follow @ lead
    b_rest = b - np.einsum("zy,pyi->pzi", K @ Vs @ by_static, b)
    rate_b = -damped_rows(np.hstack([Ud.T @ Kf @ Va, Ud.T @ C @ Va, Ud.T @ Kf @ Vd]))
    B_b = -np.array([damped_rows(Ud.T @ each) for each in b_rest])
    A = np.zeros((2 * n + m, 2 * n + m))
    A[:n, n : 2 * n] = np.eye(n)
    A[n : 2 * n] = -La.T @ np.hstack([Kf @ Va, C @ Va, Kf @ Vd]) - La.T @ C @ Vd @ rate_b
    A[2 * n :] = rate_b
    B = np.zeros((DEGREES, 2 * n + m, b.shape[2]))
    B[:, n : 2 * n] = -np.einsum("zr,pzi->pri", La, b_rest) - np.einsum("rm,pmi->pri", La.T @ C @ Vd, B_b)
    B[:, 2 * n :] = B_b
    Q = -np.einsum("zy,pyi->pzi", Vs @ by_static, b)
    states = (*names, *(f"rate of {name}" for name in names), *(f"damped motion {i + 1}" for i in range(m)))
    return _Motion(A, B, P, Q, states)


def _output_rows(
    eq: InCoordinates, T: np.ndarray, motion: _Motion, lifted: np.ndarray, own: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(B, C, D) with y = C x + Σ D_j ū^(j)."""
    P, D = motion.P, -own
    rows = np.zeros((len(own[0]), len(motion.A)))
    Q = motion.Q
    for j, R in enumerate(eq.R):  # z^(j) = P x + Σ Q_j ū^(j)
        R = R.real
        rows = rows - R @ T @ P
        D = D - np.einsum("oz,pzi->poi", R @ T, Q)
        D[j:] -= np.einsum("on,pni->poi", R, lifted)[: DEGREES - j]
        later = np.zeros_like(Q)
        later[1:] = Q[:-1]
        Q = later + np.einsum("zx,pxi->pzi", P, motion.B)
        P = P @ motion.A
    return motion.B, rows, D


def _without_rates(
    motion: _Motion,
    B: np.ndarray,
    C: np.ndarray,
    D: np.ndarray,
    order: list[int],
    inputs: tuple[str, ...],
    outputs: tuple[str, ...],
) -> Realisation:
    """Integrals of inputs among the states, and rates of inputs taken into the states."""
    n, chain = len(motion.A), sum(order)
    A = np.zeros((n + chain, n + chain))
    A[:n, :n] = motion.A
    C = np.hstack([C, np.zeros((len(C), chain))])
    by_rates = np.zeros((DEGREES, n + chain, len(inputs)))  # of u, its rate, …
    own = np.zeros((DEGREES, len(C), len(inputs)))
    names, at = list(motion.names), n
    for i, k in enumerate(order):
        for j in range(k):  # ū, and its rates up to u
            A[:n, at + j], C[:, at + j] = B[j, :, i], D[j, :, i]
            if j + 1 < k:
                A[at + j, at + j + 1] = 1.0
            names.append(f"{'twice ' if k - j == 2 else ''}integrated {inputs[i]}")
        if k:
            by_rates[0, at + k - 1, i] = 1.0
        by_rates[: DEGREES - k, :n, i] += B[k:, :, i]
        own[: DEGREES - k, :, i] = D[k:, :, i]
        at += k
    terms = np.abs(own)
    for m in range(DEGREES - 1, 0, -1):
        by_rates[m - 1] += A @ by_rates[m]
        own[m - 1] += C @ by_rates[m]
        terms[m - 1] += np.abs(C) @ np.abs(by_rates[m])
    size = np.maximum(np.abs(own).max(axis=(0, 1)), 1e-300)
    for m in range(1, DEGREES):
        improper = np.argwhere(np.abs(own[m]) > IMPROPER * np.maximum(terms[m], 1e-6 * size))
        if len(improper):
            raise _refusal(outputs[improper[0][0]], inputs[improper[0][1]], m)
    return Realisation(A, by_rates[0], C, own[0], tuple(names))


def _refusal(output: str, given: str, times: int) -> ModelError:
    what = f"'{output}' depends on the {'rate' if times == 1 else 'second rate'} of '{given}'"
    why = "no state space has such an output: it would have to tell the future of the input"
    fix = "prescribe the acceleration in place of position or speed, or read the position in place of its rates and forces"
    return ModelError(Problem(ANALYSIS, what, why, fix))
