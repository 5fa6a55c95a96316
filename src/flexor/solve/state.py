"""The state of a mechanism: kept for a restart, and taken over as the start of another analysis.

A restart goes on as if it had never stopped: it takes everything. Another analysis takes position and velocity, by the names of
nodes and scalars, so that the models may differ in springs, motors, loads, or the way joints are enforced.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from flexor.engine import slots
from flexor.engine.initial import _constraints, _set_proper
from flexor.engine.redundancy import measure_opening
from flexor.engine.system import System
from flexor.errors import ModelError, Problem
from flexor.solve.turns import counted, set_turns

STATE = {
    name: getattr(slots, name)
    for name in (
        "X", "ROT", "VEL", "ACC", "PROPER", "S", "LAM", "X0", "ROT0", "VEL0", "ACC0", "PSEUDO", "PSEUDO0", "PSEUDO_OLD", "S0",
        "S_PSEUDO", "S_PSEUDO0", "S_PSEUDO_OLD", "LAM0", "LAM_OLD", "FORCE_BIAS", "HISTORY", "ENERGY_STATE", "ENERGY_TOTALS",
    )
}  # fmt: skip
"""Arrays that a restart needs."""
CLOCK = {
    name: getattr(slots, name)
    for name in (
        "TIME", "TIME0", "START_TIME", "STEP_OLD", "LAST_STEP", "NEXT_STEP", "FACTORED_STEP", "CONTRACTION", "NORM_ACCELERATION",
        "DROPPED_TOLERANCE",
    )
}  # fmt: skip
"""Numbers that a restart needs."""
COUNTERS = {"step_count": slots.STEP_COUNT, "astray": slots.ASTRAY, "own_matrices": slots.OWN_MATRICES}
"""And whole ones."""
POSITION = ("X", "ROT", "VEL", "ACC", "S", "LAM", "HISTORY")
"""What the start of another analysis takes over."""


def save_state(system: System, factors: bool = True) -> dict[str, Any]:
    """Everything a restart needs, by name; without factors of the matrix it goes on to Newton's tolerance only."""
    state: dict[str, Any] = {name: system[slot].copy() for name, slot in STATE.items()}
    state.update({name: float(system.floats[slot]) for name, slot in CLOCK.items()})
    state.update({name: int(system.ints[slot]) for name, slot in COUNTERS.items()})
    state["dropped"] = np.array(system.dropped, dtype=np.int64)
    if system.ints[slots.RECORDED]:  # the next row is continuous with the last one: orientations keep their sign
        state["last_row"] = system[slots.ROWS][-int(system.ints[slots.ROW_LENGTH]) :].copy()
    if factors:
        state.update({f"solver_{name}": values for name, values in system.solver.save().items()})
    state["factored"] = int(system.ints[slots.FACTORED])
    state["matrix"] = system.matrix
    state["grid"] = _grid(system)
    return {**state, **system.layout}


def load_state(system: System, state: dict[str, Any]) -> None:
    """Continue from a saved state; signals that are recorded are chosen afterwards."""
    if any(np.shape(state[name]) != system[slot].shape for name, slot in STATE.items()) or not _same(system, state):
        what, why = "the saved state belongs to another model", "bodies, joints or laws have changed since"
        raise ModelError(Problem("restart", what, why, "start from the beginning, or give it as start="))
    for name, slot in STATE.items():
        system[slot][:] = state[name]
    asked = float(system.floats[slots.NEXT_STEP])
    for name, slot in CLOCK.items():
        system.floats[slot] = float(state.get(name, system.floats[slot]))
    for name, slot in COUNTERS.items():
        system.ints[slot] = int(state.get(name, 0))
    if not np.array_equal(state.get("grid", _grid(system)), _grid(system)):  # other steps or rows from here on
        system.floats[slots.START_TIME], system.floats[slots.NEXT_STEP] = system.floats[slots.TIME0], asked
        system.ints[slots.STEP_COUNT] = 0
    if system.mechanism.slaves:
        system.call(slots.K_SLAVES)
    if state.get("matrix") == "pivoted":
        system.use_pivoted()
    elif state.get("matrix") == "unsymmetric":
        system.use_lu()
    system.lock([int(e) for e in np.atleast_1d(state["dropped"])])
    if system.dropped:
        measure_opening(system)
    # the same factors make the continued run the same to rounding, not only to Newton's tolerance
    factors = {name.removeprefix("solver_"): value for name, value in state.items() if name.startswith("solver_")}
    if system.solver.load(factors):
        system.ints[slots.FACTORED] = int(state["factored"])


def go_on_recording(system: System, state: dict[str, Any]) -> None:
    """Let the next row be continuous with the last one of the saved run, if the same signals are recorded."""
    last = state.get("last_row")
    if last is not None and len(last) == system.ints[slots.ROW_LENGTH]:
        system[slots.ROWS][-len(last) :] = last
        system.ints[slots.RECORDED] = 1


def state_of(start: Any) -> dict[str, Any]:
    """The state in what a user gives as `start`: a result of any analysis, or its `state`."""
    state = start if isinstance(start, dict) else getattr(start, "state", None)
    if isinstance(state, dict) and {"X", "ROT", "VEL", "S", "TIME"} <= set(state):
        return state
    what = f"start = {start!r:.60} is no state"
    fix = 'give a result (of statics, modes, dynamics, kinematics), run.at("0.5 s"), its .state, or "equilibrium"'
    raise ModelError(Problem("start", what, "", fix))


