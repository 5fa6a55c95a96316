"""How near two convex solids are: the direction along which they are separated most.

With the reaches h(n) = max n · x of both solids along a direction,

    g = max over |n| = 1 of  s(n) = − h_b(−n) − h_a(n) = n · (x_b − x_a),

the distance of solids that are apart, and less the depth by which those that overlap have to be moved apart. x_a and x_b are the points of both that reach farthest,
and as s does not change to first order with n where it is largest, ġ = n · u with the velocity u of b's material beyond a's there: forces along n have the potential of g.

s bends where a flat face, an edge or a generator is touched, so that its maximum is

    a face       n is the normal of a flat face of one of them
    two lines    n is across an edge or generator of each
    a line       n turns about the direction of an edge, or with a generator about the axis, of one of them:       one unknown
    none         n is free: rim on rim, rim on corner, corner on corner:                                            two unknowns

Each s(n) is a bound, g ≥ s(n): of all candidates the largest counts, and none can be too large. Unknowns are searched for with plain numbers, and get
their derivatives by one more of Newton's steps: s'' δ = −s', with

    s' = n' · w,    s'' = n'' · w − n' · (bend_a t_a t_aᵀ + bend_b t_b t_bᵀ) n',     w = x_b − x_a.

Flat faces that lie on something are told by points of their own (`flexor.contact.approach.convex.flats`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from flexor.contact.approach.convex.ascent import ascent, upwards
from flexor.contact.approach.convex.circles import across, radial, two_circles
from flexor.contact.approach.convex.solid import EDGE, Convex
from flexor.contact.approach.pair import AXES, ORIGIN, plain, plain_axes
from flexor.law.dual import cos, sin, sqrt, value
from flexor.law.primitives import called
from flexor.law.tuples import add, cross, dot, mtv, mv, neg, scale, sub, transpose

FACE_A, FACE_B, LINES, LINE_A, LINE_B, FREE = 0, 1, 2, 3, 4, 5
"""What the normal is bound to."""
PLACES = 12
"""Of a turn about a line, from the best of which its maximum is searched."""
ASIDE = 0.03
"""How far beside the best of them it is searched, too [rad]."""
STEPS = 30
LONGEST = 0.3
"""Of a step [rad]."""
CLOSE = 1e-14
"""Change of n that is none [rad]."""
PARALLEL = 1e-18
"""Square of the sine of the angle between lines that are parallel, |u × v|²: 1 − (u · v)² would be rounding there."""
SAME = 1e-12
"""Difference of s, in parts of the size, that is none: of equal ones the simpler counts."""

POLISH = 1e-6
"""The longest step that gives n its derivatives [rad]; where s hardly bends it would lead astray."""
ON_LINE = 1e-9
"""How much n · u may differ from k where a line is touched."""
TILT, TILTS = 0.1, 4
"""Angle by which the search beyond the border of a face begins [rad]; how often with a tenth of it again."""
BESIDE = 1e-3
"""Angle at which the rim or corner at the end of a line is touched alone [rad]."""
SHALLOW = 0.05
"""Depth, in parts of the size, up to which a point over a face that is farther from its border than deep tells that they are separated most along this face: with its depth
d and a disc of radius r ≥ d of the face around it,  s(n) ≤ − d cos α − r sin α ≤ − d  at any angle α from the normal of the face."""


def unit(u):
    """u/|u|"""
    return scale(1.0 / sqrt(dot(u, u)), u)


def turned_about(u, k, e, angle):
    """The direction n · u = k beside e, turned by an angle; e: unit vector across u."""
    c = sqrt(1.0 - k * k)
    return add(scale(k, u), add(scale(c * cos(angle), e), scale(c * sin(angle), cross(u, e))))


def past(at, length):
    """How far a place is past the end of a line, negative before its begin; none between"""
    if at > length:
        return at - length
    return min(at, 0.0 * at)


def turned_family(family):
    """(u, k) of b, whose outward normals are −n"""
    return family[0], -family[1]


def between_lines(a, b):
    """The nearest points of two lines (begin, direction, length); of parallel ones in the middle of what they share"""
    p, u, long_a = a
    q, v, long_b = b
    m, w, e = dot(u, v), cross(u, v), sub(q, p)
    one = dot(w, w)
    if one > PARALLEL:
        s = dot(cross(e, v), w) / one
        s = min(max(s, 0.0 * s), long_a + 0.0 * s)
        t = min(max(m * s - dot(e, v), 0.0 * s), long_b + 0.0 * s)
        return add(p, scale(s, u)), add(q, scale(t, v))
    low, high = dot(e, u), dot(e, u) + m * long_b
    if low > high:
        low, high = high, low
    s = 0.5 * (max(low, 0.0 * low) + min(high, long_a + 0.0 * low))
    return add(p, scale(s, u)), add(q, scale(m * (s - dot(e, u)), v))


def across_families(u, k, v, l, sign):
    """(whether there is one, the n with n · u = k, n · v = l); of length one whatever rounding makes of it: only then s(n) is a bound"""
    m, w = dot(u, v), cross(u, v)
    one = dot(w, w)
    zero = 0.0 * one
    if one < PARALLEL:
        return False, (zero, zero, zero + 1.0)
    f, h = (k - m * l) / one, (l - m * k) / one
    rest = 1.0 - (f * k + h * l)
    if rest < 0.0:
        return False, (zero, zero, zero + 1.0)
    n = add(scale(f, u), scale(h, v))
    return True, unit(add(n, scale(sign * sqrt(rest / one), w)))


@cache
def apart_of(of_a: Convex, of_b: Convex) -> Callable:
    """s(n)"""
    a_support, a_part, b_support, b_part = of_a.support_of, of_a.part_of, of_b.support_of, of_b.part_of

    @called
    def apart(A, B, n):  # type: ignore[no-untyped-def]
        m = neg(n)
        x_a, _, _ = a_support(A, n, a_part(A, n))
        x_b, _, _ = b_support(B, m, b_part(B, m))
        return dot(n, sub(x_b, x_a))

    return apart


@cache
def separation(of_a: Convex, of_b: Convex) -> Callable:
    """(what n is bound to, i, j, g, n, x) of two convex solids at a pose (a, b, p, R); i: number of the face, or family of a's lines, 2 j: of b's."""
    if of_b.search is not None and of_a.search is None:
        return _turned(separation(of_b, of_a))
    apart = apart_of(of_a, of_b)
    a_support, a_part, a_face, a_family, a_line = of_a.support_of, of_a.part_of, of_a.face, of_a.family, of_a.line
    b_support, b_part, b_face, b_family, b_line = of_b.support_of, of_b.part_of, of_b.face, of_b.family, of_b.line
    a_placed, b_placed, a_size, b_size = of_a.placed, of_b.placed, of_a.size, of_b.size
    a_over, b_over, rich = of_a.over, of_b.over, of_a.rich or of_b.rich
    a_rim, b_rim, rims = of_a.rim, of_b.rim, of_a.round and of_b.round
    a_faces, b_faces, a_families, b_families = of_a.faces, of_b.faces, of_a.families, of_b.families
    a_ball, b_ball, a_inside, b_inside = of_a.ball, of_b.ball, of_a.inside, of_b.inside

    @called
    def bent(A, B, n, i, j, v):  # type: ignore[no-untyped-def]
        """(w, v · (bend_a t_a t_aᵀ + bend_b t_b t_bᵀ + ρ) v) of parts i and j, n · v = 0"""
        x_a, bend_a, t_a = a_support(A, n, i)
        x_b, bend_b, t_b = b_support(B, neg(n), j)
        ball = a_ball(A, n, i) + b_ball(B, neg(n), j)
        bend = bend_a * dot(t_a, v) * dot(t_a, v) + bend_b * dot(t_b, v) * dot(t_b, v)
        return sub(x_b, x_a), bend + ball * dot(v, v)

    @called
    def turn(A, B, u, k, e):  # type: ignore[no-untyped-def]
        """(s', s'') about u at n = k u + √(1 − k²) e"""
        c = sqrt(1.0 - k * k)
        n = add(scale(k, u), scale(c, e))
        along = scale(c, cross(u, e))
        w, bend = bent(A, B, n, a_part(A, n), b_part(B, neg(n)), along)
        return dot(along, w), -c * dot(e, w) - bend

    @called
    def climb(A, B, u, k, e_0, at):  # type: ignore[no-untyped-def]
        """(s, angle) from an angle upwards"""
        best = apart(A, B, turned_about(u, k, e_0, at))
        for _ in range(STEPS):
            first, second = turn(A, B, u, k, turned_about(u, 0.0, e_0, at))
            change = -first / second if second < 0.0 else (LONGEST if first > 0.0 else -LONGEST)
            change = min(max(change, -LONGEST), LONGEST)
            s = best
            for _ in range(12):
                s = apart(A, B, turned_about(u, k, e_0, at + change))
                if s >= best or abs(change) < CLOSE:
                    break
                change = 0.4 * change
            if s < best:
                break
            best, at = s, at + change
            if abs(change) < CLOSE:
                break
        return best, at

    @called
    def best_turn(A, B, u, k):  # type: ignore[no-untyped-def]
        """(s, e): where s is largest as n turns about u"""
        e_0 = across(u)
        best, at = -1e300, 0.0
        for i in range(PLACES):
            angle = 6.283185307179586 * i / PLACES
            s = apart(A, B, turned_about(u, k, e_0, angle))
            if s > best:
                best, at = s, angle
        middle = at
        for side in range(3):  # where s bends, it may rise on either side
            s, angle = climb(A, B, u, k, e_0, middle + ASIDE * (side - 1))
            if s > best:
                best, at = s, angle
        return best, turned_about(u, 0.0, e_0, at)

    @called
    def free(A, B, n, i, j):  # type: ignore[no-untyped-def]
        """One of Newton's steps of n where it is free, on parts i and j: (n, length of the step, whether s is largest there)"""
        x_a, bend_a, t_a = a_support(A, n, i)
        x_b, bend_b, t_b = b_support(B, neg(n), j)
        w = sub(x_b, x_a)
        s = dot(n, w)
        e_1 = across(n)
        e_2 = cross(n, e_1)
        f_1, f_2 = dot(e_1, w), dot(e_2, w)
        a_1, a_2, b_1, b_2 = dot(e_1, t_a), dot(e_2, t_a), dot(e_1, t_b), dot(e_2, t_b)
        s = s + a_ball(A, n, i) + b_ball(B, neg(n), j)
        h_11 = -s - bend_a * a_1 * a_1 - bend_b * b_1 * b_1
        h_12 = -bend_a * a_1 * a_2 - bend_b * b_1 * b_2
        h_22 = -s - bend_a * a_2 * a_2 - bend_b * b_2 * b_2
        determinant = h_11 * h_22 - h_12 * h_12
        if h_11 < 0.0 and determinant > 1e-14 * h_11 * h_11:
            d_1, d_2 = (h_12 * f_2 - h_22 * f_1) / determinant, (h_12 * f_1 - h_11 * f_2) / determinant
            largest = 1
        elif rich:
            d_1, d_2 = upwards(value(f_1), value(f_2), value(h_11), value(h_12), value(h_22))
            d_1, d_2, largest = d_1 + 0.0 * s, d_2 + 0.0 * s, 0
        else:
            size = abs(f_1) + abs(f_2) + 1e-300
            d_1, d_2, largest = LONGEST * f_1 / size, LONGEST * f_2 / size, 0
        long = abs(d_1) + abs(d_2)
        if long > LONGEST:
            d_1, d_2 = d_1 * (LONGEST / long), d_2 * (LONGEST / long)
        return unit(add(n, add(scale(d_1, e_1), scale(d_2, e_2)))), long, largest

    @called
    def freed(A, B, n, i, j):  # type: ignore[no-untyped-def]
        """The free n from a first one, on parts i and j, and on others if it leaves them"""
        for _ in range(3):
            for _ in range(STEPS):
                n, long, _ = free(A, B, n, i, j)
                if long < CLOSE:
                    break
            i_1, j_1 = a_part(A, n), b_part(B, neg(n))
            if i_1 == i and j_1 == j:
                break
            i, j = i_1, j_1
        return n

    @called
    def listed(A, B, size, found):  # type: ignore[no-untyped-def]
        """(s, kind, i, j, n): the best of the normal of a face, found, and of all lines and rims"""
        best, kind, at_i, at_j, n = found
        flat = n
        for i in range(a_families(A)):
            u, k = a_family(A, i)
            for j in range(b_families(B)):
                v, l = b_family(B, j)
                for side in range(2):
                    there, m = across_families(u, k, v, -l, 2.0 * side - 1.0)
                    if there:
                        s = apart(A, B, m)
                        if s > best + SAME * size:
                            best, kind, at_i, at_j, n = s, LINES, i, 2 * j + side, m
        for i in range(a_families(A)):
            u, k = a_family(A, i)
            s, e = best_turn(A, B, u, k)
            if s > best + SAME * size:
                best, kind, at_i, n = s, LINE_A, i, turned_about(u, k, e, 0.0)
        for j in range(b_families(B)):
            v, l = b_family(B, j)
            s, e = best_turn(A, B, v, -l)
            if s > best + SAME * size:
                best, kind, at_i, n = s, LINE_B, j, turned_about(v, -l, e, 0.0)
        for seed in range(
            3 if rims else 0
        ):  # rims of ends: where they cross, seen along the best normal of a face, and their nearest points
            i, j = a_part(A, flat), b_part(B, neg(flat))
            (c_a, u_a, r_a), (c_b, u_b, r_b) = a_rim(A, i), b_rim(B, j)
            if seed < 2:
                there, y = two_circles(c_a, r_a, c_b, r_b, flat, seed)
                m = cross(cross(u_a, radial(y, c_a, u_a)), cross(u_b, radial(y, c_b, u_b)))
            else:
                there, y = True, c_b
                for _ in range(8):
                    x = add(c_a, scale(r_a, radial(y, c_a, u_a)))
                    y = add(c_b, scale(r_b, radial(x, c_b, u_b)))
                m = sub(y, x)
            if there and dot(m, m) > 0.0:
                m = freed(A, B, unit(m if dot(m, flat) > 0.0 else neg(m)), i, j)
                s = apart(A, B, m)
                if s > best + SAME * size:
                    best, kind, n = s, FREE, m
        return best, kind, at_i, at_j, n

    more = listed
    if rich:
        parts = (free, climb, best_turn, across_families, turned_about, unit)
        more = ascent(of_a, of_b, apart, parts, (LINE_A, LINE_B, LINES, FREE), SAME)

    @called
    def search(A, B, size):  # type: ignore[no-untyped-def]
        """(kind, i, j, n): where s is largest; plain numbers"""
        best, kind, at_i, at_j, n = -1e300, FACE_A, 0, 0, (0.0, 0.0, 1.0)
        for i in range(a_faces(A)):
            m = a_face(A, i)
            s = apart(A, B, m)
            if s > best + SAME * size:
                best, kind, at_i, n = s, FACE_A, i, m
        for i in range(b_faces(B)):
            m = neg(b_face(B, i))
            s = apart(A, B, m)
            if s > best + SAME * size:
                best, kind, at_i, n = s, FACE_B, i, m
        if rich and best < 0.0 and -best < SHALLOW * min(a_size(A), b_size(B)):
            x_a, _, _ = a_support(A, n, a_part(A, n))
            x_b, _, _ = b_support(B, neg(n), b_part(B, neg(n)))
            if (a_inside(A, at_i, x_b) if kind == FACE_A else b_inside(B, at_i, x_a)) >= -best:
                return kind, at_i, at_j, n
        best, kind, at_i, at_j, n = more(A, B, size, (best, kind, at_i, at_j, n))
        if kind in (LINES, FREE):
            return kind, at_i, at_j, n
        # beyond the end of a line, or the border of a face, a rim or a corner is free
        i, j = a_part(A, n), b_part(B, neg(n))
        x_a, _, _ = a_support(A, n, i)
        x_b, _, _ = b_support(B, neg(n), j)
        tilts = 1
        m, free_n, off, beyond = n, n, n, 0.0
        if kind == LINE_A:
            begin, way, length = a_line(A, at_i, n)
            beyond = past(dot(sub(x_b, begin), way), length)
            i = a_part(A, add(n, scale(BESIDE if beyond > 0.0 else -BESIDE, way)))
        elif kind == LINE_B:
            begin, way, length = b_line(B, at_i, neg(n))
            beyond = past(dot(sub(x_a, begin), way), length)
            j = b_part(B, add(neg(n), scale(BESIDE if beyond > 0.0 else -BESIDE, way)))
        elif not (a_over(A, at_i, x_b, EDGE * a_size(A)) if kind == FACE_A else b_over(B, at_i, x_a, EDGE * b_size(B))):
            off = sub(sub(x_b, x_a), scale(best, n))  # from the middle of an end, or from a corner
            beyond = sqrt(dot(off, off))
            tilts = TILTS if beyond > 0.0 else 0
        tilt = TILT
        for _ in range(tilts if beyond != 0.0 else 0):
            if tilts > 1:
                m = unit(add(n, scale(tilt / beyond, off)))
                i, j = a_part(A, m), b_part(B, neg(m))
                tilt = 0.1 * tilt
            m = freed(A, B, m, i, j)
            s = apart(A, B, m)
            if s > best + SAME * size:
                best, kind, at_i, at_j, free_n = s, FREE, 0, 0, m
        if kind == FREE:
            return kind, at_i, at_j, free_n
        return kind, at_i, at_j, n

    look = search if rich or of_a.search is None else of_a.search(of_a, of_b)

    @called
    def normal(A, B, kind, i, j, n):  # type: ignore[no-untyped-def]
        """n with its derivatives"""
        if kind == FACE_A:
            return a_face(A, i)
        if kind == FACE_B:
            return neg(b_face(B, i))
        if kind == LINES:
            u, k = a_family(A, i)
            v, l = b_family(B, j >> 1)
            return across_families(u, k, v, -l, 2.0 * (j & 1) - 1.0)[1]
        if kind == FREE:
            m, long, _ = free(A, B, n, a_part(A, n), b_part(B, neg(n)))
            return m if long < POLISH else add(n, scale(0.0, m))
        u, k = a_family(A, i) if kind == LINE_A else turned_family(b_family(B, i))
        e = unit(sub(n, scale(dot(n, u), u)))
        first, second = turn(A, B, u, k, e)
        change = 0.0 * first
        if second < 0.0 and abs(first) < -POLISH * second:
            change = -first / second
        return turned_about(u, k, e, change)

    def line_of_a(A, n):  # type: ignore[no-untyped-def]
        """Family of a whose line n touches, −1 if none"""
        found = -1
        for i in range(a_families(A)):
            u, k = a_family(A, i)
            if abs(dot(n, u) - k) < ON_LINE:
                found = i
        return found

    def line_of_b(B, n):  # type: ignore[no-untyped-def]
        found = -1
        for i in range(b_families(B)):
            u, k = b_family(B, i)
            if abs(dot(n, u) + k) < ON_LINE:
                found = i
        return found

    @called
    def point(A, B, kind, n, g):  # type: ignore[no-untyped-def]
        """Halfway between what is touched of both"""
        m = neg(n)
        x_a, _, _ = a_support(A, n, a_part(A, n))
        x_b, _, _ = b_support(B, m, b_part(B, m))
        i, j = line_of_a(A, n), line_of_b(B, n)
        if kind != FACE_A and kind != FACE_B and i >= 0 and j >= 0:
            x_a, x_b = between_lines(a_line(A, i, n), b_line(B, j, m))
            return scale(0.5, add(x_a, x_b))
        if kind == FACE_A or (kind != FACE_B and i >= 0):
            if j >= 0:
                begin, way, length = b_line(B, j, m)
                x_b = add(begin, scale(0.5 * length, way))
            return sub(x_b, scale(0.5 * g, n))
        if kind == FACE_B or j >= 0:
            if i >= 0:
                begin, way, length = a_line(A, i, n)
                x_a = add(begin, scale(0.5 * length, way))
            return add(x_a, scale(0.5 * g, n))
        return scale(0.5, add(x_a, x_b))

    @called
    def find(a, b, p, R):  # type: ignore[no-untyped-def]
        at = plain(p)
        A, B = a_placed(a, ORIGIN, AXES), b_placed(b, at, plain_axes(R))
        apart_by = abs(at[0]) + abs(at[1]) + abs(at[2])
        kind, i, j, n_0 = look(A, B, a_size(A) + b_size(B) + apart_by)
        B = b_placed(b, p, R)
        zero = 0.0 * (p[0] + R[0])
        n = add(normal(A, B, kind, i, j, n_0), (zero, zero, zero))
        g = apart(A, B, n)
        return kind, i, j, g, n, point(A, B, kind, n, g)

    return find


@cache
def _turned(find: Callable) -> Callable:
    """The same of the solids in the other order."""

    @called
    def turned(a, b, p, R):  # type: ignore[no-untyped-def]
        kind, i, j, g, n, x = find(b, a, neg(mtv(R, p)), transpose(R))
        if kind == LINES:
            i, j = j >> 1, 2 * i + (j & 1)
        elif kind != FREE:  # a's is b's
            kind = 1 - kind if kind <= FACE_B else LINE_A + LINE_B - kind
        return kind, i, j, g, neg(mv(R, n)), add(p, mv(R, x))

    return turned
