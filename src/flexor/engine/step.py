"""One time step: Newton's iteration on the accelerations and multipliers at its end.   FTG 7.3, GER"""

from __future__ import annotations

import math

from flexor.engine import slots
from flexor.engine.linear.table import FACTOR, INFO, N_DROPPED, SOLVE
from flexor.engine.slaves import MOTION_STRIDE
from flexor.engine.sums import set_negative, weighted_square
from flexor.law import MATRIX, RESIDUAL
from flexor.law.law import TURNING
from flexor.law.primitives import call, f64, i64
from flexor.law.tuples import mat, mmt, mtv, mv, put, sub, vec

TRANSLATION, ROTATION, GENERALISED, MULTIPLIER, PADDING = 0, 1, 2, 3, 4
SLOW = 0.1  # a contraction worse than this asks for a new matrix
PATIENCE = 31  # steps that get a matrix of their own after old ones have led astray
POOR = 0.9  # and a contraction worse than this for another one, though it is of this step
HOPELESS = 1.5  # a growth of the corrections beyond this ends the iteration
FORGET = 0.9  # how much of a bad contraction is remembered from iteration to iteration
ROUNDING = 5e-16  # displacement corrections (relative to the coordinates) that are rounding errors
STAGNANT = 1e-13  # and those that are if they do not fall any more
BLURRED = 0.3  # a fall of so small corrections that is no better than this: their rounding shows
STALLED = 1e-11  # or not at all, with a new matrix: rounding of large angles and of positions far away
CLOSE = 1e-9  # and those that may be near a singular position, where rounding of the constraints is magnified
LEAP = 1.0  # rad that a step may turn something beyond what was to be expected; more is an alias of another turn
LAST_DIGITS = 8 * 2.220446049250313e-16
OPEN = 1e-6  # of a constraint that the factors leave out, in model sizes or rad, from which on it counts as violated


def step(T):
    """Solve for the end of the step of length STEP_SIZE from TIME0. The state at its begin stays untouched.

    A matrix from another step may lead astray (a stiff body that turns): then the step is made again with one of its own, and
    so are the next ones, the more of them the more often that happens.
    """
    I = i64(T, slots.INTS)
    if I[slots.OWN_MATRICES] > 0:
        I[slots.OWN_MATRICES] -= 1
        I[slots.FACTORED] = 0
    old = I[slots.FACTORED] != 0
    status = _attempt(T)
    if old and status == slots.OK:
        I[slots.ASTRAY] = 0
    elif old and status != slots.REDUNDANCY_LOST:
        I[slots.ASTRAY] = min(2 * I[slots.ASTRAY] + 1, PATIENCE)
        I[slots.OWN_MATRICES] = I[slots.ASTRAY]
        I[slots.FACTORED] = 0
        status = _attempt(T)
    return status


def _attempt(T):
    status = _iterate(T)
    if status == slots.OK and i64(i64(T, slots.LINEAR), INFO)[N_DROPPED] > 0 and not _kept(T):
        i64(T, slots.INTS)[slots.FACTORED] = 0
        return slots.SINGULAR
    if status == slots.OK and _leaps(T):
        _find_worst(T)
        i64(T, slots.INTS)[slots.FACTORED] = 0
        return slots.NOT_CONVERGED
    return status


