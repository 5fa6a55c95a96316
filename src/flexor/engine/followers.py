"""Nodes that follow others through a joint: pose, velocity, acceleration and their gradient.   FTG 6.1–6.2

With the columns (t_j, w_j) of T, the linear and angular velocity per unit rate of coordinate j, ordered from the
master outwards,

    v_s = Σ t_j q̇_j,   ω_s = Σ w_j q̇_j,   a_s = T q̈ + Ṫ q̇
    ∂t_j/∂q_i = w_i × t_j  (i before j),   w_j × t_i  (i after or equal j)
    ∂w_j/∂q_i = w_i × w_j  (i before j),   0 otherwise

A motion may be a function of time: it has no coordinate, and its column (t_j, w_j) times its given rate is part of the velocity.

The rotations of the master node are spins about global axes: among them the second form of ∂t_j/∂q_i holds.
"""

from __future__ import annotations

import math

from flexor.coordinates.constraint import Course, prescribed
from flexor.coordinates.driven import DrivenPast
from flexor.engine.memory import (
    BY_CURVED_MODES,
    BY_JOINT,
    FollowerRecord,
    Memory,
    MotionRecord,
    SiteRecord,
    TermRecord,
)
from flexor.law.primitives import at
from flexor.law.rotation_vector import (
    rate_to_spin,
    rate_to_spin_rate,
    rate_to_spin_slope,
    rotation_vector,
    spin_to_rate,
)
from flexor.law.tuples import (
    add,
    column,
    cross,
    dot,
    mat,
    mm,
    mmt,
    mtv,
    mv,
    rotation_about,
    rotation_of,
    scale,
    store,
    store_mat,
    sub,
    transpose,
    vec,
)  # fmt: skip


def follower_states(T: Memory):
    """Pose, velocity, true acceleration and columns of T for every follower, masters first."""
    run = T.run
    D = T.followers
    for i in range(run.n_driven):
        _drive(T, i)
    for follower in range(run.n_followers):
        _follower_state(T, FollowerRecord(D, follower))
    return 0


def nothing_follows(T: Memory):
    """The same where no node follows another: it takes no time to compile."""
    return 0


def _drive(T, i):
    """Value, rate and second rate of a motion that is a function of time; not a number where that has none, as its term will tell."""
    d = TermRecord(T.terms, T.drives[i])
    values = at(T.driven, 3 * i)
    status, u, u_dot, u_ddot = prescribed(
        Course(at(T.p_parameters, d.p)), DrivenPast(at(T.history, d.h)), T.run.time, T.buffer_drive
    )
    moves = 0.0 if T.run.still else 1.0
    values[0], values[1], values[2] = u, moves * u_dot, moves * u_ddot
    if status != 0:
        values[0] = math.nan


def _values(T, motion):
    """Where value, rate and second rate of a motion stand."""
    return at(T.driven, 3 * motion.scalar) if motion.drive >= 0 else at(T.s, 3 * motion.scalar)


def _follower_state(T, d):
    x = T.x
    R = T.R
    v = T.v
    a = T.a
    motions = at(T.motions, d.motion)
    site = SiteRecord(at(T.sites, d.site))
    J = at(T.gradients, d.gradient)  # 6 rows t, w per column: column j at J[6 j]
    node, master = d.node, d.master
    n_own = d.motion_count
    n_base = d.base
    x_m = vec(x, 3 * master)
    R_m = mat(R, 9 * master)
    if d.manner != BY_JOINT:
        _modal_state(T, d, motions, site, J, n_own, n_base)
        return
    # the product of poses: axis and origin of each motion, in global axes
    Q = mm(R_m, mat(site.R_M, 0))
    p = add(x_m, mv(R_m, vec(site.p_M, 0)))
    for j in range(n_own):
        motion = MotionRecord(motions, j)
        axis = column(Q, motion.axis)
        q = _values(T, motion)[0]
        o = 6 * motion.column
        store(J, o, p)  # origin, until x_s is known
        if motion.turns:
            store(J, o + 3, axis)
            Q = mm(rotation_about(axis, q), Q)
        else:
            store(J, o, axis)
            store(J, o + 3, (0.0, 0.0, 0.0))
            p = add(p, scale(q, axis))
    R_s = mmt(Q, mat(site.R_S, 0))
    x_s = sub(p, mv(R_s, vec(site.p_S, 0)))
    for j in range(n_own):
        motion = MotionRecord(motions, j)
        if motion.turns:
            o = 6 * motion.column
            store(J, o, cross(vec(J, o + 3), sub(x_s, vec(J, o))))
    rho = sub(x_s, x_m)
    _base_columns(T, d, J, n_base, rho)

    # motion relative to the master
    rate = (0.0, 0.0, 0.0)
    spin = (0.0, 0.0, 0.0)
    second = (0.0, 0.0, 0.0)
    spin_rate = (0.0, 0.0, 0.0)
    for j in range(n_own):
        motion = MotionRecord(motions, j)
        o = 6 * motion.column
        t_j, w_j = vec(J, o), vec(J, o + 3)
        q_j = _values(T, motion)
        q_dot, q_ddot = q_j[1], q_j[2]
        # Σ over pairs: t: 2 w_i × t_j for i before j, and w_j × t_j; w: w_i × w_j
        second = add(
            second,
            add(scale(q_ddot, t_j), scale(q_dot, add(scale(2.0, cross(spin, t_j)), scale(q_dot, cross(w_j, t_j))))),
        )
        spin_rate = add(spin_rate, add(scale(q_ddot, w_j), scale(q_dot, cross(spin, w_j))))
        rate = add(rate, scale(q_dot, t_j))
        spin = add(spin, scale(q_dot, w_j))
    w_m = vec(v, 6 * master + 3)
    store(x, 3 * node, x_s)
    store_mat(R, 9 * node, R_s)
    store(v, 6 * node, add(add(vec(v, 6 * master), cross(w_m, rho)), rate))
    store(v, 6 * node + 3, add(w_m, spin))
    turning = add(cross(vec(a, 6 * master + 3), rho), cross(w_m, cross(w_m, rho)))
    coriolis = scale(2.0, cross(w_m, rate))
    store(a, 6 * node, add(add(vec(a, 6 * master), turning), add(coriolis, second)))
    store(a, 6 * node + 3, add(vec(a, 6 * master + 3), add(cross(w_m, spin), spin_rate)))


