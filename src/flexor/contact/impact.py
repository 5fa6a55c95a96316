"""Impacts: what keeps a step from leaping over them.

Two surfaces that come near may meet, and part again, within a step; in a contact that is stiffer than the step is short the force would be
that of one instant. So after each step every contact tells which share of it would have served, and the step is made anew where that is less
than one:

- Not touching at the begin: the way of b's axes in a's from the begin of the step to its end is followed, as straight and even, by
  conservative advancement: from a place with gap g no point can touch before the surfaces have moved by g. If it meets a's surface and the end
  of the step is not yet the begin of a resolved contact, the step is to end where they meet. (What turns fast hardly nears: the bound is then far too careful,
  and the advance goes faster where the gap closes more slowly.)
- Touching, approaching, and at the end apart or pushed the other way, though no force has turned the approach back: one has gone through the other. The step is to be so
  short that what its way would store, if nothing resisted, is a small part of the energy of the approach.
- Touching: ġ may change, by forces, by RESOLUTION of the speed at which they met, so that a contact takes some thirty steps. What is slower than the speed
  of rest is left to the integrator, which damps what it cannot resolve; as is what matters little beside the fastest approach of all.
- Where ġ changes by more in a step that is short beside any vibration of a body of their masses on the contact, it is not by forces: the place or its normal has leapt. Shorter
  steps would be of no help, so that none are asked for, which is told (`flexor.solve.dynamics.UnresolvedContact`).
"""

from __future__ import annotations

from flexor.contact.approach.pair import ELSEWHERE
from flexor.contact.laws.friction import STICK
from flexor.contact.laws.normal import elastic_energy, elastic_force
from flexor.law.dual import sqrt
from flexor.law.rotation_vector import rotation_vector
from flexor.law.tuples import add, dot, mat, mm, mtv, mv, norm, rotation_of, scale, sub, transpose, vec

RESOLUTION = 0.1
"""Change of the approach speed in a step, in parts of that at which the surfaces met."""
MATTERS = 0.2
"""Part of the fastest approach of late, of all surfaces that touch, below which another one is not followed more closely."""
BEND = 0.01
"""Change of its slope times the length of the step, likewise: the square of the phase ω h."""
BEGUN = 1e-3
"""Change of it by a contact that has begun in a long step, likewise."""
BEFORE = 1e-3
"""Part of the way to the place where surfaces meet by which a step is to end before it."""
FREE = 1e6
"""Of surfaces that do not touch: the next step may be much longer."""
GIVEN_UP = 1.0 + 1e-7
"""Of a step that is too long, though shorter ones would be of no help."""
FINEST = 2e-3
"""Such a step, in parts of 1/ω of what touches: RESOLUTION is reached with some 0.1."""
SOON = 0.05
"""Part of a step within which surfaces that are about to meet count as touching."""
SHORTENING = 0.05
"""The least share of a step that is asked for at a time."""
ADVANCES = 60
"""Of the way along a step, at most."""
FASTER, NEARLY = 8.0, 0.9
"""How much longer the next advance may be than the last, and which part it may take of the way to where the gap would close as it does."""
SHORT_OF = 0.999
"""Part of the surest advance that is made: beyond the very place of contact, be it by a rounding error, what lies flat is told by other places."""
SPIN = 0.2
"""Turn of one surface against the other, rad a step, beyond which their way is followed in global axes."""
LEAP = 10.0
"""How much farther than the surfaces a point of contact moves that leaps."""
CLOSE = 1e-9
"""Gap, in parts of the way of a step, that is none."""


def length_share(
    p, h, t, approach, size_a, size_b, k, g, n, x, u, gain, of_leap, wanders, A, p_ab, R_ab, liveliest, fine
):
    """The share of the step that would have served; above 1 by how much the next one may be longer.

    n, x, u: normal, point and velocity there.   A: a's axes, in global ones.   gain: change of ġ by forces, without that of the normal [m/s]; of_leap: likewise where x is now, if
    another point was the place before.   wanders: it is the place of a line, which moves along that freely.   liveliest: the fastest approach of
    late of all surfaces that touch [m/s].   fine: the usual number of steps that resolve an impact, by that asked for.
    """
    if h.known == 0.0:
        return FREE
    rate = dot(n, u)
    if g >= ELSEWHERE:  # others tell, from where they meet on
        if h.gap <= 0.0 or h.gap >= ELSEWHERE:
            return FREE
        met = _meeting(p, h, approach, size_a, size_b, k, g, A, p_ab, R_ab)
        return (1.0 - BEFORE) * met if met > SOON and met <= 1.0 else FREE
    if h.gap >= ELSEWHERE:
        return _begun_share(p, h, t, g, rate, of_leap, liveliest, fine)
    through = _through(p, h, t, g, n, u, fine)
    if through < 1.0:
        return through
    if h.gap <= 0.0 and not wanders and leapt(p, h, x, p_ab, R_ab):
        gain = of_leap
    met = _meeting(p, h, approach, size_a, size_b, k, g, A, p_ab, R_ab) if h.gap > 0.0 else 0.0
    return _share(p, h, t, met, g, rate, gain, liveliest, fine)


