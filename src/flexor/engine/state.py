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

from flexor.engine import slots
from flexor.law.primitives import call, f64, i64
from flexor.law.tuples import mat, mm, mmt, mv, rotation_of, store, store_mat, vec


def state(T):
    """Position, velocity and acceleration of every node and scalar from the unknowns A."""
    I = i64(T, slots.INTS)
    F = f64(T, slots.FLOATS)
    h, beta, gamma = F[slots.STEP_SIZE], F[slots.BETA], F[slots.GAMMA]
    x, R, v, a = f64(T, slots.X), f64(T, slots.ROT), f64(T, slots.VEL), f64(T, slots.ACC)
    x0, R0, v0, a0 = f64(T, slots.X0), f64(T, slots.ROT0), f64(T, slots.VEL0), f64(T, slots.ACC0)
    A, A0 = f64(T, slots.PSEUDO), f64(T, slots.PSEUDO0)
    nodes = i64(T, slots.NODE_LIST)
    mu = (1.0 - F[slots.ALPHA_M]) / (1.0 - F[slots.ALPHA_F])
    m0 = 0.0
    n0 = 0.0
    if I[slots.FORM] == slots.PSEUDO_FORM:
        m0 = F[slots.ALPHA_M] / (1.0 - F[slots.ALPHA_F])
        n0 = -F[slots.ALPHA_F] / (1.0 - F[slots.ALPHA_F])
    d0 = h * h * (0.5 - beta)
    d1 = h * h * beta
    v_0 = h * (1.0 - gamma)
    v_1 = h * gamma
    for i in range(I[slots.N_INDEPENDENT]):
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
    if I[slots.N_OWN_AXES] > 0:
        turn_own(T, slots.VEL)
        turn_own(T, slots.ACC)
    s, s0 = f64(T, slots.S), f64(T, slots.S0)
    B, B0 = f64(T, slots.S_PSEUDO), f64(T, slots.S_PSEUDO0)
    for i in range(I[slots.N_SCALARS]):
        o = 3 * i
        s[o] = s0[o] + h * s0[o + 1] + d0 * B0[i] + d1 * B[i]
        s[o + 1] = s0[o + 1] + v_0 * B0[i] + v_1 * B[i]
        s[o + 2] = mu * B[i] + m0 * B0[i] + n0 * s0[o + 2]
    if I[slots.N_SLAVES] > 0:
        call(T, slots.K_SLAVES)
    set_proper(T)
    return slots.OK


def turn_own(T, slot):
    """Turn the rotations in an array of nodes from the begin of the step to its end, of nodes with own axes."""
    nodes = i64(T, slots.OWN_AXES)
    R, R0, u = f64(T, slots.ROT), f64(T, slots.ROT0), f64(T, slot)
    for i in range(i64(T, slots.INTS)[slots.N_OWN_AXES]):
        node = nodes[i]
        o = 6 * node + 3
        store(u, o, mv(mmt(mat(R, 9 * node), mat(R0, 9 * node)), vec(u, o)))


def set_proper(T):
    """Proper accelerations: gravity subtracted, on the ground too."""
    I = i64(T, slots.INTS)
    a = f64(T, slots.ACC)
    proper = f64(T, slots.PROPER)
    c = f64(T, slots.COEFFICIENTS)
    for node in range(I[slots.N_NODES]):
        o = 6 * node
        for j in range(3):
            proper[o + j] = a[o + j] - c[4 + j]
            proper[o + 3 + j] = a[o + 3 + j]
