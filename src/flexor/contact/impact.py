"""Impacts: what keeps a step from leaping over them.

Two surfaces that come near may meet, and part again, within a step; in a contact that is stiffer than the step is short the force would be
that of one instant. So after each step every contact tells which share of it would have served, and the step is made anew where that is less
than one:

- Not touching at the begin: the way of b's axes in a's from the begin of the step to its end is followed, as straight and even, by
  conservative advancement: from a place with gap g no point can touch before the surfaces have moved by g. If it meets a's surface and the end
  of the step is not yet the begin of a resolved contact, the step is to end where they meet. (What turns fast hardly nears: the bound is then far too careful,
  and the advance goes faster where the gap closes more slowly.)
- Touching: ġ may change, by forces, by RESOLUTION of the speed at which they met, so that a contact takes some thirty steps. What is slower than the speed
  of rest is left to the integrator, which damps what it cannot resolve; as is what matters little beside the fastest approach of all.
"""

from __future__ import annotations

from flexor.contact.laws.friction import STICK
from flexor.law.dual import sqrt
from flexor.law.rotation_vector import rotation_vector
from flexor.law.tuples import add, dot, mat, mm, norm, rotation_of, scale, sub, transpose, vec

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
SOON = 0.05
"""Part of a step within which surfaces that are about to meet count as touching."""
SHORTENING = 0.05
"""The least share of a step that is asked for at a time."""
ADVANCES = 60
"""Of the way along a step, at most."""
FASTER, NEARLY = 8.0, 0.9
"""How much longer the next advance may be than the last, and which part it may take of the way to where the gap would close as it does."""
CLOSE = 1e-9
"""Gap, in parts of the way of a step, that is none."""


def length_share(p, h, t, approach, size_a, size_b, k, g, rate, gain, p_ab, R_ab, liveliest):
    """The share of the step that would have served; above 1 by how much the next one may be longer.

    gain: change of ġ by forces, without that of the normal [m/s].   liveliest: the fastest approach of late of all surfaces that touch [m/s]
    """
    if h.known == 0.0:
        return FREE
    met = 0.0
    if h.gap > 0.0:
        gain = rate - h.rate  # a normal that has turned back means that one has passed through the other
    rest = max(p.stiffness.rest, MATTERS * liveliest)
    fast = max(max(h.swift, abs(h.rate)), rest)
    if h.gap > 0.0:
        met = _meeting(p, h, approach, size_a, size_b, k, g, p_ab, R_ab)
        if met > 1.0:
            return FREE
        if met > SOON:
            pushed = abs(gain - h.slope * (t - h.time))
            begun = g <= 0.0 and pushed <= (BEGUN * fast if fast > rest else RESOLUTION * rest)
            return FREE if begun else (1.0 - BEFORE) * met
    if h.gap <= 0.0 and max(max(h.swift, abs(h.rate)), abs(rate)) <= p.stiffness.rest:
        return FREE
    change = abs(gain)
    passed = h.gap > 0.0 and g > 0.0  # met and parted in one step
    if passed and fast > rest and change <= RESOLUTION * fast:
        return max(met, SHORTENING)  # as if nothing had been there
    bent = abs(gain - h.slope * (t - h.time))
    share = min(RESOLUTION * fast / max(change, 1e-300), sqrt(BEND * fast / max(bent, 1e-300)))
    return max(share, SHORTENING)


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


def _meeting(p, h, approach, size_a, size_b, k, g, p_ab, R_ab):
    """Where on the way of the step, 0 … 1, the surfaces meet; 2 if they do not."""
    p_0, R_0 = vec(h.p, 0), mat(h.R, 0)
    way = sub(p_ab, p_0)
    turn = rotation_vector(mm(transpose(R_0), R_ab))
    longest = norm(way) + p.reach * norm(turn)
    if longest <= 0.0 or h.gap > longest:
        return 2.0
    last, before = h.gap, 0.0
    at = h.gap / longest
    for _ in range(ADVANCES):
        if at >= 1.0:
            return 2.0 if g > 0.0 else 1.0
        R = mm(R_0, rotation_of(scale(at, turn)))
        gap, _n, _x = approach(size_a, size_b, add(p_0, scale(at, way)), R, k)
        if gap <= CLOSE * longest:
            return at
        further = FASTER * (at - before)
        closing = (last - gap) / (at - before)
        if closing > 0.0:
            further = min(further, NEARLY * gap / closing)
        last, before = gap, at
        at += max(gap / longest, further)
    return at
