"""Straight edges of a polyhedron b across the mouth of what is hollow: the rim where its wall ends, a circle about the axis.

Around the rim the solid is a wedge that is bent the other way: outside of a circle. So no face of b rests on a rim, and no edge on the wall; what is between corners touches where an edge crosses the rim,
across both. An edge through c along u (from the middle of the circle) and the rim y(φ) = r e are nearest to each other where

    F = w · τ = 0,     w = P(c − y),  P = 1 − u uᵀ,  τ = y'/r,        F = Pc · τ + r (u · e)(u · τ),       F' = −Pc · e + r ((u · τ)² − (u · e)²);

then w is along n = ± τ × u/|τ × u|, and g = n · (y_b − y_a) is stationary: ġ = n · u. With q² = u_x² + u_y² and the angle φ from where u points to, in the plane of the rim, F = 0 is the equation of the
nearest points of an ellipse,

    a_x sin φ − a_y cos φ + r q² sin φ cos φ = 0,        a = Pc,

which has one smallest distance on each side of the circle, u · e ≥ 0 and u · e ≤ 0, or none on one of them: an edge that lies across a mouth touches at both ends of a chord, each a place of its own. In each quarter,
divided by sin φ cos φ, it rises to φ* = arctan ∛(a_y/|a_x|), or all the way: there the root is enclosed. An edge steeper than 30° has one place: it is on that side to which it goes up.

Both touch if they are met between their ends and n lies between the normals of the wall and the end of a, and those of the faces of the edge of b, within 1.1° for what lies flat. They overlap if the edge cuts through
the wedge and the rim through that of b: if where an edge is as deep below the wall as below the end, it is in the solid, between its own ends; likewise the rim between both faces of b. A corner that ends in the wedge
tells by itself; nor is an edge that goes down through the end of a, 1 µm to its corner, as deep as it is away from the rim.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from flexor.contact.approach.pair import ELSEWHERE, far, plain, plain_axes
from flexor.contact.approach.polyhedra.crossing import ACROSS, ENDS, EXACTLY, LIES, rod_at
from flexor.contact.distance.triangles import distance_triangles
from flexor.contact.surfaces.sharp import LYING, ROD
from flexor.coordinates.curve import ARC, CUBIC, Piece, point_and_tangent
from flexor.law.dual import cos, sin, sqrt
from flexor.law.primitives import called
from flexor.law.tuples import add, cross, dot, mtv, mv, scale, sub, vec

MOST_EDGES = 64
"""Of a polyhedron that have places of their own at a rim; of more a group of neighbours shares them, for the nearest."""
STEPS = 60
CLOSE = 1e-15
"""Change of an angle that is none [rad]."""
STEEP = 0.5
"""Sine of the angle of an edge against the plane of a rim from which on it has one place there."""
CORNER = 0.02
"""Angle at which a profile has a corner [rad]."""
WITHIN = 0.2
"""Depth of what cuts through a wedge, in parts of what it would be in a straight one, that it has at least."""
PLACES = 8
"""Of each piece of a contour, between which mouths of slots are searched."""
BARELY = 1e-9
"""Sine of an angle, or an angle [rad], that is none."""
PAST = 0.1
"""Depth of an edge whose corner has come out of the wedge, in parts of its overlap, that it has at least."""
NONE = 1e-12
"""Overlap, in parts of the radius, that is none."""
FLAT = 1e-6
"""F' in parts of |y'|², or of the radius, at which two places become one."""


def mouths_of_cylinder(a, k):
    """(radius, height, middle normal: away from the axis and along it, cosine of half of the angle between wall and end) of the k-th rim of a bore"""
    half = 0.7071067811865476
    return abs(a.radius), a.half if k else -a.half, -half, half if k else -half, half


def bend_at(a, i):
    """(sine, cosine) of the angle by which the normal of a contour turns from its piece i to the next, positive where the solid sticks out; and both tangents"""
    j = (i + 1) % a.count
    _, _, s_1, s_2 = point_and_tangent(Piece(a.pieces, i), Piece(a.pieces, i).end)
    _, _, t_1, t_2 = point_and_tangent(Piece(a.pieces, j), 0.0)
    one, other = sqrt(s_1 * s_1 + s_2 * s_2), sqrt(t_1 * t_1 + t_2 * t_2)
    s_1, s_2, t_1, t_2 = s_1 / one, s_2 / one, t_1 / other, t_2 / other
    return -a.side * (s_1 * t_2 - s_2 * t_1), s_1 * t_1 + s_2 * t_2, (s_1, s_2), (t_1, t_2)


def juts(a, i):
    """Whether the solid sticks out at the end of piece i of a contour, with a sharp edge."""
    sine, cosine, _, _ = bend_at(a, i)
    return sine > CORNER or (cosine < 0.0 and sine > -CORNER)


def mouths_of_contour(a, k):
    """Likewise of the k-th corner of a profile at which the solid sticks out"""
    found, left = 0, k
    for i in range(a.count if a.closed else a.count - 1):
        if juts(a, i):
            if left == 0:
                found = i
            left -= 1
    _, _, s, t = bend_at(a, found)
    n_1, n_2 = -a.side * (s[1] + t[1]), a.side * (s[0] + t[0])
    long = sqrt(n_1 * n_1 + n_2 * n_2)
    if long < 1e-9:  # a blade
        n_1, n_2, long = s[0], s[1], 1.0
    rho, z, _, _ = point_and_tangent(Piece(a.pieces, found), Piece(a.pieces, found).end)
    n_1, n_2 = n_1 / long, n_2 / long
    return rho, z, n_1, n_2, a.side * (s[0] * n_2 - s[1] * n_1)


@called
def nearest_on_circle(c, u, r, way):
    """(whether there is one, e) of the smallest distance of a line through c along u from a circle, on the side with u · e ≥ 0 (way 1) or ≤ 0 (−1)"""
    q = sqrt(u[0] * u[0] + u[1] * u[1])
    along = dot(c, u)
    a_1, a_2 = c[0] - along * u[0], c[1] - along * u[1]
    x_1, x_2 = 1.0, 0.0
    if q > 1e-15:
        x_1, x_2 = u[0] / q, u[1] / q
    x, y = way * (a_1 * x_1 + a_2 * x_2), a_2 * x_1 - a_1 * x_2
    over = 1.0 if y >= 0.0 else -1.0
    y = abs(y)
    k = r * q * q
    low, high = 0.0, 0.5 * 3.141592653589793
    if x < 0.0:
        high = cubic_angle(y, -x)
        s, t = sin(high), cos(high)
        if (y == 0.0 and x + k <= 0.0) or (y > 0.0 and x * s - y * t + k * s * t <= 0.0):
            return False, (x_1, x_2, 0.0)
    angle = 0.5 * high
    for _ in range(STEPS):
        if y == 0.0:
            angle = 0.0
            break
        s, t = sin(angle), cos(angle)
        f, slope = x * s - y * t + k * s * t, x * t + y * s + k * (t * t - s * s)
        if f > 0.0:
            high = angle
        else:
            low = angle
        to = angle - f / slope if slope > 0.0 else low
        if to <= low or to >= high:
            to = 0.5 * (low + high)
        change = abs(to - angle)
        angle = to
        if change < CLOSE:
            break
    s, t = over * sin(angle), way * cos(angle)
    return True, (t * x_1 - s * x_2, t * x_2 + s * x_1, 0.0)


def cubic_angle(y, x):
    """arctan ∛(y/x)"""
    if y <= 0.0:
        return 0.0
    tangent = (y / x) ** (1.0 / 3.0)
    low, high = 0.0, 0.5 * 3.141592653589793
    for _ in range(60):
        middle = 0.5 * (low + high)
        if sin(middle) < tangent * cos(middle):
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


@called
def met(c, u, length, m_b, limit, y, tau, m_a, half):
    """(whether an edge and the rim at y are met between their ends and between the normals of their faces, g, n, place on the edge); plain numbers, c: begin of the edge, half: as of rims"""
    n = cross(tau, u)
    square = dot(n, n)
    if square < ACROSS:
        return False, 0.0, tau, 0.0
    n = scale(1.0 / sqrt(square), n)
    if dot(n, m_a) - dot(n, m_b) < 0.0:
        n = scale(-1.0, n)
    at = dot(sub(y, c), u)
    g = dot(n, sub(c, y))
    lies = half * cos(LYING) - sqrt(max(1.0 - half * half, 0.0)) * sin(LYING)
    beyond = ENDS * length - min(g, 0.0)  # a corner that has come out on the other side
    there = at > -beyond and at < length + beyond
    return there and dot(n, m_a) >= lies and -dot(n, m_b) >= limit, g, n, at


@cache
def cuts_through(distance: Callable) -> Callable:
    """Whether an edge that overlaps a rim cuts through its wedge, and the rim, bent by `bend` towards `inward`, through that of the edge."""

    @called
    def above(a, y):  # type: ignore[no-untyped-def]
        return distance(a, y)[0]

    @called
    def cuts(a, b, p, R, c, u, length, m_b, exactly, y, tau, m_a, half, inward, bend, g, n, at):  # type: ignore[no-untyped-def]
        k = cross(tau, m_a)  # where the edge is as deep below both faces of a
        along = dot(k, u)
        if abs(along) < BARELY:
            return False
        off = -g * dot(k, n) / along
        to = min(max(at + off, 0.0), length)
        depth = -above(a, add(c, scale(to, u)))
        if to == at + off:
            straight = -dot(m_a, add(scale(g, n), scale(off, u))) * half
            if depth < WITHIN * straight:
                return False
        elif depth > 0.0 or -above(a, add(c, scale(min(max(at, 0.0), length), u))) < -PAST * g:
            return False  # a corner in the wedge tells
        k = cross(u, m_b)  # likewise the rim in b
        along = dot(k, tau)
        if abs(along) < BARELY:
            return False
        off = g * dot(k, n) / along
        turn = min(max(off * bend, -1.5), 1.5)
        way = scale(off, tau)
        if abs(turn) > BARELY:
            way = scale(1.0 / bend, add(scale(sin(turn), tau), scale(1.0 - cos(turn), inward)))
        straight = -dot(m_b, sub(scale(off, tau), scale(g, n))) * exactly
        return -distance_triangles(b, mtv(R, sub(add(y, way), p)))[0] >= WITHIN * straight

    return cuts


@called
def has_place(u, way):
    """Whether an edge has a place on one side of a rim: steep ones have one alone"""
    return abs(u[2]) <= STEEP or u[2] * way > 0.0


@cache
def on_circle(mouth_of: Callable, distance: Callable) -> Callable:
    """(g, parameter, e) of an edge of b and the rim of a body of revolution on one side of it; ELSEWHERE: they do not touch. Plain numbers"""
    cuts = cuts_through(distance)

    @called
    def nearest(a, b, p, R, j, rim, way):  # type: ignore[no-untyped-def]
        best, found = ELSEWHERE, (1.0, 0.0, 0.0)
        begin, u, length = rod_at(b, j, p, R)
        if not has_place(u, way):
            return best, 0.0, found
        r, z, m_1, m_2, half = mouth_of(a, rim)
        middle = (0.0, 0.0, z)
        m_b = mv(R, vec(b.rods, ROD * j + 7))
        for i in range(2):
            side = 1.0 - 2.0 * i
            if side != way and abs(u[2]) <= STEEP:
                continue
            there, e = nearest_on_circle(sub(begin, middle), u, r, side)
            if not there:
                continue
            y, tau, m_a = add(middle, scale(r, e)), (-e[1], e[0], 0.0), (m_1 * e[0], m_1 * e[1], m_2)
            touching, g, n, at = met(begin, u, length, m_b, b.rods[ROD * j + LIES], y, tau, m_a, half)
            if not touching or g >= best:
                continue
            if g < -NONE * r:
                exactly, inward = b.rods[ROD * j + EXACTLY], scale(-1.0, e)
                if not cuts(a, b, p, R, begin, u, length, m_b, exactly, y, tau, m_a, half, inward, 1.0 / r, g, n, at):
                    continue
            best, found = g, e
        return best, 0.0, found

    return nearest


@cache
def across_circle(mouth_of: Callable) -> Callable:
    """(g, n, x) of an edge and a rim of a body of revolution that meet at e, which Newton's step gives its derivatives"""

    @called
    def across(a, b, j, p, R, rim, s, e):  # type: ignore[no-untyped-def]
        r, z, m_1, m_2, _ = mouth_of(a, rim)
        begin, u, _ = rod_at(b, j, p, R)
        c = sub(begin, (0.0, 0.0, z))
        tau = (-e[1], e[0], 0.0)
        off = sub(c, scale(dot(c, u), u))
        over, beside = dot(u, e), dot(u, tau)
        slope = -dot(off, e) + r * (beside * beside - over * over)
        if abs(slope) < FLAT * r:
            return far(p, R)
        turn = -(dot(off, tau) + r * over * beside) / slope
        e = add(scale(cos(turn), e), scale(sin(turn), tau))
        y, tau = add(scale(r, e), (0.0, 0.0, z + 0.0 * turn)), (-e[1], e[0], 0.0 * turn)
        return crossing(begin, u, y, tau, (m_1 * e[0], m_1 * e[1], m_2 + 0.0 * turn), mv(R, vec(b.rods, ROD * j + 7)))

    return across


