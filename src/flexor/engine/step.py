"""One time step: Newton's iteration on the accelerations and multipliers at its end.   FTG 7.3, GER"""

from __future__ import annotations

import math

from flexor.engine.linear.table import FACTOR, SOLVE
from flexor.engine.slots import (
    ALPHA_F, ALPHA_M, BETA, COEFFICIENTS, CONTRACTION, DROPPED_RESIDUAL, DROPPED_TOLERANCE, ELEMENT_STRIDE, E_LAM, E_LAM_EQ, E_MULTIPLIERS, ELEMENTS, FACTORED, FACTORED_STEP,
    FACTORISATIONS, FLOATS, FORCE_BIAS, FORM, GAMMA, INCREMENT, INTS, ITERATIONS, K_ASSEMBLE, K_STATE, LAM, LAM0, LAM_OLD, LENGTH_SCALE,
    LINEAR, MAX_ITERATIONS, MODIFIED, N_ELEMENTS, N_EQUATIONS, N_INDEPENDENT, N_MULTIPLIERS, N_NODES, N_SCALARS, NODE_EQ, NODE_LIST,
    NORM_ACCELERATION, NORM_KIND, NORM_LAST, NORM_SUM_WEIGHT, NOT_CONVERGED, NOT_FINITE, OK, PREDICT, PSEUDO, PSEUDO0, PSEUDO_OLD, REDUNDANCY_LOST,
    RESIDUAL_NORM, RESIDUAL_VECTOR, S_PSEUDO, S_PSEUDO0, S_PSEUDO_OLD, SCALAR_EQ, SINGULAR, STEP_OLD, STEP_SIZE, TIME, TIME0,
    TOL_ACCELERATION, TOL_DISPLACEMENT, TOL_ENERGY, TOL_RESIDUAL, TOL_VELOCITY, WANT, WEIGHTED_FORM, WORST_EQUATION, X,
)  # fmt: skip
from flexor.law import MATRIX, RESIDUAL
from flexor.law.primitives import call, f64, i64

TRANSLATION, ROTATION, GENERALISED, MULTIPLIER, PADDING = 0, 1, 2, 3, 4
SLOW = 0.25  # a contraction worse than this asks for a new matrix
HOPELESS = 1.5  # a growth of the corrections beyond this ends the iteration
FORGET = 0.9  # how much of a bad contraction is remembered from iteration to iteration
ROUNDING = 4e-15  # displacement corrections (scaled by the model's size) that are rounding errors
STAGNANT = 1e-13  # and those that are if they do not fall any more
CLOSE = 1e-9  # and those that may be near a singular position, where rounding of the constraints is magnified
LAST_DIGITS = 8 * 2.220446049250313e-16


