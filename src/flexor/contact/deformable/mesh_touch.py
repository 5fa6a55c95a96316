"""Contact over the skin of a full mesh: one term watches, and of many that stand by, each on the few nodes of a triangle, those act that touch.

A law on all nodes of a skin would fill the matrix. So the contact has

- a term that watches: without nodes of its own, it sees the states of all. It finds the point of the skin that is nearest to the solid, as that of other bodies
  that deform is found (`flexor.contact.deformable.facets`, `skin_nodes`), leaves it in the history, and tells signals, energies and lengths of steps;
- for each triangle, or node, a term on it and on the rigid body, which is asked for its force only where the watching one says so:

    y = a + s e + t g,   F = N n − T at y:     (1 − s − t) F, s F, t F on the corners,   −F on the rigid body at the same place

Point and force are those of `flexor.contact.deformable.moving_touch`, seen from a frame that rests, at the node of the rigid body.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from flexor.bodies.superelement.shadow_frame import FRAME_ERRORS, Shadow, find_frame
from flexor.contact.deformable.facet_search import facet_walk, point_of_face, triangle_search
from flexor.contact.deformable.facets import corners_of, radii
from flexor.contact.deformable.inner_skin import carried, inner_triangle, on_sides
from flexor.contact.deformable.material_point import BACK, DISTANCE, PARAMETERS, POINT_WORDS
from flexor.contact.deformable.moving_touch import (
    ROOM,
    WITHIN,
    MovingSurface,
    MovingTouch,
    moving_touch,
    nothing_to_begin,
    pressing,
    surface_law,
)
from flexor.contact.deformable.rigid_partner import MovingRecord, placed, rigid_partner
from flexor.contact.deformable.skin_nodes import leave_fixed
from flexor.contact.laws.friction import SurfaceFriction
from flexor.contact.laws.normal import Stiffness
from flexor.coordinates.frames import Frame
from flexor.law import MATRIX, RESIDUAL, Law, law
from flexor.law.face import Answer, State
from flexor.law.primitives import Words, at
from flexor.law.record import Record, integer, nested, number, numbers, tail
from flexor.law.tuples import add, cross, diagonal, dot, mat, mtv, mv, put, scale, store, store_mat, sub, vec

POSES = 36
"""Words of the states of two nodes: of the rigid surface, and of the frame from which a skin is seen."""
POSED = ROOM + POINT_WORDS
"""Where they begin, behind the numbers of the point."""


class SkinNumbers(Record):
    """Numbers of the skin of a full mesh."""

    extent = number("its size", "m")
    ball = number(
        "largest radius of the balls around an inner skin by which it touches solids with edges; 0: none", "m"
    )
    faces = integer("how many triangles")
    nodes = tail("numbers of the nodes that its vertices are")
    corners = tail("vertices of the triangles, 3 each")
    first = tail("where the triangles around each vertex begin, and the end")
    around = tail("triangles around the vertices")
    inner = tail("α, β, γ of the corners of the triangles, 9 each, or none")
    rho = tail("radii of the balls at the vertices, or none", "m")


class Watched(MovingRecord):
    """Parameters of the law that watches."""

    node = integer("number of the node of the rigid surface")
    frame = nested(Shadow, "the frame of the body that deforms")
    origin = numbers(3, "where that stands in the body's axes", "m")
    carriers = integer("how many nodes carry it")
    carrying = tail("their numbers")


class SkinPatch(Record):
    """Parameters of the law of a triangle or a node; its nodes: of the rigid surface, corners."""

    rigid = nested(Frame, "axes of the rigid surface on its node")
    stiffness = nested(Stiffness, "normal force")
    rubbing = nested(SurfaceFriction, "friction")
    extent = number("size of the skin", "m")
    ball = number("largest radius of the balls around its inner skin", "m")
    size = tail("numbers of the rigid surface")


class Nodes(NamedTuple):
    """States of all nodes, and the frame from which a skin is seen."""

    x: Words
    v: Words
    x0: tuple
    R0: tuple


def node_place(p, i, states, rate):
    """Where a vertex is seen, or (rate 1) its velocity in these axes."""
    node = int(p.nodes[i])
    if rate:
        return mtv(states.R0, vec(states.v, 6 * node))
    return mtv(states.R0, sub(vec(states.x, 3 * node), states.x0))


_sides = corners_of(node_place)
"""Vertex a of a triangle, and the sides to b and c."""


def inner_corners(p, face, states, rate):
    """Likewise of the inner skin, if there is one; velocities (rate 1) are those of the skin."""
    a, e, g = _sides(p, face, states, rate)
    if rate or p.ball == 0.0:
        return a, e, g
    return inner_triangle(at(p.inner, 9 * face), a, e, g)


def node_outward(p, face, states, s, t):
    """w at a point of a triangle."""
    _a, e, g = _sides(p, face, states, 0)
    zero = 0.0 * (e[0] + s)
    if p.ball == 0.0:
        return zero, zero, zero
    return carried(at(p.inner, 9 * face), e, g, s, t)[3]


@cache
def face_search(distance: Callable) -> Callable:
    """The search over the triangles of the skin of a full mesh."""
    lower, _walk = facet_walk(distance, inner_corners)

    def elsewhere(p, size, states, z_0, Q, found):  # type: ignore[no-untyped-def]
        """All triangles that may be nearer, as no point of one is farther from a corner than the longer side there is long."""
        for j in range(p.faces):
            a, e, g = inner_corners(p, j, states, 0)
            above = distance(size, add(z_0, mv(Q, a)))[0] - p.ball - found[1]
            if above <= 0.0 or above * above < max(dot(e, e), dot(g, g)):
                found = lower(p, size, j, states, z_0, Q, found)
        return found

    return triangle_search(distance, inner_corners, node_outward, elsewhere)


@cache
def place_search(distance: Callable) -> Callable:
    """The distance of a node of a skin from a solid whose signed distance is given."""

    def search(p, size, place, h, m, states, z_0, Q, Y, w, anew):  # type: ignore[no-untyped-def]
        y = node_place(p, place, states, 0)
        leave_fixed(y, node_place(p, place, states, 1), distance(size, add(z_0, mv(Q, y)))[0], Y)
        return 1, 0

    return search


def _no_shapes(p, m, Y, found, S, w):
    """A full mesh has no modes."""


FACES = MovingSurface(SkinNumbers, face_search, _no_shapes, nothing_to_begin, WITHIN)
POINTS = MovingSurface(SkinNumbers, place_search, _no_shapes, nothing_to_begin)
"""A skin that touches with the nearest point of its triangles, and one whose nodes touch each by itself."""


def watching_room(carriers: int) -> int:
    """Words that the watching law needs."""
    return POSED + POSES + 12 * carriers


@cache
def watching_law(kind: MovingSurface, distance: Callable, rigid: Any) -> Law:
    """The law that watches a skin on a rigid surface, whose signed distance and record are given."""
    search, inner = kind.search(distance), moving_touch(kind, rigid_partner(distance, kind.balls))
    record: Any = kind.record

    def watch(want, p, now, out):  # type: ignore[no-untyped-def]
        poses = at(out.w, POSED)
        x, R, v = poses, at(poses, 6), at(poses, 24)
        x0, R0 = vec(now.x, 3 * p.node), diagonal(1.0)
        if p.turned:  # signals are told in the axes of the body
            status, x0, R0 = body_frame(p, now, at(poses, POSES))
            if status != 0:
                return status
        rest(now.x, now.R, now.v, p.node, x0, R0, x, R, v)
        states: Any = Nodes(now.x, now.v, x0, R0)
        Y, size = at(out.w, ROOM), rigid(p.size)
        if want & (RESIDUAL | MATRIX):
            surface = record(p.surface)
            _A, _arm, z_0, Q = placed(p, x, R)
            for k in range(p.places):
                h = MovingTouch(now.h, k)
                where = search(surface, size, k, h, 0, states, z_0, Q, Y, Y, False)
                h.acts = float(where[0]) if Y[DISTANCE] < 0.0 else -1.0
                h.s_now, h.t_now, h.feature = Y[PARAMETERS], Y[PARAMETERS + 1], float(where[1])
                store(h.back, 0, mv(R0, vec(Y, BACK)))
                if surface.ball > 0.0:
                    for i in range(9):
                        h.inner[i] = surface.inner[9 * where[0] + i]
                    store(h.rho, 0, radii(surface, where[0]))
            return 0
        seen = State(now.n, now.h, now.t, now.c, x, R, v, v, states, now.lam)
        return inner(want, 0, p, size, seen, Answer(out.r, out.K, out.w), Y)

    def body_frame(p, now, room):  # type: ignore[no-untyped-def]
        """(status, origin, axes) of the body that deforms"""
        x, R = room, at(room, 3 * p.carriers)
        for i in range(p.carriers):
            node = int(p.carrying[i])
            store(x, 3 * i, vec(now.x, 3 * node))
            store_mat(R, 9 * i, mat(now.R, 9 * node))
        status, x0, R0 = find_frame(p.frame, p.carriers, x, R)
        return status, sub(x0, mv(R0, vec(p.origin, 0))), R0

    watch.__name__ = f"watch_{'faces' if kind is FACES else 'points'}_{rigid.__name__}".lower()
    return surface_law(Watched, watch, errors=FRAME_ERRORS, tangent="own", everywhere=True)


def rest(x, R, v, node, x0, R0, into_x, into_R, into_v):
    """The state of a node, and behind it that of a frame that rests."""
    zero = 0.0 * (x[3 * node] + x0[0])
    store(into_x, 0, vec(x, 3 * node))
    store(into_x, 3, x0)
    store_mat(into_R, 0, mat(R, 9 * node))
    for i in range(9):
        into_R[9 + i] = R0[i] + zero
    for i in range(6):
        into_v[i] = v[6 * node + i]
        into_v[6 + i] = zero


@cache
def touching_law(kind: MovingSurface, distance: Callable, rigid: Any, symmetric: bool) -> Law:
    """The law of one triangle, or one node, of a skin on a rigid surface."""
    leave, pressed = point_of_face(distance), pressing(rigid_partner(distance, kind.balls))
    by_triangle = kind is FACES

    def touch(want, p, now, out):  # type: ignore[no-untyped-def]
        h, size = now.h, rigid(p.size)
        Y, poses = at(out.w, ROOM), at(out.w, POSED)
        x, R, v = poses, at(poses, 6), at(poses, 24)
        rest(now.x, now.R, now.v, 0, vec(now.x, 0), diagonal(1.0), x, R, v)
        if by_triangle:
            on_face(p, now, h, size, x, R, Y)
        else:
            y = sub(vec(now.x, 3), vec(now.x, 0))
            leave_fixed(y, vec(now.v, 6), 0.0 * y[0], Y)
        found = pressed(p, h, State(now.n, h, now.t, now.c, x, R, v, v, now.s, now.lam), size, Y)
        F, ds, dt = mv(found.A, found.f), found.met.ds, found.met.dt
        put(out.r, 0, F)
        put(out.r, 3, cross(found.arm, F))
        if by_triangle:
            s, t = h.s_now + ds, h.t_now + dt
            if h.feature == 2.0:
                s, t = h.s_now + 0.0 * ds, h.t_now + ds
            if h.feature == 3.0:
                t = h.t_now - ds
            put(out.r, 6, scale(s + t - 1.0, F))
            put(out.r, 12, scale(-s, F))
            put(out.r, 18, scale(-t, F))
            if p.ball > 0.0:
                by_balls(now, h, s, t, mv(found.A, scale(found.N, found.met.normal)), F, found.arm, out.r)
        else:
            put(out.r, 6, scale(-1.0, F))
        return 0

    def by_balls(now, h, s, t, F_n, F, arm, r):  # type: ignore[no-untyped-def]
        """What the normal force does beyond its shares as it acts on the inner skin, and friction, T = F_n − F, as it acts on the skin."""
        a, e, g = sides(now)
        on_e, on_g = on_sides(h.inner, e, g, s, t, F_n)
        put(r, 6, add(on_e, on_g))
        put(r, 12, scale(-1.0, on_e))
        put(r, 18, scale(-1.0, on_g))
        y = add(a, add(scale(s, e), scale(t, g)))
        put(r, 3, cross(sub(y, arm), sub(F, F_n)))

    def sides(now):  # type: ignore[no-untyped-def]
        """Vertex a, seen from the rigid node, and the sides to b and c."""
        return sub(vec(now.x, 3), vec(now.x, 0)), sub(vec(now.x, 6), vec(now.x, 3)), sub(vec(now.x, 9), vec(now.x, 3))

    def on_face(p, now, h, size, x, R, Y):  # type: ignore[no-untyped-def]
        """The point that the watching law has found; where the triangle has not changed the material that touched before is on it."""
        (a, e, g), v = sides(now), vec(now.v, 6)
        v_e, v_g = sub(vec(now.v, 12), v), sub(vec(now.v, 18), v)
        s, t = h.s_now, h.t_now
        before = add(a, add(scale(h.s, e), scale(h.t, g)))
        out = scale(0.0, a)
        if p.ball > 0.0:
            out = carried(h.inner, e, g, s, t)[3]
            a, e, g = inner_triangle(h.inner, a, e, g)
        if h.face != h.acts:
            before = add(add(a, add(scale(s, e), scale(t, g))), vec(h.back, 0))
        _A, _arm, z_0, Q = placed(p, x, R)
        leave(
            p.extent, size, vec(h.rho, 0), (a, e, g), (v, v_e, v_g), s, t, int(h.feature), before, out, 0.0, z_0, Q, Y
        )

    touch.__name__ = f"touch_{'face' if by_triangle else 'point'}_{rigid.__name__}".lower()
    declared = law(SkinPatch, history=MovingTouch, scratch=POSED + POSES, symmetric=symmetric)
    return declared(touch)
