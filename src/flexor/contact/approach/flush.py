"""Edges of polyhedra that lie along a face of each other.

Where an edge of one solid lies in a face of another one, its direction across the borders of that face may be any: two edges that are nearly parallel cross, and are as deep along the normal
of the face behind the border as they are beside each other. That is no overlap of theirs if the edge comes out of the solid before it is as deep below the face in which it lies: that face
tells, at the corners of what both share.
"""

from __future__ import annotations

from flexor.contact.approach.flats import FLAT
from flexor.contact.distance.triangles import distance_triangles
from flexor.law.dual import sqrt
from flexor.law.primitives import called
from flexor.law.tuples import dot, scale, sub

STEEP = 0.5
"""Sine of the angle between an edge and a face from which on it does not lie along it; shallower overlaps of such are near (`flexor.contact.approach.shallower`)."""


@called
def lies_along(a, y, way, at, length, m_b, cosine, g, n):
    """Whether an edge of another solid lies along the face of a that is nearest to y, where it crosses an edge, g deep along n, and comes out of a before it is as deep below that face.
    at: where y is on its length; m_b, cosine: its middle normal, and of how far others may be off that. In the axes of a, plain numbers."""
    depth, m, _, _, _ = distance_triangles(a, y)
    rate = dot(m, way)
    over = sub(m, scale(rate, way))  # the normal, across the edge
    if dot(m, n) >= FLAT or abs(rate) >= STEEP or -dot(over, m_b) < cosine * sqrt(dot(over, over)):
        return False
    sinking, room = depth - g, at if rate > 0.0 else length - at
    return sinking > abs(rate) * room or distance_triangles(a, sub(y, scale(sinking / rate, way)))[0] >= 0.0
