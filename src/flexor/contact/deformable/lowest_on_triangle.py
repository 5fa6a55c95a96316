"""The lowest point of a quadratic function on a triangle 0 ≤ s, 0 ≤ t, s + t ≤ 1: inside of it, on an edge, or at a corner.

    q(Δ) = G · Δ + ½ Δᵀ H Δ,   H positive definite,   Δ from where the slopes G were taken

In the numbering of `flexor.contact.deformable.facets.foot`: 0 inside, 1 t = 0, 2 s = 0, 3 s + t = 1, 4 a corner.
"""

from __future__ import annotations


def lowest(s, t, G_1, G_2, h_11, h_12, h_22):
    """(s, t, feature)"""
    det = h_11 * h_22 - h_12 * h_12
    u, v = s - (h_22 * G_1 - h_12 * G_2) / det, t - (h_11 * G_2 - h_12 * G_1) / det
    if u > 0.0 and v > 0.0 and u + v < 1.0:
        return u, v, 0
    zero = 0.0 * (u + v)
    u_1 = _within(s - (G_1 - h_12 * t) / h_11 + zero)
    v_2 = _within(t - (G_2 - h_12 * s) / h_22 + zero)
    along, across = h_11 - h_12, h_22 - h_12
    v_3 = _within((G_1 - G_2 + along * (1.0 - s) + across * t) / (along + across) + zero)
    q_1 = _height(u_1 - s, -t, G_1, G_2, h_11, h_12, h_22)
    q_2 = _height(-s, v_2 - t, G_1, G_2, h_11, h_12, h_22)
    q_3 = _height(1.0 - v_3 - s, v_3 - t, G_1, G_2, h_11, h_12, h_22)
    if q_1 <= q_2 and q_1 <= q_3:
        return u_1, zero, _feature(u_1, 1)
    if q_2 <= q_3:
        return zero, v_2, _feature(v_2, 2)
    return 1.0 - v_3, v_3, _feature(v_3, 3)


def _within(u):
    """A parameter of an edge, or the end of that."""
    return 0.0 * u if u < 0.0 else 1.0 + 0.0 * u if u > 1.0 else u


def _height(x, y, G_1, G_2, h_11, h_12, h_22):
    """q"""
    return G_1 * x + G_2 * y + 0.5 * (h_11 * x * x + h_22 * y * y) + h_12 * x * y


def _feature(u, edge):
    """The edge, or one of its ends."""
    return 4 if u <= 0.0 or u >= 1.0 else edge
