"""The time loop: steps on a fixed grid or under error control, cut back where Newton fails, recorded as they end."""

from __future__ import annotations

from flexor.engine import slots
from flexor.engine.state import set_proper, turn_own
from flexor.law import RESIDUAL
from flexor.law.primitives import at, call, f64, i64
from flexor.law.tuples import mat, mm, mmt, store_mat

STEP_COLUMNS = 5  # time, step size, iterations, factorisations, cut-backs before it succeeded
GROWTH, SHRINK, SAFETY = 2.0, 0.2, 0.85


def loop(T):
    """Run at most STEPS_MAX steps; returns CHUNK_DONE, or the status that stopped it with the last good state kept."""
    I = i64(T, slots.INTS)
    F = f64(T, slots.FLOATS)
    done = 0
    cuts = I[slots.CUTS]
    while (
        done < I[slots.STEPS_MAX]
        and I[slots.ROWS_USED] < I[slots.ROWS_MAX]
        and I[slots.STEP_ROWS_USED] < I[slots.STEP_ROWS_MAX]
    ):
        remaining = F[slots.END_TIME] - F[slots.TIME0]
        if remaining <= 1e-9 * F[slots.MAX_STEP]:
            break
        target = _target_time(I, F)
        h = min(F[slots.NEXT_STEP], target - F[slots.TIME0])
        if target - F[slots.TIME0] < 1.0001 * h:
            h = target - F[slots.TIME0]
        elif target - F[slots.TIME0] < 2.0 * h and I[slots.ADAPTIVE]:
            h = 0.5 * (target - F[slots.TIME0])  # two equal steps rather than a full one and a sliver
        F[slots.STEP_SIZE] = h
        iterations, factorisations = I[slots.ITERATIONS], I[slots.FACTORISATIONS]
        status = call(T, slots.K_STEP)
        if status == slots.OK and I[slots.ADAPTIVE] and not _accurate(T):
            I[slots.REJECTED] += 1
            I[slots.FACTORED] = 0
            F[slots.NEXT_STEP] = max(
                h * max(SHRINK, SAFETY * F[slots.ERROR_ESTIMATE] ** (-1.0 / 3.0)), F[slots.MIN_STEP]
            )
            if h <= F[slots.MIN_STEP]:
                return restore(T, slots.STEP_TOO_SMALL)
            continue
        if status == slots.REDUNDANCY_LOST or (status == slots.NOT_CONVERGED and I[slots.SYMMETRIC]):
            return restore(T, status)  # the whole, unsymmetric matrix is tried before shorter steps
        if status != slots.OK:
            restore(T, status)
            I[slots.CUTS] += 1
            F[slots.NEXT_STEP] = 0.5 * h
            if F[slots.NEXT_STEP] < F[slots.MIN_STEP]:
                return status
            continue
        at_target = h == target - F[slots.TIME0]
        if at_target:
            F[slots.TIME] = target
        _accept(T)
        done += 1
        row = at(f64(T, slots.STEP_ROWS), STEP_COLUMNS * I[slots.STEP_ROWS_USED])
        row[0], row[1] = F[slots.TIME0], h
        row[2], row[3], row[4] = (
            I[slots.ITERATIONS] - iterations,
            I[slots.FACTORISATIONS] - factorisations,
            I[slots.CUTS] - cuts,
        )
        cuts = I[slots.CUTS]
        I[slots.STEP_ROWS_USED] += 1
        _next_step(I, F, h)
        due = at_target
        if at_target and _on_grid(I, F):
            I[slots.STEP_COUNT] += 1
            if not I[slots.ADAPTIVE]:
                due = I[slots.STEP_COUNT] % I[slots.RECORD_EVERY] == 0
        elif I[slots.ADAPTIVE]:
            due = F[slots.OUTPUT_STEP] <= 0.0
        if due or F[slots.END_TIME] - F[slots.TIME0] <= 1e-9 * F[slots.MAX_STEP]:
            call(T, slots.K_RECORD)
    return slots.CHUNK_DONE


def _target_time(I, F):
    """Next time that a step must hit: the grid of a fixed step, or the next output of an adaptive one."""
    if _grid(I, F) <= 0.0:
        return F[slots.END_TIME]
    return min(F[slots.START_TIME] + (I[slots.STEP_COUNT] + 1) * _grid(I, F), F[slots.END_TIME])


def _grid(I, F):
    return F[slots.OUTPUT_STEP] if I[slots.ADAPTIVE] else F[slots.MAX_STEP]


