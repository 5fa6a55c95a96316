"""Change points: positions in which more constraints follow from others than on the motion from there.

*Start.* Which follow from others is judged where the motion has left that position. Its accelerations and multipliers at the
start are those to which the ones a little later lead, a(0) = 2 a(ε) − a(2ε): at the change point itself the constraints do not
determine them.

*Small motions.* Their equations are not linear there: the ways on are the solutions of quadratic equations, a cross of lines or
planes and no space of its own, so that there are no modes.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from flexor.engine.initial import (
    assemble_positions,
    free_velocities,
    move,
    project_velocities,
    set_proper,
    solve_accelerations,
)
from flexor.engine.memory import OK
from flexor.engine.redundancy import choice, driven_constraints, find_redundant
from flexor.engine.system import System
from flexor.errors import AssemblyError, SolveError
from flexor.law import RESIDUAL
from flexor.solve.turns import driven

AWAY = 1e-3
"""How far from a position its redundancy is judged, in parts of the model's size and in rad."""
LATER, CHANGED = (1e-4, 1e-3, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0), 1e-9
"""Parts of the time that is left at which motors and loads are looked at, and relative difference of loads that count as others."""
TRIES = 6
"""Directions in which a way on is looked for."""
SMOOTHEST = 24
"""How often the time to the end is halved to find where smooth motors have left their start."""
_STATE = ("x", "R", "v", "a", "proper", "pseudo", "s", "s_pseudo", "lam")
_FOUND = ("a", "s", "lam")


def leave_change_point(system: System, advance: Callable[[System, float], None]) -> bool:
    """Whether the system stands at a change point; then constraints, accelerations and multipliers are those of its way on.

    advance: moves the system along its motion by a time.
    """
    if not system.dropped:
        return False
    eps = _time_away(system)
    if eps is None:  # it rests for a while, or is moved so smoothly that nothing tells its way yet
        if _moved_later(system) and _fewer_off(system):
            raise _at_rest()
        return False
    before, keep = choice(system), system.copy(*_STATE)
    time, moving = float(system.run.time), _speed(system) * eps > 0.5 * AWAY
    found: list[list[np.ndarray]] = []
    if not _fewer_later(system, advance, eps, keep):
        system.lock(*before)
        return False
    if not moving:
        if _can_leave(system, keep):
            raise change_point()
        raise _at_rest() if _driven_later(system) else _cannot_leave()
    try:
        for later in (eps, 2 * eps):
            advance(system, later)
            system.run.time = time + later
            assemble_positions(system)
            project_velocities(system)
            solve_accelerations(system)
            found.append(list(system.copy(*_FOUND).values()))
            _restore(system, keep, time)
    except SolveError as failure:
        raise change_point() from failure
    finally:
        _restore(system, keep, time)
    acc, scalars, lam = (2 * first - second for first, second in zip(*found, strict=True))
    memory = system.memory
    memory.a[:], memory.lam[:], memory.s[2::3] = acc, lam, scalars[2::3]
    set_proper(system)
    memory.pseudo[:], memory.s_pseudo[:] = acc, scalars[2::3]
    return True


def _time_driven(system: System) -> float | None:
    """A time at which motors have gone by AWAY, soon; None if there are none that go so far."""
    now, end = float(system.run.time), float(system.run.end_time)
    begin, far = driven(system, now), AWAY * min(1.0, float(system.run.length_scale))
    later = [now + (end - now) * 0.5**k for k in range(SMOOTHEST)] if begin and end > now else []
    moved = [t for t in later if max(abs(value - begin[name]) for name, value in driven(system, t).items()) > far]
    return moved[-1] if moved else None


def _can_leave(system: System, keep: dict[str, np.ndarray]) -> bool:
    """Whether there is a position close by, a part of AWAY off, in which all constraints are met, motors having gone as far."""
    time, before, length = float(system.run.time), choice(system), float(system.run.length_scale)
    x, R, later = keep["x"].reshape(-1, 3), keep["R"].reshape(-1, 3, 3), _time_driven(system)
    chance = np.random.default_rng(1)
    try:
        for _ in range(TRIES):
            system.lock(before[0], before[1])
            _a_little_off(system, chance)
            system.lock([])
            system.run.time = time if later is None else later
            assemble_positions(system)
            turned = system.memory.R.reshape(-1, 3, 3) - R
            far = max(float(np.abs(system.nodes("x") - x).max()) / length, float(np.abs(turned).max()))
            if far > 0.1 * AWAY:
                return True
            _restore(system, keep, time)
    except SolveError:
        return True  # unknown
    finally:
        _restore(system, keep, time)
        system.lock(*before)
    return False


