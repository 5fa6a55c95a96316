"""The material point of a deforming surface that touches, as the search leaves it and the law reads it.

On the surface a point has the parameters σ = (s, t); in the axes of the body's frame, from the centre of mass,

    y(σ) = X(σ) + S(σ) q,      ẏ = S q̇
"""

from __future__ import annotations

from flexor.law.tuples import add, cross, dot, norm, scale, store, sub, vec

PLACE, BY_S, BY_T, RATE, RATE_BY_S, RATE_BY_T, BACK = 0, 3, 6, 9, 12, 15, 18
"""Where in its numbers stand: y, ∂y/∂s, ∂y/∂t, ẏ and its slopes; what the point of the last step is off the straight line to it."""
WAY, YIELD, PARAMETERS, DISTANCE = 21, 23, 26, 28
"""Change of s and t since the last step; three numbers of P = (∂²d/∂σ²)⁻¹; s, t; distance d."""
BY_SS, BY_ST, BY_TT, SKEWED, INWARD, OUT, GROWS, SPIN, POINT_WORDS = 29, 32, 35, 38, 39, 40, 43, 45, 48
"""Of a side that is followed by balls inside of it (`flexor.contact.deformable.series_side`) also its second slopes, P₂₁ − P₁₂, and the radius of the balls with the sign
of ∂y/∂s × ∂y/∂t outward; w of an inner skin (`flexor.contact.deformable.inner_skin`), the place being c, the slopes of ρ, and ω of a triangle of a full mesh. How many there are in all."""
FLAT = 1e-9
"""Curvature of the distance, in parts of that of a ball as large as the surface, which is none: the point is held there."""


def leave_place(Y, y, y_s, y_t, rate, rate_s, rate_t):
    """Leave a place, its velocity, and the slopes of both."""
    store(Y, PLACE, y)
    store(Y, BY_S, y_s)
    store(Y, BY_T, y_t)
    store(Y, RATE, rate)
    store(Y, RATE_BY_S, rate_s)
    store(Y, RATE_BY_T, rate_t)


def leave_bending(Y, y_ss, y_st, y_tt):
    """Leave second slopes."""
    store(Y, BY_SS, y_ss)
    store(Y, BY_ST, y_st)
    store(Y, BY_TT, y_tt)


def leave_parameters(Y, s, t, d):
    """Leave s, t and the distance."""
    Y[PARAMETERS] = s
    Y[PARAMETERS + 1] = t
    Y[DISTANCE] = d


def moved(Y, what, ds, dt):
    """y or ẏ, which stand at `what` with their slopes behind them, where the point has moved by ds and dt."""
    return add(vec(Y, what), add(scale(ds, vec(Y, what + 3)), scale(dt, vec(Y, what + 6))))


def slope_moved(Y, slope, second, ds, dt):
    """Likewise a slope of y; second: where its own slopes stand."""
    return add(vec(Y, slope), add(scale(ds, vec(Y, second)), scale(dt, vec(Y, second + 3))))


def center(Y, z, e, g):
    """Centre of the ball inside of the surface at z, where its slopes are e and g; without a ball z itself."""
    if Y[INWARD] != 0.0:
        return sub(z, scale(Y[INWARD], unit_normal(e, g, 1.0)))
    return z


def unit_normal(e, g, sign):
    """Of a surface with the slopes e and g; sign: of the side to which it points."""
    c = cross(e, g)
    return scale(sign / norm(c), c)


def normal_slope(m, e, g, e_i, g_i, sign):
    """How the unit normal m turns where the slopes e and g change by e_i and g_i."""
    c = cross(e, g)
    c_i = add(cross(e_i, g), cross(e, g_i))
    return scale(sign / norm(c), sub(c_i, scale(dot(m, c_i), m)))


def inverse(h_11, h_12, h_22, free_s, free_t):
    """P: how far the nearest point moves by the slopes of the distance; 0 along what is held. The curvatures are positive where they count."""
    P = whole_inverse(h_11, h_12, h_12, h_22, free_s, free_t)
    return P[0], P[1], P[3]


def whole_inverse(h_11, h_12, h_21, h_22, free_s, free_t):
    """Likewise of what is not symmetric: P₁₁, P₁₂, P₂₁, P₂₂."""
    zero = 0.0 * h_11
    if free_s and free_t:
        det = h_11 * h_22 - h_12 * h_21
        return h_22 / det, -h_12 / det, -h_21 / det, h_11 / det
    if free_s:
        return 1.0 / h_11, zero, zero, zero
    if free_t:
        return zero, zero, zero, 1.0 / h_22
    return zero, zero, zero, zero


def bends(h_11, h_12, h_22, e_11, e_22, size, free_s, free_t):
    """Along which parameters the distance is curved enough to tell a lowest point: (s, t)."""
    least = FLAT / size
    s = free_s and h_11 > least * e_11
    t = free_t and h_22 > least * e_22
    if s and t and h_11 * h_22 - h_12 * h_12 <= least * h_11 * e_22:
        return True, False
    return s, t


def curvatures(e, g, n, across, k, c):
    """Likewise e·∇∇d·e, e·∇∇d·g, g·∇∇d·g"""
    b = cross(n, across)
    h_11, h_12 = curvature(e, e, n, across, k, c, b), curvature(e, g, n, across, k, c, b)
    return h_11, h_12, curvature(g, g, n, across, k, c, b)


def curvature(e, f, n, across, k, c, b):
    """e·∇∇d·f with ∇∇d = k t tᵀ + c b bᵀ; across: t."""
    return k * dot(across, e) * dot(across, f) + c * dot(b, e) * dot(b, f)
