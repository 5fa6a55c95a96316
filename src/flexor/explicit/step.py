"""A step of velocity Verlet, on the rotation group too.

    v½ = v + ½ h a,   x ← x + h v½,   L½ = L + ½ h τ                  half a kick, and the drift
    R ← the free rotation with L½ over h, by rotations about the principal axes 1 2 3 2 1 of h/2, h/2, h, h/2, h/2
    a, τ at (x, R, v½ + ½ h a_before, L½ + ½ h τ_before)               forces, once a step
    v = v½ + ½ h a,   L = L½ + ½ h τ                                   the other half of the kick

Of forces that do not depend on velocities it is symplectic: momentum and angular momentum are kept to rounding, the error of the energy stays
bounded with h². Forces that do are those at velocities that are h² off, so that it is of second order with them, too.   Dullweber, Leimkuhler &
McLachlan 1997
"""

from __future__ import annotations

from flexor.contact.tally import Tally
from flexor.engine.assemble import call_term
from flexor.engine.memory import LAW_FAILED, OK, TermRecord
from flexor.explicit.memory import ALIKE, BY_AXES, FORCES, ExplicitMemory, Inert, SurfaceRecord
from flexor.law import COMMIT, RESIDUAL
from flexor.law.dual import cos, sin, sqrt
from flexor.law.primitives import at, call
from flexor.law.tuples import (
    add,
    cross,
    dot,
    mat,
    mm,
    mmt,
    mtv,
    mv,
    norm,
    rotation_of,
    scale,
    store,
    store_mat,
    sub,
    vec,
)

STABLE = 0.8
"""¼ h² ω² + h d/m that is allowed, of 1."""
SAFE = 0.5
"""Part of the longest stable step that is taken where steps are chosen, if the stiffness does not ask for less."""
TURN = 0.05
"""Angle by which a body with different principal moments turns in a step that is chosen [rad]."""


def drift(H, h):
    """Half a kick, then positions and orientations of the end, with velocities foreseen for there."""
    T = H.engine
    gravity = vec(T.coefficients.gravity, 0)
    for i in range(H.numbers.n_bodies):
        body = Inert(H.bodies, i)
        node = body.node
        a = add(gravity, scale(body.lightness, vec(H.force, 6 * node)))
        v = add(vec(T.v, 6 * node), scale(0.5 * h, a))
        store(H.half_velocity, 3 * i, v)
        store(T.x, 3 * node, add(vec(T.x, 3 * node), scale(h, v)))
        store(T.v, 6 * node, add(v, scale(0.5 * h, a)))
        if body.manner != ALIKE and body.manner != BY_AXES:
            continue
        torque = vec(H.force, 6 * node + 3)
        L = add(vec(H.momentum, 3 * i), scale(0.5 * h, torque))
        store(H.half_momentum, 3 * i, L)
        if dot(L, L) == 0.0 and dot(torque, torque) == 0.0:
            store(T.v, 6 * node + 3, L)
            continue
        if body.manner == ALIKE:
            turn = rotation_of(scale(h / body.moments[0], L))
            store_mat(T.R, 9 * node, mm(turn, mat(T.R, 9 * node)))
        else:
            _turn(T, body, L, h)
        store(T.v, 6 * node + 3, spin_of(T, body, add(L, scale(0.5 * h, torque))))


def spin_of(T, body, L):
    """ω = J⁻¹ L"""
    if body.manner == ALIKE:
        return scale(1.0 / body.moments[0], L)
    Q = mm(mat(T.R, 9 * body.node), mat(body.axes, 0))
    l, J = mtv(Q, L), body.moments
    return mv(Q, (l[0] / J[0], l[1] / J[1], l[2] / J[2]))


def momentum_of(T, body):
    """L = J ω"""
    w = vec(T.v, 6 * body.node + 3)
    if body.manner == ALIKE:
        return scale(body.moments[0], w)
    Q = mm(mat(T.R, 9 * body.node), mat(body.axes, 0))
    l, J = mtv(Q, w), body.moments
    return mv(Q, (l[0] * J[0], l[1] * J[1], l[2] * J[2]))


def _turn(T, body, L, h):
    """The free rotation: about each principal axis in turn with the momentum that is left about it."""
    P, J = mat(body.axes, 0), body.moments
    Q = mm(mat(T.R, 9 * body.node), P)
    l = mtv(Q, L)
    Q, l = _about_x(Q, l, 0.5 * h / J[0])
    Q, l = _about_y(Q, l, 0.5 * h / J[1])
    Q, l = _about_z(Q, l, h / J[2])
    Q, l = _about_y(Q, l, 0.5 * h / J[1])
    Q, l = _about_x(Q, l, 0.5 * h / J[0])
    store_mat(T.R, 9 * body.node, mmt(Q, P))


