"""The begin of the first step: values that make accelerations and multipliers of second order from there on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from flexor.engine.initial import along_constraints, decide_regimes, guess_readings, solve_accelerations
from flexor.engine.memory import PSEUDO_FORM, WEIGHTED_FORM
from flexor.engine.redundancy import check_agreement
from flexor.engine.system import System
from flexor.errors import SolveError
from flexor.law import ACCELERATION_LEVEL
from flexor.solve.change_point import leave_change_point
from flexor.solve.integrator import AlphaCoefficients
from flexor.solve.resolution import Derivative, resolved_equations
from flexor.solve.settings import DynamicsSettings
from flexor.spatial import cross

SOON, LATER = 0.01, (0.3, 1.0)
"""Parts of the step over which the third derivative is taken, and over which its mean must be the same."""


def start(system: System, chosen: DynamicsSettings) -> None:
    """Consistent initial accelerations and multipliers, for a first step of the length NEXT_STEP."""
    c = chosen.integrator.coefficients
    offset: np.ndarray | None = None
    if chosen.start != "zero":
        left = find_way_on(system)
        if c.form == PSEUDO_FORM and not left:
            offset = shift_start(system, c, float(system.run.next_step))
    else:
        decide_regimes(system)
        system.zero("a", "pseudo", "lam", "s_pseudo")
        guess_readings(system)
        if system.mechanism.followers:
            system.call("follow")
    set_begin(system)
    if offset is not None:
        system.add_nodal("v0", offset)
        system.memory.s0[1::3] += offset[system.memory.scalar_eq]
    if c.form == WEIGHTED_FORM:
        system.call("weigh")


def find_way_on(system: System) -> bool:
    """Accelerations and multipliers of the start, and whether it is a change point.

    AssemblyError where constraints contradict each other, or nothing tells in which way the mechanism goes on, or it can in none.
    """
    solve_accelerations(system)
    decide_regimes(system)
    check_agreement(system, ACCELERATION_LEVEL)
    return leave_change_point(system, advance)


def set_begin(system: System) -> None:
    """The present state is the begin of the first step."""
    for name in ("x", "R", "v", "a", "pseudo", "s", "s_pseudo", "lam"):
        system.put({f"{name}0": getattr(system.memory, name)})
    for name in ("pseudo", "s_pseudo", "lam"):
        system.put({f"{name}_old": getattr(system.memory, name)})
    a, spin = np.abs(system.nodes("a")), np.sum(system.nodes("v")[:, 3:] ** 2, axis=1)
    system.run.norm_acceleration = max(a[:, :3].max() / system.run.length_scale, a[:, 3:].max(), spin.max())


def shift_start(system: System, c: AlphaCoefficients, h: float) -> np.ndarray | None:
    """Sets pseudo-accelerations, returns an offset of velocities (in equation order), for the begin of the first step.

    Pseudo-accelerations stand for shifted instants, A₀ = q̈ + Δ h q⃛ with Δ = α_m − α_f (Arnold & Brüls 2007).

    Newmark's formula misses the path by h³ e in a step, e = (1/6 − β − Δ/2) q⃛, for rotations plus ω̇ × ω / 12 (minus it
    in own axes). Along the gradient B of the constraints there is no way to miss it, so velocities settle h² e off there.
    A start without that offset, B δv = h² B e, makes the multipliers oscillate with an amplitude of order h (Arnold,
    Brüls & Cardona 2015).

    Where the step is too long for some vibration of the model (a stiff flexible body), q⃛ is that of this vibration, and h q⃛
    exceeds the accelerations by far: then there is neither shift nor offset, for all that is connected with it.
    """
    shift = c.alpha_m - c.alpha_f
    jerk, scalar_jerk = soon = third_derivative(system, SOON * h)
    try:
        later = [third_derivative(system, part * h, soon) for part in LATER]
    except SolveError:  # the path leaves what the model allows
        return None
    resolved = resolved_equations(system, soon, later, h, abs(shift))
    if not resolved.any():
        return None
    acc, vel = system.nodes("a"), system.nodes("v")
    nodes, rows = system.node_rows
    own, scalar_eq = system.memory.own_axes, system.memory.scalar_eq
    jerk[own, 3:] += cross(acc[own, 3:], vel[own, 3:])  # seen from axes that turn along
    missed = (1.0 / 6.0 - c.beta - 0.5 * shift) * jerk
    side = np.full((len(acc), 1), 1.0 / 12.0)
    side[own] = -1.0 / 12.0
    missed[:, 3:] += side * cross(acc[:, 3:], vel[:, 3:])
    pseudo = acc.copy()
    pseudo[nodes] += shift * h * np.where(resolved[rows], jerk[nodes], 0.0)
    system.memory.pseudo[:] = pseudo.reshape(-1)
    system.memory.s_pseudo[:] = system.memory.s[2::3] + shift * h * np.where(resolved[scalar_eq], scalar_jerk, 0.0)
    if not system.run.n_multipliers:
        return None
    offset = np.zeros(system.equations.pattern.n)
    offset[rows] = h**2 * missed[nodes]
    offset[scalar_eq] = h**2 * (1.0 / 6.0 - c.beta - 0.5 * shift) * scalar_jerk
    return along_constraints(system, np.where(resolved, offset, 0.0))


def third_derivative(system: System, eps: float, jerk: Derivative | None = None) -> Derivative:
    """q⃛ of nodes and scalars: how the accelerations differ a little later, at ε. Earlier times may not exist.

    jerk: q⃛ of the path to there; with it, a state nearby was solved before.
    """
    acc, second = system.memory.a.copy(), system.memory.s[2::3].copy()
    with a_little_later(system, eps, jerk):
        return (system.memory.a - acc).reshape(-1, 6) / eps, (system.memory.s[2::3] - second) / eps


@contextmanager
def a_little_later(system: System, eps: float, jerk: Derivative | None = None) -> Iterator[None]:
    """The system on its motion at a time ε later, with the accelerations it has there; afterwards it is as before."""
    keep = system.copy("x", "R", "v", "a", "proper", "pseudo", "s", "s_pseudo", "lam")
    time = system.run.time
    try:
        advance(system, eps, jerk)
        system.run.time = time + eps
        solve_accelerations(system, near=jerk is not None)
        yield
    finally:
        system.put(keep)
        system.run.time = time
        if system.mechanism.followers:
            system.call("follow")


def advance(system: System, dt: float, jerk: Derivative | None = None) -> None:
    """Move along the motion, see `flexor.engine.accelerations`; jerk: q⃛ of nodes and scalars, none if left out."""
    system.memory.jerk[:], system.memory.s_jerk[:] = (0.0, 0.0) if jerk is None else (jerk[0].reshape(-1), jerk[1])
    system.run.ahead, system.run.curved = dt, int(jerk is not None)
    system.call("advance")
