"""Convex bodies of revolution as `flexor.contact.approach.convex.separation` sees them: rims, generators, flat ends, and what is round between them.

In the meridian of a direction n = m e + c u, with the axis u and a unit vector e across it, a part of the profile (`flexor.contact.surfaces.convex_profile`) is touched at

    x = o + z u + r e + ρ n,        dx/dn = r/m · t tᵀ + ρ (1 − n nᵀ),      t = u × e

o is the origin of the axes; (r, z) the rim, ρ = 0, or the centre of the arc, or of the circle of curvature of a cubic, and ρ its radius. So what is round is a rim with a ball
around each of its points (`ball`), whatever the sign of r: the centre of a flat arc is beyond the axis.

A solid that stands somewhere is (centres of its end rims, axis, their radii, origin, its numbers), the first five as of a cylinder (`flexor.contact.approach.convex.solid`).
"""

from __future__ import annotations

from functools import cache

from flexor.contact.approach.convex.solid import (
    ALONG,
    LYING,
    Convex,
    beside,
    end_normal,
    inside_end,
    is_apex,
    level_of_end,
    middle_of_frustum,
    no_border,
    no_edge,
    over_end,
    rim_of_end,
    spot_of_rim,
    two,
)
from flexor.contact.approach.profiles.lowest import lowest_of_piece
from flexor.contact.surfaces.convex_profile import WORDS
from flexor.coordinates.curve import Piece, curvature, point_and_tangent
from flexor.law.dual import sqrt, value
from flexor.law.primitives import called
from flexor.law.tuples import add, column, cross, dot, scale, sub

STRAIGHT = 1e-6
"""Curvature of a cubic, times the extent, below which it counts as that: a spline ends without any."""
ENDS = 8
"""Spots of both end rims, four each."""


@cache
def revolved() -> Convex:
    """A body of revolution with a convex profile."""
    return Convex(
        _placed, _support, part_of, end_normal, _generators, _generator, two, _lines,
        _size, _lying, _spot, level_of_end, over_end, inside_end, _same, rim_of_end, no_border,
        middle_of_frustum, no_edge, True, ball=_ball, seeds_of=_seeds, seed=_seed, hidden=_hidden, wall=_wall, rich=True,
    )  # fmt: skip


def _placed(size, p, R):
    u, last = column(R, 2), WORDS * (size.hull - 1)
    low, high = add(p, scale(size.parts[1], u)), add(p, scale(size.parts[last + 1], u))
    return low, high, u, size.parts[0], size.parts[last], p, size


def _lines(S):
    return S[6].lines


def _seeds(S):
    return 2 * S[6].hull - 1


def _seed(S, i):
    """The last normal of each part, and the middle of all of its normals"""
    parts, o = S[6].parts, WORDS * (i >> 1)
    c, s = parts[o + 3], parts[o + 4]
    if i & 1:
        return S[2], c, s
    before_c, before_s = (parts[o - WORDS + 3], parts[o - WORDS + 4]) if i > 0 else (0.0, -1.0)
    c, s = c + before_c, s + before_s
    long = sqrt(c * c + s * s + 1e-300)
    return S[2], c / long, s / long


@called
def part_of(S, n):
    """The part that n touches: n is beyond the last normal of all before it"""
    u, parts, count = S[2], S[6].parts, S[6].hull
    c = value(dot(n, u))
    q = beside(n, u)
    square = value(dot(q, q))
    if square < ALONG:
        return count - 1 if c > 0.0 else 0
    m, part = sqrt(square), 0
    while part < count - 1 and parts[WORDS * part + 3] * c - parts[WORDS * part + 4] * m > 0.0:
        part += 1
    return part


