"""Convex solids as `flexor.contact.approach.convex.separation` sees them: how far they reach along a direction, their flat faces, their families of edges.

A solid stands somewhere, in the axes of a:

    support(S, n)              the point of S farthest along n, and how it turns with n:  dx/dn = bend · t tᵀ
    support_of(S, n, part)     likewise if the corner or rim is told
    part_of(S, n)              which of its corners or rims that is
    face(S, i)                 outward unit normal of its i-th flat face
    family(S, i)               (u, k): the normals n · u = k along which its i-th family of straight lines is touched (edges of a box, generators of a cone)
    line(S, i, n)              (one end, direction, length) of that line of the family that n touches
    size(S)                    half of its least thickness
    lying(S, n)                the family whose line n touches nearly, −1 if none
    spot(S, n, k)              the k-th of the points with which it stands on what is along n: its corners, four points of each rim
    level(S, i)                height of its i-th face along its normal
    over(S, i, y, slack)       whether a point is over that face, or beyond its border by no more than the slack
    inside(S, i, y)            how far a point over that face is from its border
    pointed(S, k)              whether the k-th spot is the same as another one: of an apex
    rim(S, i), border(S, i, k) (centre, axis, radius) of the rim of its i-th face; or (one end, direction, length) of the k-th of its edges
    middle(S)                  a point within
    beside(S, u, c)            (whether a line along u through c runs beside an edge, the family of that, a normal with which it is touched)

and of those that have more (`flexor.contact.approach.convex.revolved`)

    ball(S, n, part)           radius ρ of a ball around the part, so that  dx/dn = bend · t tᵀ + ρ (1 − n nᵀ)
    seed(S, i)                 (u, cos φ, sin φ): the i-th of seeds_of(S) circles of normals, n · u = sin φ, from which the direction of separation is searched
    wall(S, i)                 (family, part, centre) of the rim at the i-th end of those lines with which it lies along others: of the longest
    hidden(S, n, k)            whether another spot than the k-th tells on what is along n
    rich                       it has more parts than its families of lines tell: the direction is searched from many sides
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from flexor.contact.approach.convex.circles import across
from flexor.law.dual import sqrt, value
from flexor.law.primitives import called
from flexor.law.tuples import add, column, cross, dot, mtv, mv, scale, sub

EDGE = 5e-9
"""Distance beyond the border of a face, in parts of the size, that belongs to it: as far as a rim rises over a line that it crosses at the least angle
(`flexor.contact.approach.convex.flats.ACROSS`)."""
LEVEL = 1e-18
"""Square of the sine of the angle between a rim and a plane at which all its points are as near."""
LYING = 0.014
"""Angle between a line and a plane up to which it lies on it [rad]: a face of which two edges do so is flat on it (`flexor.contact.approach.convex.flats.FLAT`)."""
ALONG = 1e-26
"""Square of the sine of the angle from an axis at which a direction is along it."""


def _no_ball(S, n, part):
    return 0.0


def _no_seeds(S):
    return 0


def _no_seed(S, i):
    return (0.0, 0.0, 1.0), 1.0, 0.0


def _no_wall(S, i):
    return 0, 0, S[0]


def _shown(S, n, k):
    return False


@dataclass(frozen=True)
class Convex:
    """What is known of a kind of convex solid; functions of a solid `placed(size, p, R)`.

    faces, families: how many it has.   round: whether it has rims.   search: how it looks for the direction along which it is separated most from what is
    round, if it knows a way of its own.
    """

    placed: Callable
    support_of: Callable
    part_of: Callable
    face: Callable
    family: Callable
    line: Callable
    faces: Callable
    families: Callable
    size: Callable
    lying: Callable
    spot: Callable
    level: Callable
    over: Callable
    inside: Callable
    pointed: Callable
    rim: Callable
    border: Callable
    middle: Callable
    beside: Callable
    round: bool = False
    search: Callable | None = None
    ball: Callable = _no_ball
    seeds_of: Callable = _no_seeds
    seed: Callable = _no_seed
    hidden: Callable = _shown
    wall: Callable = _no_wall
    rich: bool = False


def beside(n, u):
    """What a direction has across an axis, which need not be of unit length to the last digit: along it nothing is left, nor of what is nearly along it but rounding"""
    q, one = sub(n, scale(dot(n, u) / dot(u, u), u)), dot(u, u)
    return sub(q, scale(dot(q, u) / one, u))


def ends_of_cylinder(size):
    """(radius, height) of both rims"""
    return size.radius, -size.half, size.radius, size.half


def ends_of_cone(size):
    """(radius, height) of both rims; of an apex the radius is none"""
    return size.rings[0], size.rings[1], size.rings[3], size.rings[4]


@cache
def frustum(ends: Callable) -> Convex:
    """A cylinder or a cone: (centres of its rims, axis, radii, sin and cos of the slope of its generators)."""

    def placed(size, p, R):  # type: ignore[no-untyped-def]
        r_0, z_0, r_1, z_1 = ends(size)
        u = column(R, 2)
        slant = sqrt((z_1 - z_0) * (z_1 - z_0) + (r_0 - r_1) * (r_0 - r_1))
        return add(p, scale(z_0, u)), add(p, scale(z_1, u)), u, r_0, r_1, (r_0 - r_1) / slant, (z_1 - z_0) / slant

    return Convex(
        placed, _rim, _which_rim, end_normal, _generators, _generator, two, one,
        _size_of_frustum, _lying_generator, spot_of_rim, level_of_end, over_end, inside_end, is_apex, rim_of_end, no_border,
        middle_of_frustum, no_edge, True, seeds_of=three, seed=_seed_of_frustum, wall=_wall_of_frustum,
    )  # fmt: skip


def box() -> Convex:
    """(centre, axes, half sides)"""
    return _BOX


def one(S):
    return 1


def two(S):
    return 2


def three(S):
    return 3


def _six(S):
    return 6


@called
def _which_rim(S, n):
    q = beside(n, S[2])
    sine = sqrt(value(dot(q, q)))
    return 1 if dot(n, sub(S[1], S[0])) + (S[4] - S[3]) * sine > 0.0 else 0


@called
def _rim(S, n, part):
    """The point of a rim farthest along n; along the axis its centre"""
    u = S[2]
    q = beside(beside(n, u), u)  # twice: what rounding leaves along u would count as r/|q| of it
    square = dot(q, q)
    zero = 0.0 * square
    center, radius = (S[0], S[3]) if part == 0 else (S[1], S[4])
    if square < ALONG:
        return add(center, scale(zero, n)), zero, scale(zero, n)
    sine = sqrt(square)
    return add(center, scale(radius / sine, q)), radius / sine, scale(1.0 / sine, cross(u, q))


def end_normal(S, i):
    return scale(2.0 * i - 1.0, S[2])


def _generators(S, i):
    return S[2], S[5]


@called
def _generator(S, i, n):
    u = S[2]
    q = beside(n, u)
    sine = sqrt(dot(q, q))
    begin, end = add(S[0], scale(S[3] / sine, q)), add(S[1], scale(S[4] / sine, q))
    way = sub(end, begin)
    length = sqrt(dot(way, way))
    return begin, scale(1.0 / length, way), length


def _size_of_frustum(S):
    return min(max(S[3], S[4]), 0.5 * dot(sub(S[1], S[0]), S[2]))


def _lying_generator(S, n):
    return 0 if abs(dot(n, S[2]) - S[5]) < LYING else -1


@called
def spot_of_rim(S, n, k):
    """The point of a rim farthest along n, and by quarters of a turn from there the other three"""
    u = S[2]
    q = beside(beside(n, u), u)
    square = dot(q, q)
    e = across(u)
    if square > LEVEL:
        e = scale(1.0 / sqrt(square), q)
    f = cross(u, e)
    if k & 3 == 1:
        e = f
    if k & 3 == 2:
        e = scale(-1.0, e)
    if k & 3 == 3:
        e = scale(-1.0, f)
    if k < 4:
        return add(S[0], scale(S[3], e))
    return add(S[1], scale(S[4], e))


def level_of_end(S, i):
    return -dot(S[0], S[2]) if i == 0 else dot(S[1], S[2])


@called
def over_end(S, i, y, slack):
    center, u, radius = rim_of_end(S, i)
    q = sub(y, center)
    along = dot(q, u)
    wide = radius + slack
    return dot(q, q) - along * along <= wide * wide


@called
def inside_end(S, i, y):
    center, u, radius = rim_of_end(S, i)
    q = beside(sub(y, center), u)
    return radius - sqrt(value(dot(q, q)))


def is_apex(S, k):
    return k & 3 > 0 and (S[3] if k < 4 else S[4]) == 0.0


def _wall_of_frustum(S, i):
    return 0, i, rim_of_end(S, i)[0]


def _seed_of_frustum(S, i):
    """Its generators, and the middle of the normals of each rim"""
    c, s = S[6], S[5]
    if i == 0:
        return S[2], c, s
    s += 1.0 if i == 1 else -1.0
    long = sqrt(c * c + s * s)
    return S[2], c / long, s / long


def rim_of_end(S, i):
    if i == 0:
        return S[0], S[2], S[3]
    return S[1], S[2], S[4]


def no_border(S, i, k):
    return S[0], S[2], 0.0


def middle_of_frustum(S):
    return scale(0.5, add(S[0], S[1]))


def no_edge(S, u, c):
    return False, 0, u


def _placed_box(size, p, R):
    return p, R, (size.half[0], size.half[1], size.half[2])


@called
def _which_corner(S, n):
    R = S[1]
    return (
        (1 if dot(n, column(R, 0)) > 0.0 else 0)
        + (2 if dot(n, column(R, 1)) > 0.0 else 0)
        + (4 if dot(n, column(R, 2)) > 0.0 else 0)
    )


@called
def _corner(S, n, part):
    h = S[2]
    x = (h[0] if part & 1 else -h[0], h[1] if part & 2 else -h[1], h[2] if part & 4 else -h[2])
    zero = 0.0 * (n[0] + S[0][0])
    return add(add(S[0], mv(S[1], x)), (zero, zero, zero)), zero, (zero, zero, zero)


def _face(S, i):
    return scale(1.0 if i & 1 else -1.0, column(S[1], i >> 1))


def _edges(S, i):
    return column(S[1], i), 0.0


@called
def _edge(S, i, n):
    h, way = S[2], column(S[1], i)
    half = h[0] if i == 0 else h[1] if i == 1 else h[2]
    begin = S[0]
    for j in range(3):
        if j == i:
            begin = sub(begin, scale(half, way))
        else:
            e = column(S[1], j)
            side = h[0] if j == 0 else h[1] if j == 1 else h[2]
            begin = add(begin, scale(side if dot(n, e) > 0.0 else -side, e))
    return begin, way, 2.0 * half


def _size_of_box(S):
    return min(S[2][0], min(S[2][1], S[2][2]))


def _lying_edge(S, n):
    found = -1
    for i in range(3):
        if abs(dot(n, column(S[1], i))) < LYING:
            found = i
    return found


def _spot_of_box(S, n, k):
    return _corner(S, n, k)[0]


def _level_of_face(S, i):
    h = S[2]
    half = h[0] if i < 2 else h[1] if i < 4 else h[2]
    return dot(S[0], _face(S, i)) + half


@called
def _over_face(S, i, y, slack):
    x, h = mtv(S[1], sub(y, S[0])), S[2]
    return (
        (i >> 1 == 0 or abs(x[0]) <= h[0] + slack)
        and (i >> 1 == 1 or abs(x[1]) <= h[1] + slack)
        and (i >> 1 == 2 or abs(x[2]) <= h[2] + slack)
    )


@called
def _inside_face(S, i, y):
    x, h = mtv(S[1], sub(y, S[0])), S[2]
    found = 1e300
    for j in range(3):
        if j != i >> 1:
            side, at = (h[0], x[0]) if j == 0 else (h[1], x[1]) if j == 1 else (h[2], x[2])
            found = min(found, side - abs(value(at)))
    return found


def _blunt(S, k):
    return False


def _no_rim(S, i):
    return S[0], _face(S, i), 0.0


@called
def _edge_of_face(S, i, k):
    """Along one of the two other axes (k & 1), on one of its two sides (k >> 1)"""
    along, side = ((i >> 1) + 1 + (k & 1)) % 3, ((i >> 1) + 2 - (k & 1)) % 3
    n = add(_face(S, i), scale(1.0 if k >> 1 else -1.0, column(S[1], side)))
    return _edge(S, along, n)


def _middle_of_box(S):
    return S[0]


@called
def _edge_beside(S, u, c):
    """Along the axis that u is nearest to; beside the edge the line is beyond both faces"""
    R, h = S[1], S[2]
    v = mtv(R, u)
    family = 0 if abs(v[0]) > abs(v[1]) else 1
    family = 2 if abs(v[2]) > max(abs(v[0]), abs(v[1])) else family
    m, half = (v[0], h[0]) if family == 0 else (v[1], h[1]) if family == 1 else (v[2], h[2])
    q = mtv(R, sub(c, S[0]))
    at = q[0] if family == 0 else q[1] if family == 1 else q[2]
    q = add(q, scale((min(max(at, -half + 0.0 * at), half + 0.0 * at) - at) / m, v))
    out, beyond = (0.0, 0.0, 0.0), True
    for j in range(3):
        if j != family:
            off, thick = (q[0], h[0]) if j == 0 else (q[1], h[1]) if j == 1 else (q[2], h[2])
            beyond = beyond and abs(off) > thick
            out = add(out, scale(1.0 if off > 0.0 else -1.0, column(R, j)))
    return beyond, family, out


_BOX = Convex(
    _placed_box, _corner, _which_corner, _face, _edges, _edge, _six, three,
    _size_of_box, _lying_edge, _spot_of_box, _level_of_face, _over_face, _inside_face, _blunt, _no_rim, _edge_of_face,
    _middle_of_box, _edge_beside,
)  # fmt: skip
