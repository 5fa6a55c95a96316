"""A line through markers that may lie on flexible bodies, and the foot of a point B on it.   FTG 6.3, (6.18)–(6.20)

    P(s) = Σ Nᵢ(s) pᵢ,   (p_B − P(s)) · P'(s) = 0

with the points pᵢ of the markers as they are now and the cardinal functions Nᵢ of a natural cubic spline over the undeformed line, a
table of cubics: Nᵢ is 1 at marker i and 0 at the others, ΣNᵢ = 1; straight lines and rigid motions are reproduced, and the curvature
passes from segment to segment without a jump. Beyond its ends the line goes on straight. FTG (6.20) takes piecewise linear functions.

The functions take the parameters `p` of any law whose record has the fields of `GuideLine`; B's node is the last of the law's.
"""

from __future__ import annotations

from flexor.law.record import Record, integer, number, numbers, tail
from flexor.law.tuples import add, cross, dot, mat, mv, put, scale, sub, vec

STEPS = 60
"""Of Newton's iteration for the foot."""
CLOSE = 1e-13
"""Change of s in parts of the line that is none."""


class GuideMarker(Record):
    """A marker of the line on its node."""

    node = integer("number of its node among those of the law")
    p = numbers(3, "its position, in axes of the node", "m")
    y = numbers(6, "the two directions across the line there, in axes of the node")


class GuideLine(Record):
    """The line and the point on B."""

    count = integer("markers")
    length = number("of the undeformed line", "m")
    reach = number("largest step of Newton's iteration along the line", "m")
    point = numbers(3, "B, in axes of its node", "m")
    knots = tail("s of each marker", "m")
    cubics = tail("segment by segment, marker by marker: four coefficients of Nᵢ in powers of s − s_begin", "1")
    markers = tail("each a GuideMarker")


def segment_of(p, s):
    """(segment, place on it between its ends, how far it is beyond them, 1 inside or 0) of a parameter."""
    j = 0
    for i in range(1, p.count - 1):
        if s >= p.knots[i]:
            j = i
    t = s - p.knots[j]
    inside = 1.0
    end = t
    if s < 0.0:
        end, inside = 0.0 * s, 0.0
    if s > p.length:
        end, inside = p.length - p.knots[j] + 0.0 * s, 0.0
    return j, end, t - end, inside


def cardinal(p, place, i):
    """N, N', N'', N''' of marker i"""
    j, t, over, inside = place
    o = 4 * (j * p.count + i)
    c_1, c_2, c_3 = p.cubics[o + 1], p.cubics[o + 2], p.cubics[o + 3]
    slope = c_1 + t * (2.0 * c_2 + 3.0 * c_3 * t)
    value = p.cubics[o] + t * (c_1 + t * (c_2 + t * c_3)) + slope * over
    return value, slope, inside * (2.0 * c_2 + 6.0 * c_3 * t), inside * 6.0 * c_3


def arm_of(p, now, i):
    """(number of its node, arm from there in global axes) of marker i"""
    marker = GuideMarker(p.markers, i)
    k = marker.node
    return k, mv(mat(now.R, 9 * k), vec(marker.p, 0))


def cubic_of(p, now, j):
    """The line on segment j as it is now: four vectors, coefficients of the powers of s − s_begin."""
    zero = 0.0 * now.x[0]
    c_0 = c_1 = c_2 = c_3 = (zero, zero, zero)
    for i in range(p.count):
        k, arm = arm_of(p, now, i)
        point = add(vec(now.x, 3 * k), arm)
        o = 4 * (j * p.count + i)
        c_0 = add(c_0, scale(p.cubics[o], point))
        c_1 = add(c_1, scale(p.cubics[o + 1], point))
        c_2 = add(c_2, scale(p.cubics[o + 2], point))
        c_3 = add(c_3, scale(p.cubics[o + 3], point))
    return c_0, c_1, c_2, c_3