@called
def _circle(S, n, sine, part):
    """(r, z, ρ) of a part where n touches it"""
    b, zero = S[6], 0.0 * (sine + dot(n, S[2]))
    i = WORDS * part
    if b.parts[i + 5] < 0.0:
        return b.parts[i] + zero, b.parts[i + 1] + zero, b.parts[i + 2] + zero
    piece, c = Piece(b.pieces, int(b.parts[i + 5])), dot(n, S[2])
    s = lowest_of_piece(piece, -sine, -c)
    r, z, _, _ = point_and_tangent(piece, s)
    bend = abs(curvature(piece, s, 1.0))
    if bend * b.extent < STRAIGHT:
        bend = STRAIGHT / b.extent + zero
    return r - sine / bend, z - c / bend, 1.0 / bend


@called
def _support(S, n, part):
    """The point of a part farthest along n; of an end along the axis its centre"""
    u = S[2]
    q = beside(n, u)
    square = dot(q, q)
    zero = 0.0 * square
    if square < ALONG:
        _, z, ball = _circle(S, n, zero, part)
        return add(S[5], add(scale(z, u), scale(ball, n))), zero, scale(zero, n)
    sine = sqrt(square)
    r, z, ball = _circle(S, n, sine, part)
    x = add(add(S[5], scale(z, u)), add(scale(r / sine, q), scale(ball, n)))
    return x, r / sine, scale(1.0 / sine, cross(u, q))


@called
def _ball(S, n, part):
    """ρ"""
    q = beside(n, S[2])
    return _circle(S, n, sqrt(dot(q, q) + 1e-300), part)[2]


def _generators(S, i):
    return S[2], S[6].parts[WORDS * int(S[6].generators[i]) + 4]


@called
def _generator(S, i, n):
    u, parts, part = S[2], S[6].parts, int(S[6].generators[i])
    q = beside(n, u)
    e, o = scale(1.0 / sqrt(dot(q, q)), q), WORDS * part
    begin = add(S[5], add(scale(parts[o + 1], u), scale(parts[o], e)))
    end = add(S[5], add(scale(parts[o + WORDS + 1], u), scale(parts[o + WORDS], e)))
    way = sub(end, begin)
    length = sqrt(dot(way, way))
    return begin, scale(1.0 / length, way), length


def _wall(S, i):
    b = S[6]
    part = int(b.generators[b.wall]) + i
    return b.wall, part, add(S[5], scale(b.parts[WORDS * part + 1], S[2]))


def _size(S):
    return min(S[6].widest, 0.5 * dot(sub(S[1], S[0]), S[2]))


@called
def _lying(S, n):
    """Of several the nearest"""
    found, nearest, c = -1, LYING, dot(n, S[2])
    for i in range(S[6].lines):
        off = abs(c - S[6].parts[WORDS * int(S[6].generators[i]) + 4])
        if off < nearest:
            found, nearest = i, value(off)
    return found


@called
def _spot(S, n, k):
    """Of the end rims four points each; of each other rim, and of what is round, the point farthest along n"""
    if k < ENDS:
        return spot_of_rim(S, n, k)
    rims = S[6].inner
    part = int(S[6].rims[k - ENDS]) if k - ENDS < rims else part_of(S, n)
    return _support(S, n, part)[0]


def _same(S, k):
    return k < ENDS and is_apex(S, k)


def _is_round(S, part):
    parts = S[6].parts
    return parts[WORDS * part + 2] > 0.0 or parts[WORDS * part + 5] >= 0.0


@called
def _hidden(S, n, k):
    """Whether another spot tells: of rims with nothing but arcs between them, and those, only what reaches farthest along n"""
    part, rims = part_of(S, n), S[6].inner
    if k - ENDS >= rims:
        return not _is_round(S, part)
    if k < ENDS and k & 3:
        return False
    own = (0 if k == 0 else S[6].hull - 1) if k < ENDS else int(S[6].rims[k - ENDS])
    if own == part:
        return False
    way = 1 if part > own else -1
    i, last = own + way, part if _is_round(S, part) else part - way  # the part that n touches may be a rim
    arcs = (last - i) * way >= 0
    while arcs and (last - i) * way >= 0:
        arcs = _is_round(S, i)
        i += way
    return arcs
