"""The multiplier form of every joint that is a pose product: some directions locked, some axes kept perpendicular.

    point rows          Φ = A_i · d  for the locked translations, or Φ = d (global axes) if all three are locked
    perpendicular rows  Φ = A_i · B_j

with d = p_B − p_A and A_i, B_j the axes of the two markers. Which rows follows from the free motions, see `locks`.
"""

from __future__ import annotations

from flexor.joints.frames import arm_a, arm_b, axes_a, axes_b, offset, offset_acceleration, offset_rate, put_pair
from flexor.joints.variable import (
    PATTERN_INTS,
    TRANSLATION,
    add_point_hessian,
    nearest,
    value_and_rate,
)
from flexor.law import (
    ACCELERATION_LEVEL,
    COMMIT,
    ENERGY,
    MATRIX,
    OUTPUT,
    RESIDUAL,
    VELOCITY_LEVEL,
    law,
    level_coefficient,
)
from flexor.law.primitives import at
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

FIRST_VARIABLE = 12
"""k: number of point rows, their axes (3), number of perpendicular rows, their pairs (6), number of variables, then
the pattern of each."""


def locks(translations: str, rotations: str) -> tuple[list[int], list[tuple[int, int]]]:
    """Axes of the locked translations, and pairs (i, j) with A_i ⊥ B_j, for given free motions.

    With R = R_i(q₁) R_j(q₂) the axis A_i is perpendicular to B_j at any q; with R = R_i(q) both other axes of A
    are perpendicular to B_i; without rotation the axes stay parallel.
    """
    points = [i for i, axis in enumerate("xyz") if axis not in translations]
    axes = ["xyz".index(axis) for axis in rotations]
    if len(axes) == 0:
        return points, [(0, 1), (1, 2), (2, 0)]
    if len(axes) == 1:
        i = axes[0]
        return points, [((i + 1) % 3, i), ((i + 2) % 3, i)]
    return points, [(axes[0], axes[1])] if len(axes) == 2 else []


def integers(translations: str, rotations: str) -> list[int]:
    """Integer parameters of the law for given free motions."""
    from flexor.joints.variable import patterns

    points, pairs = locks(translations, rotations)
    flat = [index for pair in pairs for index in pair]
    found = patterns(translations, rotations)
    return [
        len(points), *points, *[0] * (3 - len(points)),
        len(pairs), *flat, *[0] * (6 - len(flat)),
        len(found), *[number for pattern in found for number in pattern],
    ]  # fmt: skip


def row_names(translations: str, rotations: str) -> tuple[str, ...]:
    """Names of the multiplier rows for diagnoses."""
    points, pairs = locks(translations, rotations)
    return tuple(f"point {'xyz'[i]}" for i in points) + tuple(f"axes {'xyz'[i]}⊥{'xyz'[j]}" for i, j in pairs)


@law(scratch=32)
def pose_constraint(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):
    """Φ of the locked motions;  k: rows and variables, see FIRST_VARIABLE;  p: two markers;  h: angles, for turns"""
    s_a = arm_a(R, p)
    s_b = arm_b(R, p)
    A = axes_a(R, p)
    B = axes_b(R, p)
    d = offset(x, s_a, s_b)
    n_points = k[0]
    n_pairs = k[4]
    spherical = n_points == 3
    f = (0.0, 0.0, 0.0)  # force −f acts on B, in global axes
    if spherical:
        f = vec(lam, 0)
    else:
        for i in range(n_points):
            f = add(f, scale(lam[i], column(A, k[1 + i])))
    m = (0.0, 0.0, 0.0)  # free moment
    for i in range(n_pairs):
        m = add(m, scale(lam[n_points + i], cross(column(A, k[5 + 2 * i]), column(B, k[6 + 2 * i]))))

    if want & RESIDUAL:
        e_a = s_a if spherical else add(s_a, d)
        put_pair(r, f, e_a, s_b)
        put(r, 3, m)
        put(r, 9, neg(m))
        if want & ACCELERATION_LEVEL:
            _accelerations(k, v, a, A, B, s_a, s_b, d, r)
        elif want & VELOCITY_LEVEL:
            _velocities(k, v, A, B, s_a, s_b, d, r)
        else:
            if spherical:
                put(r, 12, d)
            else:
                for i in range(n_points):
                    r[12 + i] = dot(column(A, k[1 + i]), d)
            for i in range(n_pairs):
                r[12 + n_points + i] = dot(column(A, k[5 + 2 * i]), column(B, k[6 + 2 * i]))

    if want & MATRIX:
        _matrix(want, k, c, lam, A, B, s_a, s_b, d, f, K, 12 + n_points + n_pairs)

    if want & (OUTPUT | COMMIT):
        turns = 0
        for i in range(k[11]):
            o = FIRST_VARIABLE + PATTERN_INTS * i
            q, rate = value_and_rate(k, o, p, x, R, v)
            if k[o] != TRANSLATION:
                expected = h[turns]
                if want & COMMIT and n_pairs == 2:
                    expected += (
                        c[3] * rate
                    )  # one axis, q̇ is its spin: |Δq − h q̇| = ½ h² |q̈| is far less than half a turn
                q = nearest(q, expected)
                if want & COMMIT:
                    h[turns] = q
                turns += 1
            if want & OUTPUT:
                w[2 * i] = q
                w[2 * i + 1] = rate
        if want & OUTPUT:
            o = 2 * k[11]
            store(w, o, mtv(A, neg(f)))
            store(w, o + 3, mtv(A, m))
    if want & ENERGY:
        for i in range(5):
            w[i] = 0.0
    return 0


