"""Transitions: where in a step a law passes from one regime to another, and how the motion goes on from there.

A law with regimes (friction that sticks or slides, see `flexor.law.law`) is smooth in each of them and tells a margin that vanishes where
the regime ends. A step at whose end the least margin is below zero is made again, shorter, until it ends there: a regula falsi in the
length of the step (Illinois), every trial a step of its own from the same begin. Then the laws decide anew. Accelerations and multipliers
jump; they are solved for in the new regimes, M a + Bᵀ λ = f, Φ̈ = 0, and the integration goes on from them, with pseudo-accelerations A = a
and Φ̇ = 0.
"""

from __future__ import annotations

from flexor.engine.assemble import call_term
from flexor.engine.memory import MULTIPLIER, OK, WEIGHTED_FORM, Memory, TermRecord
from flexor.law import ACCELERATION_LEVEL, RESIDUAL, SWITCH, TRANSITION, VELOCITY_LEVEL
from flexor.law.face import TOUCH
from flexor.law.primitives import at, call

SHORTEST = 1e-6  # of a step: what is due earlier happens then
SHORT = 0.1  # of a step: shorter ones need velocities that agree with the constraints
TRIALS = 40  # of a step, to find where it ends
NARROW = 1e-12  # width of what is known about that, in parts of the step, from which on it is good enough
ROUNDS = 200  # of decisions
TOGETHER = 4  # of them, in which all change that have to; then one at a time


def least_margin(T, begin):
    """Of all laws with regimes, at the end of the step or at its begin."""
    w = T.buffer_scratch
    least = 1e300
    for i in range(T.run.n_transitions):
        d = TermRecord(T.terms, T.with_transitions[i])
        call_term(T, d, TRANSITION, at(T.lam, d.lam))
        least = min(least, w[1] if begin else w[0])
    return least


def passed(T, h):
    """Whether the step of length h has gone past a transition, or has yet to meet one; then next_step is the length to try.

    Meanwhile bracket_low and bracket_high hold lengths before and past it; the latter is 0 if none was met.
    """
    run = T.run
    margin = least_margin(T, False)
    if run.bracket_high == 0.0:
        if margin >= -TOUCH:
            return False
        run.trials = 0
        run.bracket_first = h
        run.bracket_low, run.margin_low = 0.0, max(least_margin(T, True), TOUCH)
        run.bracket_high, run.margin_high = h, margin
        run.bracket_side = 0
    else:
        run.trials += 1
        narrow = run.bracket_high - run.bracket_low <= NARROW * run.bracket_first
        if abs(margin) <= TOUCH or narrow or run.trials >= TRIALS:
            return False
        if margin < 0.0:
            run.bracket_high, run.margin_high = h, margin
            if run.bracket_side == -1:
                run.margin_low *= 0.5
            run.bracket_side = -1
        else:
            run.bracket_low, run.margin_low = h, margin
            if run.bracket_side == 1:
                run.margin_high *= 0.5
            run.bracket_side = 1
    shortest = SHORTEST * run.bracket_first
    if run.bracket_high <= shortest:
        return False
    share = run.margin_low / (run.margin_low - run.margin_high)
    h = run.bracket_low + share * (run.bracket_high - run.bracket_low)
    run.next_step = max(h, shortest)
    return True


def switch(T: Memory):
    """Ask all laws with regimes to decide anew, by WANT; for how many accelerations are to be solved for anew.

    In the first ROUNDS all that have to, change together; if they disturb each other, one at a time, the first one: that comes to an
    end where the forces are unique (Murty's least-index method).
    """
    w = T.buffer_scratch
    changed = 0
    for i in range(T.run.n_transitions):
        d = TermRecord(T.terms, T.with_transitions[i])
        call_term(T, d, T.run.want, at(T.lam, d.lam))
        answer = w[0]
        if answer != 0.0:
            changed += 1
        if answer == 1.0 or answer == -1.0:
            T.run.transitions += int(answer)
            if T.run.rounds > TOGETHER:
                break
    T.run.rounds += 1
    return changed


def begin_anew(T: Memory):
    """Decide on the regimes at the end of a step; the accelerations and multipliers of the new ones begin the next step."""
    run = T.run
    run.want = SWITCH
    run.rounds = 0
    call(T.switch, T)
    status = OK
    for _ in range(ROUNDS):
        status = call(T.accelerate, T)
        if status != OK:
            break
        run.want = SWITCH | ACCELERATION_LEVEL
        if call(T.switch, T) == 0:
            break
    run.factored = 0
    if status != OK:
        return status
    run.near = 1
    return settle(T)


def settle(T):
    """Let a step begin from the state at the end: velocities that agree with the constraints, and accelerations of its own.

    The integrator keeps velocities off the constraints by h² e (chapter 12). In a step that is much shorter than the last one that
    would have to vanish at once, with multipliers and velocities that ring.
    """
    run = T.run
    status = call(T.accelerate, T)
    if status == OK and run.n_multipliers > 0:
        status = _project(T)
    if status == OK and run.n_multipliers > 0:
        run.near = 1
        status = call(T.accelerate, T)
    run.factored = 0
    if status != OK:
        return status
    run.settled_at = run.time
    for i in range(6 * run.n_nodes):
        T.pseudo[i] = T.a[i]
    for i in range(run.n_scalars):
        T.s_pseudo[i] = T.s[3 * i + 2]
    if run.form == WEIGHTED_FORM:
        call(T.weigh, T)
    if run.use_energy:  # powers may have jumped
        h = run.step_size
        run.step_size = 0.0
        call(T.energies, T)
        run.step_size = h
    return OK


def _project(T):
    """The smallest change of velocities, by inertia, with which Φ̇ = 0; the factors are those of the accelerations."""
    run = T.run
    run.want = RESIDUAL | VELOCITY_LEVEL
    status = call(T.assemble, T)
    if status != OK:
        return status
    d, kind = T.increment, T.norm_kind
    for i in range(run.n_equations):
        d[i] = -T.residual[i] if kind[i] == MULTIPLIER else 0.0
    status = call(T.linear.solve, T.linear)
    if status != OK:
        return status
    for i in range(run.n_independent):
        node = T.node_list[i]
        eq = T.node_eq[node]
        for j in range(6):
            T.v[6 * node + j] += d[eq + j]
    for i in range(run.n_scalars):
        T.s[3 * i + 1] += d[T.scalar_eq[i]]
    return OK
