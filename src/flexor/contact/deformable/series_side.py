"""A side of a body of shape functions: where it is nearest to a solid, searched from where it was.

    y(s, t) = Σ_j Σ_b C_jb g_j(t̄) T_b(s),      C = A₀ + Σ_k q_k A_k

so that, once the coefficients of all modes are summed up, a place on the surface costs as little as on an undeformed one. The lowest point of
the signed distance d over the side is found by Newton's iteration

    d_σ = n · y_σ = 0,      d_σσ = y_σ · ∇∇d · y_σ + n · y_σσ

within the bounds of the side, or on a line t = const of it, where it is cut into slices. At the end of each step some places all over the side
are looked at as well, so that the point which is the nearest of all is found, too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from flexor.contact.deformable.material_point import (
    BACK,
    BY_S,
    BY_SS,
    BY_ST,
    BY_T,
    BY_TT,
    DISTANCE,
    INWARD,
    PARAMETERS,
    PLACE,
    RATE,
    RATE_BY_S,
    RATE_BY_T,
    SKEWED,
    WAY,
    YIELD,
    bends,
    curvature,
    inverse,
    normal_slope,
    unit_normal,
    whole_inverse,
)
from flexor.law.dual import cos, sin, sqrt
from flexor.law.primitives import at
from flexor.law.record import Packed, Record, integer, number, numbers, tail
from flexor.law.tuples import add, cross, dot, mv, scale, store, sub

if TYPE_CHECKING:
    from flexor.bodies.shape_body.surface_point import ShapeSurface

STEPS = 40
CLOSE = 1e-13
"""Change of a place, in parts of the side's size, that is none."""
LONGEST = 0.3
"""Of a step, in radians, or in halves of the side's width."""
RIM = 1e-6
"""How far from the axis of revolution a side is searched, in halves of its width: on it the angle would have no direction."""
POLE = 1e-5
"""Radius, in sizes of the side, that is on the axis."""
BALL = 0.2
"""Radius of the balls inside of a side, in parts of its least radius of curvature."""
FACING = 1e-9 - 1.0
"""n · m of normals that face each other."""
SMOOTH = 1e-4
"""Slope up to which a side is smooth there, rather than pointed."""


class SeriesSide(Record):
    """Numbers of a side."""

    turns = integer("1: s is an angle, and components are radial, tangential, axial")
    order = integer("highest order along t")
    lines = integer("how many functions of s there are")
    slices = integer("on how many lines t = const it touches; 0: anywhere")
    s_middle = number("s where s̄ = 0, of a box", "m")
    s_half = number("from there to s̄ = 1", "m")
    t_middle = number("t where t̄ = 0", "m")
    t_half = number("from there to t̄ = 1", "m")
    below = number("−t̄ of its lower bound: 1, a little less on the axis")
    above = number("likewise t̄ of its upper bound")
    extent = number("size of the side", "m")
    ball = number("radius of balls inside by which it touches solids with edges; 0: by its points", "m")
    outward = number("1: ∂y/∂s × ∂y/∂t points outward, −1: inward")
    origin = numbers(3, "origin of the series, from the centre of mass of the body", "m")
    axes = numbers(9, "its axes in the body")
    A = tail("coefficients of the undeformed place, then of each mode: (j, b) by three components", "m")


def packed_side(side: ShapeSurface, modes: np.ndarray, slices: int, edged: bool = False) -> Packed:
    """Numbers of a side whose body moves in the modes Φ (r, m) of its coordinates; slices: 0 for none; edged: whether what it touches has edges."""
    return SeriesSide.pack(**numbers_of(side, modes, slices, edged))


def numbers_of(side: ShapeSurface, modes: np.ndarray, slices: int, edged: bool = False) -> dict[str, Any]:
    """Likewise by name."""
    A = np.concatenate([side.A[:, :, :1], np.einsum("jbck,cm->jbmk", side.A[:, :, 1:], modes)], axis=2)
    wide = side.t[1] - side.t[0]
    radii = [abs(float(np.polynomial.chebyshev.chebval(end, A[:, 0, 0, 0]))) for end in (-1, 1)]
    below, above = (1.0 - RIM if side.turns and r < RIM * wide else 1.0 for r in radii)
    far = float(np.abs(A[:, :, 0]).max()) if side.turns else side.s[1] - side.s[0]
    return {
        "turns": int(side.turns),
        "order": A.shape[0] - 1,
        "lines": A.shape[1],
        "slices": slices,
        "s_middle": 0.0 if side.turns else sum(side.s) / 2,
        "s_half": 1.0 if side.turns else (side.s[1] - side.s[0]) / 2,
        "t_middle": sum(side.t) / 2,
        "t_half": wide / 2,
        "below": below,
        "above": above,
        "extent": max(far, wide),
        "ball": _ball(side, max(far, wide)) if edged and not slices else 0.0,
        "outward": side.outward,
        "origin": side.pose.p - side.center,
        "axes": side.pose.R,
        "A": A.transpose(2, 0, 1, 3),
    }


