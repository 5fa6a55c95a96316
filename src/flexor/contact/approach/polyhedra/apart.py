"""How far two triangulated surfaces are apart: the nearest corner and face, or edges that cross.

Corners of each are looked for on the other one, then edges, in trees of boxes: what is farther away than the nearest that is known is passed over. Where they overlap
the place is far: others tell (`flexor.contact.approach.polyhedra.faceted`).
"""

from __future__ import annotations

from flexor.contact.approach.polyhedra.crossing import LIES, crossed, meet, rod_at
from flexor.contact.approach.polyhedra.under import ball_of
from flexor.contact.distance.triangles import NODE, from_box, from_triangle, nearer_triangle
from flexor.contact.surfaces.sharp import ROD
from flexor.law.dual import sqrt
from flexor.law.primitives import called
from flexor.law.tuples import add, dot, mtv, mv, neg, scale, sub, transpose, vec

NOTHING, ABOVE_A, ABOVE_B, BELOW_A, BELOW_B, EDGES = range(-1, 5)
"""What touches: corners of b above a triangle of a, or below its plane; likewise of a; edges."""
TOUCHING = 1e-12
"""Overlap, in parts of the extent, that is none."""


@called
def nearest(a, b, p, R):
    """(ABOVE_A, corner of b, triangle of a), (ABOVE_B, corner of a, triangle of b) or (EDGES, edge of a, edge of b), the nearest; NOTHING: they overlap"""
    back, turned = neg(mtv(R, p)), transpose(R)
    corner, face, best = nearest_corner(a, b, p, R, 1e300)
    own, other, best = nearest_corner(b, a, back, turned, best)
    i, j, best = nearest_edges(a, b, p, R, best)
    if i >= 0:
        return EDGES, i, j
    if own >= 0:
        return (ABOVE_B if touches(b, a, own, other, back, turned) else NOTHING), own, other
    return (ABOVE_A if touches(a, b, corner, face, p, R) else NOTHING), corner, face


@called
def touches(a, b, corner, face, p, R):
    """Whether a corner of b is no farther within a than what touches it"""
    y = add(p, mv(R, vec(b.points, 3 * corner)))
    return face >= 0 and from_triangle(a, face, y)[0] >= -TOUCHING * a.extent


@called
def nearest_corner(a, b, p, R, best):
    """(corner of b, triangle of a, square of their distance) if they are nearer than told; −1: they are not. One within touches: 0"""
    corner, face = -1, -1
    i, count = 0, int(b.point_nodes[6])
    while count > 1 and b.point_nodes[NODE * i + 8] == 0.0:  # down to a box near a's
        left, right = i + 1, int(b.point_nodes[NODE * (i + 1) + 6])
        c_l, c_r = ball_of(b.point_nodes, left, p, R)[0], ball_of(b.point_nodes, right, p, R)[0]
        i = left if from_box(a.nodes, 0, c_l) <= from_box(a.nodes, 0, c_r) else right
    corner, face, best = nearest_of_leaf(a, b, i, p, R, corner, face, best)
    i = 0
    while i < count and best > 0.0:
        center, radius = ball_of(b.point_nodes, i, p, R)
        reach = sqrt(best) + radius
        if from_box(a.nodes, 0, center) >= reach * reach:
            i = int(b.point_nodes[NODE * i + 6])
            continue
        corner, face, best = nearest_of_leaf(a, b, i, p, R, corner, face, best)
        i += 1
    return corner, face, best


@called
def nearest_of_leaf(a, b, i, p, R, corner, face, best):
    """Likewise among the corners of a box, if it is a leaf"""
    begin = int(b.point_nodes[NODE * i + 7])
    for j in range(begin, begin + int(b.point_nodes[NODE * i + 8])):
        y = add(p, mv(R, vec(b.points, 3 * j)))
        found, square = nearer_triangle(a, y, -1, best)
        if found >= 0:
            corner, face, best = j, found, square
            if from_triangle(a, found, y)[0] <= 0.0:
                best = 0.0
    return corner, face, best


@called
def nearest_edges(a, b, p, R, best):
    """(edge of a, edge of b, square of their distance) if they are nearer than told; −1: they are not"""
    found_a, found_b = -1, -1
    i, count = 0, int(b.rod_nodes[6])
    while i < count and best > 0.0:
        center, radius = ball_of(b.rod_nodes, i, p, R)
        reach = sqrt(best) + radius
        if from_box(a.rod_nodes, 0, center) >= reach * reach:
            i = int(b.rod_nodes[NODE * i + 6])
            continue
        begin = int(b.rod_nodes[NODE * i + 7])
        for j in range(begin, begin + int(b.rod_nodes[NODE * i + 8])):
            line = rod_at(b, j, p, R)
            middle, half = add(line[0], scale(0.5 * line[2], line[1])), 0.5 * line[2]
            m, end = 0, int(a.rod_nodes[6])
            while m < end:
                reach = sqrt(best) + half
                if from_box(a.rod_nodes, m, middle) >= reach * reach:
                    m = int(a.rod_nodes[NODE * m + 6])
                    continue
                first = int(a.rod_nodes[NODE * m + 7])
                for k in range(first, first + int(a.rod_nodes[NODE * m + 8])):
                    own = vec(a.rods, ROD * k), vec(a.rods, ROD * k + 3), a.rods[ROD * k + 6]
                    there, _, _ = meet(own, line)
                    if there:
                        out, n = crossed(a, k, b, j, own, line, R, LIES)
                        g = dot(n, sub(line[0], own[0]))
                        if out and g >= 0.0 and g * g < best:
                            found_a, found_b, best = k, j, g * g
                m += 1
        i += 1
    return found_a, found_b, best
