"""Fixed points of a surface, each of which presses by itself: nodes of a skin on planes and in bores, where flat triangles rest with several at a time, and those
of a side of shape functions that lies flat."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from flexor.contact.deformable.facets import vertex
from flexor.contact.deformable.material_point import (
    BACK,
    PARAMETERS,
    WAY,
    YIELD,
    leave_parameters,
    leave_place,
)
from flexor.law.record import Packed, Record, integer, tail
from flexor.law.tuples import add, mv, store

if TYPE_CHECKING:
    from flexor.contact.deformable.skin import BodySkin


class SkinNodes(Record):
    """Numbers of the nodes of a skin."""

    modes = integer("how many")
    X = tail("nodes from the centre of mass of the body, 3 each", "m")
    shapes = tail("Φ: for each node and mode three components")


def packed_nodes(skin: BodySkin) -> Packed:
    """Numbers of the nodes of a skin."""
    return packed_points(skin.points - skin.center, skin.shapes.transpose(0, 2, 1))


def packed_points(X: np.ndarray, shapes: np.ndarray) -> Packed:
    """Numbers of points (n, 3) from the centre of mass, which move by the modes with shapes (n, m, 3)."""
    return SkinNodes.pack(modes=shapes.shape[1], X=X, shapes=shapes)


@cache
def node_search(distance: Callable) -> Callable:
    """The distance of a node from a solid whose signed distance is given."""

    def search(p, size, place, h, m, states, z_0, Q, Y, w, anew):  # type: ignore[no-untyped-def]
        y = vertex(p, place, states, 0)
        leave_fixed(y, vertex(p, place, states, 1), distance(size, add(z_0, mv(Q, y)))[0], Y)
        return place, 0

    return search


def leave_fixed(y, rate, d, Y):
    """Leave a point that does not move over the surface in Y; d: its distance."""
    zero = 0.0 * (y[0] + rate[0] + d)
    none = (zero, zero, zero)
    leave_place(Y, add(y, none), none, none, add(rate, none), none, none)
    store(Y, BACK, none)
    Y[WAY] = zero
    Y[WAY + 1] = zero
    store(Y, YIELD, none)
    leave_parameters(Y, zero, zero, d + zero)


def node_shapes(p, m, Y, found, S, w):
    """Φ of the node; it has no slopes."""
    node = found[0]
    zero = 0.0 * Y[PARAMETERS]
    for k in range(m):
        for x in range(3):
            S[9 * k + x] = p.shapes[3 * (m * node + k) + x] + zero
            S[9 * k + 3 + x] = zero
            S[9 * k + 6 + x] = zero
