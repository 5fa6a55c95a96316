"""The law of a contact between two surfaces that both deform.

One of them is the solid a, whose signed distance from a point is known as it is deformed (`deforming_solid`, `facet_solid`); the other one, b, moves over it as over a rigid
solid. With its point z = z₀ + Q y_b(σ_b), the ball of radius ρ inside of it there (ρ = 0: none) about c = z − ρ m, and the foot x = y_a(σ_a) on a, in the axes of a's frame,

    (c − x) · ∂x/∂σ_a = 0,   n · ∂z/∂σ_b = 0,      g = n · (c − x) − ρ

All four parameters follow the state by these equations, linearised at once. f = N n − T acts on b's material at z, −f on a at the same place in space: on its frame with the moment
about it, on its modes by their shapes at the foot. As z − x lies along n, ∂g = n · (∂z − ∂x) at both material points: virtual work, momentum and energy are exact.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from flexor.bodies.superelement.shadow_frame import FRAME_ERRORS, Shadow
from flexor.contact.deformable.carriage import NODE, deformed, share
from flexor.contact.deformable.deforming_solid import FACES, FREE_S, FREE_T, SIGN, Deformed, DeformingSolid
from flexor.contact.deformable.material_point import (
    BACK,
    BY_S,
    BY_SS,
    BY_ST,
    BY_T,
    BY_TT,
    DISTANCE,
    INWARD,
    PARAMETERS,
    PLACE,
    POINT_WORDS,
    RATE,
    RATE_BY_S,
    RATE_BY_T,
    WAY,
    YIELD,
    normal_slope,
    unit_normal,
)
from flexor.contact.deformable.moving_touch import ROOM, MovingSurface, MovingTouch
from flexor.contact.impact import FREE, meeting_share
from flexor.contact.laws.friction import SurfaceFriction, across, rubbing_force
from flexor.contact.laws.normal import Stiffness, dissipation, elastic_energy, elastic_force
from flexor.contact.touch_law import GAP, N_SIGNALS, POINT, SIGNALS, remember, tell
from flexor.coordinates.frames import Frame
from flexor.law import COMMIT, ENERGY, LENGTH, OUTPUT, RESIDUAL, Law, law
from flexor.law.primitives import at
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

SOLVED = 20
"""Words of four equations with their right side."""


class PairTouch(MovingTouch):
    """History of the law: that of a surface that moves, and where on the other one the foot was."""

    s_a = number("parameter of the foot")
    t_a = number("likewise")
    face_a = number("its triangle")


class PairRecord(Record):
    """Parameters of the law; nodes and scalars: of a, then of b."""

    marker = nested(Frame, "marker of the contact's first surface on its frame, in whose axes signals are told")
    turned = integer("1: the contact's first surface is b, which moves over the other one")
    stiffness = nested(Stiffness, "normal force")
    rubbing = nested(SurfaceFriction, "friction")
    places = integer("at how many places they may touch")
    nodes_a = integer("connection nodes of a; 0: it floats")
    nodes_b = integer("likewise of b")
    modes_a = integer("scalars of a")
    modes_b = integer("likewise of b")
    room_a = integer("words in which a is summed up")
    frame_a = nested(Shadow, "the frame that follows the connection nodes of a")
    frame_b = nested(Shadow, "likewise of b")
    solid = tail("numbers of a")
    surface = tail("numbers of b")


def pair_room(nodes: tuple[int, int], coordinates: tuple[int, int], rooms: tuple[int, int]) -> int:
    """Words that the law needs; nodes: connection nodes, coordinates of the shapes, rooms: of both."""
    m = sum(coordinates)
    return ROOM + 36 + 4 * m + 12 + NODE * sum(nodes) + 2 * POINT_WORDS + SOLVED + 9 * max(coordinates) + sum(rooms)


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


def _meets(Y_a, a, b, E):
    """Normal of the solid at a foot with the slopes a and b; E: from there to the other surface."""
    if Y_a[FACES] != 0.0:
        return unit_normal(a, b, Y_a[FACES])
    return scale(Y_a[SIGN] / norm(E), E)


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


def centre_of(Q, Y, z):
    """The centre of the ball inside of a surface at z, or z itself."""
    return _centre(Y, z, mv(Q, vec(Y, BY_S)), mv(Q, vec(Y, BY_T)))


def _centre(Y, z, e, g):
    """Likewise where the slopes of the surface are e and g."""
    if Y[INWARD] != 0.0:
        return sub(z, scale(Y[INWARD], unit_normal(e, g, 1.0)))
    return z


def _shifted(Y, slope, second, ds, dt):
    """A slope of the foot where that has moved by ds and dt; second: where its own slopes stand."""
    return add(slope, add(scale(ds, vec(Y, second)), scale(dt, vec(Y, second + 3))))


def touched(p, h, now, x, R, v, Y, Y_a, J):
    """All that is known at the point of contact, in the axes of a's frame; Y: the point of b, Y_a: the foot on a."""
    A = mat(R, 0)
    z_0, Q = mtv(A, sub(vec(x, 3), vec(x, 0))), mm(transpose(A), mat(R, 9))
    y_s, y_t, a_s, a_t = vec(Y, BY_S), vec(Y, BY_T), vec(Y_a, BY_S), vec(Y_a, BY_T)
    e, g = mv(Q, y_s), mv(Q, y_t)
    z = add(z_0, mv(Q, vec(Y, PLACE)))
    E = sub(_centre(Y, z, e, g), vec(Y_a, PLACE))
    ds_a, dt_a, ds, dt = _motion(Q, Y, Y_a, E, _meets(Y_a, a_s, a_t, E), J)
    z = add(z, add(scale(ds, e), scale(dt, g)))
    foot = add(vec(Y_a, PLACE), add(scale(ds_a, a_s), scale(dt_a, a_t)))
    E = sub(z, foot)
    if Y[INWARD] != 0.0:
        e_now = add(e, mv(Q, add(scale(ds, vec(Y, BY_SS)), scale(dt, vec(Y, BY_ST)))))
        g_now = add(g, mv(Q, add(scale(ds, vec(Y, BY_ST)), scale(dt, vec(Y, BY_TT)))))
        E = sub(_centre(Y, z, e_now, g_now), foot)
    n = _meets(Y_a, _shifted(Y_a, a_s, BY_SS, ds_a, dt_a), _shifted(Y_a, a_t, BY_ST, ds_a, dt_a), E)
    d = dot(n, E) - abs(Y[INWARD])
    before = sub(z, add(scale(Y[WAY] + ds, e), scale(Y[WAY + 1] + dt, g)))
    before = sub(add(before, mv(Q, vec(Y, BACK))), add(vec(Y_a, PLACE), vec(Y_a, BACK)))
    rate_b = add(vec(Y, RATE), add(scale(ds, vec(Y, RATE_BY_S)), scale(dt, vec(Y, RATE_BY_T))))
    rate_a = add(vec(Y_a, RATE), add(scale(ds_a, vec(Y_a, RATE_BY_S)), scale(dt_a, vec(Y_a, RATE_BY_T))))
    arm = mv(A, z)
    other = add(arm, sub(vec(x, 0), vec(x, 3)))
    speed = add(vec(v, 6), add(cross(vec(v, 9), other), mv(mat(R, 9), rate_b)))
    u = sub(mtv(A, sub(speed, add(vec(v, 0), cross(vec(v, 3), arm)))), rate_a)
    spin = mtv(A, sub(vec(v, 9), vec(v, 3)))
    rate = dot(n, u)
    depth = max(-d, 0.0 * d)
    elastic = elastic_force(p.stiffness, depth)
    N = elastic * dissipation(p.stiffness, -rate, h.impact, depth)
    slides = across(n, u)
    T, M, stretch, turn, sticks = rubbing_force(p.rubbing, h, now, N, n, slides, spin, before, Q)
    f = sub(scale(N, n), T)
    lost = (elastic - N) * rate + dot(T, slides) + dot(M, spin)
    return (
        d,
        rate,
        depth,
        N,
        T,
        M,
        f,
        lost,
        slides,
        stretch,
        turn,
        sticks,
        sub(z, foot),
        Q,
        arm,
        other,
        ds_a,
        dt_a,
        ds,
        dt,
    )


