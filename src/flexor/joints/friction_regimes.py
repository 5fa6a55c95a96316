"""Friction with true sticking: what sticks is held by its asperities, what slides has a way.   FTG 6.5

    sticks   Q = κ (q − z) + c q̇          as long as |Q| ≤ L(0)
    slides   Q = σ L(v) + c q̇             as long as σ q̇ > 0,   v = the fastest |q̇| since it last stood

The asperities stand at z and bend by some micrometres; nothing creeps, however long it lasts. Which of both holds, and the way σ = ±1,
is remembered; it changes at the end of a step only, which the time loop puts where it is due (`flexor.engine.transitions`). So the law is
smooth in every step. The larger static friction returns with the next standstill (hysteresis of Stribeck's curve, FTG Figure 6.10).

Where accelerations are asked for, what sticks resists them like a large mass, Q = κ (q − z) + κ T² q̈; the force found so is what its
asperities are then bent to, until q̈ = 0, and if it exceeds the limit it slides instead (an augmented Lagrangian of q̈ = 0, |Q| ≤ L).

Before a run has begun (statics, modes, kinematics) what moves slides the way it moves; what rests is held where it is drawn, and yields
where that takes more than L:  Q = κ (q − z) within ± L.

What it slides along, a joint variable, a guide or the curve of a cam, is told by functions that the laws are made with.
"""

from __future__ import annotations

from collections.abc import Callable

from flexor.functions import ERRORS, OUT_SIZE
from flexor.joints.friction_force import GIVEN, NEGATIVE, NEGATIVE_LOAD, limit_of
from flexor.law import ACCELERATION_LEVEL, COMMIT, ENERGY, MATRIX, OUTPUT, RESIDUAL, SWITCH, TRANSITION
from flexor.law.dual import floor, tanh
from flexor.law.face import TOUCH, put_energies
from flexor.law.primitives import at
from flexor.law.record import Record, number

OPEN, STICKS, SLIDES = 0.0, 1.0, 2.0
"""What holds: not decided yet, or one of both."""
TANH, RAMP = range(2)
"""Shapes of the smooth law."""
HOLD = 30.0
"""T² [s²]: with κ = μ m g/ε and ε = 1 µm the mass κ T² is some 10⁸ times what it holds."""
SLOW, SLIGHT = 1e3, 1e-4
"""Speeds, in speeds of rest and in parts of the fastest, that count as none where it turns round; what is faster has turned already."""
BACK = 10.0
"""Speeds against its way, in speeds of rest, that what is to slide may not have a step later."""
HELD = 1e-6
"""Part of the limit by which the force that holds what sticks may change before it counts as found."""
FINE = 1e-14
"""Steps in which a distance is told that has no derivative [m or rad]."""
EDGE = 1e-9
"""What has yielded in statics counts as held from there on, in spite of rounding."""
ERRORS_OF_FRICTION = {
    NEGATIVE: "its coefficient of friction is negative; check the function that gives it",
    NEGATIVE_LOAD: (
        "its load has become negative; give the size of the force that presses the surfaces together: max(x, 0) where they part, "
        "abs(x) where it presses either way"
    ),
    **ERRORS,
}


class Asperities(Record):
    """History of the law."""

    value = number("q at the end of the last step; angles are counted on from it", "m or rad")
    place = number("z", "m or rad")
    regime = number("OPEN, STICKS or SLIDES")
    way = number("σ")
    fast = number("the fastest since it last stood", "m/s or rad/s")
    margin = number("how far it was from a transition at the end of the last step")


def _sign(x):
    return 1.0 if x >= 0.0 else -1.0


def _margin(p, h, q, rate, limit):
    """How far it is from a transition; below zero it is past it."""
    if h.regime == STICKS:
        held = p.stiffness * (q - h.place)
        return (limit - abs(held)) / max(limit, p.faint)
    if h.regime == SLIDES and limit > p.faint:
        stands = (
            p.rest if h.fast > BACK * p.rest else -p.rest
        )  # what has slid sticks once it stands; what was let go begins at rest
        return (h.way * rate - stands) / max(max(abs(rate), h.fast), p.rest)
    return 1.0


