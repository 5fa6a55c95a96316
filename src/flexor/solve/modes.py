"""Natural modes of the constrained mechanism about a state, undamped or complex."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy import linalg

from flexor.engine.initial import solve_accelerations
from flexor.engine.system import System
from flexor.solve.linearise import Linearisation, linearise
from flexor.solve.prepare import compile_model
from flexor.solve.statics import find_equilibrium


@dataclass(frozen=True)
class Modes:
    """Modes in ascending frequency.

    frequencies: undamped (or damped, for complex modes) natural frequencies [Hz]; negative for an unstable direction
        of an undamped analysis, whose motion grows as e^(2π|f| t).
    eigenvalues: λ [rad/s] with motion e^(λ t); ±iω for undamped modes.
    damping: damping ratios −Re λ/|λ|.
    shapes: one column per mode over `names`, scaled to a largest entry of one.
    """

    frequencies: np.ndarray
    eigenvalues: np.ndarray
    damping: np.ndarray
    shapes: np.ndarray
    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.frequencies)

    def __str__(self) -> str:
        lines = ["mode   frequency [Hz]   damping [%]   eigenvalue [1/s]   moves most"]
        for i, (f, z, e) in enumerate(zip(self.frequencies, self.damping, self.eigenvalues, strict=True)):
            name = self.names[int(np.argmax(np.abs(self.shapes[:, i])))]
            lines.append(f"{i + 1:4d} {f:16.6g} {100 * z:13.4g}   {e.real:.6g} {e.imag:+.6g}i   {name}")
        return "\n".join(lines)


def modes(
    model: Any,
    count: int = 10,
    *,
    at: Literal["equilibrium", "start"] = "equilibrium",
    complex: bool = False,
    state: Any = None,
    python: bool = False,
) -> Modes:
    """Natural modes about the static equilibrium, the start, or a saved state of a run.

    complex: with damping and gyroscopic terms, else from stiffness and mass alone.
    state: checkpoint of a run (`run.state`), overrides `at`.
    """
    if state is not None or at == "start":
        system = compile_model(model, symmetric=False, python=python)
        if state is not None:
            from flexor.solve.dynamics import load_state

            load_state(system, state)
        else:
            solve_accelerations(system)
    else:
        system = compile_model(model, symmetric=False, python=python)
        find_equilibrium(system)
    return modes_of(system, count, complex=complex)


def modes_of(system: System, count: int = 10, *, complex: bool = False) -> Modes:
    """Natural modes about the system's present state."""
    matrices = linearise(system)
    Z = matrices.basis if complex else matrices.velocity_basis
    if Z.shape[1] == 0:
        empty = np.zeros(0)
        return Modes(empty, empty.astype(np.complex128), empty, np.zeros((len(matrices.names), 0)), matrices.names)
    return _complex_modes(matrices, Z, count) if complex else _real_modes(matrices, Z, count)


def _real_modes(m: Linearisation, Z: np.ndarray, count: int) -> Modes:
    K, M = Z.T @ m.K @ Z, Z.T @ m.M @ Z
    K, M = 0.5 * (K + K.T), 0.5 * (M + M.T)
    mu, V = np.linalg.eigh(M)
    massive = mu > 1e-12 * mu[-1]
    # coordinates without inertia follow statically
    K_V = V.T @ K @ V
    a, b = np.flatnonzero(massive), np.flatnonzero(~massive)
    T = np.eye(len(mu))[:, a]
    if len(b):
        T[b] = -np.linalg.lstsq(K_V[np.ix_(b, b)], K_V[np.ix_(b, a)], rcond=None)[0]
    squares, vectors = linalg.eigh(T.T @ K_V @ T, np.diag(mu[a]))
    squares, vectors = squares[:count], vectors[:, :count]
    omega = np.sqrt(np.abs(squares))
    eigenvalues = np.where(squares >= 0, 1j * omega, omega)
    shapes = _scaled(Z @ V @ T @ vectors)
    return Modes(np.sign(squares) * omega / (2 * np.pi), eigenvalues, np.zeros(len(omega)), shapes, m.names)


def _complex_modes(m: Linearisation, Z: np.ndarray, count: int) -> Modes:
    """λ² M + λ C + K in first-order form, with multipliers of nonholonomic constraints; one of each conjugate pair is kept."""
    K, C, M = Z.T @ m.K @ Z, Z.T @ m.C @ Z, Z.T @ m.M @ Z
    A, A_q = m.A @ Z, m.A_q @ Z
    n, k = len(K), len(A)
    left = np.block(
        [
            [np.zeros((n, n)), np.eye(n), np.zeros((n, k))],
            [-K, -C, -A.T],
            [A_q, A, np.zeros((k, k))],
        ]
    )
    right = linalg.block_diag(np.eye(n), M, np.zeros((k, k)))
    values, vectors = linalg.eig(left, right)
    good = np.isfinite(values) & (np.abs(values) < 1e12) & (values.imag >= -1e-9 * np.abs(values))
    values, vectors = values[good], vectors[:n, good]
    order = np.lexsort((values.real, np.abs(values)))[:count]
    values, vectors = values[order], vectors[:, order]
    size = np.abs(values)
    damping = np.where(size > 0, -values.real / np.maximum(size, 1e-300), 0.0)
    return Modes(np.abs(values.imag) / (2 * np.pi), values, damping, _scaled(Z @ vectors), m.names)


def _scaled(shapes: np.ndarray) -> np.ndarray:
    """Largest entry of each column one."""
    if not shapes.size:
        return shapes
    largest = shapes[np.argmax(np.abs(shapes), axis=0), np.arange(shapes.shape[1])]
    return shapes / np.where(largest == 0, 1.0, largest)
