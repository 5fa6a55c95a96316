"""Edges of two triangulated surfaces that cross each other.

Straight edges with directions u, v touch across both,  n = ± u × v / |u × v|,  if their nearest points lie between their ends and n is a direction in which both stick
out: between the normals of the two faces of each edge, or off that by no more than what lies flat. Then  g = n · (y_b − y_a)  with any two of their points, and g is
stationary: ġ = n · u with the velocity of b there.
"""

from __future__ import annotations

from flexor.contact.approach.polyhedra.flush import lies_along, side_of
from flexor.contact.distance.triangles import distance_triangles, from_box
from flexor.contact.surfaces.sharp import ROD
from flexor.law.dual import sqrt, value
from flexor.law.primitives import called
from flexor.law.tuples import add, cross, dot, mtv, mv, neg, scale, sub, transpose, vec

ACROSS = 1e-8
"""Square of the sine of the angle between edges that cross."""
LIES, EXACTLY = 10, 14
"""Where an edge has the cosine of how far n may be off its middle normal, with what lies flat and without."""
ENDS = 1e-12
"""How far beyond its ends an edge may be met, in parts of its length."""

REACH = 20.0
"""How far from where edges cross, in parts of their overlap, one may be within the other solid: at acute edges."""
ON = 1e-14
"""Depth, in parts of the extent, at which an edge lies on a face rather than within."""


def rod_at(b, j, p, R):
    """(begin, direction, length) of the j-th edge of b, standing at p, R"""
    o = ROD * j
    return add(p, mv(R, vec(b.rods, o))), mv(R, vec(b.rods, o + 3)), b.rods[o + 6]


@called
def meet(one, other):
    """(whether two lines (begin, direction, length) cross between their ends, and where on each of them)"""
    begin, u, long_a = one
    q, v, long_b = other
    m = dot(u, v)
    square = 1.0 - m * m
    e = sub(q, begin)
    if square < ACROSS:
        return False, 0.0 * m, 0.0 * m
    at = (dot(e, u) - m * dot(e, v)) / square
    over = m * at - dot(e, v)
    there = (
        at > -ENDS * long_a and at < (1.0 + ENDS) * long_a and over > -ENDS * long_b and over < (1.0 + ENDS) * long_b
    )
    return there, at, over


@called
def crossed(a, i, b, j, line, other, R, limit):
    """(whether both stick out towards each other, n) of edge i of a and j of b, which stands turned by R; line, other: their lines; limit: LIES or EXACTLY"""
    n = cross(line[1], other[1])
    n = scale(1.0 / sqrt(dot(n, n)), n)
    m_a, m_b = vec(a.rods, ROD * i + 7), mv(R, vec(b.rods, ROD * j + 7))
    if dot(n, m_a) - dot(n, m_b) < 0.0:
        n = scale(-1.0, n)
    return dot(n, m_a) >= a.rods[ROD * i + limit] and -dot(n, m_b) >= b.rods[ROD * j + limit], n


@called
def across_edges(a, i, b, j, p, R):
    """(g, n, x) of edge i of a and j of b"""
    zero = 0.0 * (p[0] + R[0])
    begin, u = vec(a.rods, ROD * i), vec(a.rods, ROD * i + 3)
    q, v, _ = rod_at(b, j, p, R)
    m = dot(u, v)
    e = sub(q, begin)
    at = (dot(e, u) - m * dot(e, v)) / (1.0 - m * m)
    over = m * at - dot(e, v)
    n = cross(u, v)
    towards = dot(n, vec(a.rods, ROD * i + 7)) - dot(n, mv(R, vec(b.rods, ROD * j + 7)))
    n = scale((1.0 if value(towards) >= 0.0 else -1.0) / sqrt(dot(n, n)), n)
    y_a, y_b = add(begin, scale(at, u)), add(q, scale(over, v))
    g = dot(n, e) + zero
    return g, n, scale(0.5, add(y_a, y_b))


@called
def overlapping(a, i, b, j, other, p, R, limit):
    """(g, n, x) of edge i of a and edge j of b, the line `other`, plain numbers; g = 0: they do not overlap, or by more than they are long"""
    line = vec(a.rods, ROD * i), vec(a.rods, ROD * i + 3), a.rods[ROD * i + 6]
    there, at, over = meet(line, other)
    if not there:
        return 0.0, line[1], line[0]
    out, n = crossed(a, i, b, j, line, other, R, limit)
    g = dot(n, sub(other[0], line[0]))
    if not out or g >= 0.0 or -g > min(line[2], other[2]):
        return 0.0, n, line[0]
    y_a, y_b = add(line[0], scale(at, line[1])), add(other[0], scale(over, other[1]))
    if a.convex and b.convex:
        return g, n, scale(0.5, add(y_a, y_b))
    back, u, down = mtv(R, sub(y_a, p)), mtv(R, line[1]), neg(mtv(R, n))
    if not enters(a, i, y_b, other[1], over, other[2], g, n) and not enters(b, j, back, u, at, line[2], g, down):
        return 0.0, n, line[0]  # opposite sides of both, beside each other, or on each other
    m_a, m_b = vec(a.rods, ROD * i + 7), mv(R, vec(b.rods, ROD * j + 7))
    if lies_along(a, i, b, j, R, b.rods[ROD * j + LIES], y_b, other[1], over, other[2], m_b, g, n):
        return 0.0, n, line[0]
    if lies_along(b, j, a, i, transpose(R), a.rods[ROD * i + LIES], back, u, at, line[2], mtv(R, m_a), g, down):
        return 0.0, n, line[0]
    return g, n, scale(0.5, add(y_a, y_b))


@called
def enters(a, i, y, way, at, length, g, n):
    """Whether an edge that crosses edge i of a at y, g deep along n, is within a there, or nearer to y than the overlap, as one that lies on a face and comes out of it at its border, or where
    it is between the faces of edge i.   at: where y is on its length"""
    within = -ON * a.extent
    if from_box(a.nodes, 0, y) <= g * g:
        ahead, back = max(min(-g, length - at), 0.0), max(min(-g, at), 0.0)
        if (
            distance_triangles(a, y)[0] < within
            or distance_triangles(a, add(y, scale(ahead, way)))[0] < within
            or distance_triangles(a, sub(y, scale(back, way)))[0] < within
        ):
            return True
    low, high = max(-at, REACH * g), min(length - at, -REACH * g)
    for side in (-1.0, 1.0):  # below both faces:  f · (g n + t way) < 0
        f = side_of(a, i, side)
        rate, depth = dot(f, way), -g * dot(f, n)
        if rate > 0.0:
            high = min(high, depth / rate)
        elif rate < 0.0:
            low = max(low, depth / rate)
        elif depth <= 0.0:
            return False
    return high > low and distance_triangles(a, add(y, scale(0.5 * (low + high), way)))[0] < within
