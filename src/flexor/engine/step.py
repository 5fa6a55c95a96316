"""One time step: Newton's iteration on the accelerations and multipliers at its end.   FTG 7.3, GER"""

from __future__ import annotations

import math

from flexor.engine.memory import (
    MULTIPLIER,
    NOT_CONVERGED,
    NOT_FINITE,
    OK,
    READING,
    REDUNDANCY_LOST,
    SINGULAR,
    TRANSLATION,
    WEIGHTED_FORM,
    FollowerRecord,
    Memory,
    MotionRecord,
    TermRecord,
)
from flexor.engine.sums import set_negative, weighted_square
from flexor.engine.turned import keep_axes, turn_back, turn_forwards
from flexor.law import MATRIX, RESIDUAL
from flexor.law.face import INTEGRATED
from flexor.law.lanes import load6, plus6, store6
from flexor.law.primitives import at, call
from flexor.law.tuples import mat, mmt, mtv, mv, put, sub, vec

SLOW = 0.1  # a contraction worse than this asks for a new matrix, if it has paid for itself
TOO_SLOW = 0.6  # and one worse than this in any case
PATIENCE = 31  # steps that get a matrix of their own after old ones have led astray
POOR = 0.9  # and a contraction worse than this for another one, though it is of this step
HOPELESS = 1.5  # a growth of the corrections beyond this ends the iteration
FORGET = 0.9  # how much of a bad contraction is remembered from iteration to iteration
ROUNDING = 5e-16  # displacement corrections (relative to the coordinates) that are rounding errors
STAGNANT = 1e-13  # and those that are if they do not fall any more
BLURRED = 0.3  # a fall of so small corrections that is no better than this: their rounding shows
STALLED = 1e-11  # or not at all, with a new matrix: rounding of large angles and of positions far away
CLOSE = 1e-9  # and those that may be near a singular position, where rounding of the constraints is magnified
READ, ROUGHLY = (
    1e-9,
    1e-5,
)  # corrections of readings that are none, and those that are rounding if they do not fall any more
SMALL_READING = 1e-3  # of the largest reading: smaller ones are corrected relative to that
LEAP = 1.0  # rad that a step may turn something beyond what was to be expected; more is an alias of another turn
LAST_DIGITS = 8 * 2.220446049250313e-16
OPEN = 1e-6  # of a constraint that the factors leave out, in model sizes or rad, from which on it counts as violated


def step(T: Memory):
    """Solve for the end of the step of length STEP_SIZE from TIME0. The state at its begin stays untouched.

    A matrix from another step may lead astray (a stiff body that turns): then the step is made again with one of its own, and
    so are the next ones, the more of them the more often that happens.
    """
    run = T.run
    if run.own_matrices > 0:
        run.own_matrices -= 1
        run.factored = 0
    old = run.factored != 0
    status = _attempt(T)
    if old and status == OK:
        run.astray = 0
    elif old and status != REDUNDANCY_LOST:
        run.astray = min(2 * run.astray + 1, PATIENCE)
        run.own_matrices = run.astray
        run.factored = 0
        status = _attempt(T)
    return status


def _attempt(T):
    status = _iterate(T)
    if status == OK and T.linear.numbers.n_dropped > 0 and not _kept(T):
        T.run.factored = 0
        return SINGULAR
    if status == OK and _leaps(T):
        _find_worst(T)
        T.run.factored = 0
        return NOT_CONVERGED
    return status


