"""Articulated bodies: accelerations of mechanisms without loops in minimal coordinates, in three passes over their links.

Featherstone's articulated-body algorithm, all in global axes, with moments and accelerations about the origin of each link, which lies
on its joint. Of a link with the articulated inertia (A, B, C) and what is there without acceleration,

    n = A α + B a + n₀,     f = Bᵀ α + C a + f₀

its joint gives way along (s, 0) or (0, s). Inertia and force go on to the link before, shifted by d, the vector between their origins. Nothing has
to be turned from axes to axes.
"""

from __future__ import annotations

import math

from flexor.engine.assemble import call_term, scatter_residual
from flexor.engine.memory import LAW_FAILED, OK, TermRecord
from flexor.engine.state import set_proper
from flexor.hierarchy.dense import pseudo_inverse
from flexor.hierarchy.evaluate import complete
from flexor.hierarchy.memory import BALL, SLIDE, TURN, JointBlock, JointRows, Link, LinkGiven, LinkMotion, TreeMemory
from flexor.hierarchy.runge_kutta import rotate
from flexor.hierarchy.symmetric import (
    add_sym,
    full,
    keep,
    keep_sym,
    less,
    shifted_coupling,
    shifted_moments,
    smv,
    sym,
    sym_less,
    turned,
)
from flexor.law import ACCELERATION_LEVEL, MATRIX, RESIDUAL
from flexor.law.primitives import at, call
from flexor.law.tuples import (
    add,
    cross,
    dot,
    inverse,
    madd,
    mat,
    mm,
    mtv,
    mv,
    scale,
    skew,
    store,
    store_mat,
    sub,
    transpose,
    vec,
)

ZERO = (0.0, 0.0, 0.0)
NONE = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
NOTHING = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def articulated_rates(H: TreeMemory):
    """ẏ of the state y at the present time."""
    k = at(H.k, H.numbers.stage * H.numbers.size)
    _outwards(H)
    if H.numbers.n_forces > 0:
        status = _forces(H)
        if status != OK:
            return status
    _inwards(H)
    _accelerations(H, k)
    H.numbers.evaluations += 1
    return OK


def _outwards(H):
    """Axes and velocities of all links, their own inertia, what velocities ask of accelerations."""
    y = H.y
    for i in range(1, H.numbers.n_links):
        link, given, m = Link(H.links, i), LinkGiven(H.given, i), LinkMotion(H.motion, i)
        before = LinkMotion(H.motion, link.parent)
        R_p, w_p = mat(before.R, 0), vec(before.w, 0)
        d = mv(R_p, vec(given.p, 0))
        kind, o = link.kind, link.state
        if kind == TURN:
            Q = mm(R_p, mat(given.R, 0))
            c, s = math.cos(y[o]), math.sin(y[o])
            axis = (Q[2], Q[5], Q[8])
            R = (
                c * Q[0] + s * Q[1], c * Q[1] - s * Q[0], Q[2],
                c * Q[3] + s * Q[4], c * Q[4] - s * Q[3], Q[5],
                c * Q[6] + s * Q[7], c * Q[7] - s * Q[6], Q[8],
            )  # fmt: skip
            spin = scale(y[o + 1], axis)
            w = add(w_p, spin)
            store(m.c_a, 0, cross(w_p, spin))
            store(m.c_l, 0, cross(w_p, cross(w_p, d)))
        elif kind == SLIDE:
            R = mm(R_p, mat(given.R, 0))
            axis = (R[2], R[5], R[8])
            d = add(d, scale(y[o], axis))
            w = w_p
            store(m.c_a, 0, ZERO)
            store(m.c_l, 0, cross(w_p, add(cross(w_p, d), scale(2.0 * y[o + 1], axis))))
        elif kind == BALL:
            rotate(at(y, o), m.R)
            R = mat(m.R, 0)
            w = add(w_p, vec(y, o + 4))
            store(m.c_a, 0, ZERO)
            store(m.c_l, 0, cross(w_p, cross(w_p, d)))
        else:
            R = mm(R_p, mat(given.R, 0))
            w = w_p
            store(m.c_a, 0, ZERO)
            store(m.c_l, 0, cross(w_p, cross(w_p, d)))
        keep(m.R, 0, R)
        store(m.w, 0, w)
        store(m.d, 0, d)
        if link.node >= 0:
            mass = given.mass
            r = mv(R, scale(mass, vec(given.c, 0)))
            J = turned(R, sym(given.J, 0))
            keep_sym(m.A, 0, J)
            keep(m.B, 0, skew(r))
            keep_sym(m.C, 0, (mass, 0.0, 0.0, mass, 0.0, mass))
            store(m.n, 0, cross(w, smv(J, w)))
            store(m.f, 0, cross(w, cross(w, r)))
        else:
            keep_sym(m.A, 0, NONE)
            keep(m.B, 0, NOTHING)
            keep_sym(m.C, 0, NONE)
            store(m.n, 0, ZERO)
            store(m.f, 0, ZERO)


