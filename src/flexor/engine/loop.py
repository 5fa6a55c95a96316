"""The time loop: steps on a fixed grid or under error control, cut back where Newton fails, recorded as they end."""

from __future__ import annotations

from flexor.engine.slots import (
    ACC, ACC0, ADAPTIVE, ALPHA_F, ALPHA_M, BETA, CHUNK_DONE, CUTS, END_TIME, ERROR_ESTIMATE, ERROR_TOLERANCE, FACTORED, FACTORISATIONS,
    FLOATS, FORCE_BIAS, FORM, INTS, ITERATIONS, K_ASSEMBLE, K_COMMIT, K_ENERGIES, K_RECORD, K_SLAVES, K_STEP, K_WEIGH, LAM, LAM0, LAM_OLD, LAST_STEP,
    LENGTH_SCALE, MAX_STEP, MIN_STEP, N_EQUATIONS, N_INDEPENDENT, N_MULTIPLIERS, N_NODES, N_SCALARS, N_SLAVES, NEXT_STEP, NODE_LIST,
    NORM_ACCELERATION, NORM_KIND, OK, OUTPUT_STEP, PSEUDO, PSEUDO0, PSEUDO_OLD, RECORD_EVERY, REDUNDANCY_LOST, REJECTED, RESIDUAL_VECTOR, ROT, ROT0,
    ROWS_MAX, ROWS_USED, S, S0, S_PSEUDO, S_PSEUDO0, S_PSEUDO_OLD, START_TIME, STEP_COUNT, STEP_OLD, STEP_ROWS, STEP_ROWS_MAX,
    STEP_ROWS_USED, STEP_SIZE, STEP_TOO_SMALL, STEPS_MAX, TIME, TIME0, USE_ENERGY, VEL, VEL0, WANT, WEIGHTED_FORM, X, X0,
)  # fmt: skip
from flexor.engine.state import set_proper
from flexor.law import RESIDUAL
from flexor.law.primitives import at, call, f64, i64
from flexor.law.tuples import mat, mm, mmt, store_mat

STEP_COLUMNS = 5  # time, step size, iterations, factorisations, cut-backs before it succeeded
GROWTH, SHRINK, SAFETY = 2.0, 0.2, 0.85


def loop(T):
    """Run at most STEPS_MAX steps; returns CHUNK_DONE, or the status that stopped it with the last good state kept."""
    I = i64(T, INTS)
    F = f64(T, FLOATS)
    done = 0
    cuts = I[CUTS]
    while done < I[STEPS_MAX] and I[ROWS_USED] < I[ROWS_MAX] and I[STEP_ROWS_USED] < I[STEP_ROWS_MAX]:
        remaining = F[END_TIME] - F[TIME0]
        if remaining <= 1e-9 * F[MAX_STEP]:
            break
        target = _target_time(I, F)
        h = min(F[NEXT_STEP], target - F[TIME0])
        if target - F[TIME0] < 1.0001 * h:
            h = target - F[TIME0]
        elif target - F[TIME0] < 2.0 * h and I[ADAPTIVE]:
            h = 0.5 * (target - F[TIME0])  # two equal steps rather than a full one and a sliver
        F[STEP_SIZE] = h
        iterations, factorisations = I[ITERATIONS], I[FACTORISATIONS]
        status = call(T, K_STEP)
        if status == OK and I[ADAPTIVE] and not _accurate(T):
            I[REJECTED] += 1
            I[FACTORED] = 0
            F[NEXT_STEP] = max(h * max(SHRINK, SAFETY * F[ERROR_ESTIMATE] ** (-1.0 / 3.0)), F[MIN_STEP])
            if h <= F[MIN_STEP]:
                return restore(T, STEP_TOO_SMALL)
            continue
        if status == REDUNDANCY_LOST:
            return restore(T, status)
        if status != OK:
            restore(T, status)
            I[CUTS] += 1
            F[NEXT_STEP] = 0.5 * h
            if F[NEXT_STEP] < F[MIN_STEP]:
                return status
            continue
        at_target = h == target - F[TIME0]
        if at_target:
            F[TIME] = target
        _accept(T)
        done += 1
        row = at(f64(T, STEP_ROWS), STEP_COLUMNS * I[STEP_ROWS_USED])
        row[0], row[1] = F[TIME0], h
        row[2], row[3], row[4] = I[ITERATIONS] - iterations, I[FACTORISATIONS] - factorisations, I[CUTS] - cuts
        cuts = I[CUTS]
        I[STEP_ROWS_USED] += 1
        _next_step(I, F, h)
        due = at_target
        if at_target:
            I[STEP_COUNT] += 1
            if not I[ADAPTIVE]:
                due = I[STEP_COUNT] % I[RECORD_EVERY] == 0
        elif I[ADAPTIVE]:
            due = F[OUTPUT_STEP] <= 0.0
        if due or F[END_TIME] - F[TIME0] <= 1e-9 * F[MAX_STEP]:
            call(T, K_RECORD)
    return CHUNK_DONE


