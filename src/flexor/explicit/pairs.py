"""Forces of pairs of surfaces, kind by kind: the law of a contact (`flexor.contact.touch_law`) without its derivatives, evaluated once a step."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from flexor.contact.approach.pair import ELSEWHERE
from flexor.contact.laws.friction import LONG, MOVES, across, resistance
from flexor.contact.laws.normal import typical_speed
from flexor.contact.tally import Tally
from flexor.contact.unseen.look import floor_of
from flexor.engine.memory import OK
from flexor.explicit.limits import about_to_touch, lightness, mobility, power, slope, stiffen
from flexor.explicit.memory import FORCES, ExplicitMemory, Grip, PairGroup, SurfaceRecord
from flexor.law.dual import sqrt
from flexor.law.primitives import at
from flexor.law.tuples import add, cross, dot, mat, mm, mtv, mv, norm, scale, store, sub, transpose, vec

FAR = 1e300
CORNERS = 4
"""Places at which what is near counts as if it touched at once, where steps are as long as they are stable: those of a flat face."""
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
def pair_kernel(approach: Callable, a: Any, b: Any, number: int, look: Callable | None = None) -> Callable:
    """What pairs of a kind do, by its number; approach: how they near each other, a, b: records of their sizes, look: what tells overlaps that are not seen."""
    watched, look_at = look is not None, look or approach

    def pairs(H: ExplicitMemory):  # type: ignore[no-untyped-def]
        T, own = H.engine, H.numbers
        group = PairGroup(H.groups, number)
        tally = Tally(at(T.history, group.tally))
        places, law = group.places, group.stiffness
        at_once = min(places, CORNERS) if own.dt == 0.0 or own.share >= 1.0 else 1
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
                if watched:
                    floor = floor_of(group.slack, least)
                    ends_a, ends_b = at(H.sizes, group.edges_a), at(H.sizes, group.edges_b)
                    d = look_at(size_a, size_b, ends_a, group.count_a, ends_b, group.count_b, p_ab, R_ab, floor)
                    tally.unseen = max(tally.unseen, -d if d < floor else 0.0)
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
            swings = _swing(w_i, s_i) + _swing(w_j, s_j)
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
                    closing = max(-rate, 0.0)
                    if swings > 0.0:  # they may meet at another place
                        closing = max(closing, swings - dot(n, mtv(A, sub(v_j, v_i))))
                    if g < HASTE * h * (closing + h * own.pull):
                        yields = _yielding(H, s_i, s_j, arm, other, A, n)
                        about_to_touch(H, law, K * at_once, yields, g, closing, True)
                    continue
                depth = -g
                elastic, light = K * power(depth, law.exponent), lightness(H, s_i) + lightness(H, s_j)
                barely = elastic * light < 2.0 * own.pull
                if barely or rate < 0.0 or rate > law.rest:  # as soft as it is now it will not stay
                    yields = _yielding(H, s_i, s_j, arm, other, A, n)
                    about_to_touch(H, law, K * (at_once if own.dt == 0.0 else 1), yields, 0.0, abs(rate), barely)
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
                stiffness, damping = slope(K, law.exponent, depth, elastic), chi * elastic
                braked = chi * max(-rate, 0.0)
                stiffen(H, group.rubbing, s_i, s_j, stiffness, damping, braked, N, mv(A, n), arm, other)
            tally.touching += touches
            tally.sticking += sticks_here
        return OK

    pairs.__name__ = f"pairs_{a.__name__}_{b.__name__}".lower()
    return pairs


def _swing(w, s):
    """How fast anything of a surface may move towards another one beyond its node, as it turns: the direction that separates them now does so for g/ċ at least."""
    if s.round or s.moves == 0:
        return 0.0
    return s.reach * norm(w)


def _yielding(H, s_i, s_j, arm, other, A, n):
    """l² of both bodies along the normal."""
    normal = mv(A, n)
    return mobility(H, s_i, arm, normal) + mobility(H, s_j, other, normal)


def _push(force, o, sign, F, M, resisted):
    """A force and its moment on a node; `resisted`: moment against rolling and spinning."""
    for c in range(3):
        force[o + c] += sign * F[c]
        force[o + 3 + c] += sign * (M[c] - resisted[c])