def step(T):
    """Solve for the end of the step of length STEP_SIZE from TIME0. The state at its begin stays untouched."""
    I = i64(T, INTS)
    F = f64(T, FLOATS)
    h = F[STEP_SIZE]
    F[TIME] = F[TIME0] + h
    c = f64(T, COEFFICIENTS)
    c[0] = F[BETA] * h * h
    c[1] = F[GAMMA] * h
    c[2] = (1.0 - F[ALPHA_M]) / (1.0 - F[ALPHA_F])
    c[3] = h
    if abs(F[FACTORED_STEP] - h) > 1e-6 * h:
        I[FACTORED] = 0
    _predict(T)
    call(T, K_STATE)
    n = I[N_EQUATIONS]
    residual = f64(T, RESIDUAL_VECTOR)
    increment = f64(T, INCREMENT)
    bias = f64(T, FORCE_BIAS)
    last = 0.0
    fresh = False
    for iteration in range(1, I[MAX_ITERATIONS] + 1):
        I[ITERATIONS] += 1
        new_matrix = I[FACTORED] == 0
        I[WANT] = RESIDUAL | MATRIX if new_matrix else RESIDUAL
        status = call(T, K_ASSEMBLE)
        if status != OK:
            I[FACTORED] = 0
            return status
        if I[FORM] == WEIGHTED_FORM:
            for i in range(n):
                residual[i] += bias[i]
        size = 0.0
        for i in range(n):
            size += residual[i] * residual[i]
            increment[i] = -residual[i]
        if not math.isfinite(size):
            I[FACTORED] = 0
            return NOT_FINITE
        if new_matrix:
            status = call(i64(T, LINEAR), FACTOR)
            I[FACTORISATIONS] += 1
            if status != 0:
                return SINGULAR if status == 2 else NOT_FINITE
            I[FACTORED] = 1
            F[FACTORED_STEP] = h
            fresh = True
        status = call(i64(T, LINEAR), SOLVE)
        if status != 0:
            I[FACTORED] = 0
            return NOT_FINITE
        _apply(T)
        call(T, K_STATE)
        if not I[MODIFIED]:
            I[FACTORED] = 0
        norm = _correction_norm(T)
        if not math.isfinite(norm):
            I[FACTORED] = 0
            return NOT_FINITE
        theta = F[CONTRACTION]
        ratio = 0.0
        if iteration > 1:
            # the worst contraction of late counts: the first corrections hide the slow components
            ratio = norm / max(last, 1e-300)
            theta = ratio if new_matrix else max(ratio, FORGET * F[CONTRACTION])
            F[CONTRACTION] = theta
        if new_matrix and iteration == 1:
            theta = 1.0  # nothing is known yet of the new matrix
        last = norm
        F[NORM_LAST] = norm
        if F[DROPPED_RESIDUAL] * c[0] > F[DROPPED_TOLERANCE] * F[LENGTH_SCALE] and iteration > 1:
            return REDUNDANCY_LOST
        rounding = F[BETA] * h * h * norm
        if rounding <= ROUNDING or (ratio > 0.5 and iteration > 3 and rounding <= STAGNANT):
            return OK
        if fresh and ratio > 0.9 and iteration > 3 and rounding <= CLOSE and _closed(T):
            return OK
        if theta < 0.9 and _converged(T, norm, theta / (1.0 - theta)):
            if iteration == 1:
                F[CONTRACTION] = max(theta, 1e-12) ** 0.9
            return OK
        if ratio > SLOW:
            # a matrix of this very step may take its time; an old one is replaced
            if not fresh:
                I[FACTORED] = 0
            elif ratio > HOPELESS and iteration > 3 and not (new_matrix and I[MODIFIED]):
                break
    _find_worst(T)
    I[FACTORED] = 0
    return NOT_CONVERGED


def _closed(T):
    """Whether the constraints hold to the last digits of the positions, so that nothing is left to correct."""
    I = i64(T, INTS)
    F = f64(T, FLOATS)
    x = f64(T, X)
    size = max(1.0, F[LENGTH_SCALE])
    for i in range(3 * I[N_NODES]):
        size = max(size, abs(x[i]))
    r = f64(T, RESIDUAL_VECTOR)
    kind = i64(T, NORM_KIND)
    for i in range(I[N_EQUATIONS]):
        if kind[i] == MULTIPLIER and abs(r[i]) * F[BETA] * F[STEP_SIZE] * F[STEP_SIZE] > LAST_DIGITS * size:
            return False
    return True


def _predict(T):
    """Start values: linear extrapolation of the last two steps, or the last values."""
    I = i64(T, INTS)
    F = f64(T, FLOATS)
    ratio = F[STEP_SIZE] / F[STEP_OLD] if I[PREDICT] and F[STEP_OLD] > 0.0 else 0.0
    A, A0, A1 = f64(T, PSEUDO), f64(T, PSEUDO0), f64(T, PSEUDO_OLD)
    for i in range(6 * I[N_NODES]):
        A[i] = A0[i] + ratio * (A0[i] - A1[i])
    B, B0, B1 = f64(T, S_PSEUDO), f64(T, S_PSEUDO0), f64(T, S_PSEUDO_OLD)
    for i in range(I[N_SCALARS]):
        B[i] = B0[i] + ratio * (B0[i] - B1[i])
    lam, lam0, lam1 = f64(T, LAM), f64(T, LAM0), f64(T, LAM_OLD)
    for i in range(I[N_MULTIPLIERS]):
        lam[i] = lam0[i] + ratio * (lam0[i] - lam1[i])


