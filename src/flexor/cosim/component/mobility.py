"""The inertia that a Flexor model has at its interfaces: accelerations for unit forces at the start, with all joints in force."""

from __future__ import annotations

import math

import numpy as np

from flexor.bodies.marker import MarkerRef
from flexor.cosim.component.flexor_model import LAW
from flexor.cosim.component.line_law import KEPT, Arriving, Told, line_end
from flexor.cosim.preflight import Inertia
from flexor.engine.initial import solve_accelerations
from flexor.engine.system import System
from flexor.forces import UserLaw
from flexor.model import Model
from flexor.solve.prepare import compile_model
from flexor.spatial import cross

HELD = 1e-12
"""Share of the largest mobility, or of 1/kg, below which a direction counts as held."""


def at_start(model: Model, marker: str) -> tuple[Inertia, list[float]]:
    """Smallest mass and moment of inertia of a marker, in any direction; and its sample at the start, without a wave (`tlm.wire`)."""
    A, sample = _at_start(model, marker)
    return Inertia(_smallest(A[:3, :3]), _smallest(A[3:, 3:])), sample


def mobility(model: Model, marker: str) -> np.ndarray:
    """Acceleration of a marker for unit forces and torques there, 6×6 [1/kg, 1/(kg m), 1/(kg m²)], global axes, at the start."""
    return _at_start(model, marker)[0]


def _at_start(model: Model, marker: str) -> tuple[np.ndarray, list[float]]:
    packed = {
        "which": 0,
        "count": 1,
        "impedance": 0.0,
        "rotary": 0.0,
        "times": [0.0] * KEPT,
        "waves": [0.0] * (6 * KEPT),
    }
    name = LAW + "probe"
    probe = UserLaw(
        name, line_end, on=(MarkerRef.model_validate(marker),), parameters=packed, history=(0.0,) * Told.WORDS
    )
    system = compile_model(model.with_item(probe))
    i = [term.name for term in system.mechanism.terms].index(name)
    law = Arriving(system.memory.p_parameters[int(system.terms["p"][i]) :])
    node = system.mechanism.terms[i].nodes[0]
    R = system.memory.R.reshape(-1, 3, 3)[node]
    s, axes = R @ law.a.p, R @ law.a.R.reshape(3, 3)
    free = _acceleration(system, node, s)
    columns = []
    for k in range(6):
        wave = np.zeros(6)
        wave[k] = 1.0
        wave[3:] = axes.T @ wave[3:]
        law.waves[:6] = wave
        columns.append(_acceleration(system, node, s) - free)
    v = system.nodes("v")[node]
    x = system.memory.x.reshape(-1, 3)[node] + s
    sample = [0.0, *x, *axes.ravel(), *(v[:3] + cross(v[3:], s)), *v[3:], *[0.0] * 6]
    return np.column_stack(columns), sample


def _acceleration(system: System, node: int, s: np.ndarray) -> np.ndarray:
    solve_accelerations(system)
    a = system.nodes("a")[node]
    return np.concatenate([a[:3] + cross(a[3:], s), a[3:]])


def _smallest(A: np.ndarray) -> float:
    """1 over the largest mobility; infinite where the marker is held in all directions."""
    largest = float(np.linalg.eigvalsh(0.5 * (A + A.T)).max())
    return math.inf if largest < HELD else 1.0 / largest