def _iterate(T):
    """Newton's iteration; OK where it has converged, to whatever solution of the equations."""
    run = T.run
    _begin(T)
    reach = _reach(T)
    first = 0.0
    last = 0.0
    made = 0
    for iteration in range(1, run.max_iterations + 1):
        run.iterations += 1
        new_matrix = run.factored == 0
        status = _correct(T, new_matrix)
        if status != OK:
            run.factored = 0
            return status
        if new_matrix:
            made += 1
        elif iteration > 2:
            run.debt += 1
        if not run.modified:
            run.factored = 0
        norm = _correction_norm(T)
        if not math.isfinite(norm):
            run.factored = 0
            return NOT_FINITE
        if iteration == 1:
            first = norm
        ratio = norm / max(last, 1e-300) if iteration > 1 else 0.0
        last = norm
        theta = _contraction(run, iteration, ratio, new_matrix, made)
        if run.dropped_residual * T.coefficients.K > run.dropped_tolerance:
            if iteration > 1:
                return REDUNDANCY_LOST
            continue  # that was seen at the prediction; the corrected state has to show it
        rounding = run.beta * run.step_size * run.step_size * norm / reach
        settled = run.n_blocks == 0 or _readings_settled(T, iteration)
        if _only_rounding(T, iteration, ratio, rounding, made, reach):
            if settled:
                _account(run, iteration, made)
                return OK
            continue
        faint = ratio > BLURRED and rounding <= STAGNANT
        if _small_enough(T, theta, norm, first, faint):
            if iteration == 1:
                run.contraction = max(theta, 1e-12) ** 0.9
            if settled:
                _account(run, iteration, made)
                return OK
            continue
        if _hopeless(run, iteration, ratio, new_matrix, made):
            break
    _find_worst(T)
    run.factored = 0
    return NOT_CONVERGED


def _account(run, iteration, made):
    """After a step that took so many iterations: a matrix is made anew before the next one if that makes steps cheaper on average.

    A matrix that has served n steps and cost d iterations beyond two a step has cost (renewal + d)/n a step. Steps cost the more
    the older it is; with the first that costs more than this, the mean has passed its minimum. made: matrices of this step.
    """
    run.served = 1 if made > 0 else run.served + 1
    if made == 0 and (iteration - 2) * run.served > run.renewal + run.debt:
        run.factored = 0


def _begin(T):
    """Coefficients of this step, and its first guess."""
    run = T.run
    h = run.step_size
    run.time = run.time0 + h
    c = T.coefficients
    c.K = run.beta * h * h
    c.C = run.gamma * h
    c.M = (1.0 - run.alpha_m) / (1.0 - run.alpha_f)
    c.step = h
    c.turning = 1.0
    c.states = INTEGRATED
    if abs(run.factored_step - h) > 1e-6 * h:
        run.factored = 0
    _predict(T)
    call(T.state, T)


def _correct(T, new_matrix):
    """The equations at the present state, solved with a new matrix or the last one; their solution moves the state."""
    run = T.run
    run.want = RESIDUAL | MATRIX if new_matrix else RESIDUAL
    status = call(T.assemble, T)
    if status != OK:
        return status
    if run.form == WEIGHTED_FORM:
        _add_bias(T)
    if not math.isfinite(set_negative(run.n_equations, T.residual, T.increment)):
        return NOT_FINITE
    if new_matrix:
        status = call(T.linear.factor, T.linear)
        run.factorisations += 1
        if status != OK:
            return SINGULAR if status == SINGULAR else NOT_FINITE
        run.factored = 1
        run.factored_step = run.step_size
        run.debt = 0
        keep_axes(T)
    turned = run.turned and not new_matrix
    if turned:
        turn_back(T, T.increment)
    if call(T.linear.solve, T.linear) != OK:
        return NOT_FINITE
    if turned:
        turn_forwards(T, T.increment)
    _apply(T)
    call(T.state, T)
    return OK


def _add_bias(T):
    """Forces of the last step that enter this one.   FTG (7.56)"""
    residual, bias = T.residual, T.force_bias
    for i in range(T.run.n_equations):
        residual[i] += bias[i]
    _add_turned(T, T.force_bias, T.residual, True)


def _contraction(run, iteration, ratio, new_matrix, made):
    """θ by which corrections shrink: the worst of late counts, since the first corrections hide the slow components.

    ratio: of this correction to the last.   made: matrices of this step. Of a second one the ratio tells little: it compares
    with a correction by another one of this step.
    """
    if iteration == 1:
        return 1.0 if new_matrix else run.contraction  # nothing is known yet of a new matrix
    least = SLOW if made > 1 and run.modified else 0.0
    theta = max(ratio, least) if new_matrix else max(ratio, FORGET * run.contraction)
    run.contraction = theta
    return theta