def _velocities(k, v, A, B, s_a, s_b, d, r):
    """Φ̇"""
    d_dot = offset_rate(v, s_a, s_b)
    w_a = vec(v, 3)
    relative = sub(w_a, vec(v, 9))
    if k[0] == 3:
        put(r, 12, d_dot)
    else:
        for i in range(k[0]):
            A_i = column(A, k[1 + i])
            r[12 + i] = dot(A_i, d_dot) + dot(cross(w_a, A_i), d)
    for i in range(k[4]):
        r[12 + k[0] + i] = dot(cross(column(A, k[5 + 2 * i]), column(B, k[6 + 2 * i])), relative)


def _accelerations(k, v, a, A, B, s_a, s_b, d, r):
    """Φ̈"""
    d_ddot = offset_acceleration(v, a, s_a, s_b)
    w_a = vec(v, 3)
    w_b = vec(v, 9)
    alpha_a = vec(a, 3)
    if k[0] == 3:
        put(r, 12, d_ddot)
    else:
        d_dot = offset_rate(v, s_a, s_b)
        for i in range(k[0]):
            A_i = column(A, k[1 + i])
            A_dot = cross(w_a, A_i)
            A_ddot = add(cross(alpha_a, A_i), cross(w_a, A_dot))
            r[12 + i] = dot(A_i, d_ddot) + 2.0 * dot(A_dot, d_dot) + dot(A_ddot, d)
    for i in range(k[4]):
        A_i = column(A, k[5 + 2 * i])
        B_j = column(B, k[6 + 2 * i])
        turning = add(cross(cross(w_a, A_i), B_j), cross(A_i, cross(w_b, B_j)))
        r[12 + k[0] + i] = dot(cross(A_i, B_j), sub(alpha_a, vec(a, 9))) + dot(turning, sub(w_a, w_b))


def _matrix(want, k, c, lam, A, B, s_a, s_b, d, f, K, n):
    """Constraint gradient in rows and columns, and the geometric stiffness of the reaction."""
    cL = level_coefficient(want, c)
    cK = c[0]
    n_points = k[0]
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
            A_i = column(A, k[1 + i])
            row = 12 + i
            put_pair(at(K, n * row), scale(cL, A_i), e_a, s_b)
            put_col(K, n, 0, row, neg(A_i))
            put_col(K, n, 3, row, neg(cross(e_a, A_i)))
            put_col(K, n, 6, row, A_i)
            put_col(K, n, 9, row, cross(s_b, A_i))
        g = scale(cK, f)
        add_point_hessian(K, n, g, skew(g), e_a, s_b)
    for i in range(k[4]):
        A_i = column(A, k[5 + 2 * i])
        B_j = column(B, k[6 + 2 * i])
        g = cross(A_i, B_j)
        row = 12 + n_points + i
        put_row(K, n, row, 3, scale(cL, g))
        put_row(K, n, row, 9, scale(-cL, g))
        put_col(K, n, 3, row, g)
        put_col(K, n, 9, row, neg(g))
        mu = cK * lam[n_points + i]
        D = mscale(mu, skew2(B_j, A_i))  # δ(A × B) by δθ_a
        E = mscale(-mu, skew2(A_i, B_j))  # and by δθ_b
        put_mat(K, n, 3, 3, D)
        put_mat(K, n, 3, 9, E)
        put_mat(K, n, 9, 3, mscale(-1.0, D))
        put_mat(K, n, 9, 9, mscale(-1.0, E))
