"""A prism b with a closed contour on a plane: the corners of its flat faces, and where its contour bulges lowest.

At each of both ends

    corners   of the contour, and points where a side becomes curved: fixed in b,  g = z
    bulges    the lowest point of what is curved (`flexor.contact.approach.profiles.lowest`), and those that reach farthest by quarters of a turn from there: they hold what
              stands on its end
    lobes     of a contour with hollows, those of them that do not reach so low: their lowest points
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from flexor.contact.approach.pair import far
from flexor.contact.approach.point import MOST_CORNERS
from flexor.contact.approach.profiles.lowest import lowest, lowest_of_lobe, rolls_past
from flexor.contact.approach.rings.ring import LEVEL
from flexor.coordinates.curve import Piece, point_and_tangent
from flexor.law.dual import sqrt
from flexor.law.primitives import called
from flexor.law.tuples import add, column, mv

BESIDE = 0.1
"""Angle between a corner and a bulge up to which the bulge tells instead [rad]: of a prism that stands on its end all are as low."""


def groups_of(b):
    """How many places the corners of one end have"""
    return min(b.corners, MOST_CORNERS // 2)


@cache
def prism_on_plane(curved: bool) -> Callable:
    """Corners of the lower and the upper end, then, of curved ones, the bulges of both and their lobes."""

    def approach(a, b, p, R, k):  # type: ignore[no-untyped-def]
        groups = groups_of(b)
        if k < 2 * groups:
            end = k // groups
            return _corner(curved, b, p, R, k - end * groups, groups, b.half if end else -b.half)
        k = k - 2 * groups
        if k > 7:
            return _of_lobe(b, p, R, (k - 8) >> 1, b.half if k & 1 else -b.half)
        return _bulge(b, p, R, k & 3, b.half if k > 3 else -b.half)

    return approach


def _told(b, p, R, c_1, c_2, z):
    """(g, n, x) of a point of the contour"""
    y = add(p, mv(R, (c_1, c_2, z)))
    zero = 0.0 * y[2]
    return y[2], (zero, zero, 1.0 + zero), (y[0], y[1], 0.5 * y[2])


def _corner(curved, b, p, R, group, groups, z):  # type: ignore[no-untyped-def]
    """The lowest corner of a group"""
    first, end = group * b.corners // groups, (group + 1) * b.corners // groups
    found = first
    if end - first > 1:
        best = 1e300 + 0.0 * R[0]
        for i in range(first, end):
            c_1, c_2, _, _ = point_and_tangent(Piece(b.pieces, int(b.begins[i])), 0.0)
            height = R[6] * c_1 + R[7] * c_2
            if height < best:
                found, best = i, height + 0.0 * R[0]
    piece = int(b.begins[found])
    if curved:
        c, s = _down(R, 0)
        on, _, bulges = lowest(b, -c, -s)
        if bulges and rolls_past(b, -c, -s, piece, on, BESIDE):
            return far(p, R)
    c_1, c_2, _, _ = point_and_tangent(Piece(b.pieces, piece), 0.0)
    return _told(b, p, R, c_1 + 0.0 * R[0], c_2 + 0.0 * R[0], z)


@called
def _down(R, quarter):
    """The direction in the contour's plane that goes down; by quarters of a turn from there the others"""
    e_1, e_2 = column(R, 0), column(R, 1)
    down_1, down_2 = -e_1[2], -e_2[2]
    square = down_1 * down_1 + down_2 * down_2
    c, s = 1.0 + 0.0 * square, 0.0 * square
    if square > LEVEL * LEVEL:
        sine = sqrt(square)
        c, s = down_1 / sine, down_2 / sine
    for _ in range(quarter):
        c, s = -s, c
    return c, s


def _bulge(b, p, R, quarter, z):
    """The point that reaches farthest in the k-th of four directions"""
    c, s = _down(R, quarter)
    piece, at, bulges = lowest(b, -c, -s)
    if not bulges:
        return far(p, R)
    c_1, c_2, _, _ = point_and_tangent(Piece(b.pieces, piece), at)
    return _told(b, p, R, c_1, c_2, z)


def _of_lobe(b, p, R, lobe, z):
    """The lowest point of a lobe"""
    c, s = _down(R, 0)
    piece, at, bulges = lowest_of_lobe(b, -c, -s, lobe)
    if not bulges:
        return far(p, R)
    c_1, c_2, _, _ = point_and_tangent(Piece(b.pieces, piece), at)
    return _told(b, p, R, c_1, c_2, z)
