"""The time loop of the tree solver: fixed steps (RK4) or steps by their error (Dormand–Prince), recorded as they end or in between."""

from __future__ import annotations

from flexor.engine.loop import restore, save
from flexor.engine.memory import CHUNK_DONE, NOT_FINITE, OK, STEP_TOO_SMALL, StepRow
from flexor.hierarchy.memory import CUT_OFF, STOPPED, TreeMemory
from flexor.hierarchy.runge_kutta import error_of, interpolate, stages
from flexor.hierarchy.together import agree
from flexor.law.primitives import at, call

GROWTH, SHRINK, SAFETY = 5.0, 0.2, 0.9


def loop(H: TreeMemory):
    """Run at most STEPS_MAX steps; returns CHUNK_DONE, or the status that stopped it with the last good state kept."""
    T = H.engine
    run = T.run
    done = 0
    cuts = run.cuts
    while done < run.steps_max and run.rows_used < max(run.rows_max // 2, 1) and run.step_rows_used < run.step_rows_max:
        if run.end_time - run.time0 <= 1e-9 * run.max_step:
            break
        target = _target(run)
        h = target - run.time0
        run.step_size = h
        status = stages(H, h)
        if status == OK and not _finite(H):
            status = NOT_FINITE
        status = agree(H, status, error_of(H, h) / run.error_tolerance if status == OK and run.adaptive else 0.0)
        error = H.numbers.value
        if status == OK and run.adaptive and error > 1.0:
            run.rejected += 1
            run.next_step = h * max(SHRINK, SAFETY * error**-0.2)
            if run.next_step < run.min_step:
                return _back(H, STEP_TOO_SMALL)
            continue
        if status == OK:
            status = _outputs(H, h)
        if status == OK:
            run.time = target
            _copy(H.y1, H.y, H.numbers.size)
            status = call(H.settle, H)
        if status != OK:
            _back(H, status)
            run.cuts += 1
            run.next_step = 0.5 * h
            if run.next_step < run.min_step or not run.adaptive or status in (STOPPED, CUT_OFF):
                return status
            continue
        run.iterations += 1
        done += 1
        row = StepRow(T.step_rows, run.step_rows_used)
        row.time, row.step_size = run.time, h
        row.iterations = 1.0
        row.refactorisations = H.numbers.stages
        row.cut_backs = run.cuts - cuts
        row.transitions = 0.0
        cuts = run.cuts
        run.step_rows_used += 1
        if run.adaptive:
            run.next_step = min(h * min(GROWTH, max(SHRINK, SAFETY * max(error, 1e-10) ** -0.2)), run.max_step)
        due = _due(run)
        status = _accept(H, h, due)
        if status != OK:
            return status
        if due:
            call(T.write, T)
    if H.numbers.lazy and H.numbers.written < run.time0:
        _show(H)
    return CHUNK_DONE


def _target(run):
    """Where the next step ends: on the grid, or where error control lets it; the last one ends the run."""
    if not run.adaptive:
        return min(run.start_time + (run.step_count + 1) * run.max_step, run.end_time)
    remaining = run.end_time - run.time0
    h = min(run.next_step, run.max_step)
    if run.output_step > 0.0:
        h = min(h, 0.5 * max(run.rows_max // 2, 1) * run.output_step)  # no more rows than there is room for
    if remaining < 1.0001 * h:
        return run.end_time
    return run.time0 + (0.5 * remaining if remaining < 2.0 * h else h)


def _due(run):
    """Whether a row is due at the end of the step; counts those of the grid."""
    grid = run.output_step if run.adaptive else run.max_step
    last = run.end_time - run.time <= 1e-9 * run.max_step
    if grid <= 0.0:
        return True
    if abs(run.start_time + (run.step_count + 1) * grid - run.time) > 1e-6 * grid:
        return last
    run.step_count += 1
    return last or run.adaptive or run.step_count % run.record_every == 0


def _finite(H):
    total = 0.0
    for i in range(H.numbers.size):
        total += 0.0 * H.y1[i]
    return total == 0.0


def _outputs(H, h):
    """Rows that are due within a finished step, by dense output: each led back to the constraints, with its own accelerations."""
    T = H.engine
    run = T.run
    if not run.adaptive or run.output_step <= 0.0:
        return OK
    begin = run.time0
    while run.rows_used < run.rows_max:
        due = run.start_time + (run.step_count + 1) * run.output_step
        if due > begin + h - 1e-6 * run.output_step:
            break
        interpolate(H, (due - begin) / h, h, H.y)
        run.time = due
        T.coefficients.step = due - max(H.numbers.written, begin)
        status = call(H.settle, H)
        if status != OK:
            return status
        status = call(H.present, H)
        if status != OK:
            return status
        _sum_up(H, due)
        call(T.write, T)
        run.step_count += 1
    return OK


def _sum_up(H, time):
    """Histories and energies up to a time, with the engine's state that of it."""
    T = H.engine
    run = T.run
    h = run.step_size
    run.step_size = time - H.numbers.written
    T.coefficients.step = run.step_size
    if not H.numbers.lazy:
        call(T.commit, T)
    for i in range(H.numbers.n_counts):  # joint coordinates know their turns
        T.history[H.counts[3 * i + 1]] = H.counts[3 * i + 2] * H.y[H.counts[3 * i]]
    if run.use_energy:
        call(T.energies, T)
    run.step_size = h
    H.numbers.written = time


def _accept(H, h, due):
    """Make the end of the step the begin of the next one."""
    run = H.engine.run
    run.step_old = h
    run.last_step = h
    run.time0 = run.time
    size = H.numbers.size
    _copy(H.y, H.y0, size)
    _copy(at(H.k, H.numbers.stages * size), H.k, size)
    return _show(H) if due or not H.numbers.lazy else OK


def _show(H):
    """Give the engine the state at the begin of the next step; histories and energies up to it."""
    T = H.engine
    run = T.run
    _copy(H.y0, H.y, H.numbers.size)
    status = call(H.present, H)
    if status != OK:
        return status
    _sum_up(H, run.time0)
    for i in range(6 * run.n_nodes):
        T.pseudo[i] = T.a[i]
    for i in range(run.n_scalars):
        T.s_pseudo[i] = T.s[3 * i + 2]
    save(T)
    return OK


def _copy(source, target, n):
    for i in range(n):
        target[i] = source[i]


def _back(H, status):
    """The engine's state at the begin of a step that failed."""
    T = H.engine
    if H.numbers.lazy and H.numbers.written < T.run.time0:
        T.run.time = T.run.time0
        _copy(H.y0, H.y, H.numbers.size)
        call(H.settle, H)
        _show(H)
    restore(T, status)
    return status
