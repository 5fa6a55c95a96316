"""Distance of two points: q = |d|. Its direction does not exist where the points coincide: ask `too_short` first."""

from __future__ import annotations

from flexor.coordinates.frames import arm_a, arm_b, offset, offset_rate, put_pair
from flexor.law.tuples import (
    cross,
    diagonal,
    dot,
    mm_skew,
    mscale,
    msub,
    mv,
    norm,
    outer,
    put,
    put_mat,
    scale,
    skew2,
    skew_mm,
    sub,
    vec,
)

SHORT = 1e-12
"""Length below which there is no direction [m]."""


def direction(p, now):
    """(length, unit vector from A to B)"""
    d = offset(now.x, arm_a(now.R, p), arm_b(now.R, p))
    length = norm(d)
    return length, scale(1.0 / max(length, SHORT), d)


def too_short(p, now):
    """Whether the two points coincide."""
    return norm(offset(now.x, arm_a(now.R, p), arm_b(now.R, p))) < SHORT


def length_and_rate(p, now):
    length, u = direction(p, now)
    return length, dot(u, offset_rate(now.v, arm_a(now.R, p), arm_b(now.R, p)))


def add_length_gradient(p, now, factor, r):
    _, u = direction(p, now)
    put_pair(r, scale(factor, u), arm_a(now.R, p), arm_b(now.R, p))


def add_length_rate_gradient(p, now, factor, r):
    """The line turns, ḋᵀ ∂u/∂d = (P ḋ)ᵀ, and so do the arms, u·(ω × (δθ × s)) = s × (u × ω) · δθ"""
    s_a = arm_a(now.R, p)
    s_b = arm_b(now.R, p)
    length, u = direction(p, now)
    d_dot = offset_rate(now.v, s_a, s_b)
    put_pair(r, scale(factor, mv(projector(u, length), d_dot)), s_a, s_b)
    put(r, 3, scale(-factor, cross(s_a, cross(u, vec(now.v, 3)))))
    put(r, 9, scale(factor, cross(s_b, cross(u, vec(now.v, 9)))))


def add_length_hessian(p, now, factor, K, size):
    length, u = direction(p, now)
    D = mscale(factor, projector(u, length))
    add_line_stiffness(K, size, D, scale(factor, u), arm_a(now.R, p), arm_b(now.R, p))


def length_bias(p, now):
    s_a = arm_a(now.R, p)
    s_b = arm_b(now.R, p)
    length, u = direction(p, now)
    d_dot = offset_rate(now.v, s_a, s_b)
    rate = dot(u, d_dot)
    w_a, w_b = vec(now.v, 3), vec(now.v, 9)
    d_ddot = sub(cross(w_b, cross(w_b, s_b)), cross(w_a, cross(w_a, s_a)))
    return dot(u, d_ddot) + (dot(d_dot, d_dot) - rate * rate) / max(length, SHORT)


def projector(u, length):
    """∂u/∂d = (I − u uᵀ)/ℓ for the unit vector u along d."""
    return mscale(1.0 / max(length, SHORT), msub(diagonal(1.0), outer(u, u)))


def add_line_stiffness(K, n, D, f, s_a, s_b):
    """K += ∂/∂q of a force pair f along the line between the points A and B.

    D = ∂f/∂d, d = p_B − p_A; rows (x_a, θ_a, x_b, θ_b) hold (−f, −s_a × f, f, s_b × f).
    """
    # δd = δx_b − s̃_b δθ_b − δx_a + s̃_a δθ_a, so with G = ∂d/∂q: K = Gᵀ D G + moments of f on turning arms
    DA = mm_skew(D, s_a)
    DB = mm_skew(D, s_b)
    put_mat(K, n, 6, 6, D)
    put_mat(K, n, 6, 9, mscale(-1.0, DB))
    put_mat(K, n, 6, 0, mscale(-1.0, D))
    put_mat(K, n, 6, 3, DA)
    put_mat(K, n, 0, 6, mscale(-1.0, D))
    put_mat(K, n, 0, 9, DB)
    put_mat(K, n, 0, 0, D)
    put_mat(K, n, 0, 3, mscale(-1.0, DA))
    AD = skew_mm(s_a, D)
    BD = skew_mm(s_b, D)
    put_mat(K, n, 9, 6, BD)
    put_mat(K, n, 9, 9, msub(skew2(f, s_b), mm_skew(BD, s_b)))
    put_mat(K, n, 9, 0, mscale(-1.0, BD))
    put_mat(K, n, 9, 3, mm_skew(BD, s_a))
    put_mat(K, n, 3, 6, mscale(-1.0, AD))
    put_mat(K, n, 3, 9, mm_skew(AD, s_b))
    put_mat(K, n, 3, 0, AD)
    put_mat(K, n, 3, 3, msub(mscale(-1.0, skew2(f, s_a)), mm_skew(AD, s_a)))
