"""A plane curve of lines, arcs and cubics with a solid on one side: how far a point of the plane is from it.

The nearest point may lie inside a piece, or at a corner; there the side is that of the mean of both normals.
"""

from __future__ import annotations

from flexor.contact.surfaces.contour_tree import NODE
from flexor.coordinates.curve import ARC, CUBIC, Piece, curvature, foot_on, point_and_tangent
from flexor.law.dual import sqrt, value
from flexor.law.primitives import called

AT_CENTER = 1e-24
"""Square of the distance from the centre of an arc, in parts of its radius, from which all of it is equally near."""
POLISH = 1e-6
"""Change of a parameter that is found, in parts of its piece, by the steps that give it derivatives: else it hardly bends there, and they would lead astray."""
INSIDE = 1e-12
"""Overshoot in parts of a piece that belongs to it."""
SAMPLES = 8
"""Places of a cubic from the nearest of which its foot is searched."""
NEAR = 1e-13
"""Distance from a corner, in parts of the size, at which it has no direction."""
FAR = 2e12
"""Distance of sides that a point is behind [m]: less any radius, more than that of a place which is none (`flexor.contact.approach.pair.ELSEWHERE`)."""


def distance_contour(size, y_1, y_2):
    """(d, n₁, n₂, k): distance, normal, and curvature of the line through the point"""
    i, s, way = _nearest(size, value(y_1), value(y_2))
    return _at(size, i, s, way, y_1, y_2)


def distance_side(size, y_1, y_2, number):
    """Likewise of those sides of the contour alone that have a number: in a corner that opens outwards each side is touched by itself.

    Where the nearest place of the whole contour is theirs it is that one, outside and inside of the solid. Elsewhere it is the nearest of their places that the
    point is in front of: a side that it is behind, through a wall or across a recess, is far away.
    """
    z_1, z_2 = value(y_1), value(y_2)
    i, s, way = _nearest(size, z_1, z_2)
    if _owner(size, i, s, way, z_1, z_2) != number:
        i, s, way = _in_front(size, z_1, z_2, number)
        if i < 0:
            zero = 0.0 * (y_1 + y_2)
            return zero + FAR, 1.0 + zero, zero, zero
    return _at(size, i, s, way, y_1, y_2)


def side_at(size, y_1, y_2):
    """Number of the side that is nearest to a point; plain numbers"""
    i, s, way = _nearest(size, y_1, y_2)
    return _owner(size, i, s, way, y_1, y_2)


def ends_at(size, i, way):
    """Whether a side ends with the begin (way −1) or end (way 1) of a piece."""
    j = _neighbour(size, i, way)
    return j >= 0 and size.sides[j] != size.sides[i]


def _neighbour(size, i, way):
    """The piece before (way −1) or behind (way 1) another one; −1: none"""
    j = i + way
    if size.closed:
        return (j + size.count) % size.count
    return j if j < size.count else -1


def _cut(size, i, way):
    """Whether the only side of a contour with one corner that opens outwards was cut in two there."""
    return size.closed and size.concave == 1 and (way > 0) == (size.sides[i] == 0.0)


def _owner(size, i, s, way, y_1, y_2):
    """Number of the side that has the nearest place; of two that meet there: at a cut the first one, behind a corner that opens outwards that on whose half the point is"""
    if way == 0 or not ends_at(size, i, way):
        return size.sides[i]
    j = _neighbour(size, i, way)
    own, others = size.sides[i], size.sides[j]
    if _cut(size, i, way):
        return own if way > 0 else others
    c_1, c_2, t_1, t_2 = _along(Piece(size.pieces, i), s)
    _, _, u_1, u_2 = _along(Piece(size.pieces, j), 0.0 * s + (0.0 if way > 0 else Piece(size.pieces, j).end))
    on = (y_1 - c_1) * (t_1 + u_1) + (y_2 - c_2) * (t_2 + u_2)
    return others if on * way > 0.0 else own


