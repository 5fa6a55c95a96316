"""The state of a mechanism: kept for a restart, and taken over as the start of another analysis.

A restart goes on as if it had never stopped: it takes everything. Another analysis takes position and velocity, by the names of
nodes and scalars, so that the models may differ in springs, motors, loads, or the way joints are enforced.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Protocol, TypeAlias

import numpy as np

from flexor.engine.initial import open_constraints, set_proper
from flexor.engine.redundancy import judged_here, measure_opening
from flexor.engine.system import System
from flexor.errors import ModelError, Problem
from flexor.solve.turns import counted, set_turns


class HasState(Protocol):
    """The result of an analysis: a run, a moment of it, an equilibrium, modes."""

    @property
    def state(self) -> dict[str, Any] | None: ...


StartState: TypeAlias = HasState | dict[str, Any]
"""Where an analysis may begin: a result, or its state."""
STATE = (
    "x", "R", "v", "a", "proper", "s", "lam", "x0", "R0", "v0", "a0", "pseudo", "pseudo0", "pseudo_old", "s0",
    "s_pseudo", "s_pseudo0", "s_pseudo_old", "lam0", "lam_old", "force_bias", "history", "energy_state", "energy_totals",
)  # fmt: skip
"""Arrays that a restart needs."""
CLOCK = (
    "time", "time0", "start_time", "step_old", "last_step", "next_step", "factored_step", "contraction", "norm_acceleration",
    "dropped_tolerance", "settled_at", "liveliest", "life_turned", "life_fixed",
)  # fmt: skip
"""Numbers that a restart needs."""
COUNTERS = ("step_count", "astray", "own_matrices", "debt", "served", "turned")
"""And whole ones."""
POSITION = ("x", "R", "v", "a", "s", "lam", "history")
"""What the start of another analysis takes over."""


def save_state(system: System, factors: bool = True) -> dict[str, Any]:
    """Everything a restart needs, by name; without factors of the matrix it goes on to Newton's tolerance only."""
    state: dict[str, Any] = {**system.copy(*STATE)}
    state.update({name: float(getattr(system.run, name)) for name in CLOCK})
    state.update({name: int(getattr(system.run, name)) for name in COUNTERS})
    state["dropped"] = np.array(system.dropped, dtype=np.int64)
    if system.run.recorded:  # the next row is continuous with the last one: orientations keep their sign
        state["last_row"] = system.memory.rows[-int(system.run.row_length) :].copy()
    if factors:
        state.update({f"solver_{name}": values for name, values in system.solver.save().items()})
        state["R_matrix"] = system.memory.R_matrix.copy()
    state["factored"] = int(system.run.factored)
    state["matrix"] = system.matrix
    state["grid"] = _grid(system)
    return {**state, **system.layout}


def load_state(system: System, state: dict[str, Any]) -> None:
    """Continue from a saved state; signals that are recorded are chosen afterwards."""
    if any(np.shape(state[name]) != getattr(system.memory, name).shape for name in STATE) or not _same(system, state):
        what, why = "the saved state belongs to another model", "bodies, joints or laws have changed since"
        raise ModelError(Problem("restart", what, why, "start from the beginning, or give it as start="))
    system.put({name: state[name] for name in STATE})
    asked = float(system.run.next_step)
    for name in CLOCK:
        setattr(system.run, name, float(state.get(name, getattr(system.run, name))))
    for name in COUNTERS:
        setattr(system.run, name, int(state.get(name, 0)))
    if not np.array_equal(state.get("grid", _grid(system)), _grid(system)):  # other steps or rows from here on
        system.run.start_time, system.run.next_step = system.run.time0, asked
        system.run.step_count = 0
    if system.mechanism.followers:
        system.call("follow")
    if state.get("matrix") == "pivoted":
        system.use_pivoted()
    elif state.get("matrix") == "unsymmetric":
        system.use_lu()
    system.lock([int(e) for e in np.atleast_1d(state["dropped"])])
    if system.dropped:
        measure_opening(system)
    # the same factors make the continued run the same to rounding, not only to Newton's tolerance
    factors = {name.removeprefix("solver_"): value for name, value in state.items() if name.startswith("solver_")}
    axes = np.asarray(state.get("R_matrix", ()))
    if axes.shape == system.memory.R_matrix.shape and system.solver.load(factors):
        system.memory.R_matrix[:] = axes
        system.run.factored = int(state["factored"])


def go_on_recording(system: System, state: dict[str, Any]) -> None:
    """Let the next row be continuous with the last one of the saved run, if the same signals are recorded."""
    last = state.get("last_row")
    if last is not None and len(last) == system.run.row_length:
        system.memory.rows[-len(last) :] = last
        system.run.recorded = 1


def state_of(start: StartState) -> dict[str, Any]:
    """The state in what a user gives as `start`: a result of any analysis, or its `state`."""
    state = start if isinstance(start, dict) else getattr(start, "state", None)
    if isinstance(state, dict) and {"x", "R", "v", "s", "time"} <= set(state):
        return state
    what = f"start = {start!r:.60} is no state"
    fix = 'give a result (of statics, modes, dynamics, kinematics), run.at("0.5 s") or its .state'
    if isinstance(start, str):  # dynamics has other words, and tells them
        fix += "; words are for dynamics alone"
    raise ModelError(Problem("start", what, "", fix))


