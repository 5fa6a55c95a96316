"""The time loop of the explicit solver: steps on a grid, divided where contacts ask for shorter ones, recorded as they end."""

from __future__ import annotations

import math

from flexor.contact.tally import Tally
from flexor.engine.loop import copy, restore, save
from flexor.engine.memory import CHUNK_DONE, NOT_FINITE, OK, STEP_TOO_SMALL, StepRow
from flexor.explicit.memory import NEEDS_ROOM, NOT_AT_ALL, ExplicitMemory, Inert
from flexor.explicit.step import accelerations, drift, find_forces, find_places, kick
from flexor.law.primitives import at, call
from flexor.law.tuples import mat, mm, mmt, store_mat

MENDED = 64
"""Steps after which rounding is removed from the rotations."""
ROAMING = 0.2
"""Part of the margin that anything may move by in a step with its velocity, and as much with its acceleration."""
LEEWAY = 1.0001
DAMPED = 1.0 / 3.0
"""Part of the step that stiffness asks for, below which it is counted that damping or friction made it shorter."""


def loop(H: ExplicitMemory):
    """Run at most STEPS_MAX steps; returns CHUNK_DONE, or the status that stopped it."""
    T, own = H.engine, H.numbers
    run = T.run
    done, status = 0, OK
    while done < run.steps_max and run.rows_used < run.rows_max and run.step_rows_used < run.step_rows_max:
        if run.end_time - run.time0 <= 1e-9 * run.max_step:
            break
        target = min(run.start_time + (run.step_count + 1) * run.max_step, run.end_time)
        whole = target - run.time0
        h = _length(own, whole)
        if h < run.min_step:
            status = STEP_TOO_SMALL
            break
        if own.n_surfaces > 0 and own.strayed + h * (own.fastest + 0.5 * h * own.pull) > 0.5 * own.margin:
            status = call(H.search, H)
            if status != OK:
                break
        if own.share < 1.0 and own.limit < DAMPED * own.resolved and h < 2.0 * own.limit:
            own.damped += 1
        last = h == whole
        run.step_size, own.dt = h, h
        run.time = target if last else run.time0 + h
        drift(H, h)
        find_places(H)
        status = find_forces(H)
        if status != OK:
            break
        kick(H, h)
        if not own.fastest < 1e30 or not _finite(H):
            status = NOT_FINITE
            break
        own.mends += 1
        if own.mends >= MENDED:
            _mend(H)
        run.iterations += 1
        done += 1
        row = StepRow(T.step_rows, run.step_rows_used)
        row.time, row.step_size, row.iterations = run.time, h, 1.0
        row.refactorisations = row.cut_backs = row.transitions = 0.0
        run.step_rows_used += 1
        run.step_old = run.last_step = h
        run.time0 = run.time
        due = False
        if last:
            due = run.end_time - run.time <= 1e-9 * run.max_step
            if abs(run.start_time + (run.step_count + 1) * run.max_step - run.time) <= 1e-6 * run.max_step:
                run.step_count += 1
                due = due or run.step_count % run.record_every == 0
        if due or own.lazy == 0:
            _sum_up(H)
        if due:
            _show(H)
            call(T.write, T)
    if status != OK and status != NEEDS_ROOM:
        return _back(H, status)
    if own.shown < run.time0:
        _sum_up(H)
        _show(H)
    return status if status == NEEDS_ROOM else CHUNK_DONE


def _length(own, whole):
    """Of the next step: the way to the next point of the grid, in equal parts as short as they must be."""
    most = min(own.limit, own.soon)
    if own.n_surfaces > 0:
        most = min(most, ROAMING * own.margin / max(own.fastest, 1e-300))
        most = min(most, math.sqrt(2.0 * ROAMING * own.margin / max(own.pull, 1e-300)))
    if whole <= LEEWAY * most:
        return whole
    own.shortened += 1
    return whole / math.ceil(whole / (LEEWAY * most))


def _finite(H):
    total = 0.0
    for i in range(H.engine.run.n_nodes):
        total += 0.0 * H.force[6 * i]
    return total == 0.0


def _sum_up(H):
    """Energies since they were summed the last time."""
    T, own = H.engine, H.numbers
    run = T.run
    if run.use_energy:
        h = run.step_size
        run.step_size = run.time0 - own.written
        call(T.energies, T)
        run.step_size = h
    own.written = run.time0
    for i in range(own.n_tallies):
        Tally(at(T.history, H.tallies[i])).loss = 0.0


def _show(H):
    """Let the engine have the state at the end of the last step."""
    T = H.engine
    accelerations(H)
    copy(T.a, T.pseudo, 6 * T.run.n_nodes)
    save(T)
    H.numbers.shown, H.numbers.shown_count = T.run.time0, T.run.step_count


def _back(H, status):
    """The state that the engine was given the last time, at or after the last row."""
    T, own = H.engine, H.numbers
    T.run.time0, T.run.step_count = own.shown, own.shown_count
    return restore(T, status)


def _mend(H):
    """Remove rounding from the rotation matrices: R ← ½ R (3 I − RᵀR)"""
    T = H.engine
    H.numbers.mends = 0
    for i in range(H.numbers.n_bodies):
        body = Inert(H.bodies, i)
        if body.manner == NOT_AT_ALL:
            continue
        A = mat(T.R, 9 * body.node)
        E = mmt(A, A)
        C = (1.5 - 0.5 * E[0], -0.5 * E[1], -0.5 * E[2], -0.5 * E[3], 1.5 - 0.5 * E[4], -0.5 * E[5],
             -0.5 * E[6], -0.5 * E[7], 1.5 - 0.5 * E[8])  # fmt: skip
        store_mat(T.R, 9 * body.node, mm(C, A))
