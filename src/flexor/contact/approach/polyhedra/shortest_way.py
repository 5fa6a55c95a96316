"""Along which direction two convex polyhedra that overlap are separated most: the shortest way out.

    s(m) = min_b m · y − max_a m · x,      of the normals of all faces of both, and across every two edges that stick out towards each other (41.4)

What they share is one overlap, wherever its corners are: so what overlaps along another direction, by 1.1° and more, in which they are separated less, tells nothing. Plain numbers.
"""

from __future__ import annotations

from flexor.contact.approach.convex.flats import FLAT
from flexor.contact.approach.polyhedra.crossing import ACROSS, EXACTLY, crossed, rod_at
from flexor.contact.distance.triangles import FACE, NODE
from flexor.contact.surfaces.sharp import ROD
from flexor.law.primitives import called
from flexor.law.tuples import dot, mtv, neg, sub, transpose, vec


@called
def reach(a, m):
    """max m · x of its corners"""
    most = -1e300
    for i in range(int(a.corners)):
        most = max(most, dot(m, vec(a.points, 3 * i)))
    return most


def separated(a, b, p, R, m):
    """s(m)"""
    return dot(m, p) - reach(b, neg(mtv(R, m))) - reach(a, m)


@called
def face_separates(a, b, p, R, n, own):
    """Whether s > own along the normal of a face of a that is not n"""
    i, end = 0, int(a.nodes[6])
    while i < end:
        first = int(a.nodes[NODE * i + 7])
        for k in range(first, first + int(a.nodes[NODE * i + 8])):
            m = vec(a.faces, FACE * k + 9)
            if dot(m, n) < FLAT and separated(a, b, p, R, m) > own:
                return True
        i += 1
    return False


@called
def edges_separate(a, b, p, R, n, own):
    """Likewise across two edges"""
    for j in range(int(b.edges)):
        other = rod_at(b, j, p, R)
        for i in range(int(a.edges)):
            line = vec(a.rods, ROD * i), vec(a.rods, ROD * i + 3), a.rods[ROD * i + 6]
            across = dot(line[1], other[1])
            if 1.0 - across * across >= ACROSS:
                out, m = crossed(a, i, b, j, line, other, R, EXACTLY)
                if out and dot(m, n) < FLAT and dot(m, sub(other[0], line[0])) > own:
                    return True
    return False


@called
def other_way_out(a, b, p, R, n):
    """Whether they are separated more along another direction than n"""
    own = separated(a, b, p, R, n)
    back, turned = neg(mtv(R, p)), transpose(R)
    return (
        face_separates(a, b, p, R, n, own)
        or face_separates(b, a, back, turned, neg(mtv(R, n)), own)
        or edges_separate(a, b, p, R, n, own)
    )
