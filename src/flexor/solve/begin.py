"""The begin of the first step: values that make accelerations and multipliers of second order from there on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from flexor.engine import slots
from flexor.engine.initial import along_constraints, move, solve_accelerations
from flexor.engine.system import System
from flexor.solve.integrator import Coefficients

UNSTEADY = 0.5
"""Change of the third derivative over a third of a step, relative to it, beyond which a step does not resolve it."""


def shift_start(system: System, c: Coefficients, h: float) -> np.ndarray | None:
    """Sets pseudo-accelerations, returns an offset of velocities (in equation order), for the begin of the first step.

    Pseudo-accelerations stand for shifted instants, A₀ = q̈ + Δ h q⃛ with Δ = α_m − α_f (Arnold & Brüls 2007).

    Newmark's formula misses the path by h³ e in a step, e = (1/6 − β − Δ/2) q⃛, for rotations plus ω̇ × ω / 12 (minus it
    in own axes). Along the gradient B of the constraints there is no way to miss it, so velocities settle h² e off there.
    A start without that offset, B δv = h² B e, makes the multipliers oscillate with an amplitude of order h (Arnold,
    Brüls & Cardona 2015).

    Where the step is too long for some vibration of the model (a stiff flexible body), q⃛ is that of this vibration, and h q⃛
    exceeds the accelerations by far: then there is neither shift nor offset.
    """
    jerk, scalar_jerk = third_derivative(system, 0.01 * h)
    if not _resolved(system, (jerk, scalar_jerk), third_derivative(system, 0.3 * h)):
        return None
    shift = c.alpha_m - c.alpha_f
    acc, vel = system.nodes(slots.ACC), system.nodes(slots.VEL)
    own = system[slots.OWN_AXES]
    jerk[own, 3:] += np.cross(acc[own, 3:], vel[own, 3:])  # seen from axes that turn along
    system[slots.PSEUDO][:] = (acc + shift * h * jerk).reshape(-1)
    system[slots.S_PSEUDO][:] = system[slots.S][2::3] + shift * h * scalar_jerk
    if not system.ints[slots.N_MULTIPLIERS]:
        return None
    missed = (1.0 / 6.0 - c.beta - 0.5 * shift) * jerk
    side = np.full((len(acc), 1), 1.0 / 12.0)
    side[own] = -1.0 / 12.0
    missed[:, 3:] += side * np.cross(acc[:, 3:], vel[:, 3:])
    offset = np.zeros(system.equations.pattern.n)
    nodes, rows = system.node_rows
    offset[rows] = h**2 * missed[nodes]
    offset[system[slots.SCALAR_EQ]] = h**2 * (1.0 / 6.0 - c.beta - 0.5 * shift) * scalar_jerk
    return along_constraints(system, offset)


def _resolved(system: System, now: tuple[np.ndarray, np.ndarray], later: tuple[np.ndarray, np.ndarray]) -> bool:
    """Whether the third derivative stays what it is over a part of the step."""
    length = float(system.floats[slots.LENGTH_SCALE])
    size = np.repeat([1 / length, 1.0], 3)
    a, b = (np.concatenate([(nodes * size).ravel(), scalars]) for nodes, scalars in (now, later))
    return bool(np.all(np.isfinite(a) & np.isfinite(b)) and np.abs(b - a).max() <= UNSTEADY * np.abs(a).max())


def third_derivative(system: System, eps: float) -> tuple[np.ndarray, np.ndarray]:
    """q⃛ of nodes and scalars: how the accelerations differ a little later, at ε. Earlier times may not exist."""
    acc, second = system[slots.ACC].copy(), system[slots.S][2::3].copy()
    with a_little_later(system, eps):
        return (system[slots.ACC] - acc).reshape(-1, 6) / eps, (system[slots.S][2::3] - second) / eps


@contextmanager
def a_little_later(system: System, eps: float) -> Iterator[None]:
    """The system on its motion at a time ε later, with the accelerations it has there; afterwards it is as before."""
    moved = (
        slots.X, slots.ROT, slots.VEL, slots.ACC, slots.PROPER, slots.PSEUDO, slots.S, slots.S_PSEUDO, slots.LAM,
    )  # fmt: skip
    keep = {slot: system[slot].copy() for slot in moved}
    time = system.floats[slots.TIME]
    advance(system, eps)
    system.floats[slots.TIME] = time + eps
    try:
        solve_accelerations(system)
        yield
    finally:
        for slot, values in keep.items():
            system[slot][:] = values
        system.floats[slots.TIME] = time
        if system.mechanism.slaves:
            system.call(slots.K_SLAVES)


def advance(system: System, dt: float) -> None:
    """Move along the motion: q + v dt + ½ a dt², v + a dt."""
    v, a = system.nodes(slots.VEL), system.nodes(slots.ACC)
    delta = np.zeros(system.equations.pattern.n)
    nodes, rows = system.node_rows
    delta[rows] = v[nodes] * dt + 0.5 * a[nodes] * dt**2
    s = system[slots.S].reshape(-1, 3)
    if len(s):
        delta[system[slots.SCALAR_EQ]] = s[:, 1] * dt + 0.5 * s[:, 2] * dt**2
    v += a * dt
    s[:, 1] += s[:, 2] * dt
    move(system, delta)
