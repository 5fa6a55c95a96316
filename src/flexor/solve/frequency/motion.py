"""Harmonic motion of the whole mechanism: what the coordinates do at each frequency, for stress and deformation of its bodies.

The coordinates of all motions are w = (q, what is prescribed); a few directions of w span them, w(ω) = Σ_k W_k c_k(ω). How a body
deforms along each direction is told by the mechanism itself: it is shifted by ± ε and ± 2ε along W_k, and its signals are written down as
in a run. Differences of fourth order of whatever is made of these signals are exact but for rounding.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from scipy import sparse

from flexor.bodies import DeformableBody
from flexor.engine.columns import choose_signals, take_rows
from flexor.engine.system import ROWS_PER_CHUNK, System
from flexor.errors import ModelError, Problem
from flexor.model import Model
from flexor.solve.change_point import refuse_modes_at_change_point
from flexor.solve.frequency.analysis import linear_system
from flexor.solve.frequency.direct import direct_response
from flexor.solve.frequency.inputs import Amplitude, Input, Place, input_places, probed, read_inputs, unit_of_input
from flexor.solve.frequency.linear_system import LinearSystem, factors
from flexor.solve.frequency.response import checked_frequencies
from flexor.solve.frequency.sweep import swept_response
from flexor.solve.linear_bodies import tell_limits
from flexor.solve.mode_doubts import warn_of_motion
from flexor.solve.modes import about_state
from flexor.solve.rotation import generator
from flexor.solve.state import StartState, save_state
from flexor.spatial import exp_so3
from flexor.threads import one_thread
from flexor.units import Quantity, Triple

ANALYSIS = "harmonic_motion"
SHIFT = 1e-3
"""Of the model's size, or radians, by which the mechanism is shifted along a direction."""
SHIFTS = (1.0, -1.0, 2.0, -2.0)
"""The rows of each direction, in units of ε."""
MANY = 1500
"""Coordinates up to which a sweep is tried, which tells all of them."""
POSITIONS = (0, 3, 4)
"""Columns of an input that shift positions: value, integral, and the position that an acceleration has led to."""


@dataclass(frozen=True)
class HarmonicMotion:
    """Motion under harmonic inputs: Σ_k coefficients[f, k, input] × how things change along direction k.

    frequencies: [Hz].   inputs, input_units, amplitudes: as of a frequency response.
    signals: of all flexible bodies, four rows per direction: shifted by ε, −ε, 2ε, −2ε.   shifts: ε of each direction.
    """

    frequencies: np.ndarray
    inputs: tuple[str, ...]
    input_units: tuple[str, ...]
    amplitudes: np.ndarray
    coefficients: np.ndarray = field(repr=False)
    signals: dict[str, np.ndarray] = field(repr=False)
    shifts: np.ndarray = field(repr=False)
    state: dict[str, Any] | None = field(default=None, repr=False, compare=False)
    """The position about which it is, for further analyses (`start`)."""

    def __len__(self) -> int:
        return len(self.frequencies)

    def slopes(self, rows: np.ndarray) -> np.ndarray:
        """(directions, …) derivatives along the directions of what has the values `rows` (4 directions, …) in the rows of `signals`."""
        by = rows.reshape(len(self.shifts), 4, -1)
        slope = (8 * (by[:, 0] - by[:, 1]) - (by[:, 2] - by[:, 3])) / (12 * self.shifts[:, None])
        return slope.reshape(len(self.shifts), *rows.shape[1:])


@one_thread
def harmonic_motion(
    model: Model,
    frequencies: Sequence[Quantity] | np.ndarray,
    inputs: str | Sequence[str] | Mapping[str, Amplitude],
    *,
    structural_damping: float | Mapping[str, float] = 0.0,
    at: Literal["equilibrium", "start"] = "equilibrium",
    start: StartState | None = None,
    angular_velocity: Triple | None = None,
    about: Triple = (0.0, 0.0, 0.0),
    python: bool = False,
) -> HarmonicMotion:
    """Small harmonic motion of all coordinates, from which stress and deformation of flexible bodies follow at every node.

    frequencies: of the excitation [Hz].
    inputs, structural_damping, at, start, angular_velocity: as of `frequency_response`.
    """
    hertz = checked_frequencies(ANALYSIS, frequencies)
    bodies = [item.name for item in model.items if isinstance(item, DeformableBody)]
    if not bodies:
        what, fix = "the model has no flexible body", "outputs of a rigid mechanism: frequency_response"
        raise ModelError(Problem(ANALYSIS, what, "its stress and deformation are asked for", fix))
    given = read_inputs(model, inputs)
    system, rotation = about_state(probed(model, given), at, start, angular_velocity, about, python)
    refuse_modes_at_change_point(system)
    if rotation is None:
        warn_of_motion(system)
    frame = None if rotation is None else generator(system, rotation.omega, system.coordinates)
    equations = linear_system(system, model, given, [], structural_damping, frame)
    if np.any(hertz == 0) and equations.integrates:
        what, why = "0 Hz is among the frequencies", "an input by its speed or acceleration has no bounded motion there"
        raise ModelError(Problem(ANALYSIS, what, why, "begin above it"))
    q = _coordinates(equations, 2 * np.pi * hertz)
    prescribed = np.zeros((len(hertz), 3 * len(given), len(given)), dtype=complex)
    for i in range(len(given)):
        prescribed[:, 3 * i : 3 * i + 3, i] = [factors(2 * np.pi * f)[list(POSITIONS)] for f in hertz]
    directions, coefficients = _directions(np.concatenate([q, prescribed], axis=1))
    signals, shifts = _shifted(system, model, given, bodies, directions)
    tell_limits(system)
    return HarmonicMotion(
        frequencies=hertz,
        inputs=tuple(each.name for each in given),
        input_units=tuple(unit_of_input(system, model, each) for each in given),
        amplitudes=np.array([each.amplitude for each in given]),
        coefficients=coefficients,
        signals=signals,
        shifts=shifts,
        state=save_state(system, factors=False),
    )