def _about_x(Q, l, f):
    c, s = cos(f * l[0]), sin(f * l[0])
    turned = (Q[0], c * Q[1] + s * Q[2], c * Q[2] - s * Q[1], Q[3], c * Q[4] + s * Q[5], c * Q[5] - s * Q[4],
              Q[6], c * Q[7] + s * Q[8], c * Q[8] - s * Q[7])  # fmt: skip
    return turned, (l[0], c * l[1] + s * l[2], c * l[2] - s * l[1])


def _about_y(Q, l, f):
    c, s = cos(f * l[1]), sin(f * l[1])
    turned = (c * Q[0] - s * Q[2], Q[1], c * Q[2] + s * Q[0], c * Q[3] - s * Q[5], Q[4], c * Q[5] + s * Q[3],
              c * Q[6] - s * Q[8], Q[7], c * Q[8] + s * Q[6])  # fmt: skip
    return turned, (c * l[0] - s * l[2], l[1], c * l[2] + s * l[0])


def _about_z(Q, l, f):
    c, s = cos(f * l[2]), sin(f * l[2])
    turned = (c * Q[0] + s * Q[1], c * Q[1] - s * Q[0], Q[2], c * Q[3] + s * Q[4], c * Q[4] - s * Q[3], Q[5],
              c * Q[6] + s * Q[7], c * Q[7] - s * Q[6], Q[8])  # fmt: skip
    return turned, (c * l[0] + s * l[1], c * l[1] - s * l[0], l[2])


def kick(H, h):
    """The other half of the kick, with the forces of the end; bounds of the next step."""
    T, own = H.engine, H.numbers
    gravity = vec(T.coefficients.gravity, 0)
    limit, pull, soon = 1e300, 0.0, own.soon
    own.resolved = 1e300
    for i in range(own.n_bodies):
        body = Inert(H.bodies, i)
        node = body.node
        a = add(gravity, scale(body.lightness, vec(H.force, 6 * node)))
        pull = max(pull, dot(a, a))
        store(T.v, 6 * node, add(vec(H.half_velocity, 3 * i), scale(0.5 * h, a)))
        if body.manner == ALIKE or body.manner == BY_AXES:
            L = add(vec(H.half_momentum, 3 * i), scale(0.5 * h, vec(H.force, 6 * node + 3)))
            store(H.momentum, 3 * i, L)
            store(T.v, 6 * node + 3, spin_of(T, body, L))
            soon = min(soon, turning_step(H, body))
        longest = longest_step(H, body, i)
        if longest < limit:
            limit, own.briefest = longest, i
    own.limit, own.pull, own.soon = limit, sqrt(pull), soon


def turning_step(H, body):
    """The step in which a body turns by TURN, where steps are chosen: rotations about its axes in turn are free rotation up to h² only. Spheres turn exactly."""
    if body.manner != BY_AXES or H.numbers.share >= 1.0:
        return 1e300
    return TURN / max(norm(vec(H.engine.v, 6 * body.node + 3)), 1e-300)


def stable_step(k, d):
    """h with ¼ h² k + h d = STABLE;  k, d: bounds of ω² and d/m"""
    if k <= 0.0 and d <= 0.0:
        return 1e300
    return 2.0 * STABLE / (d + sqrt(d * d + STABLE * k))


def longest_step(H, body, i):
    """Of the i-th body, by the bounds of what acts on it: a stable one; where steps are chosen a part of that, which resolves stiffness and what dampers do."""
    k, share = H.stiffness[i], H.numbers.share
    stable = stable_step(k + H.firmness[i], H.damping[i])
    if share >= 1.0:
        return stable
    resolved = share * min(stable_step(k, 0.0), stable_step(0.0, body.base_damping))
    H.numbers.resolved = min(H.numbers.resolved, resolved)
    return min(SAFE * stable, resolved)


def accelerations(H):
    """Of all bodies, at the end of the step, as rows tell them: ω̇ = J⁻¹ (τ − ω × L)"""
    T = H.engine
    gravity = vec(T.coefficients.gravity, 0)
    for i in range(H.numbers.n_bodies):
        body = Inert(H.bodies, i)
        node = body.node
        a = add(gravity, scale(body.lightness, vec(H.force, 6 * node)))
        store(T.a, 6 * node, a)
        store(T.proper, 6 * node, sub(a, gravity))
        if body.manner == ALIKE or body.manner == BY_AXES:
            w = vec(T.v, 6 * node + 3)
            turning = sub(vec(H.force, 6 * node + 3), cross(w, vec(H.momentum, 3 * i)))
            alpha = spin_of(T, body, turning)
            store(T.a, 6 * node + 3, alpha)
            store(T.proper, 6 * node + 3, alpha)


