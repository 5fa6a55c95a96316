"""A plane curve of lines, arcs and cubics, and the foot of a point on it: where it is nearest, how far, and on which side.

    y = c(s) + u n(s),   ∇u = n,   ∇s = t/(1 + κ u),   ∇∇u = κ/(1 + κ u) t tᵀ        n' = κ t

with the tangent t, the normal n on the side of contact, and the curvature κ, positive where the curve is convex there. At a corner
that is convex there n turns about the vertex, ∇∇u = t tᵀ/u.
"""

from __future__ import annotations

from flexor.law.dual import atan2, cos, sin, sqrt
from flexor.law.record import Record, integer, number, numbers

LINE, ARC, CUBIC = range(3)
STEPS = 30
"""Of Newton's iteration for the foot on a cubic."""
CLOSE = 1e-13
"""Change of its parameter that is none."""
WELL_INSIDE = 1e-12
"""Overshoot in parts of a piece that belongs to it."""


class Piece(Record):
    """A piece of a curve, from its parameter 0 to `end`: arc length of a line or arc [m], 0 … 1 of a cubic."""

    kind = integer("LINE, ARC or CUBIC")
    end = number("its last parameter", "m or 1")
    first = number("arc length of the curve where it begins", "m")
    left_turn = number("angle of the corner at its begin, positive to the left", "rad")
    p = numbers(
        8,
        "line: begin (2), direction (2); arc: centre (2), radius (negative: clockwise), first angle; cubic: x (4), y (4)",
    )


def point_and_tangent(piece, s):
    """(cₓ, c_y, c'ₓ, c'_y) at a parameter"""
    p = piece.p
    if piece.kind == LINE:
        return p[0] + s * p[2], p[1] + s * p[3], p[2] + 0.0 * s, p[3] + 0.0 * s
    if piece.kind == ARC:
        angle = p[3] + s / p[2]
        return p[0] + abs(p[2]) * cos(angle), p[1] + abs(p[2]) * sin(angle), *_turned(p[2], angle)
    x = p[0] + s * (p[1] + s * (p[2] + s * p[3]))
    y = p[4] + s * (p[5] + s * (p[6] + s * p[7]))
    return x, y, p[1] + s * (2.0 * p[2] + 3.0 * s * p[3]), p[5] + s * (2.0 * p[6] + 3.0 * s * p[7])


def _turned(radius, angle):
    """Unit tangent of an arc; a negative radius runs clockwise."""
    sign = 1.0 if radius > 0.0 else -1.0
    return -sign * sin(angle), sign * cos(angle)


def foot_on(piece, y_1, y_2, guess):
    """Parameter of the foot on the piece continued beyond its ends; arcs up to half a turn beyond either end."""
    p = piece.p
    if piece.kind == LINE:
        return (y_1 - p[0]) * p[2] + (y_2 - p[1]) * p[3]
    if piece.kind == ARC:
        sign = 1.0 if p[2] > 0.0 else -1.0
        middle = (
            p[3] + 0.5 * piece.end / p[2]
        )  # angles are counted from the middle, so that a full circle has no seam inside
        d_1, d_2 = y_1 - p[0], y_2 - p[1]
        angle = sign * atan2(d_2 * cos(middle) - d_1 * sin(middle), d_1 * cos(middle) + d_2 * sin(middle))
        return 0.5 * piece.end + abs(p[2]) * angle
    s = guess + 0.0 * y_1
    more = 2  # two more steps once it has converged carry the derivatives
    for _ in range(STEPS):
        c_1, c_2, t_1, t_2 = point_and_tangent(piece, s)
        b_1 = 2.0 * p[2] + 6.0 * s * p[3]
        b_2 = 2.0 * p[6] + 6.0 * s * p[7]
        e_1, e_2 = y_1 - c_1, y_2 - c_2
        slope = t_1 * t_1 + t_2 * t_2
        bent = slope - e_1 * b_1 - e_2 * b_2
        if bent > 0.1 * slope:
            slope = bent
        change = (e_1 * t_1 + e_2 * t_2) / slope
        change = min(max(change, -1.0), 1.0)
        s = s + change
        s = min(max(s, -1.0), 2.0)
        if abs(change) < CLOSE:
            more -= 1
            if more == 0:
                break
    return s


