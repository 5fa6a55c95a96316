"""Kinematic analysis: motion of a fully driven mechanism, with the driving and reaction forces it needs."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from flexor.engine import slots
from flexor.engine.initial import assemble_positions, project_velocities, solve_accelerations
from flexor.engine.recording import choose_signals, take_rows
from flexor.engine.system import System
from flexor.errors import ModelError, Problem
from flexor.solve.begin import advance
from flexor.solve.dynamics import Sink
from flexor.solve.prepare import compile_model
from flexor.solve.settings import MOST_STEPS
from flexor.units import si


def kinematics(
    model: Any,
    until: Any,
    step: Any,
    *,
    sink: Sink,
    progress: Callable[[float, int, int, float], None] | None = None,
    record: tuple[str, ...] | None = None,
    python: bool = False,
) -> System:
    """Positions, velocities, accelerations and forces over time where motors prescribe every motion.

    No integration error: each instant is solved on its own. Forces follow from the accelerations (inverse dynamics).
    """
    end, h = si(until, "time"), si(step, "time")
    times = _times(end, h)
    system = compile_model(model, python=python)
    freedoms = degrees_of_freedom(system)
    if freedoms > 0:
        raise ModelError(
            Problem(
                "kinematics",
                f"{freedoms} degree{'s' if freedoms > 1 else ''} of freedom left",
                "a kinematic analysis needs every motion prescribed",
                "add motors, or use dynamics",
            )
        )
    sink.open(choose_signals(system, record, True), {"analysis": "kinematics", "step": h, "until": end})
    last = len(times) - 1
    status, message = "finished", ""
    try:
        for i, t in enumerate(times):
            passed = t - float(system.floats[slots.TIME])
            if i > 0:
                advance(system, passed)
            system.floats[slots.TIME] = system.floats[slots.TIME0] = t
            assemble_positions(system)
            project_velocities(system)
            solve_accelerations(system)
            system.call(slots.K_COMMIT)
            system.floats[slots.STEP_SIZE] = passed if i > 0 else 0.0
            system.call(slots.K_ENERGIES)
            system.call(slots.K_RECORD)
            if system.ints[slots.ROWS_USED] >= system.ints[slots.ROWS_MAX] or i == last or i % 50 == 0:
                sink.rows(take_rows(system)[0])
                if progress is not None:
                    progress(t, i, i, i / last)
    except KeyboardInterrupt:
        status, message = "interrupted", "stopped by the user"
    sink.close(status, message)
    return system


def _times(end: float, step: float) -> list[float]:
    """Multiples of the step, and the end."""
    problems = []
    for name, value in (("until", end), ("step", step)):
        if not (math.isfinite(value) and value > 0):
            problems.append(Problem("kinematics", f"{name} = {value:g} s", "", "give a positive time"))
    if not problems and (step > (1 + 1e-9) * end or end > MOST_STEPS * step):
        why = f"until {end:g} s that is {end / step:.1g} of them"
        problems.append(Problem("kinematics", f"step = {step:g} s", why, "give a step that fits into the time"))
    if problems:
        raise ModelError(problems)
    count = math.floor(end / step * (1 + 1e-9))
    times = [step * i for i in range(count + 1)]
    if end - times[-1] > 1e-6 * step:
        return [*times, end]
    return [*times[:-1], end]


def degrees_of_freedom(system: System) -> int:
    """Coordinates minus independent constraints."""
    kinds = system[slots.NORM_KIND]
    return int(np.count_nonzero(kinds < 3) - np.count_nonzero(kinds == 3) + len(system.dropped))