def _inwards(H):
    """Articulated inertia and force, from the ends to the ground."""
    n = H.numbers.n_links
    for q in range(1, n):
        i = n - q
        link, m = Link(H.links, i), LinkMotion(H.motion, i)
        A, B, C = sym(m.A, 0), mat(m.B, 0), sym(m.C, 0)
        n_0, f_0 = vec(m.n, 0), vec(m.f, 0)
        c_a, c_l = vec(m.c_a, 0), vec(m.c_l, 0)
        kind = link.kind
        if kind == TURN or kind == SLIDE:  # noqa: SIM109
            axis = (m.R[2], m.R[5], m.R[8])
            if kind == TURN:
                U_n, U_f = smv(A, axis), mtv(B, axis)
                over = 1.0 / dot(axis, U_n)
                u = -dot(axis, n_0)
            else:
                U_n, U_f = mv(B, axis), smv(C, axis)
                over = 1.0 / dot(axis, U_f)
                u = -dot(axis, f_0)
            store(m.U_n, 0, U_n)
            store(m.U_f, 0, U_f)
            m.over, m.u = over, u
            V_n, V_f = scale(over, U_n), scale(over, U_f)
            A = sym_less(A, V_n, U_n)
            B = less(B, V_n, U_f)
            C = sym_less(C, V_f, U_f)
            n_0 = add(add(n_0, scale(u, V_n)), add(smv(A, c_a), mv(B, c_l)))
            f_0 = add(add(f_0, scale(u, V_f)), add(mtv(B, c_a), smv(C, c_l)))
        elif kind == BALL:
            I = inverse(full(A))
            K = mm(I, B)
            u = scale(-1.0, mv(I, n_0))
            keep(m.U_n, 0, K)
            store(m.U_f, 0, u)
            L = mm(transpose(B), K)
            C = (C[0] - L[0], C[1] - L[1], C[2] - L[2], C[3] - L[4], C[4] - L[5], C[5] - L[8])
            f_0 = add(add(f_0, mtv(B, u)), smv(C, c_l))
            A, B, n_0 = NONE, NOTHING, ZERO
        else:
            n_0 = add(n_0, mv(B, c_l))
            f_0 = add(f_0, smv(C, c_l))
        keep_sym(m.A, 0, A)
        keep(m.B, 0, B)
        keep_sym(m.C, 0, C)
        store(m.n, 0, n_0)
        store(m.f, 0, f_0)
        if link.parent > 0:
            p, d = LinkMotion(H.motion, link.parent), vec(m.d, 0)
            E = shifted_coupling(d, B, C)
            keep_sym(p.A, 0, add_sym(sym(p.A, 0), shifted_moments(d, A, B, E)))
            keep(p.B, 0, madd(mat(p.B, 0), E))
            keep_sym(p.C, 0, add_sym(sym(p.C, 0), C))
            store(p.n, 0, add(vec(p.n, 0), add(n_0, cross(d, f_0))))
            store(p.f, 0, add(vec(p.f, 0), f_0))


