"""Velocities at the start that the constraints permit, the stated ones met, all others as they were where that will do."""

from __future__ import annotations

import numpy as np

from flexor.errors import AssemblyError
from flexor.model.contradiction import contradiction, driven_against
from flexor.model.givens import AGREE, Motion
from flexor.model.least_moves import largest, nearest, shortest
from flexor.model.loops import STATED, Loops


def moving(loops: Loops, motion: Motion) -> Motion:
    """Velocities that the constraints permit, the stated ones met."""
    rows = loops.velocity_rows(motion)
    if not rows.r.any():
        return motion
    rest = Motion(motion.x, motion.R, np.zeros_like(motion.v))
    fast = max(largest(loops.velocity_rows(rest).r), largest(rows.r), 1e-300)  # how fast the start is [1/s]
    best = motion
    for _ in range(8):
        change = shortest(rows.J, rows.r)
        if change is None:
            break
        trial = loops.sped(best, change)
        ahead = loops.velocity_rows(trial)
        if not largest(ahead.r) < largest(rows.r):
            break
        best, rows = trial, ahead
    if largest(rows.r) <= AGREE * 1e-3 * fast:
        return best
    bound, stated = rows.kind != STATED, rows.kind == STATED
    for _ in range(3):
        change = nearest(rows.J[stated], rows.r[stated], rows.J[bound], rows.r[bound])
        if change is None:
            break
        best = loops.sped(best, change)
        rows = loops.velocity_rows(best)
    if largest(rows.r[bound]) > AGREE * fast:
        if loops.flexible:
            return best  # that may give way to a driver; the computation finds out
        raise _driven(loops, rest)
    if largest(rows.r[stated]) > AGREE * fast:

        def without(number: int) -> Motion | None:
            kept = (rows.kind != STATED) | (rows.owner != number)
            change = shortest(rows.J[kept], rows.r[kept])
            return None if change is None else loops.sped(best, change)

        raise contradiction(loops, loops.velocities, best, rows, loops.velocity_rows, without)
    return best


def _driven(loops: Loops, rest: Motion) -> AssemblyError:
    """From rest, all constraints met that rest meets, and those that prescribe a motion as nearly as they allow."""
    rows = loops.velocity_rows(rest)
    driving = (rows.kind != STATED) & (np.abs(rows.r) > 1e-12 * largest(rows.r[rows.kind != STATED]))
    held = (rows.kind != STATED) & ~driving
    motion = rest
    for _ in range(3):
        change = nearest(rows.J[driving], rows.r[driving], rows.J[held], rows.r[held])
        if change is None:
            break
        motion = loops.sped(motion, change)
        rows = loops.velocity_rows(motion)
    return driven_against(loops, rows, driving)
