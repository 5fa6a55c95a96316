"""The direction along which two convex solids are separated most where one of them has many parts: from many first directions s(n) is followed upwards.

s(n) is smooth while n touches the same parts of both, and bends at the normals of a line, n · u = k: a ridge. So from a first direction

    free     Newton's steps with the parts that n touches, each shortened until s rises
    ridge    where these end, along the nearest normals of lines of a and of b, and at what these have in common

First directions are the normals in the middle of each part of the profile, and those of its lines, all around the axis: on each such circle the best of some. Of all circles the best few are
followed. Whatever is found is a bound, s(n) ≤ g.
"""

from __future__ import annotations

from collections.abc import Callable

from flexor.contact.approach.convex.circles import across, radial, two_circles
from flexor.contact.approach.convex.solid import Convex
from flexor.law.dual import sqrt
from flexor.law.primitives import called
from flexor.law.tuples import add, cross, dot, neg, scale, sub

PLACES = 12
"""Of a turn about an axis."""
STEPS, SHORTER = 20, 8
"""Steps of one ascent, and how often each is shortened."""
LONGEST = 0.3
"""Of a step [rad]."""
CLOSE = 1e-14
"""Length of a step that is none [rad]."""
FEW = 9
"""Families of lines all of whose normals are tried."""
RIDGE = 0.2
"""Angle up to which the normals of a line are followed [rad]."""


