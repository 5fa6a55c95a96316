"""Friction between a cam and its follower: how far their surfaces have slid on each other where they touch.   FTG 6.5.8

A follower of radius ρ touches the curve with its point at −ρ n from its centre y. That point of B moves against A by

    v = t·ẏ + σ ρ ω,        σ = 1 where n = the tangent turned to the left, −1 to the right;   ω = (ω_B − ω_A) · axis

which is the rate of

    q = s + σ ρ (θ − τ)

with the arc length s of the foot, the direction τ of the tangent there, and the turn θ of B against A about the axis. Of a point, ρ = 0, it is
s alone. A roller that can turn on its pin rolls: while it sticks q stays what it is. Along q the effort Q acts as the force Q t at the
point of contact, that is Q t at the centre and the couple σ ρ Q about the axis:  δq = (1 + h (ρ − u)) t·δy + σ ρ δθ with ∇∇u = h t tᵀ.

F_e is the force of contact, the multiplier |λ| of a groove or the force of the contact spring; no contact, no friction. Corners, about
which n turns, are as short arcs.
"""

from __future__ import annotations

import math

from flexor.coordinates.curve import Piece, arc_length
from flexor.coordinates.frames import axes_a
from flexor.functions import ERRORS, OUT_SIZE
from flexor.joints.cam_law import (
    OnCurve,
    contact_force,
    foot_of_follower,
    is_gone,
    normal_at,
    push_in_plane,
    remember_foot,
    second_rates,
)
from flexor.joints.friction_force import NO_LOAD, Surfaces
from flexor.joints.friction_regimes import (
    ERRORS_OF_FRICTION,
    GLIDING,
    STICKING,
    Asperities,
    gliding_friction,
    no_matrix,
    sticking_friction,
)
from flexor.law import law
from flexor.law.dual import atan2, floor, sqrt
from flexor.law.law import by_duals
from flexor.law.record import Record, integer, nested, number, numbers
from flexor.law.tuples import column, cross, dot, mat, mm, put, scale, sub, vec


class RubbingOnCam(Surfaces):
    """Friction on a cam."""

    cam = nested(OnCurve, "the cam, whose multiplier is the first that it reads")
    bound = integer("1: the follower is held in a groove; 0: it is pressed away by springs")
    around = number("length of a closed curve, 0 of an open one", "m")
    R_b = numbers(
        9, "axes on B that are parallel to those of the curve as it is drawn, in axes of its node, row by row"
    )


class AsperitiesOnCam(Asperities):
    """History of the law with sticking."""

    piece = number("number of the piece where the foot was at the end of the last step")
    parameter = number("parameter on it", "m or 1")
    s = number("arc length there, counted on over rounds", "m")
    angle = number("θ − τ there, counted on over turns", "rad")


class FootOnCam(Record):
    """History of the smooth law."""

    piece = number("number of the piece where the foot was at the end of the last step")
    parameter = number("parameter on it", "m or 1")
    s = number("arc length there, counted on over rounds", "m")
    angle = number("θ − τ there, counted on over turns", "rad")


def _counted(x, before, period):
    """x, known up to whole periods, nearest to what it was"""
    return x - period * floor((x - before) / period + 0.5)


