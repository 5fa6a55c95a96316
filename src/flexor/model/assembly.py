"""A consistent start: loops closed and velocities compatible, with everything that the user stated met.

What is stated (a joint's start, a body's position, …) and the constraints are equations alike; what was left open
moves as little as they allow (`closing`), lengths measured in parts of the model's size. Where the bodies fit with all
joint variables zero, as they often are drawn, they are led from there to the stated values on a path on which no loop
opens, so that they stay on the branch of the drawing. Mechanisms that share nothing but the ground are closed side by
side, each in its own way. Equations that contradict each other are found by meeting the constraints alone, with what is
stated as near as it gets: min |r_stated| subject to r_constraints = 0.

What does not agree in its last digits is told: stated values that contradict each other by less than they are rounded, and
loops whose joints repeat each other but do not quite fit (points off the plane, axes that are not quite parallel).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from scipy import sparse

from flexor.coordinates.measure import wrap
from flexor.declaration import Item
from flexor.errors import AssemblyError, LawError, Problem
from flexor.joints import Joint
from flexor.model.change_points import gone_on
from flexor.model.closing import REACH, UNDERWAY, closed, led
from flexor.model.contradiction import cannot_close, contradiction, nearly_met, not_fitting, turned_over
from flexor.model.dead_centres import at_dead_centre, landed
from flexor.model.equations import STATED, STRUCTURE
from flexor.model.givens import AGREE, Motion, rounding
from flexor.model.joint_frames import JointState
from flexor.model.joint_state import Placement
from flexor.model.least_moves import largest, largest_of_each, nearest, solved
from flexor.model.loops import Loops, Rows
from flexor.model.placement import moved, poses_at_zero
from flexor.model.start_velocities import how_fast, moving, nearly_moving
from flexor.model.tree import fits_in_one_way

TOLD = 10
"""Mechanisms that cannot be put together and are told one by one."""

Part = Sequence[Item]
"""The items of a mechanism that shares nothing but the ground with others."""


def assembled(
    items: Sequence[Item], parts: Sequence[Part], placement: Placement, size: float
) -> tuple[Placement, Placement, list[Problem]]:
    """The start with loops closed, the placement that it was led from, and what agrees only nearly.

    AssemblyError if there is none.

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
    return found, replace(placement, joints={**placement.joints, **start.origin}), start.doubts


class _Start:
    """What has been found: poses and twists of bodies, joints in the position that they were led from, doubts, failures."""

    def __init__(self, placement: Placement) -> None:
        self.poses, self.twists = dict(placement.poses), dict(placement.twists)
        self.origin: dict[str, JointState] = {}
        self.doubts: list[Problem] = []
        self.failures: list[AssemblyError] = []


def _assemble(parts: Sequence[Part], placement: Placement, size: float, start: _Start) -> None:
    try:
        loops = Loops(parts, placement, size)
        begin = loops.motion(placement.poses, placement.twists)
        motion, fits = _closed(loops, parts, placement, begin, start)
        loose = np.zeros_like(fits)
        if not fits.all():
            motion, loose = _closed(loops, parts, placement, motion, start, ~fits)
            start.doubts += [not_fitting(loops, motion, int(i)) for i in np.flatnonzero(loose)]
        motion, near, close = landed(loops, motion, fits)
        start.doubts += near
        fits = fits | loose
        motion, moves = moving(loops, motion, fits, loose)
        at_rest = np.isin(np.arange(loops.count), list(close))
        motion, told, stuck = gone_on(loops, motion, moves & ~loose & ~at_rest)
        start.doubts += told
        start.failures += stuck
    except LawError:  # a law that cannot be evaluated at the start; the computation says so in its own words
        for part in parts if len(parts) > 1 else ():
            _assemble([part], placement, size, start)
        return
    start.poses.update(loops.poses(motion))
    start.twists.update(loops.twists(motion))
    moves[list(close)] = True  # as far as they go
    start.failures += close.values()
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
        start.doubts += nearly_met(loops, loops.positions, loops.position_rows(motion), 1e-11)
    motion = nearly_moving(loops, motion)
    least = 1e-9 * float(how_fast(loops, motion)[0])
    start.doubts += nearly_met(loops, loops.velocities, loops.velocity_rows(motion), least)
    start.poses.update(loops.poses(motion))
    start.twists.update(loops.twists(motion))


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


