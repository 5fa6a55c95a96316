"""Kinematic analysis: motion of a fully driven mechanism, with the driving and reaction forces it needs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from flexor.declaration import _quantity
from flexor.engine import slots
from flexor.engine.initial import assemble_positions, project_velocities, solve_accelerations
from flexor.engine.recording import choose_signals, take_rows
from flexor.engine.redundancy import check_agreement, check_closed, choose_anew
from flexor.engine.system import System
from flexor.errors import ModelError, Problem
from flexor.law import ACCELERATION_LEVEL, VELOCITY_LEVEL
from flexor.solve.begin import advance
from flexor.solve.dynamics import Sink
from flexor.solve.prepare import compile_model


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
    end, h = _quantity("time")(until), _quantity("time")(step)
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
    count = max(1, round(end / h))
    status, message = "finished", ""
    try:
        for i in range(count + 1):
            t = end * i / count
            if i > 0:
                advance(system, t - float(system.floats[slots.TIME]))
            system.floats[slots.TIME] = system.floats[slots.TIME0] = t
            assemble_positions(system)
            if choose_anew(system):
                assemble_positions(system)
                check_closed(system)
            project_velocities(system)
            check_agreement(system, VELOCITY_LEVEL)
            solve_accelerations(system)
            check_agreement(system, ACCELERATION_LEVEL)
            system.call(slots.K_COMMIT)
            system.floats[slots.STEP_SIZE] = end / count if i > 0 else 0.0
            system.call(slots.K_ENERGIES)
            system.call(slots.K_RECORD)
            if system.ints[slots.ROWS_USED] >= system.ints[slots.ROWS_MAX] or i == count or i % 50 == 0:
                sink.rows(take_rows(system)[0])
                if progress is not None:
                    progress(t, i, i, i / count)
    except KeyboardInterrupt:
        status, message = "interrupted", "stopped by the user"
    sink.close(status, message)
    return system


def degrees_of_freedom(system: System) -> int:
    """Coordinates minus independent constraints."""
    kinds = system[slots.NORM_KIND]
    return int(np.count_nonzero(kinds < 3) - np.count_nonzero(kinds == 3) + len(system.dropped))
