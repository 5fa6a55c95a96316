"""A cylinder b that lies on a flat face of a prism or triangulated surface a and hangs over its border: there the line that both share ends at an edge of a.

Edge and axis are two lines with directions t and u, nearest to each other along  m = ± t × u / |t × u|:  g = m · (y_b − y_a) − r  with any two of their points.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from flexor.contact.approach.pair import plain, plain_axes
from flexor.contact.approach.polyhedra.crossing import LIES, meet
from flexor.contact.distance.triangles import NODE, from_box
from flexor.contact.surfaces.sharp import LYING, ROD
from flexor.coordinates.curve import LINE, Piece, point_and_tangent
from flexor.law.dual import sqrt
from flexor.law.primitives import called
from flexor.law.tuples import add, column, cross, dot, scale, sub, vec

NEAR = 0.02
"""Gap, in parts of the radius, up to which an edge may be the end of the line."""
DEEP = 0.5
"""Overlap, likewise, beyond which it is an edge on the other side of the solid."""
ALONG = 0.5
"""Part of a normal along the axis from which on a cylinder is touched at its end."""
CORNER = 0.9998
"""Cosine of the least angle between the sides of a prism at an edge."""
HALF = 0.7071067811865476
"""Cosine of half a right angle: between the middle normal of an end's edge and its sides."""
STANDS = 0.02
"""Part of the normal along the axis up to which a cylinder lies on a face."""


def edge_of_triangles(a, j):
    """(begin, direction, length, middle normal, cosine of the angle from that within which it is touched) of an edge"""
    o = ROD * j
    return vec(a.rods, o), vec(a.rods, o + 3), a.rods[o + 6], vec(a.rods, o + 7), a.rods[o + LIES]