def line_at(cubic, place):
    """P, P', P'', P'''"""
    c_0, c_1, c_2, c_3 = cubic
    _j, t, over, inside = place
    T = add(c_1, scale(t, add(scale(2.0, c_2), scale(3.0 * t, c_3))))
    P = add(add(c_0, scale(t, add(c_1, scale(t, add(c_2, scale(t, c_3)))))), scale(over, T))
    return P, T, scale(inside, add(scale(2.0, c_2), scale(6.0 * t, c_3))), scale(6.0 * inside, c_3)


def arm_of_b(p, now):
    """Arm of B from its node, the last."""
    return mv(mat(now.R, 9 * (now.n.nodes - 1)), vec(p.point, 0))


def foot_of_b(p, now, guess):
    """(s, its place, the cubic there) of the foot of B, from a guess; two more iterations once it has converged carry the derivatives
    of dual numbers."""
    b = add(vec(now.x, 3 * (now.n.nodes - 1)), arm_of_b(p, now))
    s = guess + 0.0 * b[0]
    place = segment_of(p, s)
    segment = place[0]
    cubic = cubic_of(p, now, segment)
    more = 2
    for _ in range(STEPS):
        P, T, C, _third = line_at(cubic, place)
        e = sub(b, P)
        slope = dot(T, T)
        bent = slope - dot(e, C)
        if bent > 0.1 * slope:
            slope = bent
        change = dot(e, T) / slope
        if change > p.reach:
            change = p.reach + 0.0 * s
        if change < -p.reach:
            change = -p.reach + 0.0 * s
        s = s + change
        place = segment_of(p, s)
        if place[0] != segment:
            segment = place[0]
            cubic = cubic_of(p, now, segment)
        if abs(change) < CLOSE * p.length:
            more -= 1
            if more == 0:
                break
    return s, place, cubic


def line_rates(p, now, place):
    """Σ N ṗ, Σ N' ṗ, Σ N'' ṗ"""
    zero = 0.0 * place[1]
    V = W = Q = (zero, zero, zero)
    for i in range(p.count):
        k, arm = arm_of(p, now, i)
        rate = add(vec(now.v, 6 * k), cross(vec(now.v, 6 * k + 3), arm))
        n, n_1, n_2, _n_3 = cardinal(p, place, i)
        V = add(V, scale(n, rate))
        W = add(W, scale(n_1, rate))
        Q = add(Q, scale(n_2, rate))
    return V, W, Q


def point_acceleration(now, k, arm):
    """Of a point at an arm from node k."""
    w = vec(now.v, 6 * k + 3)
    return add(add(vec(now.a, 6 * k), cross(vec(now.a, 6 * k + 3), arm)), cross(w, cross(w, arm)))


def line_second_rates(p, now, place):
    """Σ N p̈, Σ N' p̈; gravity, if subtracted from all accelerations, cancels in the second and against B in the first."""
    zero = 0.0 * place[1]
    A = A_1 = (zero, zero, zero)
    for i in range(p.count):
        k, arm = arm_of(p, now, i)
        second = point_acceleration(now, k, arm)
        n, n_1, _n_2, _n_3 = cardinal(p, place, i)
        A = add(A, scale(n, second))
        A_1 = add(A_1, scale(n_1, second))
    return A, A_1


def direction_of(p, now, i, which):
    """Direction across the line at marker i, in global axes; which: 0 or 1."""
    marker = GuideMarker(p.markers, i)
    return mv(mat(now.R, 9 * marker.node), vec(marker.y, 3 * which))


def direction_at(p, now, place, which):
    """Y = Σ Nᵢ yᵢ, Y'"""
    zero = 0.0 * place[1]
    Y = Y_1 = (zero, zero, zero)
    for i in range(p.count):
        y = direction_of(p, now, i, which)
        n, n_1, _n_2, _n_3 = cardinal(p, place, i)
        Y = add(Y, scale(n, y))
        Y_1 = add(Y_1, scale(n_1, y))
    return Y, Y_1