def _accelerations(H, k):
    """Accelerations of joints and links, from the ground to the ends; the derivative of the state."""
    y = H.y
    gravity = H.engine.coefficients.gravity
    ground = LinkMotion(H.motion, 0)
    store(ground.a, 0, scale(-1.0, vec(gravity, 0)))
    for i in range(1, H.numbers.n_links):
        link, m = Link(H.links, i), LinkMotion(H.motion, i)
        before = LinkMotion(H.motion, link.parent)
        kind, o = link.kind, link.state
        alpha_p = vec(before.alpha, 0)
        alpha = add(alpha_p, vec(m.c_a, 0))
        a = add(add(vec(before.a, 0), cross(alpha_p, vec(m.d, 0))), vec(m.c_l, 0))
        if kind == TURN or kind == SLIDE:  # noqa: SIM109
            axis = (m.R[2], m.R[5], m.R[8])
            second = m.over * (m.u - dot(vec(m.U_n, 0), alpha) - dot(vec(m.U_f, 0), a))
            k[o], k[o + 1] = y[o + 1], second
            if kind == TURN:
                alpha = add(alpha, scale(second, axis))
            else:
                a = add(a, scale(second, axis))
        elif kind == BALL:
            spun = sub(sub(vec(m.U_f, 0), alpha), mv(mat(m.U_n, 0), a))
            wx, wy, wz = 0.5 * m.w[0], 0.5 * m.w[1], 0.5 * m.w[2]
            qw, qx, qy, qz = y[o], y[o + 1], y[o + 2], y[o + 3]
            k[o] = -wx * qx - wy * qy - wz * qz
            k[o + 1] = wx * qw + wy * qz - wz * qy
            k[o + 2] = wy * qw + wz * qx - wx * qz
            k[o + 3] = wz * qw + wx * qy - wy * qx
            store(k, o + 4, spun)
            alpha = add(alpha, spun)
        store(m.alpha, 0, alpha)
        store(m.a, 0, a)


def _places(H):
    """Origins and velocities of all links, and the engine's nodes: position, axes, velocity."""
    T = H.engine
    y = H.y
    for i in range(1, H.numbers.n_links):
        link, given, m = Link(H.links, i), LinkGiven(H.given, i), LinkMotion(H.motion, i)
        before = LinkMotion(H.motion, link.parent)
        d = vec(m.d, 0)
        x = add(vec(before.x, 0), d)
        v = add(vec(before.v, 0), cross(vec(before.w, 0), d))
        R, w = mat(m.R, 0), vec(m.w, 0)
        if link.kind == SLIDE:
            v = add(v, scale(y[link.state + 1], (R[2], R[5], R[8])))
        store(m.x, 0, x)
        store(m.v, 0, v)
        node = link.node
        if node >= 0:
            r = mv(R, vec(given.p_N, 0))
            store(T.x, 3 * node, add(x, r))
            store_mat(T.R, 9 * node, mm(R, mat(given.R_N, 0)))
            store(T.v, 6 * node, add(v, cross(w, r)))
            store(T.v, 6 * node + 3, w)


def _forces(H):
    """What the model's forces add to those on the links, by their laws."""
    T = H.engine
    _places(H)
    for i in range(T.run.n_equations):
        T.residual[i] = 0.0
    for q in range(H.numbers.n_forces):
        d = TermRecord(T.terms, H.forces[q])
        error = call_term(T, d, RESIDUAL | ACCELERATION_LEVEL, at(T.lam, d.lam))
        if error != 0:
            T.run.error_term, T.run.error_code = H.forces[q], error
            return LAW_FAILED
        scatter_residual(T, d)
    for i in range(1, H.numbers.n_links):
        link, m = Link(H.links, i), LinkMotion(H.motion, i)
        if link.node >= 0:
            eq = T.node_eq[link.node]
            f = vec(T.residual, eq)
            r = sub(vec(T.x, 3 * link.node), vec(m.x, 0))
            store(m.f, 0, add(vec(m.f, 0), f))
            store(m.n, 0, add(vec(m.n, 0), add(vec(T.residual, eq + 3), cross(r, f))))
    return OK