def _only_rounding(T, iteration, ratio, rounding, made, reach):
    """Whether the correction, of a size `rounding` beside the coordinates, is made of their rounding errors."""
    if rounding <= ROUNDING:
        return True
    if iteration <= 3:
        return False
    if ratio > 0.5 and rounding <= STAGNANT:
        return True
    stalled = made > 0 and ratio > 0.9
    return stalled and (rounding <= STALLED or (rounding <= CLOSE and _closed(T, reach)))


def _small_enough(T, theta, norm, first, faint):
    """Whether what is left is small beside what the prediction missed, which is of the size of the integrator's own error, and
    meets the tolerances. faint: the correction shows its rounding."""
    if theta >= 0.9:
        return False
    left = theta / (1.0 - theta) * norm
    return (faint or left <= T.run.tol_prediction * first) and _converged(T, left)


def _readings_settled(T, iteration):
    """Whether the last correction has left all readings as they were, but for rounding; a matrix that does not serve them is made anew."""
    run = T.run
    d, kind, lam = T.increment, T.norm_kind, T.lam
    largest, change = 1e-300, 0.0
    for e in range(run.n_terms):
        term = TermRecord(T.terms, e)
        for i in range(term.own):
            if kind[term.lam_eq + i] == READING:
                largest = max(largest, abs(lam[term.lam + i]))
    for e in range(run.n_terms):
        term = TermRecord(T.terms, e)
        for i in range(term.own):
            if kind[term.lam_eq + i] == READING:
                change = max(change, abs(d[term.lam_eq + i]) / (abs(lam[term.lam + i]) + SMALL_READING * largest))
    last = run.reading_change
    run.reading_change = change
    if change <= READ or (iteration > 3 and change >= BLURRED * last and change <= ROUGHLY):
        return True
    if iteration > 1 and change > SLOW * last:
        run.factored = 0
    return False


def _hopeless(run, iteration, ratio, new_matrix, made):
    """Whether to give up after a poor contraction; an old matrix is replaced before, one of this very step may take its time.

    A matrix is dear where the mechanism is meshed: it serves until the iterations that it costs beyond those of a new one have
    cost as much as that would. (If they grow evenly from step to step, no other choice takes less.)
    """
    if ratio <= SLOW or (made == 0 and ratio <= TOO_SLOW and run.debt < run.dearness):
        return False
    if made == 0 and ratio > 1.0:
        return True
    if made == 0 or ratio > POOR:
        run.factored = 0
    return made > 0 and ratio > HOPELESS and iteration > 3 and not (new_matrix and run.modified)


def _leaps(T):
    """Whether something turns by more than LEAP beyond what its velocity and acceleration foretell: another branch."""
    run = T.run
    limit = LEAP / (run.beta * run.step_size**2)
    A, A0 = T.pseudo, T.pseudo0
    nodes = T.node_list
    for i in range(run.n_independent):
        o = 6 * nodes[i] + 3
        for j in range(3):
            if abs(A[o + j] - A0[o + j]) > limit:
                return True
    B, B0 = T.s_pseudo, T.s_pseudo0
    followers, motions = T.followers, T.motions
    for follower in range(run.n_followers):
        d = FollowerRecord(followers, follower)
        for j in range(d.motion_count):
            motion = MotionRecord(at(motions, d.motion), j)
            if motion.turns and motion.drive < 0 and abs(B[motion.scalar] - B0[motion.scalar]) > limit:
                return True
    return False


def _reach(T):
    """Largest coordinate, lengths in model sizes, at least 1: what rounding errors are relative to."""
    run = T.run
    x, s = T.x0, T.s0
    size = value = 0.0
    for i in range(run.n_nodes):
        size = max(size, max(max(abs(x[3 * i]), abs(x[3 * i + 1])), abs(x[3 * i + 2])))
    for i in range(run.n_scalars):
        value = max(value, abs(s[3 * i]))
    return max(1.0, max(size / run.length_scale, value))


def _closed(T, reach):
    """Whether the constraints hold to the last digits of the positions, so that nothing is left to correct."""
    return _constraints_hold(T, LAST_DIGITS * reach)


def _kept(T):
    """Whether all constraints hold though the factors leave some out: those that follow from the others do."""
    return _constraints_hold(T, OPEN)


