"""A surface that deforms as the solid which another one touches: its signed distance from a point, as those of rigid shapes.

The foot σ of the perpendicular from z has (z − y(σ)) · y_σ = 0; d = n · (z − y), n the outward normal there. Where a border, an edge or a corner is nearest, n points
from it to z. Beyond its border a side goes on as its tangent plane over half of a narrow strip, and ends within the other half (`beyond`): nodes that lie on the border of a
side as wide as theirs touch, whichever way they are strained. Farther out a point is outside.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from flexor.contact.deformable.material_point import INWARD, SKEWED, WAY
from flexor.contact.laws.friction import across
from flexor.law.dual import sqrt
from flexor.law.record import Record
from flexor.law.tuples import add, dot, norm, scale

STRIP = 1e-3
"""Width of the strip along the border of a side, in parts of its size."""
FREE_S, FREE_T, SIGN, FACES = WAY, WAY + 1, SKEWED, INWARD
"""Of a foot stand there, in place of what a point that is moved has: whether s and t are free (1 or 0), the sign of its distance, and, ±1, that of ∂y/∂s × ∂y/∂t outward where
its normal is that of the surface, with s or t held on a border of it, 0 where it points from an edge to the other surface."""


def beyond(n, r, strip):
    """(d, normal, |∇d|, curvature of d across the border) of a point at r from the nearest one of a border, where the normal of the side is n.

    With the height u = n · r over the tangent plane, e = |r − u n|, and σ(e) that rises from 0 in the middle of the strip to 1 at its end: d = (1 − σ) u + σ |r|. So what slides
    off the side is let go steadily, and its energy kept.
    """
    up, off = dot(n, r), across(n, r)
    square = dot(off, off)
    one = 1.0 + 0.0 * up
    if square <= 0.25 * strip * strip:
        return up, scale(one, n), one, 0.0 * one
    e, far = sqrt(square), norm(r)
    if e >= strip:
        return far, scale(1.0 / far, r), one, 1.0 / far
    x = 2.0 * e / strip - 1.0
    share, rise = x * x * (3.0 - 2.0 * x), 12.0 * x * (1.0 - x) / strip
    way = add(add(scale(1.0 - share, n), scale(share / far, r)), scale(rise * (far - up) / e, off))
    steep = norm(way)
    return up + share * (far - up), scale(1.0 / steep, way), steep, 0.0 * one


class Deformed(NamedTuple):
    """A surface that deforms, as it is now: its numbers, how many modes it has, their states, and rooms: in which it is summed up, of the foot of a point."""

    p: Any
    m: Any
    s: Any
    w: Any
    foot: Any


@dataclass(frozen=True)
class DeformingSolid:
    """A kind of surface that deforms and is touched.

    record: of its numbers.   begin: what is summed up once.   distance(deformed, z): as `flexor.contact.distance`.   leave(deformed, z, h, Y): the foot of z, in Y, and what
    `shapes` asks for.   shapes: of the modes there.
    """

    record: type[Record]
    begin: Callable
    distance: Callable
    leave: Callable
    shapes: Callable


def leave_foot(Y, free_s, free_t, sign, faces, zero):
    """Leave what a foot has in place of a point that is moved."""
    Y[FREE_S] = (1.0 if free_s else 0.0) + zero
    Y[FREE_T] = (1.0 if free_t else 0.0) + zero
    Y[SIGN] = sign + zero
    Y[FACES] = faces + zero
