"""A surface that deforms as partner of another one.

The partner is the solid a, whose signed distance from a point is known as it is deformed (`deforming_solid`, `facet_solid`); the other one, b, moves over it as over a rigid
solid. With its point z = z₀ + Q y_b(σ_b), the ball of radius ρ inside of it there (ρ = 0: none) about c = z − ρ m, and the foot x = y_a(σ_a) on a, in the axes of a's frame,

    (c − x) · ∂x/∂σ_a = 0,   n · ∂z/∂σ_b = 0,      g = n · (c − x) − ρ

All four parameters follow the state by these equations, linearised at once. f = N n − T acts on b's material at z, −f on a at the same place in space: on its frame with the moment
about it, on its modes by their shapes at the foot. As z − x lies along n, ∂g = n · (∂z − ∂x) at both material points: virtual work, momentum and energy are exact.
"""

from __future__ import annotations

from functools import cache

from flexor.contact.deformable.deforming_solid import FACES, FREE_S, FREE_T, SIGN, STRIP, DeformingSolid, beyond
from flexor.contact.deformable.material_point import (
    BACK,
    BY_S,
    BY_SS,
    BY_ST,
    BY_T,
    INWARD,
    PARAMETERS,
    PLACE,
    POINT_WORDS,
    RATE,
    YIELD,
    center,
    moved,
    normal_slope,
    slope_moved,
    unit_normal,
)
from flexor.contact.deformable.moving_touch import MovingTouch, press
from flexor.contact.deformable.partner import Meeting, Partner
from flexor.contact.laws.friction import across
from flexor.law.primitives import at
from flexor.law.record import number
from flexor.law.tuples import add, dot, mat, mm, mtv, mv, norm, scale, sub, transpose, vec

SOLVED = 20
"""Words of four equations with their right side."""


class PairTouch(MovingTouch):
    """History of the law: that of a surface that moves, and where on the other one the foot was."""

    s_a = number("parameter of the foot")
    t_a = number("likewise")
    face_a = number("its triangle")


def foot_room(modes: int) -> int:
    """Words of a foot: its point, the equations of both points, the shapes of so many modes."""
    return POINT_WORDS + SOLVED + 9 * modes


def placed(p, x, R):
    """The axes of a's frame; z₀ and Q of b's seen from there."""
    A = mat(R, 0)
    return A, (0.0, 0.0, 0.0), mtv(A, sub(vec(x, 3), vec(x, 0))), mm(transpose(A), mat(R, 9))


def _solve(J):
    """J[5 i … 5 i + 3] x = −J[5 i + 4]: four unknowns. Those of the foot come first, where the matrix is definite."""
    for i in range(4):
        for k in range(i + 1, 4):
            f = J[5 * k + i] / J[5 * i + i]
            for j in range(i + 1, 5):
                J[5 * k + j] -= f * J[5 * i + j]
    x_3 = -J[19] / J[18]
    x_2 = -(J[14] + J[13] * x_3) / J[12]
    x_1 = -(J[9] + J[8] * x_3 + J[7] * x_2) / J[6]
    return -(J[4] + J[3] * x_3 + J[2] * x_2 + J[1] * x_1) / J[0], x_1, x_2, x_3


def _meets(Y_a, a, b, E, strip):
    """(d, n, |∇d|) of the solid at a foot with the slopes a and b; E: from there to the other surface."""
    if Y_a[FACES] != 0.0:
        n = unit_normal(a, b, Y_a[FACES])
        if Y_a[FREE_S] == 0.0 or Y_a[FREE_T] == 0.0:
            d, n, steep, _bend = beyond(n, E, strip)
            return d, n, steep
        d = dot(n, E)
        return d, n, 1.0 + 0.0 * d
    d = Y_a[SIGN] * norm(E)
    return d, scale(1.0 / d, E), 1.0 + 0.0 * d


