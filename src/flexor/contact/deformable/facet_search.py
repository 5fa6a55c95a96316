"""Where a skin of flat triangles is nearest to a solid, walking from the last triangle.

On one triangle the point of least distance from a solid that is curved outwards is the foot of the perpendicular from the centre of its
curvature, again and again until it rests. If it rests on an edge or a corner, the triangles beyond are tried, and so on: a few of them in each step, whatever
the size of the mesh. At the end of each step a tree of balls around triangles tells whether another part of the skin is nearer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from flexor.contact.deformable.facets import BALL, along_edge, corners_of, foot, vertex
from flexor.contact.deformable.material_point import (
    BACK,
    WAY,
    YIELD,
    bends,
    curvatures,
    inverse,
    leave_parameters,
    leave_place,
)
from flexor.law.tuples import add, dot, mv, scale, store, sub

STEPS = 50
SHORTEST = 1e-6
"""Part of a way over a triangle after which it is given up."""
WALK = 200
"""Triangles, at most, over which the point goes in one search."""
CLOSE = 1e-14
"""Distance, in parts of the size of the skin, that is none."""


@cache
def facet_walk(distance: Callable, vertex: Callable) -> tuple[Callable, Callable]:
    """(lower, walk): the lower one of a point and that of a triangle which is nearest to a solid whose signed distance is given; the point that is reached downhill from there."""
    corners = corners_of(vertex)

    def on_face(p, size, face, states, z_0, Q):  # type: ignore[no-untyped-def]
        """(d, s, t, feature) of the lowest point of a triangle"""
        a, e, g = corners(p, face, states, 0)
        a, e, g = add(z_0, mv(Q, a)), mv(Q, e), mv(Q, g)
        zero = 0.0 * (a[0] + e[0])
        d_a, d_b, d_c = distance(size, a)[0], distance(size, add(a, e))[0], distance(size, add(a, g))[0]
        low, s, t, feature = d_a + zero, zero, zero, 4
        if d_b < low:
            low, s, t = d_b + zero, 1.0 + zero, zero
        if d_c < low:
            low, s, t = d_c + zero, zero, 1.0 + zero
        far = max(dot(e, e), dot(g, g))
        part = 1.0
        for _ in range(STEPS):
            z = add(a, add(scale(s, e), scale(t, g)))
            _d, n, _t, k, c = distance(size, z)
            bend = max(k, c)
            if bend * bend * far <= 1e-12:
                break  # flat or hollow: a corner is lowest
            s_new, t_new, found = foot(a, e, g, sub(z, scale(1.0 / bend, n)))
            if part < 1.0:
                s_new, t_new = s + part * (s_new - s), t + part * (t_new - t)
                found = found if found == feature else 0
            z = add(a, add(scale(s_new, e), scale(t_new, g)))
            d = distance(size, z)[0] + zero
            if d > low + CLOSE * p.extent:  # beyond an edge: on the way it may be lower
                part *= 0.25
                if part < SHORTEST:
                    break
                continue
            if found == 0 and k != c:
                s_new, t_new, d = straight(size, a, e, g, s_new, t_new, d)
            rests = abs(s_new - s) + abs(t_new - t) <= 1e-13
            low, s, t, feature = d, s_new, t_new, found
            if rests:
                break
        return low, s, t, feature

    def straight(size, a, e, g, s, t, d):  # type: ignore[no-untyped-def]
        """A step of Newton's iteration from a point inside, where it leads to a lower one: solids that are curved unevenly are reached slowly by feet alone."""
        z = add(a, add(scale(s, e), scale(t, g)))
        _d, n, across, k, c = distance(size, z)
        h_11, h_12, h_22 = curvatures(e, g, n, across, k, c)
        det = h_11 * h_22 - h_12 * h_12
        if h_11 <= 0.0 or det <= 1e-9 * h_11 * h_22:
            return s, t, d
        G_1, G_2 = dot(n, e), dot(n, g)
        s_new, t_new = s - (h_22 * G_1 - h_12 * G_2) / det, t - (h_11 * G_2 - h_12 * G_1) / det
        if s_new <= 0.0 or t_new <= 0.0 or s_new + t_new >= 1.0:
            return s, t, d
        lower = distance(size, add(a, add(scale(s_new, e), scale(t_new, g))))[0] + 0.0 * d
        if lower > d:
            return s, t, d
        return s_new, t_new, lower

    def lower(p, size, other, states, z_0, Q, found):  # type: ignore[no-untyped-def]
        """(face, d, s, t, feature) that were found, or those of another triangle that is nearer"""
        d, s, t, feature = on_face(p, size, other, states, z_0, Q)
        if d < found[1] - CLOSE * p.extent:
            return other, d, s, t, feature
        return found

    def walk(p, size, face, states, z_0, Q):  # type: ignore[no-untyped-def]
        """(face, d, s, t, feature) of the lowest point that is reached downhill from a triangle"""
        d, s, t, feature = on_face(p, size, face, states, z_0, Q)
        found = face, d, s, t, feature
        for _ in range(WALK):
            start, _d, s, t, feature = found
            if feature == 0:
                break
            for corner in range(3):
                share = 1.0 - s - t if corner == 0 else s if corner == 1 else t
                if share <= 1e-9:
                    continue
                v = int(p.corners[3 * start + corner])
                for i in range(int(p.first[v]), int(p.first[v + 1])):
                    other = int(p.around[i])
                    if other != start:
                        found = lower(p, size, other, states, z_0, Q, found)
            if found[0] == start:
                break
        return found

    return lower, walk


