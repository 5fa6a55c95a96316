"""Moves that close loops: the shortest ones at a time, in all mechanisms side by side.

With r the equations of `loops` and J their gradient, each step is the shortest one,

    [ I  Jᵀ ] [ δ ]   [  0 ]
    [ J  −ε ] [ μ ] = [ −r ]

where a tiny ε lets equations repeat each other. A step is shortened until the equations of its part come nearer.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from flexor.model.equations import STRUCTURE
from flexor.model.givens import Motion
from flexor.model.least_moves import largest_of_each, norm_of_each, shortest_of_parts
from flexor.model.loops import Loops, Rows

ROUNDING = 1e-14
"""Equations count as met, in parts of the model's size and in rad."""
UNDERWAY = 1e-4
"""The same on the way to stated values."""
REACH = 0.3
"""Longest move of one step, in parts of the model's size and in rad."""
STRIDE = 0.2
"""How far stated values are led at once [rad, parts of the size]."""

Which = Callable[[Rows], np.ndarray]
"""A mask of the equations that are to be met."""


def closed(
    loops: Loops,
    motion: Motion,
    parts: np.ndarray,
    targets: np.ndarray | float = 0.0,
    which: Which | None = None,
    iterations: int = 60,
    enough: np.ndarray | float = ROUNDING,
) -> tuple[Motion, np.ndarray]:
    """Meet the equations (those of `which`) of some parts (a mask); the motion, and the parts for which that succeeded."""
    rows = loops.position_rows(motion)
    off = _wanted(rows, targets, which)
    busy, met = parts & np.isfinite(_largest(loops, rows, off)), np.zeros_like(parts)
    for _ in range(iterations):
        far = _largest(loops, rows, off)
        met |= busy & (far <= enough)
        busy = busy & ~met
        if not busy.any():
            break
        J = rows.J if which is None else rows.J.multiply(which(rows)[:, None]).tocsr()
        move = shortest_of_parts(J, off, rows.part, loops.column_part, busy)
        reach = largest_of_each(move, loops.column_part, loops.count)
        busy = busy & np.isfinite(reach)
        move = np.where(busy[loops.column_part], move, 0.0)
        factor = np.minimum(1.0, REACH / np.maximum(reach, 1e-300))
        before, seeking, halted = _norm(loops, rows, off), busy, np.zeros_like(busy)
        for _ in range(8):
            trial = loops.displaced(motion, factor[loops.column_part] * move)
            ahead = loops.position_rows(trial)
            new = _wanted(ahead, targets, which)
            seeking = seeking & ~(_norm(loops, ahead, new) < before)
            halted |= seeking & (far < 1e-12)  # rounding
            seeking = seeking & ~halted
            if not seeking.any():
                break
            factor = np.where(seeking, 0.5 * factor, factor)
        met |= halted
        stays = halted | seeking  # where no move helps
        busy = busy & ~stays
        if stays.any():
            trial = loops.chosen(trial, motion, stays)
            ahead = loops.position_rows(trial)
            new = _wanted(ahead, targets, which)
        then = _largest(loops, ahead, new)
        stalled = busy & (far < 1e-9) & (then > 0.5 * far)
        met |= stalled & (then < 1e-12)
        busy = busy & ~stalled
        motion, rows, off = trial, ahead, new
    return motion, met


def led(loops: Loops, motion: Motion, parts: np.ndarray) -> tuple[Motion, np.ndarray]:
    """From a position in which the loops are (nearly) closed to the stated values, step by step, in some parts (a mask).

    The motion, and the parts for which that succeeded.
    """
    rows = loops.position_rows(motion)
    far = np.where(rows.kind == STRUCTURE, 0.0, rows.off())
    distance = _largest(loops, rows, far)
    motion, walking = closed(loops, motion, parts, far, enough=UNDERWAY)
    at, stride = np.zeros(loops.count), np.minimum(1.0, STRIDE / np.maximum(distance, 1e-300))
    arrived = np.zeros_like(parts)
    while walking.any():
        nearer = np.minimum(1.0, at + stride)
        enough = np.where(nearer == 1.0, ROUNDING, UNDERWAY)
        ahead, there = closed(loops, motion, walking, (1.0 - nearer)[rows.part] * far, iterations=12, enough=enough)
        motion = loops.chosen(motion, ahead, there)
        at = np.where(there, nearer, at)
        arrived |= there & (at == 1.0)
        lost = walking & ~there & (stride * distance < 0.01 * STRIDE)
        stride = np.where(there, stride, 0.5 * stride)
        walking = walking & ~arrived & ~lost
    return motion, arrived


def _wanted(rows: Rows, targets: np.ndarray | float, which: Which | None) -> np.ndarray:
    off = rows.off(targets)
    return off if which is None else np.where(which(rows), off, 0.0)


def _largest(loops: Loops, rows: Rows, off: np.ndarray) -> np.ndarray:
    return largest_of_each(off, rows.part, loops.count)


def _norm(loops: Loops, rows: Rows, off: np.ndarray) -> np.ndarray:
    return norm_of_each(off, rows.part, loops.count)
