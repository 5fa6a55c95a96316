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
from typing import Any

from flexor.bodies.superelement.shadow_frame import FRAME_ERRORS
from flexor.contact.deformable.facet_search import point_of_face
from flexor.contact.deformable.facets import radii
from flexor.contact.deformable.inner_skin import carried, inner_triangle, on_sides
from flexor.contact.deformable.material_point import BACK, DISTANCE, PARAMETERS, POINT_WORDS
from flexor.contact.deformable.mesh_search import FACES, node_sides
from flexor.contact.deformable.mesh_states import BodyFrame, Nodes, body_frame, rest
from flexor.contact.deformable.moving_touch import (
    ROOM,
    MovingSurface,
    MovingTouch,
    moving_touch,
    pressing,
    surface_law,
)
from flexor.contact.deformable.rigid_partner import MovingRecord, placed, rigid_partner
from flexor.contact.deformable.skin_nodes import leave_fixed
from flexor.contact.deformable.triangle_turning import Recalled, couple, triad, turning
from flexor.contact.laws.friction import SurfaceFriction
from flexor.contact.laws.normal import Stiffness
from flexor.coordinates.frames import Frame
from flexor.law import COMMIT, MATRIX, RESIDUAL, Law, law
from flexor.law.face import Answer, State
from flexor.law.primitives import at
from flexor.law.record import Record, integer, nested, number, tail
from flexor.law.tuples import (
    add,
    cross,
    diagonal,
    madd,
    mat,
    mm,
    mscale,
    mv,
    neg,
    put,
    scale,
    store,
    store_mat,
    sub,
    transpose,
    vec,
)

POSES = 36
"""Words of the states of two nodes: of the rigid surface, and of the frame from which a skin is seen."""
POSED = ROOM + POINT_WORDS
"""Where they begin, behind the numbers of the point."""


class Watched(MovingRecord):
    """Parameters of the law that watches."""

    node = integer("number of the node of the rigid surface")
    seen = nested(BodyFrame, "the frame of the body that deforms")


class SkinPatch(Record):
    """Parameters of the law of a triangle or a node; its nodes: of the rigid surface, corners."""

    rigid = nested(Frame, "axes of the rigid surface on its node")
    stiffness = nested(Stiffness, "normal force")
    rubbing = nested(SurfaceFriction, "friction")
    extent = number("size of the skin", "m")
    ball = number("largest radius of the balls around its inner skin", "m")
    size = tail("numbers of the rigid surface")


def watching_room(carriers: int) -> int:
    """Words that the watching law needs."""
    return POSED + POSES + 12 * carriers


