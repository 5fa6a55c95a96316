"""A consistent start: loops closed and velocities compatible, with everything that the user stated met.

What is stated (a joint's start, a body's position, …) and the constraints are equations alike; what was left open
moves as little as they allow, lengths measured in parts of the model's size. With r the equations of `loops` and J
their gradient, each step is the shortest one,

    [ I  Jᵀ ] [ δ ]   [  0 ]
    [ J  −ε ] [ μ ] = [ −r ]

where a tiny ε lets equations repeat each other. Where the bodies fit with all joint variables zero, as they often are
drawn, they are led from there to the stated values on a path on which no loop opens, so that they stay on the branch
of the drawing. Equations that contradict each other are found by meeting the constraints alone, with what is stated
as near as it gets: min |r_stated| subject to r_constraints = 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from flexor.errors import LawError
from flexor.joints import Joint
from flexor.model.contradiction import cannot_close, contradiction, turned_over
from flexor.model.givens import AGREE, Motion
from flexor.model.joint_state import Placement, gaps
from flexor.model.least_moves import largest, nearest, shortest, solved
from flexor.model.loops import STATED, STRUCTURE, Loops, Rows
from flexor.model.placement import moved, poses_at_zero
from flexor.model.start_velocities import moving

ROUNDING = 1e-14
"""Equations count as met, in parts of the model's size and in rad."""
UNDERWAY = 1e-4
"""The same on the way to stated values."""
REACH = 0.3
"""Longest move of one step, in parts of the model's size and in rad."""
STRIDE = 0.2
"""How far stated values are led at once [rad, parts of the size]."""


def assembled(items: Sequence[Any], placement: Placement, size: float) -> tuple[Placement, Placement]:
    """The start with loops closed, and the placement that it was led from; AssemblyError if there is none.

    size: of the model [m].
    """
    try:
        loops = Loops(items, placement, size)
        with np.errstate(all="ignore"):
            origin, motion = _closed(loops, items, placement)
            motion = moving(loops, motion)
    except LawError:  # a law that cannot be evaluated at the start; the computation says so in its own words
        return placement, placement
    return moved(placement, items, loops.poses(motion), loops.twists(motion)), origin


# ---- positions


def _closed(loops: Loops, items: Sequence[Any], placement: Placement) -> tuple[Placement, Motion]:
    begin = loops.motion(placement.poses, placement.twists)
    rows = loops.position_rows(begin)
    if not np.all(np.isfinite(rows.r)) or not len(loops.unit):
        return placement, begin
    for origin, found in _attempts(loops, items, placement, begin, rows):
        if found is not None and not _askew(loops, items, placement, found):
            return origin, found
    found = _nearest(loops, begin)
    if found is None:
        raise cannot_close(loops, _settled(loops, begin))
    off = loops.position_rows(found)
    askew = _askew(loops, items, placement, found)
    if askew:
        raise turned_over(askew)
    if largest(off.off()) > AGREE:
        raise contradiction(loops, loops.positions, found, off, loops.position_rows, _alone(loops, found))
    return placement, found


def _attempts(
    loops: Loops, items: Sequence[Any], placement: Placement, begin: Motion, rows: Rows
) -> Iterator[tuple[Placement, Motion | None]]:
    """Ways to close the loops, the likeliest first, each with the placement that it starts from."""
    gap = largest(rows.off())
    zero = _at_zero(loops, items, placement) if gap > AGREE else None
    drawn = zero is not None and _drawn(loops, zero[1], gap)
    chance = np.random.default_rng(1)
    if zero is not None and drawn:
        yield zero[0], _led(loops, zero[1])
        yield (
            zero[0],
            _led(loops, loops.displaced(zero[1], 0.02 * chance.standard_normal(len(loops.unit)))),
        )  # dead centre
    found = _close(loops, begin, 0.0)
    yield placement, found
    if gap < 10 * AGREE:
        return  # values that agree only nearly
    if zero is not None and not drawn:
        yield zero[0], _led(loops, zero[1])
    for _ in range(4):
        yield placement, _close(loops, loops.displaced(begin, 0.1 * chance.standard_normal(len(loops.unit))), 0.0)


