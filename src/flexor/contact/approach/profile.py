"""A body of revolution b on a plane: where the bulge of its profile is lowest.

The lowest point lies in the meridian that goes down, where the profile (ρ, z) has the least height  h(s) = m ρ(s) + c z(s),  with the heights m and
c of the unit vectors away from the axis and along it. By quarters of a turn from there the three other meridians: they hold a body that stands
level. Only arcs and cubics bulge; where a corner is lowest, or the end of a line, the corners tell (`flexor.contact.approach.ring`).
"""

from __future__ import annotations

from flexor.contact.approach.contour import bend_of
from flexor.contact.approach.ring import LEVEL
from flexor.coordinates.curve import LINE, Piece, point_and_tangent
from flexor.law.dual import sqrt
from flexor.law.tuples import add, column, scale

PLACES = 8
"""Of a piece."""
STEPS = 40
CLOSE = 1e-13
"""Change of a parameter that is none, in parts of the piece."""
STATIONARY = 1e-6
"""Slope of the height, in parts of that of the curve, which is none; more remains at a corner."""


def bulge_on_plane(a, b, p, R, k):
    """The lowest point of the k-th of four meridians; far above where that is a corner"""
    e_1, e_2, axis = column(R, 0), column(R, 1), column(R, 2)
    square = e_1[2] * e_1[2] + e_2[2] * e_2[2]
    zero = 0.0 * (square + p[2])
    c, s, m = 1.0 + zero, zero, zero
    if square > LEVEL * LEVEL:
        sine = sqrt(square)
        c, s, m = -e_1[2] / sine, -e_2[2] / sine, -sine + zero
    if k == 1:
        c, s, m = -s, c, zero
    if k == 2:
        c, s, m = -c, -s, -m
    if k == 3:
        c, s, m = s, -c, zero
    rho, z, stationary = _lowest(b, m, axis[2] + zero)
    y = add(p, add(add(scale(rho * c, e_1), scale(rho * s, e_2)), scale(z, axis)))
    g = y[2]
    if stationary == 0:
        g = abs(y[2]) + b.extent
    return g, (zero, zero, 1.0 + zero), (y[0], y[1], 0.5 * y[2])


def _lowest(b, m, c):
    """(ρ, z, whether it is no corner) of the lowest point of the arcs and cubics of a profile"""
    zero = 0.0 * (m + c)
    found, s, best = -1, zero, 1e300 + zero
    for i in range(b.count):
        piece = Piece(b.pieces, i)
        if piece.kind == LINE:
            continue
        for j in range(PLACES + 1):
            at = piece.end * j / PLACES
            x, y, _, _ = point_and_tangent(piece, at)
            h = m * x + c * y
            if h < best - 1e-12 * b.extent:
                found, s, best = i, at + zero, h
    if found < 0:
        return zero, zero, 0
    piece = Piece(b.pieces, found)
    more = 2
    for _ in range(STEPS):
        _, _, t_1, t_2 = point_and_tangent(piece, s)
        b_1, b_2 = bend_of(piece, s)
        first, second = m * t_1 + c * t_2, m * b_1 + c * b_2
        speed = t_1 * t_1 + t_2 * t_2
        change = zero - piece.end / PLACES if first > 0.0 else zero + piece.end / PLACES
        if second * piece.end > abs(first):
            change = -first / second
        s = s + change
        if s > piece.end:
            s = piece.end + zero
        if s < 0.0:
            s = zero
        if abs(change) < CLOSE * piece.end or second * second < 1e-30 * speed:
            more -= 1
            if more == 0:
                break
    x, y, t_1, t_2 = point_and_tangent(piece, s)
    first, speed = m * t_1 + c * t_2, t_1 * t_1 + t_2 * t_2
    return x, y, 1 if first * first < STATIONARY * STATIONARY * speed else 0