def _press(m, S, ds, dt, F, sign, r):
    """Forces on the modes whose shapes are S at the point, which has moved by ds and dt."""
    for i in range(m):
        shape = add(vec(S, 9 * i), add(scale(ds, vec(S, 9 * i + 3)), scale(dt, vec(S, 9 * i + 6))))
        r[i] += sign * dot(shape, F)


@cache
def pair_law(solid: DeformingSolid, kind: MovingSurface, symmetric: bool) -> Law:
    """The law of a kind of surface b that moves over a kind of deforming solid a."""
    search: Any = kind.search(solid.distance)
    sum_a, leave, shapes_a, sum_b, shapes_b = solid.begin, solid.leave, solid.shapes, kind.begin, kind.shapes
    record_a: Any = solid.record
    record_b: Any = kind.record
    balls = kind.balls

    def touch(want, p, now, out):  # type: ignore[no-untyped-def]
        nodes_a, nodes_b, q_a, q_b = p.nodes_a, p.nodes_b, p.modes_a, p.modes_b
        m_a, m_b = 6 * nodes_a + q_a, 6 * nodes_b + q_b
        first = nodes_a if nodes_a > 0 else 1
        last = nodes_b if nodes_b > 0 else 1
        w = out.w
        x, R, v = at(w, ROOM), at(w, ROOM + 6), at(w, ROOM + 24)
        z_a = at(w, ROOM + 36)
        z_b = at(z_a, 3 * m_a)
        r = at(z_b, 3 * m_b)
        bent_a = at(r, 12 + m_a + m_b)
        bent_b = at(bent_a, NODE * nodes_a)
        Y = at(bent_b, NODE * nodes_b)
        Y_a = at(Y, POINT_WORDS)
        J = at(Y_a, POINT_WORDS)
        S = at(J, SOLVED)
        room_a = at(S, 9 * (m_a if m_a > m_b else m_b))
        room_b = at(room_a, p.room_a)
        status, R_a, W_a = _state(p.frame_a, nodes_a, q_a, now.x, now.R, now.v, now.s, 0, x, R, v, z_a, bent_a)
        if status != 0:
            return status
        nodes = at(now.x, 3 * first), at(now.R, 9 * first), at(now.v, 6 * first)
        status, R_b, W_b = _state(p.frame_b, nodes_b, q_b, *nodes, at(now.s, 3 * q_a), 1, x, R, v, z_b, bent_b)
        if status != 0:
            return status
        for i in range(12 + m_a + m_b):
            r[i] = 0.0
        _contact(want, p, now, out, m_a, m_b, x, R, v, z_a, z_b, r, Y, Y_a, J, S, room_a, room_b)
        if want & RESIDUAL:
            modal_a, modal_b = at(r, 12), at(r, 12 + m_a)
            scalars = at(out.r, 6 * (first + last))
            _give(p.frame_a, nodes_a, q_a, R_a, W_a, z_a, bent_a, r, modal_a, out.r, scalars)
            _give(
                p.frame_b,
                nodes_b,
                q_b,
                R_b,
                W_b,
                z_b,
                bent_b,
                at(r, 6),
                modal_b,
                at(out.r, 6 * first),
                at(scalars, q_a),
            )
        return 0

    def _contact(want, p, now, out, m_a, m_b, x, R, v, z_a, z_b, r, Y, Y_a, J, S, room_a, room_b):  # type: ignore[no-untyped-def]
        w = out.w
        if want & OUTPUT:
            for i in range(N_SIGNALS):
                w[i] = 0.0
            w[GAP] = 1e300
        liveliest, fine = w[0], w[2]
        if want & LENGTH:
            w[0] = FREE
        A = mat(R, 0)
        z_0, Q = mtv(A, sub(vec(x, 3), vec(x, 0))), mm(transpose(A), mat(R, 9))
        own = record_b(p.surface)
        body = Deformed(record_a(p.solid), m_a, z_a, room_a)
        sum_a(body.p, m_a, z_a, room_a)
        sum_b(own, m_b, z_b, room_b)
        for k in range(p.places):
            h = PairTouch(now.h, k)
            where = search(own, body, k, h, m_b, z_b, z_0, Q, Y, room_b, (want & COMMIT) != 0)
            if Y[DISTANCE] >= 0.0 and not want & (OUTPUT | COMMIT | LENGTH):
                continue
            if not balls:
                for i in range(BY_SS, POINT_WORDS):
                    Y[i] = 0.0
            z = add(z_0, mv(Q, vec(Y, PLACE)))
            foot = leave(body, centre_of(Q, Y, z), h, Y_a)
            found = touched(p, h, now, x, R, v, Y, Y_a, J)
            d, rate, depth, N, T, M, f, lost, slides, stretch, turn, sticks, gap, Q, arm, other, ds_a, dt_a, ds, dt = (
                found
            )
            if want & LENGTH:
                w[0] = min(w[0], meeting_share(p, h, now.t, d, rate, liveliest, fine))
                w[1] = max(w[1], h.swift if d <= 0.0 else 0.0)
                continue
            if want & RESIDUAL and N > 0.0:
                F, moment = mv(A, f), mv(A, M)
                put(r, 0, F)
                put(r, 3, sub(cross(arm, F), moment))
                put(r, 6, neg(F))
                put(r, 9, sub(moment, cross(other, F)))
                shapes_a(body.p, m_a, Y_a, foot, S, room_a)
                _press(m_a, S, ds_a, dt_a, f, 1.0, at(r, 12))
                shapes_b(own, m_b, Y, where, S, room_b)
                _press(m_b, S, ds, dt, mtv(Q, f), -1.0, at(r, 12 + m_a))
            if want & OUTPUT:
                if p.turned:
                    R_m = mm(mat(R, 9), mat(p.marker.R, 0))
                    point = sub(other, mv(mat(R, 9), vec(p.marker.p, 0)))
                    F = neg(mv(A, f))
                else:
                    R_m = mm(A, mat(p.marker.R, 0))
                    point = sub(arm, mv(A, vec(p.marker.p, 0)))
                    F = mv(A, f)
                tell(w, h, N, T, mtv(R_m, F), d, slides, sticks, lost, mtv(R_m, point))
            if want & ENERGY:
                w[2] += elastic_energy(p.stiffness, depth)
                w[3] += lost
            if want & COMMIT:
                remember(p, h, now, d, rate, rate - h.rate, h.impact, vec(h.u, 0), gap, Q, gap, stretch, turn, sticks)
                h.s, h.t, h.face = Y[PARAMETERS], Y[PARAMETERS + 1], float(where[0])
                h.s_a, h.t_a, h.face_a = Y_a[PARAMETERS], Y_a[PARAMETERS + 1], float(foot[0])
        if want & OUTPUT:
            total = max(w[0], 1e-300 + 0.0 * w[0])
            for i in range(POINT, POINT + 3):
                w[i] = w[i] / total if w[0] > 0.0 else 0.0 * w[i]

    touch.__name__ = f"pair_touch_{record_a.__name__}_{record_b.__name__}".lower()
    declared = law(
        PairRecord,
        history=PairTouch,
        outputs=SIGNALS,
        errors=FRAME_ERRORS,
        scratch=ROOM,
        symmetric=symmetric,
        limits_step=True,
    )
    return declared(touch)


def _state(frame, nc, nq, nodes_x, nodes_R, nodes_v, scalars, place, x, R, v, z, bent):
    """(status, R₀, W⁻¹) of a body that floats, or is carried by connection nodes."""
    if nc > 0:
        return deformed(frame, nc, nq, nodes_x, nodes_R, nodes_v, scalars, place, x, R, v, z, bent)
    store(x, 3 * place, vec(nodes_x, 0))
    store_mat(R, 9 * place, mat(nodes_R, 0))
    store(v, 6 * place, vec(nodes_v, 0))
    store(v, 6 * place + 3, vec(nodes_v, 3))
    for i in range(3 * nq):
        z[i] = scalars[i]
    R0 = mat(nodes_R, 0)
    return 0, R0, R0


def _give(frame, nc, nq, R0, W_inverse, z, bent, wrench, modal, nodes_r, scalars_r):
    """Forces on the frame and the shapes of a body, to its coordinates."""
    if nc > 0:
        share(frame, nc, nq, R0, W_inverse, z, bent, wrench, modal, nodes_r, scalars_r)
        return
    put(nodes_r, 0, vec(wrench, 0))
    put(nodes_r, 3, vec(wrench, 3))
    for i in range(nq):
        scalars_r[i] += modal[i]
