"""The skin of a meshed body as flat triangles that move with its nodes: where it is nearest to a solid, walking from the last triangle.

    y = y_a + s (y_b − y_a) + t (y_c − y_a),      y_n = X_n + Φ_n q of a node

On one triangle the point of least distance from a solid that is curved outwards is the foot of the perpendicular from the centre of its
curvature, again and again until it rests. If it rests on an edge or a corner, the triangles beyond are tried, and so on: a few of them in each step, whatever
the size of the mesh. At the end of each step a tree of balls around triangles tells whether another part of the skin is nearer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from flexor.contact.deformable.material_point import (
    BACK,
    BY_S,
    BY_T,
    DISTANCE,
    PARAMETERS,
    PLACE,
    RATE,
    RATE_BY_S,
    RATE_BY_T,
    WAY,
    YIELD,
    bends,
    curvature,
    inverse,
)
from flexor.contact.surfaces.triangles import TriangleTree
from flexor.law.record import Packed, Record, integer, number, tail
from flexor.law.tuples import add, cross, dot, mv, scale, store, sub

if TYPE_CHECKING:
    from flexor.contact.deformable.skin import BodySkin

STEPS = 50
WALK = 200
"""Triangles, at most, over which the point goes in one search."""
CLOSE = 1e-14
"""Distance, in parts of the size of the skin, that is none."""
BALL = 5
"""Numbers of a ball of the tree: the vertex in its middle, its radius, the next ball outside of it, first triangle, how many."""


class Facets(Record):
    """Numbers of a skin."""

    extent = number("its size", "m")
    modes = integer("how many")
    balls = integer("how many balls the tree has")
    X = tail("vertices from the centre of mass of the body, 3 each", "m")
    shapes = tail("Φ: for each vertex and mode three components")
    corners = tail("vertices of the triangles, 3 each")
    first = tail("where the triangles around each vertex begin, and the end")
    around = tail("triangles around the vertices")
    tree = tail("balls around triangles")


def packed_facets(skin: BodySkin) -> Packed:
    """Numbers of a skin; its triangles in the order of the tree."""
    from scipy.spatial import cKDTree  # loads SciPy

    corners = skin.points[skin.triangles]
    tree = TriangleTree(corners.min(axis=1), corners.max(axis=1))
    triangles = skin.triangles[tree.order]
    by_vertex = np.argsort(triangles, axis=None, kind="stable")
    first = np.searchsorted(triangles.ravel()[by_vertex], np.arange(len(skin.points) + 1))
    low, high = tree.nodes[:, :3], tree.nodes[:, 3:6]
    middle = 0.5 * (low + high)
    off, near = cKDTree(skin.points).query(middle)
    radius = 0.5 * np.linalg.norm(high - low, axis=1) + off
    balls = np.column_stack([near, radius, tree.nodes[:, 6:9]])
    return Facets.pack(
        extent=float(np.ptp(skin.points, axis=0).max()),
        modes=skin.shapes.shape[2],
        balls=len(balls),
        X=skin.points - skin.center,
        shapes=skin.shapes.transpose(0, 2, 1),
        corners=triangles,
        first=first,
        around=by_vertex // 3,
        tree=balls,
    )


def vertex(p, i, states, rate):
    """Place of a vertex in the body, or (rate 1) its velocity there."""
    if rate:
        x, y, z = 0.0, 0.0, 0.0
    else:
        x, y, z = p.X[3 * i], p.X[3 * i + 1], p.X[3 * i + 2]
    zero = 0.0 * states[0] if p.modes else 0.0
    x, y, z = x + zero, y + zero, z + zero
    o = 3 * p.modes * i
    for k in range(p.modes):
        q = states[3 * k + rate]
        x += q * p.shapes[o]
        y += q * p.shapes[o + 1]
        z += q * p.shapes[o + 2]
        o += 3
    return x, y, z


def foot(a, e, g, z):
    """(s, t, feature) of the point of the triangle a + s e + t g that is nearest to z; feature: 0 inside, 1 t = 0, 2 s = 0, 3 s + t = 1, 4 a corner.

    Ericson, Real-Time Collision Detection (2005), 5.1.5
    """
    r = sub(z, a)
    zero = 0.0 * (r[0] + e[0] + g[0])
    ee, eg, gg = dot(e, e), dot(e, g), dot(g, g)
    d_1, d_2 = dot(e, r), dot(g, r)
    if d_1 <= 0.0 and d_2 <= 0.0:
        return zero, zero, 4
    d_3, d_4 = d_1 - ee, d_2 - eg
    if d_3 >= 0.0 and d_4 <= d_3:
        return 1.0 + zero, zero, 4
    v_c = d_1 * d_4 - d_3 * d_2
    if v_c <= 0.0 and d_1 >= 0.0 and d_3 <= 0.0:
        return d_1 / (d_1 - d_3) + zero, zero, 1
    d_5, d_6 = d_1 - eg, d_2 - gg
    if d_6 >= 0.0 and d_5 <= d_6:
        return zero, 1.0 + zero, 4
    v_b = d_5 * d_2 - d_1 * d_6
    if v_b <= 0.0 and d_2 >= 0.0 and d_6 <= 0.0:
        return zero, d_2 / (d_2 - d_6) + zero, 2
    v_a = d_3 * d_6 - d_5 * d_4
    if v_a <= 0.0 and d_4 >= d_3 and d_5 >= d_6:
        t = (d_4 - d_3) / ((d_4 - d_3) + (d_5 - d_6))
        return 1.0 - t + zero, t + zero, 3
    f = 1.0 / (v_a + v_b + v_c)
    return v_b * f + zero, v_c * f + zero, 0


@cache
def corners_of(vertex: Callable) -> Callable:
    """The function that tells vertex a of a triangle and the sides to b and c, of vertices that are where `vertex` says."""

    def corners(p, face, states, rate):  # type: ignore[no-untyped-def]
        i, j, k = int(p.corners[3 * face]), int(p.corners[3 * face + 1]), int(p.corners[3 * face + 2])
        a = vertex(p, i, states, rate)
        return a, sub(vertex(p, j, states, rate), a), sub(vertex(p, k, states, rate), a)

    return corners


@cache
def facet_walk(distance: Callable, vertex: Callable) -> tuple[Callable, Callable]:
    """(on_face, walk): the point of a triangle that is nearest to a solid whose signed distance is given, and that which is reached downhill from there."""
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
        for _ in range(STEPS):
            z = add(a, add(scale(s, e), scale(t, g)))
            _d, n, _t, k, c = distance(size, z)
            bend = max(k, c)
            if bend * bend * far <= 1e-12:
                break  # flat or hollow: a corner is lowest
            s_new, t_new, found = foot(a, e, g, sub(z, scale(1.0 / bend, n)))
            z = add(a, add(scale(s_new, e), scale(t_new, g)))
            d = distance(size, z)[0] + zero
            if d > low + CLOSE * p.extent:
                break
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
        b = cross(n, across)
        h_11, h_12, h_22 = (
            curvature(e, e, n, across, k, c, b),
            curvature(e, g, n, across, k, c, b),
            curvature(g, g, n, across, k, c, b),
        )
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

    def walk(p, size, face, states, z_0, Q):  # type: ignore[no-untyped-def]
        """(face, d, s, t, feature) of the lowest point that is reached downhill from a triangle"""
        d, s, t, feature = on_face(p, size, face, states, z_0, Q)
        for _ in range(WALK):
            if feature == 0:
                break
            start = face
            for corner in range(3):
                share = 1.0 - s - t if corner == 0 else s if corner == 1 else t
                if share <= 1e-9:
                    continue
                v = int(p.corners[3 * start + corner])
                for i in range(int(p.first[v]), int(p.first[v + 1])):
                    other = int(p.around[i])
                    if other == start:
                        continue
                    d_i, s_i, t_i, feature_i = on_face(p, size, other, states, z_0, Q)
                    if d_i < d - CLOSE * p.extent:
                        face, d, s, t, feature = other, d_i, s_i, t_i, feature_i
            if face == start:
                break
        return face, d, s, t, feature

    return on_face, walk


@cache
def point_of_face(distance: Callable) -> Callable:
    """The function that leaves a point of a triangle in Y."""

    def leave(extent, size, place, rates, s, t, feature, before, d, z_0, Q, Y):  # type: ignore[no-untyped-def]
        """place, rates: vertex a and the sides to b and c, their velocities.   before: where the material is that touched at the end of the last step."""
        a, e, g = place
        v, v_e, v_g = rates
        zero = 0.0 * (z_0[0] + a[0] + v[0])
        y = add(a, add(scale(s, e), scale(t, g)))
        store(Y, PLACE, y)
        store(Y, RATE, add(v, add(scale(s, v_e), scale(t, v_g))))
        # along an edge there is one parameter, s; it goes from c to b on the third one
        free_s, free_t = feature == 0 or feature == 1, feature == 0
        if feature == 2:
            e, v_e, free_s = g, v_g, True
        if feature == 3:
            e, v_e, free_s = sub(e, g), sub(v_e, v_g), True
        store(Y, BY_S, add(e, (zero, zero, zero)))
        store(Y, BY_T, add(g, (zero, zero, zero)))
        store(Y, RATE_BY_S, add(v_e, (zero, zero, zero)))
        store(Y, RATE_BY_T, add(v_g, (zero, zero, zero)))
        store(Y, BACK, sub(before, y))
        Y[WAY] = zero
        Y[WAY + 1] = zero
        _d, n, across, k, c = distance(size, add(z_0, mv(Q, y)))
        b = cross(n, across)
        e, g = mv(Q, e), mv(Q, g)
        h_11, h_12, h_22 = (
            curvature(e, e, n, across, k, c, b),
            curvature(e, g, n, across, k, c, b),
            curvature(g, g, n, across, k, c, b),
        )
        free_s, free_t = bends(h_11, h_12, h_22, dot(e, e), dot(g, g), extent, free_s, free_t)
        P = inverse(h_11 + zero, h_12 + zero, h_22 + zero, free_s, free_t)
        store(Y, YIELD, P)
        Y[PARAMETERS] = s + zero
        Y[PARAMETERS + 1] = t + zero
        Y[DISTANCE] = d + zero

    return leave


@cache
def facet_search(distance: Callable) -> Callable:
    """The search for the point nearest to a solid whose signed distance is given."""
    corners, leave = corners_of(vertex), point_of_face(distance)
    on_face, walk = facet_walk(distance, vertex)

    def search(p, size, place, h, m, states, z_0, Q, Y, w, anew):  # type: ignore[no-untyped-def]
        """Leave the nearest point in Y, and tell its triangle and where on that it lies; anew: look all over the skin."""
        face, d, s, t, feature = walk(p, size, int(h.face), states, z_0, Q)
        if anew:
            i = 0
            while i < p.balls:
                middle = vertex(p, int(p.tree[BALL * i]), states, 0)
                low = distance(size, add(z_0, mv(Q, middle)))[0]
                if low - p.tree[BALL * i + 1] >= d:
                    i = int(p.tree[BALL * i + 2])
                    continue
                begin = int(p.tree[BALL * i + 3])
                for j in range(begin, begin + int(p.tree[BALL * i + 4])):
                    d_j, s_j, t_j, feature_j = on_face(p, size, j, states, z_0, Q)
                    if d_j < d - CLOSE * p.extent:
                        face, d, s, t, feature = j, d_j, s_j, t_j, feature_j
                i += 1
        before, e_0, g_0 = corners(p, int(h.face), states, 0)
        before = add(before, add(scale(h.s, e_0), scale(h.t, g_0)))
        place, rates = corners(p, face, states, 0), corners(p, face, states, 1)
        leave(p.extent, size, place, rates, s, t, feature, before, d, z_0, Q, Y)
        return face, feature

    return search


def facet_shapes(p, m, Y, found, S, w):
    """S of m modes at the point and its slopes by s and t, nine numbers a mode; found: the triangle, and where on it."""
    s, t = Y[PARAMETERS], Y[PARAMETERS + 1]
    face, feature = found
    zero = 0.0 * s
    i, j, k = int(p.corners[3 * face]), int(p.corners[3 * face + 1]), int(p.corners[3 * face + 2])
    for mode in range(m):
        o = 3 * mode
        for x in range(3):
            a = p.shapes[3 * m * i + o + x]
            e, g = p.shapes[3 * m * j + o + x] - a, p.shapes[3 * m * k + o + x] - a
            S[9 * mode + x] = a + s * e + t * g
            along = g if feature == 2 else e - g if feature == 3 else e
            S[9 * mode + 3 + x] = along + zero
            S[9 * mode + 6 + x] = g + zero