def find_places(H):
    """Where the surfaces are, how fast they move, and how far from where pairs were searched."""
    T, own = H.engine, H.numbers
    fastest, strayed = 0.0, 0.0
    for i in range(own.n_surfaces):
        s = SurfaceRecord(H.surfaces, i)
        node = s.node
        if s.round:
            store(H.place, 3 * i, vec(T.x, 3 * node))
            store_mat(H.axes, 9 * i, mat(T.R, 9 * node))
        elif s.moves:
            R = mat(T.R, 9 * node)
            store(H.place, 3 * i, add(vec(T.x, 3 * node), mv(R, vec(s.p, 0))))
            store_mat(H.axes, 9 * i, mm(R, mat(s.R, 0)))
        if s.moves:
            v = vec(T.v, 6 * node)
            d = sub(vec(H.place, 3 * i), vec(H.sought, 3 * i))
            if s.round:
                fastest = max(fastest, dot(v, v))
                strayed = max(strayed, dot(d, d))
            else:
                turns = s.reach * norm(vec(T.v, 6 * node + 3))
                H.swung[i] += own.dt * turns
                speed, moved = norm(v) + turns, norm(d) + H.swung[i]
                fastest, strayed = max(fastest, speed * speed), max(strayed, moved * moved)
    own.fastest, own.strayed = sqrt(fastest), sqrt(strayed)


def find_forces(H):
    """Of all pairs and all other laws, at the present state; what they remember is that of it."""
    T, own = H.engine, H.numbers
    run = T.run
    for i in range(6 * run.n_nodes):
        H.force[i] = 0.0
    for i in range(own.n_bodies):
        body = Inert(H.bodies, i)
        H.stiffness[i], H.firmness[i], H.damping[i] = body.base_stiffness, 0.0, body.base_damping
    for i in range(own.n_tallies):
        tally = Tally(at(T.history, H.tallies[i]))
        tally.loss += 0.5 * own.dt * tally.power
        tally.normal_force = tally.friction_force = tally.touching = tally.sticking = tally.depth = 0.0
        tally.power = tally.stored = 0.0
    own.soon = 1e300
    own.asked = FORCES
    call(H.pairs, H)
    for i in range(own.n_tallies):
        tally = Tally(at(T.history, H.tallies[i]))
        tally.loss += 0.5 * own.dt * tally.power
        tally.deepest = max(tally.deepest, tally.depth)
    T.coefficients.step = own.dt
    r = T.buffer_residual
    for e in range(own.n_forces):
        d = TermRecord(T.terms, H.forces[e])
        status = call_term(T, d, RESIDUAL, at(T.lam, d.lam))
        if status != 0:
            run.error_term, run.error_code = H.forces[e], status
            return LAW_FAILED
        nodes = at(T.term_nodes, d.node_list)
        for i in range(d.nodes):
            for j in range(6):
                H.force[6 * nodes[i] + j] -= r[6 * i + j]
        if own.dt > 0.0:
            call_term(T, d, COMMIT, at(T.lam, d.lam))
    return OK


def begin(H: ExplicitMemory):
    """Momentum, pairs and forces of the present state."""
    T, own = H.engine, H.numbers
    own.dt = 0.0
    for i in range(own.n_bodies):
        body = Inert(H.bodies, i)
        if body.manner == ALIKE or body.manner == BY_AXES:
            store(H.momentum, 3 * i, momentum_of(T, body))
    find_places(H)
    status = call(H.search, H)
    if status != OK:
        return status
    own.pull = norm(vec(T.coefficients.gravity, 0))
    for _again in range(2):  # how far what is near may fall in a step is known from the forces
        status = find_forces(H)
        if status != OK:
            return status
        accelerations(H)
        for i in range(own.n_bodies):
            own.pull = max(own.pull, norm(vec(T.a, 6 * Inert(H.bodies, i).node)))
    limit = 1e300
    for i in range(own.n_bodies):
        limit = min(limit, longest_step(H, Inert(H.bodies, i), i))
        own.soon = min(own.soon, turning_step(H, Inert(H.bodies, i)))
    own.limit = limit
    return OK
