"""Joint variables: the free translations and rotations of the pose product, measured between two markers.

    P_SG = P_MG P_JT P_N … P_1 P_SJ        FTG (6.1)

A joint's translations come first, along axes of marker A; its rotations follow about successive (follower) axes.
Each variable q is measured by one pattern of seven integers (kind, sₙ, iₙ, jₙ, s_c, i_c, j_c):

    TRANSLATION   q = A_i · d
    ANGLE         q = atan2(n, c),  n = sₙ A_iₙ·B_jₙ,  c = s_c A_i_c·B_j_c
    MIDDLE        q = atan2(n, c),  c = √(1 − n²)        the middle one of three rotations, |q| < 90°

where A_i, B_j are the markers' axes. The patterns hold for any state, so gradient and Hessian are exact.
"""

from __future__ import annotations

import math

from flexor.joints.frames import arm_a, arm_b, axes_a, axes_b, offset, offset_rate, put_pair
from flexor.law.tuples import (
    add,
    column,
    cross,
    dot,
    madd,
    mscale,
    msub,
    outer,
    put,
    put_mat,
    scale,
    skew,
    skew2,
    sub,
    vec,
)

TRANSLATION, ANGLE, MIDDLE = 0, 1, 2
PATTERN_INTS = 7


def patterns(translations: str, rotations: str) -> list[tuple[int, ...]]:
    """Patterns of the free translations ("xz") and of the rotation sequence ("zy") of a joint."""
    found: list[tuple[int, ...]] = [(TRANSLATION, 1, "xyz".index(axis), 0, 1, 0, 0) for axis in translations]
    axes = ["xyz".index(axis) for axis in rotations]
    if len(axes) == 1:  # R = R_i: A_k·B_j = sin, A_j·B_j = cos
        i = axes[0]
        j, k = (i + 1) % 3, (i + 2) % 3
        found.append((ANGLE, 1, k, j, 1, j, j))
    elif len(axes) == 2:
        i, j = axes
        k = 3 - i - j
        e = 1 if (j - i) % 3 == 1 else -1
        found += [(ANGLE, e, k, j, 1, j, j), (ANGLE, e, i, k, 1, i, i)]
    elif len(axes) == 3:
        i, j, k = axes
        e = 1 if (j - i) % 3 == 1 else -1
        found += [(ANGLE, -e, j, k, 1, k, k), (MIDDLE, e, i, k, 1, 0, 0), (ANGLE, -e, i, j, 1, i, i)]
    return found


def wrap(angle):
    """The same angle in [−π, π]."""
    return angle - 2.0 * math.pi * math.floor(angle / (2.0 * math.pi) + 0.5)


def nearest(angle, previous):
    """The angle of the same direction nearest to the previous one: counts turns."""
    return previous + wrap(angle - previous)


def angle_and_gradient(k, o, A, B):
    """(n, c, h) with q = atan2(n, c) and δq = h · (δθ_a − δθ_b)"""
    A_n = column(A, k[o + 2])
    B_n = column(B, k[o + 3])
    n = k[o + 1] * dot(A_n, B_n)
    h_n = scale(float(k[o + 1]), cross(A_n, B_n))  # δ(A·B) = (A × B)·(δθ_a − δθ_b)
    if k[o] == MIDDLE:
        c = math.sqrt(max(1.0 - n * n, 1e-24))
        return n, c, scale(1.0 / c, h_n)
    A_c = column(A, k[o + 5])
    B_c = column(B, k[o + 6])
    c = k[o + 4] * dot(A_c, B_c)
    h_c = scale(float(k[o + 4]), cross(A_c, B_c))
    return n, c, scale(1.0 / max(n * n + c * c, 1e-24), sub(scale(c, h_n), scale(n, h_c)))


def value_and_rate(k, o, p, x, R, v):
    """Variable number `o` and its rate; angles lie in [−π, π]."""
    A = axes_a(R, p)
    if k[o] == TRANSLATION:
        s_a = arm_a(R, p)
        s_b = arm_b(R, p)
        A_i = column(A, k[o + 2])
        d = offset(x, s_a, s_b)
        return dot(A_i, d), dot(A_i, offset_rate(v, s_a, s_b)) + dot(cross(vec(v, 3), A_i), d)
    n, c, h = angle_and_gradient(k, o, A, axes_b(R, p))
    return math.atan2(n, c), dot(h, sub(vec(v, 3), vec(v, 9)))


def add_effort(k, o, p, x, R, effort, r):
    """r += effort · ∇q"""
    A = axes_a(R, p)
    if k[o] == TRANSLATION:
        s_a = arm_a(R, p)
        s_b = arm_b(R, p)
        f = scale(effort, column(A, k[o + 2]))
        put_pair(r, f, add(s_a, offset(x, s_a, s_b)), s_b)
    else:
        _, _, h = angle_and_gradient(k, o, A, axes_b(R, p))
        put(r, 3, scale(effort, h))
        put(r, 9, scale(-effort, h))