def _ball(side: ShapeSurface, extent: float) -> float:
    """Radius of balls that fit into the side wherever it is curved outwards, with room to spare for its deformation."""
    s = np.linspace(*side.s, 2 * side.A.shape[1] + 1)
    t = np.linspace(*side.t, 2 * len(side.A) + 3)[1:-1]
    step = 1e-4 * (side.t[1] - side.t[0]) / 2, 1e-4 * (1.0 if side.turns else (side.s[1] - side.s[0]) / 2)
    most = 0.0
    for u in s:
        for v in t:
            _, e, g = (each[0] for each in side.shapes(u, v))
            m = side.outward * np.cross(e, g)
            m /= np.linalg.norm(m)
            _, e_s, g_s = (each[0] for each in side.shapes(u + step[1], v))
            _, e_t, g_t = (each[0] for each in side.shapes(u, v + step[0]))
            bent = -np.array(
                [[m @ (e_s - e) / step[1], m @ (e_t - e) / step[0]], [m @ (g_s - g) / step[1], m @ (g_t - g) / step[0]]]
            )
            metric = np.array([[e @ e, e @ g], [e @ g, g @ g]])
            most = max(most, float(np.linalg.eigvals(np.linalg.solve(metric, bent)).real.max()))
    return BALL * min(1.0 / most if most > 0.0 else extent, extent)


def series_room(side: ShapeSurface) -> int:
    """Words that the search needs."""
    order, lines = side.A.shape[:2]
    return 2 * 3 * order * lines + 3 * (order + lines) + 2


def sum_up(p, m, s, w):
    """C and its rate: the coefficients of the deformed side, from the states of m modes."""
    count = 3 * (p.order + 1) * p.lines
    zero = 0.0 * s[0] if m else 0.0
    for i in range(count):
        w[i] = p.A[i] + zero
        w[count + i] = zero
    for k in range(m):
        q, rate = s[3 * k], s[3 * k + 1]
        o = (k + 1) * count
        for i in range(count):
            w[i] += q * p.A[o + i]
            w[count + i] += rate * p.A[o + i]