def sticking_friction(
    name: str,
    locate: Callable,
    push: Callable,
    second_rate: Callable,
    load_of: Callable,
    touches: Callable,
    remember: Callable,
    put_matrix: Callable,
) -> Callable:
    """The law with sticking along a coordinate q.

    locate(want, p, now, w)                 (status, q, q̇, whatever the others need)
    push(p, now, found, effort, r)          r += effort · ∇q;   found: what `locate` has
    second_rate(p, now, found, w)           q̈
    load_of(p, now, found)                  F_e that is not given
    touches(p, now, found)                  1, or 0 where the surfaces are apart and nothing rubs, whatever load is given
    remember(p, now, found)                    what `locate` begins with in the next step
    put_matrix(p, now, effort, by_q, by_rate, by_second, w, K)    unless it is made by dual numbers
    """

    def joint_friction(want, p, now, out):  # type: ignore[no-untyped-def]
        """r = Q ∇q"""
        w, h = out.w, now.h
        found = locate(want, p, now, w)
        status, q, rate = found[0], found[1], found[2]
        if status != 0:
            return status
        resting = h.regime == STICKS or (h.regime == OPEN and abs(rate) <= p.rest)
        speed = max(abs(rate), h.fast + 0.0 * rate) if not resting else 0.0 * rate
        carried = 0.0 * rate
        if p.load != GIVEN:
            carried = load_of(p, now, found) + 0.0 * rate
        status, limit, falling, load = limit_of(p, now, speed, carried, w)
        if status != 0:
            return status
        contact = touches(p, now, found)
        limit, falling, load, viscous = contact * limit, contact * falling, contact * load, contact * p.viscous
        dry, by_q, by_rate, by_second = 0.0 * limit, 0.0, 0.0, 0.0
        if not resting:
            way = h.way if h.regime == SLIDES else _sign(rate)
            dry = way * limit
            if abs(rate) > h.fast:
                by_rate = way * falling * _sign(rate)
        elif want & ACCELERATION_LEVEL:
            by_second = HOLD * p.stiffness
            dry = by_second * second_rate(p, now, found, at(w, OUT_SIZE)) + 0.0 * limit
            if h.regime == STICKS:
                by_q = p.stiffness
                dry += by_q * (q - h.place)
        else:
            dry = p.stiffness * (q - h.place) + 0.0 * limit
            by_q = p.stiffness
            if h.regime == OPEN and (abs(dry) > (1.0 + EDGE) * limit or limit <= p.faint):
                dry = limit if dry > 0.0 else -limit
                by_q = 0.0
                if p.secant == 1:  # L (q − z)/|q − z|, with a divisor that is constant
                    away = max(floor(abs(q - h.place) / FINE) * FINE, FINE)
                    by_q = limit / away
                    dry = by_q * (q - h.place)
        if want & SWITCH:
            second = 0.0
            if want & ACCELERATION_LEVEL and h.regime == SLIDES:
                second = second_rate(p, now, found, at(w, OUT_SIZE)) + 0.0 * second
            w[0] = _switch(want, p, h, q, rate, second * now.c.step, limit, dry)
            return 0
        if want & TRANSITION:
            w[0] = _margin(p, h, q, rate, limit)
            w[1] = h.margin
            return 0
        effort = dry + viscous * rate
        if want & RESIDUAL:
            push(p, now, found, effort, out.r)
        if want & MATRIX:
            put_matrix(p, now, effort, by_q, by_rate + viscous, by_second, w, out.K)
        if want & COMMIT:
            remember(p, now, found)
            _commit(p, h, q, rate, limit, dry)
        if want & OUTPUT:
            w[0] = -effort
            w[1] = limit
            w[2] = load
            w[3] = 1.0 if resting else 0.0
            w[4] = effort * rate
        if want & ENERGY:
            put_energies(w, 0.0, 0.0, 0.0, effort * rate, 0.0)
        return 0

    joint_friction.__name__ = name
    return joint_friction


def _place(p, q, held):
    """z where asperities hold with a force; what has none, as friction that is only viscous, stands where it is."""
    return q - held / p.stiffness if p.stiffness > 0.0 else q


def _commit(p, h, q, rate, limit, dry):
    """The end of a step, or of a search for an equilibrium."""
    h.value = q
    if h.regime == SLIDES:
        h.fast = max(h.fast, abs(rate))
        h.place = _place(p, q, h.way * limit)
        if limit <= p.faint:
            h.way = _sign(rate)
    elif h.regime == OPEN and abs(rate) <= p.rest:
        h.place = _place(p, q, dry)
    h.margin = _margin(p, h, q, rate, limit)


