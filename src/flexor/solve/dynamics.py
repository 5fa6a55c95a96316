"""Dynamics: the motion over time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Literal, Protocol

import numpy as np

from flexor.engine.columns import choose_signals, take_rows
from flexor.engine.diagnose import describe_failure
from flexor.engine.initial import project_velocities
from flexor.engine.loop import SHORTEST
from flexor.engine.memory import CHUNK_DONE, PSEUDO_FORM, REDUNDANCY_LOST, SWITCHES_ENDLESSLY, StepRow, TotalEnergy
from flexor.engine.redundancy import find_redundant, opening
from flexor.engine.system import System
from flexor.errors import DivergenceError, LawError, ModelError, Problem, SolveError
from flexor.model import Model
from flexor.solve.balance import Balance
from flexor.solve.begin import start
from flexor.solve.histories import commit
from flexor.solve.linear_bodies import LinearBodies
from flexor.solve.prepare import DoubtfulModel, compile_model
from flexor.solve.seen_loads import SeenLoads
from flexor.solve.settings import IMPACT_STEPS, DynamicsSettings
from flexor.solve.state import StartState, adopt, go_on_recording, load_state, refuse_open, save_state
from flexor.solve.steep_angles import SteepJoints
from flexor.solve.turning import Turning
from flexor.threads import one_thread
from flexor.units import Quantity
from flexor.warning import warn

CHUNK = 20
"""Steps between two looks at Ctrl-C and the progress bar, at first; grows while chunks are short."""
LONGEST, WATCHED = 256, 64
"""To how many, and where the loads of flexible bodies are looked at."""

SAVED = 0.05
"""Seconds after which the state is saved again, so that a run that is killed can be continued."""
BEGINNINGS = 12
"""How often a first step that has to be shorter than planned begins anew."""


class UndampedMultipliers(UserWarning):
    """The integrator does not damp the multipliers, which oscillate from step to step."""


class UnresolvedContact(UserWarning):
    """A contact changed by more in a step than forces can: its place or its normal leapt."""


class Sink(Protocol):
    """Where a run writes to (see `flexor.results.run_file`)."""

    def open(self, columns: list[tuple[str, str]], meta: dict[str, Any]) -> None: ...
    def rows(self, rows: np.ndarray) -> None: ...
    def history(self, steps: np.ndarray) -> None: ...
    def checkpoint(self, state: dict[str, Any]) -> None: ...
    def close(self, status: str, message: str) -> None: ...


class Exchange(Protocol):
    """Who takes part in every step of a run, e.g. a co-simulation: told of finished steps only, never of trials."""

    def begin(self, system: System) -> None:
        """Before the first step: position and velocity are those of the start."""

    def before_step(self, system: System, until: float) -> None:
        """A step to a time [s], or a shorter one, is tried next."""

    def after_step(self, system: System) -> None:
        """A step is done."""


class Stepper(Protocol):
    """Another way from step to step than the engine's own; see `flexor.hierarchy.stepper`."""

    def start(self) -> None:
        """Accelerations and multipliers of the present state, which begins the first step."""

    def go_on(self, state: dict[str, Any]) -> None:
        """Likewise, of a state that was read for a restart."""

    def state(self) -> dict[str, Any]:
        """What a restart needs beside the engine's state."""

    def loop(self) -> int:
        """Several steps; the status that ended them."""

    def failure(self, status: int) -> SolveError:
        """What a status means."""

    def finished(self) -> None:
        """The run has come to its end: tell what is to be told of the steps."""