def _target_time(I, F):
    """Next time that a step must hit: the grid of a fixed step, or the next output of an adaptive one."""
    grid = F[OUTPUT_STEP] if I[ADAPTIVE] else F[MAX_STEP]
    if grid <= 0.0:
        return F[END_TIME]
    return min(F[START_TIME] + (I[STEP_COUNT] + 1) * grid, F[END_TIME])


def _next_step(I, F, h):
    """Step to try next: the grid's own; after a cut-back doubled; under error control kept unless it pays to change."""
    if not I[ADAPTIVE]:
        F[NEXT_STEP] = min(F[MAX_STEP], 2.0 * h)
        return
    factor = SAFETY * max(F[ERROR_ESTIMATE], 1e-6) ** (-1.0 / 3.0)
    current = max(F[NEXT_STEP], h)
    if factor > 1.3:
        F[NEXT_STEP] = min(max(current, h * min(factor, GROWTH)), F[MAX_STEP])
    elif factor < 0.95:
        F[NEXT_STEP] = h * factor
    else:
        F[NEXT_STEP] = current


def _accurate(T):
    """Local error e = (β − 1/6) h² ΔA in the scaled norm, against its tolerance.   GER, FTG (7.36)"""
    I = i64(T, INTS)
    F = f64(T, FLOATS)
    A, A0 = f64(T, PSEUDO), f64(T, PSEUDO0)
    nodes = i64(T, NODE_LIST)
    total = 0.0
    for i in range(I[N_INDEPENDENT]):
        o = 6 * nodes[i]
        for j in range(3):
            d = (A[o + j] - A0[o + j]) / F[LENGTH_SCALE]
            total = max(total, abs(d))
            total = max(total, abs(A[o + 3 + j] - A0[o + 3 + j]))
    B, B0 = f64(T, S_PSEUDO), f64(T, S_PSEUDO0)
    for i in range(I[N_SCALARS]):
        total = max(total, abs(B[i] - B0[i]))
    h = F[STEP_SIZE]
    F[ERROR_ESTIMATE] = max(abs(F[BETA] - 1.0 / 6.0), 1.0 / 12.0) * h * h * total / F[ERROR_TOLERANCE]
    return F[ERROR_ESTIMATE] <= 1.0


def _accept(T):
    """Make the end of the step the begin of the next one."""
    I = i64(T, INTS)
    F = f64(T, FLOATS)
    _orthonormalise(T)
    if I[FORM] == WEIGHTED_FORM:
        call(T, K_WEIGH)
    call(T, K_COMMIT)
    if I[USE_ENERGY]:
        call(T, K_ENERGIES)
    n_nodes, n_scalars = I[N_NODES], I[N_SCALARS]
    copy(f64(T, PSEUDO0), f64(T, PSEUDO_OLD), 6 * n_nodes)
    copy(f64(T, S_PSEUDO0), f64(T, S_PSEUDO_OLD), n_scalars)
    copy(f64(T, LAM0), f64(T, LAM_OLD), I[N_MULTIPLIERS])
    save(T)
    F[STEP_OLD] = F[STEP_SIZE]
    F[LAST_STEP] = F[STEP_SIZE]
    F[TIME0] = F[TIME]
    A = f64(T, PSEUDO)
    nodes = i64(T, NODE_LIST)
    total = 0.0
    for i in range(I[N_INDEPENDENT]):
        o = 6 * nodes[i]
        for j in range(3):
            total = max(total, abs(A[o + j]) / F[LENGTH_SCALE])
            total = max(total, abs(A[o + 3 + j]))
    F[NORM_ACCELERATION] = total


