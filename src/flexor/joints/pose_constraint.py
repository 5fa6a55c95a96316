"""The multiplier form of every joint that is a pose product: some directions locked, some axes kept perpendicular.

    point rows          Φ = A_i · d  for the locked translations, or Φ = d (global axes) if all three are locked
    perpendicular rows  Φ = A_i · B_j, or Φ = A_i · B_j − A_j · B_i, which vanishes where the turn has no part about the third axis

with d = p_B − p_A and A_i, B_j the axes of the two markers. Which rows follows from the free motions, see `kinematics`.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from flexor.coordinates.frames import (
    Frame,
    OnNode,
    arm_a,
    arm_b,
    axes_a,
    axes_b,
    offset,
    offset_acceleration,
    offset_rate,
    put_pair,
)
from flexor.coordinates.measure import Measure, nearest, turns, value_and_rate
from flexor.coordinates.rotation import BACK
from flexor.coordinates.translation import add_point_hessian
from flexor.joints.kinematics import FreeMotions
from flexor.law import ACCELERATION_LEVEL, COMMIT, MATRIX, OUTPUT, RESIDUAL, VELOCITY_LEVEL, law
from flexor.law.face import level_coefficient
from flexor.law.primitives import at
from flexor.law.record import Packed, Record, integer, integers, nested, numbers, tail
from flexor.law.tuples import (
    add,
    column,
    cross,
    dot,
    mscale,
    mtv,
    neg,
    put,
    put_col,
    put_mat,
    put_row,
    scale,
    skew,
    skew2,
    store,
    sub,
    vec,
)


class PoseConstraint(Record):
    """Parameters of the law."""

    a = nested(Frame, "marker A")
    b = nested(Frame, "marker B")
    n_points = integer("point rows")
    points = integers(3, "their axes of A")
    n_pairs = integer("perpendicular rows")
    pairs = integers(6, "axis of A and of B of each")
    bisects = integer("1: the perpendicular row is A_i · B_j − A_j · B_i")
    n_variables = integer("joint variables")
    measures = tail("a Measure of each")


class Angles(Record):
    """Its history."""

    q = numbers(3, "angles at the end of the last step, which count turns", "rad")


def parameters(free: FreeMotions, a: OnNode, b: OnNode) -> Packed:
    """Parameters for given free motions and sites of the joint frames."""
    found = _of_motions(free)
    words = found.words.copy()
    words[_P_A], words[_R_A], words[_P_B], words[_R_B] = a.p_NM, a.R_NM.ravel(), b.p_NM, b.R_NM.ravel()
    return Packed(words, found.evaluators)


def _words(marker: str, field: str) -> slice:
    """Where a field of a marker stands in the parameters: joints are many."""
    first = getattr(PoseConstraint, marker).offset + getattr(Frame, field).offset
    return slice(first, first + getattr(Frame, field).size)


_P_A, _R_A, _P_B, _R_B = (_words(marker, field) for marker in "ab" for field in "pR")


def marker_b(parameters: Packed) -> np.ndarray:
    """Where marker B sits on its node [m]."""
    return parameters.words[_P_B]


@cache
def _of_motions(free: FreeMotions) -> Packed:
    """The same, with frames that are not filled in."""
    none = Frame.pack(p=np.zeros(3), R=np.zeros(9))
    points = free.locked_translations
    pairs = [axis for pair in free.perpendicular_axes for axis in pair]
    measures = free.measures
    return PoseConstraint.pack(
        a=none,
        b=none,
        n_points=len(points),
        points=[*points, *[0] * (3 - len(points))],
        n_pairs=len(pairs) // 2,
        pairs=[*pairs, *[0] * (6 - len(pairs))],
        bisects=int(free.bisecting),
        n_variables=len(measures),
        measures=np.concatenate([np.zeros(0), *(measure.words for measure in measures)]),
    )


def reaction(p, lam, A, B):
    """(f, m): force −f acts on B, moment m on A; global axes"""
    n_points = p.n_points
    f = (0.0, 0.0, 0.0)
    if n_points == 3:
        f = vec(lam, 0)
    else:
        for i in range(n_points):
            f = add(f, scale(lam[i], column(A, p.points[i])))
    m = (0.0, 0.0, 0.0)
    for i in range(p.n_pairs):
        m = add(m, scale(lam[n_points + i], _turning(p, i, A, B)))
    return f, m


def _turning(p, i, A, B):
    """g of a perpendicular row: δΦ = g · (δθ_a − δθ_b)"""
    j, k = p.pairs[2 * i], p.pairs[2 * i + 1]
    g = cross(column(A, j), column(B, k))
    if p.bisects:
        g = sub(g, cross(column(A, k), column(B, j)))
    return g


def joint_signals(p, now, w):
    """w = value and rate of each variable, then force and torque on B in the axes of A"""
    A = axes_a(now.R, p)
    f, m = reaction(p, now.lam, A, axes_b(now.R, p))
    _variables(OUTPUT, p, now, w)
    o = 2 * p.n_variables
    store(w, o, mtv(A, neg(f)))
    store(w, o + 3, mtv(A, m))
    return 0


def count_joint_turns(p, now, w):
    """Remember the angles."""
    _variables(COMMIT, p, now, w)
    return 0


@law(
    PoseConstraint,
    history=Angles,
    tangent="own",
    scratch=32,
    signals=joint_signals,
    remember=count_joint_turns,
    counts_turns=True,
    errors={
        1: "its shafts are bent back by half a turn (177 deg), where nothing keeps them from twisting; let them bend less, or use a universal joint"
    },
)
def pose_constraint(want, p, now, out):
    """Φ of the locked motions"""
    s_a = arm_a(now.R, p)
    s_b = arm_b(now.R, p)
    A = axes_a(now.R, p)
    B = axes_b(now.R, p)
    if p.bisects and dot(column(A, 2), column(B, 2)) < BACK:
        return 1
    d = offset(now.x, s_a, s_b)
    lam, r = now.lam, out.r
    n_points = p.n_points
    spherical = n_points == 3
    f, m = reaction(p, lam, A, B)
    if want & RESIDUAL:
        e_a = s_a if spherical else add(s_a, d)
        put_pair(r, f, e_a, s_b)
        put(r, 3, m)
        put(r, 9, neg(m))
        if want & ACCELERATION_LEVEL:
            _accelerations(p, now.v, now.a, A, B, s_a, s_b, d, r)
        elif want & VELOCITY_LEVEL:
            _velocities(p, now.v, A, B, s_a, s_b, d, r)
        else:
            if spherical:
                put(r, 12, d)
            else:
                for i in range(n_points):
                    r[12 + i] = dot(column(A, p.points[i]), d)
            for i in range(p.n_pairs):
                j, k = p.pairs[2 * i], p.pairs[2 * i + 1]
                r[12 + n_points + i] = dot(column(A, j), column(B, k))
                if p.bisects:
                    r[12 + n_points + i] -= dot(column(A, k), column(B, j))
    if want & MATRIX:
        _matrix(want, p, now.c, lam, A, B, s_a, s_b, d, f, out.K, 12 + n_points + p.n_pairs)
    if want & COMMIT:
        return count_joint_turns(p, now, out.w)
    if want & OUTPUT:
        return joint_signals(p, now, out.w)
    return 0


def _variables(want, p, now, w):
    """Value and rate of each variable; angles beyond half a turn by their history"""
    angle = 0
    for i in range(p.n_variables):
        m = Measure(p.measures, i)
        q, rate = value_and_rate(m, p, now)
        if turns(m):
            expected = now.h.q[angle]
            if want & COMMIT and p.n_pairs == 2:
                expected += (
                    now.c.step * rate
                )  # one axis, q̇ is its spin: |Δq − h q̇| = ½ h² |q̈| is far less than half a turn
            q = nearest(q, expected)
            if want & COMMIT:
                now.h.q[angle] = q
            angle += 1
        if want & OUTPUT:
            w[2 * i] = q
            w[2 * i + 1] = rate


def _velocities(p, v, A, B, s_a, s_b, d, r):
    """Φ̇"""
    d_dot = offset_rate(v, s_a, s_b)
    w_a = vec(v, 3)
    relative = sub(w_a, vec(v, 9))
    if p.n_points == 3:
        put(r, 12, d_dot)
    else:
        for i in range(p.n_points):
            A_i = column(A, p.points[i])
            r[12 + i] = dot(A_i, d_dot) + dot(cross(w_a, A_i), d)
    for i in range(p.n_pairs):
        r[12 + p.n_points + i] = dot(_turning(p, i, A, B), relative)


def _accelerations(p, v, a, A, B, s_a, s_b, d, r):
    """Φ̈"""
    d_ddot = offset_acceleration(v, a, s_a, s_b)
    w_a = vec(v, 3)
    w_b = vec(v, 9)
    alpha_a = vec(a, 3)
    if p.n_points == 3:
        put(r, 12, d_ddot)
    else:
        d_dot = offset_rate(v, s_a, s_b)
        for i in range(p.n_points):
            A_i = column(A, p.points[i])
            A_dot = cross(w_a, A_i)
            A_ddot = add(cross(alpha_a, A_i), cross(w_a, A_dot))
            r[12 + i] = dot(A_i, d_ddot) + 2.0 * dot(A_dot, d_dot) + dot(A_ddot, d)
    for i in range(p.n_pairs):
        j, k = p.pairs[2 * i], p.pairs[2 * i + 1]
        g_dot = _turning_rate(column(A, j), column(B, k), w_a, w_b)
        if p.bisects:
            g_dot = sub(g_dot, _turning_rate(column(A, k), column(B, j), w_a, w_b))
        r[12 + p.n_points + i] = dot(_turning(p, i, A, B), sub(alpha_a, vec(a, 9))) + dot(g_dot, sub(w_a, w_b))


def _turning_rate(A_i, B_j, w_a, w_b):
    """d/dt (A_i × B_j)"""
    return add(cross(cross(w_a, A_i), B_j), cross(A_i, cross(w_b, B_j)))


def _matrix(want, p, c, lam, A, B, s_a, s_b, d, f, K, n):
    """Constraint gradient in rows and columns, and the geometric stiffness of the reaction."""
    cL = level_coefficient(want, c)
    cK = c.K
    n_points = p.n_points
    if n_points == 3:
        S_a = skew(s_a)
        S_b = skew(s_b)
        for i in range(3):
            K[(12 + i) * n + i] -= cL
            K[(12 + i) * n + 6 + i] += cL
            K[i * n + 12 + i] -= 1.0
            K[(6 + i) * n + 12 + i] += 1.0
        put_mat(K, n, 12, 3, mscale(cL, S_a))
        put_mat(K, n, 12, 9, mscale(-cL, S_b))
        put_mat(K, n, 3, 12, mscale(-1.0, S_a))
        put_mat(K, n, 9, 12, S_b)
        put_mat(K, n, 3, 3, mscale(-cK, skew2(f, s_a)))
        put_mat(K, n, 9, 9, mscale(cK, skew2(f, s_b)))
    else:
        e_a = add(s_a, d)
        for i in range(n_points):
            A_i = column(A, p.points[i])
            row = 12 + i
            put_pair(at(K, n * row), scale(cL, A_i), e_a, s_b)
            put_col(K, n, 0, row, neg(A_i))
            put_col(K, n, 3, row, neg(cross(e_a, A_i)))
            put_col(K, n, 6, row, A_i)
            put_col(K, n, 9, row, cross(s_b, A_i))
        g = scale(cK, f)
        add_point_hessian(K, n, g, skew(g), e_a, s_b)
    for i in range(p.n_pairs):
        j, k = p.pairs[2 * i], p.pairs[2 * i + 1]
        g = _turning(p, i, A, B)
        row = 12 + n_points + i
        put_row(K, n, row, 3, scale(cL, g))
        put_row(K, n, row, 9, scale(-cL, g))
        put_col(K, n, 3, row, g)
        put_col(K, n, 9, row, neg(g))
        mu = cK * lam[n_points + i]
        _put_turning(K, n, mu, column(A, j), column(B, k))
        if p.bisects:
            _put_turning(K, n, -mu, column(A, k), column(B, j))


def _put_turning(K, n, mu, A_i, B_j):
    """μ δ(A_i × B_j) on the rotations of a, its opposite on those of b"""
    D = mscale(mu, skew2(B_j, A_i))  # by δθ_a
    E = mscale(-mu, skew2(A_i, B_j))  # by δθ_b
    put_mat(K, n, 3, 3, D)
    put_mat(K, n, 3, 9, E)
    put_mat(K, n, 9, 3, mscale(-1.0, D))
    put_mat(K, n, 9, 9, mscale(-1.0, E))
