"""Convex polyhedra as `flexor.contact.approach.convex.solid` asks for them: prisms with flat sides, triangulated solids.

(numbers, origin, axes): faces, borders, edges and corners stand in the axes of the solid (`flexor.contact.surfaces.polyhedron`); what is asked along a direction is
turned there first.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from flexor.contact.approach.convex.edge_and_rim import search_of
from flexor.contact.approach.convex.solid import LYING, Convex
from flexor.contact.approach.pair import SurfacePair, plain, plain_axes, turned
from flexor.contact.surfaces.polyhedron import BORDER, EDGE, FAMILY, PLANE, PolyhedronSize
from flexor.law.dual import value
from flexor.law.primitives import called
from flexor.law.tuples import add, dot, mtv, mv, scale, sub, vec

NO_EDGE = -1e300
"""Length of an edge that a face has not."""
FARTHEST = -1e300
ALONG = 0.5
"""Cosine of the angle between an edge and a line from which on that runs along it."""


def polyhedron() -> Convex:
    """A convex polyhedron."""
    return _POLYHEDRON


@cache
def shared_places(own_spots: Callable, crossings: Callable, lying: Callable) -> Callable:
    """Of a polyhedron a and what it touches those places of which there are as many as it has corners: its spots, and for each edge of a face two
    crossings with a rim and one with a line.   own_spots: of b and a, in this order.
    """
    of_corners = turned(SurfacePair(own_spots)).function

    def approach(a, b, p, R, k):  # type: ignore[no-untyped-def]
        P = PolyhedronSize(a.solid)
        if k < P.spots:
            return of_corners(a, b, p, R, k)
        if k < P.spots + 2 * P.most:
            return crossings(a, b, p, R, k - P.spots)
        return lying(a, b, p, R, k - P.spots - 2 * P.most)

    return approach


@cache
def places_on(more: int) -> Callable:
    """How many these are, and some more, of a polyhedron."""

    def count(a):  # type: ignore[no-untyped-def]
        P = PolyhedronSize(a.solid)
        return more + P.spots + 3 * P.most

    return count


def _placed(size, p, R):
    return PolyhedronSize(size.solid), p, R


@called
def _which_corner(S, n):
    P, m = S[0], plain(mtv(plain_axes(S[2]), plain(n)))
    found, best = 0, FARTHEST
    for i in range(P.corners):
        h = dot(vec(P.points, 3 * i), m)
        if h > best:
            found, best = i, h
    return found


@called
def _corner(S, n, part):
    zero = 0.0 * (n[0] + S[1][0])
    return add(add(S[1], mv(S[2], vec(S[0].points, 3 * part))), (zero, zero, zero)), zero, (zero, zero, zero)


def _faces(S):
    return S[0].faces


def _families(S):
    return S[0].families


def _face(S, i):
    return mv(S[2], vec(S[0].planes, PLANE * i))


def _family(S, i):
    return mv(S[2], vec(S[0].ways, FAMILY * i)), 0.0


@called
def _line(S, i, n):
    """Of a family that edge which reaches farthest along n"""
    P, m = S[0], plain(mtv(plain_axes(S[2]), plain(n)))
    first = int(P.ways[FAMILY * i + 3])
    found, best = first, FARTHEST
    for j in range(first, first + int(P.ways[FAMILY * i + 4])):
        h = dot(vec(P.rods, EDGE * j), m)
        if h > best:
            found, best = j, h
    return add(S[1], mv(S[2], vec(P.rods, EDGE * found))), mv(S[2], vec(P.ways, FAMILY * i)), P.rods[EDGE * found + 3]


def _size(S):
    return S[0].thickness


@called
def _lying(S, n):
    """Of the families across n that whose edge reaches farthest"""
    P, m = S[0], plain(mtv(plain_axes(S[2]), plain(n)))
    found, best = -1, FARTHEST
    for i in range(P.families):
        u = vec(P.ways, FAMILY * i)
        if abs(dot(u, m)) < LYING:
            first = int(P.ways[FAMILY * i + 3])
            for j in range(first, first + int(P.ways[FAMILY * i + 4])):
                h = dot(vec(P.rods, EDGE * j), m) + 0.5 * P.rods[EDGE * j + 3] * dot(u, m)
                if h > best:
                    found, best = i, h
    return found


@called
def _spot(S, n, k):
    """Of the corners of a kind that which reaches farthest"""
    P, m = S[0], plain(mtv(plain_axes(S[2]), plain(n)))
    first = int(P.kinds[k])
    found, best = first, FARTHEST
    for i in range(first, int(P.kinds[k + 1])):
        h = dot(vec(P.points, 3 * i), m)
        if h > best:
            found, best = i, h
    return add(S[1], mv(S[2], vec(P.points, 3 * found)))


def _level(S, i):
    return dot(S[1], _face(S, i)) + S[0].planes[PLANE * i + 3]


@called
def _inside(S, i, y):
    P, x = S[0], plain(mtv(plain_axes(S[2]), sub(plain(y), plain(S[1]))))
    first = int(P.planes[PLANE * i + 4])
    found = -FARTHEST
    for j in range(first, first + int(P.planes[PLANE * i + 5])):
        o = BORDER * j
        found = min(found, -dot(vec(P.borders, o + 7), sub(x, vec(P.borders, o))))
    return found


def _over(S, i, y, slack):
    return _inside(S, i, y) >= -value(slack)


def _blunt(S, k):
    return False


def _no_rim(S, i):
    return S[1], _face(S, i), 0.0


@called
def _border(S, i, k):
    P = S[0]
    there = k < int(P.planes[PLANE * i + 5])
    o = BORDER * (int(P.planes[PLANE * i + 4]) + (k if there else 0))
    begin, way = vec(P.borders, o), vec(P.borders, o + 3)
    return add(S[1], mv(S[2], begin)), mv(S[2], way), P.borders[o + 6] if there else NO_EDGE


def _middle(S):
    return add(S[1], mv(S[2], vec(S[0].middle, 0)))


@called
def _beside(S, u, c):
    """Of the edges that a line runs along, beyond both of their faces, the nearest; what of the line is beside an edge is at the end of this, if it ends before"""
    P = S[0]
    v, q = plain(mtv(plain_axes(S[2]), plain(u))), plain(mtv(plain_axes(S[2]), sub(plain(c), plain(S[1]))))
    found, out, best = -1, (0.0, 0.0, 1.0), -FARTHEST
    for i in range(P.families):
        way = vec(P.ways, FAMILY * i)
        m = dot(v, way)
        first = int(P.ways[FAMILY * i + 3])
        for j in range(first, first + int(P.ways[FAMILY * i + 4]) if abs(m) > ALONG else first):
            o = EDGE * j
            e = sub(q, vec(P.rods, o))
            at = dot(e, way)
            e = add(e, scale((min(max(at, 0.0), P.rods[o + 3]) - at) / m, v))
            left, right = vec(P.rods, o + 4), vec(P.rods, o + 7)
            e = sub(e, scale(dot(e, way), way))
            if dot(e, left) > 0.0 and dot(e, right) > 0.0 and dot(e, e) < best:
                found, out, best = i, add(left, right), dot(e, e)
    return found >= 0, max(found, 0), mv(plain_axes(S[2]), out)


_POLYHEDRON = Convex(
    _placed, _corner, _which_corner, _face, _family, _line, _faces, _families,
    _size, _lying, _spot, _level, _over, _inside, _blunt, _no_rim, _border, _middle, _beside, search=search_of,
)  # fmt: skip