def adopt(system: System, start: StartState, motion: bool = True) -> bool:
    """Take over position, velocity and time of a state; whether it is of the same mechanism, reactions and all.

    Bodies, modes and joints are found by name, so that springs, motors and loads may be others. motion: velocities and time, too.
    Which constraints follow from others is judged there: in the drawing it may be others.
    """
    state = state_of(start)
    keep = system.copy("v", "a", "s")
    whole = _same(system, state) and all(
        np.shape(state[name]) == getattr(system.memory, name).shape for name in POSITION
    )
    if whole:
        system.put({name: state[name] for name in POSITION})
    else:
        _adopt_by_name(system, state)
    if motion:
        run = system.run
        run.time = run.time0 = run.start_time = float(state["time"])
    else:
        system.memory.v[:], system.memory.a[:] = keep["v"], keep["a"]
        for i in (1, 2):
            system.memory.s[i::3] = keep["s"][i::3]
    if system.mechanism.followers:
        system.call("follow")
    if not whole:
        system.call("commit")
    set_proper(system)
    judged_here(system)
    return whole and np.array_equal(state.get("dropped", system.dropped), system.dropped)


OPEN = 1e-6
"""Gap of a constraint, in model sizes, that shows that a state does not fit."""


def refuse_open(system: System) -> None:
    """A state in which joints are open is not one of this model."""
    phi, rows = open_constraints(system)
    worst = int(np.argmax(np.abs(phi))) if len(phi) else 0
    if len(phi) and abs(phi[worst]) > OPEN * max(1.0, float(system.run.length_scale)):
        name = system.equations.name(int(rows[worst]))
        what = f"the state does not fit: '{name}' is open by {abs(phi[worst]):.3g}"
        why = f"joints or motors of the model stand elsewhere at t = {system.run.time:g} s"
        fix = "take a state of the same geometry, at the same time"
        if any(term.from_start and name.startswith(f"{term.name}:") for term in system.mechanism.terms):
            why = "its teeth mesh as the bodies stand where the model itself starts, and the state has turned them otherwise"
            fix = "take a state of a model with the same transmission, or give its joints start and start_rate as in the state"
        raise ModelError(Problem("start", what, why, fix))


def _grid(system: System) -> np.ndarray:
    """What decides on the times of steps and rows."""
    run = system.run
    return np.array([run.adaptive, run.max_step, run.output_step, run.record_every], dtype=float)


def _same(system: System, state: dict[str, Any]) -> bool:
    """Whether a state has the same nodes, scalars and terms; those of older files do not tell."""
    return all(name not in state or np.array_equal(state[name], known) for name, known in system.layout.items())


def _adopt_by_name(system: System, state: dict[str, Any]) -> None:
    layout = system.layout
    if "node_names" not in state:
        why, fix = "it has another size and does not tell the names of its bodies", "compute it anew"
        raise ModelError(Problem("start", "the state belongs to another model", why, fix))
    missing = []
    for kind, parts in (("node_names", (("x", 3), ("R", 9), ("v", 6), ("a", 6))), ("scalar_names", (("s", 3),))):
        mine, theirs = _keys(layout[kind]), {key: i for i, key in enumerate(_keys(state[kind]))}
        missing += [name for name, _ in mine if (name, _) not in theirs]
        known = [(i, theirs[key]) for i, key in enumerate(mine) if key in theirs]
        here, there = np.array(known, dtype=np.int64).reshape(-1, 2).T
        for name, width in parts:
            getattr(system.memory, name).reshape(-1, width)[here] = np.reshape(state[name], (-1, width))[there]
    if missing:
        names = ", ".join(f"'{name}'" for name in missing[:6]) + (" …" if len(missing) > 6 else "")
        why = "a start must tell the position of every body and, of eliminated joints, their angles"
        fix = "take the state of a model with the same bodies, and the same enforcement of its joints"
        raise ModelError(Problem("start", f"the state does not know {names}", why, fix))
    mine, theirs = _keys(layout["element_names"]), {key: i for i, key in enumerate(_keys(state["element_names"]))}
    for array, sizes in (("history", "history_sizes"), ("lam", "multiplier_counts")):
        first, first_there = _offsets(layout[sizes]), _offsets(state[sizes])
        into = getattr(system.memory, array)
        for i, key in enumerate(mine):
            j = theirs.get(key)
            if j is not None and (n := int(layout[sizes][i])) == int(state[sizes][j]):
                into[first[i] : first[i] + n] = state[array][first_there[j] : first_there[j] + n]
    set_turns(system, _angles(system, {name for name, _ in theirs}, state))


def _angles(system: System, known: set[str], state: dict[str, Any]) -> dict[str, float]:
    """Angles that a state knows the turns of: of its joints, then of other laws in them, and of eliminated joints."""
    found = {
        r.variable: float(system.memory.history[system.place(i, r)])
        for joint in (False, True)
        for i, e in enumerate(system.mechanism.terms)
        for r in e.counts
        if r.present and e.name in known and r.variable.startswith(f"{e.name}.") is joint
    }
    values = dict(zip(state["scalar_names"].tolist(), np.asarray(state["s"])[0::3].tolist()))
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
