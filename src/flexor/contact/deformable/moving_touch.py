"""The law of a contact that moves over the surface of a body that deforms: nearest point → normal force → friction → forces on frames and modes.

The material point σ of the surface that is nearest to the other, rigid, solid is found first (`series_side`, `facets`, `skin_nodes`). At it, in the axes of the
rigid solid, z = z₀ + Q y(σ), y = X + S q, with its signed distance d and n = ∇d:

    g = min d(z(σ)),      ∂g = n · ∂z at σ as it is,      ġ = n · u            as d is lowest there, σ itself moves g by nothing
    dσ = −P dG,   G = ∂d/∂σ = n · Q y_σ,   P = (∂²d/∂σ²)⁻¹                  how σ follows the state; P is 0 along bounds, edges, corners

f = N n − T acts on the material at z, the opposite on the rigid body at the same place: on the frame of the deforming body with its moment, on each mode k with
Sₖ · f. So virtual work, and with it momentum and energy, are exact; the normal is that of the rigid solid, which is also that of the deformed
surface wherever it touches within a smooth part of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from flexor.contact.deformable.material_point import (
    BACK,
    BY_S,
    BY_SS,
    BY_ST,
    BY_T,
    DISTANCE,
    INWARD,
    PARAMETERS,
    PLACE,
    POINT_WORDS,
    RATE,
    RATE_BY_S,
    RATE_BY_T,
    SKEWED,
    WAY,
    YIELD,
    unit_normal,
)
from flexor.contact.impact import FREE, meeting_share
from flexor.contact.laws.friction import SurfaceFriction, across, rubbing_force
from flexor.contact.laws.normal import Stiffness, dissipation, elastic_energy, elastic_force
from flexor.contact.touch import Touch
from flexor.contact.touch_law import GAP, N_SIGNALS, POINT, remember, tell
from flexor.coordinates.frames import Frame
from flexor.law import COMMIT, ENERGY, LENGTH, OUTPUT, RESIDUAL
from flexor.law.primitives import at
from flexor.law.record import Record, integer, nested, number, numbers, tail
from flexor.law.tuples import add, cross, dot, mat, mm, mtv, mv, neg, put, scale, sub, transpose, vec

ROOM = 16
"""Words before the numbers of the point: what is answered."""


class MovingTouch(Touch):
    """History of the law: that of a contact, and where on the surface it was."""

    s = number("parameter of the surface")
    t = number("likewise")
    face = number("triangle of a skin")
    acts = number("of a full mesh, where it touches now: the triangle, or 1 of a node; −1 where it does not")
    s_now = number("likewise parameter of the triangle")
    t_now = number("likewise")
    feature = number("likewise whether inside of it, on which edge, or on a corner")
    back = numbers(
        3, "likewise from there to the material that touched at the end of the last step, in global axes", "m"
    )


class MovingRecord(Record):
    """Parameters of the law; nodes: of the rigid surface, frame of the body that deforms."""

    rigid = nested(Frame, "axes of the rigid surface on its node")
    marker = nested(Frame, "marker of a on its node, in whose axes signals are told")
    turned = integer("1: a is the body that deforms")
    stiffness = nested(Stiffness, "normal force")
    rubbing = nested(SurfaceFriction, "friction")
    places = integer("at how many places they may touch")
    size = tail("numbers of the rigid surface")
    surface = tail("numbers of the surface that deforms")


@dataclass(frozen=True)
class MovingSurface:
    """A kind of deforming surface.

    record: of its numbers.   search(distance): the function that finds the nearest point, and tells which triangle or node it belongs to.   shapes: of the modes there.
    begin: what is summed up once for all places, or None.   balls: whether it may touch by balls inside of it.
    """

    record: type[Record]
    search: Callable[[Callable], Callable]
    shapes: Callable
    begin: Callable
    balls: bool = False


def nothing_to_begin(p, m, s, w):
    """Of a surface with nothing to sum up."""


def placed(p, x, R):
    """Axes A of the rigid surface, arm to it; z₀ and Q of the deforming body seen from it."""
    A = mm(mat(R, 0), mat(p.rigid.R, 0))
    arm = mv(mat(R, 0), vec(p.rigid.p, 0))
    z_0 = mtv(A, sub(sub(vec(x, 3), vec(x, 0)), arm))
    return A, arm, z_0, mm(transpose(A), mat(R, 9))


def shifted(Q, Y, slope, second, ds, dt):
    """A slope of the surface where the point has moved by ds and dt; second: where its own slopes stand."""
    return add(slope, mv(Q, add(scale(ds, vec(Y, second)), scale(dt, vec(Y, second + 3)))))


@cache
def touched_by(distance: Callable, balls: bool = False) -> Callable:
    """All that is known at the point of contact with a solid whose signed distance is given.

    balls: whether the surface may touch by balls inside of it.
    """

    def seen(size, Y, z, e, g):  # type: ignore[no-untyped-def]
        """Distance and normal of a point, or of the ball inside of the surface there."""
        if balls and Y[INWARD] != 0.0:
            ball = abs(Y[INWARD])
            d, n, _t, _k, _c = distance(size, sub(z, scale(Y[INWARD], unit_normal(e, g, 1.0))))
            return d - ball, n
        d, n, _t, _k, _c = distance(size, z)
        return d, n

    def touched(p, h, now, size, x, R, v, Y):  # type: ignore[no-untyped-def]
        """All that is known at the point of contact, in the axes of the rigid surface; Y: the material point."""
        A, arm, z_0, Q = placed(p, x, R)
        y_s, y_t = vec(Y, BY_S), vec(Y, BY_T)
        z = add(z_0, mv(Q, vec(Y, PLACE)))
        e, g = mv(Q, y_s), mv(Q, y_t)
        _d, n = seen(size, Y, z, e, g)
        G_1, G_2 = dot(n, e), dot(n, g)
        ds = -(Y[YIELD] * G_1 + Y[YIELD + 1] * G_2)
        dt = -((Y[YIELD + 1] + (Y[SKEWED] if balls else 0.0)) * G_1 + Y[YIELD + 2] * G_2)
        y = add(vec(Y, PLACE), add(scale(ds, y_s), scale(dt, y_t)))
        rate_y = add(vec(Y, RATE), add(scale(ds, vec(Y, RATE_BY_S)), scale(dt, vec(Y, RATE_BY_T))))
        z = add(z_0, mv(Q, y))
        if balls:
            d, n = seen(size, Y, z, shifted(Q, Y, e, BY_SS, ds, dt), shifted(Q, Y, g, BY_ST, ds, dt))
        else:
            d, n, _t, _k, _c = distance(size, z)
        before = sub(z, add(scale(Y[WAY] + ds, e), scale(Y[WAY + 1] + dt, g)))
        before = add(before, mv(Q, vec(Y, BACK)))  # where the material is that touched at the end of the last step
        arm = add(arm, mv(A, z))
        other = add(arm, sub(vec(x, 0), vec(x, 3)))
        speed = add(vec(v, 6), add(cross(vec(v, 9), other), mv(mat(R, 9), rate_y)))
        u = mtv(A, sub(speed, add(vec(v, 0), cross(vec(v, 3), arm))))
        spin = mtv(A, sub(vec(v, 9), vec(v, 3)))
        rate = dot(n, u)
        depth = max(-d, 0.0 * d)
        elastic = elastic_force(p.stiffness, depth)
        N = elastic * dissipation(p.stiffness, -rate, h.impact, depth)
        slides = across(n, u)
        T, M, stretch, turn, sticks = rubbing_force(p.rubbing, h, now, N, n, slides, spin, before, Q)
        f = sub(scale(N, n), T)
        lost = (elastic - N) * rate + dot(T, slides) + dot(M, spin)
        return d, rate, depth, N, T, M, f, lost, slides, stretch, turn, sticks, z, A, arm, other, ds, dt

    return touched


@cache
def moving_touch(kind: MovingSurface, distance: Callable, rigid: Any) -> Callable:
    """The law of a body with m coordinates: touch(want, m, p, now, out), in numbers or dual numbers, without a matrix."""
    search, shapes, begin, touched = kind.search(distance), kind.shapes, kind.begin, touched_by(distance, kind.balls)
    record: Any = kind.record

    def touch(want, m, p, now, out):  # type: ignore[no-untyped-def]
        w = out.w
        surface, size = record(p.surface), rigid(p.size)
        Y, S = at(w, ROOM), at(w, ROOM + POINT_WORDS)
        room = at(S, 9 * m)
        if want & OUTPUT:
            for i in range(N_SIGNALS):
                w[i] = 0.0
            w[GAP] = 1e300
        liveliest, fine = w[0], w[2]
        if want & LENGTH:
            w[0] = FREE
        _A, _arm, z_0, Q = placed(p, now.x, now.R)
        begin(surface, m, now.s, room)
        for k in range(p.places):
            h = MovingTouch(now.h, k)
            where = search(surface, size, k, h, m, now.s, z_0, Q, Y, room, (want & COMMIT) != 0)
            if Y[DISTANCE] >= 0.0 and not want & (OUTPUT | COMMIT | LENGTH):
                continue
            found = touched(p, h, now, size, now.x, now.R, now.v, Y)
            d, rate, depth, N, T, M, f, lost, slides, stretch, turn, sticks, z, A, arm, other, _ds, _dt = found
            if want & LENGTH:
                w[0] = min(w[0], meeting_share(p, h, now.t, d, rate, liveliest, fine))
                w[1] = max(w[1], h.swift if d <= 0.0 else 0.0)
                continue
            if want & RESIDUAL and N > 0.0:
                F, moment = mv(A, f), mv(A, M)
                put(out.r, 0, F)
                put(out.r, 3, sub(cross(arm, F), moment))
                put(out.r, 6, neg(F))
                put(out.r, 9, sub(moment, cross(other, F)))
                shapes(surface, m, Y, where, S, room)
                F = mtv(mat(now.R, 9), F)
                for i in range(m):
                    out.r[12 + i] -= dot(vec(S, 9 * i), F)
            if want & OUTPUT:
                if p.turned:
                    R_m = mm(mat(now.R, 9), mat(p.marker.R, 0))
                    point = sub(other, mv(mat(now.R, 9), vec(p.marker.p, 0)))
                    F = neg(mv(A, f))
                else:
                    R_m = mm(mat(now.R, 0), mat(p.marker.R, 0))
                    point = sub(arm, mv(mat(now.R, 0), vec(p.marker.p, 0)))
                    F = mv(A, f)
                tell(w, h, N, T, mtv(R_m, F), d, slides, sticks, lost, mtv(R_m, point))
            if want & ENERGY:
                w[2] += elastic_energy(p.stiffness, depth)
                w[3] += lost
            if want & COMMIT:
                remember(p, h, now, d, rate, rate - h.rate, h.impact, vec(h.u, 0), z, Q, z, stretch, turn, sticks)
                h.s, h.t, h.face = Y[PARAMETERS], Y[PARAMETERS + 1], float(where[0])
        if want & OUTPUT:
            total = max(w[0], 1e-300 + 0.0 * w[0])
            for i in range(POINT, POINT + 3):
                w[i] = w[i] / total if w[0] > 0.0 else 0.0 * w[i]
        return 0

    return touch
