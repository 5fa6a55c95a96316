"""Distance along a direction that is fixed in space: q = e · d.   FTG (5.17)

e is the axis of the frame on A, which does not turn with the body here. Whatever keeps the direction carries the moment d × f.
"""

from __future__ import annotations

from flexor.coordinates.frames import arm_a, arm_b, offset, offset_rate, put_pair
from flexor.law.tuples import column, cross, dot, mat, mscale, put, put_mat, scale, skew2, sub, vec


def fixed_axis(m, p):
    return column(mat(p.a.R, 0), m.n_a)


def fixed_and_rate(m, p, now):
    e = fixed_axis(m, p)
    s_a, s_b = arm_a(now.R, p), arm_b(now.R, p)
    return dot(e, offset(now.x, s_a, s_b)), dot(e, offset_rate(now.v, s_a, s_b))


def add_fixed_gradient(m, p, now, factor, r):
    put_pair(r, scale(factor, fixed_axis(m, p)), arm_a(now.R, p), arm_b(now.R, p))


def add_fixed_rate_gradient(m, p, now, factor, r):
    """The arms turn: e·(ω × (δθ × s)) = s × (e × ω) · δθ"""
    e = scale(factor, fixed_axis(m, p))
    put(r, 3, scale(-1.0, cross(arm_a(now.R, p), cross(e, vec(now.v, 3)))))
    put(r, 9, cross(arm_b(now.R, p), cross(e, vec(now.v, 9))))


def add_fixed_hessian(m, p, now, factor, K, size):
    """Moments s × f of a fixed force f on turning arms"""
    f = scale(factor, fixed_axis(m, p))
    put_mat(K, size, 9, 9, skew2(f, arm_b(now.R, p)))
    put_mat(K, size, 3, 3, mscale(-1.0, skew2(f, arm_a(now.R, p))))


def fixed_bias(m, p, now):
    w_a, w_b = vec(now.v, 3), vec(now.v, 9)
    s_a, s_b = arm_a(now.R, p), arm_b(now.R, p)
    return dot(fixed_axis(m, p), sub(cross(w_b, cross(w_b, s_b)), cross(w_a, cross(w_a, s_a))))