def save(T):
    """State at the end → state at the begin."""
    I = i64(T, INTS)
    n_nodes, n_scalars = I[N_NODES], I[N_SCALARS]
    copy(f64(T, X), f64(T, X0), 3 * n_nodes)
    copy(f64(T, ROT), f64(T, ROT0), 9 * n_nodes)
    copy(f64(T, VEL), f64(T, VEL0), 6 * n_nodes)
    copy(f64(T, ACC), f64(T, ACC0), 6 * n_nodes)
    copy(f64(T, PSEUDO), f64(T, PSEUDO0), 6 * n_nodes)
    copy(f64(T, S), f64(T, S0), 3 * n_scalars)
    copy(f64(T, S_PSEUDO), f64(T, S_PSEUDO0), n_scalars)
    copy(f64(T, LAM), f64(T, LAM0), I[N_MULTIPLIERS])


def restore(T, status):
    """State at the begin → state at the end, after a step that failed; passes the status on."""
    I = i64(T, INTS)
    F = f64(T, FLOATS)
    n_nodes, n_scalars = I[N_NODES], I[N_SCALARS]
    copy(f64(T, X0), f64(T, X), 3 * n_nodes)
    copy(f64(T, ROT0), f64(T, ROT), 9 * n_nodes)
    copy(f64(T, VEL0), f64(T, VEL), 6 * n_nodes)
    copy(f64(T, ACC0), f64(T, ACC), 6 * n_nodes)
    copy(f64(T, PSEUDO0), f64(T, PSEUDO), 6 * n_nodes)
    copy(f64(T, S0), f64(T, S), 3 * n_scalars)
    copy(f64(T, S_PSEUDO0), f64(T, S_PSEUDO), n_scalars)
    copy(f64(T, LAM0), f64(T, LAM), I[N_MULTIPLIERS])
    F[TIME] = F[TIME0]
    I[FACTORED] = 0
    set_proper(T)
    return status


def copy(source, target, n):
    for i in range(n):
        target[i] = source[i]


def weigh_forces(T):
    """Forces of the finished step that enter the next one.   FTG (7.56): b = (α_m Fᴵ + α_f G)/(1 − α_f)

    G = all forces but inertia, Fᴵ = M a: the difference of two residuals. The true acceleration is the unknown itself.
    """
    I = i64(T, INTS)
    F = f64(T, FLOATS)
    n = I[N_EQUATIONS]
    r = f64(T, RESIDUAL_VECTOR)
    b = f64(T, FORCE_BIAS)
    kind = i64(T, NORM_KIND)
    I[WANT] = RESIDUAL
    am = F[ALPHA_M] / (1.0 - F[ALPHA_F])
    af = F[ALPHA_F] / (1.0 - F[ALPHA_F])
    _accelerate(T, 1.0)
    call(T, K_ASSEMBLE)
    for i in range(n):
        b[i] = am * r[i]
    _accelerate(T, 0.0)
    call(T, K_ASSEMBLE)
    for i in range(n):
        b[i] += (af - am) * r[i]
        if kind[i] >= 3:
            b[i] = 0.0
    _accelerate(T, 1.0)
    return OK


def _accelerate(T, factor):
    """Set the accelerations in the equations to a multiple of the unknowns A."""
    I = i64(T, INTS)
    a, A = f64(T, ACC), f64(T, PSEUDO)
    nodes = i64(T, NODE_LIST)
    for i in range(I[N_INDEPENDENT]):
        o = 6 * nodes[i]
        for j in range(6):
            a[o + j] = factor * A[o + j]
    s, B = f64(T, S), f64(T, S_PSEUDO)
    for i in range(I[N_SCALARS]):
        s[3 * i + 2] = factor * B[i]
    if I[N_SLAVES] > 0:
        call(T, K_SLAVES)
    set_proper(T)


def _orthonormalise(T):
    """Remove rounding from the rotation matrices: R ← ½ R (3 I − RᵀR)."""
    I = i64(T, INTS)
    R = f64(T, ROT)
    nodes = i64(T, NODE_LIST)
    for i in range(I[N_INDEPENDENT]):
        o = 9 * nodes[i]
        A = mat(R, o)
        E = mmt(A, A)
        if abs(E[0] - 1.0) + abs(E[4] - 1.0) + abs(E[8] - 1.0) + abs(E[1]) + abs(E[2]) + abs(E[5]) > 1e-14:
            C = (1.5 - 0.5 * E[0], -0.5 * E[1], -0.5 * E[2], -0.5 * E[3], 1.5 - 0.5 * E[4], -0.5 * E[5],
                 -0.5 * E[6], -0.5 * E[7], 1.5 - 0.5 * E[8])  # fmt: skip
            store_mat(R, o, mm(C, A))
