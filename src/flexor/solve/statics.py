"""Static equilibrium under load, with load stepping.   FTG 7.8"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from flexor.arguments import quantity_of, whole
from flexor.engine.columns import choose_signals, take_rows
from flexor.engine.initial import masses_of, set_proper
from flexor.engine.memory import READING, ROTATION
from flexor.engine.redundancy import check_closed, choice, find_redundant, judged_here
from flexor.engine.system import System
from flexor.errors import AssemblyError, DivergenceError, FlexorError, LawError, SingularError, SolveError
from flexor.law import RESIDUAL
from flexor.model import Model
from flexor.solve.change_point import change_point
from flexor.solve.histories import commit
from flexor.solve.leaping_contact import tell_leaps
from flexor.solve.linear_bodies import tell_limits
from flexor.solve.prepare import RedundantConstraints, compile_model
from flexor.solve.resting_states import settled_states
from flexor.solve.rotation import SteadyRotation, turntable
from flexor.solve.stability import warn_if_unstable
from flexor.solve.state import StartState, adopt, save_state, state_of
from flexor.solve.static_grip import extent_of_contacts, largest_load, touching
from flexor.solve.static_search import ANY, LARGEST_TURN, StaticSearch, no_equilibrium
from flexor.solve.static_ways import FIRST_TRY, POSITION, try_all
from flexor.solve.turns import driven, led, set_turns, wound
from flexor.threads import one_thread
from flexor.units import Quantity, Triple
from flexor.warning import warn


@dataclass(frozen=True)
class Equilibrium:
    """A static solution: signals by name, as in a dynamic run, and the state for further analyses."""

    signals: dict[str, float]
    units: dict[str, str]
    state: dict[str, Any]
    iterations: int

    def __getitem__(self, name: str) -> float | np.ndarray:
        if name in self.signals:
            return self.signals[name]
        parts = [f"{name}_{axis}" for axis in ("xyz" if f"{name}_w" not in self.signals else "wxyz")]
        if all(part in self.signals for part in parts):
            return np.array([self.signals[part] for part in parts])
        import difflib

        near = difflib.get_close_matches(name, self.signals, 3)
        raise FlexorError(
            f"no signal '{name}' in the equilibrium" + (f"; did you mean {', '.join(near)}?" if near else "")
        )


@one_thread
def statics(
    model: Model,
    *,
    angular_velocity: Triple | None = None,
    about: Triple = (0.0, 0.0, 0.0),
    time: Quantity | None = None,
    start: StartState | None = None,
    load_steps: int = 1,
    tolerance: float = 1e-10,
    python: bool = False,
) -> Equilibrium:
    """Position in which all forces balance, functions of time taken at `time` [s], 0 or that of the start if left out.

    start: the result of another analysis, from whose position the search begins; else from the declared one.

    angular_velocity: the whole mechanism, with the ground it stands on, turns steadily, e.g. (0, 0, "300 rpm"), about
        an axis through the point `about` [m], and centrifugal forces act.   NAK 4.3
        The position is that in the rotating frame. Loads of fixed direction are taken to turn along.
    load_steps: gravity, applied forces and speed are raised in this many steps, for strongly nonlinear cases.

    What the model has `at_rest` acts as well.

    The search goes downhill in the potential, to a stable position. A start exactly on top stays there; the warning
    `UnstableEquilibrium` says so, feedback by sensors counted (not beyond 600 coordinates: there `modes` tell). In steady rotation it says
    that centrifugal forces exceed the stiffness, beyond a critical speed; `modes` tell whether gyroscopic forces hold it then.
    """

    model = model.resting() if isinstance(model, Model) else model
    began = None if start is None else state_of(start)
    instant = float(began["time"] if began else 0.0) if time is None else quantity_of("statics", "time", time, "time")

    def settle(system: System) -> int:
        if not any(body.flexible for body in system.bodies):  # their nodes cannot be moved one by one
            before = system.copy(*POSITION)
            try:
                led(system, instant)
            except AssemblyError:  # there is no such way; there may be an equilibrium
                system.put(before)
        system.run.time = system.run.time0 = instant
        set_turns(system, driven(system, instant))
        rotation = None if angular_velocity is None else turntable(system, angular_velocity, about)
        return find_equilibrium(system, load_steps=load_steps, tolerance=tolerance, rotation=rotation)

    system = compile_model(model, symmetric=False, python=python, settle=settle if began is None else None)
    if began is not None:
        adopt(system, began)
    before = len(system.dropped)
    iterations = settle(system)
    if len(system.dropped) > before:
        warn(
            "the mechanism comes to rest at a change point, as with links in one line: there more constraints follow from "
            "others, reactions are not unique, and it could go on in several ways",
            RedundantConstraints,
        )
    columns = choose_signals(system, None, True)
    system.run.step_size = 0.0
    system.call("energies")
    system.call("write")
    row = take_rows(system)[0][0]
    found = Equilibrium(
        {name: float(value) for (name, _), value in zip(columns, row, strict=True)},
        dict(columns),
        save_state(system),
        iterations,
    )
    tell_limits(system)
    warn_if_unstable(system, None if angular_velocity is None else turntable(system, angular_velocity, about))
    return found


def find_equilibrium(
    system: System,
    *,
    load_steps: int = 1,
    tolerance: float = 1e-10,
    max_iterations: int = 200,
    rotation: SteadyRotation | None = None,
) -> int:
    """Bring the system to equilibrium, at rest or in steady rotation; returns the number of iterations.

    Newton's method; where the stiffness is singular, the step too bold or uphill, a multiple of the mass metric is added
    to it, which is reduced as the residual falls (pseudo-transient continuation). If that takes too long, loads and
    speed are raised in steps as long as plain Newton converges in without going uphill.
    """
    load_steps = whole("statics", "load_steps", load_steps)
    tolerance = quantity_of("statics", "tolerance", tolerance, "dimensionless", 0.0)
    system.use_lu()
    system.zero("v", "a", "pseudo")
    system.run.still = 1
    system.open_regimes()
    system.memory.s[1::3] = 0.0
    system.memory.s[2::3] = 0.0
    if system.mechanism.followers:
        system.call("follow")
    total, unwinding = 0, min(MOST_UNWINDING, int(2 * wound(system) / LARGEST_TURN))

    def balanced(factor: float, most: int, way: str = ANY) -> int:
        """Iterations at a share of the loads; the state is as before if there is no equilibrium."""
        system.share_loads(factor)
        steady = None if rotation is None else rotation.at(factor * rotation.speed)
        before, left_out = system.copy(*POSITION), choice(system)
        try:
            used = _balance_where_it_is(system, tolerance, most, steady, way)
        except SolveError:
            system.put(before)
            system.lock(*left_out)
            if system.mechanism.followers:
                system.call("follow")
            raise
        if steady is not None:
            steady.impose(system)
            set_proper(system)
        if commit(system):  # the others have to carry on without it
            return used + balanced(factor, most, way)
        return used

    try:
        for step in range(1, load_steps + 1):
            low, high = (step - 1) / load_steps, step / load_steps
            try:
                total += settled_states(system, partial(balanced, high, min(FIRST_TRY, max_iterations) + unwinding))
            except (DivergenceError, LawError, SingularError) as error:  # a law may refuse what a bold iterate asks for
                if isinstance(error, SingularError) and not touching(system):
                    raise
                total += try_all(system, balanced, low, high, max_iterations + unwinding)
    except SolveError as error:
        if rotation is not None and error.causes:
            error.causes = (TOO_FAST, *error.causes)
        raise
    finally:
        system.share_loads(1.0)
    return total


FARTHEST = 1e3
"""How far bodies may go from where they were drawn, in sizes of the model, that loses digits rightly."""
MOST_UNWINDING = 2000
"""Further iterations for springs that are wound up."""
TOO_FAST = "a speed beyond a critical one, where centrifugal forces exceed the stiffness; lower it, or start near the position sought"


def _balance_where_it_is(system: System, tolerance: float, most: int, rotation: SteadyRotation | None, way: str) -> int:
    """Iterations to balance, with the constraints left out that follow from others in that position, not in the drawing.

    Where links come to lie in one line, one more does: without it the stiffness would be singular.
    """
    count, used = len(system.dropped), 0
    try:
        used = _balance(system, tolerance, most, rotation, way)
        again = bool(count) and judged_here(system)
    except SingularError:
        if len(find_redundant(system)) <= count:
            raise
        again = True
    if again:
        try:
            used += _balance(system, tolerance, most, rotation, way)
        except SingularError as failure:
            raise (change_point("comes to rest") if len(system.dropped) > count else failure) from None
    check_closed(system)
    return used


def _balance(
    system: System, tolerance: float, max_iterations: int, rotation: SteadyRotation | None, way: str = ANY
) -> int:
    kinds = system.memory.norm_kind
    active = np.union1d(np.union1d(system.coordinates, system.constraints), np.flatnonzero(kinds == READING))
    if not len(active):  # everything is held
        set_proper(system)
        system.evaluate(RESIDUAL)
        return 0
    own = system.is_coordinate[active]
    W = np.zeros(len(active))
    W[own] = masses_of(system)
    length = system.run.length_scale
    turning = kinds[active][own] == ROTATION
    nodes, numbers = np.full(len(kinds), -1), system.node_rows
    nodes[numbers[1]] = numbers[0][:, None]
    search = StaticSearch(system, rotation, way, tolerance, active, own, nodes[active], turning, W, length)
    contacts = touching(system)
    farthest = FARTHEST * max(float(length), float(np.abs(system.nodes("x")).max()))
    reach = extent_of_contacts(system) if contacts else 0.0
    for iteration in range(1, max_iterations + 1):
        search.linearise()
        search.step()
        if search.is_indifferent(_sizes(system, active, farthest, reach)):
            return iteration
        search.hold_what_is_free()
        search.turn_downhill()
        if search.only_rounds():
            return iteration
        search.go()
        if search.has_arrived():
            return iteration
        if contacts and search.is_between_places(partial(largest_load, system)):
            tell_leaps(system, search.size, search.left)
            return iteration
        search.choose_shift(iteration)
    raise no_equilibrium(system, f"no equilibrium found in {max_iterations} iterations")


def _sizes(system: System, active: np.ndarray, farthest: float, reach: float = 0.0) -> np.ndarray:
    """Of the unknowns, as far as rounding of them goes: positions [m], rotations (one), modal coordinates, multipliers.

    farthest: what is farther away [m] slides or falls for ever, and is not at rest for the digits that it loses there.   reach: of surfaces that touch [m].
    """
    sizes = np.ones(system.equations.pattern.n)
    size = max(float(system.run.length_scale), float(np.abs(system.nodes("x")).max()), reach)
    sizes[system.is_coordinate] = min(size, farthest)
    sizes[system.multiplier_rows] = np.abs(system.memory.lam)
    sizes[system.memory.norm_kind == ROTATION] = 1.0
    chosen: np.ndarray = sizes[active]
    return chosen