@one_thread
def dynamics(
    model: Model,
    until: Quantity,
    step: Quantity | None = None,
    *,
    sink: Sink,
    progress: Callable[[float, int, int, float], None] | None = None,
    restart: dict[str, Any] | None = None,
    start: Literal["consistent", "zero", "equilibrium"] | StartState = "consistent",
    python: bool = False,
    exchange: Exchange | None = None,
    stepper: Callable[[System, DynamicsSettings], Stepper] | None = None,
    **settings: Any,
) -> System:
    """Integrate the equations of motion from t = 0 (or from a start or restart) to `until` [s].

    Give `step` for a fixed step, `error` for error control, or both (first step); or `accuracy`, for runs with halved steps that are
    extrapolated (`flexor.solve.extrapolation`). Rows go to the sink. A run that
    fails or is interrupted closes the sink with everything computed so far; a failure is raised as SolveError.

    start: "consistent", as declared; "equilibrium", where all forces balance at t = 0, with the velocities that the model gives;
        "zero", as declared but with zero accelerations (old Fedem versions); or the result of any other analysis, of this
        model or one with the same bodies: position, velocity and time are taken from it, and the run begins at that time.
    exchange: takes part in every step.
    stepper: what makes the steps, if not the engine's own loop.
    """
    named = {"start": start} if isinstance(start, str) else {}
    chosen = DynamicsSettings(until=until, step=step, **named, **settings)
    if chosen.accuracy is not None:
        if problems := [*chosen.contradictions(), *_only_once(restart, exchange)]:
            raise ModelError(problems)
        others = {
            name: value
            for name, value in settings.items()
            if name not in ("accuracy", "output", "tolerances", "impact_steps")
        }
        solver: Any = partial(dynamics, model, until, start=start, python=python, **others)
        from flexor.solve.extrapolation import run_to_accuracy

        return run_to_accuracy(solver, chosen, sink, progress)
    system = prepare(model, chosen, python=python)
    if restart is None:
        bring_to_start(system, model, chosen, start)
    by = None if stepper is None else stepper(system, chosen)
    return integrate(system, chosen, sink, progress, restart, SeenLoads(model), exchange, by)


def bring_to_start(
    system: System,
    model: Model,
    chosen: DynamicsSettings,
    start: Literal["consistent", "zero", "equilibrium"] | StartState,
) -> None:
    """Let a prepared system stand and move as the run is to begin."""
    if start in ("consistent", "zero") and isinstance(model, Model) and model.at_rest:
        names = ", ".join(f"'{item.name}'" for item in model.at_rest)
        warn(f'{names} act at rest only, and this run begins as declared; give start="equilibrium"', DoubtfulModel)
    if chosen.start == "equilibrium":
        from flexor.solve.settled import settle  # loads statics

        settle(system, model)
    elif not isinstance(start, str):
        adopt(system, start)
        refuse_open(system)
        project_velocities(system)
        if not chosen.until > system.run.time:
            what, why = f"until = {chosen.until:g} s", f"the start is at t = {system.run.time:g} s"
            raise ModelError(Problem("dynamics", what, why, "give a later time; times go on from the start"))


def _only_once(restart: dict[str, Any] | None, exchange: Exchange | None) -> list[Problem]:
    """Runs that cannot be made several times."""
    what = "accuracy is given"
    if restart is not None:
        why = "a continued run goes on from the state of one step length, not of several"
        return [Problem("dynamics", what, why, "give accuracy=None and a step, or ask model.dynamics(…, start=run)")]
    if exchange is not None:
        why = "a run that others take part in cannot be made several times"
        return [Problem("dynamics", what, why, "leave it out, and give a step")]
    return []


def _one_step_length(chosen: DynamicsSettings) -> list[Problem]:
    if chosen.accuracy is None:
        return []
    why = "runs with several step lengths are compared, and a prepared system has one"
    return [Problem("dynamics", "accuracy is given", why, "give a step, or ask model.dynamics(…, accuracy=…)")]


@one_thread
def prepare(model: Model, chosen: DynamicsSettings, *, python: bool = False) -> System:
    """The model compiled and assembled, with all settings in place."""
    if problems := [*chosen.contradictions(), *_one_step_length(chosen)]:
        raise ModelError(problems)
    tree = chosen.solver == "tree"
    system = compile_model(
        model,
        symmetric=chosen.matrix != "unsymmetric",
        python=python,
        until=chosen.until,
        relays=not tree,
        all_kept=tree,
        many=chosen.solver == "explicit",
    )
    apply_settings(system, chosen)
    system.watched = LinearBodies(system)
    if not (tree or python):
        system.table.ready("loop")  # before the clock runs
    return system