def crossing(c, u, y, tau, m_a, m_b):
    """(g, n, x) of an edge through c along u and the rim at y along τ, where they are nearest"""
    n = cross(tau, u)
    n = scale(1.0 / sqrt(dot(n, n)), n)
    if dot(n, m_a) - dot(n, m_b) < 0.0:
        n = scale(-1.0, n)
    other = add(c, scale(dot(sub(y, c), u), u))
    return dot(n, sub(c, y)), n, scale(0.5, add(y, other))


def bow_of(piece, s):
    """(c''ₓ, c''_y) of a piece at a parameter"""
    p = piece.p
    if piece.kind == ARC:
        c_1, c_2, _, _ = point_and_tangent(piece, s)
        square = p[2] * p[2]
        return (p[0] - c_1) / square, (p[1] - c_2) / square
    if piece.kind == CUBIC:
        return 2.0 * p[2] + 6.0 * s * p[3], 2.0 * p[6] + 6.0 * s * p[7]
    return 0.0 * s, 0.0 * s


@called
def towards(c, u, z, piece, s):
    """(F, F') = w · y', −|P y'|² + w · y'' of a line and the contour of a prism at the height z"""
    y_1, y_2, t_1, t_2 = point_and_tangent(piece, s)
    b_1, b_2 = bow_of(piece, s)
    w = (c[0] - y_1, c[1] - y_2, c[2] - z)
    w = sub(w, scale(dot(w, u), u))
    along = t_1 * u[0] + t_2 * u[1]
    return w[0] * t_1 + w[1] * t_2, along * along - t_1 * t_1 - t_2 * t_2 + w[0] * b_1 + w[1] * b_2


