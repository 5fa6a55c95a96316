"""A point of B on a curve that stands on A: by a constraint, or by a spring across the gap.   FTG 6.3.3, 6.3.4

    u            distance of the point from the curve, positive on the side of contact
    Φ = u − ρ    constraint, FTG (6.25) with ũ locked; the multiplier is the force of contact
    δ = ρ − u    penetration;  F = k δᵐ + f(δ) + d δ̇ pushes, never pulls, FTG (6.29)–(6.31)

Gradient and second derivatives of u are those of `flexor.coordinates.curve`: the foot moves along the curve as the point does, and
that costs nothing to first order. F acts at the point of B and at the same point of A, along the normal.
"""

from __future__ import annotations

from flexor.coordinates.curve import Piece, arc_length, curvature, find_foot, nearest_of_corner, point_and_tangent
from flexor.coordinates.frames import (
    Frame,
    arm_a,
    arm_b,
    axes_a,
    offset,
    offset_acceleration,
    offset_rate,
    put_pair,
)
from flexor.functions import ERRORS, OUT_SIZE
from flexor.functions.call import Call, evaluate
from flexor.law import ACCELERATION_LEVEL, COMMIT, ENERGY, OUTPUT, RESIDUAL, VELOCITY_LEVEL, law
from flexor.law.dual import sqrt
from flexor.law.face import put_energies
from flexor.law.record import Record, integer, nested, number, tail
from flexor.law.tuples import add, column, cross, dot, scale, vec

STOP, LEAVE, ERROR = range(3)
"""What happens at the ends of an open curve."""
LEFT_THE_CURVE = 1
"""Status of a follower that is beyond the end of its curve."""


class Curve(Record):
    """A curve in the x-y plane of a frame."""

    side = number("of contact: 1 to the left of its direction, −1 to the right")
    closed = integer("1: its end is its begin")
    ends = integer("STOP, LEAVE or ERROR")
    corners = integer("whether it has any")
    count = integer("pieces")
    pieces = tail("each a Piece")


class OnCurve(Record):
    """Parameters of the law."""

    a = nested(Frame, "frame of the curve on A")
    b = nested(Frame, "the follower on B")
    radius = number("ρ: of the roller", "m")
    stiffness = number("k", "N/m^m")
    exponent = number("m")
    damping = number("d", "N s/m")
    always = integer("1: the damper acts without contact, too")
    force = nested(Call, "f of the penetration", "N")
    force_with_energy = nested(Call, "the same with its integral")
    stop = number("stiffness of stops at the ends", "N/m")
    curve = nested(Curve, "the curve")


class Place(Record):
    """Its history: where the foot was at the end of the last step."""

    piece = number("number of the piece")
    parameter = number("parameter on it", "m or 1")


def foot_of_follower(p, now):
    """(status, piece, parameter, beyond, y, ẏ) of the follower"""
    A = axes_a(now.R, p)
    s_a, s_b = arm_a(now.R, p), arm_b(now.R, p)
    d = offset(now.x, s_a, s_b)
    A_1, A_2 = column(A, 0), column(A, 1)
    y_1, y_2 = dot(A_1, d), dot(A_2, d)
    d_dot, w_a = offset_rate(now.v, s_a, s_b), vec(now.v, 3)
    rate_1 = dot(A_1, d_dot) + dot(cross(w_a, A_1), d)
    rate_2 = dot(A_2, d_dot) + dot(cross(w_a, A_2), d)
    i, s, beyond = find_foot(p.curve.pieces, p.curve.count, p.curve.closed, y_1, y_2, int(now.h.piece), now.h.parameter)
    if beyond == 0 and p.curve.corners:
        i, s = nearest_of_corner(p.curve.pieces, p.curve.count, p.curve.closed, p.curve.side, y_1, y_2, i, s)
    status = 0
    if (beyond == 2 or beyond == -2) and p.curve.ends == ERROR:
        status = LEFT_THE_CURVE
    return status, i, s, beyond, y_1, y_2, rate_1, rate_2


