"""The skin of a meshed body as flat triangles that move with its nodes.

y = y_a + s (y_b − y_a) + t (y_c − y_a),      y_n = X_n + Φ_n q of a node
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from flexor.contact.deformable.inner_skin import inner_skin
from flexor.contact.deformable.material_point import PARAMETERS
from flexor.contact.surfaces.triangles import TriangleTree
from flexor.law.record import Packed, Record, integer, number, tail
from flexor.law.tuples import add, dot, scale, sub, vec

if TYPE_CHECKING:
    from flexor.contact.deformable.skin import BodySkin

BALL = 5
"""Numbers of a ball of the tree: the vertex in its middle, its radius, the next ball outside of it, first triangle, how many."""


class Facets(Record):
    """Numbers of a skin."""

    extent = number("its size", "m")
    ball = number(
        "largest radius of the balls around an inner skin by which it touches solids with edges; 0: none", "m"
    )
    modes = integer("how many")
    vertices = integer("how many")
    balls = integer("how many balls the tree has")
    X = tail("vertices, of the inner skin if there is one, from the centre of mass of the body, 3 each", "m")
    shapes = tail("Φ: for each vertex and mode three components")
    corners = tail("vertices of the triangles, 3 each")
    first = tail("where the triangles around each vertex begin, and the end")
    around = tail("triangles around the vertices")
    tree = tail("balls around triangles")
    out = tail("w: from the inner skin out to the vertices, 3 each, or none", "m")
    rho = tail("radii of the balls at the vertices, or none", "m")


def packed_facets(skin: BodySkin, inner: bool = False) -> Packed:
    """Numbers of a skin; its triangles in the order of the tree. inner: whether it touches by balls around an inner skin."""
    from scipy.spatial import cKDTree  # loads SciPy

    out, rho = inner_skin(skin.points, skin.triangles) if inner else (np.zeros(skin.points.shape), np.zeros(0))
    points = skin.points - out
    corners = points[skin.triangles]
    tree = TriangleTree(corners.min(axis=1), corners.max(axis=1))
    triangles = skin.triangles[tree.order]
    by_vertex = np.argsort(triangles, axis=None, kind="stable")
    first = np.searchsorted(triangles.ravel()[by_vertex], np.arange(len(points) + 1))
    low, high = tree.nodes[:, :3], tree.nodes[:, 3:6]
    middle = 0.5 * (low + high)
    off, near = cKDTree(points).query(middle)
    radius = 0.5 * np.linalg.norm(high - low, axis=1) + off
    balls = np.column_stack([near, radius, tree.nodes[:, 6:9]])
    return Facets.pack(
        extent=float(np.ptp(skin.points, axis=0).max()),
        ball=float(rho.max()) if inner else 0.0,
        modes=skin.shapes.shape[2],
        vertices=len(points),
        balls=len(balls),
        X=points - skin.center,
        shapes=skin.shapes.transpose(0, 2, 1),
        corners=triangles,
        first=first,
        around=by_vertex // 3,
        tree=balls,
        out=out if inner else (),
        rho=rho,
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


def outward(p, face, states, s, t):
    """w at a point of a triangle: from the inner skin out to the skin."""
    zero = 0.0 * s
    if p.ball == 0.0:
        return zero, zero, zero
    i, j, k = int(p.corners[3 * face]), int(p.corners[3 * face + 1]), int(p.corners[3 * face + 2])
    a, b, c = vec(p.out, 3 * i), vec(p.out, 3 * j), vec(p.out, 3 * k)
    return add(scale(1.0 - s - t, a), add(scale(s, b), scale(t, c)))


def radii(p, face):
    """(ρ of vertex a of a triangle, what it grows by along the sides to b and c)"""
    if p.ball == 0.0:
        return 0.0, 0.0, 0.0
    i, j, k = int(p.corners[3 * face]), int(p.corners[3 * face + 1]), int(p.corners[3 * face + 2])
    return p.rho[i], p.rho[j] - p.rho[i], p.rho[k] - p.rho[i]


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


def along_edge(e, g, feature):
    """Direction of the parameter s: along an edge there is no other one; it goes from c to b on the third."""
    if feature == 2:
        return g
    if feature == 3:
        return sub(e, g)
    return e


@cache
def corners_of(vertex: Callable) -> Callable:
    """The function that tells vertex a of a triangle and the sides to b and c, of vertices that are where `vertex` says."""

    def corners(p, face, states, rate):  # type: ignore[no-untyped-def]
        i, j, k = int(p.corners[3 * face]), int(p.corners[3 * face + 1]), int(p.corners[3 * face + 2])
        a = vertex(p, i, states, rate)
        return a, sub(vertex(p, j, states, rate), a), sub(vertex(p, k, states, rate), a)

    return corners


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
