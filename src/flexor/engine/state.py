"""From the unknowns of a step to the state at its end: the Newmark family on the group.   FTG 7.2–7.4, GER

    Δq = h v₀ + h² [(½ − β) A₀ + β A],   v = v₀ + h [(1 − γ) A₀ + γ A]
    x = x₀ + Δx,   R = exp(Δθ) R₀

The unknown is the (pseudo-)acceleration A. The acceleration that enters the equations is

    (1 − α_f) a = (1 − α_m) A + α_m A₀ − α_f a₀      modified generalized-α, GER
    (1 − α_f) a = (1 − α_m) A                        weighted forces, FTG (7.43), (7.56)

Rotations are integrated in global axes, those of a node with `own_axes` in its own: A, A₀ and a₀ then stand in the axes that
the node had at the begin of the step, as global components, and Q = exp(Δθ) turns ω and ω̇ to its end. Modes are
measured in the frame of a floating body. Where both are integrated in the same axes, a turn of the frame and the
modes that undo it cancel in the discrete equations, too; else, bent slender bodies become unstable at h ω ≈ 0.03.
"""

from __future__ import annotations

from flexor.engine.memory import OK, PSEUDO_FORM, Memory
from flexor.law.primitives import call
from flexor.law.tuples import mat, mm, mmt, mv, rotation_of, store, store_mat, vec


def state(T: Memory):
    """Position, velocity and acceleration of every node and scalar from the unknowns A."""
    run = T.run
    h, beta, gamma = run.step_size, run.beta, run.gamma
    x, R, v, a = T.x, T.R, T.v, T.a
    x0, R0, v0, a0 = T.x0, T.R0, T.v0, T.a0
    A, A0 = T.pseudo, T.pseudo0
    nodes = T.node_list
    mu = (1.0 - run.alpha_m) / (1.0 - run.alpha_f)
    m0 = 0.0
    n0 = 0.0
    if run.form == PSEUDO_FORM:
        m0 = run.alpha_m / (1.0 - run.alpha_f)
        n0 = -run.alpha_f / (1.0 - run.alpha_f)
    d0 = h * h * (0.5 - beta)
    d1 = h * h * beta
    v_0 = h * (1.0 - gamma)
    v_1 = h * gamma
    for i in range(run.n_independent):
        node = nodes[i]
        o = 6 * node
        for j in range(6):
            v[o + j] = v0[o + j] + v_0 * A0[o + j] + v_1 * A[o + j]
            a[o + j] = mu * A[o + j] + m0 * A0[o + j] + n0 * a0[o + j]
        for j in range(3):
            x[3 * node + j] = x0[3 * node + j] + h * v0[o + j] + d0 * A0[o + j] + d1 * A[o + j]
        turn = (
            h * v0[o + 3] + d0 * A0[o + 3] + d1 * A[o + 3],
            h * v0[o + 4] + d0 * A0[o + 4] + d1 * A[o + 4],
            h * v0[o + 5] + d0 * A0[o + 5] + d1 * A[o + 5],
        )
        store_mat(R, 9 * node, mm(rotation_of(turn), mat(R0, 9 * node)))
    if run.n_own_axes > 0:
        turn_own(T, T.v)
        turn_own(T, T.a)
    s, s0 = T.s, T.s0
    B, B0 = T.s_pseudo, T.s_pseudo0
    for i in range(run.n_scalars):
        o = 3 * i
        s[o] = s0[o] + h * s0[o + 1] + d0 * B0[i] + d1 * B[i]
        s[o + 1] = s0[o + 1] + v_0 * B0[i] + v_1 * B[i]
        s[o + 2] = mu * B[i] + m0 * B0[i] + n0 * s0[o + 2]
    if run.n_followers > 0:
        call(T.follow, T)
    set_proper(T)
    return OK


def turn_own(T, u):
    """Turn the rotations in an array of nodes from the begin of the step to its end, of nodes with own axes."""
    nodes = T.own_axes
    R, R0 = T.R, T.R0
    for i in range(T.run.n_own_axes):
        node = nodes[i]
        o = 6 * node + 3
        store(u, o, mv(mmt(mat(R, 9 * node), mat(R0, 9 * node)), vec(u, o)))


def set_proper(T):
    """Proper accelerations: gravity subtracted, on the ground too."""
    run = T.run
    a = T.a
    proper = T.proper
    gravity = T.coefficients.gravity
    for node in range(run.n_nodes):
        o = 6 * node
        for j in range(3):
            proper[o + j] = a[o + j] - gravity[j]
            proper[o + 3 + j] = a[o + 3 + j]
