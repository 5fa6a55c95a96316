"""The time loop: steps on a fixed grid or under error control, cut back where Newton fails, recorded as they end."""

from __future__ import annotations

import math

from flexor.engine.assemble import call_term
from flexor.engine.memory import (
    CHUNK_DONE,
    MULTIPLIER,
    NOT_CONVERGED,
    OK,
    REDUNDANCY_LOST,
    STEP_TOO_SMALL,
    SWITCHES_ENDLESSLY,
    WEIGHTED_FORM,
    Memory,
    StepRow,
    TermRecord,
)
from flexor.engine.state import set_proper, turn_own
from flexor.engine.transitions import SHORT, passed, settle
from flexor.law import COMMIT, RESIDUAL
from flexor.law.face import ERROR, LENGTH
from flexor.law.primitives import at, call
from flexor.law.tuples import mat, mm, mmt, store_mat

GROWTH, SHRINK, SAFETY = 2.0, 0.2, 0.85
TINY, LONG, CHATTERS = (
    1e-4,
    0.1,
    500,
)  # steps, of the longest, by which regimes change without end, and how many of them
SWEEP = 0.5  # rad by which things may turn before turns are counted; half a turn would be too much
SHORTEST = 1e-9  # of the longest step: contacts shorten none beyond that
SURELY = 0.9  # of a step that a contact finds too long: the most that is tried next, as the share asked for may hang on the length itself
FADING = 0.98
"""What is left from step to step of the fastest approach of surfaces that touch."""
LONGER = 0.9  # part of the growth that contacts allow for which is made use of
NEAR = 1e-7  # of the longest step: a tick of a clock so near to a point of the grid is there


def loop(T: Memory):
    """Run at most STEPS_MAX steps; returns CHUNK_DONE, or the status that stopped it with the last good state kept."""
    run = T.run
    done = 0
    cuts = run.cuts
    while done < run.steps_max and run.rows_used < run.rows_max and run.step_rows_used < run.step_rows_max:
        remaining = run.end_time - run.time0
        if remaining <= 1e-9 * run.max_step:
            break
        target = _target_time(run)
        tick = _next_tick(T) if run.n_clocks > 0 else 1e300
        between = tick < target - NEAR * run.max_step
        ticks = tick <= target + NEAR * run.max_step
        if between:
            target = tick
        h = min(run.next_step, target - run.time0)
        if run.bracket_high > 0.0:
            pass  # a length at which a transition is looked for
        elif target - run.time0 < 1.0001 * h:
            h = target - run.time0
        elif target - run.time0 < 2.0 * h and run.adaptive:
            h = 0.5 * (target - run.time0)  # two equal steps rather than a full one and a sliver
        run.step_size = h
        iterations, factorisations = run.iterations, run.factorisations
        status = call(T.step, T)
        if status == OK and run.adaptive and not _accurate(T):
            run.rejected += 1
            run.factored = 0
            run.bracket_high = 0.0
            run.next_step = max(h * max(SHRINK, SAFETY * run.error_estimate ** (-1.0 / 3.0)), run.min_step)
            if h <= run.min_step:
                return restore(T, STEP_TOO_SMALL)
            continue
        if status == REDUNDANCY_LOST or (status == NOT_CONVERGED and run.symmetric):
            return restore(T, status)  # the whole, unsymmetric matrix is tried before shorter steps
        if status != OK:
            restore(T, status)
            run.cuts += 1
            run.next_step = 0.5 * h
            if run.next_step < run.min_step:
                return status
            continue
        if run.n_limits > 0 and _too_long(T, h):
            if run.n_multipliers > 0 and run.next_step < SHORT * run.last_step and run.settled_at != run.time0:
                _settle_begin(T)
            continue
        if run.n_transitions > 0 and passed(T, h):
            if run.next_step < SHORT * run.bracket_first and run.settled_at != run.time0:
                _settle_begin(T)
            continue
        at_target = h == target - run.time0
        if at_target:
            run.time = target
        _accept(T)
        done += 1
        row = StepRow(T.step_rows, run.step_rows_used)
        row.time, row.step_size = run.time0, h
        row.iterations = run.iterations - iterations
        row.refactorisations = run.factorisations - factorisations
        row.cut_backs = run.cuts - cuts
        row.transitions = 0.0
        cuts = run.cuts
        run.step_rows_used += 1
        _next_step(run, h)
        if run.n_blocks > 0 and run.bracket_high > 0.0 and h < TINY * run.max_step:
            run.chattering += 1
            if run.chattering > CHATTERS:
                return SWITCHES_ENDLESSLY
        elif at_target or h > LONG * run.max_step:
            run.chattering = 0
        if run.bracket_high > 0.0 or (ticks and at_target):
            row.transitions = _change_regimes(T)
        due = at_target and not between
        if due and _on_grid(run):
            run.step_count += 1
            if not run.adaptive:
                due = run.step_count % run.record_every == 0
        elif run.adaptive:
            due = run.output_step <= 0.0
        if due or run.end_time - run.time0 <= 1e-9 * run.max_step:
            call(T.write, T)
    return CHUNK_DONE


