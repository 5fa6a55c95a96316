"""Contact between two surfaces that deform, one or both of which are skins of full meshes: one term watches, and of many that stand by those act that touch.

As of a full mesh on a rigid body (`flexor.contact.deformable.mesh_touch`) the watching term sees the states of all nodes, finds the places and leaves them in the history. Nodes of a
full mesh b touch each by itself; on a full mesh a there is a term for each of its triangles and each place of b. So a term acts on what carries a body with modes, on the corners of a
triangle of a, on a node of b: two of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

from flexor.bodies.superelement.shadow_frame import FRAME_ERRORS, Shadow
from flexor.contact.deformable.carriage import NODE, give, state_of
from flexor.contact.deformable.deforming_partner import deforming_partner, foot_room, placed
from flexor.contact.deformable.deforming_solid import Deformed, DeformingSolid
from flexor.contact.deformable.facet_solid import PLACED
from flexor.contact.deformable.known_place import KNOWN_FEET, KNOWN_POINTS, known_axes, note
from flexor.contact.deformable.material_point import DISTANCE, POINT_WORDS
from flexor.contact.deformable.mesh_search import POINTS
from flexor.contact.deformable.mesh_solid import CORNERS, WHOLE, MeshPairTouch, mesh_partner, touched_axes
from flexor.contact.deformable.mesh_states import BodyFrame, Nodes, body_frame, rest_at
from flexor.contact.deformable.mesh_touch import POSES
from flexor.contact.deformable.moving_touch import (
    ROOM,
    MovingNumbers,
    MovingSurface,
    moving_touch,
    press,
    pressing,
    surface_law,
)
from flexor.contact.deformable.partner import Partner
from flexor.contact.deformable.skin_nodes import leave_fixed
from flexor.contact.touch_law import put_wrenches
from flexor.law import MATRIX, RESIDUAL, Law, law
from flexor.law.face import Answer, State
from flexor.law.primitives import at
from flexor.law.record import integer, nested, number, tail
from flexor.law.tuples import diagonal, mm, mtv, mv, neg, put, store, store_mat, sub, vec


class WatchedPair(MovingNumbers):
    """Parameters of the law that watches; its scalars: of the body with modes, if there is one."""

    node = integer("first node of the body with modes")
    nodes = integer("how many connection nodes that has; 0: it floats")
    modes = integer("how many scalars it has")
    shadow = nested(Shadow, "the frame that follows its connection nodes")
    seen = nested(BodyFrame, "the frame of a full mesh in whose axes signals are told")
    room_a = integer("words in which a is summed up")
    solid = tail("numbers of a")


class PairPatch(MovingNumbers):
    """Parameters of the law that acts; its nodes: corners of a triangle of a, or what carries a; a node of b, or what carries b."""

    nodes = integer("connection nodes of the body with modes; 0: it floats, or there is none")
    modes = integer("how many scalars it has")
    shadow = nested(Shadow, "the frame that follows its connection nodes")
    extent = number("size of a", "m")
    room_a = integer("words in which a is summed up")
    solid = tail("numbers of a, if it has modes")


def pair_rooms(nodes: int, coordinates: int, rooms: tuple[int, int], carrying: int) -> tuple[int, int]:
    """Words that both laws need: which watches, which acts; nodes, coordinates: of the body with modes; rooms: of a and b; carrying: nodes that carry the frame of a full mesh."""
    own = ROOM + POSES + 3 * coordinates + NODE * nodes + POINT_WORDS + 9 * coordinates + sum(rooms)
    watching = own + foot_room(coordinates) + 12 * carrying
    acting = own + foot_room(max(coordinates, CORNERS)) + 12 + coordinates + CORNERS + 3 * PLACED
    return watching, acting


@cache
def watching_pair(solid: DeformingSolid, kind: MovingSurface) -> Law:
    """The law that watches a kind of surface b over a kind of solid a."""
    mesh_a, mesh_b = solid is WHOLE, kind is POINTS
    slot = int(mesh_a)  # of the body with modes
    partner = _partner(solid, kind.balls, touched_axes)
    search, begin, inner, leave = kind.search(partner.distance), kind.begin, moving_touch(kind, partner), partner.leave
    begin_solid = solid.begin
    record: Any = kind.record
    record_a: Any = solid.record

    def watch(want, p, now, out):  # type: ignore[no-untyped-def]
        m = 6 * p.nodes + p.modes
        x, R, v = at(out.w, ROOM), at(out.w, ROOM + 6), at(out.w, ROOM + 24)
        z = at(out.w, ROOM + POSES)
        bent = at(z, 3 * m)
        room_a = at(bent, NODE * p.nodes)
        foot = at(room_a, p.room_a)
        carriers = at(foot, foot_room(m))
        Y = at(carriers, 12 * p.seen.carriers)
        room_b = at(Y, POINT_WORDS + 9 * m)
        status, x0, R0 = 0, (0.0, 0.0, 0.0), diagonal(1.0)
        if p.seen.carriers > 0:
            status, x0, R0 = body_frame(p.seen, now, carriers)
        if status == 0 and not (mesh_a and mesh_b):
            nodes = at(now.x, 3 * p.node), at(now.R, 9 * p.node), at(now.v, 6 * p.node)
            status, _R, _W = state_of(p.shadow, p.nodes, p.modes, *nodes, now.s, slot, x, R, v, z, bent)
        if status != 0:
            return status
        if mesh_a and mesh_b:  # the frame is that of one of them
            rest_at(1 - p.turned, (0.0, 0.0, 0.0), diagonal(1.0), x, R, v)
            rest_at(p.turned, x0, R0, x, R, v)
        elif mesh_a:
            rest_at(0, x0, R0, x, R, v)
        else:
            rest_at(1, x0, R0, x, R, v)
        body = Deformed(record_a(p.solid), m_a(m), z, room_a, foot)
        begin_solid(body.p, m_a(m), states_a(now, x, R, z), room_a)
        states = states_b(now, x, R, z)
        if want & (RESIDUAL | MATRIX):
            surface = record(p.surface)
            begin(surface, m_b(m), states, room_b)
            _A, _arm, z_0, Q = placed(p, x, R)
            R_a = vec9(R)
            for k in range(p.places):
                h = MeshPairTouch(now.h, k)
                where = search(surface, body, k, h, m_b(m), states, z_0, Q, Y, room_b, False)
                h.acts = -1.0
                if Y[DISTANCE] < 0.0:
                    on = leave(body, Y, z_0, Q, h)
                    note(h, Y, where, foot, on, R_a)
                    h.acts = acting_on(on)
                    leave_axes(body, h, R_a)
            return 0
        seen = State(now.n, now.h, now.t, now.c, x, R, v, v, states, now.lam)
        return inner(want, m_b(m), p, body, seen, Answer(out.r, out.K, out.w), Y)

    def m_a(m):  # type: ignore[no-untyped-def]
        return 0 if mesh_a else m

    def m_b(m):  # type: ignore[no-untyped-def]
        return 0 if mesh_b else m

    def acting_on(on):  # type: ignore[no-untyped-def]
        """Which of the terms of a place acts."""
        return float(on[0]) if mesh_a else 1.0

    states_a, states_b = _nodes_in(0) if mesh_a else _modes, _nodes_in(1) if mesh_b else _modes
    leave_axes = _leave_axes if mesh_a else _no_axes
    watch.__name__ = f"watch_pair_{record_a.__name__}_{record.__name__}".lower()
    about = {"history": MeshPairTouch, "errors": FRAME_ERRORS, "tangent": "own", "everywhere": True}
    return surface_law(WatchedPair, watch, **about)


def _partner(solid: DeformingSolid, balls: int, touched: Callable) -> Partner:
    if solid is WHOLE or solid.shapes is WHOLE.shapes:
        return mesh_partner(solid, balls, touched)
    return replace(deforming_partner(solid, bool(balls)), history=MeshPairTouch)


def vec9(R):
    """The axes of the first frame."""
    return R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]


@cache
def _nodes_in(slot: int) -> Callable:
    """States of all nodes as seen from one of the two frames."""

    def states(now, x, R, z):  # type: ignore[no-untyped-def]
        o = 9 * slot
        axes = R[o], R[o + 1], R[o + 2], R[o + 3], R[o + 4], R[o + 5], R[o + 6], R[o + 7], R[o + 8]
        return Nodes(now.x, now.v, vec(x, 3 * slot), axes)

    return states


def _modes(now, x, R, z):
    """States of the coordinates of a body with modes."""
    return z


def _leave_axes(body, h, R):
    store_mat(h.axes, 0, mm(R, touched_axes(body, h)))


def _no_axes(body, h, R):
    """Of a body whose frame carries what is remembered."""


@cache
def acting_pair(solid: DeformingSolid, kind: MovingSurface, symmetric: bool) -> Law:
    """The law of one place, on what carries both bodies there."""
    mesh_a, mesh_b = solid is WHOLE, kind is POINTS
    slot = int(mesh_a)  # of the body with modes
    known = KNOWN_FEET[solid.record]
    partner = _partner(known, kind.balls, known_axes)
    pressed, leave, bear = pressing(partner), partner.leave, partner.bear
    begin_solid, begin, shapes = known.begin, kind.begin, kind.shapes
    known_point: Any = KNOWN_POINTS.get(kind.record)
    record: Any = kind.record
    record_a: Any = solid.record
    first_b = 3 if mesh_a else 0
    """Where a body b with modes begins; a full mesh b stands behind what carries a."""

    def touch(want, p, now, out):  # type: ignore[no-untyped-def]
        h, m = now.h, 6 * p.nodes + p.modes
        x, R, v = at(out.w, ROOM), at(out.w, ROOM + 6), at(out.w, ROOM + 24)
        z = at(out.w, ROOM + POSES)
        bent = at(z, 3 * m)
        room_a = at(bent, NODE * p.nodes)
        corners = at(room_a, p.room_a)
        foot = at(corners, 3 * PLACED)
        r = at(foot, foot_room(m if m > CORNERS else CORNERS))
        Y = at(r, 12 + m + CORNERS)
        S = at(Y, POINT_WORDS)
        room_b = at(S, 9 * m)
        for i in range(12 + m + CORNERS):
            r[i] = 0.0 * now.x[0]
        status, R_0, W = carried(p, now, x, R, v, z, bent)
        if status != 0:
            return status
        body = solid_now(p, now, x, R, v, z, room_a, corners, foot)
        point_now(p, now, h, x, R, v, z, Y, room_b)
        _A, _arm, z_0, Q = placed(p, x, R)
        on = leave(body, Y, z_0, Q, h)
        found = pressed(p, h, State(now.n, h, now.t, now.c, x, R, v, v, z, now.lam), body, Y)
        F, f = mv(found.A, found.f), found.f
        put_wrenches(r, F, mv(found.A, found.M), found.arm, found.other)
        put_b(p, now, h, found, F, mtv(Q, f), z, bent, R_0, W, Y, S, room_b, r, out.r)
        forces_a = at(r, 12 if mesh_b else 12 + m)
        bear(body, on, found.met, f, found.M, forces_a)
        put_a(p, now, z, bent, R_0, W, r, forces_a, out.r)
        return 0

    def body_with_modes(p, now, x, R, v, z, bent):  # type: ignore[no-untyped-def]
        """(status, axes, W⁻¹) of what carries the body with modes"""
        o = first_b
        nodes = at(now.x, 3 * o), at(now.R, 9 * o), at(now.v, 6 * o)
        return state_of(p.shadow, p.nodes, p.modes, *nodes, now.s, slot, x, R, v, z, bent)

    def meshes_alone(p, now, x, R, v, z, bent):  # type: ignore[no-untyped-def]
        return 0, diagonal(1.0), diagonal(1.0)

    def triangle(p, now, x, R, v, z, room, corners, foot):  # type: ignore[no-untyped-def]
        """The solid of a full mesh: the triangle that is touched."""
        zero = 0.0 * now.x[0]
        rest_at(0, (zero, zero, zero), diagonal(1.0), x, R, v)
        for i in range(3):
            store(corners, PLACED * i, vec(now.x, 3 * i))
            store(corners, PLACED * i + 3, vec(now.v, 6 * i))
        return Deformed(p, CORNERS, corners, corners, foot)

    def solid_with_modes(p, now, x, R, v, z, room, corners, foot):  # type: ignore[no-untyped-def]
        m = 6 * p.nodes + p.modes
        body = Deformed(record_a(p.solid), m, z, room, foot)
        begin_solid(body.p, m, z, room)
        return body

    def node(p, now, h, x, R, v, z, Y, room):  # type: ignore[no-untyped-def]
        """The point of a full mesh b: its node, seen from itself."""
        o = node_b(p)
        u = vec(now.x, 3 * o)
        rest_at(1, u, diagonal(1.0), x, R, v)
        leave_fixed(sub(u, u), vec(now.v, 6 * o), 0.0 * u[0], Y)

    def point(p, now, h, x, R, v, z, Y, room):  # type: ignore[no-untyped-def]
        surface = record(p.surface)
        begin(surface, 6 * p.nodes + p.modes, z, room)
        known_point(surface, h, z, Y, room)

    def node_b(p):  # type: ignore[no-untyped-def]
        """Which of its nodes is that of a full mesh b."""
        if mesh_a:
            return 3
        return p.nodes if p.nodes > 0 else 1

    def on_node(p, now, h, found, F, f, z, bent, R_0, W, Y, S, room, r, out):  # type: ignore[no-untyped-def]
        put(out, 6 * node_b(p), neg(F))

    def on_modes(p, now, h, found, F, f, z, bent, R_0, W, Y, S, room, r, out):  # type: ignore[no-untyped-def]
        m = 6 * p.nodes + p.modes
        shapes(record(p.surface), m, Y, (int(h.point), 0), S, room)
        press(m, S, found.met.ds, found.met.dt, neg(f), at(r, 12))
        scalars = at(out, 6 * now.n.nodes)
        give(p.shadow, p.nodes, p.modes, R_0, W, z, bent, at(r, 6), at(r, 12), at(out, 6 * first_b), scalars)

    def on_corners(p, now, z, bent, R_0, W, r, forces, out):  # type: ignore[no-untyped-def]
        for i in range(3):
            put(out, 6 * i, vec(forces, 3 * i))

    def on_solid(p, now, z, bent, R_0, W, r, forces, out):  # type: ignore[no-untyped-def]
        give(p.shadow, p.nodes, p.modes, R_0, W, z, bent, r, forces, out, at(out, 6 * now.n.nodes))

    carried = meshes_alone if mesh_a and mesh_b else body_with_modes
    solid_now, put_a = (triangle, on_corners) if mesh_a else (solid_with_modes, on_solid)
    point_now, put_b = (node, on_node) if mesh_b else (point, on_modes)
    touch.__name__ = f"act_pair_{record_a.__name__}_{record.__name__}".lower()
    return law(PairPatch, history=MeshPairTouch, errors=FRAME_ERRORS, symmetric=symmetric)(touch)