def _iterate(T):
    """Newton's iteration; OK where it has converged, to whatever solution of the equations."""
    I = i64(T, slots.INTS)
    F = f64(T, slots.FLOATS)
    h = F[slots.STEP_SIZE]
    F[slots.TIME] = F[slots.TIME0] + h
    c = f64(T, slots.COEFFICIENTS)
    c[0] = F[slots.BETA] * h * h
    c[1] = F[slots.GAMMA] * h
    c[2] = (1.0 - F[slots.ALPHA_M]) / (1.0 - F[slots.ALPHA_F])
    c[3] = h
    c[TURNING] = 1.0
    if abs(F[slots.FACTORED_STEP] - h) > 1e-6 * h:
        I[slots.FACTORED] = 0
    _predict(T)
    call(T, slots.K_STATE)
    n = I[slots.N_EQUATIONS]
    residual = f64(T, slots.RESIDUAL_VECTOR)
    increment = f64(T, slots.INCREMENT)
    bias = f64(T, slots.FORCE_BIAS)
    reach = _reach(T)
    first = 0.0
    last = 0.0
    made = 0
    for iteration in range(1, I[slots.MAX_ITERATIONS] + 1):
        I[slots.ITERATIONS] += 1
        new_matrix = I[slots.FACTORED] == 0
        I[slots.WANT] = RESIDUAL | MATRIX if new_matrix else RESIDUAL
        status = call(T, slots.K_ASSEMBLE)
        if status != slots.OK:
            I[slots.FACTORED] = 0
            return status
        if I[slots.FORM] == slots.WEIGHTED_FORM:
            for i in range(n):
                residual[i] += bias[i]
            _add_turned(T, slots.FORCE_BIAS, slots.RESIDUAL_VECTOR, True)
        if not math.isfinite(set_negative(n, residual, increment)):
            I[slots.FACTORED] = 0
            return slots.NOT_FINITE
        if new_matrix:
            status = call(i64(T, slots.LINEAR), FACTOR)
            I[slots.FACTORISATIONS] += 1
            if status != 0:
                return slots.SINGULAR if status == 2 else slots.NOT_FINITE
            I[slots.FACTORED] = 1
            F[slots.FACTORED_STEP] = h
            made += 1
        status = call(i64(T, slots.LINEAR), SOLVE)
        if status != 0:
            I[slots.FACTORED] = 0
            return slots.NOT_FINITE
        _apply(T)
        call(T, slots.K_STATE)
        if not I[slots.MODIFIED]:
            I[slots.FACTORED] = 0
        norm = _correction_norm(T)
        if not math.isfinite(norm):
            I[slots.FACTORED] = 0
            return slots.NOT_FINITE
        theta = F[slots.CONTRACTION]
        ratio = 0.0
        if iteration == 1:
            first = norm
        else:
            # the worst contraction of late counts: the first corrections hide the slow components
            ratio = norm / max(last, 1e-300)
            # (of a second matrix the ratio tells little: it compares with a correction by another one of this step)
            least = SLOW if made > 1 and I[slots.MODIFIED] else 0.0
            theta = max(ratio, least) if new_matrix else max(ratio, FORGET * F[slots.CONTRACTION])
            F[slots.CONTRACTION] = theta
        if new_matrix and iteration == 1:
            theta = 1.0  # nothing is known yet of the new matrix
        last = norm
        F[slots.NORM_LAST] = norm
        if F[slots.DROPPED_RESIDUAL] * c[0] > F[slots.DROPPED_TOLERANCE]:
            if iteration > 1:
                return slots.REDUNDANCY_LOST
            continue  # that was seen at the prediction; the corrected state has to show it
        rounding = F[slots.BETA] * h * h * norm / reach
        if rounding <= ROUNDING or (ratio > 0.5 and iteration > 3 and rounding <= STAGNANT):
            return slots.OK
        if (
            made > 0
            and ratio > 0.9
            and iteration > 3
            and (rounding <= STALLED or (rounding <= CLOSE and _closed(T, reach)))
        ):
            return slots.OK
        # what is left must be small beside what the prediction missed, which is of the size of the integrator's own error
        left = theta / (1.0 - theta) * norm if theta < 0.9 else first
        faint = ratio > BLURRED and rounding <= STAGNANT
        if theta < 0.9 and (faint or left <= F[slots.TOL_PREDICTION] * first) and _converged(T, left):
            if iteration == 1:
                F[slots.CONTRACTION] = max(theta, 1e-12) ** 0.9
            return slots.OK
        if ratio > SLOW:
            # an old matrix is replaced; one of this very step may take its time
            if made == 0 and ratio > 1.0:
                break
            if made == 0 or ratio > POOR:
                I[slots.FACTORED] = 0
            if made > 0 and ratio > HOPELESS and iteration > 3 and not (new_matrix and I[slots.MODIFIED]):
                break
    _find_worst(T)
    I[slots.FACTORED] = 0
    return slots.NOT_CONVERGED