def _locate(want, p, now, w):
    """(status, q, v, load, s, angle, piece, parameter, beyond, t, its factor, normal speed, speed, h, gap)"""
    cam, h = p.cam, now.h
    _, i, s, beyond, y_1, y_2, rate_1, rate_2 = foot_of_follower(cam, now)  # what is beyond an end the cam itself tells
    u, n_1, n_2, bend, over = normal_at(cam, i, s, beyond, y_1, y_2)
    side, radius = cam.curve.side, cam.radius
    t_1, t_2 = side * n_2, -side * n_1
    piece = Piece(cam.curve.pieces, i)
    end = min(max(s, 0.0 * s), piece.end + 0.0 * s)
    way = arc_length(piece, end) + over
    if p.around > 0.0:
        way = _counted(way, h.s, p.around)
    factor = 1.0 + bend * (radius - u)
    away, speed = n_1 * rate_1 + n_2 * rate_2, t_1 * rate_1 + t_2 * rate_2
    q, rate, angle = way, factor * speed, 0.0 * s
    if radius > 0.0:
        A, B = axes_a(now.R, cam), mm(mat(now.R, 9), mat(p.R_b, 0))
        sine = dot(column(A, 1), column(B, 0)) - dot(column(A, 0), column(B, 1))
        cosine = dot(column(A, 0), column(B, 0)) + dot(column(A, 1), column(B, 1))
        angle = _counted(atan2(sine, cosine) - atan2(t_2, t_1), h.angle, 2.0 * math.pi)
        spin = dot(column(A, 2), sub(vec(now.v, 9), vec(now.v, 3)))
        q, rate = way + side * radius * angle, rate + side * radius * spin
    load = 0.0 * s
    status = 0
    if p.bound:
        load = now.lam[0] + 0.0 * s
    else:
        status, elastic, _, damped = contact_force(0, cam, radius - u, away, is_gone(cam, beyond), w)
        load = max(elastic + damped, 0.0 * s)
    gap = 0.0 * s if p.bound else u - radius
    return status, q, rate, load, way, angle, i, s, beyond, t_1, t_2, factor, away, speed, bend, gap


def _push(p, now, found, effort, r):
    cam = p.cam
    t_1, t_2, factor = found[9], found[10], found[11]
    push_in_plane(cam, now, r, factor * effort * t_1, factor * effort * t_2)
    if cam.radius > 0.0:
        couple = scale(cam.curve.side * cam.radius * effort, column(axes_a(now.R, cam), 2))
        put(r, 3, scale(-1.0, couple))
        put(r, 9, couple)


def _second_rate(p, now, found, w):
    """q̈ = factor (t·ÿ − h v u̇) + σ ρ ω̇; it is asked for where v is small, and leaves out what the rate of the factor adds to v."""
    cam = p.cam
    t_1, t_2, factor, away, speed, bend = found[9], found[10], found[11], found[12], found[13], found[14]
    second_1, second_2 = second_rates(cam, now)
    total = factor * (t_1 * second_1 + t_2 * second_2 - bend * speed * away)
    if cam.radius > 0.0:
        axis = column(axes_a(now.R, cam), 2)
        w_a = vec(now.v, 3)
        turning = dot(axis, sub(vec(now.a, 9), vec(now.a, 3)))
        turning += dot(cross(w_a, axis), sub(vec(now.v, 9), w_a))
        total += cam.curve.side * cam.radius * turning
    return total


def _load(p, now, found):
    """F_e"""
    return sqrt(found[3] * found[3] + NO_LOAD * NO_LOAD)


def _touches(p, now, found):
    """Where there is no gap, and the follower has not left over an end."""
    return 0.0 if found[15] > 0.0 or is_gone(p.cam, found[8]) else 1.0


def _remember(p, now, found):
    now.h.s, now.h.angle = found[4], found[5]
    remember_foot(p.cam, now, found[6], found[7], found[8])


cam_friction = by_duals(
    law(
        RubbingOnCam,
        tangent="own",
        history=AsperitiesOnCam,
        errors={**ERRORS_OF_FRICTION, **ERRORS},
        outputs=STICKING,
        scratch=OUT_SIZE + 24,
        symmetric=False,
        transitions=True,
    )(sticking_friction("cam_friction", _locate, _push, _second_rate, _load, _touches, _remember, no_matrix))
)

smooth_cam_friction = by_duals(
    law(
        RubbingOnCam,
        tangent="own",
        history=FootOnCam,
        errors={**ERRORS_OF_FRICTION, **ERRORS},
        outputs=GLIDING,
        scratch=OUT_SIZE + 24,
    )(gliding_friction("smooth_cam_friction", _locate, _push, _load, _touches, _remember, no_matrix))
)
