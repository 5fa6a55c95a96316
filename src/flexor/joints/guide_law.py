"""A point of B on a line through markers.   FTG 6.3.1, 6.3.2, (6.33)

    e = p_B − P(s),   u_a = e · Y_a(s)       across the line, with the interpolated directions Y_a, a = 1, 2
    Φ_a = u_a         constraint;   or a force along r = √(u₁² + u₂²) beyond a clearance, FTG (6.33)
    Φ_3 = Y₁(s) · b   twist, b fixed on B
    Φ_4 = s − u(t)    drive

s is no unknown but the foot of B; with D = P'·P' − e·P'' it follows from e·P' = 0 that

    D δs = (δp_B − Σ Nᵢ δpᵢ) · P' + e · Σ Nᵢ' δpᵢ .

An effort σ along s, in which the parts of Φ that depend on s are, too, acts as the force σ P'/D on B, −Nᵢ σ P'/D + Nᵢ' σ e/D on marker i.
"""

from __future__ import annotations

from flexor.coordinates.constraint import Reached, prescribed
from flexor.coordinates.guide import (
    GuideLine,
    along_line,
    arm_of,
    cardinal,
    direction_at,
    direction_of,
    direction_rate,
    direction_second_rate,
    rate_along_line,
    second_rate_along_line,
)
from flexor.functions import ERRORS, OUT_SIZE
from flexor.functions.call import Call
from flexor.law import ACCELERATION_LEVEL, COMMIT, ENERGY, OUTPUT, RESIDUAL, VELOCITY_LEVEL, law
from flexor.law.dual import sqrt
from flexor.law.face import put_energies
from flexor.law.record import integer, nested, number, numbers
from flexor.law.tuples import add, cross, dot, mat, mv, put, scale, sub, vec

STOP, LEAVE, ERROR = range(3)
"""What happens at the ends."""
LEFT_THE_GUIDE = 41
"""Status of a slider beyond the ends."""
NO_FOOT = 42
"""Status of a point that is nearer to the centre of curvature than to the line."""


class OnGuide(GuideLine):
    """Parameters of the law."""

    bound = integer("1: B stays on the line; 0: it is pressed towards it by springs")
    twist = integer("1: B does not turn about the line")
    driven = integer("1: s is prescribed")
    ends = integer("STOP, LEAVE or ERROR")
    b = numbers(3, "direction on B that stays across Y₁, in axes of its node")
    tight = integer("1: there is no play")
    clearance = number("radial play", "m")
    stiffness = number("radial", "N/m^m")
    curved = integer("1: m is not 1")
    exponent = number("m")
    damping = number("radial", "N s/m")
    stop = number("stiffness of stops at the ends", "N/m")
    spring = number("stiffness along the line", "N/m")
    free = number("s where the spring is free", "m")
    dragged = integer("1: there is damping along the line")
    drag = number("that", "N s/m")
    given = integer("POSITION or SPEED: what the function prescribes")
    motion = nested(Call, "that, over time; with its integral if it is a speed")
    start = number("u(0)", "m")
    start_rate = number("unused", "m/s")


class OnLine(Reached):
    """Its history."""

    s = number("where the foot was at the end of the last step", "m")


def beyond_ends(p, s):
    """How far it is beyond the ends, positive behind the last."""
    beyond = 0.0 * s
    if s < 0.0:
        beyond = s
    if s > p.length:
        beyond = s - p.length
    return beyond


def rate_across(p, now, place, which, Y, Y_1, e, e_dot, s_dot):
    """(Ẏ, u̇) of one of the directions across the line"""
    Y_dot = add(direction_rate(p, now, place, which), scale(s_dot, Y_1))
    return Y_dot, dot(e_dot, Y) + dot(e, Y_dot)


