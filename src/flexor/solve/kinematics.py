"""Kinematic analysis: motion of a fully driven mechanism, with the driving and reaction forces it needs."""

from __future__ import annotations

import math
from collections.abc import Callable

from flexor.engine.columns import choose_signals, take_rows
from flexor.engine.initial import decide_regimes, project_velocities, solve_accelerations
from flexor.engine.redundancy import check_agreement, degrees_of_freedom
from flexor.engine.system import System
from flexor.errors import AssemblyError, ModelError, Problem
from flexor.law import ACCELERATION_LEVEL, VELOCITY_LEVEL
from flexor.model import Model
from flexor.solve.begin import advance
from flexor.solve.change_point import leave_change_point
from flexor.solve.dynamics import Sink
from flexor.solve.prepare import compile_model
from flexor.solve.settings import MOST_STEPS
from flexor.solve.state import StartState, adopt, save_state, state_of
from flexor.solve.turns import by_halves, close, driven, led, set_turns
from flexor.threads import one_thread
from flexor.units import Quantity, si


@one_thread
def kinematics(
    model: Model,
    until: Quantity,
    step: Quantity,
    *,
    sink: Sink,
    progress: Callable[[float, int, int, float], None] | None = None,
    record: tuple[str, ...] | None = None,
    start: StartState | None = None,
    python: bool = False,
) -> System:
    """Positions, velocities, accelerations and forces over time where motors prescribe every motion.

    No integration error: each instant is solved on its own. Forces follow from the accelerations (inverse dynamics).

    until, step: end time and time between rows [s].   record: names of the objects to record; all if left out.
    start: the result of another analysis, at whose position and time it begins.
    """
    began = None if start is None else state_of(start)
    end, h = si(until, "time"), si(step, "time")
    times = _times(float(began["time"]) if began else 0.0, end, h)
    system = compile_model(model, python=python)
    if began is not None:
        adopt(system, began)
    left = _leave_change_point(system, end)
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
    record = (record,) if isinstance(record, str) else record
    sink.open(choose_signals(system, record, True), {"analysis": "kinematics", "step": h, "until": end})
    last = len(times) - 1
    status, message = "finished", ""
    try:
        for i, t in enumerate(times):
            passed = t - float(system.run.time)
            if i > 0 and not led(system, t):
                _followed(system, t)
            system.run.time = system.run.time0 = t
            if i > 0 or not left:
                close(system)
                project_velocities(system)
                check_agreement(system, VELOCITY_LEVEL)
                solve_accelerations(system)
                decide_regimes(system)  # what is at rest for an instant begins to slide
                check_agreement(system, ACCELERATION_LEVEL)
            system.call("commit")
            set_turns(system, driven(system, t))
            system.run.step_size = passed if i > 0 else 0.0
            system.call("energies")
            system.call("write")
            system.open_regimes()
            if system.run.rows_used >= system.run.rows_max or i == last or i % 50 == 0:
                sink.rows(take_rows(system)[0])
                if progress is not None:
                    progress(t, i, i, i / last)
    except KeyboardInterrupt:
        status, message = "interrupted", "stopped by the user"
    sink.checkpoint(save_state(system, factors=False))
    sink.close(status, message)
    return system


def _followed(system: System, t: float) -> None:
    """Go on to a time with the velocities there are; in shorter steps where that leads astray."""
    begin, before = float(system.run.time), system.copy("x", "R", "v", "a", "s")
    advance(system, t - begin)
    system.run.time = system.run.time0 = t
    try:
        close(system)
    except AssemblyError:
        system.put(before)
        if system.mechanism.followers:
            system.call("follow")
        system.run.time = system.run.time0 = begin
        by_halves(system, t)


def _leave_change_point(system: System, end: float) -> bool:
    """Whether it starts at a change point; then constraints, accelerations and forces are those of its way on."""
    if not system.dropped:
        return False
    system.run.end_time = end
    project_velocities(system)
    solve_accelerations(system)
    return leave_change_point(system, advance)


def _times(begin: float, end: float, step: float) -> list[float]:
    """From the begin in steps, and the end."""
    problems = []
    if not (math.isfinite(end) and end > begin):
        problems.append(Problem("kinematics", f"until = {end:g} s", "", f"give a time after {begin:g} s"))
    elif not 0 < step <= (1 + 1e-9) * (end - begin) or end - begin > MOST_STEPS * step:
        why, fix = f"it goes from {begin:g} to {end:g} s", "give a step that fits into that"
        problems.append(Problem("kinematics", f"step = {step:g} s", why, fix))
    if problems:
        raise ModelError(problems)
    count = math.floor((end - begin) / step * (1 + 1e-9))
    times = [begin + step * i for i in range(count + 1)]
    return [*(times if end - times[-1] > 1e-6 * step else times[:-1]), end]