def _switch(want, p, h, q, rate, gain, limit, dry):
    """Decide anew where a transition is due; 1 if it changes, −1 if it changes back, ½ if only its force does.

    dry: the force that holds it, if it sticks; at ACCELERATION_LEVEL that which it takes to hold it.
    gain: change of q̇ over a step, if it slides: what was let go together with others may be pushed back by them.
    """
    before = h.regime
    if before == OPEN:
        h.regime = STICKS if abs(rate) <= p.rest else SLIDES
        h.way = _sign(rate)
        h.fast = 0.0 if abs(rate) <= p.rest else abs(rate)
        h.place = q
        h.margin = 1.0
        return 0.5
    if want & ACCELERATION_LEVEL:
        if before == STICKS:
            if abs(dry) <= (1.0 + HELD) * limit:  # where a motor holds it, friction is left as it was: at its limit
                dry = min(max(dry, -limit), limit)
                moved = abs(dry - p.stiffness * (q - h.place))
                h.place = _place(p, q, dry)
                h.margin = _margin(p, h, q, rate, limit)
                return 0.5 if moved > HELD * limit else 0.0
            _let_slide(p, h, dry)
            return 1.0
        if h.fast == 0.0 and abs(rate) <= SLOW * p.rest and h.way * gain < -BACK * p.rest:
            _let_stick(h)
            return -1.0
        return 0.0
    if _margin(p, h, q, rate, limit) > TOUCH:
        return 0.0
    slow = abs(rate) <= max(SLOW * p.rest, SLIGHT * h.fast)
    if before == STICKS:
        _let_slide(p, h, dry if limit > p.faint or slow else rate)
    elif slow:
        _let_stick(h)
    else:
        _let_slide(p, h, rate)
    return 1.0


def _let_stick(h):
    h.regime = STICKS
    h.fast = 0.0


def _let_slide(p, h, push):
    h.regime = SLIDES
    h.way = _sign(push)
    h.fast = 0.0
    h.margin = 1.0


def gliding_friction(
    name: str,
    locate: Callable,
    push: Callable,
    load_of: Callable,
    touches: Callable,
    remember: Callable,
    put_matrix: Callable,
) -> Callable:
    """The smooth law along a coordinate, whose rate alone is needed; functions as above."""

    def smooth_friction(want, p, now, out):  # type: ignore[no-untyped-def]
        """r = Q ∇q with a friction that is a function of the rate alone.

        tanh   Q = L(|q̇|) tanh(q̇/v_r)
        ramp   Q = L(0) q̇/v_r up to v_r, then ± L(|q̇| − v_r)
        """
        w = out.w
        found = locate(want, p, now, w)
        status, rate = found[0], found[2]
        if status != 0:
            return status
        v = p.smooth_speed
        speed = abs(rate)
        if p.shape == RAMP:
            speed = max(speed - v, 0.0 * rate)
        carried = 0.0 * rate
        if p.load != GIVEN:
            carried = load_of(p, now, found) + 0.0 * rate
        status, limit, falling, load = limit_of(p, now, speed, carried, w)
        if status != 0:
            return status
        contact = touches(p, now, found)
        limit, falling, load, viscous = contact * limit, contact * falling, contact * load, contact * p.viscous
        share = max(min(rate / v, 1.0 + 0.0 * rate), -1.0 + 0.0 * rate)
        steep = 0.0 * rate
        if p.shape == RAMP:
            if abs(rate) < v:
                steep = 1.0 / v + 0.0 * rate
                falling = 0.0 * falling
        else:
            share = tanh(rate / v)
            steep = (1.0 - share * share) / v
        effort = limit * share + viscous * rate
        if want & RESIDUAL:
            push(p, now, found, effort, out.r)
        if want & MATRIX:
            by_rate = limit * steep + falling * _sign(rate) * share + viscous
            put_matrix(p, now, effort, 0.0, by_rate, 0.0, w, out.K)
        if want & COMMIT:
            remember(p, now, found)
        if want & OUTPUT:
            w[0] = -effort
            w[1] = limit
            w[2] = load
            w[3] = effort * rate
        if want & ENERGY:
            put_energies(w, 0.0, 0.0, 0.0, effort * rate, 0.0)
        return 0

    smooth_friction.__name__ = name
    return smooth_friction


def no_matrix(p, now, effort, by_q, by_rate, by_second, w, K):
    """Of a law whose matrix is made by dual numbers."""


STICKING = (("force", "N"), ("limit", "N"), ("load", "N"), ("sticks", ""), ("power", "W"))
GLIDING = (("force", "N"), ("limit", "N"), ("load", "N"), ("power", "W"))
"""Signals of both laws."""


def always(p, now, found):
    """Of surfaces that nothing parts."""
    return 1.0
