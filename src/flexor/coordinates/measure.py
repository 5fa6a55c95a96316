"""Scalar coordinates: what a spring deflects, a motor drives, a rod keeps, a sensor reads.

A coordinate q is measured between two markers A and B; what is measured is told by a `Measure`:

    TRANSLATION   q = A_i · d
    ANGLE         q = atan2(n, c),  n = sₙ A_iₙ·B_jₙ,  c = s_c A_i_c·B_j_c
    MIDDLE        q = atan2(n, c),  c = √(1 − n²)        the middle one of three rotations, |q| < 90°
    VECTOR        q = ψ_i           a component of the rotation vector, AᵀB = exp ψ̂, |ψ| < 180°
    LENGTH        q = |d|
    FIXED         q = e · d          e fixed in space: the axis of the frame on A as it is given

with d = p_B − p_A and A_i, B_j the markers' axes. Value, rate, gradient, Hessian, gradient of the rate and bias of the second rate
hold for any state. The order of nodal coordinates is (x_a, θ_a, x_b, θ_b).

Two laws use them, a force along a coordinate (`force`) and a constraint on it (`constraint`).
"""

from __future__ import annotations

import math

from flexor.coordinates.angle import MIDDLE as MIDDLE
from flexor.coordinates.angle import (
    add_angle_gradient,
    add_angle_hessian,
    add_angle_rate_gradient,
    angle_and_rate,
    angle_bias,
)
from flexor.coordinates.fixed_direction import (
    add_fixed_gradient,
    add_fixed_hessian,
    add_fixed_rate_gradient,
    fixed_and_rate,
    fixed_bias,
)
from flexor.coordinates.frames import Frame
from flexor.coordinates.length import (
    add_length_gradient,
    add_length_hessian,
    add_length_rate_gradient,
    length_and_rate,
    length_bias,
)
from flexor.coordinates.rotation import VECTOR as VECTOR
from flexor.coordinates.translation import (
    add_translation_gradient,
    add_translation_hessian,
    add_translation_rate_gradient,
    translation_and_rate,
    translation_bias,
)
from flexor.law.dual import floor
from flexor.law.record import Record, integer, nested

TRANSLATION, ANGLE, LENGTH, FIXED = 0, 1, 3, 4
"""Kinds of measures, beside MIDDLE and VECTOR."""


class Measure(Record):
    """What is measured."""

    kind = integer("TRANSLATION, ANGLE, MIDDLE, VECTOR, LENGTH or FIXED")
    n_sign = integer("sₙ of the sine")
    n_a = integer(
        "its axis of A; of a translation the axis along which it is measured, of a rotation vector the component"
    )
    n_b = integer("its axis of B")
    c_sign = integer("s_c of the cosine")
    c_a = integer("its axis of A")
    c_b = integer("its axis of B")


class Coordinate(Record):
    """A measure between two markers."""

    m = nested(Measure, "what is measured")
    a = nested(Frame, "marker A")
    b = nested(Frame, "marker B")


def wrap(value):
    """The same angle in [−π, π]."""
    return value - 2.0 * math.pi * floor(value / (2.0 * math.pi) + 0.5)


def nearest(value, previous):
    """The angle of the same direction nearest to the previous one: counts turns."""
    return previous + wrap(value - previous)


def turns(m):
    """Whether the coordinate is an angle, known up to whole turns."""
    return m.kind == ANGLE or m.kind == MIDDLE


def value_and_rate(m, p, now):
    """q and q̇; angles lie in [−π, π]."""
    if m.kind == TRANSLATION:
        return translation_and_rate(m, p, now)
    if m.kind == LENGTH:
        return length_and_rate(p, now)
    if m.kind == FIXED:
        return fixed_and_rate(m, p, now)
    return angle_and_rate(m, p, now)


def add_gradient(m, p, now, factor, r):
    """r += factor · ∇q"""
    if m.kind == TRANSLATION:
        add_translation_gradient(m, p, now, factor, r)
    elif m.kind == LENGTH:
        add_length_gradient(p, now, factor, r)
    elif m.kind == FIXED:
        add_fixed_gradient(m, p, now, factor, r)
    else:
        add_angle_gradient(m, p, now, factor, r)


def add_rate_gradient(m, p, now, factor, r):
    """r += factor · ∂q̇/∂q at fixed velocities"""
    if m.kind == TRANSLATION:
        add_translation_rate_gradient(m, p, now, factor, r)
    elif m.kind == LENGTH:
        add_length_rate_gradient(p, now, factor, r)
    elif m.kind == FIXED:
        add_fixed_rate_gradient(m, p, now, factor, r)
    else:
        add_angle_rate_gradient(m, p, now, factor, r)


def add_hessian(m, p, now, factor, K, size):
    """K += factor · ∂(∇q)/∂q; K has `size` columns."""
    if m.kind == TRANSLATION:
        add_translation_hessian(m, p, now, factor, K, size)
    elif m.kind == LENGTH:
        add_length_hessian(p, now, factor, K, size)
    elif m.kind == FIXED:
        add_fixed_hessian(m, p, now, factor, K, size)
    else:
        add_angle_hessian(m, p, now, factor, K, size)


def bias(m, p, now):
    """q̈ with all accelerations zero: the velocity-dependent part of the second rate."""
    if m.kind == TRANSLATION:
        return translation_bias(m, p, now)
    if m.kind == LENGTH:
        return length_bias(p, now)
    if m.kind == FIXED:
        return fixed_bias(m, p, now)
    return angle_bias(m, p, now)


DISTANCE = Measure.pack(kind=LENGTH, n_sign=1, n_a=0, n_b=0, c_sign=1, c_a=0, c_b=0)
"""Measures the length between two points."""
