"""Where a skin of flat triangles is nearest to a solid, walking from the last triangle.

On one triangle the point of least distance from a ball is the foot of the perpendicular from its centre; from there it goes by Newton's iteration within the triangle, with a part of the metric
added to the curvature that grows where it does not lead down (Levenberg and Marquardt). If it rests on an edge or a corner, the triangles beyond are tried, and so on: a few of them in each step, whatever
the size of the mesh. At the end of each step a tree of balls around triangles tells whether another part of the skin is nearer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from flexor.contact.deformable.facets import BALL, along_edge, corners_of, foot, outward, radii, vertex
from flexor.contact.deformable.lowest_on_triangle import lowest
from flexor.contact.deformable.material_point import (
    BACK,
    GROWS,
    INWARD,
    OUT,
    SPIN,
    WAY,
    YIELD,
    bends,
    curvatures,
    inverse,
    leave_parameters,
    leave_place,
)
from flexor.law.dual import sqrt
from flexor.law.tuples import add, dot, mv, scale, store, sub

STEPS = 60
STILL = 1e-13
"""Move over a triangle, in parts of its sides, that is none."""
EASED, STIFFENED = 0.125, 8.0
"""By which the metric that is added to the curvature changes after a step that led down, or did not."""
BOLD = 0.1
"""Curvature of a solid that is flat as far as steps go, in parts of that of a ball as large as the triangle."""
WALK = 200
"""Triangles, at most, over which the point goes in one search."""
CLOSE = 1e-14
"""Distance, in parts of the size of the skin, that is none."""


def rising(e, g, rho_e, rho_g):
    """∇ρ in the plane of a triangle with the sides e and g, along which ρ grows by so much."""
    if rho_e == 0.0 and rho_g == 0.0:
        return scale(0.0, e)
    ee, eg, gg = dot(e, e), dot(e, g), dot(g, g)
    det = ee * gg - eg * eg
    return add(scale((rho_e * gg - rho_g * eg) / det, e), scale((rho_g * ee - rho_e * eg) / det, g))


@cache
def facet_walk(distance: Callable, corners: Callable) -> tuple[Callable, Callable]:
    """(lower, walk): the lower one of a point and that of a triangle which is nearest to a solid whose signed distance is given; the point that is reached downhill from there."""

    def on_face(p, size, face, states, z_0, Q):  # type: ignore[no-untyped-def]
        """(d − ρ, s, t, feature) of the lowest point of a triangle"""
        a, e, g = corners(p, face, states, 0)
        a, e, g = add(z_0, mv(Q, a)), mv(Q, e), mv(Q, g)
        zero = 0.0 * (a[0] + e[0])
        d_a, d_b, d_c = distance(size, a)[0], distance(size, add(a, e))[0], distance(size, add(a, g))[0]
        rho, rho_e, rho_g = radii(p, face)
        d_a, d_b, d_c = d_a - rho, d_b - rho - rho_e, d_c - rho - rho_g
        low, s, t, feature = d_a + zero, zero, zero, 4
        if d_b < low:
            low, s, t = d_b + zero, 1.0 + zero, zero
        if d_c < low:
            low, s, t = d_c + zero, zero, 1.0 + zero
        slope = rho_e, rho_g
        metric = dot(e, e), dot(e, g), dot(g, g)
        z = add(a, add(scale(s, e), scale(t, g)))
        n, across, k, c = derivatives(size, z)
        flat = BOLD / sqrt(max(metric[0], metric[2]))
        stiff = max(max(k, c), flat) + zero
        up = rising(e, g, rho_e, rho_g)
        s_new, t_new, found = foot(a, e, g, sub(z, scale(1.0 / stiff, sub(n, up))))  # on balls that is all
        for _ in range(STEPS):
            z = add(a, add(scale(s_new, e), scale(t_new, g)))
            d = distance(size, z)[0] - (rho + s_new * rho_e + t_new * rho_g) + zero
            rests = abs(s_new - s) + abs(t_new - t) <= STILL
            if d <= low + CLOSE * p.extent:
                low, s, t, feature = d, s_new, t_new, found
                n, across, k, c = derivatives(size, z)
                stiff *= EASED
            else:
                stiff *= STIFFENED
            if rests:
                break
            h = curvatures(e, g, n, across, k, c)
            G = dot(n, e) - slope[0], dot(n, g) - slope[1]
            held = h[0] + stiff * metric[0], h[1] + stiff * metric[1], h[2] + stiff * metric[2]
            s_new, t_new, found = lowest(s, t, G[0], G[1], held[0], held[1], held[2])
        return low, s, t, feature

    def derivatives(size, z):  # type: ignore[no-untyped-def]
        """(n, direction of the first curvature, both curvatures, hollow ones left out)"""
        d, n, across, k, c = distance(size, z)
        zero = 0.0 * (d + k + c)
        return n, across, max(k, 0.0) + zero, max(c, 0.0) + zero

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

    def leave(extent, size, rho, place, rates, spin, s, t, feature, before, out, d, z_0, Q, Y):  # type: ignore[no-untyped-def]
        """place: vertex a and the sides to b and c of the inner skin.   rates: their velocities.   spin: ω of it.   before: where the material is that touched at the end of the last step.   out: w.   rho: ρ of vertex a, and what it grows by along the sides."""
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
        store(Y, OUT, add(out, none))
        Y[INWARD] = rho[0] + s * rho[1] + t * rho[2] + zero
        Y[GROWS] = (rho[2] if feature == 2 else rho[1] - rho[2] if feature == 3 else rho[1]) + zero
        Y[GROWS + 1] = rho[2] + zero
        store(Y, SPIN, add(spin, none))

    return leave


def triangle_search(
    distance: Callable, corners: Callable, outward: Callable, turns: Callable, elsewhere: Callable
) -> Callable:
    """The search for the point of a skin nearest to a solid whose signed distance is given; elsewhere(p, size, states, z_0, Q, found): looks all over the skin.

    turns(p, face, states): ω of a triangle beyond the frame.
    """
    leave = point_of_face(distance)
    _lower, walk = facet_walk(distance, corners)

    def search(p, size, place, h, m, states, z_0, Q, Y, w, anew):  # type: ignore[no-untyped-def]
        """Leave the nearest point in Y, and tell its triangle and where on that it lies; anew: look all over the skin."""
        found = walk(p, size, int(h.face), states, z_0, Q)
        if anew:
            found = elsewhere(p, size, states, z_0, Q, found)
        face, d, s, t, feature = found
        a_0, e_0, g_0 = corners(p, int(h.face), states, 0)
        before = add(add(a_0, add(scale(h.s, e_0), scale(h.t, g_0))), outward(p, int(h.face), states, h.s, h.t))
        out = outward(p, face, states, s, t)
        now, rates = corners(p, face, states, 0), corners(p, face, states, 1)
        spin = turns(p, face, states)
        leave(p.extent, size, radii(p, face), now, rates, spin, s, t, feature, before, out, d, z_0, Q, Y)
        return face, feature

    return search


def with_its_frame(p, face, states):
    """ω of a body whose frame bears moments."""
    return 0.0, 0.0, 0.0


@cache
def facet_search(distance: Callable) -> Callable:
    """The search over the skin of a body with modes."""
    corners = corners_of(vertex)
    lower, _walk = facet_walk(distance, corners)

    def elsewhere(p, size, states, z_0, Q, found):  # type: ignore[no-untyped-def]
        i = 0
        while i < p.balls:
            middle = vertex(p, int(p.tree[BALL * i]), states, 0)
            low = distance(size, add(z_0, mv(Q, middle)))[0]
            if low - p.tree[BALL * i + 1] - p.ball >= found[1]:
                i = int(p.tree[BALL * i + 2])
                continue
            begin = int(p.tree[BALL * i + 3])
            for j in range(begin, begin + int(p.tree[BALL * i + 4])):
                found = lower(p, size, j, states, z_0, Q, found)
            i += 1
        return found

    return triangle_search(distance, corners, outward, with_its_frame, elsewhere)
