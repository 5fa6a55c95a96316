"""Friction along a guide: the coordinate is the position s of the slider, the load what the guide carries across.   FTG 6.5.7

    radial   F_e = |f⊥|                                            FTG (6.48)
    guide    F_e = √(f_z² + (f_y − m/R)²) + Y |m|/R                FTG (6.49)–(6.51)

f⊥: the force across the line, of the constraint or of the springs; m: the torque about it that holds the twist; y, z: the two directions
across the line there, as of the guide's signals force_1, force_2.
"""

from __future__ import annotations

from flexor.coordinates.guide import along_line, direction_at, push_along_line, rate_along_line, second_rate_along_line
from flexor.functions import OUT_SIZE
from flexor.joints.friction_force import GUIDE, Surfaces, load_with_key, size_of
from flexor.joints.friction_regimes import (
    ERRORS_OF_FRICTION,
    GLIDING,
    STICKING,
    Asperities,
    gliding_friction,
    no_matrix,
    sticking_friction,
)
from flexor.joints.guide_law import LEAVE, OnGuide, beyond_ends, forces_across, rate_across
from flexor.law import law
from flexor.law.law import by_duals
from flexor.law.record import Record, nested, number
from flexor.law.tuples import add, cross, dot, mat, mv, norm, scale, sub, vec


class RubbingOnGuide(Surfaces):
    """Friction on a guide."""

    guide = nested(OnGuide, "the guide, whose multipliers are the first that it reads")


class AsperitiesOnGuide(Asperities):
    """History of the law with sticking."""

    s = number("where the foot was at the end of the last step", "m")


class FootOnGuide(Record):
    """History of the smooth law."""

    s = number("where the foot was at the end of the last step", "m")


def _locate(want, p, now, w):
    """(status, s, ṡ, foot, its motion)"""
    foot = along_line(p.guide, now, now.h.s)
    s, place, T, _C, _third, e, D, arm = foot
    moving = rate_along_line(p.guide, now, place, T, e, D, arm)
    return 0, s, moving[0], foot, moving


def _push(p, now, found, effort, r):
    push_along_line(p.guide, now, found[3], effort, r)


def _second_rate(p, now, found, w):
    return second_rate_along_line(p.guide, now, found[3], found[4])[0]


def _load(p, now, found):
    """F_e"""
    g = p.guide
    s, place, T, _C, _third, e, _D, _arm = found[3]
    s_dot, e_dot, _W, _Q = found[4]
    Y, Y_1 = direction_at(g, now, place, 0)
    Z, Z_1 = direction_at(g, now, place, 1)
    _, rate_1 = rate_across(g, now, place, 0, Y, Y_1, e, e_dot, s_dot)
    _, rate_2 = rate_across(g, now, place, 1, Z, Z_1, e, e_dot, s_dot)
    f_1, f_2, _, _ = forces_across(g, now, beyond_ends(g, s), dot(e, Y), dot(e, Z), rate_1, rate_2)
    t = scale(1.0 / norm(T), T)
    f = add(scale(f_1, Y), scale(f_2, Z))
    across = sub(f, scale(dot(f, t), t))
    if p.load == GUIDE:
        b = mv(mat(now.R, 9 * (now.n.nodes - 1)), vec(g.b, 0))
        torque = now.lam[2 * g.bound] * dot(cross(b, Y), t)
        return load_with_key(p, across, torque, scale(1.0 / norm(Y), Y))
    return size_of(across)


def _touches(p, now, found):
    """Not beyond an end that it may leave by."""
    return 0.0 if p.guide.ends == LEAVE and beyond_ends(p.guide, found[1]) != 0.0 else 1.0


def _remember(p, now, found):
    now.h.s = found[1]


guide_friction = by_duals(
    law(
        RubbingOnGuide,
        tangent="own",
        history=AsperitiesOnGuide,
        errors=ERRORS_OF_FRICTION,
        outputs=STICKING,
        scratch=OUT_SIZE + 24,
        symmetric=False,
        transitions=True,
    )(sticking_friction("guide_friction", _locate, _push, _second_rate, _load, _touches, _remember, no_matrix))
)

smooth_guide_friction = by_duals(
    law(
        RubbingOnGuide,
        tangent="own",
        history=FootOnGuide,
        errors=ERRORS_OF_FRICTION,
        outputs=GLIDING,
        scratch=OUT_SIZE + 24,
    )(gliding_friction("smooth_guide_friction", _locate, _push, _load, _touches, _remember, no_matrix))
)