@called
def rim_at(a, piece, s, z):
    """(y, τ, direction into the solid, curvature towards the free side) of the contour of a prism at the height z"""
    y_1, y_2, t_1, t_2 = point_and_tangent(piece, s)
    b_1, b_2 = bow_of(piece, s)
    speed = sqrt(t_1 * t_1 + t_2 * t_2)
    t_1, t_2 = t_1 / speed, t_2 / speed
    bend = a.side * (t_1 * b_2 - t_2 * b_1) / (speed * speed)
    zero = 0.0 * s
    return (y_1, y_2, z + zero), (t_1, t_2, zero), (a.side * t_2, -a.side * t_1, zero), bend


@cache
def on_contour(distance: Callable) -> Callable:
    """As `on_circle`, of the mouth of a slot: the places of its contour between which F falls through zero, each followed by Newton's steps"""
    cuts = cuts_through(distance)

    @called
    def nearest(a, b, p, R, j, rim, way):  # type: ignore[no-untyped-def]
        best, found, place = ELSEWHERE, (1.0, 0.0, 0.0), 0.0
        begin, u, length = rod_at(b, j, p, R)
        if not has_place(u, way):
            return best, place, found
        z, m_b, half = a.half if rim else -a.half, mv(R, vec(b.rods, ROD * j + 7)), 0.7071067811865476
        for i in range(a.count):
            piece = Piece(a.pieces, i)
            before = towards(begin, u, z, piece, 0.0)[0]
            for step in range(1, PLACES + 1):
                low, high = piece.end * (step - 1) / PLACES, piece.end * step / PLACES
                after = towards(begin, u, z, piece, high)[0]
                falls, before = before >= 0.0 and after < 0.0, after
                if not falls:
                    continue
                s = 0.5 * (low + high)
                for _ in range(STEPS):
                    f, slope = towards(begin, u, z, piece, s)
                    if f >= 0.0:
                        low = s
                    else:
                        high = s
                    to = s - f / slope if slope < 0.0 else low
                    if to <= low or to >= high:
                        to = 0.5 * (low + high)
                    change, s = abs(to - s), to
                    if change < CLOSE * piece.end:
                        break
                y, tau, e, bend = rim_at(a, piece, s, z)
                if abs(u[2]) <= STEEP and dot(u, e) * way < 0.0:
                    continue
                m_a = (-half * e[0], -half * e[1], half if rim else -half)
                touching, g, n, at = met(begin, u, length, m_b, b.rods[ROD * j + LIES], y, tau, m_a, half)
                if not touching or g >= best:
                    continue
                if g < -NONE * a.extent:
                    exactly, inward = b.rods[ROD * j + EXACTLY], scale(-1.0, e)
                    if not cuts(a, b, p, R, begin, u, length, m_b, exactly, y, tau, m_a, half, inward, bend, g, n, at):
                        continue
                best, place, found = g, s, (1.0 * i, 0.0, 0.0)
        return best, place, found

    return nearest


