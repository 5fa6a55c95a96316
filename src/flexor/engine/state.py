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
from flexor.law.lanes import difference6, lane6, load6, plus6, store6, times6, unit6
from flexor.law.primitives import call
from flexor.law.tuples import add, mat, mm, mmt, mv, rotation_of, store, store_mat, vec


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
        A_0, A_1, v_n = load6(A0, o), load6(A, o), load6(v0, o)
        store6(v, o, plus6(plus6(v_n, v_0, A_0), v_1, A_1))
        store6(a, o, plus6(plus6(times6(mu, A_1), m0, A_0), n0, load6(a0, o)))
        moved = plus6(plus6(times6(h, v_n), d0, A_0), d1, A_1)
        store(x, 3 * node, add(vec(x0, 3 * node), (lane6(moved, 0), lane6(moved, 1), lane6(moved, 2))))
        turn = (lane6(moved, 3), lane6(moved, 4), lane6(moved, 5))
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
    a = T.a
    proper = T.proper
    gravity = T.coefficients.gravity
    g = plus6(plus6(times6(gravity[0], unit6(0)), gravity[1], unit6(1)), gravity[2], unit6(2))
    for node in range(T.run.n_nodes):
        store6(proper, 6 * node, difference6(load6(a, 6 * node), g))