@cache
def watching_law(kind: MovingSurface, distance: Callable, rigid: Any) -> Law:
    """The law that watches a skin on a rigid surface, whose signed distance and record are given."""
    search, inner = kind.search(distance), moving_touch(kind, rigid_partner(distance, kind.balls))
    record: Any = kind.record
    by_triangle = kind is FACES

    def watch(want, p, now, out):  # type: ignore[no-untyped-def]
        poses = at(out.w, POSED)
        x, R, v = poses, at(poses, 6), at(poses, 24)
        x0, R0 = vec(now.x, 3 * p.node), diagonal(1.0)
        if p.turned:  # signals are told in the axes of the body
            status, x0, R0 = body_frame(p.seen, now, at(poses, POSES))
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
                if by_triangle:
                    store_mat(h.axes, 0, mm(R0, triad(node_sides(surface, int(h.face), states, 0))))
                if surface.ball > 0.0:
                    for i in range(9):
                        h.inner[i] = surface.inner[9 * where[0] + i]
                    store(h.rho, 0, radii(surface, where[0]))
            return 0
        seen = State(now.n, now.h, now.t, now.c, x, R, v, v, states, now.lam)
        if by_triangle:
            return told(want, p, size, seen, Answer(out.r, out.K, out.w), Y)
        return inner(want, 0, p, size, seen, Answer(out.r, out.K, out.w), Y)

    def told(want, p, size, seen, out, Y):  # type: ignore[no-untyped-def]
        """As the inner law, to which the axes of the triangle that touched are those of the body: they are remembered."""
        h, surface = MovingTouch(seen.h), record(p.surface)
        held = mat(h.R, 0)
        store_mat(h.R, 0, mm(held, transpose(triad(node_sides(surface, int(h.face), seen.s, 0)))))
        status = inner(want, 0, p, size, seen, out, Y)
        if want & COMMIT:
            held = mm(mat(h.R, 0), triad(node_sides(surface, int(h.face), seen.s, 0)))
        store_mat(h.R, 0, held)
        return status

    watch.__name__ = f"watch_{'faces' if kind is FACES else 'points'}_{rigid.__name__}".lower()
    return surface_law(Watched, watch, errors=FRAME_ERRORS, tangent="own", everywhere=True)


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
        point_now(p, now, h, size, x, R, Y)
        found = pressed(p, past(now, h), State(now.n, h, now.t, now.c, x, R, v, v, now.s, now.lam), size, Y)
        F, M, ds, dt = mv(found.A, found.f), mv(found.A, found.M), found.met.ds, found.met.dt
        put(out.r, 0, F)
        put(out.r, 3, sub(cross(found.arm, F), M))
        if by_triangle:
            s, t = h.s_now + ds, h.t_now + dt
            if h.feature == 2.0:
                s, t = h.s_now + 0.0 * ds, h.t_now + ds
            if h.feature == 3.0:
                t = h.t_now - ds
            put(out.r, 6, scale(s + t - 1.0, F))
            put(out.r, 12, scale(-s, F))
            put(out.r, 18, scale(-t, F))
            put_couple(now, M, out.r)
            if p.ball > 0.0:
                by_balls(now, h, s, t, mv(found.A, scale(found.N, found.met.normal)), F, found.arm, out.r)
        else:
            put(out.r, 6, scale(-1.0, F))
        return 0

    def node_now(p, now, h, size, x, R, Y):  # type: ignore[no-untyped-def]
        y = sub(vec(now.x, 3), vec(now.x, 0))
        leave_fixed(y, vec(now.v, 6), 0.0 * y[0], Y)

    def as_it_is(now, h):  # type: ignore[no-untyped-def]
        return h

    def turned(now, h):  # type: ignore[no-untyped-def]
        """What is remembered, with the axes of the triangle that touched as those of the body."""
        T = triad(sides(now))
        if h.face != h.acts:
            T = madd(mscale(0.0, T), mat(h.axes, 0))
        return Recalled(h.impact, h.time, h.slid, h.x, h.stretch, h.turn, mm(mat(h.R, 0), transpose(T)))

    def put_couple(now, M, r):  # type: ignore[no-untyped-def]
        """The moment of rolling and spinning on the corners."""
        _a, e, g = sides(now)
        F_e, F_g = couple(e, g, M)
        put(r, 6, neg(add(F_e, F_g)))
        put(r, 12, F_e)
        put(r, 18, F_g)

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
        s, t, spin = h.s_now, h.t_now, turning(e, g, v_e, v_g)
        before = add(a, add(scale(h.s, e), scale(h.t, g)))
        out = scale(0.0, a)
        if p.ball > 0.0:
            out = carried(h.inner, e, g, s, t)[3]
            a, e, g = inner_triangle(h.inner, a, e, g)
        if h.face != h.acts:
            before = add(add(a, add(scale(s, e), scale(t, g))), vec(h.back, 0))
        _A, _arm, z_0, Q = placed(p, x, R)
        place, rates, rho = (a, e, g), (v, v_e, v_g), vec(h.rho, 0)
        leave(p.extent, size, rho, place, rates, spin, s, t, int(h.feature), before, out, 0.0, z_0, Q, Y)

    point_now, past = (on_face, turned) if by_triangle else (node_now, as_it_is)
    touch.__name__ = f"touch_{'face' if by_triangle else 'point'}_{rigid.__name__}".lower()
    declared = law(SkinPatch, history=MovingTouch, scratch=POSED + POSES, symmetric=symmetric)
    return declared(touch)