@cache
def point_of_face(distance: Callable) -> Callable:
    """The function that leaves a point of a triangle in Y."""

    def leave(extent, size, place, rates, s, t, feature, before, d, z_0, Q, Y):  # type: ignore[no-untyped-def]
        """place, rates: vertex a and the sides to b and c, their velocities.   before: where the material is that touched at the end of the last step."""
        a, e, g = place
        v, v_e, v_g = rates
        zero = 0.0 * (z_0[0] + a[0] + v[0])
        y = add(a, add(scale(s, e), scale(t, g)))
        rate = add(v, add(scale(s, v_e), scale(t, v_g)))
        e, v_e = along_edge(e, g, feature), along_edge(v_e, v_g, feature)
        none = (zero, zero, zero)
        leave_place(Y, y, add(e, none), add(g, none), rate, add(v_e, none), add(v_g, none))
        store(Y, BACK, sub(before, y))
        Y[WAY] = zero
        Y[WAY + 1] = zero
        _d, n, across, k, c = distance(size, add(z_0, mv(Q, y)))
        e, g = mv(Q, e), mv(Q, g)
        h_11, h_12, h_22 = curvatures(e, g, n, across, k, c)
        free_s, free_t = bends(h_11, h_12, h_22, dot(e, e), dot(g, g), extent, feature != 4, feature == 0)
        P = inverse(h_11 + zero, h_12 + zero, h_22 + zero, free_s, free_t)
        store(Y, YIELD, P)
        leave_parameters(Y, s + zero, t + zero, d + zero)

    return leave


def triangle_search(distance: Callable, vertex: Callable, elsewhere: Callable) -> Callable:
    """The search for the point of a skin nearest to a solid whose signed distance is given; elsewhere(p, size, states, z_0, Q, found): looks all over the skin."""
    corners, leave = corners_of(vertex), point_of_face(distance)
    _lower, walk = facet_walk(distance, vertex)

    def search(p, size, place, h, m, states, z_0, Q, Y, w, anew):  # type: ignore[no-untyped-def]
        """Leave the nearest point in Y, and tell its triangle and where on that it lies; anew: look all over the skin."""
        found = walk(p, size, int(h.face), states, z_0, Q)
        if anew:
            found = elsewhere(p, size, states, z_0, Q, found)
        face, d, s, t, feature = found
        before, e_0, g_0 = corners(p, int(h.face), states, 0)
        before = add(before, add(scale(h.s, e_0), scale(h.t, g_0)))
        now, rates = corners(p, face, states, 0), corners(p, face, states, 1)
        leave(p.extent, size, now, rates, s, t, feature, before, d, z_0, Q, Y)
        return face, feature

    return search


@cache
def facet_search(distance: Callable) -> Callable:
    """The search over the skin of a body with modes."""
    lower, _walk = facet_walk(distance, vertex)

    def elsewhere(p, size, states, z_0, Q, found):  # type: ignore[no-untyped-def]
        i = 0
        while i < p.balls:
            middle = vertex(p, int(p.tree[BALL * i]), states, 0)
            low = distance(size, add(z_0, mv(Q, middle)))[0]
            if low - p.tree[BALL * i + 1] >= found[1]:
                i = int(p.tree[BALL * i + 2])
                continue
            begin = int(p.tree[BALL * i + 3])
            for j in range(begin, begin + int(p.tree[BALL * i + 4])):
                found = lower(p, size, j, states, z_0, Q, found)
            i += 1
        return found

    return triangle_search(distance, vertex, elsewhere)
