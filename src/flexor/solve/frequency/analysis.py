"""Frequency response of a model about a state.   FTG 7.9"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
from scipy import sparse

from flexor.arguments import one_of, quantity_of
from flexor.control import Sensor
from flexor.control.slow_motions import tell_fast_motions
from flexor.engine.system import System
from flexor.errors import ModelError, Problem
from flexor.mistakes import suggestion
from flexor.model import Model
from flexor.reduce.damping import ModalDamping
from flexor.solve.change_point import refuse_modes_at_change_point
from flexor.solve.frequency.choice import METHODS, Method, Wish, chosen_response
from flexor.solve.frequency.inputs import Amplitude, Input, felt_inputs, probed, read_inputs, unit_of_input
from flexor.solve.frequency.linear_model import LinearModel
from flexor.solve.frequency.linear_system import LinearSystem
from flexor.solve.frequency.outputs import with_outputs
from flexor.solve.frequency.realisation import realised
from flexor.solve.frequency.response import FrequencyResponse, checked_frequencies
from flexor.solve.linear_bodies import tell_limits
from flexor.solve.linearise import reading_rows, small_motions, stiffness_of, vectors_of
from flexor.solve.mode_doubts import warn_of_motion
from flexor.solve.modes import about_state
from flexor.solve.rotation import generator
from flexor.solve.state import StartState, save_state
from flexor.threads import one_thread
from flexor.units import Quantity, Triple

ANALYSIS = "frequency_response"


@one_thread
def frequency_response(
    model: Model,
    frequencies: Sequence[Quantity] | np.ndarray,
    inputs: str | Sequence[str] | Mapping[str, Amplitude],
    outputs: str | Sensor | Sequence[str | Sensor] | None = None,
    *,
    method: Method = "auto",
    structural_damping: float | Mapping[str, float] = 0.0,
    modal_damping: float | Sequence[float] | ModalDamping | None = None,
    modes: int | None = None,
    at: Literal["equilibrium", "start"] = "equilibrium",
    start: StartState | None = None,
    angular_velocity: Triple | None = None,
    about: Triple = (0.0, 0.0, 0.0),
    python: bool = False,
) -> FrequencyResponse:
    """Complex response of outputs to harmonic inputs, by the small motions about an equilibrium, a start or a saved state.

    frequencies: of the excitation [Hz].
    inputs: what vibrates: any field of an item that holds a function of time, as "push.force", "shaker.z" (base motion),
        "motor.speed"; several at once, also with amplitudes {"push.force": "20 N", "pull.force": (5, "90 deg"), "m.speed": 1+2j}.
    outputs: sensors of the model, by name, sensors besides, or signals that a sensor may read ("tip.acceleration_z", "pin.force_x");
        all sensors of the model if left out.
    method: "direct" solves the equations at each frequency; "sweep" at some of them and finds the others in the space that these span;
        "modal" takes real modes with static correction; "auto" chooses. What was done, and why, is in `response.method`.
    structural_damping: loss factor η of hysteretic damping, K (1 + iη): one for the stiffness of everything but constraints, or
        {"rod": 0.02, …} by items.
    modal_damping: damping ratio ζ of every mode, or of each from the lowest on (the last counts for all further ones), in place of the
        damping that the model has; by modes.   modes: how many; if left out all up to twice the highest frequency.
    at: "equilibrium", which is sought, or "start": the position at t = 0.   start: the result of another analysis, about whose state it is.
    angular_velocity: the mechanism and its ground turn steadily (see `statics`); excitation and response are those in axes that turn
        along.
    """
    one_of(ANALYSIS, "at", at, ("equilibrium", "start"))
    one_of(ANALYSIS, "method", method, METHODS)
    wish = Wish.of(method, modes, modal_damping)
    hertz = checked_frequencies(ANALYSIS, frequencies)
    tell_fast_motions(model.items, 2j * np.pi * hertz, "frequencies")
    sensed, read = with_outputs(model, outputs)
    given = read_inputs(sensed, inputs)
    system, equations = linearised(
        sensed, given, list(read.values()), structural_damping, (at, start, angular_velocity, about, python)
    )
    if np.any(hertz == 0) and equations.integrates:
        what, why = (
            "0 Hz is among the frequencies",
            "an input by its speed or acceleration has no bounded response there",
        )
        raise ModelError(Problem(ANALYSIS, what, why, "begin above it"))
    values, how = chosen_response(equations, 2 * np.pi * hertz, wish)
    tell_limits(system)
    return FrequencyResponse(
        frequencies=hertz,
        values=values,
        outputs=tuple(read),
        inputs=tuple(each.name for each in given),
        output_units=units_of(system, read),
        input_units=tuple(unit_of_input(system, sensed, each) for each in given),
        amplitudes=np.array([each.amplitude for each in given]),
        method=how,
        state=save_state(system, factors=False),
    )


@one_thread
def state_space(
    model: Model,
    inputs: str | Sequence[str],
    outputs: str | Sensor | Sequence[str | Sensor] | None = None,
    *,
    at: Literal["equilibrium", "start"] = "equilibrium",
    start: StartState | None = None,
    angular_velocity: Triple | None = None,
    about: Triple = (0.0, 0.0, 0.0),
    python: bool = False,
) -> LinearModel:
    """ẋ = A x + B u, y = C x + D u of the small motions about an equilibrium, a start or a saved state, in as few states as there are.

    inputs: fields of items that hold functions of time: "push.force", "motor.acceleration"; u is added to them.
    outputs: sensors of the model, by name, sensors besides, or signals that a sensor may read; all sensors of the model if left out.
    at: "equilibrium", which is sought, or "start": the position at t = 0.   start: the result of another analysis, about whose state it is.
    angular_velocity: the mechanism and its ground turn steadily (see `statics`); inputs and outputs are those in axes that turn along.
    """
    one_of("state_space", "at", at, ("equilibrium", "start"))
    sensed, read = with_outputs(model, outputs, "state_space")
    given = read_inputs(sensed, inputs, "state_space")
    system, equations = linearised(
        sensed, given, list(read.values()), 0.0, (at, start, angular_velocity, about, python)
    )
    names = tuple(each.name for each in given)
    found = realised(equations, names, tuple(read))
    tell_limits(system)
    return LinearModel(
        A=found.A,
        B=found.B,
        C=found.C,
        D=found.D,
        states=found.states,
        inputs=names,
        outputs=tuple(read),
        input_units=tuple(unit_of_input(system, sensed, each) for each in given),
        output_units=units_of(system, read),
        state=save_state(system, factors=False),
    )


def linearised(
    model: Model,
    inputs: Sequence[Input],
    sensors: Sequence[str],
    structural_damping: float | Mapping[str, float],
    about: tuple[str, StartState | None, Triple | None, Triple, bool],
) -> tuple[System, LinearSystem]:
    """The system in the state that is asked for (see `about_state`), and its small motions."""
    system, rotation = about_state(probed(model, inputs), *about)
    refuse_modes_at_change_point(system)
    if rotation is None:
        warn_of_motion(system)
    frame = None if rotation is None else generator(system, rotation.omega, system.coordinates)
    return system, linear_system(system, model, inputs, sensors, structural_damping, frame)


def units_of(system: System, read: Mapping[str, str]) -> tuple[str, ...]:
    """Of outputs, by their sensors."""
    units = {term.name: term.outputs[0].unit for term in system.mechanism.terms if term.readings and term.outputs}
    return tuple(units[name] for name in read.values())


def linear_system(
    system: System,
    model: Model,
    inputs: Sequence[Input],
    sensors: Sequence[str],
    structural_damping: float | Mapping[str, float],
    frame: sparse.csr_array | None = None,
) -> LinearSystem:
    """The linear equations about the system's present state; model: without probes, the system with them."""
    small = small_motions(system, frame)
    row = {int(equation): i for i, equation in enumerate(small.equations)}
    number = {term.name: i for i, term in enumerate(system.mechanism.terms) if term.readings}
    read = np.array([row[int(system.terms["lam_eq"][number[name]])] for name in sensors], dtype=np.int64)
    H = _hysteretic(system, model, structural_damping)[small.equations][:, small.equations]
    felt = felt_inputs(system, model, inputs)[small.equations]
    reading = np.isin(small.equations, reading_rows(system))
    names = tuple(system.equations.name(int(equation)) for equation in small.equations)
    vectors = vectors_of(system)[small.equations]
    return LinearSystem(small.K, sparse.csr_array(H), small.C, small.M, felt, read, small.own, reading, names, vectors)


