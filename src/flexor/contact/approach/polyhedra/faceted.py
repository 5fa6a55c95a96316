"""Two triangulated surfaces: corners on faces, faces on corners, edges across edges.

What two polyhedra share where they overlap a little is held at its corners:

    a corner of b below a face of a     g = n · (y − y_a) with the face's normal, if its edges do not go below that face, and likewise of a on b
    an edge of b across one of a        g across both (`flexor.contact.approach.polyhedra.crossing`)

Each corner has a place of its own, as has each edge of b for each colour of a's edges, of which those around a face have different ones; of many a group of neighbours has one, for the
deepest of them. So a place keeps what it remembers, wherever on the other surface it is. The first place of all tells how far surfaces are apart (`flexor.contact.approach.polyhedra.apart`);
where they overlap the others do.
"""

from __future__ import annotations

from flexor.contact.approach.pair import far, plain, plain_axes
from flexor.contact.approach.polyhedra.apart import ABOVE_A, ABOVE_B, BELOW_A, BELOW_B, EDGES, NOTHING, nearest
from flexor.contact.approach.polyhedra.crossing import EXACTLY, LIES, across_edges, overlapping, rod_at
from flexor.contact.approach.polyhedra.shallower import shallower_near
from flexor.contact.approach.polyhedra.shortest_way import other_way_out
from flexor.contact.approach.polyhedra.under import ball_of, depth_below, goes_down, outside, under
from flexor.contact.distance.triangles import FACE, NODE, distance_triangles, from_box, from_triangle
from flexor.contact.surfaces.sharp import LYING, ROD
from flexor.law.primitives import called
from flexor.law.tuples import add, dot, mtv, mv, neg, scale, sub, transpose, vec

GROUPS = 64
"""Of corners that have a place of their own, at most."""
BUNDLES = 64
"""Likewise of edges."""
THROUGH = 0.25
"""How far a corner may have come out of a convex solid again, in parts of the longest edge there."""
NEARLY = -1e300
"""What edges that cross only as they lie nearly flat are deep for certain."""


def places_of(a, b):
    """At how many places they may touch"""
    corners = min(b.corners, GROUPS) * a.sides + min(a.corners, GROUPS) * b.sides
    return 1 + corners + min(b.edges, BUNDLES) * a.colours


