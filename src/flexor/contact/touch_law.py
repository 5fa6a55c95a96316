"""The law of a contact: how near the surfaces are → normal force → friction → wrench on both nodes.

In the axes of surface a: gap g, unit normal n from a to b, point of contact x on the common normal, u the velocity of b's material there
beyond a's, w the relative angular velocity. Then ġ = n·u, and with the normal force N, friction T and the moment M of rolling and spinning

    on b, at x:   f = N n − T,   m = −M;      on a the opposite

Nothing is told apart in the equations of motion between bodies that touch and bodies that do not: N = 0 for g ≥ 0. What keeps a step from
being too long for that is `length_share`, see `flexor.contact.impact`.
"""

from __future__ import annotations

from functools import cache

from flexor.contact.approach.pair import Pair
from flexor.contact.impact import length_share
from flexor.contact.laws.friction import (
    NONE,
    STICK,
    Rubbing,
    across,
    coefficient_at,
    smooth_share,
    stuck_share,
)
from flexor.contact.laws.normal import Stiffness, dissipation, elastic_energy, elastic_force
from flexor.contact.touch import Touch
from flexor.coordinates.frames import Frame, arm_a, arm_b, axes_a, axes_b, offset, offset_rate
from flexor.law import COMMIT, ENERGY, LENGTH, OUTPUT, RESIDUAL, Law, law
from flexor.law.face import INTEGRATED, put_energies
from flexor.law.record import Record, integer, nested, number, tail
from flexor.law.tuples import (
    add,
    cross,
    dot,
    mat,
    mm,
    mtv,
    mv,
    neg,
    norm,
    put,
    scale,
    store,
    store_mat,
    sub,
    transpose,
    vec,
)

SIGNALS = (
    ("normal_force", "N"),
    ("friction_force", "N"),
    ("force_x", "N"),
    ("force_y", "N"),
    ("force_z", "N"),
    ("gap", "m"),
    ("deepest", "m"),
    ("slip", "m/s"),
    ("sticks", ""),
    ("power", "W"),
    ("point_x", "m"),
    ("point_y", "m"),
    ("point_z", "m"),
)


class TouchRecord(Record):
    """Parameters of the law."""

    a = nested(Frame, "axes of surface a on its node")
    b = nested(Frame, "axes of surface b on its node")
    stiffness = nested(Stiffness, "normal force")
    rubbing = nested(Rubbing, "friction")
    place = integer("which of the places at which they may touch")
    reach = number("radius of what turns about the axes of b, for the bound of its motion", "m")
    size_a = tail("numbers of surface a")
    size_b = tail("numbers of surface b")