def articulated_settle(H: TreeMemory):
    """Unit quaternions; the derivative at the end of a step. Constraints hold by themselves."""
    y = H.y
    for i in range(1, H.numbers.n_links):
        link = Link(H.links, i)
        if link.kind == BALL:
            q = at(y, link.state)
            f = 1.0 / math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
            for j in range(4):
                q[j] *= f
    H.numbers.stage = H.numbers.stages
    return call(H.rates, H)


def articulated_present(H: TreeMemory):
    """The engine's state, accelerations and multipliers are those of y, whose accelerations have been computed last."""
    T = H.engine
    _places(H)
    gravity = vec(T.coefficients.gravity, 0)
    for i in range(1, H.numbers.n_links):
        link, given, m = Link(H.links, i), LinkGiven(H.given, i), LinkMotion(H.motion, i)
        node = link.node
        if node >= 0:
            r, w, alpha = mv(mat(m.R, 0), vec(given.p_N, 0)), vec(m.w, 0), vec(m.alpha, 0)
            a = add(vec(m.a, 0), add(cross(alpha, r), cross(w, cross(w, r))))
            store(T.a, 6 * node, add(a, gravity))
            store(T.a, 6 * node + 3, alpha)
    set_proper(T)
    c = T.coefficients
    c.K, c.C, c.M, c.turning = 0.0, 0.0, 1.0, 0.0
    for i in range(1, H.numbers.n_links):
        link = Link(H.links, i)
        if link.joint >= 0:
            _reaction(H, link, LinkMotion(H.motion, i), LinkMotion(H.motion, link.parent))
    return complete(H)


def _reaction(H, link, m, before):
    """λ of the joint that ends with a link: −Gᵀλ is what it transmits to the body, force first, about its node."""
    T = H.engine
    alpha_p = vec(before.alpha, 0)
    a = add(vec(before.a, 0), cross(alpha_p, vec(m.d, 0)))
    A, B, C = sym(m.A, 0), mat(m.B, 0), sym(m.C, 0)
    n = add(vec(m.n, 0), add(smv(A, alpha_p), mv(B, a)))
    f = add(vec(m.f, 0), add(mtv(B, alpha_p), smv(C, a)))
    n = add(n, cross(sub(vec(m.x, 0), vec(T.x, 3 * link.node)), f))
    joint = JointRows(H.joints, link.joint)
    block = JointBlock(H.blocks, joint.blocks + link.block)
    d = TermRecord(T.terms, joint.term)
    call_term(T, d, RESIDUAL | MATRIX | ACCELERATION_LEVEL, at(T.lam, d.lam))
    size, rows = d.size, joint.rows
    G = at(T.buffer_matrix, (size - d.multipliers) * size + block.source)
    W = H.work
    S, b, one = at(W, rows * rows), at(W, 2 * rows * rows), at(W, 2 * rows * rows + rows)
    for i in range(rows):
        g = at(G, i * size)
        b[i] = dot(vec(g, 0), f) + dot(vec(g, 3), n)
        for j in range(rows):
            h = at(G, j * size)
            W[i * rows + j] = dot(vec(g, 0), vec(h, 0)) + dot(vec(g, 3), vec(h, 3))
        one[i] = W[i * rows + i]
    pseudo_inverse(rows, W, one, 1e-13, S, at(W, 2 * rows * rows + 2 * rows))
    for i in range(rows):
        s = 0.0
        for j in range(rows):
            s += S[i * rows + j] * b[j]
        T.lam[d.lam + i] = -s


def articulated_begin(H: TreeMemory):
    """The first derivative, of the state y0."""
    for i in range(H.numbers.size):
        H.y[i] = H.y0[i]
    H.numbers.stage = 0
    status = call(H.rates, H)
    return call(H.present, H) if status == OK else status
