"""A force along a coordinate: springs and dampers.   FTG (5.1)–(5.3), (5.20)–(5.22)

r = Q ∇q,   Q = k δ + f(δ) + d q̇ + g(q̇),   δ = q − q₀
"""

from __future__ import annotations

from flexor.coordinates.characteristic import Characteristic, effort_of
from flexor.coordinates.frames import Frame, arm_a, arm_b, offset, offset_rate, put_pair
from flexor.coordinates.length import SHORT, add_line_stiffness
from flexor.coordinates.measure import (
    LENGTH,
    Measure,
    add_gradient,
    add_hessian,
    add_rate_gradient,
    nearest,
    turns,
    value_and_rate,
)
from flexor.coordinates.rotation import BEYOND, HALF_TURN, half_turned
from flexor.functions import ERRORS, OUT_SIZE
from flexor.functions.call import drive, drive_rate, evaluate
from flexor.law import COMMIT, ENERGY, MATRIX, OUTPUT, RESIDUAL, law
from flexor.law.face import put_energies
from flexor.law.primitives import at
from flexor.law.record import Record, integer, nested, number
from flexor.law.tuples import add, diagonal, dot, norm, put_outer, scale


class ForceAlong(Record):
    """Parameters of the law."""

    m = nested(Measure, "what is measured")
    a = nested(Frame, "marker A")
    b = nested(Frame, "marker B")
    of = nested(Characteristic, "the spring")
    sign = number("of the force that is reported: 1 pulling q back, −1 exerted along q")
    single = integer("1: an angle about the only axis of its joint, whose rate is the spin")


class LastStep(Record):
    """Its history."""

    value = number("q at the end of the last step; angles are counted on from it", "m or rad")
    known = number("1: the last step has left value and free value")
    free = number("q₀ there", "m or rad")
    work = number("that the change of q₀ did in the last step", "J")


@law(
    ForceAlong,
    tangent="own",
    history=LastStep,
    errors={1: "its ends coincide; the spring has no direction", **BEYOND, **ERRORS},
    outputs=(("deflection", "m"), ("force", "N"), ("strain_energy", "J"), ("length", "m"), ("rate", "m/s")),
    scratch=OUT_SIZE + 24,
)
def force_along(want, p, now, out):
    """r = Q ∇q"""
    w = out.w
    status = drive(p.of.free, now, w)
    free, free_rate = w[0], drive_rate(p.of.free, w)
    if status != 0:
        return status
    q, rate = value_and_rate(p.m, p, now)
    if turns(p.m):
        expected = now.h.value
        if want & COMMIT and p.single == 1:
            expected += now.c.step * rate  # turns are counted as the joint does
        q = nearest(q, expected)
    elif p.m.kind == LENGTH and q < SHORT:
        if abs(free) > SHORT or p.of.force.address != 0 or p.of.damper.address != 0:
            return 1
        return _at_zero_length(want, p, now, out)
    elif half_turned(p.m, p, now):
        return HALF_TURN
    status, elastic, slope, energy, viscous, viscous_slope = effort_of(want, p.of, q - free, rate, w)
    if status != 0:
        return status
    effort = elastic + viscous
    if want & RESIDUAL:
        add_gradient(p.m, p, now, effort, out.r)
    if want & MATRIX:
        put_effort_matrix(p, now, out, effort, slope, viscous_slope)
    if want & COMMIT:
        status = _commit(p, now, q, free, w)
        if status != 0:
            return status
    if want & OUTPUT:
        w[0] = q - free
        w[1] = p.sign * effort
        w[2] = energy
        w[3] = q
        w[4] = rate
    if want & ENERGY:
        put_energies(w, 0.0, 0.0, energy, viscous * rate, -elastic * free_rate)  # FTG (9.10)
    return 0


def put_effort_matrix(p, now, out, effort, slope, rate_slope):
    """K of r = Q ∇q, with ∂Q/∂q and ∂Q/∂q̇; w needs OUT_SIZE + 24 floats.

    ∂r/∂q = ∇q ∂Q/∂q + Q ∂∇q/∂q,  ∂Q/∂q = Q_δ ∇q + Q_q̇ ∂q̇/∂q   FTG (5.3), (5.22)
    """
    c = now.c
    gradient = at(out.w, OUT_SIZE)
    change = at(out.w, OUT_SIZE + 12)
    for i in range(24):
        gradient[i] = 0.0
    add_gradient(p.m, p, now, 1.0, gradient)
    add_rate_gradient(p.m, p, now, c.K * rate_slope, change)
    direct = c.K * slope + c.C * rate_slope
    for i in range(12):
        change[i] += direct * gradient[i]
    put_outer(out.K, 12, gradient, change)
    add_hessian(p.m, p, now, c.K * effort, out.K, 12)


def _commit(p, now, q, free, w):
    """Remember the end of a step, and the work in it of a free value that is a function of time.

    W = ½ [E(q₁ − f₁) − E(q₁ − f₀)] + ½ [E(q₀ − f₁) − E(q₀ − f₀)],   E the strain energy, f the free value

    is the change of E that is due to f. With E = ½ k δ² it is −½ (F₀ + F₁)(f₁ − f₀), for slow changes the integral of the power
    −F ḟ to second order, and where f jumps, and has no rate, still exact.
    """
    last = now.h
    status = 0
    before, q_before = last.free, last.value
    if last.known == 0.0:
        before, q_before = free, q
        if p.of.free.source < 0:
            status = evaluate(p.of.free.call, now.t - now.c.step, w)
            before = w[0]
    work = 0.0
    if free != before and status == 0:
        for i in range(2):
            at_q = q if i == 0 else q_before
            failed, _, _, after, _, _ = effort_of(ENERGY, p.of, at_q - free, 0.0, w)
            status = failed if failed != 0 else status
            failed, _, _, earlier, _, _ = effort_of(ENERGY, p.of, at_q - before, 0.0, w)
            status = failed if failed != 0 else status
            work += 0.5 * (after - earlier)
    last.value, last.free, last.work, last.known = q, free, work, 1.0
    return status


def _at_zero_length(want, p, now, out):
    """The limit ℓ → 0 for ℓ₀ = 0: f = k d + d ḋ, isotropic, as the line points where the ends move."""
    s_a = arm_a(now.R, p)
    s_b = arm_b(now.R, p)
    d_dot = offset_rate(now.v, s_a, s_b)
    s = p.of
    f = add(scale(s.stiffness, offset(now.x, s_a, s_b)), scale(s.damping, d_dot))
    if want & RESIDUAL:
        put_pair(out.r, f, s_a, s_b)
    if want & MATRIX:
        D = diagonal(now.c.K * s.stiffness + now.c.C * s.damping)
        add_line_stiffness(out.K, 12, D, scale(now.c.K, f), s_a, s_b)
    if want & OUTPUT:
        out.w[0] = 0.0
        out.w[1] = p.sign * norm(f)
        out.w[2] = 0.0
        out.w[3] = 0.0
        out.w[4] = norm(d_dot)
    if want & ENERGY:
        put_energies(out.w, 0.0, 0.0, 0.0, s.damping * dot(d_dot, d_dot), 0.0)
    return 0