def normal_at(p, i, s, beyond, y_1, y_2):
    """(u, n, h, over): distance, normal, ∇∇u = h t tᵀ, and how far it is beyond an end"""
    piece = Piece(p.curve.pieces, i)
    over = 0.0 * s
    at = s
    if beyond > 0:
        at = piece.end + 0.0 * s
    if beyond < 0:
        at = 0.0 * s
    c_1, c_2, t_1, t_2 = point_and_tangent(piece, at)
    speed = sqrt(t_1 * t_1 + t_2 * t_2)
    t_1, t_2 = t_1 / speed, t_2 / speed
    n_1, n_2 = -p.curve.side * t_2, p.curve.side * t_1
    e_1, e_2 = y_1 - c_1, y_2 - c_2
    if beyond == 1 or beyond == -1:  # about a corner
        u = sqrt(e_1 * e_1 + e_2 * e_2)
        if u > 1e-12:
            outside = 1.0 if e_1 * n_1 + e_2 * n_2 > 0.0 else -1.0
            return outside * u, outside * e_1 / u, outside * e_2 / u, outside / u, over
    u = e_1 * n_1 + e_2 * n_2
    if beyond != 0:  # the curve goes on straight
        return u, n_1, n_2, 0.0 * s, e_1 * t_1 + e_2 * t_2
    kappa = curvature(piece, s, p.curve.side)
    return u, n_1, n_2, kappa / (1.0 + kappa * u), over


def push_in_plane(p, now, r, f_1, f_2):
    """Add the force (f₁, f₂), in the plane of the curve, times ∇y."""
    A = axes_a(now.R, p)
    s_a, s_b = arm_a(now.R, p), arm_b(now.R, p)
    f = add(scale(f_1, column(A, 0)), scale(f_2, column(A, 1)))
    put_pair(r, f, add(s_a, offset(now.x, s_a, s_b)), s_b)


def second_rates(p, now):
    """ÿ"""
    A = axes_a(now.R, p)
    s_a, s_b = arm_a(now.R, p), arm_b(now.R, p)
    d, d_dot = offset(now.x, s_a, s_b), offset_rate(now.v, s_a, s_b)
    d_ddot = offset_acceleration(now.v, now.a, s_a, s_b)
    w_a, alpha = vec(now.v, 3), vec(now.a, 3)
    A_1, A_2 = column(A, 0), column(A, 1)
    dot_1, dot_2 = cross(w_a, A_1), cross(w_a, A_2)
    ddot_1 = add(cross(alpha, A_1), cross(w_a, dot_1))
    ddot_2 = add(cross(alpha, A_2), cross(w_a, dot_2))
    y_1 = dot(A_1, d_ddot) + 2.0 * dot(dot_1, d_dot) + dot(ddot_1, d)
    y_2 = dot(A_2, d_ddot) + 2.0 * dot(dot_2, d_dot) + dot(ddot_2, d)
    return y_1, y_2


def remember_foot(p, now, i, s, beyond):
    piece = Piece(p.curve.pieces, i)
    now.h.piece = float(i)
    now.h.parameter = min(max(s, 0.0), piece.end) if beyond != 0 else s


ENDS = {LEFT_THE_CURVE: "the follower has left its curve at the end; make the curve longer, or choose ends: stop"}


