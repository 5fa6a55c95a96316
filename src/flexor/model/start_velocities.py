"""Velocities at the start that the constraints permit, the stated ones met, all others as they were where that will do."""

from __future__ import annotations

import numpy as np

from flexor.errors import AssemblyError
from flexor.model.contradiction import contradiction
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
        raise AssemblyError(
            f"the mechanism cannot move as its motors demand: constraints stay open by up to "
            f"{largest(rows.r[bound]) * loops.size:.3g} m/s",
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
    if largest(rows.r[stated]) > AGREE * fast:

        def without(number: int) -> Motion | None:
            kept = (rows.kind != STATED) | (rows.owner != number)
            change = shortest(rows.J[kept], rows.r[kept])
            return None if change is None else loops.sped(best, change)

        raise contradiction(loops, loops.velocities, best, rows, loops.velocity_rows, without)
    return best