@called
def across_contour(a, b, j, p, R, rim, s, found):
    """As `across_circle`; found[0]: number of the piece"""
    piece, z = Piece(a.pieces, int(found[0])), a.half if rim else -a.half
    begin, u, _ = rod_at(b, j, p, R)
    f, slope = towards(begin, u, z, piece, s + 0.0 * begin[0])
    _, _, t_1, t_2 = point_and_tangent(piece, s)
    if abs(slope) < FLAT * (t_1 * t_1 + t_2 * t_2):
        return far(p, R)
    y, tau, e, _ = rim_at(a, piece, s - f / slope, z)
    half = 0.7071067811865476
    m_a = (-half * e[0], -half * e[1], (half if rim else -half) + 0.0 * e[0])
    return crossing(begin, u, y, tau, m_a, mv(R, vec(b.rods, ROD * j + 7)))


@cache
def edges_on_mouths(nearest: Callable, across: Callable, rims: int) -> Callable:
    """The edges, or groups of them, of a triangulated surface b on each of the rims of a, on both sides of them."""

    @called
    def approach(a, b, p, R, k):  # type: ignore[no-untyped-def]
        way, rim, group = 1.0 - 2.0 * (k & 1), (k >> 1) % rims, (k >> 1) // rims
        groups = min(b.edges, MOST_EDGES)
        at, axes = plain(p), plain_axes(R)
        best, s, e, found = ELSEWHERE, 0.0, (1.0, 0.0, 0.0), -1
        for j in range(group * b.edges // groups, (group + 1) * b.edges // groups):
            g, place, there = nearest(a, b, at, axes, j, rim, way)
            if g < best:
                best, s, e, found = g, place, there, j
        if found < 0:
            return far(p, R)
        return across(a, b, found, p, R, rim, s, e)

    return approach


def on_rims(mouth_of: Callable, distance: Callable, rims: int) -> Callable:
    """Of a hollow body of revolution; mouth_of(a, k): its k-th rim."""
    return edges_on_mouths(on_circle(mouth_of, distance), across_circle(mouth_of), rims)


def on_ends(distance: Callable) -> Callable:
    """Of a slot, at both its ends."""
    return edges_on_mouths(on_contour(distance), across_contour, 2)
