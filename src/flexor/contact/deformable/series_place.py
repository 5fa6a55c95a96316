"""A place on a side of a body of shape functions, as it is deformed.

    y(s, t) = Σ_j Σ_b C_jb g_j(t̄) T_b(s),      C = A₀ + Σ_k q_k A_k

so that, once the coefficients of all modes are summed up, a place on the surface costs as little as on an undeformed one. In the room stand C, its rate, then the functions of
t and s, as they were asked for last.
"""

from __future__ import annotations

from flexor.contact.deformable.material_point import PARAMETERS, leave_bending, leave_place
from flexor.law.dual import cos, sin
from flexor.law.primitives import at
from flexor.law.tuples import add, store, vec


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


def functions_in(p, w):
    """Where in the room the functions stand."""
    return at(w, 6 * (p.order + 1) * p.lines)


def side_place(p, w, s, t, zero):
    """(y, by s, by t) from the centre of mass; its functions are left in the room."""
    f = functions_in(p, w)
    functions(p, s, t, f)
    y, y_s, y_t = first_slopes(p, w, s, f, zero)
    return add(y, vec(p.origin, 0)), y_s, y_t


def leave_side(p, w, s, zero, Y):
    """Leave the place whose functions are in the room; y."""
    f = functions_in(p, w)
    y, y_s, y_t = first_slopes(p, w, s, f, zero)
    y = add(y, vec(p.origin, 0))
    rate, rate_s, rate_t = first_slopes(p, at(w, 3 * (p.order + 1) * p.lines), s, f, zero)
    leave_place(Y, y, y_s, y_t, rate, rate_s, rate_t)
    y_ss, y_st, y_tt = second_slopes(p, w, s, f, zero)
    leave_bending(Y, y_ss, y_st, y_tt)
    return y


def bounds(p):
    """s and t from where to where: (s, s, t, t)."""
    low, high = p.t_middle - p.t_half * p.below, p.t_middle + p.t_half * p.above
    return p.s_middle - p.s_half, p.s_middle + p.s_half, low, high


def within(low, u, high):
    """A parameter, or the bound of it."""
    return low + 0.0 * u if u < low else high + 0.0 * u if u > high else u


def step_on(p, way_s, way_t, longest):
    """A step over the side, of that length at most: in radians, or in halves of its width."""
    part = max(abs(way_s) / (longest * p.s_half), abs(way_t) / (longest * p.t_half))
    if part > 1.0:
        return way_s / part, way_t / part
    return way_s, way_t


def series_shapes(p, m, Y, found, S, w):
    """S of m modes at the point and its slopes by s and t, nine numbers a mode; the functions of s and t are still there."""
    count = 3 * (p.order + 1) * p.lines
    f = functions_in(p, w)
    s = Y[PARAMETERS]
    zero = 0.0 * s
    for k in range(m):
        u, u_s, u_t = first_slopes(p, at(p.A, (k + 1) * count), s, f, zero)
        store(S, 9 * k, u)
        store(S, 9 * k + 3, u_s)
        store(S, 9 * k + 6, u_t)
