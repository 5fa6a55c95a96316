"""Where a side of a body of shape functions is nearest to a solid, searched from where it was.

The lowest point of the signed distance d over the side is found by Newton's iteration

    d_σ = n · y_σ = 0,      d_σσ = y_σ · ∇∇d · y_σ + n · y_σσ

within the bounds of the side, or on a line t = const of it, where it is cut into slices. At the end of each step some places all over the side
are looked at as well, so that the point which is the nearest of all is found, too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from flexor.contact.deformable.material_point import (
    BACK,
    INWARD,
    SKEWED,
    WAY,
    YIELD,
    bends,
    curvature,
    inverse,
    leave_parameters,
    normal_slope,
    unit_normal,
    whole_inverse,
)
from flexor.contact.deformable.series_place import (
    bounds,
    functions,
    functions_in,
    leave_side,
    second_slopes,
    side_place,
    step_on,
    within,
)
from flexor.law.dual import sqrt
from flexor.law.tuples import add, cross, dot, mv, scale, store, sub

STEPS = 40
CLOSE = 1e-13
"""Change of a place, in parts of the side's size, that is none."""
LONGEST = 0.3
"""Of a step, in radians, or in halves of the side's width."""
POLE = 1e-5
"""Radius, in sizes of the side, that is on the axis."""
FACING = 1e-9 - 1.0
"""n · m of normals that face each other."""
SMOOTH = 1e-4
"""Slope up to which a side is smooth there, rather than pointed."""


def _bounded(way, most):
    """A step, or the longest one."""
    return way if abs(way) <= most else most + 0.0 * way if way > 0.0 else 0.0 * way - most


