"""A consistent start: loops closed and velocities compatible, with everything that the user stated met.

What is stated (a joint's start, a body's position, …) and the constraints are equations alike; what was left open
moves as little as they allow (`closing`), lengths measured in parts of the model's size. Where the bodies fit with all
joint variables zero, as they often are drawn, they are led from there to the stated values on a path on which no loop
opens, so that they stay on the branch of the drawing. Mechanisms that share nothing but the ground are closed side by
side, each in its own way. Equations that contradict each other are found by meeting the constraints alone, with what is
stated as near as it gets: min |r_stated| subject to r_constraints = 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from scipy import sparse

from flexor.errors import AssemblyError, LawError, Problem
from flexor.joints import Joint
from flexor.model.closing import REACH, closed, led
from flexor.model.contradiction import cannot_close, contradiction, turned_over
from flexor.model.equations import STATED, STRUCTURE
from flexor.model.givens import AGREE, Motion
from flexor.model.joint_state import Placement
from flexor.model.least_moves import largest, largest_of_each, nearest, solved
from flexor.model.loops import Loops, Rows
from flexor.model.placement import moved, poses_at_zero
from flexor.model.start_velocities import moving, nearly_moving

TOLD = 10
"""Mechanisms that cannot be put together and are told one by one."""

Part = Sequence[Any]
"""The items of a mechanism that shares nothing but the ground with others."""


def assembled(
    items: Sequence[Any], parts: Sequence[Part], placement: Placement, size: float
) -> tuple[Placement, Placement]:
    """The start with loops closed, and the placement that it was led from; AssemblyError if there is none.

    parts: those with loops.   size: of the model [m].
    """
    start = _Start(placement)
    with np.errstate(all="ignore"):
        _assemble(parts, placement, size, start)
    if len(start.failures) == 1:
        raise start.failures[0]
    if start.failures:
        raise _together(start.failures)
    found = moved(placement, items, start.poses, start.twists)
    return found, replace(placement, joints={**placement.joints, **start.origin})


class _Start:
    """What has been found: poses and twists of bodies, joints in the position that they were led from, failures."""

    def __init__(self, placement: Placement) -> None:
        self.poses, self.twists = dict(placement.poses), dict(placement.twists)
        self.origin: dict[str, Any] = {}
        self.failures: list[AssemblyError] = []


def _assemble(parts: Sequence[Part], placement: Placement, size: float, start: _Start) -> None:
    try:
        loops = Loops(parts, placement, size)
        motion, fits = _closed(loops, parts, placement, start)
        motion, moves = moving(loops, motion, fits)
    except LawError:  # a law that cannot be evaluated at the start; the computation says so in its own words
        for part in parts if len(parts) > 1 else ():
            _assemble([part], placement, size, start)
        return
    start.poses.update(loops.poses(motion))
    start.twists.update(loops.twists(motion))
    for i in np.flatnonzero(~moves).tolist():
        if len(start.failures) == TOLD:
            more = f"{np.count_nonzero(~moves[i:])} more of its mechanisms cannot be put together"
            start.failures.append(AssemblyError([Problem("model", more)]))
            break
        try:
            _assemble_by_force(parts[i], placement, size, start, bool(fits[i]))
        except AssemblyError as failure:
            start.failures.append(failure)
        except LawError:
            continue


def _assemble_by_force(part: Part, placement: Placement, size: float, start: _Start, fits: bool) -> None:
    """A mechanism that could not be put together, or put in motion: stated values that agree only nearly are met in the
    mean; else AssemblyError says what contradicts what."""
    loops = Loops([part], placement, size)
    motion = loops.motion(start.poses, start.twists)
    if not fits:
        motion = _nearly_closed(loops, motion)
    start.poses.update(loops.poses(motion))
    start.twists.update(loops.twists(nearly_moving(loops, motion)))


def _together(failures: Sequence[AssemblyError]) -> AssemblyError:
    """One error for several mechanisms."""
    problems = [
        problem
        for failure in failures
        for problem in failure.problems or [Problem("model", str(failure).splitlines()[0])]
    ]
    return AssemblyError(
        problems,
        worst=[each for failure in failures for each in failure.worst],
        causes=list(dict.fromkeys(cause for failure in failures for cause in failure.causes)),
    )


# ---- positions


def _closed(loops: Loops, parts: Sequence[Part], placement: Placement, start: _Start) -> tuple[Motion, np.ndarray]:
    """The loops closed where that is possible, and the parts in which they are."""
    begin = loops.motion(placement.poses, placement.twists)
    rows = loops.position_rows(begin)
    gap = largest_of_each(rows.off(), rows.part, loops.count)
    found, waiting = begin, np.isfinite(gap)  # where it is no number the computation says so in its own words
    for origin, motion, met in _attempts(loops, parts, placement, begin, gap, waiting):
        good = waiting & met & ~_askew(loops, motion)
        found = loops.chosen(found, motion, good)
        for i in np.flatnonzero(good).tolist() if origin is not placement else ():
            names = (item.name for item in parts[i] if isinstance(item, Joint))
            start.origin.update({name: origin.joints[name] for name in names})
        waiting &= ~good
        if not waiting.any():
            break
    return found, ~waiting


def _attempts(
    loops: Loops,
    parts: Sequence[Part],
    placement: Placement,
    begin: Motion,
    gap: np.ndarray,
    waiting: np.ndarray,
) -> Iterator[tuple[Placement, Motion, np.ndarray]]:
    """Ways to close the loops, the likeliest first, each with the placement that it starts from and the parts it closes.

    waiting: mask of the parts that are not closed yet; it changes from one attempt to the next.
    """
    chance = [np.random.default_rng(1) for _ in parts]

    def shaken(motion: Motion, wanted: np.ndarray, reach: float) -> Motion:
        move = np.zeros(len(loops.unit))
        for i in np.flatnonzero(wanted).tolist():
            own = np.flatnonzero(loops.column_part == i)
            move[own] = reach * chance[i].standard_normal(len(own))
        return loops.displaced(motion, move)

    origin, zero, apart = _at_zero(loops, parts, placement, gap > AGREE)
    drawn = apart & _drawn(loops, zero, gap) if apart.any() else apart
    if drawn.any():
        yield origin, *led(loops, zero, drawn)
        wanted = drawn & waiting
        if wanted.any():
            yield origin, *led(loops, shaken(zero, wanted, 0.02), wanted)  # dead centre
    yield placement, *closed(loops, begin, waiting)
    far = gap >= 10 * AGREE  # values that agree better than that agree only nearly
    wanted = apart & ~drawn & far & waiting
    if wanted.any():
        yield origin, *led(loops, zero, wanted)
    for _ in range(4):
        wanted = far & waiting
        if wanted.any():
            yield placement, *closed(loops, shaken(begin, wanted, 0.1), wanted)


def _at_zero(
    loops: Loops, parts: Sequence[Part], placement: Placement, wanted: np.ndarray
) -> tuple[Placement, Motion, np.ndarray]:
    """The wanted parts with all joint variables zero, and those of them that do not stand so already."""
    chosen = [item for part, want in zip(parts, wanted) if want for item in part]
    poses = poses_at_zero(chosen, placement) if chosen else placement.poses
    apart = np.array(
        [
            any(item.name in poses and poses[item.name] != placement.poses[item.name] for item in part) and bool(want)
            for part, want in zip(parts, wanted)
        ]
    )
    if not apart.any():
        return placement, loops.motion(placement.poses, placement.twists), apart
    origin = moved(placement, chosen, poses, placement.twists)
    return origin, loops.motion(origin.poses, placement.twists), apart


def _drawn(loops: Loops, zero: Motion, gap: np.ndarray) -> np.ndarray:
    """Whether the bodies fit (nearly) with all joint variables zero, better than at the stated values."""
    rows = loops.position_rows(zero)
    structure = np.where(rows.kind == STRUCTURE, rows.r, 0.0)
    return largest_of_each(structure, rows.part, loops.count) < np.minimum(0.25, 0.5 * gap)


def _askew(loops: Loops, motion: Motion) -> np.ndarray:
    """Parts with joints that are closed the wrong way round: axes are perpendicular after half a turn as well."""
    return largest_of_each(loops.tilts(motion), loops.joint_part, loops.count) > ASKEW


ASKEW = 1e-3
"""Angle between the frames of a joint that is closed the wrong way round [rad]."""


# ---- what cannot be met, in one mechanism


_ALL = np.array([True])


def _nearly_closed(loops: Loops, begin: Motion) -> Motion:
    """The constraints met, and what is stated, if it agrees nearly; else AssemblyError says what does not."""
    found = _nearest(loops, begin)
    if found is None:
        raise cannot_close(loops, _settled(loops, begin))
    off = loops.position_rows(found)
    tilts = loops.tilts(found)
    askew = {joint.called(joint.name): float(tilt) for joint, tilt in zip(loops.table.joints, tilts) if tilt > ASKEW}
    if askew:
        raise turned_over(askew)
    if largest(off.off()) > AGREE:
        raise contradiction(loops, loops.positions, found, off, loops.position_rows, _alone(loops, found))
    return found


def _constraints(rows: Rows) -> np.ndarray:
    return rows.kind != STATED


def _close(loops: Loops, motion: Motion, which: Callable[[Rows], np.ndarray], iterations: int = 60) -> Motion | None:
    found, met = closed(loops, motion, _ALL, which=which, iterations=iterations)
    return found if met.all() else None


def _settled(loops: Loops, motion: Motion) -> Motion:
    """The constraints as nearly closed as they get, all of them alike."""
    for _ in range(60):
        rows = loops.position_rows(motion)
        J, off = rows.J[_constraints(rows)], rows.off()[_constraints(rows)]
        move = solved(J.T @ J + 1e-6 * sparse.identity(J.shape[1]), J[:0], -(J.T @ off), off[:0])
        if move is None or largest(move) < 1e-9:
            break
        motion = loops.displaced(motion, min(1.0, REACH / largest(move)) * move)
    return motion


def _nearest(loops: Loops, begin: Motion) -> Motion | None:
    """The constraints met, what is stated as nearly as it gets; None if the constraints cannot be met."""
    found = None
    chance = np.random.default_rng(1)
    for attempt in range(4):
        start = loops.displaced(begin, 0.1 * min(attempt, 1) * chance.standard_normal(len(loops.unit)))
        found = _close(loops, start, _constraints)
        if found is not None:
            break
    if found is None:
        return None
    for _ in range(100):
        rows = loops.position_rows(found)
        stated, bound = rows.kind == STATED, rows.kind != STATED
        move = nearest(rows.J[stated], rows.off()[stated], rows.J[bound], rows.off()[bound])
        if move is None:
            return found
        factor = min(1.0, REACH / max(largest(move), 1e-300))
        trial = _close(loops, loops.displaced(found, factor * move), _constraints, iterations=15)
        if trial is None or np.linalg.norm(loops.position_rows(trial).off()[stated]) >= np.linalg.norm(
            rows.off()[stated]
        ):
            return found if largest(move) < 1e-9 or trial is None else trial
        found = trial
        if largest(move) < 1e-12:
            break
    return found


def _alone(loops: Loops, begin: Motion) -> Callable[[int], Motion | None]:
    """Where the bodies would be without one of the stated values, all others met."""
    return lambda number: _close(loops, begin, lambda rows: (rows.kind != STATED) | (rows.owner != number))
