"""Friction of two surfaces that are pressed together by N and slide over each other with the velocity u.

    smooth   T = μ(|u|) N tanh(|u|/v_r) u/|u|                     nothing rests with it: what is pushed creeps
    stick    T = μ(0) N ξ/ε              as long as |ξ| ≤ ε        ξ̇ = u: asperities bend, by ε at most, and nothing creeps
             T = μ(|u|) N ξ/|ξ|          where they slide, |ξ| kept at ε

The stretch ξ of the asperities is remembered from step to step: over a step it grows by h u (what rings within ε is
damped so, and what slides is cut back anyway), in a search for an equilibrium by the
way that the two points which touch have moved apart, and the angle by which the surfaces have turned (what slides, rolls or spins at the start of a run has always done so), and is then cut back to ε, as plastic strain is (return mapping). It is a vector in the
tangent plane, so friction has no preferred direction, and its law is exact at the end of each step, sticking or sliding.

Rolling and spinning are resisted by moments ρ N, likewise: of the angular velocity across and along the normal, with the arms ρ of both.

    μ(v) = μ (1 + s exp(−(v/v_s)²))                       Stribeck: static friction is larger by the share s
"""

from __future__ import annotations

from flexor.law.dual import exp, sqrt, tanh
from flexor.law.face import INTEGRATED
from flexor.law.record import Record, integer, number
from flexor.law.tuples import add, dot, mat, mm, mtv, mv, scale, sub, transpose, vec

NONE, STICK, SMOOTH = range(3)
"""Which friction there is."""
STILL = 1e-30
"""Square of a speed, stretch or angle without direction."""
TINY = 1e-12
"""1 + cos θ of half a turn."""

MOVES = 1e-3
"""Speed from which on surfaces slide at the start of a run [m/s]."""
TURNS = 1e-2
"""Likewise angular velocity from which on they roll or spin [rad/s]."""
LONG = 1e6
"""Time for which they have done so [s]: until asperities bend no more."""


class SurfaceFriction(Record):
    """Parameters of friction."""

    model = integer("NONE, STICK or SMOOTH")
    coefficient = number("μ")
    stribeck = number("s")
    slip_speed = number("v_s", "m/s")
    smooth_speed = number("v_r", "m/s")
    smooth_spin = number("of rolling and spinning: angular velocity up to which the moment rises", "rad/s")
    micro_slip = number("ε", "m")
    micro_turn = number("of rolling and spinning: angle by which asperities bend", "rad")
    rolling = number("ρ of rolling", "m")
    spinning = number("ρ of spinning", "m")
    holds = integer("1: surfaces that touch hold on to each other without a limit, in a search for an equilibrium")
    held = number("by which normal force they do so", "N")


def across(n, u):
    """The part of a vector in the plane with normal n."""
    return sub(u, scale(dot(n, u), n))


def coefficient_at(p, square):
    """μ(v), of v²"""
    if p.slip_speed > 0.0:
        return p.coefficient * (1.0 + p.stribeck * exp(-square / (p.slip_speed * p.slip_speed)))
    return p.coefficient + 0.0 * square


def smooth_share(u, slow):
    """tanh(|u|/slow) u/|u|"""
    square = dot(u, u)
    if square < STILL + 1e-6 * slow * slow:
        x2 = square / (slow * slow)
        return scale((1.0 - x2 / 3.0) / slow, u)
    speed = sqrt(square)
    return scale(tanh(speed / slow) / speed, u)


def stuck_share(stretch, most):
    """(ξ/ε, or ξ/|ξ| beyond ε; 1 if it slides)"""
    square = dot(stretch, stretch)
    if square <= most * most:
        return scale(1.0 / most, stretch), 0.0
    return scale(1.0 / sqrt(square), stretch), 1.0