def _constraints_hold(T, tolerance):
    """tolerance: in model sizes or rad"""
    run = T.run
    limit = tolerance * max(1.0, run.length_scale) / (run.beta * run.step_size**2)
    r = T.residual
    kind = T.norm_kind
    for i in range(run.n_equations):
        if kind[i] == MULTIPLIER and abs(r[i]) > limit:
            return False
    return True


def _predict(T):
    """Start values: linear extrapolation of the last two steps, or the last values."""
    run = T.run
    ratio = run.step_size / run.step_old if run.predict and run.step_old > 0.0 else 0.0
    A, A0, A1 = T.pseudo, T.pseudo0, T.pseudo_old
    for i in range(6 * run.n_nodes):
        A[i] = A0[i] + ratio * (A0[i] - A1[i])
    B, B0, B1 = T.s_pseudo, T.s_pseudo0, T.s_pseudo_old
    for i in range(run.n_scalars):
        B[i] = B0[i] + ratio * (B0[i] - B1[i])
    lam, lam0, lam1 = T.lam, T.lam0, T.lam_old
    for i in range(run.n_multipliers):
        lam[i] = lam0[i] + ratio * (lam0[i] - lam1[i])


def _apply(T):
    """Add the increment to the accelerations and multipliers."""
    run = T.run
    d = T.increment
    A = T.pseudo
    nodes = T.node_list
    node_eq = T.node_eq
    for i in range(run.n_independent):
        o = 6 * nodes[i]
        store6(A, o, plus6(load6(A, o), 1.0, load6(d, node_eq[nodes[i]])))
    _add_turned(T, T.increment, T.pseudo, False)
    B = T.s_pseudo
    scalar_eq = T.scalar_eq
    for i in range(run.n_scalars):
        B[i] += d[scalar_eq[i]]
    apply_multipliers(T)


def _add_turned(T, u, into, forward):
    """Of nodes with own axes: what was added to rotations of the target stands in axes of the begin (forward) or end."""
    nodes = T.own_axes
    node_eq = T.node_eq
    R, R0 = T.R, T.R0
    for i in range(T.run.n_own_axes):
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
    run = T.run
    d = T.increment
    lam = T.lam
    for e in range(run.n_terms):
        term = TermRecord(T.terms, e)
        for i in range(term.own):
            lam[term.lam + i] += d[term.lam_eq + i]


def _correction_norm(T):
    """Scaled norm of the correction of accelerations.   FTG (7.36)"""
    n = T.run.n_equations
    total = weighted_square(n, T.norm_weight, T.increment)
    return math.sqrt(total / T.run.norm_sum_weight)


def _converged(T, error):
    """Whether the estimated remaining error η ‖δ‖ meets every tolerance in use.   FTG (7.37), (7.42)"""
    run = T.run
    h = run.step_size
    if run.tol_displacement > 0.0 and error * run.beta * h * h > run.tol_displacement:
        return False
    if run.tol_velocity > 0.0 and error * run.gamma * h > run.tol_velocity:
        return False
    if run.tol_acceleration > 0.0 and error > run.tol_acceleration * (1.0 + run.norm_acceleration):
        return False
    if run.tol_residual > 0.0 or run.tol_energy > 0.0:
        return _forces_converged(T)
    return True


def _forces_converged(T):
    """Residual norm (7.37) and average energy of the last correction (7.42), multipliers left out."""
    run = T.run
    r = T.residual
    d = T.increment
    kind = T.norm_kind
    length = run.length_scale
    square = 0.0
    weight = 0.0
    energy = 0.0
    count = 0
    for i in range(run.n_equations):
        if kind[i] < MULTIPLIER:
            w = length if kind[i] == TRANSLATION else 1.0
            square += w * w * r[i] * r[i]
            weight += w * w
            energy += abs(r[i] * d[i])
            count += 1
    run.residual_norm = math.sqrt(square / max(weight, 1e-300))
    if run.tol_residual > 0.0 and run.residual_norm > run.tol_residual:
        return False
    h = run.step_size
    return not (run.tol_energy > 0.0 and run.beta * h * h * energy / max(count, 1) > run.tol_energy)


def _find_worst(T):
    """Number of the equation with the largest residual."""
    run = T.run
    r = T.residual
    worst = 0
    for i in range(run.n_equations):
        if abs(r[i]) > abs(r[worst]):
            worst = i
    run.worst_equation = worst