@called
def searched(a, b, p, R, k):
    """(what touches at the k-th place, its numbers i and j), plain numbers."""
    if k == 0:
        return nearest(a, b, p, R)
    k = k - 1
    groups = min(b.corners, GROUPS)
    if k < groups * a.sides:
        i, side = k // a.sides, k % a.sides
        corner, face = deepest_corner(a, b, p, R, i * b.corners // groups, (i + 1) * b.corners // groups, side)
        return (BELOW_A if corner >= 0 else NOTHING), corner, face
    k = k - groups * a.sides
    groups = min(a.corners, GROUPS)
    if k < groups * b.sides:
        i, side = k // b.sides, k % b.sides
        back, turned = neg(mtv(R, p)), transpose(R)
        corner, face = deepest_corner(b, a, back, turned, i * a.corners // groups, (i + 1) * a.corners // groups, side)
        return (BELOW_B if corner >= 0 else NOTHING), corner, face
    k = k - groups * b.sides
    bundles = min(b.edges, BUNDLES)
    bundle, colour = k // a.colours, k % a.colours
    i, j = deepest_edge(a, b, p, R, bundle * b.edges // bundles, (bundle + 1) * b.edges // bundles, colour)
    return (EDGES if i >= 0 else NOTHING), i, j


@called
def told(a, b, p, R, what, i, j):
    """(g, n, x) of what touches."""
    if what == EDGES:
        return across_edges(a, i, b, j, p, R)
    if what in (ABOVE_A, BELOW_A):
        return corner_told(a, b, p, R, i, j, what == ABOVE_A)
    if what in (ABOVE_B, BELOW_B):
        g, n, x = corner_told(b, a, neg(mtv(R, p)), transpose(R), i, j, what == ABOVE_B)
        return g, neg(mv(R, n)), add(p, mv(R, x))
    return far(p, R)


def faceted(a, b, p, R, k):
    """How they approach each other."""
    what, i, j = searched(a, b, plain(p), plain_axes(R), k)
    return told(a, b, p, R, what, i, j)


@called
def corner_told(a, b, p, R, corner, face, above):
    """Of a corner of b above a triangle of a, or below its plane; face −1: wherever it is nearest"""
    y = add(p, mv(R, vec(b.points, 3 * corner)))
    zero = 0.0 * y[0]
    if above:
        g, n, _, _, _ = from_triangle(a, face, y)
        g = max(g, 0.0 * g)
    elif face < 0:
        g, n, _, _, _ = distance_triangles(a, y)
    else:
        n = add(vec(a.faces, FACE * face + 9), (zero, zero, zero))
        g = dot(n, sub(y, vec(a.faces, FACE * face)))
    return g, n, sub(y, scale(0.5 * g, n))


@called
def deepest_corner(a, b, p, R, first, end, side):
    """(corner, face): the deepest corner of b from first to end below a face of a with the number of a side, plain numbers; −1: none.   Face −1: nearest to any"""
    if a.convex and b.convex:
        return deepest_of_convex(a, b, p, R, first, end)
    found, face, best = -1, -1, 0.0
    i, count = 0, int(b.point_nodes[6])
    while i < count:
        behind = int(b.point_nodes[NODE * i + 6])
        begin = int(b.point_nodes[NODE * i + 7])
        if begin >= end:
            break
        if behind < count and int(b.point_nodes[NODE * behind + 7]) <= first:
            i = behind
            continue
        center, radius = ball_of(b.point_nodes, i, p, R)
        if outside(a, center, radius):
            i = behind
            continue
        for j in range(begin, begin + int(b.point_nodes[NODE * i + 8])):
            if j >= first and j < end:
                y = add(p, mv(R, vec(b.points, 3 * j)))
                below, depth = under(a, b, j, y, R, side)
                if -depth < best and not (below >= 0 and hidden(a, b, below, depth, j, y, p, R)):
                    found, face, best = j, below, -depth
        i += 1
    return found, face


@called
def deepest_of_convex(a, b, p, R, first, end):
    """Likewise of convex solids, also where the corner comes out of a again behind the face"""
    found, face, best = -1, -1, 0.0
    for j in range(first, end):
        y = add(p, mv(R, vec(b.points, 3 * j)))
        room = THROUGH * b.stars[3 * j + 2]
        if from_box(a.nodes, 0, y) > room * room:
            continue
        i, count = 0, int(a.nodes[6])
        while i < count:
            begin = int(a.nodes[NODE * i + 7])
            for k in range(begin, begin + int(a.nodes[NODE * i + 8])):
                depth = depth_below(a, k, b, j, y, R, LYING)
                if -depth < best and not other_way_out(a, b, p, R, vec(a.faces, FACE * k + 9)):
                    found, face, best = j, k, -depth
            i += 1
    return found, face


@called
def hidden(a, b, face, depth, corner, y, p, R):
    """Whether something shallower tells, where a corner of b lies below a face"""
    n = vec(a.faces, FACE * face + 9)
    sure = -depth - goes_down(b, corner, mtv(R, n))
    return shallower_near(a, b, p, R, -depth, n, add(y, scale(0.5 * depth, n)), sure)


@called
def deepest_edge(a, b, p, R, first, end, colour):
    """(edge of a, edge of b) that cross most deeply, plain numbers; −1: none"""
    found_a, found_b, best = -1, -1, 0.0
    i, count = 0, int(b.rod_nodes[6])
    while i < count:
        behind = int(b.rod_nodes[NODE * i + 6])
        begin = int(b.rod_nodes[NODE * i + 7])
        if begin >= end:
            break
        if behind < count and int(b.rod_nodes[NODE * behind + 7]) <= first:
            i = behind
            continue
        center, radius = ball_of(b.rod_nodes, i, p, R)
        if outside(a, center, radius):
            i = behind
            continue
        for j in range(begin, begin + int(b.rod_nodes[NODE * i + 8])):
            if j >= first and j < end:
                other, s = deepest_across(a, b, j, p, R, colour)
                if s < best:
                    found_a, found_b, best = other, j, s
        i += 1
    return found_a, found_b


@called
def deepest_across(a, b, j, p, R, colour):
    """(edge of a, g) of the colour that edge j of b crosses most deeply; −1: none"""
    found, best = -1, 0.0
    line = rod_at(b, j, p, R)
    middle, half = add(line[0], scale(0.5 * line[2], line[1])), 0.5 * line[2]
    i, count = 0, int(a.rod_nodes[6])
    while i < count:
        reach = half + line[2]  # it overlaps by no more than its length
        if from_box(a.rod_nodes, i, middle) > reach * reach:
            i = int(a.rod_nodes[NODE * i + 6])
            continue
        begin = int(a.rod_nodes[NODE * i + 7])
        for k in range(begin, begin + int(a.rod_nodes[NODE * i + 8])):
            if int(a.rods[ROD * k + 11]) == colour:
                s = overlap(a, k, b, j, line, p, R)
                if s < best:
                    found, best = k, s
        i += 1
    return found, best


@called
def overlap(a, i, b, j, other, p, R):
    """g of edge i of a and edge j of b, the line `other`, where they overlap and nothing else tells; 0: they do not"""
    g, n, x = overlapping(a, i, b, j, other, p, R, LIES)
    if g < 0.0 and a.convex and b.convex:
        return 0.0 if other_way_out(a, b, p, R, n) else g
    if g < 0.0:
        sure = g if overlapping(a, i, b, j, other, p, R, EXACTLY)[0] < 0.0 else NEARLY
        if shallower_near(a, b, p, R, g, n, x, sure):
            return 0.0
    return g
