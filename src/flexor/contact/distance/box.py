"""A rectangular box."""

from __future__ import annotations

from flexor.law.dual import sqrt


def distance_box(size, y):
    """Outside from the nearest face, edge or corner; inside from the nearest face"""
    h = size.half
    s_0, s_1, s_2 = _sign(y[0]), _sign(y[1]), _sign(y[2])
    q_0, q_1, q_2 = s_0 * y[0] - h[0], s_1 * y[1] - h[1], s_2 * y[2] - h[2]
    zero = 0.0 * (q_0 + q_1 + q_2)
    one = 1.0 + zero
    u_0 = q_0 + zero if q_0 > 0.0 else zero
    u_1 = q_1 + zero if q_1 > 0.0 else zero
    u_2 = q_2 + zero if q_2 > 0.0 else zero
    out = (1 if q_0 > 0.0 else 0) + (1 if q_1 > 0.0 else 0) + (1 if q_2 > 0.0 else 0)
    if out < 2:  # from a face
        if q_0 >= q_1 and q_0 >= q_2:
            return q_0 + zero, (s_0 + zero, zero, zero), (zero, one, zero), zero, zero
        if q_1 >= q_2:
            return q_1 + zero, (zero, s_1 + zero, zero), (zero, zero, one), zero, zero
        return q_2 + zero, (zero, zero, s_2 + zero), (one, zero, zero), zero, zero
    d = sqrt(u_0 * u_0 + u_1 * u_1 + u_2 * u_2)
    n = (s_0 * u_0 / d, s_1 * u_1 / d, s_2 * u_2 / d)
    if out == 2:  # from an edge, along which there is no curvature
        if q_0 <= 0.0:
            return d, n, (zero, -n[2], n[1]), 1.0 / d, zero
        if q_1 <= 0.0:
            return d, n, (n[2], zero, -n[0]), 1.0 / d, zero
        return d, n, (-n[1], n[0], zero), 1.0 / d, zero
    m = sqrt(u_0 * u_0 + u_1 * u_1)
    return d, n, (-s_1 * u_1 / m, s_0 * u_0 / m, zero), 1.0 / d, 1.0 / d


def _sign(x):
    """±1, that of a dual number without derivative."""
    if x < 0.0:
        return -1.0
    return 1.0
