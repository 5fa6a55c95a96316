"""Two boxes that cross each other with an edge each.

Their corners tell how near boxes are unless edges cross. Then the common normal is across both edges, and

    g = |p · n| − h_a(n) − h_b(n),      n = u_a × u_b / |u_a × u_b|,

with the half widths h of both boxes along n. Of the nine pairs of directions that with the largest g counts, if the nearest points lie between
the ends of both edges, and if no face separates the boxes more.
"""

from __future__ import annotations

from flexor.law.dual import sqrt
from flexor.law.tuples import add, column, cross, dot, scale, sub

MORE = 0.01
"""How much more than faces edges must separate, in parts of the size."""
PARALLEL = 1e-6
"""Square of the sine of the angle between edges that do not cross."""


def approach_edges(a, b, p, R, k):
    """The nearest crossing edges of two boxes; far apart where there are none"""
    zero = 0.0 * (p[0] + R[0])
    h, f = a.half, b.half
    apart = h[0] + h[1] + h[2] + f[0] + f[1] + f[2]
    best, found = -1e300 + zero, (apart + zero, (zero, zero, 1.0 + zero), scale(0.5, p))
    for i in range(3):
        u = (1.0 if i == 0 else 0.0, 1.0 if i == 1 else 0.0, 1.0 if i == 2 else 0.0)
        best = _larger(best, abs(dot(p, u)) - h[i] - half_width_of_b(b, R, u))
        best = _larger(best, abs(dot(p, column(R, i))) - f[i] - half_width(a, column(R, i)))
    best = best + MORE * apart  # a face that separates nearly as well is the simpler answer
    for i in range(3):
        u = (1.0 if i == 0 else 0.0, 1.0 if i == 1 else 0.0, 1.0 if i == 2 else 0.0)
        for j in range(3):
            v = column(R, j)
            n = cross(u, v)
            q = dot(n, n)
            if q < PARALLEL:
                continue
            n = scale(1.0 / sqrt(q), n)
            if dot(n, p) < 0.0:
                n = scale(-1.0, n)
            g = dot(n, p) - half_width(a, n) - half_width_of_b(b, R, n)
            if g > best:
                best = g
                found = (apart + zero, n, scale(0.5, p))
                c_a, c_b = _middle_a(a, n, i), add(p, _middle_b(b, R, scale(-1.0, n), j))
                # nearest points c_a + s u, c_b + t v of two lines, with the common normal n
                e = sub(c_b, c_a)
                uv = dot(u, v)
                s = (dot(e, u) - uv * dot(e, v)) / (1.0 - uv * uv)
                t = s * uv - dot(e, v)
                if abs(s) < h[i] and abs(t) < f[j]:
                    found = (g, n, add(add(c_a, scale(s, u)), scale(0.5 * g, n)))
    return found


def _larger(x, y):
    if x > y:
        return x
    return y


def half_width(a, n):
    """Half width of a along n"""
    return a.half[0] * abs(n[0]) + a.half[1] * abs(n[1]) + a.half[2] * abs(n[2])


def half_width_of_b(b, R, n):
    """Half width of b along n"""
    return (
        b.half[0] * abs(dot(column(R, 0), n))
        + b.half[1] * abs(dot(column(R, 1), n))
        + b.half[2] * abs(dot(column(R, 2), n))
    )


def _middle_a(a, n, i):
    """Middle of the edge of a along axis i that is farthest along n"""
    zero = 0.0 * n[0]
    x = zero if i == 0 else (a.half[0] + zero if n[0] > 0.0 else zero - a.half[0])
    y = zero if i == 1 else (a.half[1] + zero if n[1] > 0.0 else zero - a.half[1])
    z = zero if i == 2 else (a.half[2] + zero if n[2] > 0.0 else zero - a.half[2])
    return (x, y, z)


def _middle_b(b, R, n, j):
    """Likewise of b, from its centre"""
    m = (dot(column(R, 0), n), dot(column(R, 1), n), dot(column(R, 2), n))
    x = _middle_a(b, m, j)
    return add(add(scale(x[0], column(R, 0)), scale(x[1], column(R, 1))), scale(x[2], column(R, 2)))