@cache
def series_search(distance: Callable) -> Callable:
    """The search for the point nearest to a solid whose signed distance is given."""

    def seen(p, size, ball, z, e, g):  # type: ignore[no-untyped-def]
        """Distance of a point, or of the ball inside of the side there, with its derivatives; the normal of the side."""
        if ball == 0.0:
            d, n, across, k, c = distance(size, z)
            return d, n, across, k, c, n
        m = unit_normal(e, g, p.outward)
        d, n, across, k, c = distance(size, sub(z, scale(ball, m)))
        return d - ball, n, across, k, c, m

    def distance_at(p, size, s, t, z_0, Q, w, zero):  # type: ignore[no-untyped-def]
        y, y_s, y_t = side_place(p, w, s, t, zero)
        return seen(p, size, p.ball, add(z_0, mv(Q, y)), mv(Q, y_s), mv(Q, y_t))[0] + zero

    def descend(p, size, ball, s, t, z_0, Q, w, zero):  # type: ignore[no-untyped-def]
        """(s, t, d, P, whether the ball touches there) of the lowest point near (s, t)"""
        s_low, s_high, t_low, t_high = bounds(p)
        crossed, touches = False, True
        best, s_best, t_best = 1e300 + zero, s, t
        P = (zero, zero, zero, zero)
        more = 2
        for _ in range(STEPS):
            y, y_s, y_t = side_place(p, w, s, t, zero)
            e, g = mv(Q, y_s), mv(Q, y_t)
            d, n, across, k, c, m = seen(p, size, ball, add(z_0, mv(Q, y)), e, g)
            if d > best + CLOSE * p.extent:  # too far
                s, t = 0.5 * (s + s_best), 0.5 * (t + t_best)
                continue
            best, s_best, t_best = d + zero, s, t
            touches = ball == 0.0 or dot(n, m) < FACING
            b = cross(n, across)
            y_ss, y_st, y_tt = second_slopes(p, w, s, functions_in(p, w), zero)
            e_s, e_t, g_t = mv(Q, y_ss), mv(Q, y_st), mv(Q, y_tt)
            h_11 = curvature(e, e, n, across, k, c, b) + dot(n, e_s)
            h_12 = curvature(e, g, n, across, k, c, b) + dot(n, e_t)
            h_22 = curvature(g, g, n, across, k, c, b) + dot(n, g_t)
            G_1, G_2 = dot(n, e), dot(n, g)
            J_11, J_12, J_21, J_22 = h_11, h_12, h_12, h_22
            if ball > 0.0:  # the ways of its centre
                m_s, m_t = normal_slope(m, e, g, e_s, e_t, p.outward), normal_slope(m, e, g, e_t, g_t, p.outward)
                c_s, c_t = sub(e, scale(ball, m_s)), sub(g, scale(ball, m_t))
                J_11 = curvature(e, c_s, n, across, k, c, b) + dot(n, e_s)
                J_12 = curvature(e, c_t, n, across, k, c, b) + dot(n, e_t)
                J_21 = curvature(g, c_s, n, across, k, c, b) + dot(n, e_t)
                J_22 = curvature(g, c_t, n, across, k, c, b) + dot(n, g_t)
                G_1, G_2 = dot(n, c_s), dot(n, c_t)
                bend = ball * dot(n, m)
                h_11 = curvature(c_s, c_s, n, across, k, c, b) + dot(n, e_s) + bend * dot(m_s, m_s)
                h_12 = curvature(c_s, c_t, n, across, k, c, b) + dot(n, e_t) + bend * dot(m_s, m_t)
                h_22 = curvature(c_t, c_t, n, across, k, c, b) + dot(n, g_t) + bend * dot(m_t, m_t)
            e_11, e_22 = dot(e, e), dot(g, g)
            free_s, free_t = True, p.slices == 0
            if not p.turns and ((s <= s_low and G_1 > 0.0) or (s >= s_high and G_1 < 0.0)):
                free_s = False
            if (t <= t_low and G_2 > 0.0) or (t >= t_high and G_2 < 0.0):
                pole = p.turns and p.slices == 0 and e_11 < (POLE * p.extent) ** 2
                if pole and not crossed:  # over the axis it may go on down
                    crossed = True
                    s = s + np.pi
                    continue
                free_t = pole and abs(G_2) < SMOOTH * sqrt(e_22)
            curved_s, curved_t = bends(h_11, h_12, h_22, e_11, e_22, p.extent, free_s, free_t)
            down = inverse(h_11, h_12, h_22, curved_s, curved_t)
            P = whole_inverse(J_11, J_12, J_21, J_22, curved_s, curved_t)
            way_s, way_t = -(down[0] * G_1 + down[1] * G_2), -(down[1] * G_1 + down[2] * G_2)
            if free_s and not curved_s and abs(G_1) > 1e-9 * sqrt(e_11):
                way_s = zero - (LONGEST if G_1 > 0.0 else -LONGEST) * p.s_half
            if free_t and not curved_t and abs(G_2) > 1e-9 * sqrt(e_22):
                way_t = zero - (LONGEST if G_2 > 0.0 else -LONGEST) * p.t_half
            way_s, way_t = step_on(p, way_s, way_t, LONGEST)
            s_new, t_new = s + way_s, t + way_t
            if t_new < t_low or t_new > t_high:  # the end holds t: s alone goes on
                t_new = within(t_low, t_new, t_high)
                if curved_s:
                    s_new = s + _bounded(-(G_1 + h_12 * (t_new - t)) / h_11, LONGEST * p.s_half)
            if not p.turns and (s_new < s_low or s_new > s_high):
                s_new = within(s_low, s_new, s_high)
                if curved_t:
                    t_new = t + _bounded(-(G_2 + h_12 * (s_new - s)) / h_22, LONGEST * p.t_half)
                    t_new = within(t_low, t_new, t_high)
            moved = abs(s_new - s) * sqrt(e_11) + abs(t_new - t) * sqrt(e_22)
            s, t = s_new, t_new
            if moved <= CLOSE * p.extent:
                more -= 1
                if more == 0:
                    break
        return s_best, t_best, best, P, touches

    def search(p, size, place, h, m, states, z_0, Q, Y, w, anew):  # type: ignore[no-untyped-def]
        """Leave the nearest point in Y; anew: look all over the side."""
        zero = 0.0 * z_0[0]
        s, t = h.s + zero, h.t + zero
        ball = p.ball
        s, t, d, P, touches = descend(p, size, ball, s, t, z_0, Q, w, zero)
        if anew:
            s_new, t_new, low = s, t, d
            across = p.lines + 1
            along = 1 if p.slices else p.order + 1
            for i in range(across):
                u = (2.0 * i + 1.0) / across - 1.0
                for j in range(along):
                    v = (2.0 * j + 1.0) / along - 1.0
                    s_i = p.s_middle + (np.pi if p.turns else p.s_half) * u + zero
                    t_j = t if p.slices else p.t_middle + p.t_half * v + zero
                    d_ij = distance_at(p, size, s_i, t_j, z_0, Q, w, zero)
                    if d_ij < low:
                        s_new, t_new, low = s_i, t_j, d_ij
            if low < d - CLOSE * p.extent:
                s, t, d, P, touches = descend(p, size, ball, s_new, t_new, z_0, Q, w, zero)
        if not touches:  # the border of the side does
            ball = 0.0
            s, t, d, P, touches = descend(p, size, ball, s, t, z_0, Q, w, zero)
        functions(p, s, t, functions_in(p, w))
        leave_side(p, w, s, zero, Y)
        store(Y, BACK, (zero, zero, zero))
        Y[WAY] = s - h.s
        Y[WAY + 1] = t - h.t
        Y[YIELD] = P[0]
        Y[YIELD + 1] = P[1]
        Y[YIELD + 2] = P[3]
        Y[SKEWED] = P[2] - P[1]
        leave_parameters(Y, s, t, d)
        Y[INWARD] = p.outward * ball + zero
        return 0, 0

    return search