@one_thread
def integrate(
    system: System,
    chosen: DynamicsSettings,
    sink: Sink,
    progress: Callable[[float, int, int, float], None] | None = None,
    restart: dict[str, Any] | None = None,
    loads: SeenLoads | None = None,
    exchange: Exchange | None = None,
    stepper: Stepper | None = None,
) -> System:
    """From a prepared system to the end of the run: consistent start (or restart), then the time loop."""
    if chosen.solver == "explicit" and stepper is None:  # forces among many bodies are found by its own steps
        what, fix = 'solver = "explicit"', "ask model.dynamics(…), or give flexor.explicit's stepper"
        raise ModelError(Problem("dynamics", what, "what makes its steps is not given", fix))
    if exchange is not None:
        exchange.begin(system)
        exchange.before_step(system, _next_time(system))
    begin = partial(start, system, chosen) if stepper is None else stepper.start
    if restart is None:
        undamped = stepper is None and chosen.integrator.coefficients.undamped
        if undamped and system.run.n_multipliers:
            warn(
                "an integrator without numerical damping lets the multipliers of constraints oscillate and grow; "
                "use generalized-α with rho < 1, or enforcement: elimination",
                UndampedMultipliers,
            )
        begin()
        system.memory.coefficients.step = 0.0
        while commit(system):  # what breaks at once does not hold at the start
            begin()
    else:
        load_state(system, restart)
        if stepper is not None:
            stepper.go_on(restart)
    columns = choose_signals(system, chosen.record, chosen.energies)
    if restart is not None:
        go_on_recording(system, restart)
    redundant = [system.equations.name(equation) for equation in system.dropped]
    sink.open(columns, {"settings": chosen.model_dump(mode="json"), "redundant": redundant})
    if restart is None:
        if chosen.energies:
            system.run.step_size = 0.0
            system.call("energies")
        system.call("write")
    return _run(system, chosen, sink, progress, restart is None, loads, exchange, stepper)


def apply_settings(system: System, chosen: DynamicsSettings) -> None:
    run = system.run
    c = chosen.integrator.coefficients
    run.alpha_m, run.alpha_f, run.beta, run.gamma = c.alpha_m, c.alpha_f, c.beta, c.gamma
    run.form = c.form
    run.adaptive = int(chosen.error is not None)
    run.end_time = chosen.until
    if chosen.error is not None:
        run.error_tolerance = chosen.error
        run.max_step = chosen.max_step or (chosen.output or chosen.until)
        run.next_step = min(chosen.step or 1e-3 * run.max_step, run.max_step)
        run.output_step = chosen.output or 0.0
        run.min_step = chosen.min_step or 1e-9 * run.max_step
    else:
        step = float(chosen.step or chosen.output or 0.0)
        run.max_step = run.next_step = step
        run.min_step = chosen.min_step or (SHORTEST * step if run.n_limits else step / 1024)
        run.record_every = max(1, round((chosen.output or step) / step))
    t = chosen.tolerances
    run.tol_displacement, run.tol_velocity, run.tol_acceleration = (
        t.displacement,
        t.velocity,
        t.acceleration,
    )
    run.tol_residual, run.tol_energy = t.residual, t.energy
    run.tol_prediction = t.prediction or np.inf
    run.fineness = IMPACT_STEPS / chosen.impact_steps
    run.augmentation = chosen.augmentation
    run.max_iterations = chosen.max_iterations
    run.modified = int(chosen.newton == "modified")
    system.solver.numbers.drop = 1


