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
from scipy.sparse.linalg import splu

from flexor.errors import AssemblyError, LawError
from flexor.joints import Joint
from flexor.model.contradiction import cannot_close, contradiction
from flexor.model.givens import Motion
from flexor.model.loops import STATED, STRUCTURE, Loops, Rows
from flexor.model.placement import Placement, gaps, moved, poses_at_zero

EPSILON = 1e-12
"""Lets equations repeat each other; of the square of a row's length."""
ROUNDING = 1e-14
"""Equations count as met, in parts of the model's size and in rad."""
AGREE = 1e-6
"""Stated values that contradict each other by less than this agree; they are met in the mean."""
REACH = 0.3
"""Longest move of one step, in parts of the model's size and in rad."""
STRIDE = 0.2
"""How far stated values are led at once [rad, parts of the size]."""


def assembled(items: Sequence[Any], placement: Placement, size: float) -> tuple[Placement, Placement]:
    """The start with loops closed, and the placement that it was led from; AssemblyError if there is none.

    size: of the model [m].
    """
    loops = Loops(items, placement, size)
    try:
        with np.errstate(all="ignore"):
            origin, motion = _closed(loops, items, placement)
            motion = _moving(loops, motion)
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
        if found is not None and _upright(loops, items, placement, found):
            return origin, found
    found = _nearest(loops, begin)
    if found is None:
        raise cannot_close(loops, _settled(loops, begin))
    off = loops.position_rows(found)
    if np.abs(off.off()).max(initial=0.0) > AGREE:
        raise contradiction(loops, loops.positions, found, off, loops.position_rows, _alone(loops, found))
    return placement, found


def _attempts(
    loops: Loops, items: Sequence[Any], placement: Placement, begin: Motion, rows: Rows
) -> Iterator[tuple[Placement, Motion | None]]:
    """Ways to close the loops, the likeliest first, each with the placement that it starts from."""
    gap = _largest(rows.off())
    zero = _at_zero(loops, items, placement) if gap > AGREE else None
    drawn = zero is not None and _drawn(loops, zero[1], gap)
    if zero is not None and drawn:
        yield zero[0], _led(loops, zero[1])
    found = _close(loops, begin, 0.0)
    yield placement, found
    if gap < 10 * AGREE:
        return  # values that agree only nearly
    if zero is not None and not drawn:
        yield zero[0], _led(loops, zero[1])
    chance = np.random.default_rng(1)
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
    structure = _largest(rows.r[rows.kind == STRUCTURE])
    return structure < min(0.1, 0.5 * gap)


def _led(loops: Loops, motion: Motion) -> Motion | None:
    """From a position in which the loops are (nearly) closed to the stated values, step by step."""
    rows = loops.position_rows(motion)
    far = np.where(rows.kind == STRUCTURE, 0.0, rows.off())
    found = _close(loops, motion, far)
    at, stride = 0.0, min(1.0, STRIDE / max(_largest(far), 1e-300))
    while found is not None and at < 1.0:
        nearer = min(1.0, at + stride)
        ahead = _close(loops, found, (1.0 - nearer) * far, iterations=12)
        if ahead is not None:
            found, at = ahead, nearer
        elif stride * _largest(far) < 0.01 * STRIDE:
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
) -> Motion | None:
    """Meet the equations (those of `which`) with the shortest moves; None if that fails."""
    rows = loops.position_rows(motion)
    chosen = slice(None) if which is None else which(rows)
    off = rows.off(targets)[chosen]
    for _ in range(iterations):
        largest = _largest(off)
        if largest <= ROUNDING:
            return motion
        move = shortest(rows.J[chosen], off)
        if move is None:
            return None
        factor = min(1.0, REACH / max(_largest(move), 1e-300))
        for _ in range(8):
            trial = loops.displaced(motion, factor * move)
            ahead = loops.position_rows(trial)
            new = ahead.off(targets)[chosen]
            if np.linalg.norm(new) < np.linalg.norm(off):
                break
            if largest < 1e-12:
                return motion  # rounding
            factor *= 0.5
        else:
            return None
        if largest < 1e-9 and _largest(new) > 0.5 * largest:
            return trial if _largest(new) < 1e-12 else None
        motion, rows, off = trial, ahead, new
    return None


def shortest(J: sparse.csr_matrix, off: np.ndarray) -> np.ndarray | None:
    """The shortest δ with J δ = −r."""
    m, n = J.shape
    if m == 0:
        return np.zeros(n)
    return _solved(sparse.identity(n), J, np.zeros(n), -off)


def _solved(A: Any, J: sparse.csr_matrix, f: np.ndarray, g: np.ndarray) -> np.ndarray | None:
    """δ of [A Jᵀ; J −ε] [δ; μ] = [f; g]."""
    m, n = J.shape
    matrix = sparse.bmat([[A, J.T], [J, -EPSILON * sparse.identity(m)]], format="csc")
    try:
        solution = splu(matrix).solve(np.concatenate([f, g]))
    except RuntimeError:  # singular, or not finite
        return None
    return solution[:n] if np.all(np.isfinite(solution)) else None