def _motion(Q, Y, Y_a, E, n, J):
    """(ds_a, dt_a, ds_b, dt_b) by which both points follow; J: room."""
    a = (vec(Y_a, BY_S), vec(Y_a, BY_T))
    b = (mv(Q, vec(Y, BY_S)), mv(Q, vec(Y, BY_T)))
    flat = Y_a[FACES] != 0.0
    ball = Y[INWARD]
    for i in range(2):
        free = Y_a[FREE_S] > 0.0 if i == 0 else Y_a[FREE_T] > 0.0
        moves = Y[YIELD] != 0.0 if i == 0 else Y[YIELD + 2] != 0.0
        a_i = a[0] if i == 0 else a[1]
        b_i = b[0] if i == 0 else b[1]
        J[5 * i + 4] = dot(E, a_i)
        J[5 * i + 14] = dot(n, b_i)
        for j in range(2):
            a_j = a[0] if j == 0 else a[1]
            b_j = b[0] if j == 0 else b[1]
            a_ij = vec(Y_a, BY_SS + 3 * (i + j))
            b_ij = mv(Q, vec(Y, BY_SS + 3 * (i + j)))
            c_j = b_j
            if ball != 0.0:
                sign = 1.0 if ball > 0.0 else -1.0
                m = unit_normal(b[0], b[1], sign)
                e_j, g_j = mv(Q, vec(Y, BY_SS + 3 * j)), mv(Q, vec(Y, BY_ST + 3 * j))
                c_j = sub(b_j, scale(abs(ball), normal_slope(m, b[0], b[1], e_j, g_j, sign)))
            if flat:
                n_a = normal_slope(n, a[0], a[1], vec(Y_a, BY_SS + 3 * j), vec(Y_a, BY_ST + 3 * j), Y_a[FACES])
                n_b = scale(0.0, n)
            else:
                f = Y_a[SIGN] / norm(E)
                n_a, n_b = scale(-f, across(n, a_j)), scale(f, across(n, c_j))
            J[5 * i + j] = dot(E, a_ij) - dot(a_i, a_j)
            J[5 * i + 2 + j] = dot(a_i, c_j)
            J[5 * (i + 2) + j] = dot(n_a, b_i)
            J[5 * (i + 2) + 2 + j] = dot(n, b_ij) + dot(n_b, b_i)
        if not free:
            _hold(J, i)
        if not moves:
            _hold(J, i + 2)
    return _solve(J)


def _hold(J, i):
    """A parameter that does not move."""
    for j in range(5):
        J[5 * i + j] = 0.0 * J[5 * i + j]
    J[5 * i + i] = 1.0 + J[5 * i + i]


def _seen(Y, z_0, Q):
    """The point of b, and its slopes."""
    return add(z_0, mv(Q, vec(Y, PLACE))), mv(Q, vec(Y, BY_S)), mv(Q, vec(Y, BY_T))


def meet(solid, Y, z_0, Q):
    """Where both points are that follow the state, and the distance between them."""
    foot, strip = solid.foot, STRIP * solid.p.extent
    z, e, g = _seen(Y, z_0, Q)
    E = sub(center(Y, z, e, g), vec(foot, PLACE))
    _d, n, _steep = _meets(foot, vec(foot, BY_S), vec(foot, BY_T), E, strip)
    foot_ds, foot_dt, ds, dt = _motion(Q, Y, foot, E, n, at(foot, POINT_WORDS))
    z = add(z, add(scale(ds, e), scale(dt, g)))
    x = moved(foot, PLACE, foot_ds, foot_dt)
    e, g = mv(Q, slope_moved(Y, BY_S, BY_SS, ds, dt)), mv(Q, slope_moved(Y, BY_T, BY_ST, ds, dt))
    E = sub(center(Y, z, e, g), x)
    a, b = slope_moved(foot, BY_S, BY_SS, foot_ds, foot_dt), slope_moved(foot, BY_T, BY_ST, foot_ds, foot_dt)
    d, n, steep = _meets(foot, a, b, E, strip)
    before = add(vec(foot, PLACE), vec(foot, BACK))
    rate = moved(foot, RATE, foot_ds, foot_dt)
    still = (0.0, 0.0, 0.0)
    return Meeting(z, ds, dt, d - abs(Y[INWARD]), n, x, rate, before, still, foot_ds, foot_dt, steep, z)


def keep(solid, where, h):
    """Remember the foot."""
    h.s_a, h.t_a, h.face_a = solid.foot[PARAMETERS], solid.foot[PARAMETERS + 1], float(where[0])


@cache
def deforming_partner(kind: DeformingSolid, balls: bool) -> Partner:
    """A kind of surface that is touched by another one; balls: whether that may touch by balls inside of it."""
    leave_foot, shapes = kind.leave, kind.shapes

    def leave(solid, Y, z_0, Q, h):  # type: ignore[no-untyped-def]
        if not balls:  # nor is it bent
            for i in range(BY_SS, POINT_WORDS):
                Y[i] = 0.0
        return leave_foot(solid, center(Y, *_seen(Y, z_0, Q)), h, solid.foot)

    def bear(solid, where, met, f, M, r):  # type: ignore[no-untyped-def]
        S = at(solid.foot, POINT_WORDS + SOLVED)
        shapes(solid.p, solid.m, solid.foot, where, S, solid.w)
        press(solid.m, S, met.foot_ds, met.foot_dt, f, r)

    return Partner(PairTouch, kind.distance, placed, leave, meet, bear, keep)