def _closed(
    loops: Loops,
    parts: Sequence[Part],
    placement: Placement,
    begin: Motion,
    start: _Start,
    loose: np.ndarray | None = None,
) -> tuple[Motion, np.ndarray]:
    """The loops closed where that is possible, and the parts in which they are.

    loose: the parts (a mask) that are wanted, with joints that fit only nearly; all to rounding if left out.
    """
    rows = loops.position_rows(begin)
    gap = largest_of_each(rows.off(), rows.part, loops.count)
    wanted = np.isfinite(gap)  # where it is no number the computation says so in its own words
    if loose is not None:
        wanted &= loose
    found, waiting = begin, wanted.copy()
    for origin, motion, met in _attempts(loops, parts, placement, begin, gap, waiting, loose is not None):
        good = waiting & met & ~_askew(loops, motion)
        found = loops.chosen(found, motion, good)
        for i in np.flatnonzero(good).tolist() if origin is not placement else ():
            names = [item.name for item in parts[i] if isinstance(item, Joint)]
            start.origin.update({name: origin.joints[name] for name in names})
            start.doubts += _drawn_at_dead_centre(loops, i, loops.motion(origin.poses, origin.twists), motion)
        waiting &= ~good
        if not waiting.any():
            break
    return found, ~waiting if loose is None else wanted & ~waiting


def _attempts(
    loops: Loops,
    parts: Sequence[Part],
    placement: Placement,
    begin: Motion,
    gap: np.ndarray,
    waiting: np.ndarray,
    loose: bool,
) -> Iterator[tuple[Placement, Motion, np.ndarray]]:
    """Ways to close the loops, the likeliest first, each with the placement that it starts from and the parts it closes.

    waiting: mask of the parts that are not closed yet; it changes from one attempt to the next.
    loose: joints need fit only nearly.
    """
    chance = [np.random.default_rng(1) for _ in parts]

    def shaken(motion: Motion, wanted: np.ndarray, reach: np.ndarray | float) -> Motion:
        move, reach = np.zeros(len(loops.unit)), np.broadcast_to(reach, loops.count)
        for i in np.flatnonzero(wanted).tolist():
            own = np.flatnonzero(loops.column_part == i)
            move[own] = reach[i] * chance[i].standard_normal(len(own))
        return loops.displaced(motion, move)

    turned = np.array([_turned_far(part) and not fits_in_one_way(part) for part in parts])
    origin, zero, apart = _at_zero(loops, parts, placement, waiting & ((gap > AGREE) | turned))
    drawn = apart & _drawn(loops, zero, gap) if apart.any() else apart
    if drawn.any():
        yield origin, *led(loops, zero, drawn & waiting, loose)
        for _ in range(3):  # dead centre
            wanted = drawn & waiting
            if wanted.any():
                yield origin, *led(loops, shaken(zero, wanted, 0.02), wanted, loose)
    yield placement, *closed(loops, begin, waiting, loose=loose)
    far = gap >= 10 * AGREE
    wanted = apart & ~drawn & far & waiting
    if wanted.any():
        yield origin, *led(loops, zero, wanted, loose)
    reach = np.where(far, 0.1, 2 * np.sqrt(gap))  # at a dead centre the move is the root of the gap
    for _ in range(4):
        if waiting.any():
            yield placement, *closed(loops, shaken(begin, waiting, reach), waiting, loose=loose)


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


def _turned_far(part: Part) -> bool:
    """Whether something is given that may be more than a quarter turn away from the drawing."""
    angles = [
        angle
        for item in part
        if isinstance(item, Joint) and item.start is not None
        for angle in item.start[len(item.translations) :]
    ]
    driven = any(item.drive is not None and item.drive.position is not None for item in part)
    return driven or largest(np.array(angles)) > np.pi / 2


def _drawn(loops: Loops, zero: Motion, gap: np.ndarray) -> np.ndarray:
    """Whether the bodies fit (nearly) with all joint variables zero, better than at the stated values.

    If they fit there, too, those may be on another branch where something is turned by more than a quarter turn.
    """
    rows = loops.position_rows(zero)
    structure = largest_of_each(np.where(rows.kind == STRUCTURE, rows.r, 0.0), rows.part, loops.count)
    turned = largest_of_each(np.where(rows.turning, rows.off(), 0.0), rows.part, loops.count) > np.pi / 2
    return np.where(gap <= AGREE, (structure <= AGREE) & turned, structure < np.minimum(0.25, 0.5 * gap))


MEETING = 1e-3
"""Angle off a straight line within which two ways are at the same place [rad]; closing finds it to the root of rounding."""


def _drawn_at_dead_centre(loops: Loops, part: int, drawn: Motion, found: Motion) -> list[Problem]:
    """What is to be told where a mechanism is led from a drawing from which it could go several ways.

    Nothing where all has turned by half a turn, or not at all: the way and its mirror image meet there.
    """
    if not at_dead_centre(loops, drawn, part):
        return []
    table = loops.table
    before, after = (table.variables(loops.frames(motion))[0] for motion in (drawn, found))
    rows = [i for i, n in enumerate(table.variable_of) if loops.joint_part[n] == part and table.joints[n].start is None]
    moves = [
        abs(wrap(after[i] - before[i])) if table.turning[i] else abs(after[i] - before[i]) / loops.size for i in rows
    ]
    turns = [move for i, move in zip(rows, moves) if table.turning[i]]
    if not moves or max(moves) < UNDERWAY or (turns and max(min(turn, np.pi - turn) for turn in turns) < MEETING):
        return []
    far = [(row, move) for row, move in zip(rows, moves) if move > 0.1 * max(moves)]
    row, _ = min(far, key=lambda each: (len(table.joints[table.variable_of[each[0]]].variables), -each[1]))
    joint, unit = table.joints[table.variable_of[row]], "rad" if table.turning[row] else "m"
    what = f"it starts at {after[row]:.6g} {unit}, and could as well go another way"
    why = "the mechanism is drawn at a dead centre, and what is stated does not tell how it leaves it"
    return [Problem(joint.called(joint.name), what, why, "give its start, or draw the mechanism off its dead centre")]


