"""Natural modes of the constrained mechanism about a state, undamped or complex."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from scipy import linalg

from flexor.arguments import one_of, whole
from flexor.engine import slots
from flexor.engine.equations import DIRECTIONS
from flexor.engine.initial import solve_accelerations
from flexor.engine.system import System
from flexor.solve.begin import a_little_later
from flexor.solve.linearise import Linearisation, linearise
from flexor.solve.prepare import compile_model
from flexor.solve.rotation import SteadyRotation, generator, seen_from_frame, turntable, whirl
from flexor.solve.statics import find_equilibrium
from flexor.threads import one_thread


@dataclass(frozen=True)
class Modes:
    """Modes in ascending frequency.

    frequencies: undamped (or damped, for complex modes) natural frequencies [Hz]; negative for an unstable direction
        of an undamped analysis, whose motion grows as e^(2π|f| t).
    eigenvalues: λ [rad/s] with motion e^(λ t); ±iω for undamped modes.
    damping: damping ratios −Re λ/|λ|; zero where the analysis leaves damping out (not `complex`).
    shapes: one column per mode over `names`, scaled to a largest entry of one.
    whirl: of complex modes about a state that turns about one axis: 1 forward on circles, −1 backward, 0 in a plane;
        between them ellipses. None where there is no such axis.
    """

    frequencies: np.ndarray
    eigenvalues: np.ndarray
    damping: np.ndarray
    shapes: np.ndarray
    names: tuple[str, ...]
    whirl: np.ndarray | None = None
    complex: bool = False

    def __len__(self) -> int:
        return len(self.frequencies)

    def __str__(self) -> str:
        lines = [
            "mode   frequency [Hz]   " + ("damping [%]   eigenvalue [1/s]   " if self.complex else "") + "moves most"
        ]
        for i, (f, z, e) in enumerate(zip(self.frequencies, self.damping, self.eigenvalues, strict=True)):
            name = self.names[int(np.argmax(np.abs(self.shapes[:, i])))]
            sense = "" if self.whirl is None else f"   {whirl_name(self.whirl[i])}"
            decay = f" {100 * z:13.4g}   {e.real:.6g} {e.imag:+.6g}i" if self.complex else ""
            lines.append(f"{i + 1:4d} {f:16.6g}{decay}   {name}{sense}")
        return "\n".join(lines)


@one_thread
def modes(
    model: Any,
    count: int = 10,
    *,
    at: Literal["equilibrium", "start"] = "equilibrium",
    complex: bool | None = None,
    state: Any = None,
    angular_velocity: Any = None,
    about: Any = (0.0, 0.0, 0.0),
    python: bool = False,
) -> Modes:
    """Natural modes about the static equilibrium, the start, or a saved state of a run or an equilibrium.

    count: how many modes, from the lowest frequency.
    at: "equilibrium", which is sought, or "start": the position at t = 0.
    complex: with damping and gyroscopic terms, else from stiffness and mass alone; by default where something rotates.
    state: `run.state` or `position.state`, overrides `at`. In a state of motion the coefficients are frozen: right where they are
        constant, as for a vehicle that rolls or a round rotor that spins; else a warning says so.
    angular_velocity, about: the mechanism and its ground turn steadily (see `statics`): modes about the equilibrium
        that it has then, seen from the rotating frame.
    """
    count = whole("modes", "count", count)
    one_of("modes", "at", at, ("equilibrium", "start"))

    def settle(system: System) -> Any:
        turning = None if angular_velocity is None else turntable(system, angular_velocity, about)
        return find_equilibrium(system, rotation=turning)

    rests = state is None and (at == "equilibrium" or angular_velocity is not None)
    system = compile_model(model, symmetric=False, python=python, settle=settle if rests else None)
    rotation = None if angular_velocity is None else turntable(system, angular_velocity, about)
    if state is not None:
        from flexor.solve.dynamics import load_state

        load_state(system, state)
        if rotation is not None:
            rotation.impose(system)
        else:
            _warn_of_motion(system)
    elif at == "start" and rotation is None:
        solve_accelerations(system)
    else:
        find_equilibrium(system, rotation=rotation)
    if rotation is not None:
        complex = rotation.speed > 0 if complex is None else complex
    return _with_followers(system, modes_of(system, count, complex=bool(complex), rotation=rotation))


class MovingState(UserWarning):
    """Modes about a state whose coefficients change as it moves on."""


def _warn_of_motion(system: System) -> None:
    """Warn where mass, damping or stiffness change by more than 0.1 % while the mechanism turns by 0.05 rad."""
    v, length = system.nodes(slots.VEL)[system[slots.NODE_LIST]], float(system.floats[slots.LENGTH_SCALE])
    rate = max(np.abs(v[:, 3:]).max(initial=0.0), np.abs(v[:, :3]).max(initial=0.0) / length)
    rate = max(rate, float(np.abs(system[slots.S][1::3]).max(initial=0.0)) if system.mechanism.slaves else 0.0)
    if rate < 1e-6:
        return
    now = linearise(system)
    with a_little_later(system, 0.05 / rate):
        later = linearise(system)
    inertia = np.diag(now.M)
    size = 1 / np.sqrt(np.where(inertia > 0, inertia, 1.0))
    weight = np.outer(size, size)
    change = max(
        float(np.abs(weight * (b - a)).max() / max(np.abs(weight * a).max(), 1e-300))
        for a, b in ((now.M, later.M), (now.C, later.C), (now.K, later.K))
        if np.any(a) or np.any(b)
    )
    if change > 1e-3:
        warnings.warn(
            "the mechanism moves, and its mass, damping or stiffness changes as it does: these are modes of frozen "
            "coefficients. If it turns steadily as a whole, give angular_velocity=; for a rotor use campbell",
            MovingState,
            stacklevel=4,
        )


def _with_followers(system: System, found: Modes) -> Modes:
    """The shapes also at nodes that follow others: eliminated joints, points of floating bodies."""
    eq = system.equations
    rows = {int(equation): row for row, equation in enumerate(np.flatnonzero(system[slots.NORM_KIND] < 3))}
    records = system[slots.SLAVES].reshape(-1, slots.SLAVE_STRIDE)
    shapes, names = [found.shapes], list(found.names)
    for slave, record, columns in zip(system.mechanism.slaves, records, eq.slave_columns):
        name = system.mechanism.nodes[slave.node].name
        if name:
            first = int(record[slots.L_T])
            T = system[slots.SLAVE_T][first : first + 6 * len(columns)].reshape(-1, 6)
            known = [
                (j, rows[eq.equation(*column)]) for j, column in enumerate(columns) if eq.equation(*column) in rows
            ]
            own = [row for _, row in known]
            shapes.append(T[[j for j, _ in known]].T @ found.shapes[own] if own else np.zeros((6, len(found))))
            names += [f"{name}: {direction}" for direction in DIRECTIONS]
    return replace(found, shapes=_scaled(np.vstack(shapes)), names=tuple(names))


def modes_of(
    system: System, count: int = 10, *, complex: bool = False, rotation: SteadyRotation | None = None
) -> Modes:
    """Natural modes about the system's present state; with `rotation`, seen from the frame that turns along."""
    matrices = linearise(system)
    if rotation is not None:
        matrices = seen_from_frame(matrices, generator(system, rotation.omega, matrices.equations))
    Z = matrices.basis if complex else matrices.velocity_basis
    if Z.shape[1] == 0:
        empty = np.zeros(0)
        return Modes(empty, empty.astype(np.complex128), empty, np.zeros((len(matrices.names), 0)), matrices.names)
    if not complex:
        return _real_modes(matrices, Z, count)
    found = complex_modes(matrices, Z, count)
    axis = rotation.axis if rotation is not None and rotation.speed > 0 else _common_axis(system)
    if axis is None:
        return found
    return replace(found, whirl=whirl(found.shapes, matrices.M, generator(system, axis, matrices.equations)))


