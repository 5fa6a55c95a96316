"""The skin of a full mesh as the solid that another surface touches.

Its vertices are nodes, seen from a frame that rests; what is remembered of a place is kept in the axes of the triangle that was touched there, so that it turns with the
material. The other surface touches at z, the foot on the triangle is at x = y_a(σ_a) with z − x along n. A force acts on the corners by their shares at x, and a
moment about x by the turning ω of the triangle (`flexor.contact.deformable.triangle_turning`). So −f at z, on a the moment (z − x) × (−f) about x, and its velocity
ẋ + ω × (z − x) there, keep momentum, angular momentum and energy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

from flexor.contact.deformable.deforming_partner import SOLVED, PairTouch, deforming_partner, keep, meet
from flexor.contact.deformable.deforming_solid import DeformingSolid
from flexor.contact.deformable.facet_solid import (
    PLACED,
    distance_facets,
    leave_facets,
    placed_sides,
    placed_vertex,
)
from flexor.contact.deformable.facets import BALL, Facets
from flexor.contact.deformable.material_point import BY_S, BY_T, PARAMETERS, POINT_WORDS, RATE_BY_S, RATE_BY_T
from flexor.contact.deformable.mesh_states import node_place
from flexor.contact.deformable.moving_touch import press
from flexor.contact.deformable.partner import Meeting, Partner
from flexor.contact.deformable.triangle_turning import Recalled, couple, triad, turning
from flexor.law.primitives import at
from flexor.law.record import number, numbers, tail
from flexor.law.tuples import add, cross, dot, mat, mm, mtv, mv, norm, store, store_mat, sub, transpose, vec

CORNERS = 9
"""Coordinates of a triangle."""


class MeshSolid(Facets):
    """Numbers of the skin of a full mesh that is touched."""

    nodes = tail("numbers of the nodes that its vertices are")


class MeshPairTouch(PairTouch):
    """History of the law: that of two surfaces, x, ξ and b's axes in those of the triangle if a is a full mesh; and where they touch now, as the watching law has found it."""

    point = number("of b: which of its nodes or points touches")
    yields = numbers(3, "likewise P")
    inward = number("likewise the radius of balls inside, with its sign", "m")
    face_now = number("of a: triangle")
    s_foot = number("likewise parameter of the foot")
    t_foot = number("likewise")
    holds = numbers(4, "likewise whether it is held, on which side it lies, and whether its normal counts")


def place_nodes(p, m, states, w):
    """All vertices with their velocities, and balls as wide as what is inside of them."""
    for i in range(p.vertices):
        store(w, PLACED * i, node_place(p, i, states, 0))
        store(w, PLACED * i + 3, node_place(p, i, states, 1))
    balls = PLACED * p.vertices
    for k in range(p.balls):
        i = p.balls - 1 - k  # from the leaves on
        middle = placed_vertex(p, int(p.tree[BALL * i]), w, 0)
        far = 0.0
        begin, count = int(p.tree[BALL * i + 3]), int(p.tree[BALL * i + 4])
        for j in range(3 * begin, 3 * (begin + count)):
            far = max(far, norm(sub(placed_vertex(p, int(p.corners[j]), w, 0), middle)))
        if count == 0:
            for child in (i + 1, int(p.tree[BALL * (i + 1) + 2])):
                inner = placed_vertex(p, int(p.tree[BALL * child]), w, 0)
                far = max(far, norm(sub(inner, middle)) + w[balls + child])
        w[balls + i] = far


def triangle_shapes(p, m, Y, found, S, w):
    """S of the coordinates of the corners, with their slopes along both parameters of the foot."""
    s, t = Y[PARAMETERS], Y[PARAMETERS + 1]
    feature = found[1]
    zero = 0.0 * s
    for i in range(m):
        corner = i // 3
        e = 1.0 if corner == 1 else -1.0 if corner == 0 else 0.0
        g = 1.0 if corner == 2 else -1.0 if corner == 0 else 0.0
        share = 1.0 - s - t if corner == 0 else s + zero if corner == 1 else t + zero
        along = g if feature == 2 else e - g if feature == 3 else e
        other = -e if feature == 2 else g
        for x in range(3):
            own = 1.0 if x == i - 3 * corner else 0.0
            S[9 * i + x] = own * share
            S[9 * i + 3 + x] = own * along + zero
            S[9 * i + 6 + x] = own * other + zero


def touched_axes(solid, h):
    """Axes of the triangle that was touched at the end of the last step, of a whole skin."""
    return triad(placed_sides(solid.p, int(h.face_a), solid.w, 0))


WHOLE = DeformingSolid(MeshSolid, place_nodes, distance_facets, leave_facets, triangle_shapes)
"""The skin of a full mesh, all of it."""


@cache
def mesh_partner(kind: DeformingSolid, balls: int, touched: Callable) -> Partner:
    """A full mesh that is touched by another surface; touched(solid, h): axes of the triangle that was at the end of the last step."""
    shapes = kind.shapes

    def meet_mesh(solid, Y, z_0, Q):  # type: ignore[no-untyped-def]
        met = meet(solid, Y, z_0, Q)
        foot = solid.foot
        spin = turning(vec(foot, BY_S), vec(foot, BY_T), vec(foot, RATE_BY_S), vec(foot, RATE_BY_T))
        rate = add(met.rate, cross(spin, sub(met.z, met.foot)))
        return Meeting(
            met.z, met.ds, met.dt, met.gap, met.normal, met.foot, rate, met.before, spin, met.foot_ds, met.foot_dt,
            met.steep, met.material,
        )  # fmt: skip

    def bear(solid, where, met, f, M, r):  # type: ignore[no-untyped-def]
        S = at(solid.foot, POINT_WORDS + SOLVED)
        shapes(solid.p, solid.m, solid.foot, where, S, solid.w)
        press(solid.m, S, met.foot_ds, met.foot_dt, f, r)
        F_e, F_g = couple(vec(solid.foot, BY_S), vec(solid.foot, BY_T), sub(cross(sub(met.z, met.foot), f), M))
        for i in range(solid.m):
            r[i] += dot(vec(S, 9 * i + 3), F_e) + dot(vec(S, 9 * i + 6), F_g)

    def keep_turning(solid, where, h):  # type: ignore[no-untyped-def]
        keep(solid, where, h)
        T = touched(solid, h)
        store(h.x, 0, mtv(T, vec(h.x, 0)))
        store(h.stretch, 0, mtv(T, vec(h.stretch, 0)))
        store(h.turn, 0, mtv(T, vec(h.turn, 0)))
        store_mat(h.R, 0, mm(transpose(T), mat(h.R, 0)))

    def past(solid, h):  # type: ignore[no-untyped-def]
        T = touched(solid, h)
        x, stretch, turn = mv(T, vec(h.x, 0)), mv(T, vec(h.stretch, 0)), mv(T, vec(h.turn, 0))
        return Recalled(h.impact, h.time, h.slid, x, stretch, turn, mm(T, mat(h.R, 0)))

    found = deforming_partner(kind, balls)
    return replace(found, history=MeshPairTouch, meet=meet_mesh, bear=bear, keep=keep_turning, past=past)
