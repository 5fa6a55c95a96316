"""The lowest point of a contour of lines, arcs and cubics, in its plane: where  h(s) = m x(s) + c y(s)  is least. On every piece that is known:

    arc     in the direction −(m, c) from its centre, or at one of its ends
    cubic   h′ = A + B s + C s² = 0  with  h″ > 0:  s = (−B + √(B² − 4AC))/2C,  or at one of its ends

The lowest of all arcs and cubics is the *bulge*, also where two of them go over into each other; of a contour with hollows each lobe between them has one. Corners, ends of the contour and places where a line becomes
curved touch by themselves. As a body rolls over one of them onto what is round beside it, the bulge takes over at the same depth: of both one tells.
"""

from __future__ import annotations

from flexor.contact.surfaces.contour_tree import NODE
from flexor.coordinates.curve import ARC, LINE, Piece, foot_on, point_and_tangent
from flexor.law.dual import sqrt, value
from flexor.law.primitives import called

SAME = 1e-12
"""Difference of heights, in parts of the extent, that is none."""
JOINT = 1e-9
"""Distance from the end of a piece, in parts of it, that is none."""
NONE = 1e-24
"""m² + c² at which all points are as high."""


@called
def lowest(b, m, c):
    """(piece, its parameter, whether it bulges there and is no corner) of the lowest point of the arcs and cubics of a contour"""
    if m * m + c * c > NONE:
        return _lowest_of(b, m, c, 0, b.count, _about(b, value(m), value(c)))
    return 0, 0.0 * (m + c), False


@called
def lowest_of_lobe(b, m, c, lobe):
    """Likewise of a lobe (`flexor.contact.surfaces.lobes`), where it is low against all beside it, and there is no lower lobe"""
    first = int(b.lobe_begins[lobe])
    end = b.count + int(b.lobe_begins[0]) if b.closed else b.count
    if lobe + 1 < b.lobes:
        end = int(b.lobe_begins[lobe + 1])
    if m * m + c * c <= NONE:
        return 0, 0.0 * (m + c), False
    found, s, bulges = _lowest_of(b, m, c, first, end - first, 1e300)
    if (
        not bulges
        or (found == first and s <= 0.0)
        or (found == (end - 1) % b.count and s >= Piece(b.pieces, found).end)
    ):
        return found, s, False
    _, _, t_1, t_2 = point_and_tangent(Piece(b.pieces, found), s)
    if (
        b.side * (value(c) * value(t_1) - value(m) * value(t_2)) >= 0.0
    ):  # the solid is below: it is the bottom of a hollow
        return found, s, False
    lowest_piece, _, _ = _lowest_of(b, value(m), value(c), 0, b.count, _about(b, value(m), value(c)))
    return found, s, (lowest_piece + b.count - first) % b.count >= end - first


@called
def _lowest_of(b, m, c, first, count, below):
    """Of `count` pieces from the first one on; below: a height below which it is known to be, or at which; plain numbers"""
    zero = 0.0 * (m + c)
    found, s, best = -1, zero, 1e300 + zero
    steep = sqrt(value(m) * value(m) + value(c) * value(c))
    k = 0
    while k < 2 * b.count - 1:
        o = NODE * k
        if value(m) * b.nodes[o] + value(c) * b.nodes[o + 1] - steep * b.nodes[o + 2] > below + SAME * b.extent:
            k = int(b.nodes[o + 3])
            continue
        i = int(b.nodes[o + 4])
        k += 1
        if i < 0 or (i + b.count - first) % b.count >= count or Piece(b.pieces, i).kind == LINE:
            continue
        at = lowest_of_piece(Piece(b.pieces, i), m, c)
        h = _height(Piece(b.pieces, i), at, m, c)
        if h < best - SAME * b.extent:
            found, s, best = i, at, h
            below = min(below, value(h))
    if found < 0:
        return 0, zero, False
    if s <= 0.0:
        return found, s, not _is_corner(b, found)
    if s >= Piece(b.pieces, found).end:
        return found, s, not _is_corner(b, found + 1)
    return found, s, True


def _about(b, m, c):
    """A height below which the lowest point of the arcs and cubics is, or at which; plain numbers"""
    found, k = 1e300, 0
    while b.nodes[NODE * k + 4] < 0.0:
        left = k + 1
        right = int(b.nodes[NODE * left + 3])
        k = left if _bottom(b, left, m, c) <= _bottom(b, right, m, c) else right
    piece = Piece(b.pieces, int(b.nodes[NODE * k + 4]))
    if piece.kind != LINE:
        found = _height(piece, lowest_of_piece(piece, m, c), m, c)
    return found


def _bottom(b, k, m, c):
    """Height of the circle of a node"""
    return m * b.nodes[NODE * k] + c * b.nodes[NODE * k + 1] - sqrt(m * m + c * c) * b.nodes[NODE * k + 2]


def _height(piece, s, m, c):
    x, y, _, _ = point_and_tangent(piece, s)
    return m * x + c * y


def lowest_of_piece(piece, m, c):
    """Parameter of the lowest point of an arc or a cubic"""
    p, zero = piece.p, 0.0 * (m + c)
    s = zero - 1.0
    if piece.kind == ARC:
        s = foot_on(piece, p[0] - m, p[1] - c, 0.0)
    else:
        A, B, C = m * p[1] + c * p[5], 2.0 * (m * p[2] + c * p[6]), 3.0 * (m * p[3] + c * p[7])
        square = B * B - 4.0 * A * C
        if square > 0.0:
            root = sqrt(square)
            if B > 0.0:
                s = -2.0 * A / (B + root)
            elif C != 0.0:
                s = 0.5 * (root - B) / C
    end = zero if _height(piece, zero, m, c) <= _height(piece, piece.end + zero, m, c) else piece.end + zero
    if abs(s - end) <= JOINT * piece.end:  # where pieces go over into each other it moves on, too
        return s
    if s <= 0.0 or s >= piece.end or _height(piece, s, m, c) > _height(piece, end, m, c):
        return end
    return s


@called
def _is_corner(b, i):
    """Whether there is a corner, an end, or the end of a line where piece i begins; of a contour that is not closed the last of them ends at their count"""
    if b.closed == 0 and (i <= 0 or i >= b.count):
        return True
    i = i % b.count
    before = Piece(b.pieces, (i + b.count - 1) % b.count)
    return Piece(b.pieces, i).left_turn != 0.0 or Piece(b.pieces, i).kind == LINE or before.kind == LINE


@called
def rolls_past(b, m, c, corner, on, steepest):
    """Whether the bulge, on a piece, tells instead of the corner where another one begins: from that it goes down to the round part on which the bulge is, by no more than
    the sine `steepest`"""
    for way in (1, -1):
        i = corner if way > 0 else corner - 1
        for step in range(b.count):  # to the next corner
            if b.closed:
                i = (i + b.count) % b.count
            if i < 0 or i >= b.count or Piece(b.pieces, i).kind == LINE:
                break
            if step == 0:
                _, _, t_1, t_2 = point_and_tangent(Piece(b.pieces, i), 0.0 if way > 0 else Piece(b.pieces, i).end)
                slope, speed = way * (m * t_1 + c * t_2), sqrt((m * m + c * c) * (t_1 * t_1 + t_2 * t_2))
                if slope >= 0.0 or slope < -steepest * speed:
                    break
            if i == on:
                return True
            if _is_corner(b, i + 1 if way > 0 else i):
                break
            i += way
    return False
