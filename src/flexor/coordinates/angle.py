"""Angle about an axis of a rotation sequence: q = atan2(n, c), n = sₙ A_iₙ·B_jₙ and c = s_c A_i_c·B_j_c, or c = √(1 − n²).

Components of the rotation vector (`flexor.coordinates.rotation`) have the same form: δq = h · (δθ_a − δθ_b).
"""

from __future__ import annotations

from flexor.coordinates.frames import axes_a, axes_b
from flexor.coordinates.rotation import VECTOR, component, component_slope, component_turning
from flexor.law.dual import atan2, sqrt
from flexor.law.tuples import (
    add,
    column,
    cross,
    dot,
    madd,
    mscale,
    msub,
    mtv,
    mv,
    outer,
    put,
    put_mat,
    scale,
    skew2,
    sub,
    vec,
)

MIDDLE = 2
"""Kind of the middle one of three rotations."""
TINY = 1e-24


def sine_and_cosine(m, A, B):
    """(n, c, h) with q = atan2(n, c) and δq = h · (δθ_a − δθ_b)"""
    A_n = column(A, m.n_a)
    B_n = column(B, m.n_b)
    n = m.n_sign * dot(A_n, B_n)
    h_n = scale(float(m.n_sign), cross(A_n, B_n))  # δ(A·B) = (A × B)·(δθ_a − δθ_b)
    if m.kind == MIDDLE:
        c = sqrt(max(1.0 - n * n, TINY))
        return n, c, scale(1.0 / c, h_n)
    A_c = column(A, m.c_a)
    B_c = column(B, m.c_b)
    c = m.c_sign * dot(A_c, B_c)
    h_c = scale(float(m.c_sign), cross(A_c, B_c))
    return n, c, scale(1.0 / max(n * n + c * c, TINY), sub(scale(c, h_n), scale(n, h_c)))


def angle_and_rate(m, p, now):
    A, B = axes_a(now.R, p), axes_b(now.R, p)
    relative = sub(vec(now.v, 3), vec(now.v, 9))
    if m.kind == VECTOR:
        return component(m, A, B), dot(component_slope(m, A, B), relative)
    n, c, h = sine_and_cosine(m, A, B)
    return atan2(n, c), dot(h, relative)


def _slope(m, A, B):
    """h"""
    if m.kind == VECTOR:
        return component_slope(m, A, B)
    _, _, h = sine_and_cosine(m, A, B)
    return h


def add_angle_gradient(m, p, now, factor, r):
    h = _slope(m, axes_a(now.R, p), axes_b(now.R, p))
    put(r, 3, scale(factor, h))
    put(r, 9, scale(-factor, h))


def add_angle_rate_gradient(m, p, now, factor, r):
    """q̇ = h·(ω_a − ω_b)"""
    D_a, D_b = turning(m, axes_a(now.R, p), axes_b(now.R, p))
    spin = scale(factor, sub(vec(now.v, 3), vec(now.v, 9)))
    put(r, 3, mtv(D_a, spin))
    put(r, 9, mtv(D_b, spin))


def add_angle_hessian(m, p, now, factor, K, size):
    D_a, D_b = turning(m, axes_a(now.R, p), axes_b(now.R, p))
    put_mat(K, size, 3, 3, mscale(factor, D_a))
    put_mat(K, size, 3, 9, mscale(factor, D_b))
    put_mat(K, size, 9, 3, mscale(-factor, D_a))
    put_mat(K, size, 9, 9, mscale(-factor, D_b))


def turning(m, A, B):
    """(D_a, D_b) with δh = D_a δθ_a + D_b δθ_b"""
    if m.kind == VECTOR:
        return component_turning(m, A, B)
    n, c, h = sine_and_cosine(m, A, B)
    A_n = column(A, m.n_a)
    B_n = column(B, m.n_b)
    s_n = float(m.n_sign)
    h_n = scale(s_n, cross(A_n, B_n))
    M_a, M_b = product_turning(A_n, B_n)
    if m.kind == MIDDLE:
        # h = h_n/c:  δh = δh_n/c + n (h_n·δ) h_n/c³
        T = mscale(n / (c * c * c), outer(h_n, h_n))
        return madd(mscale(s_n / c, M_a), T), msub(mscale(s_n / c, M_b), T)
    A_c = column(A, m.c_a)
    B_c = column(B, m.c_b)
    s_c = float(m.c_sign)
    h_c = scale(s_c, cross(A_c, B_c))
    N_a, N_b = product_turning(A_c, B_c)
    f = 1.0 / max(n * n + c * c, TINY)
    # h = (c h_n − n h_c)/ρ:  δh = [(h_c·δ) h_n − (h_n·δ) h_c + c δh_n − n δh_c]/ρ − 2 (n h_n·δ + c h_c·δ) h/ρ
    T = msub(outer(h_n, h_c), outer(h_c, h_n))
    T = msub(T, mscale(2.0, outer(h, add(scale(n, h_n), scale(c, h_c)))))
    T = mscale(f, T)
    D_a = madd(mscale(f, msub(mscale(c * s_n, M_a), mscale(n * s_c, N_a))), T)
    return D_a, msub(mscale(f, msub(mscale(c * s_n, M_b), mscale(n * s_c, N_b))), T)


def product_turning(a, b):
    """δ(a × b) = M_a δθ_a + M_b δθ_b for axes a, b that turn with their bodies."""
    return skew2(b, a), mscale(-1.0, skew2(a, b))


def angle_bias(m, p, now):
    A, B = axes_a(now.R, p), axes_b(now.R, p)
    w_a, w_b = vec(now.v, 3), vec(now.v, 9)
    relative = sub(w_a, w_b)
    if m.kind == VECTOR:  # q̈ = ḣ · (ω_a − ω_b)
        D_a, D_b = component_turning(m, A, B)
        return dot(add(mv(D_a, w_a), mv(D_b, w_b)), relative)
    n, c, h = sine_and_cosine(m, A, B)
    A_n = column(A, m.n_a)
    B_n = column(B, m.n_b)
    s_n = float(m.n_sign)
    n_dot = s_n * dot(cross(A_n, B_n), relative)
    n_ddot = s_n * dot(add(cross(cross(w_a, A_n), B_n), cross(A_n, cross(w_b, B_n))), relative)
    if m.kind == MIDDLE:
        return n_ddot / c + n * n_dot * n_dot / (c * c * c)
    A_c = column(A, m.c_a)
    B_c = column(B, m.c_b)
    s_c = float(m.c_sign)
    c_dot = s_c * dot(cross(A_c, B_c), relative)
    c_ddot = s_c * dot(add(cross(cross(w_a, A_c), B_c), cross(A_c, cross(w_b, B_c))), relative)
    # q̇ = (c ṅ − n ċ)/ρ, ρ = n² + c²:  q̈ = (c n̈ − n c̈ − ρ̇ q̇)/ρ
    return (c * n_ddot - n * c_ddot - 2.0 * (n * n_dot + c * c_dot) * dot(h, relative)) / max(n * n + c * c, TINY)