def _on_grid(I, F):
    """Whether a step that met its target met a point of the grid, not only the end of a run that ends between two of them."""
    return F[slots.START_TIME] + (I[slots.STEP_COUNT] + 1) * _grid(I, F) - F[slots.TIME0] <= 1e-6 * F[slots.MAX_STEP]


def _next_step(I, F, h):
    """Step to try next: the grid's own; after a cut-back doubled; under error control kept unless it pays to change."""
    if not I[slots.ADAPTIVE]:
        F[slots.NEXT_STEP] = min(F[slots.MAX_STEP], 2.0 * h)
        return
    factor = SAFETY * max(F[slots.ERROR_ESTIMATE], 1e-6) ** (-1.0 / 3.0)
    current = max(F[slots.NEXT_STEP], h)
    if factor > 1.3:
        F[slots.NEXT_STEP] = min(max(current, h * min(factor, GROWTH)), F[slots.MAX_STEP])
    elif factor < 0.95:
        F[slots.NEXT_STEP] = h * factor
    else:
        F[slots.NEXT_STEP] = current


def _accurate(T):
    """Local error e = (β − 1/6) h² ΔA in the scaled norm, against its tolerance.   GER, FTG (7.36)"""
    I = i64(T, slots.INTS)
    F = f64(T, slots.FLOATS)
    A, A0 = f64(T, slots.PSEUDO), f64(T, slots.PSEUDO0)
    nodes = i64(T, slots.NODE_LIST)
    total = 0.0
    for i in range(I[slots.N_INDEPENDENT]):
        o = 6 * nodes[i]
        for j in range(3):
            d = (A[o + j] - A0[o + j]) / F[slots.LENGTH_SCALE]
            total = max(total, abs(d))
            total = max(total, abs(A[o + 3 + j] - A0[o + 3 + j]))
    B, B0 = f64(T, slots.S_PSEUDO), f64(T, slots.S_PSEUDO0)
    for i in range(I[slots.N_SCALARS]):
        total = max(total, abs(B[i] - B0[i]))
    h = F[slots.STEP_SIZE]
    F[slots.ERROR_ESTIMATE] = max(abs(F[slots.BETA] - 1.0 / 6.0), 1.0 / 12.0) * h * h * total / F[slots.ERROR_TOLERANCE]
    return F[slots.ERROR_ESTIMATE] <= 1.0


def _accept(T):
    """Make the end of the step the begin of the next one."""
    I = i64(T, slots.INTS)
    F = f64(T, slots.FLOATS)
    _orthonormalise(T)
    turn_own(T, slots.PSEUDO)
    if I[slots.FORM] == slots.WEIGHTED_FORM:
        call(T, slots.K_WEIGH)
    call(T, slots.K_COMMIT)
    if I[slots.USE_ENERGY]:
        call(T, slots.K_ENERGIES)
    n_nodes, n_scalars = I[slots.N_NODES], I[slots.N_SCALARS]
    copy(f64(T, slots.PSEUDO0), f64(T, slots.PSEUDO_OLD), 6 * n_nodes)
    copy(f64(T, slots.S_PSEUDO0), f64(T, slots.S_PSEUDO_OLD), n_scalars)
    copy(f64(T, slots.LAM0), f64(T, slots.LAM_OLD), I[slots.N_MULTIPLIERS])
    turn_own(T, slots.PSEUDO_OLD)
    save(T)
    F[slots.STEP_OLD] = F[slots.STEP_SIZE]
    F[slots.LAST_STEP] = F[slots.STEP_SIZE]
    F[slots.TIME0] = F[slots.TIME]
    F[slots.NORM_ACCELERATION] = acceleration_scale(T)


def acceleration_scale(T):
    """Largest acceleration: linear ones by the model's size, angular ones, and ω² of what spins at constant speed."""
    v, a = f64(T, slots.VEL), f64(T, slots.ACC)
    size = f64(T, slots.FLOATS)[slots.LENGTH_SCALE]
    total = 0.0
    for node in range(i64(T, slots.INTS)[slots.N_NODES]):
        o = 6 * node
        spin = 0.0
        for j in range(3):
            total = max(total, abs(a[o + j]) / size)
            total = max(total, abs(a[o + 3 + j]))
            spin += v[o + 3 + j] * v[o + 3 + j]
        total = max(total, spin)
    return total


