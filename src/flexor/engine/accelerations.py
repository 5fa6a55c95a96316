"""Accelerations and multipliers of a state, M a + Bᵀ λ = f with Φ̈ = 0, and the state a little later on its motion.

Where forces do not depend on accelerations and reactions, the equations are linear: one solution and another that removes its rounding errors. Else, and with
factors of a state nearby, corrections shrink from sweep to sweep; factors that do not serve are made anew.
"""

from __future__ import annotations

from flexor.engine.memory import OK, Memory, TermRecord
from flexor.engine.state import set_proper
from flexor.engine.sums import set_negative
from flexor.law import ACCELERATION_LEVEL, MATRIX, RESIDUAL
from flexor.law.primitives import call
from flexor.law.tuples import add, cross, mat, mm, rotation_of, scale, store_mat, sub, vec

SWEEPS = 30  # at most
SLOW = 0.1  # a worse contraction asks for a new matrix
SETTLED, STALLED = 1e-13, 1e-9  # corrections that are none, and those that are rounding if they do not fall any more


def accelerate(T: Memory):
    """Accelerations and multipliers at the present position and velocity, from the last ones.

    With run.near the factors at hand are tried first: those of a state nearby.
    """
    run = T.run
    c = T.coefficients
    c.K, c.C, c.M, c.turning = 0.0, 0.0, 1.0, 0.0
    last = 1e300
    old = run.near != 0
    poor = not old
    run.near = 0
    for _ in range(SWEEPS):
        if run.n_followers > 0:
            call(T.follow, T)
        set_proper(T)
        run.want = RESIDUAL | MATRIX | ACCELERATION_LEVEL if poor else RESIDUAL | ACCELERATION_LEVEL
        status = call(T.assemble, T)
        if status != OK:
            return status
        set_negative(run.n_equations, T.residual, T.increment)
        if poor:
            old = False
            run.factorisations += 1
            status = call(T.linear.factor, T.linear)
            if status != OK:
                return status
        status = call(T.linear.solve, T.linear)
        if status != OK:
            return status
        _add_increment(T)
        largest, size = _sizes(T)
        if size <= SETTLED * largest or (not old and size <= STALLED * largest and size >= 0.3 * last):
            break
        poor = size > SLOW * last
        last = size
    if run.n_followers > 0:
        call(T.follow, T)
    set_proper(T)
    return OK


def _add_increment(T):
    """Add the increment to accelerations and multipliers."""
    run = T.run
    d, a, s, lam = T.increment, T.a, T.s, T.lam
    for i in range(run.n_independent):
        node = T.node_list[i]
        eq = T.node_eq[node]
        for j in range(6):
            a[6 * node + j] += d[eq + j]
    for i in range(run.n_scalars):
        s[3 * i + 2] += d[T.scalar_eq[i]]
    for e in range(run.n_terms):
        term = TermRecord(T.terms, e)
        for i in range(term.own):
            lam[term.lam + i] += d[term.lam_eq + i]


def _sizes(T):
    """The largest of accelerations and multipliers, and of the increment."""
    run = T.run
    largest, size = 1e-3, 0.0
    for i in range(6 * run.n_nodes):
        largest = max(largest, abs(T.a[i]))
    for i in range(run.n_scalars):
        largest = max(largest, abs(T.s[3 * i + 2]))
    for i in range(run.n_multipliers):
        largest = max(largest, abs(T.lam[i]))
    for i in range(run.n_equations):
        size = max(size, abs(T.increment[i]))
    return largest, size


def advance(T: Memory):
    """Move along the motion by a time run.ahead: q + v t + ½ a t² + ⅙ q⃛ t³, v + a t + ½ q⃛ t²; θ⃛ = ω̈ − ½ ω × ω̇ for rotations.

    q⃛ stands in `jerk` and `s_jerk`; zeros make a parabola.
    """
    run = T.run
    x, R, v, a, jerk = T.x, T.R, T.v, T.a, T.jerk
    t = run.ahead
    curved = run.curved != 0
    second, third = 0.5 * t * t, t * t * t / 6.0
    for i in range(run.n_independent):
        node = T.node_list[i]
        o = 6 * node
        for j in range(3):
            x[3 * node + j] += v[o + j] * t + second * a[o + j] + third * jerk[o + j]
        spin, faster, turning = vec(v, o + 3), vec(a, o + 3), vec(jerk, o + 3)
        if curved:
            turning = sub(turning, scale(0.5, cross(spin, faster)))
        turn = add(add(scale(t, spin), scale(second, faster)), scale(third, turning))
        store_mat(R, 9 * node, mm(rotation_of(turn), mat(R, 9 * node)))
    for i in range(6 * run.n_nodes):
        v[i] += a[i] * t + second * jerk[i]
    s, s_jerk = T.s, T.s_jerk
    for i in range(run.n_scalars):
        o = 3 * i
        s[o] += s[o + 1] * t + second * s[o + 2] + third * s_jerk[i]
        s[o + 1] += s[o + 2] * t + second * s_jerk[i]
    if run.n_followers > 0:
        call(T.follow, T)
    return OK
