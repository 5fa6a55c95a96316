"""Convex prisms with curved contours as `flexor.contact.approach.convex.solid` asks for them: both ends, flat sides, generators, straight edges of ends.

Along  n = m + c u,  with the axis u and m across it, a prism is touched where its contour reaches farthest along m, there with the radius of curvature ρ, none at a corner:

    x = o + R (x_1, x_2, ± half),     dx/dn = ρ/|m| · t tᵀ,     t = u × m/|m|

as a cylinder, whose contour is a circle. Faces are both ends, then the flat sides; families of lines the generators, n · u = 0, then the edges of each flat side.

A solid that stands somewhere is (its numbers, origin, axis, axes).
"""

from __future__ import annotations

from flexor.contact.approach.convex.solid import ALONG, LYING, Convex, no_border, no_edge
from flexor.contact.approach.pair import plain, plain_axes
from flexor.contact.approach.profiles.lowest import lowest_of_piece
from flexor.contact.distance.contour import distance_contour
from flexor.contact.surfaces.contour_tree import NODE
from flexor.coordinates.curve import LINE, Piece, curvature, foot_on, point_and_tangent
from flexor.law.dual import sqrt, value
from flexor.law.primitives import called
from flexor.law.tuples import add, column, dot, mtv, mv, scale, sub

STRAIGHT = 1e-6
"""Curvature of a cubic, times the extent, below which it counts as that."""
SEEDS = ((1.0, 0.0), (0.8, 0.6), (0.8, -0.6), (0.28, 0.96), (0.28, -0.96))
"""Cosine and sine of the angle between a circle of normals and the plane of the contour, from which the direction of separation is searched."""
SPOTS, QUARTERS = 12, 8
"""Four of each end, and the corners of the flat side on which it lies."""
FLAT = 0.9998
"""Cosine of the angle up to which it lies on a flat side: 1.1°."""
SMOOTH = 1e-9
"""Cosine of the angle between a normal and the tangent at the end of a piece that is none: pieces go over into each other there."""
OPPOSITE = 1e-9
"""Of two normals that are."""


def prism() -> Convex:
    """A prism with a convex contour."""
    return _PRISM


def _placed(size, p, R):
    return size, p, column(R, 2), R


def _end_of(S, n):
    return 1 if dot(n, S[2]) > 0.0 else 0


@called
def farthest(size, m_1, m_2):
    """Number of the piece of a contour that reaches farthest along a direction, plain numbers"""
    long, k = sqrt(m_1 * m_1 + m_2 * m_2), 0
    while size.nodes[NODE * k + 4] < 0.0:  # a piece that reaches far
        left = k + 1
        right = int(size.nodes[NODE * left + 3])
        k = left if _bound(size, left, m_1, m_2, long) >= _bound(size, right, m_1, m_2, long) else right
    found = int(size.nodes[NODE * k + 4])
    first, best, k = found, -_reach(Piece(size.pieces, found), m_1, m_2), 0
    while k < 2 * size.count - 1:
        o = NODE * k
        i = int(size.nodes[o + 4])
        if i == first or -_bound(size, k, m_1, m_2, long) >= best:
            k = int(size.nodes[o + 3])
            continue
        if i >= 0:
            h = -_reach(Piece(size.pieces, i), m_1, m_2)
            if h < best:
                found, best = i, h
        k += 1
    return found


def _bound(size, k, m_1, m_2, long):
    """How far the circle of a node reaches"""
    o = NODE * k
    return m_1 * size.nodes[o] + m_2 * size.nodes[o + 1] + long * size.nodes[o + 2]


def _reach(piece, m_1, m_2):
    x, y, _, _ = point_and_tangent(piece, _place(piece, m_1, m_2))
    return m_1 * x + m_2 * y


def _place(piece, m_1, m_2):
    """Parameter of the point of a piece farthest along a direction"""
    zero = 0.0 * (m_1 + m_2)
    if piece.kind == LINE:
        return (piece.end if m_1 * piece.p[2] + m_2 * piece.p[3] > 0.0 else 0.0) + zero
    return lowest_of_piece(piece, -m_1, -m_2)


