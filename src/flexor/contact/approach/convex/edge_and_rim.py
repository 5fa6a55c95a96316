"""Of a polyhedron a and a cylinder or cone b the direction of separation, feature by feature: s(n) = − h_b(−n) − h_a(n) is largest (`separation`) at

    a face of a, or an end of b     their normals
    an edge and a generator         across both
    an edge and a rim               n turns about the edge: one equation, see below
    a corner and a generator        n is beside the axis of b where the corner is
    a corner and a rim              along their shortest connection; only of those that are nearest, and apart, s is largest there

Of a corner x of a and any point y of b  s(n) ≤ n · (y − x):  what is not larger than the best known by the feature itself need not be asked for s. Between the
normals n_1 and n_2 of the faces of an edge with begin x, s(n) ≤ n · w_1 and n · w_2 with  w_i = y_i − x  of the points y_i of b that are touched along the n_i: most edges are
passed over by that.

An edge with direction u and a rim (c, v, r): with  e = v across u, of unit length,  e' = u × e,  and  n = cos θ e + sin θ e',  τ = tan θ,

    f(n) = n · w − r |n × v|,  w = c − x,     f'/cos θ = e' · w − τ e · w − r κ² τ/√(δ² + τ²) = 0,    δ = u · v,   κ² = 1 − δ².

For e' · w ≥ 0 (else τ changes its sign) it is convex in τ ≥ 0, and f has a maximum where it falls through zero: Newton's steps from τ = 0 go there from one side. The other half of
the turn has − e in the place of e.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from flexor.contact.approach.convex.circles import across, radial
from flexor.contact.approach.convex.separation import (
    FACE_A,
    FACE_B,
    FREE,
    LINE_A,
    LINE_B,
    LINES,
    SAME,
    across_families,
    apart_of,
    unit,
)
from flexor.contact.approach.convex.solid import Convex, beside
from flexor.contact.surfaces.polyhedron import EDGE, FAMILY, PLANE
from flexor.law.dual import sqrt
from flexor.law.primitives import called
from flexor.law.tuples import add, cross, dot, neg, scale, sub, vec

STEPS = 100
"""Of Newton's at most; some six where the rim is not nearly parallel to the edge."""
CLOSE = 1e-15
"""Change of τ, in parts of it, that is none."""
LEAST = 1e-32
"""δ² of a rim that stands across the edge."""
FLAT = 1e-30
"""e · w that is none [m]: then n is across e."""
ALONG = 1e-26
"""κ² of a rim whose axis is along the edge."""


@called
def falls_through_zero(a, b, r, square):
    """(whether there is one, τ): where b − a τ − r τ/√(δ² + τ²) falls through zero"""
    high, tau = abs(b), 0.0
    a, square = a if abs(a) > FLAT else FLAT, max(square, LEAST)
    for _ in range(STEPS):
        root = sqrt(square + tau * tau)
        slope = a + r * square / (root * root * root)
        if slope <= 0.0:
            return False, 0.0
        change = (high - a * tau - r * tau / root) / slope
        tau += change
        if abs(change) <= CLOSE * tau:
            break
    return True, tau if b > 0.0 else -tau


@called
def largest_between(n_1, n_2, u, w):
    """The largest n · w from n_1 to n_2, which turn about u"""
    t_1, t_2 = cross(u, n_1), cross(u, n_2)
    if dot(t_1, w) > 0.0 and dot(t_2, w) < 0.0:
        q = beside(w, u)
        return sqrt(dot(q, q))
    return max(dot(n_1, w), dot(n_2, w))


