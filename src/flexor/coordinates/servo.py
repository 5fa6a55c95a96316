"""A constraint that follows sensors: a motor that prescribes a coordinate by others and by time.

    Φ = q₀ − u(q₁ … qₙ, t)                 a position is given
    Φ̇ = q̇₀ − u(q₁ … qₙ, t)                 a speed is given: it binds velocities only

The motor acts along q₀ alone: r = λ ∇q₀, whoever is measured by q₁ … qₙ feels nothing of it. So the matrix is not symmetric, unlike
that of a gear, which pushes both of what it couples. Coordinate i is measured between nodes 2i and 2i + 1 of the term; a node may
stand there several times. Angles count turns.
"""

from __future__ import annotations

from collections.abc import Sequence

from flexor.coordinates.combination import MOST, Member, Weighted, in_a_row, measured, on_its_nodes
from flexor.coordinates.constraint import POSITION
from flexor.coordinates.measure import add_gradient, add_hessian, add_rate_gradient, bias, turns, wrap
from flexor.functions import ERRORS, OUT_SIZE
from flexor.functions.call import Call, evaluate
from flexor.law import ACCELERATION_LEVEL, COMMIT, ENERGY, MATRIX, OUTPUT, RESIDUAL, VELOCITY_LEVEL, law
from flexor.law.face import put_energies
from flexor.law.primitives import at
from flexor.law.record import Packed, Record, integer, nested, number, numbers, tail

THINGS = MOST + 1
"""That u may be a function of: other coordinates, and time."""
SIZE = OUT_SIZE + 3 * THINGS


class Servo(Record):
    """Parameters of the law."""

    given = integer("POSITION or SPEED: what the function prescribes")
    motion = nested(Call, "u as a function of several things: of the time first, and of coordinates 1, 2, …")
    count = integer("n + 1 coordinates")
    members = tail("a Member each, the driven one first; weights are of no matter")


def led(given: int, motion: Packed, members: Sequence[Weighted]) -> Packed:
    """Parameters of the law; members: the driven coordinate first."""
    return Servo.pack(given=given, motion=motion, count=len(members), members=in_a_row(members))


class Followed(Record):
    """Its history."""

    q = numbers(MOST, "coordinates at the end of the last step, for angles beyond half a turn", "m or rad")
    target = number("what was prescribed there", "m or rad")


def _things(want, p, now, w):
    """Puts time and the coordinates that u depends on, with their rates, where its evaluator looks for them."""
    w[OUT_SIZE] = now.t
    w[OUT_SIZE + 1] = 1.0
    w[OUT_SIZE + 2] = 0.0
    gradient = at(w, SIZE + 12 * MOST)
    for i in range(1, p.count):
        member, here, o = Member(p.members, i), on_its_nodes(now, i), OUT_SIZE + 3 * i
        q, rate = measured(want, member, here, now.h.q[i])
        second = bias(member.m, member, here)
        for j in range(12):
            gradient[j] = 0.0
        add_gradient(member.m, member, here, 1.0, gradient)
        for j in range(12):
            second += gradient[j] * here.a[j]
        w[o] = q
        w[o + 1] = rate
        w[o + 2] = second


def _slope(p, i, w):
    """Status and ∂u/∂qᵢ"""
    for j in range(p.count):
        w[OUT_SIZE + 3 * j + 1] = 1.0 if j == i else 0.0
        w[OUT_SIZE + 3 * j + 2] = 0.0
    status = evaluate(p.motion, 0.0, w)
    return status, w[1]


@law(
    Servo,
    tangent="own",
    history=Followed,
    errors=ERRORS,
    outputs=(("force", "N"), ("power", "W"), ("target", "m")),
    scratch=SIZE + 12 * MOST + 12,
    symmetric=False,
)
def servo(want, p, now, out):
    """See above."""
    w = out.w
    first, n = Member(p.members, 0), 12 * p.count
    _things(want, p, now, w)
    status = evaluate(p.motion, 0.0, w)
    if status != 0:
        return status
    u, u_dot, u_ddot = w[0], w[1], w[2]
    here = on_its_nodes(now, 0)
    q, q_dot = measured(want, first, here, now.h.q[0])
    effort = now.lam[0]
    by_position = p.given == POSITION
    level = want & (VELOCITY_LEVEL | ACCELERATION_LEVEL)
    gradient = at(w, SIZE)
    if want & (RESIDUAL | MATRIX):
        for i in range(12):
            gradient[i] = 0.0
        add_gradient(first.m, first, here, 1.0, gradient)
    if want & RESIDUAL:
        for i in range(12):
            out.r[i] += effort * gradient[i]
        if want & ACCELERATION_LEVEL:
            q_ddot = bias(first.m, first, here)
            for i in range(12):
                q_ddot += gradient[i] * now.a[i]
            out.r[n] = q_ddot - (u_ddot if by_position else u_dot)
        elif want & VELOCITY_LEVEL or not by_position:
            out.r[n] = q_dot - (u_dot if by_position else u)
        else:
            out.r[n] = wrap(q - u) if turns(first.m) else q - u
    if want & MATRIX:
        size = n + 1
        c = now.c
        row = at(out.K, n * size)
        factor = c.M if want & ACCELERATION_LEVEL else c.C if want & VELOCITY_LEVEL or not by_position else c.K
        for i in range(12):
            out.K[i * size + n] += gradient[i]
            row[i] += factor * gradient[i]
        add_hessian(first.m, first, here, c.K * effort, out.K, size)
        if not by_position and level == 0:
            add_rate_gradient(first.m, first, here, c.K, row)
        if by_position or level == 0:
            for i in range(1, p.count):
                status, slope = _slope(p, i, w)
                if status != 0:
                    return status
                member = Member(p.members, i)
                by = factor if by_position else c.K
                add_gradient(member.m, member, on_its_nodes(now, i), -by * slope, at(row, 12 * i))
    rate = u_dot if by_position else u
    if want & COMMIT:
        now.h.q[0] = q
        now.h.target = u if by_position else q
        for i in range(1, p.count):
            now.h.q[i] = w[OUT_SIZE + 3 * i]
    if want & OUTPUT:
        w[0] = -effort
        w[1] = -effort * rate
        w[2] = u if by_position else q
    if want & ENERGY:
        put_energies(w, 0.0, 0.0, 0.0, 0.0, -effort * rate)
    return 0
