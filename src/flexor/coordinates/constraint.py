"""A constraint on a coordinate: motors, rods.   FTG 7.7.4

Φ = q − u(t)        in angles up to whole turns
"""

from __future__ import annotations

from flexor.coordinates.frames import Frame
from flexor.coordinates.length import SHORT
from flexor.coordinates.measure import (
    LENGTH,
    Measure,
    add_gradient,
    add_hessian,
    bias,
    turns,
    value_and_rate,
    wrap,
)
from flexor.coordinates.rotation import BEYOND, HALF_TURN, half_turned
from flexor.functions import ERRORS, OUT_SIZE
from flexor.functions.call import Call, evaluate
from flexor.law import ACCELERATION_LEVEL, COMMIT, ENERGY, MATRIX, OUTPUT, RESIDUAL, VELOCITY_LEVEL, law
from flexor.law.face import level_coefficient, put_energies
from flexor.law.primitives import at
from flexor.law.record import Record, integer, nested, number

POSITION, SPEED, ACCELERATION = 0, 1, 2


class Course(Record):
    """A coordinate that is prescribed over time."""

    given = integer("POSITION, SPEED or ACCELERATION: what the function prescribes")
    motion = nested(Call, "that, over time; with its integral if it is not the position")
    start = number("u(0)", "m or rad")
    start_rate = number("u̇(0)", "m/s or rad/s")


class ConstraintOn(Course):
    """Parameters of the law."""

    m = nested(Measure, "what is measured")
    a = nested(Frame, "marker A")
    b = nested(Frame, "marker B")


class Reached(Record):
    """Its history."""

    time = number("end of the last step", "s")
    value = number("u there", "m or rad")


def prescribed(p, past, t, w):
    """Status and prescribed (u, u̇, ü) of a `Course` at time t; past: what was `Reached`.

    A given speed is integrated exactly, u = u₀ + ∫f; a given acceleration by Gauss quadrature of
    ∫(t − τ) f(τ) dτ from the last committed time, where u is known.   (FTG (7.86)–(7.87) integrate by Newmark.)
    """
    status = evaluate(p.motion, t, w)
    value, rate, second, integral = w[0], w[1], w[2], w[3]
    if p.given == POSITION or status != 0:
        return status, value, rate, second
    if p.given == SPEED:
        return status, p.start + integral, value, rate
    u_dot = p.start_rate + integral
    last = past.time
    status = evaluate(p.motion, last, w)
    step = t - last
    u = past.value + (p.start_rate + w[3]) * step
    half = 0.5 * step
    for i in range(3):
        node = 0.7745966692414834 * (i - 1)
        weight = 8.0 / 9.0 if i == 1 else 5.0 / 9.0
        if status == 0:
            status = evaluate(p.motion, last + half * (1.0 + node), w)
        u += weight * half * half * (1.0 - node) * w[0]
    return status, u, u_dot, value


@law(
    ConstraintOn,
    tangent="own",
    history=Reached,
    errors={
        1: "its ends coincide; the rod has no direction",
        2: "its length must stay positive",
        **BEYOND,
        **ERRORS,
    },
    outputs=(("force", "N"), ("power", "W"), ("target", "m"), ("length", "m"), ("length_rate", "m/s")),
    scratch=OUT_SIZE + 12,
)
def constraint_on(want, p, now, out):
    """Φ = q − u(t)"""
    w = out.w
    status, u, u_dot, u_ddot = prescribed(p, now.h, now.t, w)
    if status != 0:
        return status
    q, q_dot = value_and_rate(p.m, p, now)
    if p.m.kind == LENGTH:
        if q < SHORT:
            return 1
        if u <= 0.0:
            return 2
    elif half_turned(p.m, p, now):
        return HALF_TURN
    effort = now.lam[0]
    gradient = at(w, OUT_SIZE)
    if want & MATRIX or want & ACCELERATION_LEVEL:
        for i in range(12):
            gradient[i] = 0.0
        add_gradient(p.m, p, now, 1.0, gradient)
    if want & RESIDUAL:
        add_gradient(p.m, p, now, effort, out.r)
        if want & ACCELERATION_LEVEL:
            q_ddot = bias(p.m, p, now)
            for i in range(12):
                q_ddot += gradient[i] * now.a[i]
            out.r[12] = q_ddot - u_ddot
        elif want & VELOCITY_LEVEL:
            out.r[12] = q_dot - u_dot
        else:
            out.r[12] = wrap(q - u) if turns(p.m) else q - u
    if want & MATRIX:
        level = level_coefficient(want, now.c)
        for i in range(12):
            out.K[12 * 13 + i] += level * gradient[i]
            out.K[i * 13 + 12] += gradient[i]
        add_hessian(p.m, p, now, now.c.K * effort, out.K, 13)
    if want & COMMIT:
        now.h.value = u
        now.h.time = now.t
    if want & OUTPUT:
        w[0] = -effort
        w[1] = -effort * u_dot
        w[2] = u
        w[3] = q
        w[4] = q_dot
    if want & ENERGY:
        put_energies(w, 0.0, 0.0, 0.0, 0.0, -effort * u_dot)
    return 0
