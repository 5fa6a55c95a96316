"""Harmonic balance of a model: periodic motions under harmonic inputs, nonlinear forces and all, over frequency."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from flexor.arguments import one_of, quantity_of, whole
from flexor.control import Sensor
from flexor.control.segments import segments
from flexor.engine.system import System
from flexor.errors import ModelError, Problem
from flexor.functions import Constant, Function, Sum
from flexor.functions.any_function import time_fields
from flexor.model import Model
from flexor.solve.frequency.inputs import Amplitude, Input, felt_inputs, input_places, probed, read_inputs
from flexor.solve.frequency.outputs import with_outputs
from flexor.solve.linear_bodies import tell_limits
from flexor.solve.modes import about_state
from flexor.solve.periodic.continuation import FollowedCurve, follow
from flexor.solve.periodic.curve import PeriodicMotions
from flexor.solve.periodic.cycle import Cycle
from flexor.solve.periodic.fourier import Fourier
from flexor.solve.periodic.newton import CurvePoint
from flexor.solve.periodic.stability import Stability
from flexor.solve.state import StartState, save_state
from flexor.threads import one_thread
from flexor.units import Quantity
from flexor.warning import warn

ANALYSIS = "harmonic_balance"
CARRIED = 0.01
"""Share of an output in the highest harmonic above which a warning tells that they are too few."""
PAST = {"yields": "it yields", "fails": "it may fail", "hysteresis": "it has hysteresis"}


class TooFewHarmonics(UserWarning):
    """The highest harmonic of a periodic motion is not small."""


class IncompleteCurve(UserWarning):
    """The curve of periodic motions ends before the last frequency."""


class FrozenFunction(UserWarning):
    """A function of time that is no input is taken as it is at the start."""


@one_thread
def harmonic_balance(
    model: Model,
    between: tuple[Quantity, Quantity],
    inputs: str | Sequence[str] | Mapping[str, Amplitude],
    outputs: str | Sensor | Sequence[str | Sensor] | None = None,
    *,
    harmonics: int = 7,
    samples: int | None = None,
    step: float = 0.02,
    max_points: int = 1000,
    stability: bool = True,
    at: Literal["equilibrium", "start"] = "equilibrium",
    start: StartState | None = None,
    python: bool = False,
) -> PeriodicMotions:
    """Periodic motions of the whole nonlinear model under harmonic inputs, followed from one frequency to another around folds.

    between: first and last frequency of the excitation [Hz]; the curve begins at the first, which may be the higher one.
    inputs, outputs: as of `frequency_response`; amplitudes matter here, {"push.force": "20 N"}.
    harmonics: of the excitation that motions consist of, beside their mean.
    samples: per cycle, at which forces are computed; 8 per harmonic and at least 64 if left out. More where forces are not smooth.
    step: longest step along the curve, in parts of the range of frequencies.   max_points: of the curve, at most.
    stability: whether Floquet exponents tell which motions are stable (up to 600 unknowns).
    at: motions are measured from the "equilibrium", which is sought, or from the "start": where a clearance leaves it open.
    start: the result of another analysis, from whose position they are measured.
    """
    one_of(ANALYSIS, "at", at, ("equilibrium", "start"))
    begin, end = _between(between)
    fourier = _fourier(harmonics, samples)
    sensed, read = with_outputs(model, outputs)
    given = read_inputs(sensed, inputs)
    system, _ = about_state(probed(sensed, given), at, start, None, (0.0, 0.0, 0.0), python)
    _refuse_memory(system, model)
    _warn_of_functions(model, given)
    amplitudes = np.array([each.amplitude for each in given])
    rates_felt = bool(np.any(felt_inputs(system, sensed, given)[:, :, 1:]))
    cycle = Cycle(system, input_places(system, sensed, given), amplitudes, fourier, rates_felt)
    largest = quantity_of(ANALYSIS, "step", step, "dimensionless", 0.0)

    judge = Stability(cycle) if stability else _untold
    most = whole(ANALYSIS, "max_points", max_points)
    try:
        curve = follow(cycle, 2 * np.pi * begin, 2 * np.pi * end, largest, most, judge)
    finally:
        system.put(cycle.rest)
        system.call("follow")
    tell_limits(system)
    found = _told(system, cycle, curve, given, read)
    if isinstance(judge, Stability):
        judge.tell()
    _warn(found, end, max_points)
    return found


def _untold(point: CurvePoint) -> float:
    """Stability that is not asked for."""
    return float("nan")


def _told(
    system: System, cycle: Cycle, curve: FollowedCurve, inputs: Sequence[Input], read: Mapping[str, str]
) -> PeriodicMotions:
    f, row = cycle.fourier, {int(equation): i for i, equation in enumerate(cycle.active)}
    number = {term.name: i for i, term in enumerate(system.mechanism.terms) if term.readings}
    units = {term.name: term.outputs[0].unit for term in system.mechanism.terms if term.readings and term.outputs}
    columns = np.array([row[int(system.terms["lam_eq"][number[name]])] for name in read.values()], dtype=np.int64)
    rest = np.array([cycle.rest["lam"][system.terms["lam"][number[name]]] for name in read.values()])
    phasors = np.array([f.phasors(point.X[:, columns]).T for point in curve.points])
    phasors[:, :, 0] += rest
    omegas = np.array([point.omega for point in curve.points])
    return PeriodicMotions(
        frequencies=omegas / (2 * np.pi),
        phasors=phasors,
        outputs=tuple(read),
        output_units=tuple(units[name] for name in read.values()),
        inputs=tuple(each.name for each in inputs),
        amplitudes=cycle.amplitudes,
        stable=np.array(curve.judged),
        folds=omegas[list(curve.folds)] / (2 * np.pi),
        samples=f.samples,
        complete=curve.complete,
        state=save_state(system, factors=False),
    )


def _between(given: Any) -> tuple[float, float]:
    if isinstance(given, str) or np.size(given) != 2:
        fix = 'between=("2 Hz", "40 Hz"), the frequencies from which and to which the curve is followed'
        raise ModelError(Problem(ANALYSIS, f"between = {given!r:.60}", "it has two frequencies", fix))
    begin, end = (quantity_of(ANALYSIS, "between", each, "frequency") for each in given)
    if begin <= 0 or end <= 0 or begin == end:
        what = f"between = {begin:g} and {end:g} Hz"
        raise ModelError(Problem(ANALYSIS, what, "they have to be positive, and two", "e.g. 2 and 40 Hz"))
    return begin, end


def _fourier(harmonics: int, samples: int | None) -> Fourier:
    H = whole(ANALYSIS, "harmonics", harmonics)
    N = max(64, 8 * H) if samples is None else whole(ANALYSIS, "samples", samples)
    if H < 1 or N < 2 * H + 2:
        what = f"harmonics = {H}, samples = {N}"
        raise ModelError(
            Problem(ANALYSIS, what, "a cycle needs a harmonic, and more than two samples for each", "7 and 64")
        )
    return Fourier(H, N)


def _refuse_memory(system: System, model: Model) -> None:
    """Forces that depend on the past are not told by the state at an instant."""
    problems = []
    for item in model.items:
        for field, why in PAST.items():
            if getattr(item, field, None) is not None:
                problems.append(
                    Problem(item.called(item.name), why, "its force depends on the past", "leave it out here")
                )
    rubs = {item.name for item in model.items if item.noun == "friction"}
    for term in system.mechanism.terms:
        name = system.mechanism.owner(term.name)
        told = bool(term.rates) or term.law is segments  # by the state at an instant
        if term.law.transitions and not told and not any(f"'{name}'" in problem.where for problem in problems):
            why, fix = "it depends on the past", "take frequency_response for small motions, or dynamics"
            if name in rubs:
                why, fix = "friction that sticks depends on the past", 'take model="tanh" with a smooth_speed'
            problems.append(Problem(f"'{name}'", "harmonic balance cannot take it", why, fix))
    if problems:
        raise ModelError(problems)


def _warn_of_functions(model: Model, inputs: Sequence[Input]) -> None:
    names = {each.name for each in inputs}
    for item in model.items:
        for field in time_fields(type(item)):
            function = getattr(item, field)
            if isinstance(function, Function) and f"{item.name}.{field}" not in names and _varies(function):
                warn(
                    f"harmonic_balance: '{item.name}.{field}' is a function of time and no input; it is taken as it is at the "
                    "start. If it vibrates, give it a constant value and name it among the inputs",
                    FrozenFunction,
                )


def _varies(function: Function) -> bool:
    terms = function.terms if isinstance(function, Sum) else (function,)
    return not function.sensors and not all(isinstance(term, Constant) for term in terms)


def _warn(found: PeriodicMotions, end: float, max_points: int) -> None:
    if not found.complete:
        why = (
            f"max_points = {max_points} were taken"
            if len(found) >= max_points
            else "it turned back, or could not be followed"
        )
        warn(
            f"harmonic_balance: the curve ends at {found.frequencies[-1]:.6g} Hz, before {end:.6g} Hz: {why}. Take more harmonics or "
            "samples, a smaller step, or begin elsewhere",
            IncompleteCurve,
        )
    moving = np.abs(found.phasors[:, :, 1:])
    share = moving[:, :, -1] / np.maximum(moving.max(axis=2), 1e-300)
    share = np.where(moving.max(axis=2) > 1e-9 * moving.max(axis=(0, 2), initial=0.0), share, 0.0)
    if found.harmonics > 1 and share.size and share.max() > CARRIED:
        point, output = np.unravel_index(int(np.argmax(share)), share.shape)
        warn(
            f"harmonic_balance: at {found.frequencies[point]:.6g} Hz the highest of {found.harmonics} harmonics has "
            f"{100 * share.max():.2g} % of the amplitude of '{found.outputs[output]}'; take more of them",
            TooFewHarmonics,
        )
