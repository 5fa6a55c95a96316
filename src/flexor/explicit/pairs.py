"""Forces of pairs of surfaces, kind by kind: the law of a contact (`flexor.contact.touch_law`) without its derivatives, evaluated once a step."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from flexor.contact.approach.pair import ELSEWHERE
from flexor.contact.laws.friction import LONG, MOVES, SMOOTH, STICK, across, resistance
from flexor.contact.laws.normal import typical_speed
from flexor.contact.tally import Tally
from flexor.engine.memory import OK
from flexor.explicit.memory import FORCES, ExplicitMemory, Grip, Inert, PairGroup, SurfaceRecord
from flexor.law.dual import sqrt
from flexor.law.primitives import at
from flexor.law.tuples import add, cross, dot, mat, mm, mtv, mv, norm, scale, store, sub, transpose, vec

FAR = 1e300
DEEPENING = 5.0
"""Share of χ δ̇ by which the stiffness counts as larger while surfaces approach each other."""
IMPACT = 0.25
"""Part of the longest stable step that is taken in an impact, if not less: half a swing of it then takes some six steps."""
HASTE = 2.0
"""Steps ahead of a meeting within which the step is made as short as it asks for."""


def no_pairs(H: ExplicitMemory):
    """Of a model without contacts."""
    return OK


@cache
def one_after_the_other(first: Callable, second: Callable) -> Callable:
    """Two kinds of pairs, and so on."""

    def both(H: ExplicitMemory):  # type: ignore[no-untyped-def]
        first(H)
        return second(H)

    return both


@cache
def pair_kernel(approach: Callable, a: Any, b: Any, number: int) -> Callable:
    """What pairs of a kind do, by its number; approach: how they near each other, a, b: records of their sizes."""

    def pairs(H: ExplicitMemory):  # type: ignore[no-untyped-def]
        T, own = H.engine, H.numbers
        group = PairGroup(H.groups, number)
        tally = Tally(at(T.history, group.tally))
        places, law = group.places, group.stiffness
        at_once = places if own.dt == 0.0 else 1  # what lies flat at the start touches everywhere
        h = T.run.max_step
        ahead = HASTE * h * (2.0 * own.fastest + h * own.pull)  # farther apart they cannot meet in the next step
        for m in range(group.first, group.first + group.count):
            i, j = H.pair_a[m], H.pair_b[m]
            s_i, s_j = SurfaceRecord(H.surfaces, i), SurfaceRecord(H.surfaces, j)
            d = sub(vec(H.place, 3 * j), vec(H.place, 3 * i))
            most = s_i.bound + s_j.bound + (ahead if own.asked == FORCES else own.margin)
            if dot(d, d) > most * most:
                if own.asked != FORCES:
                    H.pair_a[m] = -1
                continue
            A = mat(H.axes, 9 * i)
            p_ab = mtv(A, d)
            R_ab = mm(transpose(A), mat(H.axes, 9 * j))
            size_a = a(at(H.sizes, group.size_a if group.size_a >= 0 else s_i.size))
            size_b = b(at(H.sizes, group.size_b if group.size_b >= 0 else s_j.size))
            if own.asked != FORCES:
                if s_i.sweeps or s_j.sweeps:
                    continue
                least = FAR
                for k in range(places):
                    least = min(least, approach(size_a, size_b, p_ab, R_ab, k)[0])
                if least > own.margin:
                    H.pair_a[m] = -1
                continue
            arm_i = sub(vec(H.place, 3 * i), vec(T.x, 3 * s_i.node))
            arm_j = sub(vec(H.place, 3 * i), vec(T.x, 3 * s_j.node))
            v_i, w_i = vec(T.v, 6 * s_i.node), vec(T.v, 6 * s_i.node + 3)
            v_j, w_j = vec(T.v, 6 * s_j.node), vec(T.v, 6 * s_j.node + 3)
            K = law.K
            if group.curved:
                K = K / sqrt(s_i.curvature + s_j.curvature)
            touches, depth_here, sticks_here = 0.0, 0.0, 0.0
            for k in range(places):
                grip = Grip(at(H.grips, group.grips), (m - group.first) * places + k)
                g, n, x = approach(size_a, size_b, p_ab, R_ab, k)
                X = mv(A, x)
                arm, other = add(arm_i, X), add(arm_j, X)
                u = mtv(A, sub(add(v_j, cross(w_j, other)), add(v_i, cross(w_i, arm))))
                rate = dot(n, u)
                if g >= ELSEWHERE:
                    grip.known = 0.0
                elif g > 0.0 or grip.known == 0.0:
                    grip.known, grip.impact = 1.0, max(-rate, 0.0)
                elif grip.impact > law.rest:
                    grip.impact = max(grip.impact, -rate)
                if g > 0.0:
                    store(grip.stretch, 0, (0.0, 0.0, 0.0))
                    store(grip.turn, 0, (0.0, 0.0, 0.0))
                    if g < HASTE * h * (max(-rate, 0.0) + h * own.pull):
                        _about_to_touch(H, s_i, s_j, law, K * at_once, g, max(-rate, 0.0), True)
                    continue
                depth = -g
                elastic, light = K * power(depth, law.exponent), _lightness(H, s_i) + _lightness(H, s_j)
                barely = elastic * light < 2.0 * own.pull
                if barely or rate < 0.0 or rate > law.rest:  # as soft as it is now it will not stay
                    _about_to_touch(H, s_i, s_j, law, K * at_once, 0.0, abs(rate), barely)
                square = 2.0 * light * elastic * depth / (law.exponent + 1.0)
                chi = law.damping + law.restitution / typical_speed(law, grip.impact, square)
                N = elastic * max(1.0 - chi * rate, 0.0)
                slides, spin = across(n, u), mtv(A, sub(w_j, w_i))
                way = (
                    LONG if own.dt == 0.0 and dot(slides, slides) > MOVES * MOVES else own.dt
                )  # it slides at the start
                stretch = add(across(n, vec(grip.stretch, 0)), scale(way, slides))
                turn = add(vec(grip.turn, 0), scale(own.dt, spin))
                rub, M, stretch, turn, sticks = resistance(group.rubbing, N, n, slides, spin, stretch, turn, -1.0)
                store(grip.stretch, 0, stretch)
                store(grip.turn, 0, turn)
                F, moment = mv(A, sub(scale(N, n), rub)), mv(A, M)
                _push(H.force, 6 * s_i.node, -1.0, F, cross(arm, F), moment)
                _push(H.force, 6 * s_j.node, 1.0, F, cross(other, F), moment)
                tally.normal_force += N
                tally.friction_force += norm(rub) if N > 0.0 else 0.0
                if depth >= depth_here:
                    touches, depth_here, sticks_here = 1.0, depth, sticks
                tally.depth = max(tally.depth, depth)
                tally.power += (elastic - N) * rate + dot(rub, slides) + dot(M, spin)
                tally.stored += elastic * depth / (law.exponent + 1.0)
                _stiffen(
                    H,
                    group.rubbing,
                    s_i,
                    s_j,
                    slope(K, law.exponent, depth, elastic),
                    chi * elastic,
                    chi,
                    rate,
                    N,
                    dot(arm, arm),
                    dot(other, other),
                )
            tally.touching += touches
            tally.sticking += sticks_here
        return OK

    pairs.__name__ = f"pairs_{a.__name__}_{b.__name__}".lower()
    return pairs


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


def _push(force, o, sign, F, M, resisted):
    """A force and its moment on a node; `resisted`: moment against rolling and spinning."""
    for c in range(3):
        force[o + c] += sign * F[c]
        force[o + 3 + c] += sign * (M[c] - resisted[c])


def _about_to_touch(H, s_i, s_j, law, K, g, closing, barely):
    """Let the step be short enough for an impact that is near or begins, or end where it begins.

    With relative accelerations up to 2 A the gap g may close with v² = ċ² + 4 A g, after 2 g/(ċ + v). The impact goes to the depth with ½ m v² = K δⁿ⁺¹/(n + 1).
    A law that stiffens is softer where a step begins than where it ends: what it reaches in a step, K (v h)ⁿ (1 + χ v), shall take no more than v in it.
    What barely touches, with a force that could not hold it, falls with 2 A, see `_falling`. At the start of a run nothing is known of what will load it: all that touches counts as an impact.
    """
    exponent, own = law.exponent, H.numbers
    light = _lightness(H, s_i) + _lightness(H, s_j)
    if light <= 0.0:
        return
    speed = max(sqrt(closing * closing + 4.0 * own.pull * g), 1e-12)
    braked = (law.damping + law.restitution / max(speed, law.rest)) * speed
    stiff = K * light * (1.0 + DEEPENING * braked)
    share = min(own.share, IMPACT) if closing > law.rest or own.dt == 0.0 else own.share
    if exponent != 1.0:
        depth = (0.5 * (exponent + 1.0) * speed * speed / (K * light)) ** (1.0 / (exponent + 1.0))
        stiff *= exponent * power(depth, exponent) / depth
    h = share * 2.0 / sqrt(stiff)
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


def _lightness(H, s):
    return Inert(H.bodies, s.body).lightness if s.moves else 0.0


def _stiffen(H, rubbing, s_i, s_j, k, d, chi, rate, N, square_i, square_j):
    """Add a place of contact to the bounds of ω² and d/m of both bodies.

    Of M⁻¹ Σ k b bᵀ, a block row of body i has the norm Σ k l_i (l_i + l_j) at most, with l² = 1/m + ρ²/J (Gershgorin). What acts along the normal and
    what acts across it, which turns spheres, do not add up. While surfaces approach each other with δ̇ the force is stiffer by χ δ̇, and the damping grows
    by h χ k δ̇ in a step: as much as 4 χ δ̇ of the stiffness.
    """
    k *= 1.0 + DEEPENING * chi * max(-rate, 0.0)
    l_i, l_j = _agility(H, s_i, square_i, s_i.round == 0), _agility(H, s_j, square_j, s_j.round == 0)
    both = l_i + l_j
    k_i, k_j, d_i, d_j = k * l_i * both, k * l_j * both, d * l_i * both, d * l_j * both
    if rubbing.model == STICK or rubbing.model == SMOOTH:
        most = rubbing.coefficient * (1.0 + rubbing.stribeck) * N
        l_i, l_j = _agility(H, s_i, square_i, True), _agility(H, s_j, square_j, True)
        both = most * (l_i + l_j)
        if rubbing.model == STICK:  # stable up to half of h² ω² as springs
            k_i = max(k_i, 2.0 * l_i * both / rubbing.micro_slip)
            k_j = max(k_j, 2.0 * l_j * both / rubbing.micro_slip)
        else:  # friction is bounded: what it changes of the sliding in a step shall be no more than the speed up to which it rises
            H.numbers.soon = min(H.numbers.soon, rubbing.smooth_speed / max(most * (l_i * l_i + l_j * l_j), 1e-300))
    if rubbing.rolling > 0.0 or rubbing.spinning > 0.0:
        moment = 2.0 * (rubbing.rolling + rubbing.spinning) * N
        t_i, t_j = moment * _nimbleness(H, s_i), moment * _nimbleness(H, s_j)
        if rubbing.model == STICK:
            k_i += 2.0 * t_i / rubbing.micro_turn
            k_j += 2.0 * t_j / rubbing.micro_turn
        else:
            d_i += t_i / rubbing.smooth_spin
            d_j += t_j / rubbing.smooth_spin
    H.stiffness[s_i.body] += k_i
    H.stiffness[s_j.body] += k_j
    H.damping[s_i.body] += d_i
    H.damping[s_j.body] += d_j


def _agility(H, s, square, turns):
    """√(1/m + ρ²/J), or √(1/m) where nothing turns."""
    if s.moves == 0:
        return 0.0
    body = Inert(H.bodies, s.body)
    return sqrt(body.lightness + (square * body.nimbleness if turns else 0.0))


def _nimbleness(H, s):
    return Inert(H.bodies, s.body).nimbleness if s.moves else 0.0