def _target_time(run):
    """Next time that a step must hit: the grid of a fixed step, or the next output of an adaptive one."""
    if _grid(run) <= 0.0:
        return run.end_time
    return min(run.start_time + (run.step_count + 1) * _grid(run), run.end_time)


def _next_tick(T):
    """When the next clock ticks."""
    run = T.run
    found = 1e300
    for i in range(run.n_clocks):
        period, first = T.clocks[2 * i], T.clocks[2 * i + 1]
        count = math.floor((run.time0 - first + NEAR * run.max_step) / period) + 1
        found = min(found, first + max(count, 0) * period)
    return found


def _grid(run):
    return run.output_step if run.adaptive else run.max_step


def _on_grid(run):
    """Whether a step that met its target met a point of the grid, not only the end of a run that ends between two of them."""
    return run.start_time + (run.step_count + 1) * _grid(run) - run.time0 <= 1e-6 * run.max_step


def _too_long(T, h):
    """Whether a contact finds the step too long; then next_step is the length to try."""
    run, w = T.run, T.buffer_scratch
    share, fastest, term, given_up = 1e300, FADING**run.fineness * run.liveliest, 0, -1
    for i in range(run.n_limits):
        d = TermRecord(T.terms, T.with_limits[i])
        w[0], w[1], w[2], w[3] = run.liveliest, 0.0, run.fineness, 0.0
        call_term(T, d, LENGTH, at(T.lam, d.lam))
        if w[0] < share:
            share, term = w[0], T.with_limits[i]
        if w[3] > 0.0:
            given_up = T.with_limits[i]
        fastest = max(fastest, w[1])
    shortest = SHORTEST * run.max_step
    run.length_share = max(share, 1.0)
    if share >= 1.0 or h <= shortest:
        run.liveliest = fastest
        if share < 1.0 or given_up >= 0:
            run.unresolved += 1
            run.unresolved_term, run.unresolved_time = term if share < 1.0 else given_up, run.time0
        return False
    run.shortened += 1
    run.factored = 0
    run.bracket_high = 0.0
    run.next_step = max(min(share, SURELY) * h, shortest)
    return True


def _next_step(run, h):
    """Step to try next, as long as contacts allow for."""
    _longer_step(run, h)
    if run.n_limits > 0:
        run.next_step = min(run.next_step, max(LONGER * run.length_share, 1.0) * h)


def _longer_step(run, h):
    """Step to try next: the grid's own; after a cut-back doubled; under error control kept unless it pays to change."""
    if not run.adaptive:
        run.next_step = min(run.max_step, 2.0 * max(h, run.next_step))  # the rest up to the grid is no measure
        return
    factor = SAFETY * max(run.error_estimate, 1e-6) ** (-1.0 / 3.0)
    current = max(run.next_step, h)
    if factor > 1.3:
        run.next_step = min(max(current, h * min(factor, GROWTH)), run.max_step)
    elif factor < 0.95:
        run.next_step = h * factor
    else:
        run.next_step = current