def _at_zero(loops: Loops, items: Sequence[Any], placement: Placement) -> tuple[Placement, Motion] | None:
    poses = poses_at_zero(items, placement)
    if all(
        np.array_equal(poses[name].p, X.p) and np.array_equal(poses[name].R, X.R) for name, X in placement.poses.items()
    ):
        return None
    origin = moved(placement, items, poses, placement.twists)
    return origin, loops.motion(poses, placement.twists)


def _drawn(loops: Loops, zero: Motion, gap: float) -> bool:
    """Whether the bodies fit (nearly) with all joint variables zero, better than at the stated values."""
    rows = loops.position_rows(zero)
    structure = largest(rows.r[rows.kind == STRUCTURE])
    return structure < min(0.25, 0.5 * gap)


def _led(loops: Loops, motion: Motion) -> Motion | None:
    """From a position in which the loops are (nearly) closed to the stated values, step by step."""
    rows = loops.position_rows(motion)
    far = np.where(rows.kind == STRUCTURE, 0.0, rows.off())
    found = _close(loops, motion, far, enough=UNDERWAY)
    at, stride = 0.0, min(1.0, STRIDE / max(largest(far), 1e-300))
    while found is not None and at < 1.0:
        nearer = min(1.0, at + stride)
        enough = ROUNDING if nearer == 1.0 else UNDERWAY
        ahead = _close(loops, found, (1.0 - nearer) * far, iterations=12, enough=enough)
        if ahead is not None:
            found, at = ahead, nearer
        elif stride * largest(far) < 0.01 * STRIDE:
            return None
        else:
            stride *= 0.5
    return found


def _close(
    loops: Loops,
    motion: Motion,
    targets: np.ndarray | float,
    which: Callable[[Rows], np.ndarray] | None = None,
    iterations: int = 60,
    enough: float = ROUNDING,
) -> Motion | None:
    """Meet the equations (those of `which`) with the shortest moves; None if that fails."""
    rows = loops.position_rows(motion)
    chosen = slice(None) if which is None else which(rows)
    off = rows.off(targets)[chosen]
    for _ in range(iterations):
        far = largest(off)
        if far <= enough:
            return motion
        move = shortest(rows.J[chosen], off)
        if move is None:
            return None
        factor = min(1.0, REACH / max(largest(move), 1e-300))
        for _ in range(8):
            trial = loops.displaced(motion, factor * move)
            ahead = loops.position_rows(trial)
            new = ahead.off(targets)[chosen]
            if np.linalg.norm(new) < np.linalg.norm(off):
                break
            if far < 1e-12:
                return motion  # rounding
            factor *= 0.5
        else:
            return None
        if far < 1e-9 and largest(new) > 0.5 * far:
            return trial if largest(new) < 1e-12 else None
        motion, rows, off = trial, ahead, new
    return None


def _askew(loops: Loops, items: Sequence[Any], placement: Placement, motion: Motion) -> dict[str, float]:
    """Joints that are closed the wrong way round, with their angle: axes are perpendicular after half a turn as well."""
    here = moved(placement, items, loops.poses(motion), placement.twists)
    joints = [item for item in items if isinstance(item, Joint)]
    found = {joint.called(joint.name): gaps(joint, here.joints[joint.name])[1] for joint in joints}
    return {name: angle for name, angle in found.items() if angle > 1e-3}


# ---- what cannot be met


def _constraints(rows: Rows) -> np.ndarray:
    return np.flatnonzero(rows.kind != STATED)


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
        found = _close(loops, start, 0.0, _constraints)
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
        trial = _close(loops, loops.displaced(found, factor * move), 0.0, _constraints, iterations=15)
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
    return lambda number: _close(
        loops, begin, 0.0, lambda rows: np.flatnonzero((rows.kind != STATED) | (rows.owner != number))
    )