def ascent(
    of_a: Convex, of_b: Convex, apart: Callable, steps: tuple[Callable, ...], kinds: tuple[int, ...], same: float
) -> Callable:
    """seek(A, B, size, found) → found: (s, kind, i, j, n), the best of it and of what is found from many first directions."""
    free, climb, best_turn, lines, turned_about, unit = steps
    line_a, line_b, both, is_free = kinds
    a_part, b_part, a_family, b_family = of_a.part_of, of_b.part_of, of_a.family, of_b.family
    a_lines, b_lines = of_a.families, of_b.families
    a_seeds, a_seed, b_seeds, b_seed = of_a.seeds_of, of_a.seed, of_b.seeds_of, of_b.seed
    a_round, b_round, a_rim, b_rim = of_a.round, of_b.round, of_a.rim, of_b.rim

    @called
    def rise(A, B, n):  # type: ignore[no-untyped-def]
        """(s, n) where s is largest, or bends"""
        best = apart(A, B, n)
        for _ in range(STEPS):
            m, long, _ = free(A, B, n, a_part(A, n), b_part(B, neg(n)))
            s = apart(A, B, m)
            for _ in range(SHORTER):
                if s > best or long < CLOSE:
                    break
                m, long = unit(add(n, scale(0.3, sub(m, n)))), 0.3 * long
                s = apart(A, B, m)
            if s <= best:
                break
            best, n = s, m
        return best, n

    @called
    def nearest_of_a(A, n):  # type: ignore[no-untyped-def]
        """The family of lines whose normals are nearest, −1 if none is near"""
        found, least = -1, RIDGE
        for i in range(a_lines(A)):
            u, k = a_family(A, i)
            off = abs(dot(n, u) - k)
            if off < least:
                found, least = i, off
        return found

    @called
    def nearest_of_b(B, n):  # type: ignore[no-untyped-def]
        found, least = -1, RIDGE
        for i in range(b_lines(B)):
            u, k = b_family(B, i)
            off = abs(dot(n, u) + k)
            if off < least:
                found, least = i, off
        return found

    @called
    def along(A, B, u, k, n):  # type: ignore[no-untyped-def]
        """(s, n) along the normals of a line, from what is nearest to n"""
        e = sub(n, scale(dot(n, u), u))
        square = dot(e, e)
        if square < 1e-12:
            return -1e300, n
        e = unit(e)
        s, angle = climb(A, B, u, k, e, 0.0)
        return s, turned_about(u, k, e, angle)

    @called
    def crossing(A, B, size, found, i, j):  # type: ignore[no-untyped-def]
        """What was found, or the normal of lines of a's family i and of b's j, where s is as large"""
        best, kind, at_i, at_j, n = found
        if i >= 0 and j >= 0:
            u, k = a_family(A, i)
            v, l = b_family(B, j)
            for side in range(2):
                there, m = lines(u, k, v, -l, 2.0 * side - 1.0)
                s = apart(A, B, m) if there else -1e300
                if s > best - same * size:
                    best, kind, at_i, at_j, n = s, both, i, 2 * j + side, m
        return best, kind, at_i, at_j, n

    @called
    def settle(A, B, size, found, n):  # type: ignore[no-untyped-def]
        """The best of what was found and of what is uphill from n"""
        best, n = rise(A, B, n)
        kind, at_i, at_j, at = is_free, 0, 0, n
        i, j = nearest_of_a(A, n), nearest_of_b(B, n)
        if i >= 0:
            u, k = a_family(A, i)
            s, m = along(A, B, u, k, n)
            if s > best - same * size:
                best, kind, at_i, at_j, at = s, line_a, i, 0, m
        if j >= 0:
            v, l = b_family(B, j)
            s, m = along(A, B, v, -l, n)
            if s > best + (same if kind == line_a else -same) * size:
                best, kind, at_i, at_j, at = s, line_b, j, 0, m
        best, kind, at_i, at_j, at = crossing(A, B, size, (best, kind, at_i, at_j, at), i, j)
        if best > found[0] + same * size:
            return best, kind, at_i, at_j, at
        return found

    @called
    def around(A, B, u, c, k):  # type: ignore[no-untyped-def]
        """(s, n): the best of a circle of directions, n · u = k"""
        e_0 = across(u)
        best, at = -1e300, e_0
        for i in range(PLACES if c > 1e-9 else 1):
            n = turned_about(u, k, e_0, 6.283185307179586 * i / PLACES)
            s = apart(A, B, n)
            if s > best:
                best, at = s, n
        return best, at

    @called
    def turns(A, B, size, found):  # type: ignore[no-untyped-def]
        """The best of what was found and of the normals of all lines, if they are few"""
        best, kind, at_i, at_j, n = found
        few = a_lines(A) <= FEW and b_lines(B) <= FEW
        for i in range(a_lines(A) if few else 0):
            u, k = a_family(A, i)
            for j in range(b_lines(B)):
                v, l = b_family(B, j)
                for side in range(2):
                    there, m = lines(u, k, v, -l, 2.0 * side - 1.0)
                    s = apart(A, B, m) if there else -1e300
                    if s > best + same * size:
                        best, kind, at_i, at_j, n = s, both, i, 2 * j + side, m
        for i in range(a_lines(A) if a_lines(A) <= FEW else 0):
            u, k = a_family(A, i)
            s, e = best_turn(A, B, u, k)
            if s > best + same * size:
                best, kind, at_i, n = s, line_a, i, turned_about(u, k, e, 0.0)
        for j in range(b_lines(B) if b_lines(B) <= FEW else 0):
            v, l = b_family(B, j)
            s, e = best_turn(A, B, v, -l)
            if s > best + same * size:
                best, kind, at_i, n = s, line_b, j, turned_about(v, -l, e, 0.0)
        return best, kind, at_i, at_j, n

    @called
    def ends(A, B, size, found):  # type: ignore[no-untyped-def]
        """Likewise of the rims of two ends, where they cross as seen along the best normal of a face"""
        flat = found[4]
        c_a, u_a, r_a = a_rim(A, 1 if dot(flat, A[2]) > 0.0 else 0)
        c_b, u_b, r_b = b_rim(B, 0 if dot(flat, B[2]) > 0.0 else 1)
        for which in range(2):
            there, y = two_circles(c_a, r_a, c_b, r_b, flat, which)
            m = cross(cross(u_a, radial(y, c_a, u_a)), cross(u_b, radial(y, c_b, u_b)))
            if there and dot(m, m) > 0.0:
                found = settle(A, B, size, found, unit(m if dot(m, flat) > 0.0 else neg(m)))
        return found

    @called
    def seek(A, B, size, found):  # type: ignore[no-untyped-def]
        if a_round and b_round:
            found = ends(A, B, size, found)
        found = turns(A, B, size, found)
        n = found[4]
        one, two, three = (-1e300, n), (-1e300, n), (-1e300, n)
        count_a, count_b = a_seeds(A), b_seeds(B)
        for i in range(count_a + count_b):
            if i < count_a:
                u, c, k = a_seed(A, i)
                each = around(A, B, u, c, k)
            else:
                u, c, k = b_seed(B, i - count_a)
                each = around(A, B, u, c, -k)
            if each[0] > one[0]:
                one, two, three = each, one, two
            elif each[0] > two[0]:
                two, three = each, two
            elif each[0] > three[0]:
                three = each
        found = settle(A, B, size, found, n)
        found = settle(A, B, size, found, one[1])
        found = settle(A, B, size, found, two[1])
        found = settle(A, B, size, found, three[1])
        if found[1] in (line_a, line_b):
            found = crossing(A, B, size, found, nearest_of_a(A, found[4]), nearest_of_b(B, found[4]))
        return found

    return seek


@called
def upwards(f_1, f_2, h_11, h_12, h_22):
    """A step uphill where s bends upwards along one direction, with its slopes f and bends h: along that as far as may be, across it by Newton's step"""
    middle, half = 0.5 * (h_11 + h_22), 0.5 * (h_11 - h_22)
    wide = sqrt(half * half + h_12 * h_12)
    low = middle - wide
    c, s = (half + wide, h_12) if half > 0.0 else (h_12, wide - half)  # along the larger bend
    long = sqrt(c * c + s * s)
    c, s = (c / long, s / long) if long > 0.0 else (1.0, 0.0)
    high_slope, low_slope = c * f_1 + s * f_2, c * f_2 - s * f_1
    along = LONGEST if high_slope > 0.0 else -LONGEST
    over = -low_slope / low if low < 0.0 else (LONGEST if low_slope > 0.0 else -LONGEST)
    over = min(max(over, -LONGEST), LONGEST)
    return c * along - s * over, c * over + s * along