def _run(
    system: System,
    chosen: DynamicsSettings,
    sink: Sink,
    progress: Callable[[float, int, int, float], None] | None,
    fresh: bool,
    loads: SeenLoads | None,
    exchange: Exchange | None,
    stepper: Stepper | None,
) -> System:
    run = system.run
    begin, end = float(run.time0), float(run.end_time)
    steps = 0
    status, message = "finished", ""
    error: SolveError | None = None
    balance, bodies = Balance(chosen.energies, explicit=stepper is not None), system.watched or LinearBodies(system)
    system.watched = None
    turning = Turning(system, chosen.integrator.coefficients) if stepper is None else None
    shifted = fresh and stepper is None and chosen.start != "zero" and run.form == PSEUDO_FORM
    first = save_state(system, factors=False) if shifted else None
    steep = SteepJoints(system, stepper is None)
    run.steps_max = steep.most(system, CHUNK)
    remedies = _remedies(system) if stepper is None else iter(())
    chosen_at: list[float] = []  # times at which redundant constraints were chosen anew
    bodies.watch_seldom(0)
    saved = time.perf_counter()
    try:
        while end - run.time0 > 1e-9 * run.max_step:
            began = time.perf_counter()
            if first is not None:
                outcome = _first_step(system, chosen, first)
                first = None if outcome == CHUNK_DONE else first
                if exchange is not None and run.time0 > begin:
                    exchange.after_step(system)
            if first is None:
                outcome = _steps(system, exchange) if stepper is None else stepper.loop()
            rows, history = take_rows(system)
            energies = np.zeros((0, TotalEnergy.WORDS))
            if chosen.energies:  # rows may be far between, and always at rest: what the chunk ends with counts as well
                energies = np.vstack([rows[:, -TotalEnergy.WORDS :], system.memory.energy_totals])
            balance.watch(energies, history)
            if loads is not None:
                loads.watch(history)
            if outcome == CHUNK_DONE:
                bodies.watch_seldom(steps + len(history))
                if turning is not None:
                    turning.watch(system)
                steep.watch(system)
            steps += len(history)
            if len(rows):
                sink.rows(rows)
            if len(history):
                sink.history(history)
                if time.perf_counter() - saved > SAVED:
                    sink.checkpoint(_saved(system, stepper))
                    saved = time.perf_counter()
            if progress is not None:
                done = (run.time0 - begin) / (end - begin)
                progress(float(run.time0), steps, int(run.iterations), float(done))
            if outcome == CHUNK_DONE:
                seconds = time.perf_counter() - began
                # where bodies are looked at, chunks are as long on any machine that is not very slow: what is told must not depend on it
                most, quick = (WATCHED, 0.4) if bodies.pulled else (LONGEST, 0.1)
                longer = int(run.steps_max) * (2 if seconds < quick else 1 if seconds < 0.4 else 0.5)
                run.steps_max = steep.most(system, min(max(int(longer), 1), most))
                continue
            if outcome == REDUNDANCY_LOST:
                if _same_redundancy(system, chosen_at):
                    run.cuts += (
                        1  # an iterate may have opened it; if shorter steps do so too, it contradicts the others
                    )
                    run.next_step = 0.5 * run.step_size
                    if run.next_step < run.min_step:
                        error = opening(system)
                        break
                continue
            if outcome != SWITCHES_ENDLESSLY and next(remedies, None) is not None:
                run.next_step = max(run.last_step, run.min_step) if run.adaptive else run.max_step
                continue
            error = describe_failure(system, outcome) if stepper is None else stepper.failure(outcome)
            break
    except KeyboardInterrupt:
        rows, history = take_rows(system)
        if len(rows):
            sink.rows(rows)
        status, message = "interrupted", f"stopped by the user at t = {run.time0:.6g} s"
    except SolveError as stopped:  # who takes part in the steps cannot go on
        rows, history = take_rows(system)
        if len(rows):
            sink.rows(rows)
        error = stopped
    checkpoint = _saved(system, stepper)
    if isinstance(error, DivergenceError | LawError):
        error.causes = (*bodies.causes(), *error.causes)
    if error is not None:
        status, message = "failed", str(error)
    sink.checkpoint(checkpoint)
    sink.close(status, message)
    if error is not None:
        raise error
    if status == "finished":
        if not balance.tell(system) and turning is not None:  # what breaks down has no forces worth telling of
            turning.tell(system)
        steep.tell()
        if loads is not None:
            loads.tell(bool(run.adaptive))
        bodies.tell()
        _tell_unresolved(system)
        if stepper is not None:
            stepper.finished()
    return system