def _coordinates(equations: LinearSystem, omegas: np.ndarray) -> np.ndarray:
    """(frequencies, coordinates, inputs), by readings of all coordinates: few exact solutions may then do for many frequencies."""
    own = np.flatnonzero(equations.own)
    n, m = len(equations.own), len(own)
    reads = sparse.csr_array((-np.ones(m), (np.arange(m), own)), shape=(m, n))

    def wider(A: sparse.csr_array, by: sparse.csr_array | None = None) -> sparse.csr_array:
        corner = sparse.csr_array((m, m)) if by is None else sparse.eye_array(m)
        below = sparse.csr_array((m, n)) if by is None else by
        return sparse.csr_array(sparse.block_array([[A, None], [below, corner]], format="csr"))

    whole = replace(
        equations,
        K=wider(equations.K, reads), H=wider(equations.H), C=wider(equations.C), M=wider(equations.M),
        felt=np.concatenate([equations.felt, np.zeros((m, *equations.felt.shape[1:]))]),
        read=n + np.arange(m), own=np.r_[equations.own, np.zeros(m, dtype=bool)],
        reading=np.r_[equations.reading, np.ones(m, dtype=bool)], names=(*equations.names, *(equations.names[i] for i in own)),
    )  # fmt: skip
    swept = swept_response(whole, omegas) if m <= MANY else None
    return direct_response(replace(equations, read=own), omegas) if swept is None else swept[0]


def _directions(w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(directions, coordinates), and coefficients (frequencies, directions, inputs) of the motions w (frequencies, coordinates, inputs)."""
    F, n, inputs = w.shape
    if n <= 2 * F * inputs:
        used = np.flatnonzero(np.any(w, axis=(0, 2)))
        return np.eye(n)[used], w[:, used]
    rows = np.moveaxis(w, 2, 1).reshape(F * inputs, n)
    coefficients = np.zeros((F, 2 * F * inputs, inputs), dtype=complex)
    for f in range(F):
        for i in range(inputs):
            coefficients[f, 2 * (f * inputs + i) : 2 * (f * inputs + i) + 2, i] = 1.0, 1j
    directions = np.stack([rows.real, rows.imag], axis=1).reshape(-1, n)
    used = np.flatnonzero(np.any(directions, axis=1))
    return directions[used], coefficients[:, used]


def _shifted(
    system: System, model: Model, inputs: Sequence[Input], bodies: Sequence[str], directions: np.ndarray
) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Signals of bodies, four rows per direction, and by how much the mechanism was shifted along each."""
    columns = choose_signals(system, bodies, False)
    places = [kinds[k] for kinds in input_places(system, model, inputs) for k in POSITIONS]
    before, kept = system.copy("x", "R", "s", "p_parameters", "history"), int(system.run.still)
    system.run.still = 0
    rows: list[np.ndarray] = []
    shifts = np.empty(len(directions))
    try:
        for k, direction in enumerate(directions):
            shifts[k] = _width(system, before, direction, places)
            for factor in SHIFTS:
                _put(system, before, factor * shifts[k] * direction, places)
                system.call("write")
                if system.run.rows_used >= min(ROWS_PER_CHUNK, system.run.rows_max):
                    rows.append(take_rows(system)[0])
        rows.append(take_rows(system)[0])
    finally:
        system.put(before)
        system.run.still = kept
        system.call("follow")
    table = np.concatenate(rows)
    signals = {name: table[:, i] for i, (name, _) in enumerate(columns)}
    return {**signals, "time": np.arange(len(table), dtype=float)}, shifts


def _width(system: System, before: Mapping[str, np.ndarray], direction: np.ndarray, places: Sequence[Place]) -> float:
    """ε with which no node moves by more than SHIFT of the model's size, or radians."""
    size = float(np.abs(direction).max())
    small = 1e-6 / size
    moved = []
    for sign in (small, -small):
        _put(system, before, sign * direction, places)
        moved.append(np.r_[system.memory.x / system.run.length_scale, system.memory.R])
    most = float(np.abs(moved[0] - moved[1]).max()) / (2 * small)
    return SHIFT / max(most, 1e-3 * SHIFT * size)


def _put(system: System, before: Mapping[str, np.ndarray], shift: np.ndarray, places: Sequence[Place]) -> None:
    """The mechanism, shifted: coordinates, then what is prescribed."""
    system.put(before)
    own = system.coordinates
    shift_coordinates(system, own, shift[: len(own)])
    for value, (memory, place) in zip(shift[len(own) :], places, strict=True):
        memory[place] += value
    system.call("follow")


def shift_coordinates(system: System, own: np.ndarray, shift: np.ndarray) -> None:
    """Add to the coordinates with equations of their own; rotations turn the nodes further, in global axes."""
    all_of = np.zeros(system.equations.pattern.n)
    all_of[own] = shift
    nodes, rows = system.node_rows
    system.nodes("x")[nodes] += all_of[rows[:, :3]]
    R = system.memory.R.reshape(-1, 3, 3)
    R[nodes] = exp_so3(all_of[rows[:, 3:]]) @ R[nodes]
    system.memory.s[0::3] += all_of[system.memory.scalar_eq]