def whirl_name(value: float) -> str:
    """What a value of `Modes.whirl` means."""
    return "forward" if value > 0.01 else "backward" if value < -0.01 else "planar"


def _common_axis(system: System) -> np.ndarray | None:
    """The axis about which all turn that turn at all."""
    spins = system.nodes(slots.VEL)[system[slots.NODE_LIST], 3:]
    sizes = np.linalg.norm(spins, axis=1)
    if not len(sizes) or sizes.max() < 1e-9:
        return None
    axis = spins[np.argmax(sizes)] / sizes.max()
    off: np.ndarray = np.abs(spins - np.outer(spins @ axis, axis))
    return axis if off.max() < 1e-6 * sizes.max() and np.all(spins @ axis > -1e-6 * sizes.max()) else None


def _real_modes(m: Linearisation, Z: np.ndarray, count: int) -> Modes:
    K, M = Z.T @ m.K @ Z, Z.T @ m.M @ Z
    inertia = np.diag(M)
    size = 1 / np.sqrt(np.where(inertia > 0, inertia, 1.0))  # light coordinates count as much as heavy ones
    Z, K, M = Z * size, 0.5 * np.outer(size, size) * (K + K.T), 0.5 * np.outer(size, size) * (M + M.T)
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


def complex_modes(m: Linearisation, Z: np.ndarray, count: int) -> Modes:
    """λ² M + λ C + K in first-order form, with multipliers of nonholonomic constraints; one of each conjugate pair is kept."""
    K, C, M = Z.T @ m.K @ Z, Z.T @ m.C @ Z, Z.T @ m.M @ Z
    A, A_q = m.A @ Z, m.A_q @ Z
    n, k = len(K), len(A)
    root = None if k else _inverse_root(M)
    if root is not None:  # ξ = M^(−½) η: an ordinary eigenvalue problem, several times faster
        values, vectors = linalg.eig(
            np.block([[np.zeros((n, n)), np.eye(n)], [-root @ K @ root.T, -root @ C @ root.T]])
        )
        vectors = root.T @ vectors[:n]
    else:
        left = np.block(
            [
                [np.zeros((n, n)), np.eye(n), np.zeros((n, k))],
                [-K, -C, -A.T],
                [A_q, A, np.zeros((k, k))],
            ]
        )
        values, vectors = linalg.eig(left, linalg.block_diag(np.eye(n), M, np.zeros((k, k))))
    good = np.isfinite(values) & (np.abs(values) < 1e12) & (values.imag >= -1e-9 * np.abs(values))
    values, vectors = values[good], vectors[:n, good]
    order = np.lexsort((values.real, np.abs(values)))[:count]
    values, vectors = values[order], vectors[:, order]
    size = np.abs(values)
    damping = np.where(size > 0, -values.real / np.maximum(size, 1e-300), 0.0)
    return Modes(np.abs(values.imag) / (2 * np.pi), values, damping, _scaled(Z @ vectors), m.names, complex=True)


def _inverse_root(M: np.ndarray) -> np.ndarray | None:
    """L with L M Lᵀ = 1, or None where M is not symmetric or coordinates lack inertia."""
    if np.abs(M - M.T).max(initial=0.0) > 1e-12 * np.abs(M).max(initial=0.0) or np.any(np.diag(M) <= 0):
        return None
    d = 1.0 / np.sqrt(np.diag(M))
    mu, V = np.linalg.eigh(d[:, None] * 0.5 * (M + M.T) * d)
    return (V / np.sqrt(mu)).T * d if mu[0] > 1e-9 * mu[-1] else None


def _scaled(shapes: np.ndarray) -> np.ndarray:
    """Largest entry of each column one."""
    if not shapes.size:
        return shapes
    largest = shapes[np.argmax(np.abs(shapes), axis=0), np.arange(shapes.shape[1])]
    return shapes / np.where(largest == 0, 1.0, largest)
