"""A prism b with a closed contour on a plane: the corners of its flat faces, and where its contour bulges lowest.

At each of both ends

    corners   of the contour, and points where a side becomes curved: fixed in b,  g = z
    bulges    the lowest point of what is curved, and those that reach farthest by quarters of a turn from there: they hold what stands on its end

As a prism rolls from a flat side onto a round one, the bulge takes over from the corner where it begins, at the same depth: of both one tells.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from flexor.contact.approach.contour import foot_of_contour
from flexor.contact.approach.flats import far
from flexor.contact.approach.point import MOST_CORNERS
from flexor.contact.approach.ring import LEVEL
from flexor.contact.distance.plane import distance_plane
from flexor.coordinates.curve import LINE, Piece, point_and_tangent
from flexor.law.dual import sqrt
from flexor.law.primitives import called
from flexor.law.tuples import add, column, mv

BESIDE = 0.1
"""Angle between a corner and a bulge up to which the bulge tells instead [rad]."""
_lowest = foot_of_contour(distance_plane)


def groups_of(b):
    """How many places the corners of one end have"""
    return min(b.corners, MOST_CORNERS // 2)


@cache
def prism_on_plane(curved: bool) -> Callable:
    """Corners of the lower and the upper end, then, of curved ones, the bulges of both."""

    def approach(a, b, p, R, k):  # type: ignore[no-untyped-def]
        groups = groups_of(b)
        if k < 2 * groups:
            end = k // groups
            return _corner(curved, b, p, R, k - end * groups, groups, b.half if end else -b.half)
        k = k - 2 * groups
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
    if curved and _rolls_past(b, R, piece):
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


@called
def _farthest(b, c, s):
    """(piece, its parameter, whether it is on a curve and no corner) of the point that reaches farthest in a direction"""
    zero = 0.0 * c
    piece, at = _lowest(b, b, (zero, zero, zero), (-s, c, zero, zero, zero, 1.0 + zero, -c, -s, zero), zero)
    of = Piece(b.pieces, piece)
    tells = of.kind != LINE
    if at <= 0.0:
        tells = tells and not _is_corner(b, piece)
    if at >= of.end:
        tells = tells and not _is_corner(b, (piece + 1) % b.count)
    return piece, at, tells


def _is_corner(b, piece):
    """Whether a piece begins at a corner"""
    found = False
    for i in range(b.corners):
        found = found or int(b.begins[i]) == piece
    return found


def _bulge(b, p, R, quarter, z):
    """The point that reaches farthest in the k-th of four directions"""
    c, s = _down(R, quarter)
    piece, at, tells = _farthest(b, c, s)
    if not tells:
        return far(p, R)
    c_1, c_2, _, _ = point_and_tangent(Piece(b.pieces, piece), at)
    return _told(b, p, R, c_1, c_2, z)


@called
def _rolls_past(b, R, piece):
    """Whether the bulge of a piece beside the corner at which a piece begins tells instead"""
    c, s = _down(R, 0)
    on, _, tells = _farthest(b, c, s)
    if not tells:
        return False
    before = (piece + b.count - 1) % b.count
    if on != piece and on != before:
        return False
    of = Piece(b.pieces, on)
    _, _, t_1, t_2 = point_and_tangent(of, 0.0 if on == piece else of.end)
    away = 1.0 if on == piece else -1.0
    lean = away * (c * t_1 + s * t_2)
    ahead = b.side * (s * t_1 - c * t_2)  # outwards
    return ahead > 0.0 and lean > 0.0 and lean * lean < BESIDE * BESIDE * (t_1 * t_1 + t_2 * t_2)
