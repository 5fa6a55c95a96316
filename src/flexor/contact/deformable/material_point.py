"""The material point of a deforming surface that touches, as the search leaves it and the law reads it.

On the surface a point has the parameters σ = (s, t); in the axes of the body's frame, from the centre of mass,

    y(σ) = X(σ) + S(σ) q,      ẏ = S q̇
"""

from __future__ import annotations

from flexor.law.tuples import dot

PLACE, BY_S, BY_T, RATE, RATE_BY_S, RATE_BY_T, BACK = 0, 3, 6, 9, 12, 15, 18
"""Where in its numbers stand: y, ∂y/∂s, ∂y/∂t, ẏ and its slopes; what the point of the last step is off the straight line to it."""
WAY, YIELD, PARAMETERS, DISTANCE, POINT_WORDS = 21, 23, 26, 28, 29
"""Change of s and t since the last step; three numbers of P = (∂²d/∂σ²)⁻¹; s, t; distance d. How many there are in all."""
FLAT = 1e-9
"""Curvature of the distance, in parts of that of a ball as large as the surface, which is none: the point is held there."""


def inverse(h_11, h_12, h_22, free_s, free_t):
    """P: how far the nearest point moves by the slopes of the distance; 0 along what is held. The curvatures are positive where they count."""
    zero = 0.0 * h_11
    if free_s and free_t:
        det = h_11 * h_22 - h_12 * h_12
        return h_22 / det, -h_12 / det, h_11 / det
    if free_s:
        return 1.0 / h_11, zero, zero
    if free_t:
        return zero, zero, 1.0 / h_22
    return zero, zero, zero


def bends(h_11, h_12, h_22, e_11, e_22, size, free_s, free_t):
    """Along which parameters the distance is curved enough to tell a lowest point: (s, t)."""
    least = FLAT / size
    s = free_s and h_11 > least * e_11
    t = free_t and h_22 > least * e_22
    if s and t and h_11 * h_22 - h_12 * h_12 <= least * h_11 * e_22:
        return True, False
    return s, t


def curvature(e, f, n, across, k, c, b):
    """e·∇∇d·f with ∇∇d = k t tᵀ + c b bᵀ; across: t."""
    return k * dot(across, e) * dot(across, f) + c * dot(b, e) * dot(b, f)
