"""What a surface that deforms moves over, its partner: a rigid solid, or another surface that deforms.

The law of the contact is written once (`moving_touch`); what it asks of the partner is here. Of a rigid one nothing moves but its frame, and what the law would do
with its material is left out when that is compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from flexor.law.record import Record


class Meeting(NamedTuple):
    """Where a point of the surface meets its partner, in the axes of that.

    z            where the point is
    ds, dt       by which it follows the state over its surface
    gap, normal  signed distance of the partner there, and its gradient
    foot         the partner's material there, `rate` its velocity by deformation, `before` where that is which touched at the end of the last step; 0 of a rigid one
    spin         by which its material turns beyond its frame, less that of the other surface beyond its own; 0 but of triangles of a full mesh
    foot_ds, dt  by which the foot follows the state
    steep        |∇d|: 1, but where a side ends in the strip along its border
    material     where the material is that touches: z, but beside rounded edges of a skin
    """

    z: Any
    ds: Any
    dt: Any
    gap: Any
    normal: Any
    foot: Any
    rate: Any
    before: Any
    spin: Any
    foot_ds: Any
    foot_dt: Any
    steep: Any
    material: Any


def as_it_is(solid, h):
    """Of a partner whose frame carries what is remembered."""
    return h


@dataclass(frozen=True)
class Partner:
    """A kind of partner; `solid` are its numbers, with its state if it deforms.

    history                       record of what the contact remembers
    distance(solid, z)            signed distance of a point and its derivatives, as `flexor.contact.distance`
    placed(p, x, R)               its axes A, the arm to their origin; z₀ and Q of the other body's frame seen from there
    leave(solid, Y, z_0, Q, h)    find the foot of the point Y; what tells which triangle it belongs to
    meet(solid, Y, z_0, Q)        the `Meeting`
    bear(solid, at, met, f, M, r)  forces on its modes by f and −M on the other surface
    past(solid, h)                what is remembered, seen in its axes as they are now
    keep(solid, at, h)            remember the foot
    """

    history: type[Record]
    distance: Callable
    placed: Callable
    leave: Callable
    meet: Callable
    bear: Callable
    keep: Callable
    past: Callable = as_it_is
