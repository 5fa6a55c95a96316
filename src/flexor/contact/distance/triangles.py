"""A triangulated surface: the nearest of its triangles, found in a tree of boxes."""

from __future__ import annotations

from flexor.contact.distance.sphere import across
from flexor.law.dual import sqrt
from flexor.law.tuples import add, cross, dot, scale, sub, vec

FACE = 30
"""Numbers of a triangle."""
NODE = 9
"""Numbers of a box of the tree."""
NEAR = 1e-13
"""Distance from an edge or corner, in parts of the extent, at which it has no direction."""


def distance_triangles(size, y):
    """To the nearest face, edge or corner"""
    i = 0
    while size.nodes[NODE * i + 8] == 0.0:  # down to a box near the point
        left, right = i + 1, int(size.nodes[NODE * (i + 1) + 6])
        i = left if from_box(size.nodes, left, y) <= from_box(size.nodes, right, y) else right
    found, best = _nearest_in(size, i, y, -1, 1e300 + 0.0 * y[0])
    found, _ = nearer_triangle(size, y, found, best)
    return from_triangle(size, found, y)


def nearer_triangle(size, y, found, best):
    """(number, square of its distance) of the nearest triangle, if it is nearer than one that is known"""
    i, end = 0, int(size.nodes[6])
    while i < end:
        if from_box(size.nodes, i, y) >= best:
            i = int(size.nodes[NODE * i + 6])
            continue
        if size.nodes[NODE * i + 8] > 0.0:
            found, best = _nearest_in(size, i, y, found, best)
        i += 1
    return found, best


def from_box(nodes, i, y):
    """Square of the distance from a box."""
    total = 0.0 * y[0]
    for j in range(3):
        x = y[j]
        below, above = nodes[NODE * i + j] - x, x - nodes[NODE * i + 3 + j]
        if below > 0.0:
            total += below * below
        if above > 0.0:
            total += above * above
    return total


def _nearest_in(size, i, y, found, best):
    """The nearest triangle of a box, if it is nearer than the one that was found."""
    first = int(size.nodes[NODE * i + 7])
    for j in range(first, first + int(size.nodes[NODE * i + 8])):
        _, foot = foot_on_triangle(size.faces, FACE * j, y)
        e = sub(y, foot)
        q = dot(e, e)
        if q < best:
            found, best = j, q
    return found, best


def foot_on_triangle(faces, o, y):
    """(feature, nearest point) of a triangle; feature: 0 face, 1 2 3 edges ab bc ca, 4 5 6 corners.

    Ericson, Real-Time Collision Detection (2005), 5.1.5
    """
    a, b, c = vec(faces, o), vec(faces, o + 3), vec(faces, o + 6)
    ab, ac, ap = sub(b, a), sub(c, a), sub(y, a)
    zero = 0.0 * ap[0]
    d_1, d_2 = dot(ab, ap), dot(ac, ap)
    if d_1 <= 0.0 and d_2 <= 0.0:
        return 4, (a[0] + zero, a[1] + zero, a[2] + zero)
    bp = sub(y, b)
    d_3, d_4 = dot(ab, bp), dot(ac, bp)
    if d_3 >= 0.0 and d_4 <= d_3:
        return 5, (b[0] + zero, b[1] + zero, b[2] + zero)
    v_c = d_1 * d_4 - d_3 * d_2
    if v_c < 0.0 and d_1 >= 0.0 and d_3 <= 0.0:
        return 1, add(a, scale(d_1 / (d_1 - d_3), ab))
    cp = sub(y, c)
    d_5, d_6 = dot(ab, cp), dot(ac, cp)
    if d_6 >= 0.0 and d_5 <= d_6:
        return 6, (c[0] + zero, c[1] + zero, c[2] + zero)
    v_b = d_5 * d_2 - d_1 * d_6
    if v_b < 0.0 and d_2 >= 0.0 and d_6 <= 0.0:
        return 3, add(a, scale(d_2 / (d_2 - d_6), ac))
    v_a = d_3 * d_6 - d_5 * d_4
    if v_a < 0.0 and d_4 - d_3 >= 0.0 and d_5 - d_6 >= 0.0:
        return 2, add(b, scale((d_4 - d_3) / ((d_4 - d_3) + (d_5 - d_6)), sub(c, b)))
    f = 1.0 / (v_a + v_b + v_c)
    return 0, add(a, add(scale(v_b * f, ab), scale(v_c * f, ac)))


def from_triangle(size, i, y):
    """As the distance, from one of the triangles"""
    faces, o = size.faces, FACE * i
    feature, foot = foot_on_triangle(faces, o, y)
    e = sub(y, foot)
    zero = 0.0 * e[0]
    if feature == 0:
        n = vec(faces, o + 9)
        t = across(n)
        return dot(n, e), add(n, (zero, zero, zero)), add(t, (zero, zero, zero)), zero, zero
    m = vec(faces, o + 9 + 3 * feature)  # of the edge or corner
    q = dot(e, e)
    if q <= NEAR * NEAR * size.extent * size.extent:
        t = across(m)
        return dot(m, e), add(m, (zero, zero, zero)), add(t, (zero, zero, zero)), zero, zero
    sign = 1.0 if dot(e, m) > 0.0 else -1.0
    d = sign * sqrt(q)
    n = scale(1.0 / d, e)
    if feature > 3:
        return d, n, across(n), 1.0 / d, 1.0 / d
    begin, end = feature - 1, feature if feature < 3 else 0
    u = sub(vec(faces, o + 3 * end), vec(faces, o + 3 * begin))
    return d, n, cross(n, scale(1.0 / sqrt(dot(u, u)), u)), 1.0 / d, zero