def _through(p, h, t, g, n, u, fine):
    """The share by which a step is too long in which one surface has gone through the other; FREE if it has not.

    Energies: what K δⁿ⁺¹/(n + 1) would grow by along the way, against ½ ġ²/(1/m_a + 1/m_b) of the approach.
    """
    before = vec(h.n, 0)
    if h.gap > 0.0 or -h.rate <= p.stiffness.rest or dot(before, u) >= 0.0 or (g <= 0.0 and dot(before, n) >= 0.0):
        return FREE
    way, allowed = -h.rate * (t - h.time), RESOLUTION * fine * h.rate * h.rate
    at_begin = elastic_energy(p.stiffness, -h.gap)
    stored = 2.0 * p.stiffness.lightness * (elastic_energy(p.stiffness, way - h.gap) - at_begin)
    return FREE if stored <= allowed else max(allowed / stored, SHORTENING)


def of_forces(forced, change):
    """The change of ġ that a step has to be short for: that by forces, n · (u − u_before), or all of it if this is less.

    Where a corner slips over another one n turns at once, and ġ with it, however short the step is; where a cam moves a follower forces keep ġ as it is while n turns.
    """
    return forced if abs(forced) < abs(change) else change


def of_use(p, h, t, g, fast, fine, share):
    """The share of a step that contacts ask for, if a step so short is of any use."""
    finest, length = FINEST * fine * fine * own_time(p.stiffness, max(-g, -h.gap), fast), t - h.time
    if share >= 1.0:
        return share
    return max(share, finest / length) if length > finest else GIVEN_UP


def own_time(p, depth, fast):
    """1/(ω √(1 + d)) of two bodies on a contact at a depth, or that to which they go with an approach so fast [s]; d of its dissipation   (39.8a)

    p: stiffness
    """
    n, deep = p.exponent, max(depth, 1e-300)
    if n > 1.0:
        deep = max(deep, (0.5 * (n + 1.0) * fast * fast / max(p.lightness * p.K, 1e-300)) ** (1.0 / (n + 1.0)))
    square = p.lightness * n * elastic_force(p, deep) / deep * (1.0 + p.restitution + p.damping * fast)
    return 1.0 / sqrt(square) if square > 0.0 else 0.0


def _begun_share(p, h, t, g, rate, gain, liveliest, fine):
    """Likewise of a place that has become one in this step; gain: change of the speed there."""
    before = abs(rate - gain)
    if g > 0.0 or max(before, abs(rate)) <= p.stiffness.rest:
        return FREE
    fast, change = max(before, max(p.stiffness.rest, MATTERS * liveliest)), max(abs(gain), 1e-300)
    share = max(min(RESOLUTION * fine * fast / change, fine * sqrt(BEND * fast / change)), SHORTENING)
    return of_use(p, h, t, g, fast, fine, share)


def leapt(p, h, x, p_ab, R_ab):
    """Whether another point of the surfaces has become this place: a ring that passes its level touches on the other side, as a ball does that passes the axis of its
    seat. The speed there is not what that of the last one became, however short the step."""
    moved = norm(sub(x, vec(h.x, 0)))
    turn = rotation_vector(mm(transpose(mat(h.R, 0)), R_ab))
    way = norm(sub(p_ab, vec(h.p, 0))) + min(p.reach_a, p.reach_b) * norm(turn)
    return moved > LEAP * way and moved > 0.5 * norm(sub(x, p_ab))


def meeting_share(p, h, t, g, rate, liveliest, fine):
    """Likewise of a surface that deforms: where they meet is told by the gap and its rate at the begin of the step."""
    if h.known == 0.0:
        return FREE
    met = 0.0
    if h.gap > 0.0:
        end = min(g, h.gap + (t - h.time) * h.rate)  # what has passed through is not below
        met = h.gap / (h.gap - end) if end < 0.0 else 2.0 + 0.0 * end
    return _share(p, h, t, met, g, rate, rate - h.rate, liveliest, fine)