@called
def _nearest(size, y_1, y_2):
    """(piece, parameter, way) of the nearest place; plain numbers"""
    found = _likely(size, y_1, y_2)
    first = found
    s, way = _foot(Piece(size.pieces, found), y_1, y_2)
    best = _square(Piece(size.pieces, found), s, y_1, y_2)
    k = 0
    while k < 2 * size.count - 1:
        i = int(size.nodes[NODE * k + 4])
        if i == first or _beyond(size, k, y_1, y_2, best):
            k = int(size.nodes[NODE * k + 3])
            continue
        if i >= 0:
            s_i, way_i = _foot(Piece(size.pieces, i), y_1, y_2)
            q = _square(Piece(size.pieces, i), s_i, y_1, y_2)
            if q < best or (q == best and i < found):
                best, found, s, way = q, i, s_i, way_i
        k += 1
    return found, s, way


def _likely(size, y_1, y_2):
    """A piece that is not far from a point"""
    k = 0
    while size.nodes[NODE * k + 4] < 0.0:
        left = k + 1
        right = int(size.nodes[NODE * left + 3])
        k = left if _from_center(size, left, y_1, y_2) <= _from_center(size, right, y_1, y_2) else right
    return int(size.nodes[NODE * k + 4])


def _from_center(size, k, y_1, y_2):
    """Square of the distance from the centre of a node's circle"""
    e_1, e_2 = y_1 - size.nodes[NODE * k], y_2 - size.nodes[NODE * k + 1]
    return e_1 * e_1 + e_2 * e_2


def _in_front(size, y_1, y_2, number):
    """Likewise of the nearest place of the sides with a number that the point is in front of; piece −1: there is none"""
    best, found, s, way = 1e300, -1, 0.0, 0
    k = 0
    while k < 2 * size.count - 1:
        if _beyond(size, k, y_1, y_2, best):
            k = int(size.nodes[NODE * k + 3])
            continue
        i = int(size.nodes[NODE * k + 4])
        if i >= 0 and size.sides[i] == number:
            s_i, way_i = _foot(Piece(size.pieces, i), y_1, y_2)
            q = _square(Piece(size.pieces, i), s_i, y_1, y_2)
            if q < best and _faces(size, i, s_i, way_i, y_1, y_2):
                best, found, s, way = q, i, s_i, way_i
        k += 1
    return found, s, way


def _beyond(size, k, y_1, y_2, best):
    """Whether the circle around the pieces of a node is farther away than what was found"""
    q, r = _from_center(size, k, y_1, y_2), size.nodes[NODE * k + 2]
    return q > r * r and q - 2.0 * r * sqrt(q) + r * r > best


def _faces(size, i, s, way, y_1, y_2):
    """Whether a point is in front of a place of a piece; at an end, if the next piece goes away from the point, in a corner that opens outwards if that faces it, too."""
    c_1, c_2, _, _ = point_and_tangent(Piece(size.pieces, i), s)
    e_1, e_2 = y_1 - c_1, y_2 - c_2
    n_1, n_2 = _normal(Piece(size.pieces, i), s, size.side)
    ahead = e_1 * n_1 + e_2 * n_2
    j = _neighbour(size, i, way) if way != 0 else -1
    if j < 0:
        return ahead > 0.0
    end = 0.0 * s + (0.0 if way > 0 else Piece(size.pieces, j).end)
    m_1, m_2 = _normal(Piece(size.pieces, j), end, size.side)
    beside = e_1 * m_1 + e_2 * m_2
    if ends_at(size, i, way):
        if not _cut(size, i, way):
            return ahead > 0.0 and beside > 0.0
        if way < 0:
            return False  # of the side before it
    _, _, t_1, t_2 = point_and_tangent(Piece(size.pieces, j), end)
    return ahead + beside > 0.0 and way * (e_1 * t_1 + e_2 * t_2) <= 0.0


