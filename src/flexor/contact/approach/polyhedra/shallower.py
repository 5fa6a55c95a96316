"""Which of several overlaps tells, where corners and edges of two polyhedra meet at one place.

Where the corner of one has gone past the edge of another, several pairs of their features overlap. As of convex solids, which have to be moved apart along the shortest
way, the shallowest counts, and others only if they are farther away than a few times their depth, or along the same direction: flat faces. A corner that lies nearly flat below a face counts
as deep as the edges there may end, wherever they do: it gives way to what is shallower than that, and others to it that are deeper. Edges that cross only as they lie nearly flat give way to any. Plain numbers.
"""

from __future__ import annotations

from collections.abc import Callable

from flexor.contact.approach.convex.flats import FLAT
from flexor.contact.approach.polyhedra.crossing import EXACTLY, overlapping, rod_at
from flexor.contact.approach.polyhedra.under import ball_of, surely_under
from flexor.contact.distance.triangles import FACE, NODE, from_box
from flexor.contact.surfaces.sharp import ROD
from flexor.law.primitives import called
from flexor.law.tuples import add, dot, mtv, mv, neg, scale, sub, transpose, vec

NEAR = 4.0
"""Distance of overlaps, in parts of the deeper one, within which they are one place."""
ABOUT = 4.5
"""Likewise of the corners and edges that may make them."""


@called
def shallower_near(a, b, p, R, g, n, x, sure):
    """Whether a shallower overlap in another direction is near one at x, g deep along n, or `sure` as it lies nearly flat"""
    back, turned = neg(mtv(R, p)), transpose(R)
    return (
        corner_near(a, b, p, R, g, n, x, sure)
        or corner_near(b, a, back, turned, g, neg(mtv(R, n)), mtv(R, sub(x, p)), sure)
        or edges_near(a, b, p, R, g, n, x, sure)
    )


def other_one(g, n, x, sure, own, m, y):
    """Whether an overlap own along m at y tells instead of that at x"""
    e = sub(y, x)
    return own > sure and dot(n, m) < FLAT and dot(e, e) < NEAR * NEAR * g * g


def corner_tells(a, b, j, p, R, g, n, x, sure):
    """Whether corner j of b, below a face of a, is one of them"""
    y = add(p, mv(R, vec(b.points, 3 * j)))
    e = sub(y, x)
    if dot(e, e) >= ABOUT * ABOUT * g * g:
        return False
    face, depth, lowest = surely_under(a, b, j, y, R, min(-sure, -ABOUT * g))
    if face < 0 or depth <= 0.0:
        return False
    m = vec(a.faces, FACE * face + 9)
    return other_one(g, n, x, sure, -lowest, m, add(y, scale(0.5 * depth, m)))


def edge_tells(a, b, j, p, R, g, n, x, sure):
    """Whether edge j of b, which crosses one of a, is one of them"""
    line = rod_at(b, j, p, R)
    return off_line(line, x) < ABOUT * ABOUT * g * g and crosses_near(a, b, j, line, p, R, g, n, x, sure)


def near(tells: Callable, edges: bool) -> Callable:
    """The function that asks all corners, or edges, of b near x."""

    def look(a, b, p, R, g, n, x, sure):  # type: ignore[no-untyped-def]
        nodes = b.rod_nodes if edges else b.point_nodes
        i, count = 0, int(nodes[6])
        while i < count:
            center, radius = ball_of(nodes, i, p, R)
            e, reach = sub(center, x), radius - ABOUT * g
            if dot(e, e) > reach * reach:
                i = int(nodes[NODE * i + 6])
                continue
            begin = int(nodes[NODE * i + 7])
            for j in range(begin, begin + int(nodes[NODE * i + 8])):
                if tells(a, b, j, p, R, g, n, x, sure):
                    return True
            i += 1
        return False

    return called(look)


corner_near, edges_near = near(corner_tells, False), near(edge_tells, True)


@called
def crosses_near(a, b, j, line, p, R, g, n, x, sure):
    """Whether it, a line, crosses such an edge of a"""
    i, count = 0, int(a.rod_nodes[6])
    while i < count:
        if from_box(a.rod_nodes, i, x) > ABOUT * ABOUT * g * g:
            i = int(a.rod_nodes[NODE * i + 6])
            continue
        begin = int(a.rod_nodes[NODE * i + 7])
        for k in range(begin, begin + int(a.rod_nodes[NODE * i + 8])):
            own = vec(a.rods, ROD * k), vec(a.rods, ROD * k + 3), a.rods[ROD * k + 6]
            if off_line(own, x) < ABOUT * ABOUT * g * g:
                s, m, y = overlapping(a, k, b, j, line, p, R, EXACTLY)
                if s < 0.0 and other_one(g, n, x, sure, s, m, y):
                    return True
        i += 1
    return False


@called
def off_line(line, x):
    """Square of the distance of a point from a line (begin, direction, length)"""
    e = sub(x, line[0])
    at = min(max(dot(e, line[1]), 0.0), line[2])
    e = sub(e, scale(at, line[1]))
    return dot(e, e)