def _accurate(T):
    """Local error e = (β − 1/6) h² ΔA in the scaled norm, against its tolerance.   GER, FTG (7.36)"""
    run = T.run
    A, A0 = T.pseudo, T.pseudo0
    nodes = T.node_list
    total = 0.0
    for i in range(run.n_independent):
        o = 6 * nodes[i]
        for j in range(3):
            d = (A[o + j] - A0[o + j]) / run.length_scale
            total = max(total, abs(d))
            total = max(total, abs(A[o + 3 + j] - A0[o + 3 + j]))
    B, B0 = T.s_pseudo, T.s_pseudo0
    for i in range(run.n_scalars):
        total = max(total, abs(B[i] - B0[i]))
    h = run.step_size
    error = max(abs(run.beta - 1.0 / 6.0), 1.0 / 12.0) * h * h * total
    for i in range(run.n_states):  # of control blocks, relative to their states
        d = TermRecord(T.terms, T.with_states[i])
        T.buffer_scratch[0], T.buffer_scratch[1] = 0.0, run.max_step
        call_term(T, d, ERROR, at(T.lam, d.lam))
        error = max(error, T.buffer_scratch[0])
    run.error_estimate = error / run.error_tolerance
    return run.error_estimate <= 1.0


def _accept(T):
    """Make the end of the step the begin of the next one."""
    run = T.run
    _orthonormalise(T)
    turn_own(T, T.pseudo)
    if run.form == WEIGHTED_FORM:
        call(T.weigh, T)
    _remember(T)
    if run.use_energy:
        call(T.energies, T)
    n_nodes, n_scalars = run.n_nodes, run.n_scalars
    copy(T.pseudo0, T.pseudo_old, 6 * n_nodes)
    copy(T.s_pseudo0, T.s_pseudo_old, n_scalars)
    copy(T.lam0, T.lam_old, run.n_multipliers)
    turn_own(T, T.pseudo_old)
    save(T)
    run.step_old = run.step_size
    run.last_step = run.step_size
    run.time0 = run.time


def _remember(T):
    """Let laws take the finished step as their history; those that only count turns as often as a turn could be missed.

    Nothing turns against anything by more than about 2 (h ω + h² α), with the largest of both ends.
    """
    run = T.run
    h, spin, angular = run.step_size, run.largest_spin, run.norm_acceleration
    run.norm_acceleration = acceleration_scale(T)
    run.swept += 2.0 * h * (max(spin, run.largest_spin) + h * max(angular, run.norm_acceleration))
    run.count_turns = 1 if run.swept > SWEEP else 0
    call(T.commit, T)
    if run.count_turns:
        run.swept = 0.0
    run.count_turns = 1


def _change_regimes(T):
    """Go on from a transition, with a step as long as before; how many regimes changed."""
    run = T.run
    before = run.transitions
    _go_on(T, call(T.begin_anew, T))
    if not run.adaptive:
        run.next_step = run.max_step
    elif run.bracket_high > 0.0:
        run.next_step = run.bracket_first
    run.bracket_high = 0.0
    return run.transitions - before


def _settle_begin(T):
    """Short steps follow: let them begin from velocities that agree with the constraints."""
    high = T.run.bracket_high
    restore(T, OK)
    _go_on(T, settle(T))
    T.run.bracket_high = high


def _go_on(T, status):
    """The state at the end, with accelerations solved for anew if that went well, begins the next step."""
    run = T.run
    if status == OK:
        for i in range(run.n_limits):  # contacts remember how fast surfaces approach each other at the begin
            d = TermRecord(T.terms, T.with_limits[i])
            T.buffer_scratch[2] = run.fineness
            call_term(T, d, COMMIT, at(T.lam, d.lam))
        save(T)
        copy(T.pseudo, T.pseudo_old, 6 * run.n_nodes)
        copy(T.s_pseudo, T.s_pseudo_old, run.n_scalars)
        copy(T.lam, T.lam_old, run.n_multipliers)
        run.norm_acceleration = acceleration_scale(T)
    else:
        restore(T, status)  # as if nothing had jumped
    run.settled_at = run.time0
    run.step_old = 0.0


