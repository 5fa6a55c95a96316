"""How long a step may be, by what touches and what is about to touch.

At a place with the arm r from the centre of mass, a body yields to a force along n by the mobility

    l² = 1/m + (r × n)·J⁻¹(r × n)                                      for the normal of a sphere about its centre 1/m

Of M⁻¹ Σ k b bᵀ, with b of length l, the block row of body i has the norm Σ k l_i (l_i + l_j) at most (Gershgorin): a bound of ω², likewise of d/m. Three
sums per body: the stiffness of normal forces as they are now, which chosen steps resolve; their damping; and what else stability asks for, the firmness: a
damping that grows in the step, and friction that sticks. Steps need not resolve these, as both die away faster than anything moves.
"""

from __future__ import annotations

from flexor.contact.laws.friction import SMOOTH, STICK
from flexor.explicit.memory import Inert
from flexor.explicit.step import SAFE, spin_of
from flexor.law.dual import sqrt
from flexor.law.tuples import cross, dot, scale

GROWTH = 4.0
"""Share of χ δ̇ of the stiffness by which the damping, growing by h χ k δ̇ in a step, counts in ¼ h² k + h d."""
IMPACT = 0.25
"""Part of the longest stable step that is taken in an impact, if not less: half a swing of it then takes some six steps."""


def power(depth, exponent):
    """δⁿ, the usual ones without a logarithm."""
    if exponent == 1.0:
        return depth
    if exponent == 1.5:
        return depth * sqrt(depth)
    return depth**exponent


def slope(K, exponent, depth, elastic):
    """n K δⁿ⁻¹: of a spring K, also where it only just touches."""
    if exponent == 1.0:
        return K
    return exponent * elastic / max(depth, 1e-300)


def lightness(H, s):
    """1/m of the body of a surface; 0 of the ground."""
    return Inert(H.bodies, s.body).lightness if s.moves else 0.0


def mobility(H, s, arm, n):
    """l² along the normal n; all in global axes."""
    if s.moves == 0:
        return 0.0
    body = Inert(H.bodies, s.body)
    if s.round or body.nimbleness == 0.0:
        return body.lightness
    turns = cross(arm, n)
    return body.lightness + dot(turns, spin_of(H.engine, body, turns))


def mobility_across(H, s, arm, n):
    """The largest l² of all directions across n: an eigenvalue of two by two numbers."""
    if s.moves == 0:
        return 0.0
    body = Inert(H.bodies, s.body)
    if body.nimbleness == 0.0:
        return body.lightness
    if s.round:
        return body.lightness + body.nimbleness * dot(arm, arm)
    axis = (1.0, 0.0, 0.0) if abs(n[0]) < 0.6 else (0.0, 1.0, 0.0)
    side = cross(n, axis)
    side = scale(1.0 / sqrt(dot(side, side)), side)
    first, second = cross(arm, side), cross(arm, cross(n, side))
    yields = spin_of(H.engine, body, first)
    a, b, c = dot(first, yields), dot(second, yields), dot(second, spin_of(H.engine, body, second))
    return body.lightness + 0.5 * (a + c) + sqrt(0.25 * (a - c) * (a - c) + b * b)


def about_to_touch(H, law, K, light, g, closing, barely):
    """Let the step be short enough for an impact that is near or begins, or end where it begins; light: l² of both bodies.

    With relative accelerations up to 2 A the gap g may close with v² = ċ² + 4 A g, after 2 g/(ċ + v). The impact goes to the depth with ½ v²/l² = K δⁿ⁺¹/(n + 1).
    A law that stiffens is softer where a step begins than where it ends: what it reaches in a step, K (v h)ⁿ (1 + χ v), shall take no more than v in it.
    What barely touches, with a force that could not hold it, falls with 2 A, see `_falling`. At the start of a run nothing is known of what will load it: all
    that touches counts as an impact.
    """
    exponent, own = law.exponent, H.numbers
    if light <= 0.0:
        return
    speed = max(sqrt(closing * closing + 4.0 * own.pull * g), 1e-12)
    braked = (law.damping + law.restitution / max(speed, law.rest)) * speed
    share = min(own.share, IMPACT) if closing > law.rest or own.dt == 0.0 else own.share
    safe = share if own.share >= 1.0 else SAFE
    stiff = K * light
    if exponent != 1.0:
        depth = (0.5 * (exponent + 1.0) * speed * speed / (K * light)) ** (1.0 / (exponent + 1.0))
        stiff *= exponent * power(depth, exponent) / depth
    h = 2.0 / sqrt(stiff) * min(share / sqrt(1.0 + braked), safe / sqrt(1.0 + (1.0 + GROWTH) * braked))
    if exponent != 1.0:
        steep = K * light * (1.0 + braked) * power(speed, exponent) / speed
        h = min(h, (1.0 / steep) ** (1.0 / (exponent + 1.0)))
        if barely and closing < 2.0 * own.pull * h:
            h = min(h, _falling(K * light, exponent, own.pull, share))
    own.soon = min(own.soon, max(h, 2.0 * g / (closing + speed)))


