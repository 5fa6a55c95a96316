"""Velocities at the start that the constraints permit, the stated ones met, all others as they were where that will do."""

from __future__ import annotations

import numpy as np

from flexor.errors import AssemblyError
from flexor.model.contradiction import contradiction, driven_against
from flexor.model.equations import STATED
from flexor.model.givens import AGREE, Motion
from flexor.model.least_moves import EPSILON, LOOSE, largest, largest_of_each, nearest, shortest, shortest_of_parts
from flexor.model.loops import Loops, Rows


def moving(
    loops: Loops, motion: Motion, parts: np.ndarray, loose: np.ndarray | None = None
) -> tuple[Motion, np.ndarray]:
    """Velocities that the constraints permit, the stated ones met, and for which parts (of a mask) that succeeded.

    loose: parts with joints that repeat each other but do not quite fit.
    """
    loose = np.zeros_like(parts) if loose is None else loose

    def largest_in(rows: Rows) -> np.ndarray:
        return largest_of_each(rows.r, rows.part, loops.count)

    rows = loops.velocity_rows(motion)
    off = largest_in(rows)
    busy, done = parts & (off > 0.0), parts & ~(off > 0.0)  # also where a law gives no number
    if not busy.any():
        return motion, done
    fast = how_fast(loops, motion)
    for _ in range(8):
        epsilon = np.where(loose, LOOSE, EPSILON)
        change = shortest_of_parts(rows.J, rows.r, rows.part, loops.column_part, busy, epsilon)
        busy = busy & np.isfinite(largest_of_each(change, loops.column_part, loops.count))
        trial = loops.sped(motion, np.where(busy[loops.column_part], change, 0.0))
        busy = busy & (largest_in(loops.velocity_rows(trial)) < off)
        if not busy.any():
            break
        motion = loops.chosen(motion, trial, busy)
        rows = loops.velocity_rows(motion)
        off = largest_in(rows)
    stated = largest_of_each(np.where(rows.kind == STATED, rows.r, 0.0), rows.part, loops.count)
    fits = np.where(loose, (off <= 10 * AGREE * fast) & (stated <= AGREE * fast), off <= AGREE * 1e-3 * fast)
    return motion, done | (parts & fits)


def how_fast(loops: Loops, motion: Motion) -> np.ndarray:
    """The scale of velocities in each part, in parts of the size per second: what is asked for, or not met."""
    rest = Motion(motion.x, motion.R, np.zeros_like(motion.v))
    asked, off = loops.velocity_rows(rest), loops.velocity_rows(motion)
    both = np.maximum(np.abs(asked.r), np.abs(off.r))
    return np.maximum(largest_of_each(both, off.part, loops.count), 1e-300)


def nearly_moving(loops: Loops, motion: Motion) -> Motion:
    """Velocities of one mechanism that the constraints permit, the stated ones as nearly as they agree; else AssemblyError."""
    fast = float(how_fast(loops, motion)[0])
    best, done = moving(loops, motion, np.array([True]))
    if done.all():
        return best
    rows = loops.velocity_rows(best)
    bound, stated = rows.kind != STATED, rows.kind == STATED
    best, rows = _nearer(loops, best, rows, stated, bound)
    if largest(rows.r[bound]) > AGREE * fast:
        if loops.flexible:
            return best  # that may give way to a driver; the computation finds out
        raise _driven(loops, motion)
    if largest(rows.r[stated]) > AGREE * fast:

        def without(number: int) -> Motion | None:
            kept = (rows.kind != STATED) | (rows.owner != number)
            change = shortest(rows.J[kept], rows.r[kept])
            return None if change is None else loops.sped(best, change)

        raise contradiction(loops, loops.velocities, best, rows, loops.velocity_rows, without)
    return best


def _nearer(loops: Loops, motion: Motion, rows: Rows, wanted: np.ndarray, held: np.ndarray) -> tuple[Motion, Rows]:
    """Velocities that meet some rows as nearly as others, which are met, allow; and all rows with them."""
    for _ in range(3):
        change = nearest(rows.J[wanted], rows.r[wanted], rows.J[held], rows.r[held])
        if change is None:
            break
        motion = loops.sped(motion, change)
        rows = loops.velocity_rows(motion)
    return motion, rows


def _driven(loops: Loops, motion: Motion) -> AssemblyError:
    """From rest, all constraints met that rest meets, and those that prescribe a motion as nearly as they allow."""
    motion = Motion(motion.x, motion.R, np.zeros_like(motion.v))
    rows = loops.velocity_rows(motion)
    driving = (rows.kind != STATED) & (np.abs(rows.r) > 1e-12 * largest(rows.r[rows.kind != STATED]))
    held = (rows.kind != STATED) & ~driving
    _, rows = _nearer(loops, motion, rows, driving, held)
    return driven_against(loops, rows, driving)
