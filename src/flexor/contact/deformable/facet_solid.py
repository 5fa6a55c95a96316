"""The skin of a meshed body as the solid that another surface touches: the nearest of its triangles, as they are deformed.

Balls around triangles tell which of them are near: those of the undeformed skin, widened by what their middle and theirs have moved apart at most. Where an edge or a
corner is nearest, the side on which the point lies is that of the triangle there which faces it most.
"""

from __future__ import annotations

from flexor.contact.deformable.deforming_solid import FACES, FREE_S, FREE_T, SIGN
from flexor.contact.deformable.facets import BALL, foot, vertex
from flexor.contact.deformable.material_point import (
    BACK,
    BY_S,
    BY_SS,
    BY_ST,
    BY_T,
    BY_TT,
    DISTANCE,
    PARAMETERS,
    PLACE,
    RATE,
    RATE_BY_S,
    RATE_BY_T,
)
from flexor.contact.distance.sphere import across
from flexor.law.dual import sqrt
from flexor.law.tuples import add, cross, dot, norm, scale, store, sub

SAME = 1e-9
"""Distances of triangles, in parts of each other, that are the same: those around an edge or a corner."""
SLACK = 0.25
"""By which part the skin may have stretched around a ball."""
BEHIND = -0.5
"""n · e of an edge or corner below which the point is inside."""
NEAR = 1e-12
"""Distance, in parts of the skin, from which an edge has a direction."""


def _sides(p, face, states, rate):
    """Vertex a of a triangle, and the sides to b and c."""
    i, j, k = int(p.corners[3 * face]), int(p.corners[3 * face + 1]), int(p.corners[3 * face + 2])
    a = vertex(p, i, states, rate)
    return a, sub(vertex(p, j, states, rate), a), sub(vertex(p, k, states, rate), a)


def _from_ball(p, states, i, z):
    """Distance of a point from a ball around triangles, below 0 inside of it."""
    return norm(sub(z, vertex(p, int(p.tree[BALL * i]), states, 0))) - p.tree[BALL * i + 1] * (1.0 + SLACK)


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
    """(face, s, t, feature, square of the distance, sign) of the nearest triangle"""
    p, states = solid.p, solid.s
    zero = 0.0 * z[0] + (0.0 * states[0] if p.modes else 0.0)
    face, s, t, feature, best, facing = 0, zero, zero, 4, 1e300 + zero, zero
    i = 0
    while p.tree[BALL * i + 4] == 0.0:  # down to a ball near the point
        left, right = i + 1, int(p.tree[BALL * (i + 1) + 2])
        i = left if _from_ball(p, states, left, z) <= _from_ball(p, states, right, z) else right
    first = int(p.tree[BALL * i + 3])
    a, e, g = _sides(p, first, states, 0)
    s_j, t_j, _feature = foot(a, e, g, z)
    r = sub(z, add(a, add(scale(s_j, e), scale(t_j, g))))
    best = (dot(r, r) + zero) * (1.0 + 4.0 * SAME) + 1e-300
    i = 0
    while i < p.balls:
        low = _from_ball(p, states, i, z)
        if low > 0.0 and low * low > best * (1.0 + 4.0 * SAME):
            i = int(p.tree[BALL * i + 2])
            continue
        begin = int(p.tree[BALL * i + 3])
        for j in range(begin, begin + int(p.tree[BALL * i + 4])):
            a, e, g = _sides(p, j, states, 0)
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
    sign = 1.0
    if feature == 0:
        sign = 1.0 if facing >= 0.0 else -1.0
    elif facing < BEHIND * sqrt(best) and not _at_border(p, face, s, t, feature):
        sign = -1.0
    return face, s, t, feature, best, sign


def distance_facets(solid, z):
    """Signed distance of a point from a skin as it is deformed."""
    p = solid.p
    face, s, t, feature, _best, sign = _nearest(solid, z)
    a, e, g = _sides(p, face, solid.s, 0)
    r = sub(z, add(a, add(scale(s, e), scale(t, g))))
    zero = 0.0 * r[0]
    c = cross(e, g)
    n = scale(1.0 / norm(c), c)
    if feature == 0 or dot(r, r) <= (NEAR * p.extent) ** 2:
        u = across(n)
        return dot(n, r), n, u, zero, zero
    far = sign * norm(r)
    n = scale(1.0 / far, r)
    if feature == 4:
        return far, n, across(n), 1.0 / far, 1.0 / far
    along = _along(e, g, feature)
    return far, n, cross(n, scale(1.0 / norm(along), along)), 1.0 / far, zero


def _along(e, g, feature):
    """Direction of an edge: of its parameter s."""
    if feature == 2:
        return g
    if feature == 3:
        return sub(e, g)
    return e


def leave_facets(solid, z, h, Y):
    """The foot of z, in Y; its triangle, and where on that it lies."""
    p, states = solid.p, solid.s
    face, s, t, feature, best, sign = _nearest(solid, z)
    a, e, g = _sides(p, face, states, 0)
    v, v_e, v_g = _sides(p, face, states, 1)
    zero = 0.0 * z[0] + 0.0 * a[0]
    none = (zero, zero, zero)
    y = add(a, add(scale(s, e), scale(t, g)))
    before, e_0, g_0 = _sides(p, int(h.face_a), states, 0)
    store(Y, PLACE, add(y, none))
    store(Y, RATE, add(none, add(v, add(scale(s, v_e), scale(t, v_g)))))
    store(Y, BY_S, add(none, _along(e, g, feature)))
    store(Y, BY_T, add(none, g))
    store(Y, RATE_BY_S, add(none, _along(v_e, v_g, feature)))
    store(Y, RATE_BY_T, add(none, v_g))
    store(Y, BACK, add(none, sub(add(before, add(scale(h.s_a, e_0), scale(h.t_a, g_0))), y)))
    store(Y, BY_SS, none)
    store(Y, BY_ST, none)
    store(Y, BY_TT, none)
    inside = feature == 0 or best <= (NEAR * p.extent) ** 2
    Y[FREE_S] = (1.0 if feature < 4 else 0.0) + zero
    Y[FREE_T] = (1.0 if feature == 0 else 0.0) + zero
    Y[SIGN] = sign + zero
    if feature == 2:  # s goes along the side to c there
        Y[FACES] = zero
    else:
        Y[FACES] = (1.0 if inside else 0.0) + zero
    Y[PARAMETERS] = s + zero
    Y[PARAMETERS + 1] = t + zero
    Y[DISTANCE] = best
    return face, feature