def forces_across(p, now, beyond, u_1, u_2, rate_1, rate_2):
    """(φ₁, φ₂, energy, power lost): multipliers, the first that the law knows, or springs"""
    zero = 0.0 * u_1
    if p.bound:
        return now.lam[0] + zero, now.lam[1] + zero, zero, zero
    if p.ends == LEAVE and beyond != 0.0:
        return zero, zero, zero, zero
    return _radial_force(p, u_1, u_2, rate_1, rate_2)


def _radial_force(p, u_1, u_2, rate_1, rate_2):
    """(φ₁, φ₂, energy, power lost) of the springs across the line: φ u/r, φ = k (r − c)^m + d ṙ, never pulling."""
    zero = 0.0 * u_1
    square = u_1 * u_1 + u_2 * u_2
    if p.tight:
        factor, energy = p.stiffness + zero, 0.5 * p.stiffness * square
        if p.curved:
            factor, energy = zero, zero
            if square > 1e-24:
                factor = p.stiffness * square ** (0.5 * (p.exponent - 1.0))
                energy = factor * square / (p.exponent + 1.0)
        lost = p.damping * (rate_1 * rate_1 + rate_2 * rate_2)
        return factor * u_1 + p.damping * rate_1, factor * u_2 + p.damping * rate_2, energy, lost
    if square <= p.clearance * p.clearance:
        return zero, zero, zero, zero
    r = sqrt(square)
    delta = r - p.clearance
    rate = (u_1 * rate_1 + u_2 * rate_2) / r
    elastic = p.stiffness * delta**p.exponent
    damped = p.damping * rate
    if elastic + damped < 0.0:
        damped = -elastic
    push = (elastic + damped) / r
    return push * u_1, push * u_2, elastic * delta / (p.exponent + 1.0), damped * rate


