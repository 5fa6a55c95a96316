"""Friction along a joint variable.   FTG 6.5"""

from __future__ import annotations

from flexor.coordinates.angle import sine_and_cosine
from flexor.coordinates.frames import axes_a, axes_b
from flexor.coordinates.measure import (
    MIDDLE,
    add_gradient,
    add_hessian,
    add_rate_gradient,
    bias,
    nearest,
    turns,
    value_and_rate,
)
from flexor.coordinates.rotation import BEYOND, HALF_TURN, half_turned
from flexor.functions import OUT_SIZE
from flexor.joints.friction_force import Rubbing, load_of_joint
from flexor.joints.friction_regimes import (
    ERRORS_OF_FRICTION,
    GLIDING,
    STICKING,
    Asperities,
    always,
    gliding_friction,
    sticking_friction,
)
from flexor.law import COMMIT, law
from flexor.law.primitives import at
from flexor.law.tuples import dot, put, put_outer, scale, sub, vec

GIMBAL = 63
"""Status: the middle one of three angles is at 90°."""
NEARLY_UPRIGHT = 0.02
"""Cosine of the middle one of three angles below which the first and the last have no rates that could be told apart, some 1°."""
ERRORS_OF_ANGLES = {
    GIMBAL: (
        "the middle angle of its joint has come within 1° of 90°, where the first and the last angle turn about the same axis and "
        "have no rates of their own; place the joint so that it stays away from there, e.g. with another axis or marker, or take "
        "two joints with one angle each"
    ),
    **BEYOND,
    **ERRORS_OF_FRICTION,
}


def _singular(p, sine, cosine):
    """Whether other angles make it one that has no rate of its own."""
    size = cosine * cosine if p.m.kind == MIDDLE else sine * sine + cosine * cosine
    return size < NEARLY_UPRIGHT * NEARLY_UPRIGHT


def _variable(want, p, now, w):
    """(status, q, counted on over turns, q̇)"""
    q, rate = value_and_rate(p.m, p, now)
    status = 0
    if turns(p.m):
        if p.single == 0:
            sine, cosine, _ = sine_and_cosine(p.m, axes_a(now.R, p), axes_b(now.R, p))
            if _singular(p, sine, cosine):
                status = GIMBAL
        expected = now.h.value
        if want & COMMIT and p.single == 1:
            expected += now.c.step * rate  # turns are counted as the joint does
        q = nearest(q, expected)
    elif half_turned(p.m, p, now):
        status = HALF_TURN
    return status, q, rate


def _push(p, now, found, effort, r):
    add_gradient(p.m, p, now, effort, r)


def _acceleration(p, now, found, w):
    """q̈; w needs 12 floats. Gravity is taken from the accelerations of both bodies, and cancels."""
    for i in range(12):
        w[i] = 0.0 * now.v[i]
    add_gradient(p.m, p, now, 1.0, w)
    total = bias(p.m, p, now)
    for i in range(12):
        total = total + w[i] * now.a[i]
    return total


def _load(p, now, found):
    return load_of_joint(p, now)


def _nothing(p, now, found):
    """All that `_variable` begins with is remembered by the law itself."""


def _add_matrix(p, now, effort, by_q, by_rate, by_second, w, K):
    """Matrix of r = Q ∇q, as of any force along a coordinate; of what is read by others the law with dual numbers knows."""
    c = now.c
    gradient, change = at(w, OUT_SIZE), at(w, OUT_SIZE + 12)
    for i in range(24):
        gradient[i] = 0.0
    add_gradient(p.m, p, now, 1.0, gradient)
    add_rate_gradient(p.m, p, now, c.K * by_rate, change)
    direct = c.K * by_q + c.C * by_rate + c.M * by_second
    for i in range(12):
        change[i] += direct * gradient[i]
    put_outer(K, 12, gradient, change)
    add_hessian(p.m, p, now, c.K * effort, K, 12)


def _rate(want, p, now, w):
    """(status, unused, q̇, axis of an angle)"""
    status, axis = 0, (0.0, 0.0, 0.0)
    if turns(p.m):  # only the rate is needed, and its gradient
        sine, cosine, axis = sine_and_cosine(p.m, axes_a(now.R, p), axes_b(now.R, p))
        if _singular(p, sine, cosine):
            status = GIMBAL
        rate = dot(axis, sub(vec(now.v, 3), vec(now.v, 9)))
    else:
        if half_turned(p.m, p, now):
            status = HALF_TURN
        _, rate = value_and_rate(p.m, p, now)
    return status, rate, rate, axis


def _push_by_rate(p, now, found, effort, r):
    if turns(p.m):
        put(r, 3, scale(effort, found[3]))
        put(r, 9, scale(-effort, found[3]))
    else:
        add_gradient(p.m, p, now, effort, r)


joint_friction = law(
    Rubbing,
    tangent="own",
    history=Asperities,
    errors=ERRORS_OF_ANGLES,
    outputs=STICKING,
    scratch=OUT_SIZE + 24,
    symmetric=False,
    transitions=True,
)(sticking_friction("joint_friction", _variable, _push, _acceleration, _load, always, _nothing, _add_matrix))

smooth_friction = law(
    Rubbing,
    tangent="own",
    errors=ERRORS_OF_ANGLES,
    outputs=GLIDING,
    scratch=OUT_SIZE + 24,
)(gliding_friction("smooth_friction", _rate, _push_by_rate, _load, always, _nothing, _add_matrix))