def adopt(system: System, start: Any, motion: bool = True) -> bool:
    """Take over position, velocity and time of a state; whether it is of the same mechanism, reactions and all.

    Bodies, modes and joints are found by name, so that springs, motors and loads may be others. motion: velocities and time, too.
    """
    state = state_of(start)
    keep = {slot: system[slot].copy() for slot in (slots.VEL, slots.ACC, slots.S)}
    whole = _same(system, state) and all(np.shape(state[name]) == system[STATE[name]].shape for name in POSITION)
    if whole:
        for name in POSITION:
            system[STATE[name]][:] = state[name]
    else:
        _adopt_by_name(system, state)
    if motion:
        for slot in (slots.TIME, slots.TIME0, slots.START_TIME):
            system.floats[slot] = float(state["TIME"])
    else:
        system[slots.VEL][:], system[slots.ACC][:] = keep[slots.VEL], keep[slots.ACC]
        for i in (1, 2):
            system[slots.S][i::3] = keep[slots.S][i::3]
    if system.mechanism.slaves:
        system.call(slots.K_SLAVES)
    if not whole:
        system.call(slots.K_COMMIT)
    _set_proper(system)
    return whole


OPEN = 1e-6
"""Gap of a constraint, in model sizes, that shows that a state does not fit."""


def refuse_open(system: System) -> None:
    """A state in which joints are open is not one of this model."""
    phi, _, rows = _constraints(system)
    worst = int(np.argmax(np.abs(phi))) if len(phi) else 0
    if len(phi) and abs(phi[worst]) > OPEN * max(1.0, float(system.floats[slots.LENGTH_SCALE])):
        what = f"the state does not fit: '{system.equations.name(int(rows[worst]))}' is open by {abs(phi[worst]):.3g}"
        why = f"joints or motors of the model stand elsewhere at t = {system.floats[slots.TIME]:g} s"
        raise ModelError(Problem("start", what, why, "take a state of the same geometry, at the same time"))


def _grid(system: System) -> np.ndarray:
    """What decides on the times of steps and rows."""
    F, I = system.floats, system.ints
    return np.array([I[slots.ADAPTIVE], F[slots.MAX_STEP], F[slots.OUTPUT_STEP], I[slots.RECORD_EVERY]], dtype=float)


def _same(system: System, state: dict[str, Any]) -> bool:
    """Whether a state has the same nodes, scalars and elements; those of older files do not tell."""
    return all(name not in state or np.array_equal(state[name], known) for name, known in system.layout.items())


def _adopt_by_name(system: System, state: dict[str, Any]) -> None:
    layout = system.layout
    if "node_names" not in state:
        why, fix = "it has another size and does not tell the names of its bodies", "compute it anew"
        raise ModelError(Problem("start", "the state belongs to another model", why, fix))
    missing = []
    for kind, parts in (("node_names", (("X", 3), ("ROT", 9), ("VEL", 6), ("ACC", 6))), ("scalar_names", (("S", 3),))):
        mine, theirs = _keys(layout[kind]), {key: i for i, key in enumerate(_keys(state[kind]))}
        missing += [name for name, _ in mine if (name, _) not in theirs]
        known = [(i, theirs[key]) for i, key in enumerate(mine) if key in theirs]
        here, there = np.array(known, dtype=np.int64).reshape(-1, 2).T
        for name, width in parts:
            system[STATE[name]].reshape(-1, width)[here] = np.reshape(state[name], (-1, width))[there]
    if missing:
        names = ", ".join(f"'{name}'" for name in missing[:6]) + (" …" if len(missing) > 6 else "")
        why = "a start must tell the position of every body and, of eliminated joints, their angles"
        fix = "take the state of a model with the same bodies, and the same enforcement of its joints"
        raise ModelError(Problem("start", f"the state does not know {names}", why, fix))
    mine, theirs = _keys(layout["element_names"]), {key: i for i, key in enumerate(_keys(state["element_names"]))}
    for array, sizes in (("HISTORY", "history_sizes"), ("LAM", "multiplier_counts")):
        first, first_there = _offsets(layout[sizes]), _offsets(state[sizes])
        for i, key in enumerate(mine):
            j = theirs.get(key)
            if j is not None and (n := int(layout[sizes][i])) == int(state[sizes][j]):
                system[STATE[array]][first[i] : first[i] + n] = state[array][first_there[j] : first_there[j] + n]
    set_turns(system, _angles(system, {name for name, _ in theirs}, state))


def _angles(system: System, known: set[str], state: dict[str, Any]) -> dict[str, float]:
    """Angles that a state knows the turns of: of its joints, then of other laws in them, and of eliminated joints."""
    first, history = system.records[:, slots.E_H], system[slots.HISTORY]
    found = {
        variable: float(history[first[i] + k])
        for joint in (False, True)
        for i, e in enumerate(system.mechanism.elements)
        for variable, k in e.counts
        if e.name in known and variable.startswith(f"{e.name}.") is joint
    }
    values = dict(zip(state["scalar_names"].tolist(), np.asarray(state["S"])[0::3].tolist()))
    return found | {variable: values[variable] for variable, _ in counted(system) if variable in values}


def _keys(names: np.ndarray) -> list[tuple[str, int]]:
    """Names with the number of their occurrence."""
    seen: Counter[str] = Counter()
    keys = []
    for name in names.tolist():
        keys.append((name, seen[name]))
        seen[name] += 1
    return keys


def _offsets(sizes: np.ndarray) -> np.ndarray:
    return np.cumsum(sizes) - sizes