@called
def _on_contour(size, m_1, m_2):
    """(x, y, ρ) of the point farthest along a direction"""
    piece = Piece(size.pieces, farthest(size, value(m_1), value(m_2)))
    s = _place(piece, m_1, m_2)
    x, y, t_1, t_2 = point_and_tangent(piece, s)
    zero = 0.0 * s
    if piece.kind == LINE or s <= 0.0 or s >= piece.end:
        slope, along = m_1 * t_1 + m_2 * t_2, (m_1 * m_1 + m_2 * m_2) * (t_1 * t_1 + t_2 * t_2)
        if piece.kind == LINE or slope * slope > SMOOTH * SMOOTH * along:  # a corner
            return x, y, zero
    return x, y, 1.0 / max(abs(curvature(piece, s, 1.0)), STRAIGHT / size.extent + zero)


@called
def _support(S, n, part):
    size, p, u, R = S
    m_1, m_2 = dot(n, column(R, 0)), dot(n, column(R, 1))
    square = m_1 * m_1 + m_2 * m_2
    zero = 0.0 * (square + p[0])
    z = size.half if part else -size.half
    if square < ALONG:
        return add(p, mv(R, (size.nodes[0] + zero, size.nodes[1] + zero, z + zero))), zero, scale(zero, u)
    x, y, rho = _on_contour(size, m_1, m_2)
    sine = sqrt(square)
    way = sub(scale(m_1, column(R, 1)), scale(m_2, column(R, 0)))  # u × m
    return add(p, mv(R, (x + zero, y + zero, z + zero))), rho / sine, scale(1.0 / sine, way)


def _flat(S, i):
    """The line of the i-th flat side"""
    return Piece(S[0].pieces, int(S[0].flat_sides[i]))


def _faces(S):
    return 2 + S[0].flats


@called
def _face(S, i):
    if i < 2:
        return scale(2.0 * i - 1.0, S[2])
    piece, side = _flat(S, i - 2), S[0].side
    return mv(S[3], (-side * piece.p[3], side * piece.p[2], 0.0))


@called
def _level(S, i):
    n = _face(S, i)
    if i < 2:
        return dot(S[1], n) + S[0].half
    piece = _flat(S, i - 2)
    return dot(add(S[1], mv(S[3], (piece.p[0], piece.p[1], 0.0))), n)


@called
def _inside(S, i, y):
    x = mtv(plain_axes(S[3]), sub(plain(y), plain(S[1])))
    if i < 2:
        return -distance_contour(S[0], x[0], x[1])[0]
    piece = _flat(S, i - 2)
    s = foot_on(piece, x[0], x[1], 0.0)
    return min(S[0].half - abs(x[2]), min(s, piece.end - s))


def _over(S, i, y, slack):
    return _inside(S, i, y) >= -value(slack)


def _families(S):
    return 1 + S[0].flats


@called
def _family(S, i):
    if i == 0:
        return S[2], 0.0
    piece = _flat(S, i - 1)
    return mv(S[3], (piece.p[2], piece.p[3], 0.0)), 0.0


@called
def _line(S, i, n):
    """A generator; an edge of a flat side at the end that n looks at, of the opposite side if n looks there: where that is none, a point"""
    size, p, u, R = S
    m_1, m_2 = dot(n, column(R, 0)), dot(n, column(R, 1))
    if i == 0:
        x, y, _ = _on_contour(size, m_1, m_2)
        return add(p, mv(R, (x, y, 0.0 * x - size.half))), u, 2.0 * size.half
    own = _flat(S, i - 1)
    way = mv(R, (own.p[2], own.p[3], 0.0))
    sign = 1.0 if size.side * (m_2 * own.p[2] - m_1 * own.p[3]) > 0.0 else -1.0
    z = size.half if dot(n, u) > 0.0 else -size.half
    for j in range(size.flats):
        piece = _flat(S, j)
        if sign * (own.p[2] * piece.p[2] + own.p[3] * piece.p[3]) > 1.0 - OPPOSITE:
            s = 0.0 if sign > 0.0 else piece.end
            x, y, _, _ = point_and_tangent(piece, s)
            return add(p, mv(R, (x, y, z))), way, piece.end
    x, y, _ = _on_contour(size, m_1, m_2)
    return add(p, mv(R, (x, y, 0.0 * x + z))), way, 0.0