def _a_little_off(system: System, chance: np.random.Generator) -> None:
    """Move by AWAY in a direction that the active constraints permit."""
    off = free_velocities(system, chance.standard_normal(system.equations.pattern.n))
    far = float((np.sqrt(system.memory.norm_weight) * np.abs(off)).max())
    move(system, AWAY / max(far, 1e-300) * off)


def refuse_modes_at_change_point(system: System) -> None:
    """AssemblyError if the system stands at a change point: a little off, fewer constraints follow from others."""
    if system.dropped and _fewer_off(system):
        raise AssemblyError(
            "the mechanism stands at a change point, where it can go on in several ways: its small motions have no modes there",
            causes=["links that lie in one line, as in a flat parallelogram; ask for modes about a position off it"],
        )


def _fewer_off(system: System) -> bool:
    """Whether fewer constraints follow from others a little off, in some direction that the active ones permit."""
    before, keep, time = choice(system), system.copy(*_STATE), float(system.run.time)
    try:
        _a_little_off(system, np.random.default_rng(1))
        assemble_positions(system)
        return len(find_redundant(system)) < len(before[0])
    except SolveError:  # it cannot go that way
        return False
    finally:
        _restore(system, keep, time)
        system.lock(*before)


def _driven_later(system: System) -> bool:
    """Whether motors prescribe a motion at some time up to the end."""
    rest = float(system.run.end_time - system.run.time)
    return any(driven_constraints(system, part * rest) for part in LATER)


def _moved_later(system: System) -> bool:
    """Whether motors or loads move the resting system before the end."""
    if _driven_later(system):
        return True
    now, rest = float(system.run.time), float(system.run.end_time - system.run.time)
    loads = []
    for part in (0.0, *LATER):
        system.run.time = now + part * rest
        done = system.evaluate(RESIDUAL) == OK
        system.run.time = now
        if not done:
            return False
        loads.append(system.memory.residual[system.is_coordinate])
        if np.abs(loads[-1] - loads[0]).max(initial=0.0) > CHANGED * np.abs(loads[-1]).max(initial=0.0):
            return True
    return False


def _fewer_later(
    system: System, advance: Callable[[System, float], None], eps: float, keep: dict[str, np.ndarray]
) -> bool:
    """Whether fewer constraints follow from others a little later; those are switched off then."""
    count, time = len(system.dropped), float(system.run.time)
    try:
        advance(system, eps)
        system.run.time = time + eps
        return len(find_redundant(system)) < count
    except SolveError:  # the path leaves what the model allows; the run will say so
        return False
    finally:
        _restore(system, keep, time)


def _restore(system: System, keep: dict[str, np.ndarray], time: float) -> None:
    system.put(keep)
    system.run.time = time
    if system.mechanism.followers:
        system.call("follow")


def _speed(system: System) -> float:
    v = np.abs(system.nodes("v"))
    return max(float(v[:, :3].max()) / float(system.run.length_scale), float(v[:, 3:].max()))


def _time_away(system: System) -> float | None:
    """ε after which v ε + ½ a ε² is AWAY; None if that is not before the end."""
    a, v = np.abs(system.nodes("a")), _speed(system)
    most = max(float(a[:, :3].max()) / float(system.run.length_scale), float(a[:, 3:].max()))
    root = v + math.sqrt(v * v + 2.0 * most * AWAY)
    eps = 2.0 * AWAY / root if root > 0.0 else math.inf
    return eps if eps < float(system.run.end_time - system.run.time) else None


def change_point(how: str = "starts", why: str = "nothing tells in which") -> AssemblyError:
    """how: the mechanism "starts", "rests", "comes to rest" or "stands" there."""
    return AssemblyError(
        f"the mechanism {how} at a change point, where it can go on in several ways, and {why}",
        causes=[
            "links that lie in one line, as in a flat parallelogram; give start rates of all joints, or start well off, by 0.1 rad or so"
        ],
    )


def _at_rest() -> AssemblyError:
    return change_point("rests", "what sets it in motion later does not tell either")


def _cannot_leave() -> AssemblyError:
    return AssemblyError(
        "the mechanism starts at a dead centre that it cannot leave: it can go on in no way, but no finite force of its "
        "constraints carries the loads there",
        causes=[
            "a rod or joint at right angles to the only motion that others leave free; hold that motion by a joint, or leave "
            "out the constraint that blocks it"
        ],
    )