def _falling(K, exponent, pull, share):
    """Step for what is let go where it just touches, by a law that stiffens; K: by mass, pull: A.

    With 2 A it falls to the depth where 2 A δ = K δⁿ⁺¹/(n + 1), and by A h² in the first step, where K (A h²)ⁿ shall be no more than 2 A: h² = δ/2 A does, as
    (n + 1)^(1/n) ≤ 2.
    """
    depth = (2.0 * (exponent + 1.0) * pull / K) ** (1.0 / exponent)
    stiff = exponent * K * power(depth, exponent) / depth
    return min(2.0 * share / sqrt(stiff), sqrt(0.5 * depth / pull))


def stiffen(H, rubbing, s_i, s_j, k, d, braked, N, n, arm_i, arm_j):
    """Add a place of contact to the sums of both bodies.

    k, d: of the normal force.   braked: χ δ̇ while the surfaces approach each other, by which it is stiffer.   What acts along the normal of a sphere and what
    acts across it, which turns it, do not add up. What sticks is stable up to half of h² ω² as springs are, so it counts twice.
    """
    l_i, l_j = sqrt(mobility(H, s_i, arm_i, n)), sqrt(mobility(H, s_j, arm_j, n))
    b_i, b_j = l_i * (l_i + l_j), l_j * (l_i + l_j)
    now, grows = k * (1.0 + braked), GROWTH * k * braked
    f_i, f_j, d_i, d_j = grows * b_i, grows * b_j, d * b_i, d * b_j
    if rubbing.model == STICK or rubbing.model == SMOOTH:
        most = rubbing.coefficient * (1.0 + rubbing.stribeck) * N
        t_i, t_j = sqrt(mobility_across(H, s_i, arm_i, n)), sqrt(mobility_across(H, s_j, arm_j, n))
        if rubbing.model == STICK:
            sticks = 2.0 * most / rubbing.micro_slip * (t_i + t_j)
            f_i = max(f_i, sticks * t_i - now * b_i) if s_i.round else f_i + sticks * t_i
            f_j = max(f_j, sticks * t_j - now * b_j) if s_j.round else f_j + sticks * t_j
        else:  # friction is bounded: what it changes of the sliding in a step shall be no more than the speed up to which it rises
            H.numbers.soon = min(H.numbers.soon, rubbing.smooth_speed / max(most * (t_i * t_i + t_j * t_j), 1e-300))
    if rubbing.rolling > 0.0 or rubbing.spinning > 0.0:
        moment = 2.0 * (rubbing.rolling + rubbing.spinning) * N
        m_i, m_j = moment * _nimbleness(H, s_i), moment * _nimbleness(H, s_j)
        if rubbing.model == STICK:
            f_i += 2.0 * m_i / rubbing.micro_turn
            f_j += 2.0 * m_j / rubbing.micro_turn
        else:
            d_i += m_i / rubbing.smooth_spin
            d_j += m_j / rubbing.smooth_spin
    H.stiffness[s_i.body] += now * b_i
    H.stiffness[s_j.body] += now * b_j
    H.firmness[s_i.body] += f_i
    H.firmness[s_j.body] += f_j
    H.damping[s_i.body] += d_i
    H.damping[s_j.body] += d_j


def _nimbleness(H, s):
    return Inert(H.bodies, s.body).nimbleness if s.moves else 0.0