def edge_of_prism(a, j):
    """Likewise of a prism: the edge at which a side of its contour begins, and both ends of a flat one; what is rounded, or a notch, is out of reach"""
    piece, before = Piece(a.pieces, j // 3), Piece(a.pieces, (j // 3 + a.count - 1) % a.count)
    x, y, t_1, t_2 = point_and_tangent(piece, 0.0)
    long = sqrt(t_1 * t_1 + t_2 * t_2)
    t_1, t_2 = t_1 / long, t_2 / long
    m_1, m_2 = -a.side * t_2, a.side * t_1
    if j % 3 > 0:
        end = a.half if j % 3 == 1 else -a.half
        middle = (m_1 * HALF, m_2 * HALF, HALF if j % 3 == 1 else -HALF)
        return (x, y, end), (t_1, t_2, 0.0), piece.end, middle, HALF - LYING if piece.kind == LINE else 2.0
    _, _, s_1, s_2 = point_and_tangent(before, before.end)
    long = sqrt(s_1 * s_1 + s_2 * s_2)
    s_1, s_2 = s_1 / long, s_2 / long
    m_1, m_2 = m_1 - a.side * s_2, m_2 + a.side * s_1
    middle, cosine = sqrt(m_1 * m_1 + m_2 * m_2), t_1 * s_1 + t_2 * s_2
    sharp = cosine < CORNER and middle > 0.0 and a.side * (s_1 * t_2 - s_2 * t_1) < 0.0 and (a.closed > 0 or j > 0)
    if not sharp:
        return (x, y, -a.half), (0.0, 0.0, 1.0), 2.0 * a.half, (1.0, 0.0, 0.0), 2.0
    limit = sqrt(0.5 * (1.0 + cosine)) - LYING
    return (x, y, -a.half), (0.0, 0.0, 1.0), 2.0 * a.half, (m_1 / middle, m_2 / middle, 0.0), limit


@cache
def _across(edge: Callable) -> Callable:
    """(whether an edge may be the end of the line, where that is on the axis, g, m, x), of edge j"""

    @called
    def across(a, b, p, R, j):  # type: ignore[no-untyped-def]
        begin, t, length, middle, limit = edge(a, j)
        u = column(R, 2)
        half = b.half + STANDS * b.radius  # where it tilts, its wall ends beyond its axis
        axis = sub(p, scale(half, u)), u, 2.0 * half
        there, at, over = meet((begin, t, length), axis)
        m = cross(t, u)
        square = dot(m, m)
        zero = 0.0 * square
        if not there or square <= 0.0:
            return False, zero, zero, add(u, scale(zero, u)), p
        m = scale((1.0 if dot(m, middle) > 0.0 else -1.0) / sqrt(square), m)
        y_a, y_b = add(begin, scale(at, t)), add(axis[0], scale(over, u))
        g = dot(m, sub(y_b, y_a)) - b.radius
        fits = dot(m, middle) >= limit and g < NEAR * b.radius and g > -DEEP * b.radius
        return fits, over + zero, g, m, sub(y_b, scale(b.radius + 0.5 * g, m))

    return across


def outwards(b, i, over, g):
    """How far out towards the i-th end of the axis an edge is met, from the other end on; those that overlap before others"""
    lead = STANDS * b.radius
    out = over - lead if i == 1 else 2.0 * b.half + lead - over
    if out <= 0.0:
        return 0.0 * over  # it is beyond the other end
    return out + (2.0 * b.half if g < 0.0 else 0.0)


@called
def outermost_of_prism(a, b, p, R, i):
    """The edge at which the line ends towards the i-th end of the axis, plain numbers; −1: none"""
    across, found, best = _PRISM, -1, 0.0
    for j in range(3 * a.count):
        fits, over, g, _, _ = across(a, b, p, R, j)
        if fits and outwards(b, i, over, g) > best:
            found, best = j, outwards(b, i, over, g)
    return found


@called
def outermost_of_triangles(a, b, p, R, i):
    """Likewise of a triangulated surface."""
    across, found, best = _TRIANGLES, -1, 0.0
    k, count = 0, int(a.rod_nodes[6])
    reach = b.half + 2.0 * b.radius
    while k < count:
        if from_box(a.rod_nodes, k, p) > reach * reach:
            k = int(a.rod_nodes[NODE * k + 6])
            continue
        first = int(a.rod_nodes[NODE * k + 7])
        for j in range(first, first + int(a.rod_nodes[NODE * k + 8])):
            fits, over, g, _, _ = across(a, b, p, R, j)
            if fits and outwards(b, i, over, g) > best:
                found, best = j, outwards(b, i, over, g)
        k += 1
    return found


_PRISM, _TRIANGLES = _across(edge_of_prism), _across(edge_of_triangles)


@cache
def off_border(nearest: Callable, end: Callable) -> Callable:
    """The nearest place of a cylinder b on a; where a rim has sunk in beside the border of the face on which b lies, it is the deeper end of its line and not that beside the face."""

    @called
    def approach(a, b, p, R, k):  # type: ignore[no-untyped-def]
        g, n, x = nearest(a, b, p, R, k)
        u = column(R, 2)
        if g < 0.0 and abs(dot(n, u)) > ALONG:
            low, other = end(a, b, p, R, 0), end(a, b, p, R, 1)
            if other[0] < low[0]:
                low, other = other, low
            lies = abs(dot(low[1], u)) < STANDS and abs(dot(other[1], u)) < STANDS
            if lies and low[0] > -NEAR * b.radius and other[0] - low[0] < 2.0 * STANDS * b.half:
                return low
        return g, n, x

    return approach


@cache
def end_over_border(otherwise: Callable, distance: Callable, prism: bool) -> Callable:
    """The i-th end of the line that a face of a and the wall of a cylinder b share: its i-th rim, or where that is beyond the face the outermost edge.

    otherwise: tells it where there is no such edge.   prism: a is one, else a triangulated surface.
    """
    across, outermost = (_PRISM, outermost_of_prism) if prism else (_TRIANGLES, outermost_of_triangles)

    @called
    def over_face(a, b, p, R, i):  # type: ignore[no-untyped-def]
        """(whether the i-th rim is over a face, g, n, x) there"""
        u = column(R, 2)
        center = add(p, scale(b.half if i == 1 else -b.half, u))
        d, n, _, k, c = distance(a, center)
        along = dot(n, u)
        over = k == 0.0 and c == 0.0 and abs(along) < STANDS and d > 0.0
        square = 1.0 - along * along if over else 1.0 + 0.0 * along
        g = d - b.radius * sqrt(square)
        low = sub(center, scale(b.radius / sqrt(square), sub(n, scale(along, u))))
        return over, g, n, sub(low, scale(0.5 * g, n))

    @called
    def end(a, b, p, R, i):  # type: ignore[no-untyped-def]
        over, g, n, x = over_face(a, b, p, R, i)
        if over:
            return g, n, x
        at, turn = plain(p), plain_axes(R)
        j = outermost(a, b, at, turn, i)
        back = outermost(a, b, at, turn, 1 - i)
        alone = (back < 0 or back == j) and not over_face(a, b, at, turn, 1 - i)[0]
        if j < 0 or alone:  # no edge, or one across which b lies without a face
            return otherwise(a, b, p, R, i)
        _, _, g, n, x = across(a, b, p, R, j)
        return g, n, x

    return end