def _askew(loops: Loops, motion: Motion) -> np.ndarray:
    """Parts with joints that are closed the wrong way round: axes are perpendicular after half a turn as well."""
    return largest_of_each(loops.tilts(motion), loops.joint_part, loops.count) > ASKEW


ASKEW = 1e-3
"""Angle between the frames of a joint that is closed the wrong way round [rad]."""


# ---- what cannot be met, in one mechanism


_ALL = np.array([True])


def _nearly_closed(loops: Loops, begin: Motion) -> Motion:
    """The constraints met, and what is stated to the digits that it has; else AssemblyError says what does not agree."""
    digits = rounding(loops.positions, loops.size)
    found = _nearest(loops, begin, digits)
    if found is None:
        raise cannot_close(loops, _settled(loops, begin))
    off = loops.position_rows(found)
    tilts = loops.tilts(found)
    askew = {joint.called(joint.name): float(tilt) for joint, tilt in zip(loops.table.joints, tilts) if tilt > ASKEW}
    if askew:
        raise turned_over(askew)
    if np.any(np.abs(off.off())[off.kind == STATED] > 1.1 * digits):
        found = _nearer(loops, found, 1.0)  # all values alike
        off = loops.position_rows(found)
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


def _nearest(loops: Loops, begin: Motion, digits: np.ndarray | float = 1.0) -> Motion | None:
    """The constraints met, what is stated as nearly as it gets; None if the constraints cannot be met.

    digits: how exact each of the stated values is; those that are less exact give way.
    Sought from the begin, then from ever farther around it: of several branches the one that comes nearest.
    """
    weight = np.min(digits, initial=1.0) / np.asarray(digits)
    chance = np.random.default_rng(1)

    def far(motion: Motion) -> float:
        rows = loops.position_rows(motion)
        return float(np.linalg.norm(weight * rows.off()[rows.kind == STATED]))

    best: Motion | None = None
    in_vain = 0
    for reach in AROUND if len(loops.unit) <= 600 else AROUND[:4]:
        found = _close(loops, loops.displaced(begin, reach * chance.standard_normal(len(loops.unit))), _constraints)
        if found is None:
            continue
        found = _nearer(loops, found, weight)
        if best is None or far(found) < (1 - 1e-6) * far(best):
            best, in_vain = found, 0
        else:
            in_vain += 1
        rows = loops.position_rows(best)
        if in_vain == 3 or np.all(np.abs(rows.off()[rows.kind == STATED]) <= np.minimum(digits, AGREE)):
            break
    return best


AROUND = (0.0, 0.1, 0.1, 0.3, 0.3, 1.0, 1.0)
"""How far around the begin the nearest position is sought, in parts of the size and in rad."""


def _nearer(loops: Loops, found: Motion, weight: np.ndarray | float) -> Motion:
    """The stated values approached along the constraints, as long as they come nearer; steps shrink where they do not."""
    reach, rows = REACH, loops.position_rows(found)
    for _ in range(100):
        stated, bound = rows.kind == STATED, rows.kind != STATED
        off = weight * rows.off()[stated]
        G = rows.J[stated] if np.ndim(weight) == 0 else sparse.diags(weight) @ rows.J[stated]
        move = nearest(G, off, rows.J[bound], rows.off()[bound])
        if move is None or largest(move) < 1e-12 or reach < 1e-9:
            break
        step = min(1.0, reach / largest(move)) * move
        trial = _close(loops, loops.displaced(found, step), _constraints, iterations=15)
        ahead = rows if trial is None else loops.position_rows(trial)
        far, then = np.linalg.norm(off), np.linalg.norm(weight * ahead.off()[stated])
        if trial is None or then >= far:
            reach = 0.25 * min(reach, largest(step))
            continue
        reach, found, rows = min(REACH, 2.0 * reach), trial, ahead
        if then > (1 - 1e-12) * far:
            break
    return found


def _alone(loops: Loops, begin: Motion) -> Callable[[int], Motion | None]:
    """Where the bodies would be without one of the stated values, all others met."""
    return lambda number: _close(loops, begin, lambda rows: (rows.kind != STATED) | (rows.owner != number))
