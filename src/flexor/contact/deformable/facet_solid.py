"""The skin of a meshed body as the solid that another surface touches: the nearest of its triangles, as they are deformed.

Balls around triangles tell which of them are near: those of the undeformed skin, widened by what their middle and theirs have moved apart at most; of a full mesh, which
may be bent by any amount, as wide as they have to be. Where an edge or a
corner is nearest, the side on which the point lies is that of the triangle there which faces it most; right over an edge it is over that triangle, so that nodes over
nodes press on faces. All vertices are placed once, as the skin is deformed then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flexor.contact.deformable.deforming_solid import STRIP, beyond, leave_foot
from flexor.contact.deformable.facets import BALL, Facets, along_edge, corners_of, foot
from flexor.contact.deformable.material_point import BACK, PLACE, leave_bending, leave_parameters, leave_place
from flexor.contact.distance.sphere import across
from flexor.law.dual import sqrt
from flexor.law.tuples import add, cross, dot, norm, scale, store, sub, vec

if TYPE_CHECKING:
    from flexor.law.record import Packed

SAME = 1e-9
"""Distances of triangles, in parts of each other, that are the same: those around an edge or a corner."""
SLACK = 0.25
"""By which part the skin may have stretched around a ball."""
BEHIND = -0.5
"""n · e of an edge or corner below which the point is inside."""
NEAR = 1e-12
"""Distance, in parts of the skin, from which an edge has a direction."""
OVER = 1e-8
"""1 − n · e of an edge or corner and a triangle there up to which the point is over that: with an angle of 0.008°."""
PLACED = 6
"""Words of a vertex: where it is, its velocity."""


def facet_room(numbers: Packed) -> int:
    """Words in which all vertices and balls are placed."""
    skin = Facets(numbers.words)
    return PLACED * skin.vertices + skin.balls


def place_vertices(p, m, states, w):
    """All vertices as the skin is deformed by m modes, with their velocities; radii of the balls."""
    zero = 0.0 * states[0] if m else 0.0
    for i in range(p.vertices):
        o = PLACED * i
        for j in range(3):
            w[o + j] = p.X[3 * i + j] + zero
            w[o + 3 + j] = zero
        for k in range(m):
            q, rate = states[3 * k], states[3 * k + 1]
            for j in range(3):
                shape = p.shapes[3 * (m * i + k) + j]
                w[o + j] += q * shape
                w[o + 3 + j] += rate * shape
    for i in range(p.balls):
        w[PLACED * p.vertices + i] = p.tree[BALL * i + 1] * (1.0 + SLACK) + zero


def placed_vertex(p, i, w, rate):
    """Place of a vertex, or (rate 1) its velocity, of those that have been placed."""
    return vec(w, PLACED * i + 3 * rate)


placed_sides = corners_of(placed_vertex)
"""Vertex a of a triangle, and the sides to b and c."""


def _from_ball(p, w, i, z):
    """Distance of a point from a ball around triangles, below 0 inside of it."""
    return norm(sub(z, placed_vertex(p, int(p.tree[BALL * i]), w, 0))) - w[PLACED * p.vertices + i]


def _at_border(p, face, s, t, feature):
    """Whether an edge has one triangle only, or a corner triangles not all around: there a part of a skin ends."""
    first = 1 if s > 0.5 else 2 if t > 0.5 else 0
    if feature < 4:
        first = 0 if feature < 3 else 1
    other = 1 if feature == 1 else 2
    u, v = int(p.corners[3 * face + first]), int(p.corners[3 * face + other])
    meet, turn = 0, 0
    for i in range(int(p.first[u]), int(p.first[u + 1])):
        o = 3 * int(p.around[i])
        for k in range(3):
            corner = int(p.corners[o + k])
            if corner == v:
                meet += 1
            if corner == u:  # from neighbour to neighbour, once around it comes back
                turn += int(p.corners[o + (k + 1) % 3]) - int(p.corners[o + (k + 2) % 3])
    if feature < 4:
        return meet < 2
    return turn != 0


def _nearest(solid, z):
    """(face, s, t, feature, sign, whether the skin ends there) of the nearest triangle"""
    p, w = solid.p, solid.w
    zero = 0.0 * z[0] + 0.0 * w[0]
    face, s, t, feature, best, facing = 0, zero, zero, 4, 1e300 + zero, zero
    i = 0
    while p.tree[BALL * i + 4] == 0.0:  # down to a ball near the point
        left, right = i + 1, int(p.tree[BALL * (i + 1) + 2])
        i = left if _from_ball(p, w, left, z) <= _from_ball(p, w, right, z) else right
    first = int(p.tree[BALL * i + 3])
    a, e, g = placed_sides(p, first, w, 0)
    s_j, t_j, _feature = foot(a, e, g, z)
    r = sub(z, add(a, add(scale(s_j, e), scale(t_j, g))))
    best = (dot(r, r) + zero) * (1.0 + 4.0 * SAME) + 1e-300
    i = 0
    while i < p.balls:
        low = _from_ball(p, w, i, z)
        if low > 0.0 and low * low > best * (1.0 + 4.0 * SAME):
            i = int(p.tree[BALL * i + 2])
            continue
        begin = int(p.tree[BALL * i + 3])
        for j in range(begin, begin + int(p.tree[BALL * i + 4])):
            a, e, g = placed_sides(p, j, w, 0)
            s_j, t_j, feature_j = foot(a, e, g, z)
            r = sub(z, add(a, add(scale(s_j, e), scale(t_j, g))))
            q = dot(r, r)
            if q > best * (1.0 + 2.0 * SAME):
                continue
            c = cross(e, g)
            up = dot(c, r) / norm(c)
            if q < best * (1.0 - 2.0 * SAME) or abs(up) > abs(facing):
                face, s, t, feature, facing = j, s_j, t_j, feature_j, up
                best = q + zero
        i += 1
    if feature != 0 and (best <= (NEAR * p.extent) ** 2 or abs(facing) >= (1.0 - OVER) * sqrt(best)):
        feature = 0
    if feature == 0:
        return face, s, t, 0, 1.0, False
    border = _at_border(p, face, s, t, feature)
    behind = facing < BEHIND * sqrt(best) and not border
    return face, s, t, feature, -1.0 if behind else 1.0, border


def distance_facets(solid, z):
    """Signed distance of a point from a skin as it is deformed."""
    p = solid.p
    face, s, t, feature, sign, border = _nearest(solid, z)
    a, e, g = placed_sides(p, face, solid.w, 0)
    r = sub(z, add(a, add(scale(s, e), scale(t, g))))
    zero = 0.0 * r[0]
    c = cross(e, g)
    n = scale(1.0 / norm(c), c)
    if feature == 0:
        return dot(n, r), n, across(n), zero, zero
    along = along_edge(e, g, feature)
    along = scale(1.0 / norm(along), along)
    if border:
        d, n, _steep, bend = beyond(n, r, STRIP * p.extent)
        return d, n, cross(n, along), bend, zero
    far = sign * norm(r)
    n = scale(1.0 / far, r)
    if feature == 4:
        return far, n, across(n), 1.0 / far, 1.0 / far
    return far, n, cross(n, along), 1.0 / far, zero


def leave_facets(solid, z, h, Y):
    """The foot of z, in Y; its triangle, and where on that it lies."""
    p, w = solid.p, solid.w
    face, s, t, feature, sign, border = _nearest(solid, z)
    sides, rates = placed_sides(p, face, w, 0), placed_sides(p, face, w, 1)
    before = on_triangle(placed_sides(p, int(h.face_a), w, 0), h.s_a, h.t_a)
    leave_on_triangle(sides, rates, s, t, feature, before, z, Y)
    leave_foot(Y, feature < 4, feature == 0, sign, 1.0 if feature == 0 or border else 0.0, 0.0 * Y[PLACE])
    return face, feature


def on_triangle(sides, s, t):
    """A point of a triangle, of its vertex a and the sides to b and c."""
    a, e, g = sides
    return add(a, add(scale(s, e), scale(t, g)))


def leave_on_triangle(sides, rates, s, t, feature, before, z, Y):
    """Leave the foot of z on a triangle; rates: velocities of its vertex a and sides.   before: where the material is that was the foot at the end of the last step."""
    (_a, e, g), (_v, v_e, v_g) = sides, rates
    y, rate = on_triangle(sides, s, t), on_triangle(rates, s, t)
    zero = 0.0 * z[0] + 0.0 * y[0] + 0.0 * rate[0]
    none = (zero, zero, zero)
    e_s, v_s = along_edge(e, g, feature), along_edge(v_e, v_g, feature)
    if feature == 2:  # s goes along the side to c: outward is that across −e
        g, v_g = scale(-1.0, e), scale(-1.0, v_e)
    leave_place(Y, add(y, none), add(e_s, none), add(g, none), add(rate, none), add(v_s, none), add(v_g, none))
    store(Y, BACK, add(none, sub(before, y)))
    leave_bending(Y, none, none, none)
    r = sub(z, y)
    leave_parameters(Y, s + zero, t + zero, dot(r, r))