def functions(p, s, t, f):
    """g, g′, g″ of t and T, T′, T″ of s, one array after the other."""
    n, lines = p.order + 1, p.lines
    zero = 0.0 * s + 0.0 * t
    _chebyshev(n, (t - p.t_middle) / p.t_half + zero, p.t_half, f, zero)
    f = at(f, 3 * n)
    if p.turns:
        c_1, s_1 = cos(s), sin(s)
        c, d = 1.0 + zero, zero
        f[0], f[lines], f[2 * lines] = c, zero, zero
        for b in range(1, lines, 2):
            k = float((b + 1) // 2)
            c, d = c * c_1 - d * s_1, d * c_1 + c * s_1
            f[b], f[b + 1] = c, d
            f[lines + b], f[lines + b + 1] = -k * d, k * c
            f[2 * lines + b], f[2 * lines + b + 1] = -k * k * c, -k * k * d
    else:
        _chebyshev(lines, (s - p.s_middle) / p.s_half + zero, p.s_half, f, zero)


def _bounded(way, most):
    """A step, or the longest one."""
    return way if abs(way) <= most else most + 0.0 * way if way > 0.0 else 0.0 * way - most


def _chebyshev(n, x, half, f, zero):
    """Polynomials, their slopes and second slopes by half · x."""
    f[0], f[n], f[2 * n] = 1.0 + zero, zero, zero
    if n > 1:
        f[1], f[n + 1], f[2 * n + 1] = x, 1.0 / half + zero, zero
    for j in range(2, n):
        f[j] = 2.0 * x * f[j - 1] - f[j - 2]
        f[n + j] = 2.0 * f[j - 1] / half + 2.0 * x * f[n + j - 1] - f[n + j - 2]
        f[2 * n + j] = 4.0 * f[n + j - 1] / half + 2.0 * x * f[2 * n + j - 1] - f[2 * n + j - 2]


def _sum(p, C, g, T, zero):
    """Σ C_jb g_j T_b, three components."""
    a, b, c = zero, zero, zero
    o = 0
    for j in range(p.order + 1):
        for i in range(p.lines):
            f = g[j] * T[i]
            a += f * C[o]
            b += f * C[o + 1]
            c += f * C[o + 2]
            o += 3
    return a, b, c


def _turn(p, s, u):
    """From components of the coordinates to the axes of the body."""
    if p.turns:
        c, d = cos(s), sin(s)
        u = (c * u[0] - d * u[1], d * u[0] + c * u[1], u[2])
    R = p.axes
    return (
        R[0] * u[0] + R[1] * u[1] + R[2] * u[2],
        R[3] * u[0] + R[4] * u[1] + R[5] * u[2],
        R[6] * u[0] + R[7] * u[1] + R[8] * u[2],
    )


def first_slopes(p, C, s, f, zero):
    """(value, by s, by t) of the vector function with the coefficients C."""
    n, lines = p.order + 1, p.lines
    T, by_s = at(f, 3 * n), at(f, 3 * n + lines)
    u, u_s, u_t = _sum(p, C, f, T, zero), _sum(p, C, f, by_s, zero), _sum(p, C, at(f, n), T, zero)
    if p.turns:
        u_s = (u_s[0] - u[1], u_s[1] + u[0], u_s[2])
    return _turn(p, s, u), _turn(p, s, u_s), _turn(p, s, u_t)


def second_slopes(p, C, s, f, zero):
    """(by s s, by s t, by t t)"""
    n, lines = p.order + 1, p.lines
    T, by_s, by_ss = at(f, 3 * n), at(f, 3 * n + lines), at(f, 3 * n + 2 * lines)
    u_ss, u_st, u_tt = _sum(p, C, f, by_ss, zero), _sum(p, C, at(f, n), by_s, zero), _sum(p, C, at(f, 2 * n), T, zero)
    if p.turns:  # the axes turn with s
        u, u_s, u_t = _sum(p, C, f, T, zero), _sum(p, C, f, by_s, zero), _sum(p, C, at(f, n), T, zero)
        u_ss = (u_ss[0] - 2.0 * u_s[1] - u[0], u_ss[1] + 2.0 * u_s[0] - u[1], u_ss[2])
        u_st = (u_st[0] - u_t[1], u_st[1] + u_t[0], u_st[2])
    return _turn(p, s, u_ss), _turn(p, s, u_st), _turn(p, s, u_tt)


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

    def distance_at(p, size, s, t, z_0, Q, C, f, zero):  # type: ignore[no-untyped-def]
        functions(p, s, t, f)
        y, y_s, y_t = first_slopes(p, C, s, f, zero)
        z = add(z_0, mv(Q, add(y, (p.origin[0], p.origin[1], p.origin[2]))))
        return seen(p, size, p.ball, z, mv(Q, y_s), mv(Q, y_t))[0] + zero

    def descend(p, size, ball, s, t, z_0, Q, C, f, zero):  # type: ignore[no-untyped-def]
        """(s, t, d, P, whether the ball touches there) of the lowest point near (s, t)"""
        s_low, s_high = p.s_middle - p.s_half, p.s_middle + p.s_half
        t_low, t_high = p.t_middle - p.t_half * p.below, p.t_middle + p.t_half * p.above
        crossed, touches = False, True
        best, s_best, t_best = 1e300 + zero, s, t
        P = (zero, zero, zero, zero)
        more = 2
        for _ in range(STEPS):
            functions(p, s, t, f)
            y, y_s, y_t = first_slopes(p, C, s, f, zero)
            z = add(z_0, mv(Q, add(y, (p.origin[0], p.origin[1], p.origin[2]))))
            e, g = mv(Q, y_s), mv(Q, y_t)
            d, n, across, k, c, m = seen(p, size, ball, z, e, g)
            if d > best + CLOSE * p.extent:  # too far
                s, t = 0.5 * (s + s_best), 0.5 * (t + t_best)
                continue
            best, s_best, t_best = d + zero, s, t
            touches = ball == 0.0 or dot(n, m) < FACING
            b = cross(n, across)
            y_ss, y_st, y_tt = second_slopes(p, C, s, f, zero)
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
            part = max(abs(way_s) / (LONGEST * p.s_half), abs(way_t) / (LONGEST * p.t_half))
            if part > 1.0:
                way_s, way_t = way_s / part, way_t / part
            s_new, t_new = s + way_s, t + way_t
            if t_new < t_low or t_new > t_high:  # the end holds t: s alone goes on
                t_new = t_low + zero if t_new < t_low else t_high + zero
                if curved_s:
                    s_new = s + _bounded(-(G_1 + h_12 * (t_new - t)) / h_11, LONGEST * p.s_half)
            if not p.turns and (s_new < s_low or s_new > s_high):
                s_new = s_low + zero if s_new < s_low else s_high + zero
                if curved_t:
                    t_new = t + _bounded(-(G_2 + h_12 * (s_new - s)) / h_22, LONGEST * p.t_half)
                    t_new = t_low + zero if t_new < t_low else t_high + zero if t_new > t_high else t_new
            moved = abs(s_new - s) * sqrt(e_11) + abs(t_new - t) * sqrt(e_22)
            s, t = s_new, t_new
            if moved <= CLOSE * p.extent:
                more -= 1
                if more == 0:
                    break
        return s_best, t_best, best, P, touches

    def search(p, size, place, h, m, states, z_0, Q, Y, w, anew):  # type: ignore[no-untyped-def]
        """Leave the nearest point in Y; anew: look all over the side."""
        count = 3 * (p.order + 1) * p.lines
        C, rates, f = w, at(w, count), at(w, 2 * count)
        zero = 0.0 * z_0[0]
        s, t = h.s + zero, h.t + zero
        ball = p.ball
        s, t, d, P, touches = descend(p, size, ball, s, t, z_0, Q, C, f, zero)
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
                    d_ij = distance_at(p, size, s_i, t_j, z_0, Q, C, f, zero)
                    if d_ij < low:
                        s_new, t_new, low = s_i, t_j, d_ij
            if low < d - CLOSE * p.extent:
                s, t, d, P, touches = descend(p, size, ball, s_new, t_new, z_0, Q, C, f, zero)
        if not touches:  # the border of the side does
            ball = 0.0
            s, t, d, P, touches = descend(p, size, ball, s, t, z_0, Q, C, f, zero)
        functions(p, s, t, f)
        y, y_s, y_t = first_slopes(p, C, s, f, zero)
        v, v_s, v_t = first_slopes(p, rates, s, f, zero)
        store(Y, PLACE, add(y, (p.origin[0], p.origin[1], p.origin[2])))
        store(Y, BY_S, y_s)
        store(Y, BY_T, y_t)
        store(Y, RATE, v)
        store(Y, RATE_BY_S, v_s)
        store(Y, RATE_BY_T, v_t)
        store(Y, BACK, (zero, zero, zero))
        Y[WAY] = s - h.s
        Y[WAY + 1] = t - h.t
        Y[YIELD] = P[0]
        Y[YIELD + 1] = P[1]
        Y[YIELD + 2] = P[3]
        Y[SKEWED] = P[2] - P[1]
        Y[PARAMETERS] = s
        Y[PARAMETERS + 1] = t
        Y[DISTANCE] = d
        y_ss, y_st, y_tt = second_slopes(p, C, s, f, zero)
        store(Y, BY_SS, y_ss)
        store(Y, BY_ST, y_st)
        store(Y, BY_TT, y_tt)
        Y[INWARD] = p.outward * ball + zero
        return 0, 0

    return search


def series_shapes(p, m, Y, found, S, w):
    """S of m modes at the point and its slopes by s and t, nine numbers a mode; the functions of s and t are still there."""
    count = 3 * (p.order + 1) * p.lines
    f = at(w, 2 * count)
    s = Y[PARAMETERS]
    zero = 0.0 * s
    for k in range(m):
        u, u_s, u_t = first_slopes(p, at(p.A, (k + 1) * count), s, f, zero)
        store(S, 9 * k, u)
        store(S, 9 * k + 3, u_s)
        store(S, 9 * k + 6, u_t)


def slice_place(p, place):
    """t of a line on which it touches."""
    return p.t_middle + p.t_half * ((2.0 * place + 1.0) / p.slices - 1.0)