def gradient(k, o, p, x, R, g):
    """Store ∇q with respect to (x_a, θ_a, x_b, θ_b) in g[0:12]."""
    for i in range(12):
        g[i] = 0.0
    add_effort(k, o, p, x, R, 1.0, g)


def _product_hessian(a, b):
    """δ(a × b) = M_a δθ_a + M_b δθ_b for axes a, b that turn with their bodies."""
    return skew2(b, a), mscale(-1.0, skew2(a, b))


def add_hessian(k, o, p, x, R, effort, K, size):
    """K += effort · ∂(∇q)/∂q, exact; K has `size` columns."""
    A = axes_a(R, p)
    if k[o] == TRANSLATION:
        s_a = arm_a(R, p)
        s_b = arm_b(R, p)
        f = scale(effort, column(A, k[o + 2]))
        add_point_hessian(K, size, f, skew(f), add(s_a, offset(x, s_a, s_b)), s_b)
        return
    B = axes_b(R, p)
    n, c, h = angle_and_gradient(k, o, A, B)
    A_n = column(A, k[o + 2])
    B_n = column(B, k[o + 3])
    s_n = float(k[o + 1])
    h_n = scale(s_n, cross(A_n, B_n))
    M_a, M_b = _product_hessian(A_n, B_n)
    if k[o] == MIDDLE:
        # h = h_n/c:  δh = δh_n/c + n (h_n·δ) h_n/c³
        T = mscale(n / (c * c * c), outer(h_n, h_n))
        D_a = madd(mscale(s_n / c, M_a), T)
        D_b = msub(mscale(s_n / c, M_b), T)
    else:
        A_c = column(A, k[o + 5])
        B_c = column(B, k[o + 6])
        s_c = float(k[o + 4])
        h_c = scale(s_c, cross(A_c, B_c))
        N_a, N_b = _product_hessian(A_c, B_c)
        f = 1.0 / max(n * n + c * c, 1e-24)
        # h = (c h_n − n h_c)/ρ:  δh = [(h_c·δ) h_n − (h_n·δ) h_c + c δh_n − n δh_c]/ρ − 2 (n h_n·δ + c h_c·δ) h/ρ
        T = msub(outer(h_n, h_c), outer(h_c, h_n))
        T = msub(T, mscale(2.0, outer(h, add(scale(n, h_n), scale(c, h_c)))))
        T = mscale(f, T)
        D_a = madd(mscale(f, msub(mscale(c * s_n, M_a), mscale(n * s_c, N_a))), T)
        D_b = msub(mscale(f, msub(mscale(c * s_n, M_b), mscale(n * s_c, N_b))), T)
    put_mat(K, size, 3, 3, mscale(effort, D_a))
    put_mat(K, size, 3, 9, mscale(effort, D_b))
    put_mat(K, size, 9, 3, mscale(-effort, D_a))
    put_mat(K, size, 9, 9, mscale(-effort, D_b))


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


def bias(k, o, p, x, R, v):
    """q̈ with all accelerations zero: the velocity-dependent part of the second rate."""
    A = axes_a(R, p)
    w_a = vec(v, 3)
    w_b = vec(v, 9)
    if k[o] == TRANSLATION:
        s_a = arm_a(R, p)
        s_b = arm_b(R, p)
        A_i = column(A, k[o + 2])
        A_dot = cross(w_a, A_i)
        d_dot = offset_rate(v, s_a, s_b)
        d_ddot = sub(cross(w_b, cross(w_b, s_b)), cross(w_a, cross(w_a, s_a)))
        return dot(A_i, d_ddot) + 2.0 * dot(A_dot, d_dot) + dot(cross(w_a, A_dot), offset(x, s_a, s_b))
    B = axes_b(R, p)
    n, c, h = angle_and_gradient(k, o, A, B)
    relative = sub(w_a, w_b)
    A_n = column(A, k[o + 2])
    B_n = column(B, k[o + 3])
    s_n = float(k[o + 1])
    n_dot = s_n * dot(cross(A_n, B_n), relative)
    n_ddot = s_n * dot(add(cross(cross(w_a, A_n), B_n), cross(A_n, cross(w_b, B_n))), relative)
    if k[o] == MIDDLE:
        return n_ddot / c + n * n_dot * n_dot / (c * c * c)
    A_c = column(A, k[o + 5])
    B_c = column(B, k[o + 6])
    s_c = float(k[o + 4])
    c_dot = s_c * dot(cross(A_c, B_c), relative)
    c_ddot = s_c * dot(add(cross(cross(w_a, A_c), B_c), cross(A_c, cross(w_b, B_c))), relative)
    # q̇ = (c ṅ − n ċ)/ρ, ρ = n² + c²:  q̈ = (c n̈ − n c̈ − ρ̇ q̇)/ρ
    return (c * n_ddot - n * c_ddot - 2.0 * (n * n_dot + c * c_dot) * dot(h, relative)) / max(n * n + c * c, 1e-24)