def _leaps(T):
    """Whether something turns by more than LEAP beyond what its velocity and acceleration foretell: another branch."""
    I = i64(T, slots.INTS)
    F = f64(T, slots.FLOATS)
    limit = LEAP / (F[slots.BETA] * F[slots.STEP_SIZE] ** 2)
    A, A0 = f64(T, slots.PSEUDO), f64(T, slots.PSEUDO0)
    nodes = i64(T, slots.NODE_LIST)
    for i in range(I[slots.N_INDEPENDENT]):
        o = 6 * nodes[i] + 3
        for j in range(3):
            if abs(A[o + j] - A0[o + j]) > limit:
                return True
    B, B0 = f64(T, slots.S_PSEUDO), f64(T, slots.S_PSEUDO0)
    slaves, motions = i64(T, slots.SLAVES), i64(T, slots.SLAVE_MOTIONS)
    for slave in range(I[slots.N_SLAVES]):
        d = slave * slots.SLAVE_STRIDE
        for j in range(slaves[d + slots.L_MOTION_COUNT]):
            motion = slaves[d + slots.L_MOTION] + MOTION_STRIDE * j
            scalar = motions[motion + 2]
            if motions[motion] == 1 and abs(B[scalar] - B0[scalar]) > limit:
                return True
    return False


def _reach(T):
    """Largest coordinate, lengths in model sizes, at least 1: what rounding errors are relative to."""
    I = i64(T, slots.INTS)
    x, s = f64(T, slots.X0), f64(T, slots.S0)
    size = 0.0
    for i in range(3 * I[slots.N_NODES]):
        size = max(size, abs(x[i]))
    size = max(1.0, size / f64(T, slots.FLOATS)[slots.LENGTH_SCALE])
    for i in range(I[slots.N_SCALARS]):
        size = max(size, abs(s[3 * i]))
    return size


def _closed(T, reach):
    """Whether the constraints hold to the last digits of the positions, so that nothing is left to correct."""
    F = f64(T, slots.FLOATS)
    limit = LAST_DIGITS * reach * max(1.0, F[slots.LENGTH_SCALE]) / (F[slots.BETA] * F[slots.STEP_SIZE] ** 2)
    r = f64(T, slots.RESIDUAL_VECTOR)
    kind = i64(T, slots.NORM_KIND)
    for i in range(i64(T, slots.INTS)[slots.N_EQUATIONS]):
        if kind[i] == MULTIPLIER and abs(r[i]) > limit:
            return False
    return True


def _kept(T):
    """Whether all constraints hold though the factors leave some out: those that follow from the others do."""
    F = f64(T, slots.FLOATS)
    limit = OPEN * max(1.0, F[slots.LENGTH_SCALE]) / (F[slots.BETA] * F[slots.STEP_SIZE] ** 2)
    r = f64(T, slots.RESIDUAL_VECTOR)
    kind = i64(T, slots.NORM_KIND)
    for i in range(i64(T, slots.INTS)[slots.N_EQUATIONS]):
        if kind[i] == MULTIPLIER and abs(r[i]) > limit:
            return False
    return True


def _predict(T):
    """Start values: linear extrapolation of the last two steps, or the last values."""
    I = i64(T, slots.INTS)
    F = f64(T, slots.FLOATS)
    ratio = F[slots.STEP_SIZE] / F[slots.STEP_OLD] if I[slots.PREDICT] and F[slots.STEP_OLD] > 0.0 else 0.0
    A, A0, A1 = f64(T, slots.PSEUDO), f64(T, slots.PSEUDO0), f64(T, slots.PSEUDO_OLD)
    for i in range(6 * I[slots.N_NODES]):
        A[i] = A0[i] + ratio * (A0[i] - A1[i])
    B, B0, B1 = f64(T, slots.S_PSEUDO), f64(T, slots.S_PSEUDO0), f64(T, slots.S_PSEUDO_OLD)
    for i in range(I[slots.N_SCALARS]):
        B[i] = B0[i] + ratio * (B0[i] - B1[i])
    lam, lam0, lam1 = f64(T, slots.LAM), f64(T, slots.LAM0), f64(T, slots.LAM_OLD)
    for i in range(I[slots.N_MULTIPLIERS]):
        lam[i] = lam0[i] + ratio * (lam0[i] - lam1[i])


def _apply(T):
    """Add the increment to the accelerations and multipliers."""
    I = i64(T, slots.INTS)
    d = f64(T, slots.INCREMENT)
    A = f64(T, slots.PSEUDO)
    nodes = i64(T, slots.NODE_LIST)
    node_eq = i64(T, slots.NODE_EQ)
    for i in range(I[slots.N_INDEPENDENT]):
        node = nodes[i]
        eq = node_eq[node]
        for j in range(6):
            A[6 * node + j] += d[eq + j]
    _add_turned(T, slots.INCREMENT, slots.PSEUDO, False)
    B = f64(T, slots.S_PSEUDO)
    scalar_eq = i64(T, slots.SCALAR_EQ)
    for i in range(I[slots.N_SCALARS]):
        B[i] += d[scalar_eq[i]]
    apply_multipliers(T)