@cache
def search_of(of_a: Convex, of_b: Convex) -> Callable:
    """(what n is bound to, i, j, n) of a polyhedron a in its own axes, and of b, as `separation` asks for it; plain numbers."""
    apart, b_support, b_part = apart_of(of_a, of_b), of_b.support_of, of_b.part_of
    b_face, b_faces, b_rim, b_family = of_b.face, of_b.faces, of_b.rim, of_b.family

    @called
    def touched(B, n):  # type: ignore[no-untyped-def]
        """The point of b that a plane with the normal n touches from below"""
        return b_support(B, neg(n), b_part(B, neg(n)))[0]

    @called
    def faces(A, B, near):  # type: ignore[no-untyped-def]
        P = A[0]
        best, kind, at_i, n = -1e300, FACE_A, 0, (0.0, 0.0, 1.0)
        for i in range(P.faces):
            m = vec(P.planes, PLANE * i)
            s = dot(m, touched(B, m)) - P.planes[PLANE * i + 3]
            if s > best + near:
                best, kind, at_i, n = s, FACE_A, i, m
        for i in range(b_faces(B)):
            m = neg(b_face(B, i))
            s = apart(A, B, m)
            if s > best + near:
                best, kind, at_i, n = s, FACE_B, i, m
        return best, kind, at_i, n

    @called
    def generator(A, B, x, u, best):  # type: ignore[no-untyped-def]
        """(s, side, n) across an edge from x along u and a generator, if that is larger"""
        v, l = b_family(B, 0)
        side, n = -1, u
        for k in range(2):
            there, m = across_families(u, 0.0, v, -l, 2.0 * k - 1.0)
            if there and dot(m, sub(touched(B, m), x)) > best:
                s = apart(A, B, m)
                if s > best:
                    best, side, n = s, k, m
        return best, side, n

    @called
    def rims(A, B, x, u, best):  # type: ignore[no-untyped-def]
        """(s, whether that is larger, n) of that edge and the rims"""
        found, n = False, u
        for k in range(4):
            c, v, r = b_rim(B, k & 1)
            w, e, delta = sub(c, x), beside(beside(v, u), u), dot(u, v)
            square = dot(e, e)
            e = scale(1.0 / sqrt(square), e) if square > ALONG else across(u)
            if k > 1:
                e = neg(e)
            other = cross(u, e)
            there, tau = falls_through_zero(dot(e, w), dot(other, w), r * square, delta * delta)
            if there:
                m = unit(add(e, scale(tau, other)))
                q = beside(m, v)
                if dot(m, w) - r * sqrt(dot(q, q)) > best:
                    s = apart(A, B, m)
                    if s > best:
                        best, found, n = s, True, m
        return best, found, n

    @called
    def edges(A, B, best, kind, at_i, at_j, n, near):  # type: ignore[no-untyped-def]
        P = A[0]
        for i in range(P.families):
            u = vec(P.ways, FAMILY * i)
            first = int(P.ways[FAMILY * i + 3])
            for j in range(first, first + int(P.ways[FAMILY * i + 4])):
                x, n_1, n_2 = vec(P.rods, EDGE * j), vec(P.rods, EDGE * j + 4), vec(P.rods, EDGE * j + 7)
                y_1, y_2 = touched(B, n_1), touched(B, n_2)
                if largest_between(n_1, n_2, u, sub(y_1, x)) > best + near and (
                    largest_between(n_1, n_2, u, sub(y_2, x)) > best + near
                ):
                    s, side, m = generator(A, B, x, u, best + near)
                    if side >= 0:
                        best, kind, at_i, at_j, n = s, LINES, i, side, m
                    s, found, m = rims(A, B, x, u, best + near)
                    if found:
                        best, kind, at_i, n = s, LINE_A, i, m
        return best, kind, at_i, at_j, n

    @called
    def corners(A, B, best, kind, at_i, n, near):  # type: ignore[no-untyped-def]
        P = A[0]
        v, l = b_family(B, 0)
        across_v = sqrt(1.0 - l * l)
        shortest, way = 1e300, n
        for i in range(P.corners):
            x = vec(P.points, 3 * i)
            for k in range(2):
                c, _, r = b_rim(B, k)
                w = sub(add(c, scale(r, radial(x, c, v))), x)
                if dot(w, w) < shortest:
                    shortest, way = dot(w, w), w
            q = beside(beside(sub(B[0], x), v), v)  # twice: of what is left near the axis, nothing is along it
            square = dot(q, q)
            if square > 0.0:
                m = unit(add(scale(-l, v), scale(across_v / sqrt(square), q)))
                if dot(m, sub(touched(B, m), x)) > best + near:
                    s = apart(A, B, m)
                    if s > best + near:
                        best, kind, at_i, n = s, LINE_B, 0, m
        if shortest > 0.0:
            m = unit(way)
            s = apart(A, B, m)
            if s > best + near:
                best, kind, at_i, n = s, FREE, 0, m
        return kind, at_i, n

    @called
    def search(A, B, size):  # type: ignore[no-untyped-def]
        near = SAME * size
        best, kind, at_i, n = faces(A, B, near)
        best, kind, at_i, at_j, n = edges(A, B, best, kind, at_i, 0, n, near)
        kind, at_i, n = corners(A, B, best, kind, at_i, n, near)
        return kind, at_i, at_j, n

    return search