@law(
    OnGuide,
    history=OnLine,
    errors={
        LEFT_THE_GUIDE: "the slider has left its guide at the end; make the guide longer, or choose ends: stop",
        NO_FOOT: "the slider is farther from its guide than the guide's radius of curvature",
        **ERRORS,
    },
    outputs=(
        ("position", "m"),
        ("speed", "m/s"),
        ("force_1", "N"),
        ("force_2", "N"),
        ("torque", "N m"),
        ("force", "N"),
        ("gap", "m"),
        ("strain_energy", "J"),
    ),
    scratch=OUT_SIZE + 8,
)
def on_guide(want, p, now, out):
    """Φ = (u₁, u₂, Y₁·b, s − u(t)), as many as there are"""
    w, r, last = out.w, out.r, now.n.nodes - 1
    foot = along_line(p, now, now.h.s)
    s, place, T, _C, _third, e, D, arm_b = foot
    beyond = beyond_ends(p, s)
    if p.ends == ERROR and abs(beyond) > 1e-9 * p.length:
        return LEFT_THE_GUIDE
    if D <= 0.0:
        return NO_FOOT
    Y, Y_1 = direction_at(p, now, place, 0)
    Z, Z_1 = direction_at(p, now, place, 1)
    u_1, u_2 = dot(e, Y), dot(e, Z)
    b = mv(mat(now.R, 9 * last), vec(p.b, 0))
    w_b = vec(now.v, 6 * last + 3)
    b_dot = cross(w_b, b)
    # ṡ from the rate of e·P' = 0, where it is needed
    zero = 0.0 * s
    none = (zero, zero, zero)
    e_dot = Y_dot = Z_dot = none
    moving = (zero, none, none, none)
    s_dot, rate_1, rate_2 = zero, zero, zero
    if want & ~(RESIDUAL | COMMIT) or p.bound == 0 or p.dragged:
        moving = rate_along_line(p, now, place, T, e, D, arm_b)
        s_dot, e_dot, _W, _Q = moving
        Y_dot, rate_1 = rate_across(p, now, place, 0, Y, Y_1, e, e_dot, s_dot)
        Z_dot, rate_2 = rate_across(p, now, place, 1, Z, Z_1, e, e_dot, s_dot)
    # forces across and along the line
    f_1, f_2, energy, lost = forces_across(p, now, beyond, u_1, u_2, rate_1, rate_2)
    torque, pull = zero, zero
    if p.twist:
        torque = now.lam[2 * p.bound] + zero
    target, target_rate, target_second = zero, zero, zero
    if p.driven:
        pull = now.lam[2 * p.bound + p.twist] + zero
        status, target, target_rate, target_second = prescribed(p, now.h, now.t, w)
        if status != 0:
            return status
    along = p.spring * (s - p.free) + p.drag * s_dot + p.stop * beyond
    energy = energy + 0.5 * p.spring * (s - p.free) * (s - p.free) + 0.5 * p.stop * beyond * beyond
    if want & RESIDUAL:
        sigma = along + pull + f_1 * (dot(e, Y_1) - dot(T, Y)) + f_2 * (dot(e, Z_1) - dot(T, Z)) + torque * dot(Y_1, b)
        sigma = sigma / D
        F = add(add(scale(f_1, Y), scale(f_2, Z)), scale(sigma, T))
        put(r, 6 * last, F)
        put(r, 6 * last + 3, add(cross(arm_b, F), scale(torque, cross(b, Y))))
        on_y, on_z = add(scale(f_1, e), scale(torque, b)), scale(f_2, e)
        for i in range(p.count):
            k, arm = arm_of(p, now, i)
            n, n_1, _n_2, _n_3 = cardinal(p, place, i)
            f = sub(scale(n_1 * sigma, e), scale(n, F))
            turn = add(cross(direction_of(p, now, i, 0), on_y), cross(direction_of(p, now, i, 1), on_z))
            put(r, 6 * k, f)
            put(r, 6 * k + 3, add(cross(arm, f), scale(n, turn)))
        row = 6 * now.n.nodes
        if want & ACCELERATION_LEVEL:
            s_ddot, e_ddot = second_rate_along_line(p, now, foot, moving)
            Y_ddot = direction_second_rate(p, now, place, 0, s_dot, s_ddot)
            Z_ddot = direction_second_rate(p, now, place, 1, s_dot, s_ddot)
            if p.bound:
                r[row] = dot(e_ddot, Y) + 2.0 * dot(e_dot, Y_dot) + dot(e, Y_ddot)
                r[row + 1] = dot(e_ddot, Z) + 2.0 * dot(e_dot, Z_dot) + dot(e, Z_ddot)
            if p.twist:
                b_ddot = add(cross(vec(now.a, 6 * last + 3), b), cross(w_b, b_dot))
                r[row + 2 * p.bound] = dot(Y_ddot, b) + 2.0 * dot(Y_dot, b_dot) + dot(Y, b_ddot)
            if p.driven:
                r[row + 2 * p.bound + p.twist] = s_ddot - target_second
        elif want & VELOCITY_LEVEL:
            if p.bound:
                r[row] = rate_1
                r[row + 1] = rate_2
            if p.twist:
                r[row + 2 * p.bound] = dot(Y_dot, b) + dot(Y, b_dot)
            if p.driven:
                r[row + 2 * p.bound + p.twist] = s_dot - target_rate
        else:
            if p.bound:
                r[row] = u_1
                r[row + 1] = u_2
            if p.twist:
                r[row + 2 * p.bound] = dot(Y, b)
            if p.driven:
                r[row + 2 * p.bound + p.twist] = s - target
    if want & COMMIT:
        now.h.s = s
        now.h.value = target
        now.h.time = now.t
    if want & OUTPUT:
        w[0] = s
        w[1] = s_dot
        w[2] = -f_1
        w[3] = -f_2
        w[4] = -torque * dot(cross(b, Y), T) / sqrt(dot(T, T))
        w[5] = -along - pull
        w[6] = sqrt(u_1 * u_1 + u_2 * u_2) if u_1 != 0.0 or u_2 != 0.0 else zero
        w[7] = energy
    if want & ENERGY:
        put_energies(w, 0.0, 0.0, energy, lost + p.drag * s_dot * s_dot, -pull * target_rate)
    return 0