@cache
def touch_law(pair: Pair, a: type[Record], b: type[Record], symmetric: bool) -> Law:
    """The law of a pair of surfaces with these records."""
    approach = pair.function

    def touch(want, p, now, out):  # type: ignore[no-untyped-def]
        h, w, v = now.h, out.w, now.v
        A, B = axes_a(now.R, p), axes_b(now.R, p)
        s_a = arm_a(now.R, p)
        d = offset(now.x, s_a, arm_b(now.R, p))
        p_ab, R_ab = mtv(A, d), mm(transpose(A), B)
        size_a, size_b = a(p.size_a), b(p.size_b)
        g, n, x = approach(size_a, size_b, p_ab, R_ab, p.place)
        arm = add(s_a, mv(A, x))
        other = add(arm, sub(vec(now.x, 0), vec(now.x, 3)))
        u = mtv(A, offset_rate(v, arm, other))
        spin = mtv(A, sub(vec(v, 9), vec(v, 3)))
        rate = dot(n, u)
        if want & LENGTH:
            w[0] = length_share(p, now, approach, size_a, size_b, g, n, rate, p_ab, R_ab)
            return 0
        zero = 0.0 * g
        depth = max(-g, zero)
        elastic = elastic_force(p.stiffness, depth)
        N = elastic * dissipation(p.stiffness, -rate, h.impact)
        slides = across(n, u)
        f, m, stretch, turn, sticks = scale(N, n), (zero, zero, zero), (zero, zero, zero), (zero, zero, zero), 0.0
        rub = p.rubbing
        if rub.model != NONE and depth > 0.0:
            speed2 = dot(slides, slides)
            roll, along = across(n, spin), scale(dot(n, spin), n)
            if rub.model == STICK:
                dt = now.t - h.time
                moves = now.c.states == INTEGRATED and dt > 0.0
                stretch = across(n, vec(h.stretch, 0))
                turn = vec(h.turn, 0)
                if moves:
                    stretch = add(stretch, scale(0.5 * dt, add(across(n, vec(h.slip, 0)), slides)))
                    turn = add(turn, scale(0.5 * dt, add(vec(h.spin, 0), spin)))
                else:
                    point = mtv(mat(h.R, 0), sub(vec(h.x, 0), vec(h.p, 0)))  # of b, where they touched
                    stretch = add(stretch, across(n, sub(add(p_ab, mv(R_ab, point)), vec(h.x, 0))))
                share, slid = stuck_share(stretch, rub.micro_slip)
                sticks = 1.0 - slid
                stretch = scale(rub.micro_slip, share)
                mu = coefficient_at(rub, slid * speed2)
                rolls, _ = stuck_share(across(n, turn), rub.micro_turn)
                spins, _ = stuck_share(scale(dot(n, turn), n), rub.micro_turn)
                turn = scale(rub.micro_turn, add(rolls, spins))
            else:
                share = smooth_share(slides, rub.smooth_speed)
                mu = coefficient_at(rub, speed2)
                rolls, spins = smooth_share(roll, rub.smooth_spin), smooth_share(along, rub.smooth_spin)
            f = sub(f, scale(mu * N, share))
            m = neg(scale(N, add(scale(rub.rolling, rolls), scale(rub.spinning, spins))))
        if want & RESIDUAL:
            F, M = mv(A, f), mv(A, m)
            put(out.r, 0, F)
            put(out.r, 3, add(cross(arm, F), M))
            put(out.r, 6, neg(F))
            put(out.r, 9, neg(add(cross(other, F), M)))
        if want & (OUTPUT | ENERGY):
            # what f and m do on b and a, beside the change of the elastic energy, is lost
            lost = -dot(f, u) - dot(m, spin) + elastic * rate
            if want & OUTPUT:
                F, point = mv(A, f), add(vec(now.x, 0), arm)
                w[0] = N
                w[1] = norm(sub(f, scale(N, n)))
                w[2], w[3], w[4] = F[0], F[1], F[2]
                w[5] = g
                w[6] = max(h.deepest, -g)
                w[7] = norm(slides) if depth > 0.0 else zero
                w[8] = sticks
                w[9] = lost
                w[10], w[11], w[12] = point[0], point[1], point[2]
            else:
                put_energies(w, 0.0, 0.0, elastic_energy(p.stiffness, depth), lost, 0.0)
        if want & COMMIT:
            _remember(h, now, g, rate, p_ab, R_ab, x, slides, spin, stretch, turn)
        return 0

    touch.__name__ = f"touch_{a.__name__}_{b.__name__}".lower()
    return law(TouchRecord, history=Touch, outputs=SIGNALS, scratch=16, symmetric=symmetric, limits_step=True)(touch)


def _remember(h, now, g, rate, p_ab, R_ab, x, slides, spin, stretch, turn):
    """The state at the end of a step."""
    if now.t > h.time:
        h.slope = (rate - h.rate) / (now.t - h.time)
    h.time = now.t
    if g > 0.0 or h.known == 0.0:
        h.impact = max(-rate, 0.0)
    h.swift = max(max(-rate, FADING * h.swift), 0.0)
    h.known, h.gap, h.rate = 1.0, g, rate
    h.deepest = max(h.deepest, -g)
    store(h.p, 0, p_ab)
    store_mat(h.R, 0, R_ab)
    store(h.x, 0, x)
    store(h.slip, 0, slides)
    store(h.spin, 0, spin)
    store(h.stretch, 0, stretch)
    store(h.turn, 0, turn)


FADING = 0.98
"""What is left from step to step of the speed at which surfaces met: what has come to rest need not be resolved any more."""
