"""Whether a static equilibrium is stable: the sign of the stiffness in all directions that the constraints allow."""

from __future__ import annotations

import numpy as np
from scipy import linalg

from flexor.engine.initial import masses_of, set_proper
from flexor.engine.system import System
from flexor.law import MATRIX, RESIDUAL
from flexor.solve.all_modes import all_complex
from flexor.solve.linearise import _null_space, felt_readings, linearise, motors_by_sensors, reading_rows, state_rows
from flexor.solve.pencil import pencil
from flexor.solve.rotation import SteadyRotation
from flexor.solve.static_step import EPS
from flexor.warning import warn

LARGEST = 600
"""Coordinates up to which stability is looked at: a dense factorisation, beyond it would take longer than the solution."""
PENALTY, INDIFFERENT = 10.0, 1e-11
"""Stiffness added against the constraints and in all directions, relative to the largest of each coordinate."""
GROWS = 1e-7
"""Rate of growth, relative to the fastest eigenvalue, that is none of rounding."""
SURE = 1e3
"""A negative stiffness counts where it exceeds the rounding ε |v|ᵀ |K| |v| so many times."""
FREE = 1e-9
"""Stiffness, in parts of that of centrifugal forces, that is none: what is free in space has no critical speed."""
MIXED = 1e-8
"""Part of the most negative stiffness that rounding may mix into a direction that nothing resists."""


class UnstableEquilibrium(UserWarning):
    """The static equilibrium found is one that the mechanism leaves at the slightest disturbance."""


def warn_if_unstable(system: System, rotation: SteadyRotation | None = None) -> None:
    """Warn where the system rests in an unstable equilibrium, or turns steadily in one that gyroscopic forces alone may hold."""
    names = unstable_directions(system, rotation)
    if names and rotation is not None:
        warn(
            f"the equilibrium found lies beyond a critical speed: centrifugal forces exceed the stiffness where '{names[0]}' moves most. "
            "It is unstable unless gyroscopic forces hold it; modes at this angular velocity, complex=True, tell",
            UnstableEquilibrium,
        )
    elif names:
        ways = "one way" if len(names) == 1 else f"{len(names)} ways"
        warn(
            f"the equilibrium found is unstable in {ways}: '{names[0]}' moves most as it leaves it. Start from a position a "
            "little off it, or add a small load that pushes it off, to find the stable one; modes about it show the motion",
            UnstableEquilibrium,
        )


def unstable_directions(system: System, rotation: SteadyRotation | None = None) -> list[str]:
    """For each direction of negative stiffness, the coordinate that moves most; none where there are too many coordinates, or motors that follow sensors.

    If the symmetric part of K + ρ BᵀB has a Cholesky factor, K is positive in the null space of the constraints B (Finsler);
    that settles most cases. Else the eigenvalues of K in that space decide: a load that follows its body makes K
    unsymmetric, and only a real negative eigenvalue makes the mechanism move off.
    """
    own = system.coordinates
    if len(state_rows(system)):
        return unstable_loops(system) if rotation is None else []
    if not 0 < len(own) <= LARGEST or motors_by_sensors(system):
        return []
    K, B = _stiffness(system, own)
    held = K
    if rotation is not None:
        K = K + rotation.stiffness(system, own).toarray()
    symmetric = 0.5 * (K + K.T)
    if not np.any(K) or _surely_positive(symmetric, B):
        return []
    size = 1.0 / np.sqrt(masses_of(system))
    Z = _null_space(B * size)
    seen = Z.T @ (size[:, None] * K * size) @ Z
    if np.abs(seen - seen.T).max(initial=0.0) <= 1e-9 * np.abs(seen).max(initial=0.0):
        values, vectors = linalg.eigh(0.5 * (seen + seen.T), subset_by_value=(-np.inf, 0.0))
        left = vectors
    else:
        values, left, vectors = linalg.eig(seen, left=True)
    names: list[str] = []
    least = 0.0
    for i in np.argsort(values.real):
        if values[i].real >= 0.0 or abs(values[i].imag) > 1e-6 * abs(values[i].real):
            continue
        v, w = size * (Z @ vectors[:, i].real), size * (Z @ left[:, i].real)
        # the eigenvalue itself has the rounding of the largest; wᵀKv/wᵀv that of its own terms alone
        value = float(w @ K @ v) / float((w / size) @ (v / size))
        rounding = SURE * EPS * float(np.abs(w) @ np.abs(K) @ np.abs(v)) / abs(float((w / size) @ (v / size)))
        least = max(least, MIXED * abs(value))
        free = rotation is not None and abs(float(w @ held @ v)) < FREE * abs(
            float(w @ K @ v)
        )  # nothing holds it at any speed
        if value < -max(rounding, least) and not free:
            names.append(system.equations.name(int(own[np.argmax(np.abs(v / size))])))
    return names


def unstable_loops(system: System) -> list[str]:
    """Of a model with states of control blocks: for each closed-loop pole that grows, the unknown that moves most."""
    m = linearise(system)
    if len(m.names) > LARGEST or not np.any(m.K.data):
        return []
    values, shapes, _ = all_complex(pencil(m))
    growing = (values.real > GROWS * np.abs(values).max(initial=0.0)) & (values.imag >= 0)
    return [m.names[int(np.argmax(np.abs(shape)))] for shape in shapes[:, growing].T]


def _stiffness(system: System, own: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """K of the coordinates, feedback counted, and B of all constraints, of rolling ones the velocities that they allow."""
    set_proper(system)
    constraints = system.constraints
    rolling = np.isin(constraints, system.equations.nonholonomic())
    system.evaluate(RESIDUAL | MATRIX, 1.0, 0.0, 0.0)
    full = system.solver.to_csc().tocsr()
    matrix, rows = full[:, own], reading_rows(system)
    if len(rows):  # what they read of positions; loads of rest have no feedback of rates
        matrix = matrix - felt_readings(full, rows) @ matrix[rows]
    K, B = matrix[own].toarray(), matrix[constraints].toarray()
    if rolling.any():
        system.evaluate(RESIDUAL | MATRIX, 0.0, 1.0, 0.0)
        B[rolling] = system.solver.to_csc().tocsr()[constraints[rolling]][:, own].toarray()
    return K, B


def _surely_positive(K: np.ndarray, B: np.ndarray) -> bool:
    """Whether K + ρ BᵀB is positive definite, and with it K in the null space of B."""
    d = 1.0 / np.sqrt(np.maximum(np.abs(K).max(axis=0), 1e-12 * np.abs(K).max()))
    scaled = d[:, None] * K * d
    if len(B):
        rows = B * d
        rows /= np.maximum(np.linalg.norm(rows, axis=1), 1e-300)[:, None]
        scaled += PENALTY * rows.T @ rows
    scaled.flat[:: len(d) + 1] += INDIFFERENT
    return int(linalg.lapack.dpotrf(scaled, lower=1, overwrite_a=1)[1]) == 0
