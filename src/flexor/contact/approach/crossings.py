"""Two boxes that lie on each other with faces: where the edges of b's face cross those of a's.

Corners that lie over the other box's face tell how near they are; the remaining corners of the common area are where edges cross. The axis of a
that separates the boxes most names a's face; b's face is the one that looks at it most. Each of its four edges is cut off at the sides of a's face: two
points, if they are cut off. So a block rests on another one however it is turned. If an axis of b separates more, the other order tells.
A corner that is pressed into a box beside the side of its face is told by that face, not by the side, which would be nearer: blocks of equal width stand on each other.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from flexor.contact.approach.edges import half_width, half_width_of_b
from flexor.contact.approach.point import corner_of_box
from flexor.contact.distance.box import distance_box
from flexor.law.tuples import add, column, dot, mv, scale, sub

MORE = 0.01
"""Difference in parts of the size by which an axis of b must separate more than all of a to name the face: some degrees of tilt, so that faces which lie
flat on each other do not change their roles all the time."""
EDGE = 1e-9
"""Distance beyond the side of a face, in parts of the size, that belongs to it."""


def component(v, i):
    """v_i, i known only at run time"""
    if i == 0:
        return v[0]
    if i == 1:
        return v[1]
    return v[2]


def separating(a, b, p, R):
    """(axis of a that separates the boxes most, by how much, and by how much the best one of b)"""
    zero = 0.0 * (p[0] + R[0])
    i, of_a, of_b = 0, -1e300 + zero, -1e300 + zero
    for axis in range(3):
        u = (1.0 if axis == 0 else 0.0, 1.0 if axis == 1 else 0.0, 1.0 if axis == 2 else 0.0)
        apart = abs(dot(p, u)) - a.half[axis] - half_width_of_b(b, R, u)
        if apart > of_a:
            i, of_a = axis, apart + zero
        apart = abs(dot(p, column(R, axis))) - b.half[axis] - half_width(a, column(R, axis))
        if apart > of_b:
            of_b = apart + zero
    return i, of_a, of_b


def corner_on_face(a, b, p, R, k):
    """A corner of b over the face of a that separates the boxes most is as near as that face; beside it, as the box is"""
    y = add(p, mv(R, corner_of_box(b, k)))
    i, _, _ = separating(a, b, p, R)
    slack = EDGE * (a.half[0] + a.half[1] + a.half[2])
    u, v = (i + 1) % 3, (i + 2) % 3
    if abs(component(y, u)) <= a.half[u] + slack and abs(component(y, v)) <= a.half[v] + slack:
        sign = 1.0 if component(p, i) >= 0.0 else -1.0
        g = sign * component(y, i) - a.half[i]
        zero = 0.0 * g
        n = (sign + zero if i == 0 else zero, sign + zero if i == 1 else zero, sign + zero if i == 2 else zero)
        return g, n, sub(y, scale(0.5 * g, n))
    d, n, _, _, _ = distance_box(a, y)
    return d, n, sub(y, scale(0.5 * d, n))


@cache
def crossings(first: bool) -> Callable:
    """Approach of the k-th of eight points; first: this order tells where both separate as much."""

    def approach(a, b, p, R, k):  # type: ignore[no-untyped-def]
        zero = 0.0 * (p[0] + R[0])
        h, f = a.half, b.half
        size = h[0] + h[1] + h[2] + f[0] + f[1] + f[2]
        i, of_a, of_b = separating(a, b, p, R)
        sign = 1.0 if component(p, i) >= 0.0 else -1.0
        n = (sign + zero if i == 0 else zero, sign + zero if i == 1 else zero, sign + zero if i == 2 else zero)
        j, most = 0, zero - 1.0
        for axis in range(3):
            if abs(dot(n, column(R, axis))) > most:
                j, most = axis, abs(dot(n, column(R, axis)))
        looks = -1.0 if dot(n, column(R, j)) > 0.0 else 1.0
        j_1, j_2 = (j + 1) % 3, (j + 2) % 3
        center = add(p, scale(looks * f[j], column(R, j)))
        U, V = scale(f[j_1], column(R, j_1)), scale(f[j_2], column(R, j_2))
        edge = k >> 1  # from one corner of b's face to the next
        begin = add(center, add(scale(1.0 if edge == 0 or edge == 3 else -1.0, U), scale(1.0 if edge < 2 else -1.0, V)))
        end = add(center, add(scale(-1.0 if edge < 2 else 1.0, U), scale(1.0 if edge == 0 or edge == 3 else -1.0, V)))
        way = sub(end, begin)
        t_in, t_out = zero, 1.0 + zero
        for side in range(1, 3):
            axis = (i + side) % 3
            x, d, wide = component(begin, axis), component(way, axis), h[axis]
            if abs(d) < 1e-12 * size:
                if abs(x) > wide:
                    t_out = zero - 1.0
                continue
            one, other = (-wide - x) / d, (wide - x) / d
            if one > other:
                one, other = other, one
            if one > t_in:
                t_in = one
            if other < t_out:
                t_out = other
        t = t_in if k & 1 == 0 else t_out
        cut = t > 0.0 if k & 1 == 0 else t < 1.0
        y = add(begin, scale(t, way))
        g = sign * component(y, i) - h[i]
        x = sub(y, scale(0.5 * g, n))
        names = of_b <= of_a + MORE * size if first else of_a > of_b + MORE * size
        if t_in >= t_out or not cut or not names:
            g = abs(g) + size
        return g, n, x

    return approach