def _saved(system: System, stepper: Stepper | None) -> dict[str, Any]:
    """What a restart needs."""
    return save_state(system) | ({} if stepper is None else stepper.state())


def _tell_unresolved(system: System) -> None:
    """Contacts whose impacts were shorter than any step."""
    count = int(system.run.unresolved)
    if count:
        run = system.run
        name = system.mechanism.terms[int(run.unresolved_term)].name
        steps = "a step" if count == 1 else f"{count} steps"
        warn(
            f"contacts found {steps} too long that were short beside any vibration of the bodies on them already, last {name!r} at t = {float(run.unresolved_time):.6g} s: the point where it touches "
            f"or its normal leapt there, and no shorter step would have followed that. What happened in them is not resolved: see whether `energy.check_sum` is even there and the force `{name}.normal_force` goes on as it should; "
            f"`{name}.deepest` tells a body that sinks in by half of its thickness or more, which needs a stiffer law; else a softer law helps, or a shorter step to begin with",
            UnresolvedContact,
        )


def _steps(system: System, exchange: Exchange | None) -> int:
    """At most STEPS_MAX steps, one by one where somebody takes part in them; the status that they end with."""
    if exchange is None:
        return system.call("loop")
    run = system.run
    count, outcome = int(run.steps_max), CHUNK_DONE
    run.steps_max = 1
    try:
        for _ in range(count):
            reached = float(run.time0)
            if run.end_time - reached <= 1e-9 * run.max_step:
                break
            exchange.before_step(system, _next_time(system))
            outcome = system.call("loop")
            if run.time0 == reached:  # it failed, or there is no room for a further row
                break
            exchange.after_step(system)
    finally:
        run.steps_max = count
    return outcome


def _next_time(system: System) -> float:
    """Where the next step leads, if it is not cut [s]: as in `flexor.engine.loop`."""
    run = system.run
    grid = run.output_step if run.adaptive else run.max_step
    target = min(run.start_time + (run.step_count + 1) * grid, run.end_time) if grid > 0 else run.end_time
    return float(target if target - run.time0 < 1.0001 * run.next_step else run.time0 + run.next_step)


def _first_step(system: System, chosen: DynamicsSettings, begin: dict[str, Any]) -> int:
    """The first step. Its start is made for one length: where it took another one, it begins anew with that."""
    run = system.run
    rows, recorded, step_rows, steps_max = run.rows_used, run.recorded, run.step_rows_used, run.steps_max
    cuts = int(run.cuts)
    run.steps_max = 1
    outcome = CHUNK_DONE
    for _ in range(BEGINNINGS):
        outcome = system.call("loop")
        taken = float(system.run.last_step)
        if outcome != CHUNK_DONE or abs(taken - begin["next_step"]) < 1e-3 * taken:
            break
        if run.step_rows_used and StepRow(system.memory.step_rows).transitions:
            break  # accelerations have been solved for anew at its end
        begin["next_step"], begin["dropped"] = taken, np.array(system.dropped, dtype=np.int64)
        load_state(system, begin)
        run.rows_used, run.recorded, run.step_rows_used = rows, recorded, step_rows
        start(system, chosen)
    if run.step_rows_used:
        StepRow(system.memory.step_rows).cut_backs = run.cuts - cuts
    run.steps_max = steps_max
    return outcome


def _same_redundancy(system: System, chosen_at: list[float]) -> bool:
    """Determine the redundant constraints anew; whether they are the same, or were chosen anew here already."""
    before, now = list(system.dropped), float(system.run.time0)
    again = chosen_at.count(now) > len(before)
    chosen_at[:] = [time for time in chosen_at if time == now] + [now]
    return find_redundant(system) == before or again


def _remedies(system: System) -> Iterator[str]:
    """What is tried, one after the other, before a run is given up; each lasts for the rest of the run."""
    if system.symmetric:
        system.use_lu()
        yield "unsymmetric matrix"
    system.use_pivoted()
    yield "pivoting over the whole matrix"
