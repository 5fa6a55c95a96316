"""Which face of a triangulated surface a corner of another one lies below; plain numbers."""

from __future__ import annotations

from flexor.contact.distance.triangles import (
    FACE,
    NODE,
    distance_triangles,
    foot_on_triangle,
    from_box,
    from_triangle,
    nearer_triangle,
)
from flexor.contact.surfaces.sharp import LYING
from flexor.law.dual import sqrt
from flexor.law.primitives import called
from flexor.law.tuples import add, dot, mtv, mv, scale, sub, vec

EDGE = 1e-9
"""Distance beyond the border of a face, in parts of the extent, that belongs to it."""


@called
def ball_of(nodes, i, p, R):
    """(centre, radius) of a ball around the i-th box of a tree, standing at p, R"""
    o = NODE * i
    low, high = vec(nodes, o), vec(nodes, o + 3)
    half = scale(0.5, sub(high, low))
    return add(p, mv(R, scale(0.5, add(low, high)))), sqrt(dot(half, half))


@called
def outside(a, center, radius):
    """Whether a ball lies wholly outside of a solid, but for what counts as lying on its border"""
    reach = 1.1 * radius + EDGE * a.extent
    if from_box(a.nodes, 0, center) > reach * reach:
        return True
    return radius > 0.0 and distance_triangles(a, center)[0] > reach


@called
def looks_away(b, i, m, room):
    """Whether an edge at corner i of b goes below a face with the normal m, in b's axes, by more than an angle"""
    first, below = int(b.stars[3 * i]), False
    for j in range(first, first + int(b.stars[3 * i + 1])):
        below = below or dot(m, vec(b.rays, 3 * j)) < -room
    return below


@called
def depth_below(a, face, b, i, y, R, room):
    """How deep corner i of b, at y, lies below a face of a; negative: it does not touch it.   room: angle by which its edges may go below"""
    o, slack = FACE * face, EDGE * a.extent
    n = vec(a.faces, o + 9)
    h = dot(n, sub(y, vec(a.faces, o)))
    if h > slack or looks_away(b, i, mtv(R, n), room):
        return -1.0
    _, foot = foot_on_triangle(a.faces, o, y)
    e = sub(sub(y, foot), scale(h, n))
    return max(-h, 0.0) if dot(e, e) <= slack * slack else -1.0


@called
def corner_under(a, b, i, y, R, most, room):
    """(face, depth) of the nearest face of a below which corner i of b lies, by no more than told; −1: none"""
    found, best = -1, most * most
    j, end = 0, int(a.nodes[6])
    while j < end:
        if from_box(a.nodes, j, y) >= best:
            j = int(a.nodes[NODE * j + 6])
            continue
        first = int(a.nodes[NODE * j + 7])
        for k in range(first, first + int(a.nodes[NODE * j + 8])):
            depth = depth_below(a, k, b, i, y, R, room)
            if depth >= 0.0 and depth * depth < best:
                found, best = k, depth * depth
        j += 1
    return found, sqrt(best)


@called
def goes_down(b, i, m):
    """How much lower than corner i of b, along m in b's axes, the edges there may end"""
    first, most = int(b.stars[3 * i]), 0.0
    for j in range(first, first + int(b.stars[3 * i + 1])):
        most = max(most, -dot(m, vec(b.rays, 3 * j)))
    return most * b.stars[3 * i + 2]


@called
def surely_under(a, b, i, y, R, most):
    """(face, depth, sure) of the face of a below which corner i of b lies and its edges end least deep: by no more than `sure`, if that is less than told; −1: none"""
    found, best, sure = -1, 0.0, most
    j, end = 0, int(a.nodes[6])
    while j < end:
        if from_box(a.nodes, j, y) >= sure * sure:
            j = int(a.nodes[NODE * j + 6])
            continue
        first = int(a.nodes[NODE * j + 7])
        for k in range(first, first + int(a.nodes[NODE * j + 8])):
            depth = depth_below(a, k, b, i, y, R, 1.0)
            if depth >= 0.0:
                lowest = depth + goes_down(b, i, mtv(R, vec(a.faces, FACE * k + 9)))
                if lowest < sure:
                    found, best, sure = k, depth, lowest
        j += 1
    return found, best, sure


@called
def under_hollow(a, b, i, y, R, side, square):
    """(face of a side, depth) below which corner i of b lies, where an edge or corner of a within which several faces meet is nearest to y; −1: none.   square: of that distance"""
    slack = EDGE * a.extent
    most = sqrt(square) + slack
    j, end = 0, int(a.nodes[6])
    while j < end:
        if from_box(a.nodes, j, y) > most * most:
            j = int(a.nodes[NODE * j + 6])
            continue
        first = int(a.nodes[NODE * j + 7])
        for k in range(first, first + int(a.nodes[NODE * j + 8])):
            if int(a.side_of[k]) == side:
                _, foot = foot_on_triangle(a.faces, FACE * k, y)
                e, n = sub(y, foot), vec(a.faces, FACE * k + 9)
                h = dot(n, e)
                if dot(e, e) <= most * most and h <= 0.0 and not looks_away(b, i, mtv(R, n), LYING):
                    return k, -h
        j += 1
    return -1, 0.0


@called
def under(a, b, i, y, R, side):
    """(face of a side, depth) below which corner i of b lies at y; depth 0: it lies outside, or others tell; face −1 with a depth: the nearest of all, as it is deeper than its edges are long"""
    slack = EDGE * a.extent
    if from_box(a.nodes, 0, y) > slack * slack:
        return -1, 0.0
    near, square = nearer_triangle(a, y, -1, 1e300)
    d = from_triangle(a, near, y)[0]
    if d > slack:
        return -1, 0.0
    depth = depth_below(a, near, b, i, y, R, LYING)
    if depth >= 0.0 and int(a.side_of[near]) == side:
        return near, depth
    feature, _ = foot_on_triangle(a.faces, FACE * near, y)
    if a.sides > 1 and feature > 0 and d < 0.0:
        face, below = under_hollow(a, b, i, y, R, side, square)
        if face >= 0:
            return face, below
    if depth >= 0.0:
        return -1, 0.0
    face, depth = corner_under(a, b, i, y, R, b.stars[3 * i + 2], LYING)
    if face >= 0:
        return (face, depth) if int(a.side_of[face]) == side else (-1, 0.0)
    return -1, -d if side == 0 and -d > b.stars[3 * i + 2] else 0.0