def _modal_state(T, d, motions, site, J, n_own, n_base):
    """A point of a floating body: x_s = x_m + R_m (p + S q + ½ qᵀNq),  R_s = R_m exp(Ψ q + ½ qᵀNq)"""
    x, R, v, a = T.x, T.R, T.v, T.a
    s = T.s
    node, master = d.node, d.master
    shapes, curvature = site.shapes, site.curvature
    R_m = mat(R, 9 * master)
    arm, u_dot, u_ddot = vec(site.p_M, 0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    psi, psi_dot, psi_ddot = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for j in range(n_own):
        q = 3 * MotionRecord(motions, j).scalar
        S_j, Psi_j = vec(shapes, 6 * j), vec(shapes, 6 * j + 3)
        bent, twisted = S_j, Psi_j  # S + N q
        bending = twisting = (0.0, 0.0, 0.0)  # N q̇
        if d.manner == BY_CURVED_MODES:
            for i in range(n_own):
                o = 6 * (j * n_own + i)
                q_i = 3 * MotionRecord(motions, i).scalar
                N, M = vec(curvature, o), vec(curvature, o + 3)
                bent, twisted = add(bent, scale(s[q_i], N)), add(twisted, scale(s[q_i], M))
                bending, twisting = add(bending, scale(s[q_i + 1], N)), add(twisting, scale(s[q_i + 1], M))
        half = 0.5 * s[q]
        arm, psi = add(arm, scale(half, add(S_j, bent))), add(psi, scale(half, add(Psi_j, twisted)))
        u_dot, psi_dot = add(u_dot, scale(s[q + 1], bent)), add(psi_dot, scale(s[q + 1], twisted))
        u_ddot = add(u_ddot, add(scale(s[q + 2], bent), scale(s[q + 1], bending)))
        psi_ddot = add(psi_ddot, add(scale(s[q + 2], twisted), scale(s[q + 1], twisting)))
        store(J, 6 * (n_base + j), bent)
        store(J, 6 * (n_base + j) + 3, twisted)
    for j in range(n_own):
        o = 6 * (n_base + j)
        store(J, o, mv(R_m, vec(J, o)))
        store(J, o + 3, mv(R_m, rate_to_spin(psi, vec(J, o + 3))))
    rho = mv(R_m, arm)
    _base_columns(T, d, J, n_base, rho)
    store(x, 3 * node, add(vec(x, 3 * master), rho))
    store_mat(R, 9 * node, mm(R_m, rotation_of(psi)))
    w_m = vec(v, 6 * master + 3)
    rate, spin = mv(R_m, u_dot), mv(R_m, rate_to_spin(psi, psi_dot))
    spin_rate = mv(R_m, add(rate_to_spin(psi, psi_ddot), rate_to_spin_rate(psi, psi_dot)))
    store(v, 6 * node, add(add(vec(v, 6 * master), cross(w_m, rho)), rate))
    store(v, 6 * node + 3, add(w_m, spin))
    turning = add(cross(vec(a, 6 * master + 3), rho), cross(w_m, cross(w_m, rho)))
    second = add(scale(2.0, cross(w_m, rate)), mv(R_m, u_ddot))
    store(a, 6 * node, add(add(vec(a, 6 * master), turning), second))
    store(a, 6 * node + 3, add(vec(a, 6 * master + 3), add(cross(w_m, spin), spin_rate)))


def _base_columns(T, d, J, n_base, rho):
    """Columns of the coordinates that move the master, shifted to the follower: t ← t + w × ρ."""
    if n_base == 0:
        return
    if d.master_follower < 0:  # the master is an independent node: identity columns
        for i in range(3):
            e = (1.0 if i == 0 else 0.0, 1.0 if i == 1 else 0.0, 1.0 if i == 2 else 0.0)
            store(J, 6 * i, e)
            store(J, 6 * i + 3, (0.0, 0.0, 0.0))
            store(J, 18 + 6 * i, cross(e, rho))
            store(J, 18 + 6 * i + 3, e)
        return
    master = FollowerRecord(T.followers, d.master_follower)
    J_m = at(T.gradients, master.gradient)
    for j in range(n_base):
        w = vec(J_m, 6 * j + 3)
        store(J, 6 * j, add(vec(J_m, 6 * j), cross(w, rho)))
        store(J, 6 * j + 3, w)


def follower_stiffness(J, size, rotations_first, modal, f, m, factor, K, stride):
    """K (size × size, its rows a stride apart) = factor · ∂(Tᵀ [f; m])/∂q with the force held: the geometric stiffness of elimination.

    rotations_first: number of leading columns that belong to a master node (6 or 0).
    modal: whether the others are modes of a floating body, whose own part is left to `modal_stiffness`.
    """
    for j in range(size):
        t_j, w_j = vec(J, 6 * j), vec(J, 6 * j + 3)
        columns = rotations_first if modal and j >= rotations_first else size
        for i in range(columns, size):
            K[j * size + i] = 0.0
        for i in range(columns):
            t_i, w_i = vec(J, 6 * i), vec(J, 6 * i + 3)
            if i < j and (j >= rotations_first or i < 3):  # a translation of the root shifts axes and origins alike
                value = dot(f, cross(w_i, t_j)) + dot(m, cross(w_i, w_j))
            else:
                value = dot(f, cross(w_j, t_i))
            K[j * stride + i] = factor * value
    return 0


def modal_stiffness(T, d, J, force, moment, factor, K):
    """K += factor · ∂(Tᵀ [f; m])/∂q among modes, in the axes of the frame: f·N + m·(∂(H Ψ_j)/∂ψ Ψ_i + H N), Ψ with N q.

    The second term is bilinear in the spins w = R H Ψ that J has: w_jᵀ B w_i.
    """
    R_m = mat(T.R, 9 * d.master)
    psi = rotation_vector(mm(transpose(R_m), mat(T.R, 9 * d.node)))
    f, m = mtv(R_m, force), mtv(R_m, moment)
    size, n_own = d.size, d.motion_count
    first = size - n_own
    to_rate = mmt(spin_to_rate(psi), R_m)  # Ψ of w
    B = _slope_form(psi, m, to_rate)
    curvature = SiteRecord(at(T.sites, d.site)).curvature
    lever = _turned_back(psi, m)
    for j in range(n_own):
        b = mtv(B, vec(J, 6 * (first + j) + 3))
        row = at(K, (first + j) * size + first)
        for i in range(n_own):
            o = 6 * (first + i) + 3
            row[i] += factor * (b[0] * J[o] + b[1] * J[o + 1] + b[2] * J[o + 2])
        if d.manner == BY_CURVED_MODES:
            for i in range(n_own):
                o = 6 * (j * n_own + i)
                row[i] += factor * (dot(f, vec(curvature, o)) + dot(lever, vec(curvature, o + 3)))
    return 0


def _slope_form(psi, m, to_rate):
    """B with w_jᵀ B w_i = m·(∂(H Ψ_j)/∂ψ Ψ_i), Ψ = to_rate w."""
    x, y, z = column(to_rate, 0), column(to_rate, 1), column(to_rate, 2)
    return (
        dot(m, rate_to_spin_slope(psi, x, x)),
        dot(m, rate_to_spin_slope(psi, x, y)),
        dot(m, rate_to_spin_slope(psi, x, z)),
        dot(m, rate_to_spin_slope(psi, y, x)),
        dot(m, rate_to_spin_slope(psi, y, y)),
        dot(m, rate_to_spin_slope(psi, y, z)),
        dot(m, rate_to_spin_slope(psi, z, x)),
        dot(m, rate_to_spin_slope(psi, z, y)),
        dot(m, rate_to_spin_slope(psi, z, z)),
    )


def _turned_back(psi, m):
    """Hᵀ m: m·H N = (Hᵀ m)·N"""
    return (
        dot(m, rate_to_spin(psi, (1.0, 0.0, 0.0))),
        dot(m, rate_to_spin(psi, (0.0, 1.0, 0.0))),
        dot(m, rate_to_spin(psi, (0.0, 0.0, 1.0))),
    )