def _share(p, h, t, met, g, rate, gain, liveliest, fine):
    """met: where on the way of the step, 0 … 1, the surfaces meet; 2 if they do not."""
    if h.gap > 0.0:
        gain = rate - h.rate  # a normal that has turned back means that one has passed through the other
    rest = max(p.stiffness.rest, MATTERS * liveliest)
    resolution, bend, begins = RESOLUTION * fine, BEND * fine * fine, BEGUN * fine * fine
    fast = max(max(h.swift, abs(h.rate)), rest)
    if h.gap > 0.0:
        if met > 1.0:
            return FREE
        if met > SOON:
            pushed = abs(gain - h.slope * (t - h.time))
            begun = g <= 0.0 and pushed <= (begins * fast if fast > rest else resolution * rest)
            return FREE if begun else (1.0 - BEFORE) * met
    if h.gap <= 0.0 and max(max(h.swift, abs(h.rate)), abs(rate)) <= p.stiffness.rest:
        return FREE
    change = abs(gain)
    passed = h.gap > 0.0 and g > 0.0  # met and parted in one step
    if passed and fast > rest and change <= resolution * fast:
        return max(met, SHORTENING)  # as if nothing had been there
    bent = abs(gain - h.slope * (t - h.time))
    share = min(resolution * fast / max(change, 1e-300), sqrt(bend * fast / max(bent, 1e-300)))
    return of_use(p, h, t, g, fast, fine, max(share, SHORTENING))


def bending_share(p, h, t, rate, u):
    """Likewise of asperities that are not bent yet, and would be so by more than they can: those of bodies that lie on each other, at rest, at the start of a run.

    p: friction.   The way of a step from rest grows as the square of its length.
    """
    if p.model != STICK or h.known == 0.0 or h.gap > 0.0 or h.slid > 0.0:
        return FREE
    if abs(h.stretch[0]) + abs(h.stretch[1]) + abs(h.stretch[2]) > 0.0:
        return FREE
    way = (t - h.time) * sqrt(max(dot(u, u) - rate * rate, 0.0 * rate))
    return max(sqrt(p.micro_slip / way), SHORTENING) if way > p.micro_slip else FREE


def _meeting(p, h, approach, size_a, size_b, k, g, A, p_ab, R_ab):
    """Where on the way of the step, 0 … 1, the surfaces meet; 2 if they do not."""
    p_0, R_0, A_0 = vec(h.p, 0), mat(h.R, 0), mat(h.A, 0)
    way = sub(p_ab, p_0)
    turn = rotation_vector(mm(transpose(R_0), R_ab))
    spins = norm(turn) > SPIN
    turn_a = turn
    if spins:  # seen from a, b goes round it: straight is its way in global axes
        way = sub(mv(A, p_ab), mv(A_0, p_0))
        turn_a = rotation_vector(mm(transpose(A_0), A))
        R_0 = mm(A_0, R_0)
        turn = rotation_vector(mm(transpose(R_0), mm(A, R_ab)))
    # what is farther from the origin of its axes than the other surface cannot touch that
    apart = norm(p_0) + norm(way)
    longest = norm(way) + min(p.reach_b, apart + p.reach_a) * norm(turn)
    if spins:
        longest += min(p.reach_a, apart + p.reach_b) * norm(turn_a)
    if longest <= 0.0 or h.gap > longest:
        return 2.0
    last, before = h.gap, 0.0
    at = SHORT_OF * h.gap / longest
    for _ in range(ADVANCES):
        if at >= 1.0:
            return 2.0 if g > 0.0 else 1.0
        place, R = add(p_0, scale(at, way)), mm(R_0, rotation_of(scale(at, turn)))
        if spins:
            A_t = mm(A_0, rotation_of(scale(at, turn_a)))
            place, R = mtv(A_t, add(mv(A_0, p_0), scale(at, way))), mm(transpose(A_t), R)
        gap, _n, _x = approach(size_a, size_b, place, R, k)
        if gap <= CLOSE * longest:
            return at
        if gap >= ELSEWHERE and at - before > last / longest:
            # too fast: what overlaps there may be told by other places
            at = before + SHORT_OF * last / longest
            continue
        further = FASTER * (at - before)
        closing = (last - gap) / (at - before)
        if closing > 0.0:
            further = min(further, NEARLY * gap / closing)
        last, before = gap, at
        at += max(SHORT_OF * gap / longest, further)
    return at