@law(
    OnCurve,
    history=Place,
    errors=ENDS,
    outputs=(("position", "m"), ("gap", "m"), ("force", "N")),
    scratch=4,
)
def on_curve(want, p, now, out):
    """Φ = u − ρ"""
    status, i, s, beyond, y_1, y_2, rate_1, rate_2 = foot_of_follower(p, now)
    if status != 0:
        return status
    u, n_1, n_2, h, over = normal_at(p, i, s, beyond, y_1, y_2)
    if want & RESIDUAL:
        stop = p.stop * over
        t_1, t_2 = p.curve.side * n_2, -p.curve.side * n_1
        push_in_plane(p, now, out.r, now.lam[0] * n_1 + stop * t_1, now.lam[0] * n_2 + stop * t_2)
        if want & ACCELERATION_LEVEL:
            second_1, second_2 = second_rates(p, now)
            along = t_1 * rate_1 + t_2 * rate_2
            out.r[12] = n_1 * second_1 + n_2 * second_2 + h * along * along
        elif want & VELOCITY_LEVEL:
            out.r[12] = n_1 * rate_1 + n_2 * rate_2
        else:
            out.r[12] = u - p.radius
    if want & COMMIT:
        remember_foot(p, now, i, s, beyond)
    if want & OUTPUT:
        out.w[0] = arc_length(Piece(p.curve.pieces, i), s)
        out.w[1] = u - p.radius
        out.w[2] = -now.lam[0]
    if want & ENERGY:
        put_energies(out.w, 0.0, 0.0, 0.5 * p.stop * over * over, 0.0, 0.0)
    return 0


def is_gone(p, beyond):
    """Whether the follower has left the curve over an end, where there is no contact any more."""
    return p.curve.ends == LEAVE and (beyond == 2 or beyond == -2)


def contact_force(want, p, delta, away, gone, w):
    """(status, elastic force, its energy, damping force) of the spring across the gap; away: u̇.   w needs OUT_SIZE floats."""
    elastic, energy, damped = 0.0 * delta, 0.0 * delta, 0.0 * delta
    status = 0
    if gone:
        return status, elastic, energy, damped
    if delta > 0.0 and p.stiffness > 0.0:
        elastic = p.stiffness * delta**p.exponent
        energy = elastic * delta / (p.exponent + 1.0)
    if p.force.address != 0:
        if want & (OUTPUT | ENERGY):
            status = evaluate(p.force_with_energy, delta, w)
            energy += w[3]
        else:
            status = evaluate(p.force, delta, w)
        elastic += w[0]
    if delta > 0.0 or p.always:
        damped = -p.damping * away
        if elastic + damped < 0.0 and p.always == 0:
            damped = -elastic
    return status, elastic, energy, damped


@law(
    OnCurve,
    history=Place,
    errors={**ENDS, **ERRORS},
    outputs=(("position", "m"), ("gap", "m"), ("force", "N"), ("strain_energy", "J")),
    scratch=OUT_SIZE + 4,
)
def near_curve(want, p, now, out):
    """F = k δᵐ + f(δ) + d δ̇ along the normal"""
    w = out.w
    status, i, s, beyond, y_1, y_2, rate_1, rate_2 = foot_of_follower(p, now)
    if status != 0:
        return status
    u, n_1, n_2, _, over = normal_at(p, i, s, beyond, y_1, y_2)
    delta = p.radius - u
    away = n_1 * rate_1 + n_2 * rate_2
    gone = is_gone(p, beyond)
    status, elastic, energy, damped = contact_force(want, p, delta, away, gone, w)
    if status != 0:
        return status
    push = elastic + damped
    stop = 0.0 * delta if gone else p.stop * over
    if want & RESIDUAL:
        t_1, t_2 = p.curve.side * n_2, -p.curve.side * n_1
        push_in_plane(p, now, out.r, -push * n_1 + stop * t_1, -push * n_2 + stop * t_2)
    if want & COMMIT:
        remember_foot(p, now, i, s, beyond)
    if want & OUTPUT:
        w[0] = arc_length(Piece(p.curve.pieces, i), s)
        w[1] = -delta
        w[2] = push
        w[3] = energy + 0.5 * stop * over
    if want & ENERGY:
        put_energies(w, 0.0, 0.0, energy + 0.5 * stop * over, -damped * away, 0.0)
    return 0