def _foot(piece, y_1, y_2):
    """(parameter, way): the nearest point of a piece; way −1 at its begin, 1 at its end, 0 between"""
    s = 0.0 * y_1
    if piece.kind == ARC:
        d_1, d_2 = y_1 - piece.p[0], y_2 - piece.p[1]
        if d_1 * d_1 + d_2 * d_2 < AT_CENTER * piece.p[2] * piece.p[2]:
            return s + 0.5 * piece.end, 0  # from its centre all are equally near
        s = foot_on(piece, y_1, y_2, 0.0)
    elif piece.kind == CUBIC:
        guess, best = 0.0, 1e300 + s
        for j in range(SAMPLES + 1):
            q = _square(piece, j / SAMPLES + s, y_1, y_2)
            if q < best:
                guess, best = j / SAMPLES, q
        s = foot_on(piece, y_1, y_2, guess)
        if not _square(piece, s, y_1, y_2) <= best + 0.0 * s:
            s = guess + 0.0 * s
    else:
        s = foot_on(piece, y_1, y_2, 0.0)
    slack = INSIDE * piece.end
    if s > piece.end + slack:
        return _nearer_end(piece, s, y_1, y_2)
    if s < -slack:
        return _nearer_end(piece, s, y_1, y_2)
    return s, 0


def _nearer_end(piece, s, y_1, y_2):
    """The end that a foot beyond a piece belongs to: of an arc or cubic, which return, the nearer one."""
    zero = 0.0 * s
    if _square(piece, zero, y_1, y_2) <= _square(piece, piece.end + zero, y_1, y_2):
        return zero, -1
    return piece.end + zero, 1


def _square(piece, s, y_1, y_2):
    c_1, c_2, _, _ = point_and_tangent(piece, s)
    return (y_1 - c_1) * (y_1 - c_1) + (y_2 - c_2) * (y_2 - c_2)


def _along(piece, s):
    """A point and the unit tangent there."""
    c_1, c_2, t_1, t_2 = point_and_tangent(piece, s)
    speed = sqrt(t_1 * t_1 + t_2 * t_2)
    return c_1, c_2, t_1 / speed, t_2 / speed


def _normal(piece, s, side):
    """Unit normal on the free side."""
    _, _, t_1, t_2 = _along(piece, s)
    return -side * t_2, side * t_1


def _again(piece, s, way, y_1, y_2):
    """The parameter of the foot of a point, found with plain numbers, with its derivatives"""
    fixed = s + 0.0 * (y_1 + y_2)
    if way != 0:
        return fixed
    if piece.kind == ARC:
        d_1, d_2 = y_1 - piece.p[0], y_2 - piece.p[1]
        if d_1 * d_1 + d_2 * d_2 < AT_CENTER * piece.p[2] * piece.p[2]:
            return fixed
    to = foot_on(piece, y_1 + 0.0 * fixed, y_2 + 0.0 * fixed, s)
    return to if abs(to - s) < POLISH * piece.end else fixed


def _at(size, i, s, way, y_1, y_2):
    """What is told of a point with its foot on a piece"""
    piece = Piece(size.pieces, i)
    s = _again(piece, s, way, y_1, y_2)
    y_1, y_2 = y_1 + 0.0 * s, y_2 + 0.0 * s
    square = _square(piece, s, y_1, y_2)
    side = size.side
    c_1, c_2, _, _ = point_and_tangent(piece, s)
    e_1, e_2 = y_1 - c_1, y_2 - c_2
    n_1, n_2 = _normal(piece, s, side)
    if way != 0 and square > NEAR * NEAR * size.extent * size.extent:
        j = _neighbour(size, i, way)
        if j >= 0:
            other = Piece(size.pieces, j)
            m_1, m_2 = _normal(other, 0.0 * s + (0.0 if way > 0 else other.end), side)
            n_1, n_2 = n_1 + m_1, n_2 + m_2
        q = sqrt(square)
        sign = 1.0 if e_1 * n_1 + e_2 * n_2 > 0.0 else -1.0
        return sign * q, sign * e_1 / q, sign * e_2 / q, sign / q
    d = e_1 * n_1 + e_2 * n_2
    kappa = curvature(piece, s, side)
    bent = 1.0 + kappa * d
    if bent < 1e-9:
        return d, n_1, n_2, 0.0 * d  # from the centre of its curvature
    return d, n_1, n_2, kappa / bent
