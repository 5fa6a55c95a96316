"""How a triangle of a full mesh turns, and how a moment acts on its corners.

With its sides e, g and unit normal m = e × g/|e × g|:

    ω = m × ṁ + m (m · (e × ė))/|e|²,      M · ω = F_e · ė + F_g · ġ
    F_e = g × q + (M · m) (m × e)/|e|²,    F_g = q × e,      q = (M × m)/|e × g|

As ω of a rigid rotation is its own, F_e on b, F_g on c, and the opposite of both on a have no resultant, and M as their moment.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from flexor.law.tuples import add, cross, dot, norm, scale


class Recalled(NamedTuple):
    """What is remembered, in axes of now."""

    impact: Any
    time: Any
    slid: Any
    x: Any
    stretch: Any
    turn: Any
    R: Any


def triad(sides):
    """Axes of a triangle, of its vertex a and the sides to b and c."""
    _a, e, g = sides
    c = cross(e, g)
    m, u = scale(1.0 / norm(c), c), scale(1.0 / norm(e), e)
    v = cross(m, u)
    return u[0], v[0], m[0], u[1], v[1], m[1], u[2], v[2], m[2]


def turning(e, g, v_e, v_g):
    """ω of a triangle with the sides e and g, which change at the rates v_e and v_g."""
    c = cross(e, g)
    far = norm(c)
    m = scale(1.0 / far, c)
    tilts = scale(1.0 / far, cross(m, add(cross(v_e, g), cross(e, v_g))))
    return add(tilts, scale(dot(m, cross(e, v_e)) / dot(e, e), m))


def couple(e, g, M):
    """(F_e, F_g) of a moment."""
    c = cross(e, g)
    far = norm(c)
    m = scale(1.0 / far, c)
    q = scale(1.0 / far, cross(M, m))
    return add(cross(g, q), scale(dot(M, m) / dot(e, e), cross(m, e))), cross(q, e)