def rubbing_force(p, h, now, N, n, slides, spin, apart, R_ab):
    """(T, M, ξ, the same of rolling and spinning, 1 if it sticks), in the axes of surface a; T and M oppose b's motion beyond a's.

    h: the contact's history.   slides: u in the tangent plane.   spin: relative angular velocity.
    apart: by how much the material of b that touches has moved beyond a's since then.   R_ab: b's axes.
    """
    if p.model != STICK or N <= 0.0:
        zero = 0.0 * N
        none = (zero, zero, zero)
        return resistance(p, N, n, slides, spin, none, none, -1.0)
    stretch, turn = _stretched(h, now, n, slides, spin, apart, R_ab)
    done = now.c.states == INTEGRATED and now.t <= h.time  # the step is
    return resistance(p, N, n, slides, spin, stretch, turn, h.slid if done else -1.0)


def moved_apart(h, x, p_ab, R_ab):
    """By how much the material of b that is at x now has moved since the contact's history was written, in the axes of a.

    That which touched then may be elsewhere: of a disc that stands on its face, the point that is lowest by a nanometre goes a quarter of a
    turn round the rim as it begins to tilt, and friction there is that of the material there.
    """
    return sub(x, add(vec(h.p, 0), mv(mat(h.R, 0), mtv(R_ab, sub(x, p_ab)))))


def resistance(p, N, n, slides, spin, stretch, turn, slid_before):
    """As `rubbing_force`, with what asperities have stretched and turned by, before they are cut back.

    slid_before: 1 or 0 if it is known whether they slide, −1 if the stretch tells.
    """
    zero = 0.0 * N
    none = (zero, zero, zero)
    if p.model == NONE or N <= 0.0:
        return none, none, none, none, 0.0
    square = dot(slides, slides)
    sticks = 0.0
    if p.model == STICK and p.holds:
        rolls, spins = across(n, turn), scale(dot(n, turn), n)
        M = add(scale(p.rolling, rolls), scale(p.spinning, spins))
        T = scale(coefficient_at(p, zero) * p.held / p.micro_slip, stretch)
        return T, scale(p.held / p.micro_turn, M), stretch, turn, 1.0
    if p.model == STICK:
        share, slid = stuck_share(stretch, p.micro_slip)
        if slid_before >= 0.0:
            slid = slid_before
        stretch, sticks = scale(p.micro_slip, share), 1.0 - slid
        mu = coefficient_at(p, slid * square)
        rolls, _slid = stuck_share(across(n, turn), p.micro_turn)
        spins, _slid = stuck_share(scale(dot(n, turn), n), p.micro_turn)
        turn = scale(p.micro_turn, add(rolls, spins))
    else:
        stretch, turn = none, none
        share = smooth_share(slides, p.smooth_speed)
        mu = coefficient_at(p, square)
        rolls = smooth_share(across(n, spin), p.smooth_spin)
        spins = smooth_share(scale(dot(n, spin), n), p.smooth_spin)
    M = scale(N, add(scale(p.rolling, rolls), scale(p.spinning, spins)))
    return scale(mu * N, share), M, stretch, turn, sticks


def _stretched(h, now, n, slides, spin, apart, R_ab):
    """ξ and the angle of rolling and spinning, before they are cut back."""
    stretch, turn = across(n, vec(h.stretch, 0)), vec(h.turn, 0)
    dt = now.t - h.time
    if now.c.states == INTEGRATED and dt > 0.0:
        return add(stretch, scale(dt, slides)), add(turn, scale(dt, spin))
    stretch = add(stretch, across(n, apart))
    turn = add(turn, _turned(mm(R_ab, transpose(mat(h.R, 0)))))
    if now.c.states != INTEGRATED:  # it slides, rolls or spins at the start
        rolls, spins = across(n, spin), scale(dot(n, spin), n)
        if dot(slides, slides) > MOVES * MOVES:
            stretch = add(stretch, scale(LONG, slides))
        if dot(rolls, rolls) > TURNS * TURNS:
            turn = add(turn, scale(LONG, rolls))
        if dot(spins, spins) > TURNS * TURNS:
            turn = add(turn, scale(LONG, spins))
    return stretch, turn


def _turned(R):
    """2 tan(θ/2) along the axis of a rotation by θ: the angle where it is small, and larger than asperities bend where it is not."""
    share = 2.0 / max(1.0 + R[0] + R[4] + R[8], TINY + 0.0 * R[0])
    return scale(share, (R[7] - R[5], R[2] - R[6], R[3] - R[1]))