def acceleration_scale(T):
    """Largest acceleration: linear ones by the model's size, angular ones, and ω² of what spins at constant speed."""
    v, a = T.v, T.a
    linear = angular = fastest = 0.0
    for node in range(T.run.n_nodes):
        o = 6 * node
        linear = max(linear, max(max(abs(a[o]), abs(a[o + 1])), abs(a[o + 2])))
        angular = max(angular, max(max(abs(a[o + 3]), abs(a[o + 4])), abs(a[o + 5])))
        fastest = max(fastest, (v[o + 3] * v[o + 3] + v[o + 4] * v[o + 4]) + v[o + 5] * v[o + 5])
    T.run.largest_spin = math.sqrt(fastest)
    return max(max(linear / T.run.length_scale, angular), fastest)


def save(T):
    """State at the end → state at the begin."""
    n, m, k = T.run.n_nodes, T.run.n_scalars, T.run.n_multipliers
    copy(T.x, T.x0, 3 * n)
    copy(T.R, T.R0, 9 * n)
    copy(T.v, T.v0, 6 * n)
    copy(T.a, T.a0, 6 * n)
    copy(T.pseudo, T.pseudo0, 6 * n)
    copy(T.s, T.s0, 3 * m)
    copy(T.s_pseudo, T.s_pseudo0, m)
    copy(T.lam, T.lam0, k)


def restore(T, status):
    """State at the begin → state at the end, after a step that failed; passes the status on."""
    n, m, k = T.run.n_nodes, T.run.n_scalars, T.run.n_multipliers
    copy(T.x0, T.x, 3 * n)
    copy(T.R0, T.R, 9 * n)
    copy(T.v0, T.v, 6 * n)
    copy(T.a0, T.a, 6 * n)
    copy(T.pseudo0, T.pseudo, 6 * n)
    copy(T.s0, T.s, 3 * m)
    copy(T.s_pseudo0, T.s_pseudo, m)
    copy(T.lam0, T.lam, k)
    T.run.time = T.run.time0
    T.run.factored = 0
    T.run.bracket_high = 0.0
    set_proper(T)
    return status


def copy(source, target, n):
    for i in range(n):
        target[i] = source[i]


def weigh_forces(T: Memory):
    """Forces of the finished step that enter the next one.   FTG (7.56): b = (α_m Fᴵ + α_f G)/(1 − α_f)

    G = all forces but inertia, Fᴵ = M a: the difference of two residuals. The true acceleration is the unknown itself.
    """
    run = T.run
    n = run.n_equations
    r = T.residual
    b = T.force_bias
    kind = T.norm_kind
    run.want = RESIDUAL
    am = run.alpha_m / (1.0 - run.alpha_f)
    af = run.alpha_f / (1.0 - run.alpha_f)
    _accelerate(T, 1.0)
    call(T.assemble, T)
    for i in range(n):
        b[i] = am * r[i]
    _accelerate(T, 0.0)
    call(T.assemble, T)
    for i in range(n):
        b[i] += (af - am) * r[i]
        if kind[i] >= MULTIPLIER:
            b[i] = 0.0
    _accelerate(T, 1.0)
    return OK


def _accelerate(T, factor):
    """Set the accelerations in the equations to a multiple of the unknowns A."""
    run = T.run
    a, A = T.a, T.pseudo
    nodes = T.node_list
    for i in range(run.n_independent):
        o = 6 * nodes[i]
        for j in range(6):
            a[o + j] = factor * A[o + j]
    s, B = T.s, T.s_pseudo
    for i in range(run.n_scalars):
        s[3 * i + 2] = factor * B[i]
    if run.n_followers > 0:
        call(T.follow, T)
    set_proper(T)


def _orthonormalise(T):
    """Remove rounding from the rotation matrices: R ← ½ R (3 I − RᵀR)."""
    run = T.run
    R = T.R
    nodes = T.node_list
    for i in range(run.n_independent):
        o = 9 * nodes[i]
        A = mat(R, o)
        E = mmt(A, A)
        if abs(E[0] - 1.0) + abs(E[4] - 1.0) + abs(E[8] - 1.0) + abs(E[1]) + abs(E[2]) + abs(E[5]) > 1e-14:
            C = (1.5 - 0.5 * E[0], -0.5 * E[1], -0.5 * E[2], -0.5 * E[3], 1.5 - 0.5 * E[4], -0.5 * E[5],
                 -0.5 * E[6], -0.5 * E[7], 1.5 - 0.5 * E[8])  # fmt: skip
            store_mat(R, o, mm(C, A))
