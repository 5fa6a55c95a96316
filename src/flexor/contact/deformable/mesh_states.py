"""States of the nodes of full meshes as the laws of contact see them: from frames that rest, at the body or elsewhere."""

from __future__ import annotations

from typing import NamedTuple

from flexor.bodies.superelement.shadow_frame import Shadow, find_frame
from flexor.contact.deformable.carriage import take_node
from flexor.law.primitives import Words, at
from flexor.law.record import Record, integer, nested, numbers, tail
from flexor.law.tuples import mat, mtv, mv, store, store_mat, sub, vec


class BodyFrame(Record):
    """The frame of a full mesh."""

    frame = nested(Shadow, "which follows some nodes")
    origin = numbers(3, "where that stands in the body's axes", "m")
    carriers = integer("how many nodes carry it")
    carrying = tail("their numbers")


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


def body_frame(p, now, room):
    """(status, origin, axes) of a full mesh"""
    x, R = room, at(room, 3 * p.carriers)
    for i in range(p.carriers):
        node = int(p.carrying[i])
        store(x, 3 * i, vec(now.x, 3 * node))
        store_mat(R, 9 * i, mat(now.R, 9 * node))
    status, x0, R0 = find_frame(p.frame, p.carriers, x, R)
    return status, sub(x0, mv(R0, vec(p.origin, 0))), R0


def rest(x, R, v, node, x0, R0, into_x, into_R, into_v):
    """The state of a node, and behind it that of a frame that rests."""
    take_node(at(x, 3 * node), at(R, 9 * node), at(v, 6 * node), 0, into_x, into_R, into_v)
    rest_at(1, x0, R0, into_x, into_R, into_v)


def rest_at(place, x0, R0, x, R, v):
    """Leave the state of a frame that rests as number `place` in x, R, v."""
    zero = 0.0 * x0[0]
    store(x, 3 * place, x0)
    for i in range(9):
        R[9 * place + i] = R0[i] + zero
    for i in range(6):
        v[6 * place + i] = zero