def _apply(T):
    """Add the increment to the accelerations and multipliers."""
    I = i64(T, INTS)
    d = f64(T, INCREMENT)
    A = f64(T, PSEUDO)
    nodes = i64(T, NODE_LIST)
    node_eq = i64(T, NODE_EQ)
    for i in range(I[N_INDEPENDENT]):
        node = nodes[i]
        eq = node_eq[node]
        for j in range(6):
            A[6 * node + j] += d[eq + j]
    B = f64(T, S_PSEUDO)
    scalar_eq = i64(T, SCALAR_EQ)
    for i in range(I[N_SCALARS]):
        B[i] += d[scalar_eq[i]]
    apply_multipliers(T)


def apply_multipliers(T):
    """Add the increment to the multipliers."""
    I = i64(T, INTS)
    d = f64(T, INCREMENT)
    lam = f64(T, LAM)
    elements = i64(T, ELEMENTS)
    for e in range(I[N_ELEMENTS]):
        o = e * ELEMENT_STRIDE
        eq = elements[o + E_LAM_EQ]
        k = elements[o + E_LAM]
        for i in range(elements[o + E_MULTIPLIERS]):
            lam[k + i] += d[eq + i]


def _correction_norm(T):
    """Scaled norm of the correction of accelerations.   FTG (7.36)"""
    I = i64(T, INTS)
    F = f64(T, FLOATS)
    d = f64(T, INCREMENT)
    kind = i64(T, NORM_KIND)
    w = 1.0 / F[LENGTH_SCALE]
    total = 0.0
    for i in range(I[N_EQUATIONS]):
        k = kind[i]
        if k == TRANSLATION:
            total += w * w * d[i] * d[i]
        elif k < MULTIPLIER:
            total += d[i] * d[i]
    return math.sqrt(total / F[NORM_SUM_WEIGHT])


def _converged(T, norm, eta):
    """Whether the estimated remaining error η ‖δ‖ meets every tolerance in use.   FTG (7.37), (7.42)"""
    F = f64(T, FLOATS)
    h = F[STEP_SIZE]
    error = eta * norm
    if F[TOL_DISPLACEMENT] > 0.0 and error * F[BETA] * h * h > F[TOL_DISPLACEMENT]:
        return False
    if F[TOL_VELOCITY] > 0.0 and error * F[GAMMA] * h > F[TOL_VELOCITY]:
        return False
    if F[TOL_ACCELERATION] > 0.0 and error > F[TOL_ACCELERATION] * (1.0 + F[NORM_ACCELERATION]):
        return False
    if F[TOL_RESIDUAL] > 0.0 or F[TOL_ENERGY] > 0.0:
        return _forces_converged(T)
    return True


def _forces_converged(T):
    """Residual norm (7.37) and average energy of the last correction (7.42), multipliers left out."""
    I = i64(T, INTS)
    F = f64(T, FLOATS)
    r = f64(T, RESIDUAL_VECTOR)
    d = f64(T, INCREMENT)
    kind = i64(T, NORM_KIND)
    length = F[LENGTH_SCALE]
    square = 0.0
    weight = 0.0
    energy = 0.0
    count = 0
    for i in range(I[N_EQUATIONS]):
        if kind[i] < MULTIPLIER:
            w = length if kind[i] == TRANSLATION else 1.0
            square += w * w * r[i] * r[i]
            weight += w * w
            energy += abs(r[i] * d[i])
            count += 1
    F[RESIDUAL_NORM] = math.sqrt(square / max(weight, 1e-300))
    if F[TOL_RESIDUAL] > 0.0 and F[RESIDUAL_NORM] > F[TOL_RESIDUAL]:
        return False
    h = F[STEP_SIZE]
    return not (F[TOL_ENERGY] > 0.0 and F[BETA] * h * h * energy / max(count, 1) > F[TOL_ENERGY])


def _find_worst(T):
    """Number of the equation with the largest residual."""
    I = i64(T, INTS)
    r = f64(T, RESIDUAL_VECTOR)
    worst = 0
    for i in range(I[N_EQUATIONS]):
        if abs(r[i]) > abs(r[worst]):
            worst = i
    I[WORST_EQUATION] = worst