def _add_turned(T, source, target, forward):
    """Of nodes with own axes: what was added to rotations of the target stands in axes of the begin (forward) or end."""
    nodes = i64(T, slots.OWN_AXES)
    node_eq = i64(T, slots.NODE_EQ)
    R, R0, u, into = f64(T, slots.ROT), f64(T, slots.ROT0), f64(T, source), f64(T, target)
    for i in range(i64(T, slots.INTS)[slots.N_OWN_AXES]):
        node = nodes[i]
        eq = node_eq[node] + 3
        Q = mmt(mat(R, 9 * node), mat(R0, 9 * node))
        d = vec(u, eq)
        if forward:
            put(into, eq, sub(mv(Q, d), d))
        else:
            put(into, 6 * node + 3, sub(mtv(Q, d), d))


def apply_multipliers(T):
    """Add the increment to the multipliers."""
    I = i64(T, slots.INTS)
    d = f64(T, slots.INCREMENT)
    lam = f64(T, slots.LAM)
    elements = i64(T, slots.ELEMENTS)
    for e in range(I[slots.N_ELEMENTS]):
        o = e * slots.ELEMENT_STRIDE
        eq = elements[o + slots.E_LAM_EQ]
        k = elements[o + slots.E_LAM]
        for i in range(elements[o + slots.E_MULTIPLIERS]):
            lam[k + i] += d[eq + i]


def _correction_norm(T):
    """Scaled norm of the correction of accelerations.   FTG (7.36)"""
    n = i64(T, slots.INTS)[slots.N_EQUATIONS]
    total = weighted_square(n, f64(T, slots.NORM_WEIGHT), f64(T, slots.INCREMENT))
    return math.sqrt(total / f64(T, slots.FLOATS)[slots.NORM_SUM_WEIGHT])


def _converged(T, error):
    """Whether the estimated remaining error η ‖δ‖ meets every tolerance in use.   FTG (7.37), (7.42)"""
    F = f64(T, slots.FLOATS)
    h = F[slots.STEP_SIZE]
    if F[slots.TOL_DISPLACEMENT] > 0.0 and error * F[slots.BETA] * h * h > F[slots.TOL_DISPLACEMENT]:
        return False
    if F[slots.TOL_VELOCITY] > 0.0 and error * F[slots.GAMMA] * h > F[slots.TOL_VELOCITY]:
        return False
    if F[slots.TOL_ACCELERATION] > 0.0 and error > F[slots.TOL_ACCELERATION] * (1.0 + F[slots.NORM_ACCELERATION]):
        return False
    if F[slots.TOL_RESIDUAL] > 0.0 or F[slots.TOL_ENERGY] > 0.0:
        return _forces_converged(T)
    return True


def _forces_converged(T):
    """Residual norm (7.37) and average energy of the last correction (7.42), multipliers left out."""
    I = i64(T, slots.INTS)
    F = f64(T, slots.FLOATS)
    r = f64(T, slots.RESIDUAL_VECTOR)
    d = f64(T, slots.INCREMENT)
    kind = i64(T, slots.NORM_KIND)
    length = F[slots.LENGTH_SCALE]
    square = 0.0
    weight = 0.0
    energy = 0.0
    count = 0
    for i in range(I[slots.N_EQUATIONS]):
        if kind[i] < MULTIPLIER:
            w = length if kind[i] == TRANSLATION else 1.0
            square += w * w * r[i] * r[i]
            weight += w * w
            energy += abs(r[i] * d[i])
            count += 1
    F[slots.RESIDUAL_NORM] = math.sqrt(square / max(weight, 1e-300))
    if F[slots.TOL_RESIDUAL] > 0.0 and F[slots.RESIDUAL_NORM] > F[slots.TOL_RESIDUAL]:
        return False
    h = F[slots.STEP_SIZE]
    return not (F[slots.TOL_ENERGY] > 0.0 and F[slots.BETA] * h * h * energy / max(count, 1) > F[slots.TOL_ENERGY])


def _find_worst(T):
    """Number of the equation with the largest residual."""
    I = i64(T, slots.INTS)
    r = f64(T, slots.RESIDUAL_VECTOR)
    worst = 0
    for i in range(I[slots.N_EQUATIONS]):
        if abs(r[i]) > abs(r[worst]):
            worst = i
    I[slots.WORST_EQUATION] = worst
