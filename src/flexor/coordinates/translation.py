"""Translation along an axis of marker A: q = A_i · d."""

from __future__ import annotations

from flexor.coordinates.frames import arm_a, arm_b, axes_a, offset, offset_rate, put_pair
from flexor.law.tuples import add, column, cross, dot, mscale, neg, put, put_mat, scale, skew, skew2, sub, vec


def translation_and_rate(m, p, now):
    s_a = arm_a(now.R, p)
    s_b = arm_b(now.R, p)
    A_i = column(axes_a(now.R, p), m.n_a)
    d = offset(now.x, s_a, s_b)
    return dot(A_i, d), dot(A_i, offset_rate(now.v, s_a, s_b)) + dot(cross(vec(now.v, 3), A_i), d)


def add_translation_gradient(m, p, now, factor, r):
    s_a = arm_a(now.R, p)
    s_b = arm_b(now.R, p)
    f = scale(factor, column(axes_a(now.R, p), m.n_a))
    put_pair(r, f, add(s_a, offset(now.x, s_a, s_b)), s_b)


def add_translation_rate_gradient(m, p, now, factor, r):
    """q̇ = A·u, u = v_b + ω_b × s_b − v_a − ω_a × e_a, e_a = p_B − x_a; δA = δθ_a × A, δs_b = δθ_b × s_b, δe_a = δx_b − δx_a + δs_b"""
    s_a = arm_a(now.R, p)
    s_b = arm_b(now.R, p)
    A_i = scale(factor, column(axes_a(now.R, p), m.n_a))
    d = offset(now.x, s_a, s_b)
    w_a, w_b = vec(now.v, 3), vec(now.v, 9)
    u = sub(offset_rate(now.v, s_a, s_b), cross(w_a, d))
    turned = cross(A_i, w_a)
    put(r, 0, turned)
    put(r, 3, cross(A_i, u))
    put(r, 6, neg(turned))
    put(r, 9, cross(s_b, cross(A_i, sub(w_b, w_a))))


def add_translation_hessian(m, p, now, factor, K, size):
    s_a = arm_a(now.R, p)
    s_b = arm_b(now.R, p)
    f = scale(factor, column(axes_a(now.R, p), m.n_a))
    add_point_hessian(K, size, f, skew(f), add(s_a, offset(now.x, s_a, s_b)), s_b)


def add_point_hessian(K, n, f, F, e_a, s_b):
    """Stiffness of a force f that turns with body a and acts at the point p_B of both bodies.

    e_a = p_B − x_a, s_b = p_B − x_b, F = skew(f); rows (x_a, θ_a, x_b, θ_b).
    """
    # r_xb = f, δf = δθ_a × f
    put_mat(K, n, 6, 3, mscale(-1.0, F))
    put_mat(K, n, 0, 3, F)
    # r_θb = s_b × f
    put_mat(K, n, 9, 9, skew2(f, s_b))
    put_mat(K, n, 9, 3, mscale(-1.0, skew2(s_b, f)))
    # r_θa = −e_a × f, δe_a = δx_b − δx_a − skew(s_b) δθ_b
    put_mat(K, n, 3, 6, F)
    put_mat(K, n, 3, 0, mscale(-1.0, F))
    put_mat(K, n, 3, 9, mscale(-1.0, skew2(f, s_b)))
    put_mat(K, n, 3, 3, skew2(e_a, f))


def translation_bias(m, p, now):
    s_a = arm_a(now.R, p)
    s_b = arm_b(now.R, p)
    w_a, w_b = vec(now.v, 3), vec(now.v, 9)
    A_i = column(axes_a(now.R, p), m.n_a)
    A_dot = cross(w_a, A_i)
    d_dot = offset_rate(now.v, s_a, s_b)
    d_ddot = sub(cross(w_b, cross(w_b, s_b)), cross(w_a, cross(w_a, s_a)))
    return dot(A_i, d_ddot) + 2.0 * dot(A_dot, d_dot) + dot(cross(w_a, A_dot), offset(now.x, s_a, s_b))