def _largest(values: np.ndarray) -> float:
    return float(np.abs(values).max(initial=0.0))


def _upright(loops: Loops, items: Sequence[Any], placement: Placement, motion: Motion) -> bool:
    """Whether no joint is closed the wrong way round: axes are perpendicular after half a turn as well."""
    here = moved(placement, items, loops.poses(motion), placement.twists)
    joints = [item for item in items if isinstance(item, Joint)]
    return all(gaps(joint, here.joints[joint.name])[1] < 1e-3 for joint in joints)


# ---- what cannot be met


def _constraints(rows: Rows) -> np.ndarray:
    return np.flatnonzero(rows.kind != STATED)


def _settled(loops: Loops, motion: Motion) -> Motion:
    """The constraints as nearly closed as they get, all of them alike."""
    for _ in range(60):
        rows = loops.position_rows(motion)
        J, off = rows.J[_constraints(rows)], rows.off()[_constraints(rows)]
        move = _solved(J.T @ J + 1e-6 * sparse.identity(J.shape[1]), J[:0], -(J.T @ off), off[:0])
        if move is None or _largest(move) < 1e-9:
            break
        motion = loops.displaced(motion, min(1.0, REACH / _largest(move)) * move)
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
        move = _near(rows.J[stated], rows.off()[stated], rows.J[bound], rows.off()[bound])
        if move is None:
            return found
        factor = min(1.0, REACH / max(_largest(move), 1e-300))
        trial = _close(loops, loops.displaced(found, factor * move), 0.0, _constraints, iterations=15)
        if trial is None or np.linalg.norm(loops.position_rows(trial).off()[stated]) >= np.linalg.norm(
            rows.off()[stated]
        ):
            return found if _largest(move) < 1e-9 or trial is None else trial
        found = trial
        if _largest(move) < 1e-12:
            break
    return found


def _near(G: sparse.csr_matrix, off: np.ndarray, B: sparse.csr_matrix, phi: np.ndarray) -> np.ndarray | None:
    """min |G δ + r_stated| subject to B δ = −Φ, the shortest of all such."""
    return _solved(G.T @ G + 1e-9 * sparse.identity(G.shape[1]), B, -(G.T @ off), -phi)


def _alone(loops: Loops, begin: Motion) -> Callable[[int], Motion | None]:
    """Where the bodies would be without one of the stated values, all others met."""
    return lambda number: _close(
        loops, begin, 0.0, lambda rows: np.flatnonzero((rows.kind != STATED) | (rows.owner != number))
    )


# ---- velocities


def _moving(loops: Loops, motion: Motion) -> Motion:
    """Velocities that the constraints permit, the stated ones met."""
    rows = loops.velocity_rows(motion)
    rest = Motion(motion.x, motion.R, np.zeros_like(motion.v))
    fast = max(_largest(loops.velocity_rows(rest).r), _largest(rows.r), 1e-300)  # how fast the start is [1/s]
    best = motion
    for _ in range(8):
        change = shortest(rows.J, rows.r)
        if change is None:
            break
        trial = loops.sped(best, change)
        ahead = loops.velocity_rows(trial)
        if not _largest(ahead.r) < _largest(rows.r):
            break
        best, rows = trial, ahead
    if _largest(rows.r) <= AGREE * 1e-3 * fast:
        return best
    bound, stated = rows.kind != STATED, rows.kind == STATED
    for _ in range(3):
        change = _near(rows.J[stated], rows.r[stated], rows.J[bound], rows.r[bound])
        if change is None:
            break
        best = loops.sped(best, change)
        rows = loops.velocity_rows(best)
    if _largest(rows.r[bound]) > AGREE * fast:
        raise AssemblyError(
            f"the mechanism cannot move as its motors demand: constraints stay open by up to "
            f"{_largest(rows.r[bound]) * loops.size:.3g} m/s",
            worst=[
                (loops.name(rows, int(i)), float(rows.r[i]))
                for i in np.argsort(-np.abs(rows.r * bound))[:5]
                if bound[i]
            ],
            causes=[
                "a motor drives what other joints hold; remove one of them",
                "a dead centre: the driven joint cannot begin to move there; give another start",
            ],
        )
    if _largest(rows.r[stated]) > AGREE * fast:

        def without(number: int) -> Motion | None:
            kept = (rows.kind != STATED) | (rows.owner != number)
            change = shortest(rows.J[kept], rows.r[kept])
            return None if change is None else loops.sped(best, change)

        raise contradiction(loops, loops.velocities, best, rows, loops.velocity_rows, without)
    return best
