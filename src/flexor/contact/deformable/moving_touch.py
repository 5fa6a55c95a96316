"""The law of a contact that moves over the surface of a body that deforms: nearest point → normal force → friction → forces on frames and modes.

The material point σ of the surface that is nearest to its partner, a rigid solid or another surface that deforms, is found first (`series_side`, `facets`, `skin_nodes`). At
it, in the axes of the partner, z = z₀ + Q y(σ), y = X + S q, with the partner's signed distance d and n = ∇d:

    g = min d(z(σ)),      ∂g = n · ∂z at σ as it is,      ġ = n · u            as d is lowest there, σ itself moves g by nothing

f = N n − T acts on the material at z, the opposite on the partner at the same place: on the frame of a deforming body with its moment, on each mode k with
Sₖ · f. So virtual work, and with it momentum and energy, are exact; the normal is that of the partner, which is also that of the deformed
surface wherever it touches within a smooth part of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from flexor.contact.deformable.material_point import (
    BACK,
    DISTANCE,
    PARAMETERS,
    PLACE,
    POINT_WORDS,
    RATE,
    WAY,
    moved,
)
from flexor.contact.deformable.partner import Meeting, Partner
from flexor.contact.impact import FREE, GIVEN_UP, meeting_share
from flexor.contact.laws.friction import SurfaceFriction, across, rubbing_force
from flexor.contact.laws.normal import Stiffness, dissipation, elastic_energy, elastic_force
from flexor.contact.touch import Touch
from flexor.contact.touch_law import N_SIGNALS, SIGNALS, begin_signals, end_signals, put_wrenches, remember, tell
from flexor.coordinates.frames import Frame
from flexor.law import COMMIT, ENERGY, LENGTH, OUTPUT, RESIDUAL, Law, law
from flexor.law.primitives import at
from flexor.law.record import Record, integer, nested, number, numbers, tail
from flexor.law.tuples import add, cross, dot, mat, mm, mtv, mv, neg, scale, sub, vec

ROOM = 16
"""Words before the numbers of the point: what is answered."""


NO_BALLS, BESIDE, WITHIN = range(3)
"""Whether a surface touches by balls: by none, by those below its points (`series_side`), by those around the points of an inner skin (`inner_skin`)."""


class MovingTouch(Touch):
    """History of the law: that of a contact, and where on the surface it was."""

    s = number("parameter of the surface")
    t = number("likewise")
    face = number("triangle of a skin")
    acts = number("where it touches now: of a full mesh the triangle, else 1; −1 where it does not")
    s_now = number("of a full mesh likewise parameter of the triangle")
    t_now = number("likewise")
    feature = number("likewise whether inside of it, on which edge, or on a corner")
    inner = numbers(9, "likewise where its inner skin is")
    rho = numbers(3, "likewise the radius of balls at its first corner, and what it grows by along its sides", "m")
    back = numbers(
        3, "likewise from there to the material that touched at the end of the last step, in global axes", "m"
    )
    axes = numbers(9, "likewise axes of the triangle that touched then, in global ones")


class MovingNumbers(Record):
    """Parameters that the law has with any partner; nodes: of that, frame of the body that deforms."""

    marker = nested(Frame, "marker of a on its node, in whose axes signals are told")
    turned = integer("1: a is the body whose surface moves over its partner")
    stiffness = nested(Stiffness, "normal force")
    rubbing = nested(SurfaceFriction, "friction")
    places = integer("at how many places they may touch")
    surface = tail("numbers of the surface that deforms")


@dataclass(frozen=True)
class MovingSurface:
    """A kind of deforming surface.

    record: of its numbers.   search(distance): the function that finds the nearest point, and tells which triangle or node it belongs to.   shapes: of the modes there.
    begin: what is summed up once for all places, or None.   balls: by which it may touch, one of NO_BALLS, BESIDE, WITHIN.
    """

    record: type[Record]
    search: Callable[[Callable], Callable]
    shapes: Callable
    begin: Callable
    balls: int = NO_BALLS


class Pressing(NamedTuple):
    """All that is known at a place of contact, in the axes A of the partner.

    met          where they meet
    rate, depth  ġ, how deep
    N, T, M      normal force, friction, moment of rolling and spinning
    f            N n − T
    lost         power
    slides       velocity in the tangent plane
    stretch, turn, sticks    of asperities
    A, arm, other            axes, and the arms to the place from both nodes, in global axes
    """

    met: Meeting
    rate: Any
    depth: Any
    N: Any
    T: Any
    M: Any
    f: Any
    lost: Any
    slides: Any
    stretch: Any
    turn: Any
    sticks: Any
    A: Any
    arm: Any
    other: Any


def nothing_to_begin(p, m, s, w):
    """Of a surface with nothing to sum up."""


def press(m, S, ds, dt, F, r):
    """Forces by F on m modes whose shapes are S at a point that has moved by ds and dt."""
    for i in range(m):
        r[i] += dot(moved(S, 9 * i, ds, dt), F)


@cache
def pressing(partner: Partner) -> Callable:
    """The function that tells what is known at the point of contact."""
    placed, meet, past = partner.placed, partner.meet, partner.past

    def pressed(p, h, now, solid, Y):  # type: ignore[no-untyped-def]
        """Y: the material point; the solid with its foot."""
        then = past(solid, h)
        A, arm, z_0, Q = placed(p, now.x, now.R)
        met = meet(solid, Y, z_0, Q)
        before = add(moved(Y, PLACE, -Y[WAY], -Y[WAY + 1]), vec(Y, BACK))
        before = sub(add(z_0, mv(Q, before)), met.before)
        arm = add(arm, mv(A, met.z))
        other = add(arm, sub(vec(now.x, 0), vec(now.x, 3)))
        bending = mv(mat(now.R, 9), moved(Y, RATE, met.ds, met.dt))
        speed = add(vec(now.v, 6), add(cross(vec(now.v, 9), other), bending))
        u = sub(mtv(A, sub(speed, add(vec(now.v, 0), cross(vec(now.v, 3), arm)))), met.rate)
        spin = sub(mtv(A, sub(vec(now.v, 9), vec(now.v, 3))), met.spin)
        d, n = met.gap, met.normal
        rate = met.steep * dot(n, u)
        depth = max(-d, 0.0 * d)
        elastic = met.steep * elastic_force(p.stiffness, depth)
        N = elastic * dissipation(p.stiffness, -rate, then.impact, depth)
        slides = across(n, u)
        apart = sub(before, vec(then.x, 0))
        T, M, stretch, turn, sticks = rubbing_force(p.rubbing, then, now, N, n, slides, spin, apart, Q)
        f = sub(scale(N, n), T)
        lost = (elastic - N) * dot(n, u) + dot(T, slides) + dot(M, spin)
        return Pressing(met, rate, depth, N, T, M, f, lost, slides, stretch, turn, sticks, A, arm, other)

    return pressed


@cache
def moving_touch(kind: MovingSurface, partner: Partner, known: bool = False) -> Callable:
    """The law of a surface with m modes, in numbers or dual numbers, without a matrix.

    touch(want, m, p, solid, now, out, Y); Y: room of the point, the shapes of the modes and the search. Forces on the modes of the partner stand behind those on its own.
    known: which places touch is known of the residual that was asked for before, and others are passed over.
    """
    search, shapes, begin, pressed = kind.search(partner.distance), kind.shapes, kind.begin, pressing(partner)
    placed, leave, bear, keep = partner.placed, partner.leave, partner.bear, partner.keep
    record: Any = kind.record
    history: Any = partner.history

    def touch(want, m, p, solid, now, out, Y):  # type: ignore[no-untyped-def]
        w = out.w
        surface, S = record(p.surface), at(Y, POINT_WORDS)
        room = at(S, 9 * m)
        if want & OUTPUT:
            begin_signals(w, N_SIGNALS)
        liveliest, fine = w[0], w[2]
        if want & LENGTH:
            w[0], w[3] = FREE, 0.0
        _A, _arm, z_0, Q = placed(p, now.x, now.R)
        begin(surface, m, now.s, room)
        for k in range(p.places):
            h = history(now.h, k)
            if known and h.acts < 0.0:
                continue
            where = search(surface, solid, k, h, m, now.s, z_0, Q, Y, room, (want & COMMIT) != 0)
            if want & RESIDUAL and not known:
                h.acts = 1.0 if Y[DISTANCE] < 0.0 else -1.0
            if Y[DISTANCE] >= 0.0 and not want & (OUTPUT | COMMIT | LENGTH):
                continue
            foot = leave(solid, Y, z_0, Q, h)
            found = pressed(p, h, now, solid, Y)
            met, d, rate, N, A, f = found.met, found.met.gap, found.rate, found.N, found.A, found.f
            if want & LENGTH:
                share = meeting_share(p, h, now.t, d, rate, liveliest, fine)
                w[0], w[3] = min(w[0], share), max(w[3], 1.0 if share == GIVEN_UP else 0.0)
                w[1] = max(w[1], h.swift if d <= 0.0 else 0.0)
                continue
            if want & RESIDUAL and N > 0.0:
                put_wrenches(out.r, mv(A, f), mv(A, found.M), found.arm, found.other)
                shapes(surface, m, Y, where, S, room)
                press(m, S, met.ds, met.dt, neg(mtv(Q, f)), at(out.r, 12))
                bear(solid, foot, met, f, found.M, at(out.r, 12 + m))
            if want & OUTPUT:
                node = 1 if p.turned else 0
                arm, F = (found.other, neg(mv(A, f))) if p.turned else (found.arm, mv(A, f))
                R_m = mm(mat(now.R, 9 * node), mat(p.marker.R, 0))
                point = sub(arm, mv(mat(now.R, 9 * node), vec(p.marker.p, 0)))
                tell(w, h, N, found.T, mtv(R_m, F), d, found.slides, found.sticks, found.lost, mtv(R_m, point))
            if want & ENERGY:
                w[2] += elastic_energy(p.stiffness, found.depth)
                w[3] += found.lost
            if want & COMMIT:
                gap, bent = sub(met.material, met.foot), (found.stretch, found.turn, found.sticks)
                remember(p, h, now, d, rate, rate - h.rate, h.impact, vec(h.u, 0), gap, Q, gap, *bent, fine)
                h.s, h.t, h.face = Y[PARAMETERS], Y[PARAMETERS + 1], float(where[0])
                keep(solid, foot, h)
        if want & OUTPUT:
            end_signals(w)
        return 0

    return touch


def surface_law(record: type[Record], touch: Callable, **about: Any) -> Law:
    """The law of a contact over a surface that deforms, of a function."""
    return law(record, **{"history": MovingTouch, "outputs": SIGNALS, "scratch": ROOM, "limits_step": True, **about})(
        touch
    )


def searched_law(record: type[Record], name: str, touching: Callable[[bool], Callable], **about: Any) -> Law:
    """Likewise with its matrix by dual numbers, which see the places alone that touch; touching(known): the function, as of `moving_touch`."""
    touch, known = touching(False), touching(True)
    touch.__name__ = known.__name__ = name.lower()
    return surface_law(record, touch, residual=known, **about)
