"""How deep the edges of two solids are within each other; plain numbers.

Along a piece of an edge the distance d from the other solid changes by no more than its length: what is farther away than that is passed over, as are pieces that cannot be deeper than what is known. Of a
convex solid d is convex along a line, so that its least value is found by a golden section.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from flexor.contact.unseen.curves import PIECE
from flexor.law.dual import cos, sin
from flexor.law.primitives import called
from flexor.law.rotation_vector import rotation_vector
from flexor.law.tuples import add, mat, mm, mtv, mv, neg, norm, scale, sub, transpose, vec

GOLDEN = 0.6180339887498949
SECTIONS = 40
"""Of a piece at most."""
TWICE = 2.0
"""How much deeper an edge may be than what the contact tells: it stands beside its place, or where the surface bends."""
AGAIN = 20.0
"""How far, in parts of the slack, surfaces may move before they are looked at again."""


def on_curve(curves, i, s):
    """x(s) of a piece"""
    o = PIECE * i
    bend = curves[o + 10]
    along, beside = s, 0.0
    if bend > 0.0:
        along, beside = sin(bend * s) / bend, (1.0 - cos(bend * s)) / bend
    return add(vec(curves, o), add(scale(along, vec(curves, o + 3)), scale(beside, vec(curves, o + 6))))


@cache
def _least_along(distance: Callable) -> Callable:
    """Distance of the deepest point of edges from a solid, or a bound of it where it is above `floor`."""

    @called
    def away(size, curves, i, s, p, R):  # type: ignore[no-untyped-def]
        return distance(size, add(p, mv(R, on_curve(curves, i, s))))[0]

    @called
    def least(size, curves, count, p, R, floor):  # type: ignore[no-untyped-def]
        best = 1e300
        for i in range(count):
            length = curves[PIECE * i + 9]
            low, high = 0.0, length
            d = away(size, curves, i, 0.5 * length, p, R)
            if d - 0.5 * length > min(floor, best):
                best = min(best, max(d - 0.5 * length, floor))
                continue
            best = min(best, d)
            s_1, s_2 = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
            d_1, d_2 = away(size, curves, i, s_1, p, R), away(size, curves, i, s_2, p, R)
            for _ in range(SECTIONS):
                best = min(best, min(d_1, d_2))
                if min(d_1, d_2) - (high - low) > min(floor, best) or high - low < 1e-3 * abs(floor):
                    break
                if d_1 < d_2:
                    high, s_2, d_2 = s_2, s_1, d_1
                    s_1 = high - GOLDEN * (high - low)
                    d_1 = away(size, curves, i, s_1, p, R)
                else:
                    low, s_1, d_1 = s_1, s_2, d_2
                    s_2 = low + GOLDEN * (high - low)
                    d_2 = away(size, curves, i, s_2, p, R)
        return best

    return least


@cache
def look_along(from_a: Callable, from_b: Callable) -> Callable:
    """How far the edges of two solids are from each other's surface, negative within: (a, b, edges of a, their number, edges of b, their number, p, R, floor)."""
    of_b, of_a = _least_along(from_a), _least_along(from_b)

    @called
    def look(a, b, edges_a, count_a, edges_b, count_b, p, R, floor):  # type: ignore[no-untyped-def]
        d = of_b(a, edges_b, count_b, p, R, floor)
        return min(d, of_a(b, edges_a, count_a, neg(mtv(R, p)), transpose(R), floor))

    return look


def way_of(p, h, p_ab, R_ab):
    """How far two surfaces may have moved towards each other in a step; h: memory of a place, with the pose at its begin"""
    turn = rotation_vector(mm(transpose(mat(h.R, 0)), R_ab))
    return norm(sub(p_ab, vec(h.p, 0))) + min(p.reach_b, norm(p_ab) + p.reach_a) * norm(turn)


def floor_of(slack, told):
    """Distance of an edge below which there is an overlap that is not told"""
    return TWICE * min(told, 0.0) - slack


def watch(look, p, h, a, b, p_ab, R_ab, told):
    """Remember the deepest overlap that is unseen; told: the least gap that the contact tells. Where nothing has moved far enough for one, nothing is looked at."""
    if h.moved < h.clear:
        return
    floor = floor_of(p.slack, told)
    d = look(a, b, p.edges_a, p.count_a, p.edges_b, p.count_b, p_ab, R_ab, floor)
    h.moved, h.clear = 0.0, max(d, 0.0) + AGAIN * p.slack
    if d < floor:
        h.unseen = max(h.unseen, -d)