def curvature(piece, s, side):
    """κ at a parameter, of the normal on this side: +1 to the left of the tangent, −1 to the right."""
    p = piece.p
    if piece.kind == LINE:
        return 0.0 * s
    if piece.kind == ARC:
        return -side / p[2] + 0.0 * s
    _, _, t_1, t_2 = point_and_tangent(piece, s)
    b_1 = 2.0 * p[2] + 6.0 * s * p[3]
    b_2 = 2.0 * p[6] + 6.0 * s * p[7]
    speed = sqrt(t_1 * t_1 + t_2 * t_2)
    return -side * (t_1 * b_2 - t_2 * b_1) / (speed * speed * speed)


def arc_length(piece, s):
    """Arc length of the curve at a parameter, on a cubic by Gauss quadrature."""
    if piece.kind != CUBIC:
        return piece.first + s
    total = piece.first + 0.0 * s
    for i in range(5):
        node = (-0.9061798459386640, -0.5384693101056831, 0.0, 0.5384693101056831, 0.9061798459386640)[i]
        weight = (0.2369268850561891, 0.4786286704993665, 0.5688888888888889, 0.4786286704993665, 0.2369268850561891)[i]
        _, _, t_1, t_2 = point_and_tangent(piece, 0.5 * s * (1.0 + node))
        total += 0.5 * s * weight * sqrt(t_1 * t_1 + t_2 * t_2)
    return total


def find_foot(pieces, count, closed, y_1, y_2, begin, guess):
    """(number of the piece, parameter, beyond) of the foot nearest along the curve to where it was: on piece `begin`.

    It goes from piece to piece until the foot lies inside one. beyond: 0 inside, 1 at the corner behind the piece, −1 at the corner before
    it, 2 and −2 beyond the ends of an open curve.
    """
    i = begin
    s = foot_on(Piece(pieces, i), y_1, y_2, guess)
    came = 0
    for _ in range(2 * count):
        piece = Piece(pieces, i)
        slack = WELL_INSIDE * piece.end
        way = 1 if s > piece.end + slack else -1 if s < -slack else 0
        if way == 0:
            return i, s, 0
        if came == -way:  # both neighbours point at the corner between them
            return i, s, way
        j = i + way
        if j < 0 or j >= count:
            if closed == 0:
                return i, s, 2 * way
            j = (j + count) % count
        if count == 1:
            return i, s, 0  # a full circle
        i = j
        piece = Piece(pieces, i)
        s = foot_on(piece, y_1, y_2, 0.0 if way > 0 else piece.end)
        came = way
    return i, s, 0


def height(piece, s, side, y_1, y_2):
    """Distance of a point on this side from the tangent at a parameter."""
    c_1, c_2, t_1, t_2 = point_and_tangent(piece, s)
    return side * ((y_2 - c_2) * t_1 - (y_1 - c_1) * t_2) / sqrt(t_1 * t_1 + t_2 * t_2)


def nearest_of_corner(pieces, count, closed, side, y_1, y_2, i, s):
    """(number of the piece, parameter) of the nearer side of a corner into which the point has come; as it was, elsewhere."""
    for way in range(2):
        corner = i + way  # at the begin of this piece, or of the next one
        j = i - 1 + 2 * way
        if j < 0 or j >= count:
            if closed == 0:
                continue
            corner = corner % count
            j = (j + count) % count
        if side * Piece(pieces, corner).left_turn > 0.0:
            other = Piece(pieces, j)
            s_j = foot_on(other, y_1, y_2, other.end if way == 0 else 0.0)
            inside = s_j > 0.0 and s_j < other.end
            if inside and height(other, s_j, side, y_1, y_2) < height(Piece(pieces, i), s, side, y_1, y_2):
                return j, s_j
    return i, s