def direction_rate(p, now, place, which):
    """Σ N ẏ: with the turning of the markers alone."""
    zero = 0.0 * place[1]
    U = (zero, zero, zero)
    for i in range(p.count):
        k = GuideMarker(p.markers, i).node
        n, _n_1, _n_2, _n_3 = cardinal(p, place, i)
        U = add(U, scale(n, cross(vec(now.v, 6 * k + 3), direction_of(p, now, i, which))))
    return U


def direction_second_rate(p, now, place, which, s_dot, s_ddot):
    """Ÿ = Σ N ÿ + 2 ṡ Σ N' ẏ + ṡ² Y'' + s̈ Y'"""
    zero = 0.0 * place[1]
    found = (zero, zero, zero)
    for i in range(p.count):
        k = GuideMarker(p.markers, i).node
        y = direction_of(p, now, i, which)
        w, alpha = vec(now.v, 6 * k + 3), vec(now.a, 6 * k + 3)
        y_dot = cross(w, y)
        y_ddot = add(cross(alpha, y), cross(w, y_dot))
        n, n_1, n_2, _n_3 = cardinal(p, place, i)
        found = add(found, add(scale(n, y_ddot), scale(2.0 * s_dot * n_1, y_dot)))
        found = add(found, scale(s_dot * s_dot * n_2 + s_ddot * n_1, y))
    return found


def along_line(p, now, guess):
    """(s, place, T, C, third, e, D, arm of B) of the foot of B from a guess: P' = T, P'', P''' there, e = p_B − P, D = T·T − e·P''."""
    s, place, cubic = foot_of_b(p, now, guess)
    P, T, C, third = line_at(cubic, place)
    arm = arm_of_b(p, now)
    e = sub(add(vec(now.x, 3 * (now.n.nodes - 1)), arm), P)
    return s, place, T, C, third, e, dot(T, T) - dot(e, C), arm


def rate_along_line(p, now, place, T, e, D, arm):
    """(ṡ, ė, Σ N' ṗ, Σ N'' ṗ) from the rate of e·P' = 0"""
    last = now.n.nodes - 1
    V, W, Q = line_rates(p, now, place)
    relative = sub(add(vec(now.v, 6 * last), cross(vec(now.v, 6 * last + 3), arm)), V)
    s_dot = (dot(relative, T) + dot(e, W)) / D
    return s_dot, sub(relative, scale(s_dot, T)), W, Q


def second_rate_along_line(p, now, foot, moving):
    """(s̈, ë); foot, moving: what the two functions above found."""
    _s, place, T, C, third, e, D, arm = foot
    s_dot, e_dot, W, Q = moving
    A, A_1 = line_second_rates(p, now, place)
    carried = sub(point_acceleration(now, now.n.nodes - 1, arm), A)
    carried = sub(carried, add(scale(2.0 * s_dot, W), scale(s_dot * s_dot, C)))
    turning = add(A_1, add(scale(2.0 * s_dot, Q), scale(s_dot * s_dot, third)))
    T_dot = add(W, scale(s_dot, C))
    s_ddot = (dot(carried, T) + 2.0 * dot(e_dot, T_dot) + dot(e, turning)) / D
    return s_ddot, sub(carried, scale(s_ddot, T))


def push_along_line(p, now, foot, effort, r):
    """Add effort · ∇s: the force σ T on B, −Nᵢ σ T + Nᵢ' σ e on marker i, σ = effort/D."""
    _s, place, T, _C, _third, e, D, arm_b = foot
    last = now.n.nodes - 1
    sigma = effort / D
    F = scale(sigma, T)
    put(r, 6 * last, F)
    put(r, 6 * last + 3, cross(arm_b, F))
    for i in range(p.count):
        k, arm = arm_of(p, now, i)
        n, n_1, _n_2, _n_3 = cardinal(p, place, i)
        f = sub(scale(n_1 * sigma, e), scale(n, F))
        put(r, 6 * k, f)
        put(r, 6 * k + 3, cross(arm, f))