STATE = (  # at the end of a step, at its begin, floats per node, per scalar, per multiplier
    (slots.X, slots.X0, 3, 0, 0),
    (slots.ROT, slots.ROT0, 9, 0, 0),
    (slots.VEL, slots.VEL0, 6, 0, 0),
    (slots.ACC, slots.ACC0, 6, 0, 0),
    (slots.PSEUDO, slots.PSEUDO0, 6, 0, 0),
    (slots.S, slots.S0, 0, 3, 0),
    (slots.S_PSEUDO, slots.S_PSEUDO0, 0, 1, 0),
    (slots.LAM, slots.LAM0, 0, 0, 1),
)


def save(T):
    """State at the end → state at the begin."""
    I = i64(T, slots.INTS)
    for end, begin, a, b, c in STATE:
        n = a * I[slots.N_NODES] + b * I[slots.N_SCALARS] + c * I[slots.N_MULTIPLIERS]
        copy(f64(T, end), f64(T, begin), n)


def restore(T, status):
    """State at the begin → state at the end, after a step that failed; passes the status on."""
    I = i64(T, slots.INTS)
    F = f64(T, slots.FLOATS)
    for end, begin, a, b, c in STATE:
        n = a * I[slots.N_NODES] + b * I[slots.N_SCALARS] + c * I[slots.N_MULTIPLIERS]
        copy(f64(T, begin), f64(T, end), n)
    F[slots.TIME] = F[slots.TIME0]
    I[slots.FACTORED] = 0
    set_proper(T)
    return status


def copy(source, target, n):
    for i in range(n):
        target[i] = source[i]


def weigh_forces(T):
    """Forces of the finished step that enter the next one.   FTG (7.56): b = (α_m Fᴵ + α_f G)/(1 − α_f)

    G = all forces but inertia, Fᴵ = M a: the difference of two residuals. The true acceleration is the unknown itself.
    """
    I = i64(T, slots.INTS)
    F = f64(T, slots.FLOATS)
    n = I[slots.N_EQUATIONS]
    r = f64(T, slots.RESIDUAL_VECTOR)
    b = f64(T, slots.FORCE_BIAS)
    kind = i64(T, slots.NORM_KIND)
    I[slots.WANT] = RESIDUAL
    am = F[slots.ALPHA_M] / (1.0 - F[slots.ALPHA_F])
    af = F[slots.ALPHA_F] / (1.0 - F[slots.ALPHA_F])
    _accelerate(T, 1.0)
    call(T, slots.K_ASSEMBLE)
    for i in range(n):
        b[i] = am * r[i]
    _accelerate(T, 0.0)
    call(T, slots.K_ASSEMBLE)
    for i in range(n):
        b[i] += (af - am) * r[i]
        if kind[i] >= 3:
            b[i] = 0.0
    _accelerate(T, 1.0)
    return slots.OK


def _accelerate(T, factor):
    """Set the accelerations in the equations to a multiple of the unknowns A."""
    I = i64(T, slots.INTS)
    a, A = f64(T, slots.ACC), f64(T, slots.PSEUDO)
    nodes = i64(T, slots.NODE_LIST)
    for i in range(I[slots.N_INDEPENDENT]):
        o = 6 * nodes[i]
        for j in range(6):
            a[o + j] = factor * A[o + j]
    s, B = f64(T, slots.S), f64(T, slots.S_PSEUDO)
    for i in range(I[slots.N_SCALARS]):
        s[3 * i + 2] = factor * B[i]
    if I[slots.N_SLAVES] > 0:
        call(T, slots.K_SLAVES)
    set_proper(T)


def _orthonormalise(T):
    """Remove rounding from the rotation matrices: R ← ½ R (3 I − RᵀR)."""
    I = i64(T, slots.INTS)
    R = f64(T, slots.ROT)
    nodes = i64(T, slots.NODE_LIST)
    for i in range(I[slots.N_INDEPENDENT]):
        o = 9 * nodes[i]
        A = mat(R, o)
        E = mmt(A, A)
        if abs(E[0] - 1.0) + abs(E[4] - 1.0) + abs(E[8] - 1.0) + abs(E[1]) + abs(E[2]) + abs(E[5]) > 1e-14:
            C = (1.5 - 0.5 * E[0], -0.5 * E[1], -0.5 * E[2], -0.5 * E[3], 1.5 - 0.5 * E[4], -0.5 * E[5],
                 -0.5 * E[6], -0.5 * E[7], 1.5 - 0.5 * E[8])  # fmt: skip
            store_mat(R, o, mm(C, A))