def _hysteretic(system: System, model: Model, given: float | Mapping[str, float]) -> sparse.csr_array:
    """η K of what has structural damping; constraints have none."""
    n, terms = system.equations.pattern.n, system.mechanism.terms
    found = sparse.csr_array((n, n))
    by_item = given if isinstance(given, Mapping) else {"": given}
    for name, loss in by_item.items():
        factor = quantity_of(
            ANALYSIS, f"structural_damping of '{name}'" if name else "structural_damping", loss, "dimensionless"
        )
        if factor < 0:
            raise ModelError(Problem(ANALYSIS, f"structural_damping = {factor:g}", "it is negative", "check its sign"))
        if name and name not in model:
            fix = suggestion(name, [item.name for item in model.items], "items are")
            raise ModelError(Problem(ANALYSIS, f"structural_damping: there is no item '{name}'", "", fix))
        mine = [
            i for i, term in enumerate(terms)
            if not term.rows and (not name or term.name == name or term.name.startswith(f"{name}."))
        ]  # fmt: skip
        if name and not mine:
            why = "it is a constraint, or eliminated, and has no stiffness of its own"
            raise ModelError(Problem(ANALYSIS, f"structural_damping of '{name}'", why, "give it to bodies or springs"))
        if factor:
            found = found + factor * stiffness_of(system, np.array(mine))
    return sparse.csr_array(found)
