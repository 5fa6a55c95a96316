"""The law of a contact between two surfaces that both deform, whose bodies float or are carried by connection nodes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from flexor.bodies.superelement.shadow_frame import FRAME_ERRORS, Shadow
from flexor.contact.deformable.carriage import NODE, give, state_of
from flexor.contact.deformable.deforming_partner import PairTouch, deforming_partner, foot_room
from flexor.contact.deformable.deforming_solid import Deformed, DeformingSolid
from flexor.contact.deformable.material_point import POINT_WORDS
from flexor.contact.deformable.moving_touch import ROOM, MovingNumbers, MovingSurface, moving_touch, searched_law
from flexor.law import RESIDUAL, Law
from flexor.law.face import Answer, State
from flexor.law.primitives import at
from flexor.law.record import integer, nested, tail


class PairRecord(MovingNumbers):
    """Parameters of the law; nodes and scalars: of a, the partner that is touched, then of b, whose surface moves over it."""

    nodes_a = integer("connection nodes of a; 0: it floats")
    nodes_b = integer("likewise of b")
    modes_a = integer("scalars of a")
    modes_b = integer("likewise of b")
    room_a = integer("words in which a is summed up")
    frame_a = nested(Shadow, "the frame that follows the connection nodes of a")
    frame_b = nested(Shadow, "likewise of b")
    solid = tail("numbers of a")


def pair_room(nodes: tuple[int, int], coordinates: tuple[int, int], rooms: tuple[int, int]) -> int:
    """Words that the law needs; nodes: connection nodes, coordinates of the shapes, rooms: of both."""
    m = sum(coordinates)
    own = 36 + 4 * m + 12 + NODE * sum(nodes)
    return ROOM + own + foot_room(coordinates[0]) + POINT_WORDS + 9 * coordinates[1] + sum(rooms)


@cache
def pair_law(solid: DeformingSolid, kind: MovingSurface, symmetric: bool) -> Law:
    """The law of a kind of surface b that moves over a kind of deforming solid a."""
    name = f"pair_touch_{solid.record.__name__}_{kind.record.__name__}"
    about = {"history": PairTouch, "errors": FRAME_ERRORS, "symmetric": symmetric}
    return searched_law(PairRecord, name, lambda known: _touching(solid, kind, known), **about)


def _touching(solid: DeformingSolid, kind: MovingSurface, known: bool) -> Callable:
    """The law as a function; known: as of `moving_touch`."""
    begin, inner = solid.begin, moving_touch(kind, deforming_partner(solid, kind.balls), known)
    record: Any = solid.record

    def touch(want, p, now, out):  # type: ignore[no-untyped-def]
        nodes_a, nodes_b, q_a, q_b = p.nodes_a, p.nodes_b, p.modes_a, p.modes_b
        m_a, m_b = 6 * nodes_a + q_a, 6 * nodes_b + q_b
        first = nodes_a if nodes_a > 0 else 1
        last = nodes_b if nodes_b > 0 else 1
        x, R, v = at(out.w, ROOM), at(out.w, ROOM + 6), at(out.w, ROOM + 24)
        z_a = at(out.w, ROOM + 36)
        z_b = at(z_a, 3 * m_a)
        r = at(z_b, 3 * m_b)
        bent_a = at(r, 12 + m_a + m_b)
        bent_b = at(bent_a, NODE * nodes_a)
        room_a = at(bent_b, NODE * nodes_b)
        foot = at(room_a, p.room_a)
        Y = at(foot, foot_room(m_a))
        status, R_a, W_a = state_of(p.frame_a, nodes_a, q_a, now.x, now.R, now.v, now.s, 0, x, R, v, z_a, bent_a)
        if status != 0:
            return status
        nodes = at(now.x, 3 * first), at(now.R, 9 * first), at(now.v, 6 * first)
        status, R_b, W_b = state_of(p.frame_b, nodes_b, q_b, *nodes, at(now.s, 3 * q_a), 1, x, R, v, z_b, bent_b)
        if status != 0:
            return status
        for i in range(12 + m_a + m_b):
            r[i] = 0.0
        body = Deformed(record(p.solid), m_a, z_a, room_a, foot)
        begin(body.p, m_a, z_a, room_a)
        seen = State(now.n, now.h, now.t, now.c, x, R, v, v, z_b, now.lam)
        inner(want, m_b, p, body, seen, Answer(r, out.K, out.w), Y)
        if want & RESIDUAL:
            modal_b, modal_a = at(r, 12), at(r, 12 + m_b)
            r_b, s_a = at(out.r, 6 * first), at(out.r, 6 * (first + last))
            give(p.frame_a, nodes_a, q_a, R_a, W_a, z_a, bent_a, r, modal_a, out.r, s_a)
            give(p.frame_b, nodes_b, q_b, R_b, W_b, z_b, bent_b, at(r, 6), modal_b, r_b, at(s_a, q_a))
        return 0

    return touch