def _size(S):
    return S[0].thin


@called
def _lying(S, n):
    """A generator, or an edge of a flat side"""
    found = -1
    for i in range(1 + S[0].flats):
        if found < 0 and abs(dot(n, _family(S, i)[0])) < LYING:
            found = i
    return found


@called
def _lies_on(S, n):
    """Number of the flat side along n, −1: none"""
    found = -1
    for i in range(S[0].flats):
        if dot(_face(S, i + 2), n) > FLAT:
            found = i
    return found


@called
def _spot(S, n, k):
    """Of each end what reaches farthest along n, and by quarters of a turn from there; then the corners of a flat side"""
    size, p, _, R = S
    m_1, m_2 = dot(n, column(R, 0)), dot(n, column(R, 1))
    square = m_1 * m_1 + m_2 * m_2
    zero = 0.0 * square
    if k >= QUARTERS:
        piece = _flat(S, max(_lies_on(S, n), 0)) if size.flats > 0 else Piece(size.pieces, 0)
        x, y, _, _ = point_and_tangent(piece, piece.end if k & 1 else 0.0)
        return add(p, mv(R, (x + zero, y + zero, zero + (size.half if k & 2 else -size.half))))
    if square < ALONG:
        m_1, m_2 = 1.0 + zero, zero
    for _ in range(k & 3):
        m_1, m_2 = -m_2, m_1
    x, y, _ = _on_contour(size, m_1, m_2)
    return add(p, mv(R, (x, y, zero + (size.half if k > 3 else -size.half))))


@called
def _hidden(S, n, k):
    """Corners of a flat side where it lies on none; there the lowest point of each end is one of them"""
    lies = _lies_on(S, n) >= 0
    return (not lies) if k >= QUARTERS else (lies and k & 3 == 0)


@called
def sections_of(S, i):
    """Into how many sections the border of a face is divided: pieces of the contour, the edges of a flat side"""
    return S[0].count if i < 2 else 4


@called
def border_of(S, i, s):
    """(y, t) at a place of the border of a face, in sections from its begin"""
    size, p, _, R = S
    k = min(int(s), sections_of(S, i) - 1)
    part = s - k
    if i < 2:
        piece = Piece(size.pieces, k)
        x, y, t_1, t_2 = point_and_tangent(piece, part * piece.end)
        long = sqrt(t_1 * t_1 + t_2 * t_2)
        z = size.half if i == 1 else -size.half
        return add(p, mv(R, (x, y, z))), mv(R, (t_1 / long, t_2 / long, 0.0))
    piece = _flat(S, i - 2)
    x, y, t_1, t_2 = point_and_tangent(
        piece, piece.end * (part if k == 0 else 1.0 if k == 1 else 1.0 - part if k == 2 else 0.0)
    )
    z = size.half * (-1.0 if k == 0 else 2.0 * part - 1.0 if k == 1 else 1.0 if k == 2 else 1.0 - 2.0 * part)
    way = (t_1, t_2, 0.0) if k & 1 == 0 else (0.0, 0.0, 1.0)
    return add(p, mv(R, (x, y, z))), mv(R, way)


def _blunt(S, k):
    return False


def _rim(S, i):
    return S[1], S[2], 0.0


def _middle(S):
    return add(S[1], mv(S[3], (S[0].nodes[0], S[0].nodes[1], 0.0)))


def _seeds(S):
    return len(SEEDS)


def _seed(S, i):
    c, s = SEEDS[i]
    return S[2], c, s


def _wall(S, i):
    size = S[0]
    return 0, i, add(S[1], mv(S[3], (size.nodes[0], size.nodes[1], size.half if i else -size.half)))


_PRISM = Convex(
    _placed, _support, _end_of, _face, _family, _line, _faces, _families,
    _size, _lying, _spot, _level, _over, _inside, _blunt, _rim, no_border, _middle, no_edge,
    seeds_of=_seeds, seed=_seed, hidden=_hidden, wall=_wall, rich=True,
)  # fmt: skip
