"""Edges of polyhedra that lie along a face of each other.

Where an edge of one solid lies in a face of another one, its direction across the borders of that face may be any: two edges that are nearly parallel cross, and are as deep along the normal
of the face behind the border as they are beside each other. That is no overlap of theirs if the edge ends, or comes out of the solid elsewhere, before it is as deep below the face in which it
lies: that face tells, at the corners of what both share.
"""

from __future__ import annotations

from flexor.contact.approach.convex.flats import FLAT
from flexor.contact.approach.polyhedra.under import goes_down
from flexor.contact.distance.triangles import distance_triangles
from flexor.contact.surfaces.sharp import ROD
from flexor.law.dual import sqrt
from flexor.law.primitives import called
from flexor.law.tuples import add, cross, dot, mtv, scale, sub, vec

STEEP = 0.3
"""Sine of the angle between an edge and a face from which on it does not lie along it; shallower overlaps of such are near (`flexor.contact.approach.polyhedra.shallower`)."""


@called
def side_of(a, i, side):
    """Normal of the face to one side, −1 or 1, of edge i of a"""
    m, u, half = vec(a.rods, ROD * i + 7), vec(a.rods, ROD * i + 3), a.rods[ROD * i + 14]
    return add(scale(half, m), scale(side * sqrt(max(1.0 - half * half, 0.0)), cross(u, m)))


@called
def lies_along(a, i, b, j, R, cosine, y, way, at, length, m_b, g, n):
    """Whether edge j of b, which stands turned by R, lies along the face of a that is nearest to y, where it crosses edge i, g deep along n, and ends or comes out of a elsewhere before it is
    as deep below that face.   way, at, length: its direction and where y is on it; m_b, cosine: its middle normal, and of how far others may be off that. In the axes of a, plain numbers."""
    depth, m, _, _, _ = distance_triangles(a, y)
    rate = dot(m, way)
    over = sub(m, scale(rate, way))  # the normal, across the edge
    if dot(m, n) >= FLAT or abs(rate) >= STEEP or -dot(over, m_b) < cosine * sqrt(dot(over, over)):
        return False
    sinking, room, end = depth - g, at if rate > 0.0 else length - at, 12 if rate > 0.0 else 13
    if sinking > abs(rate) * room:
        corner = int(b.rods[ROD * j + end])
        return corner < 0 or sinking - abs(rate) * room > goes_down(b, corner, mtv(R, m))
    z = sub(y, scale(sinking / rate, way))
    if distance_triangles(a, z)[0] < 0.0:
        return False
    e = sub(z, vec(a.rods, ROD * i))
    for side in (-1.0, 1.0):  # past edge i it comes out of what it crosses
        f = side_of(a, i, side)
        if dot(f, e) > 0.0 and dot(f, m) < FLAT:
            return False
    return True
