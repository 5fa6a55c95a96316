"""Two markers A and B, on nodes a and b: what every connection measures first.

The functions take the parameters `p` of any law whose record has the two frames under the names a and b.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from flexor.law.record import Packed, Record, numbers
from flexor.law.tuples import add, cross, mat, mm, mv, neg, put, sub, vec


class Frame(Record):
    """A marker, as it sits on its node."""

    p = numbers(3, "its position p_NM, in axes of the node", "m")
    R = numbers(9, "its axes R_NM, row by row")


class OnNode(Protocol):
    """What sits on a node: a resolved attachment (`flexor.bodies.marker.Site`)."""

    @property
    def p_NM(self) -> np.ndarray: ...

    @property
    def R_NM(self) -> np.ndarray: ...


def packed(site: OnNode) -> Packed:
    """The frame of what sits on a node."""
    return Frame.pack(p=site.p_NM, R=site.R_NM)


def arm_a(R, p):
    """Arm of marker A from its node, in global axes: s_a = R_a p_NA."""
    return mv(mat(R, 0), vec(p.a.p, 0))


def arm_b(R, p):
    """Arm of marker B from its node, in global axes: s_b = R_b p_NB."""
    return mv(mat(R, 9), vec(p.b.p, 0))


def axes_a(R, p):
    """Axes of marker A in global axes, as columns."""
    return mm(mat(R, 0), mat(p.a.R, 0))


def axes_b(R, p):
    """Axes of marker B in global axes, as columns."""
    return mm(mat(R, 9), mat(p.b.R, 0))


def offset(x, s_a, s_b):
    """d = p_B − p_A"""
    return sub(add(vec(x, 3), s_b), add(vec(x, 0), s_a))


def offset_rate(v, s_a, s_b):
    """ḋ = v_b + ω_b × s_b − v_a − ω_a × s_a"""
    return sub(add(vec(v, 6), cross(vec(v, 9), s_b)), add(vec(v, 0), cross(vec(v, 3), s_a)))


def offset_acceleration(v, a, s_a, s_b):
    """d̈ with the centripetal terms; gravity, if subtracted from both accelerations, cancels."""
    w_a = vec(v, 3)
    w_b = vec(v, 9)
    b = add(add(vec(a, 6), cross(vec(a, 9), s_b)), cross(w_b, cross(w_b, s_b)))
    return sub(b, add(add(vec(a, 0), cross(vec(a, 3), s_a)), cross(w_a, cross(w_a, s_a))))


def put_pair(r, f, s_a, s_b):
    """Add a force −f on body a at arm s_a and f on body b at arm s_b: r += f · ∂d/∂q for any f."""
    put(r, 0, neg(f))
    put(r, 3, neg(cross(s_a, f)))
    put(r, 6, f)
    put(r, 9, cross(s_b, f))
