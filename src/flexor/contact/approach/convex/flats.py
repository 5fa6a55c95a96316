"""Flat faces of convex solids that lie on something: the corners of the area that they share.

The face along whose normal two solids are separated most (`named`), however deeply they overlap along it, and the face of the other one that looks at it, if there is
one. What they share has corners of three kinds, each a place of its own, so that it is held where it is and however it is turned:

    spots       corners of b, and four points of each of its rims, over the face of a: g = n · y − h_a with the face's normal
    borders     where the borders of both faces cross: across both,  n = t_a × t_b,  g = n · (y_b − y_a)
    lying       where a line of b that lies on the face of a, a generator or an edge, crosses the border of that face

Where borders coincide several of them are at one place. There b counts as the smaller one, so that it is its own corners that tell, and of equal faces that lie on each other there
are as many as of faces that are displaced by a little.

Elsewhere they are far away. Then, and where they cross at more than the angle FLAT, the direction of separation tells (`flexor.contact.approach.convex.separation`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from flexor.contact.approach.convex.circles import line_and_circle, radial, two_circles
from flexor.contact.approach.convex.separation import FACE_A, FACE_B, LINE_A, LINE_B, LINES, apart_of, separation
from flexor.contact.approach.convex.solid import EDGE, Convex
from flexor.contact.approach.pair import AXES, ORIGIN, far, plain, plain_axes
from flexor.law.dual import sqrt, value
from flexor.law.primitives import called
from flexor.law.tuples import add, cross, dot, neg, scale, sub

FLAT = 0.9998
"""Cosine of the angle up to which what looks at a face lies flat on it: 1.1°."""
DEEP = 0.05
"""Overlap along the normal of a face, in parts of the thinner one, beyond which it counts only if the solids are separated most along it: others are beside each other."""
BESIDE = 0.5
"""Overlap of solids towards each other, in parts of that along the normal of a face, below which they do not lie on it."""
NEAR = 0.02
"""Gap, in parts of the size, up to which crossing borders tell it: those that are apart are told by the direction of separation."""
ACROSS = 1e-8
"""Square of the sine of the angle between borders that cross."""
TOLD = 0.9
"""Share of the depth along the direction of separation that places of lines which lie on a face tell at least: else these pass beside the face."""


@cache
def named(of_a: Convex, of_b: Convex) -> Callable:
    """(s, n, face of a, face of b): the normal of a face along which two solids are separated most, plain numbers; −1 for a face that is not flat on the other."""
    a_face, b_face, a_faces, b_faces, a_level, b_level = (
        of_a.face,
        of_b.face,
        of_a.faces,
        of_b.faces,
        of_a.level,
        of_b.level,
    )
    a_support, b_support, a_part, b_part = of_a.support_of, of_b.support_of, of_a.part_of, of_b.part_of

    @called
    def find(A, B):  # type: ignore[no-untyped-def]
        best, n, i, j = -1e300, (0.0, 0.0, 1.0), -1, -1
        for k in range(a_faces(A)):
            m = a_face(A, k)
            x, _, _ = b_support(B, neg(m), b_part(B, neg(m)))
            s = dot(m, x) - a_level(A, k)
            if s > best:
                best, n, i = s, m, k
        for k in range(b_faces(B)):
            m = b_face(B, k)
            x, _, _ = a_support(A, neg(m), a_part(A, neg(m)))
            s = dot(m, x) - b_level(B, k)
            if s > best:
                best, n, i, j = s, neg(m), -1, k
        for k in range(a_faces(A)):
            if dot(n, a_face(A, k)) > FLAT:
                i = k
        for k in range(b_faces(B)):
            if dot(n, b_face(B, k)) < -FLAT:
                j = k
        return best, n, i, j

    return find


@cache
def placed_faces(of_a: Convex, of_b: Convex) -> Callable:
    """(A, B, the faces that `named` tells and the normal, size) of a pose"""
    find, a_placed, b_placed, a_size, b_size = named(of_a, of_b), of_a.placed, of_b.placed, of_a.size, of_b.size
    apart, a_middle, b_middle = apart_of(of_a, of_b), of_a.middle, of_b.middle

    @called
    def place(a, b, p, R):  # type: ignore[no-untyped-def]
        A, B = a_placed(a, ORIGIN, AXES), b_placed(b, plain(p), plain_axes(R))
        s, n, i, j = find(A, B)
        size = min(a_size(A), b_size(B))
        if s < -DEEP * size:  # beside each other? Towards each other they are then separated by far more
            way = sub(b_middle(B), a_middle(A))
            way = sub(way, scale(dot(way, n), n))
            long = dot(way, way)
            if long > 0.0 and apart(A, B, scale(1.0 / sqrt(long), way)) > BESIDE * s:
                i, j = -1, -1
        return A, b_placed(b, p, R), n, i, j, size

    return place


@cache
def along_most(of_a: Convex, of_b: Convex, inner: Callable) -> Callable:
    """A place that is far away where it is deep and the solids are separated most along another direction: they are beside each other.

    Where that direction is found quickly it is asked for however little they overlap: on the border of a face, or at a sharp corner, it may be another one.
    """
    deep = 0.0 if of_a.search or of_b.search else DEEP
    most, a_placed, b_placed, a_size, b_size = separation(of_a, of_b), of_a.placed, of_b.placed, of_a.size, of_b.size

    @called
    def approach(a, b, p, R, k):  # type: ignore[no-untyped-def]
        g, n, x = inner(a, b, p, R, k)
        if g < 0.0:
            at, axes = plain(p), plain_axes(R)
            size = min(a_size(a_placed(a, ORIGIN, AXES)), b_size(b_placed(b, at, axes)))
            if g < -deep * size:
                _, _, _, s, m, _ = most(a, b, at, axes)
                if dot(n, m) < FLAT and (g < s or g < -DEEP * size):
                    return far(p, R)
        return g, n, x

    return approach


def _none(a, b, p, R, limit):
    return True


@cache
def any_of(others: Callable, count: Callable) -> Callable:
    """Whether one of those places is as deep as a limit; count(a): how many there are."""

    @called
    def told(a, b, p, R, limit):  # type: ignore[no-untyped-def]
        k, found = 0, False
        while k < count(a) and not found:
            found = others(a, b, p, R, k)[0] <= limit
            k += 1
        return found

    return told


@cache
def exactly(count: int) -> Callable:
    """So many."""

    def same(a):  # type: ignore[no-untyped-def]
        return count

    return same


@cache
def beside_flats(of_a: Convex, of_b: Convex, others: Callable = _none, crossings: bool = True) -> Callable:
    """The direction of separation, unless the places here tell what lies flat.   others(a, b, p, R, limit): whether one of them is so deep (`any_of`); crossings: whether
    they tell where borders of faces cross, too."""
    find, place, a_lying, b_lying = separation(of_a, of_b), placed_faces(of_a, of_b), of_a.lying, of_b.lying
    a_over, b_over = of_a.over, of_b.over

    @called
    def approach(a, b, p, R, k):  # type: ignore[no-untyped-def]
        kind, of_a_line, of_b_line, g, n, x = find(a, b, p, R)
        if g > 0.0:
            return g, n, x
        A, B, m, i, j, size = place(a, b, p, R)
        if dot(n, m) > FLAT:
            line_a, line_b = a_lying(A, m), b_lying(B, neg(m))
            on_a, on_b = i >= 0 and line_b >= 0, j >= 0 and line_a >= 0
            both = i >= 0 and j >= 0
            told = both
            if kind == FACE_A:
                told = told or on_a or (i >= 0 and a_over(A, i, add(x, scale(0.5 * g, n)), EDGE * size))
            elif kind == FACE_B:
                told = told or on_b or (j >= 0 and b_over(B, j, sub(x, scale(0.5 * g, n)), EDGE * size))
            elif kind == LINES:
                told = told or (on_a and line_b == of_b_line >> 1) or (on_b and line_a == of_a_line)
            elif kind == LINE_A:
                told = told or (on_b and line_a == of_a_line)
            elif kind == LINE_B:
                told = told or (on_a and line_b == of_a_line)
            if told and ((both and crossings) or others(a, b, plain(p), plain_axes(R), value(TOLD * g))):
                return far(p, R)
        return g, n, x

    return approach


@cache
def spots(of_a: Convex, of_b: Convex, smaller: bool = True) -> Callable:
    """The k-th spot of b over the face of a; smaller: which of two that coincide is b."""
    place, spot, over, a_face, level = placed_faces(of_a, of_b), of_b.spot, of_a.over, of_a.face, of_a.level
    find, inside, pointed, hidden = separation(of_a, of_b), of_a.inside, of_b.pointed, of_b.hidden
    slack = EDGE if smaller else -EDGE

    @called
    def approach(a, b, p, R, k):  # type: ignore[no-untyped-def]
        A, B, _, i, j, size = place(a, b, p, R)
        if i < 0 or pointed(B, k):
            return far(p, R)
        m = a_face(A, i)
        if hidden(B, neg(m), k):
            return far(p, R)
        y = spot(B, neg(m), k)
        if not over(A, i, y, (slack if j >= 0 else EDGE) * size):
            return far(p, R)
        g = dot(m, y) - level(A, i)
        if g < -inside(A, i, y):  # nearer to the border than to the face: is it that face at all?
            _, _, _, _, n, _ = find(a, b, plain(p), plain_axes(R))
            if dot(n, m) < FLAT:
                return far(p, R)
        zero = 0.0 * g
        m = add(m, (zero, zero, zero))
        return g, m, sub(y, scale(0.5 * g, m))

    return along_most(of_a, of_b, approach)


def across_both(t_a, t_b, y_a, y_b, n, p, R, size):
    """(g, n, x) where two borders cross with tangents t, if that is flat on a face with the normal n"""
    m = cross(t_a, t_b)
    square = dot(m, m)
    if value(square) < ACROSS:
        return far(p, R)
    m = scale((1.0 if dot(m, n) > 0.0 else -1.0) / sqrt(square), m)
    if dot(m, n) < FLAT:
        return far(p, R)
    g = dot(m, sub(y_b, y_a))
    if g > 2.0 * NEAR * size:
        return far(p, R)
    return g, m, scale(0.5, add(y_a, y_b))


def crossing_lines(a, b, n, beyond, p, R, size):
    """Likewise of two lines (begin, direction, length), b the smaller one; beyond: how far beyond their ends, in parts of the size"""
    begin, u, long_a = a
    q, v, long_b = b
    m = dot(u, v)
    one = 1.0 - m * m
    if one < ACROSS:
        return far(p, R)
    e = sub(q, begin)
    at = (dot(e, u) - m * dot(e, v)) / one
    over = m * at - dot(e, v)
    free, slack = (beyond + EDGE) * size, (beyond - EDGE) * size
    if at < -free or at > long_a + free or over < -slack or over > long_b + slack:
        return far(p, R)
    return across_both(u, v, add(begin, scale(at, u)), add(q, scale(over, v)), n, p, R, size)


def rim_and_line(rim, line, n, which, beyond, p, R, size):
    """Likewise of a rim (centre, axis, radius) of a and a line of b, the smaller one"""
    center, axis, radius = rim
    begin, way, length = line
    found, e = line_and_circle(begin, way, center, axis, radius, n, which)
    y = add(center, scale(radius, e))
    at, slack = dot(sub(y, begin), way), (beyond - EDGE) * size
    if not found or at < -slack or at > length + slack:
        return far(p, R)
    return across_both(cross(axis, e), way, y, add(begin, scale(at, way)), n, p, R, size)


def _shared(of_a: Convex, of_b: Convex, crossing: Callable) -> Callable:
    """A place where the borders of two faces that lie on each other cross: crossing(A, B, i, j, n, k, p, R, size)."""
    place = placed_faces(of_a, of_b)

    @called
    def approach(a, b, p, R, k):  # type: ignore[no-untyped-def]
        A, B, n, i, j, size = place(a, b, p, R)
        if i < 0 or j < 0:
            return far(p, R)
        return crossing(A, B, i, j, n, k, p, R, size)

    return along_most(of_a, of_b, approach)


@cache
def rim_on_rim(of_a: Convex, of_b: Convex) -> Callable:
    """Both crossings of the rims of two ends."""
    a_rim, b_rim = of_a.rim, of_b.rim

    def crossing(A, B, i, j, n, k, p, R, size):  # type: ignore[no-untyped-def]
        c_a, u_a, r_a = a_rim(A, i)
        c_b, u_b, r_b = b_rim(B, j)
        found, y = two_circles(c_a, r_a, c_b, r_b, n, k)
        if not found:
            return far(p, R)
        e_a, e_b = radial(y, c_a, u_a), radial(y, c_b, u_b)
        y_a, y_b = add(c_a, scale(r_a, e_a)), add(c_b, scale(r_b, e_b))
        return across_both(cross(u_a, e_a), cross(u_b, e_b), y_a, y_b, n, p, R, size)

    return _shared(of_a, of_b, crossing)


@cache
def rim_on_edges(of_a: Convex, of_b: Convex) -> Callable:
    """Crossings of the edges of a face of a with the rim of an end of b, two of each."""
    a_edge, b_rim = of_a.border, of_b.rim

    def crossing(A, B, i, j, n, k, p, R, size):  # type: ignore[no-untyped-def]
        begin, way, length = a_edge(A, i, k >> 1)
        center, axis, radius = b_rim(B, j)
        found, e = line_and_circle(begin, way, center, axis, radius, n, k & 1)
        y = add(center, scale(radius, e))
        at = dot(sub(y, begin), way)
        if not found or at < 0.0 or at > length:
            return far(p, R)
        return across_both(way, cross(axis, e), add(begin, scale(at, way)), y, n, p, R, size)

    return _shared(of_a, of_b, crossing)


@cache
def edges_on_edges(of_a: Convex, of_b: Convex) -> Callable:
    """Crossings of each of the four edges of a face of a with each of those of b."""
    a_edge, b_edge = of_a.border, of_b.border

    def crossing(A, B, i, j, n, k, p, R, size):  # type: ignore[no-untyped-def]
        return crossing_lines(a_edge(A, i, k >> 2), b_edge(B, j, k & 3), n, 0.0, p, R, size)

    return _shared(of_a, of_b, crossing)


def _lying(of_a: Convex, of_b: Convex, border: Callable, crossing: Callable) -> Callable:
    """A place where a line of b that lies on a face of a crosses border(A, i, k) of that: crossing(border, line, n, k, beyond, p, R, size)."""
    place, b_lying, b_line = placed_faces(of_a, of_b), of_b.lying, of_b.line

    @called
    def approach(a, b, p, R, k):  # type: ignore[no-untyped-def]
        A, B, n, i, j, size = place(a, b, p, R)
        family = b_lying(B, neg(n))
        if i < 0 or j >= 0 or family < 0:
            return far(p, R)
        own = border(A, i, k)
        g, m, _ = crossing(own, b_line(B, family, neg(n)), n, k, 1.0, p, R, size)
        if g > NEAR * size:
            return far(p, R)
        return crossing(own, b_line(B, family, neg(m)), n, k, 0.0, p, R, size)  # that which touches across both

    return along_most(of_a, of_b, approach)


@cache
def lying_on_edges(of_a: Convex, of_b: Convex) -> Callable:
    """Crossings of the edges of a face of a with a line of b that lies on that face."""

    def crossing(edge, line, n, k, beyond, p, R, size):  # type: ignore[no-untyped-def]
        return crossing_lines(edge, line, n, beyond, p, R, size)

    return _lying(of_a, of_b, of_a.border, crossing)


@cache
def lying_on_rim(of_a: Convex, of_b: Convex) -> Callable:
    """Both crossings of the rim of an end of a with a line of b that lies on that end."""
    a_rim = of_a.rim

    def border(A, i, k):  # type: ignore[no-untyped-def]
        return a_rim(A, i)

    return _lying(of_a, of_b, border, rim_and_line)
