"""Several coordinates together: gears, racks, screws, belts, cams by tables.   FTG 6.4

    e = Σ wᵢ qᵢ − f(q₀) − e₀

Two laws: the constraint e = 0, and a force along e, which has the slack and the stiffness of teeth. Coordinate i is measured
between nodes 2i and 2i + 1 of the term; a node may stand there several times. Angles count turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexor.coordinates.force import Characteristic, effort_of
from flexor.coordinates.frames import Frame
from flexor.coordinates.measure import Measure, add_gradient, add_hessian, bias, nearest, turns, value_and_rate
from flexor.functions import ERRORS, OUT_SIZE, Function
from flexor.functions.call import Call, evaluate, packed
from flexor.law import ACCELERATION_LEVEL, COMMIT, ENERGY, MATRIX, OUTPUT, RESIDUAL, VELOCITY_LEVEL, law
from flexor.law.face import State, level_coefficient, put_energies
from flexor.law.primitives import at
from flexor.law.record import Packed, Record, integer, nested, number, numbers, tail

MOST = 8
"""Coordinates that may be combined."""


class Member(Record):
    """One of the coordinates."""

    weight = number("w", "1, or rad/m and the like")
    single = integer("1: an angle about the only axis of its joint, whose rate is the spin")
    m = nested(Measure, "what is measured")
    a = nested(Frame, "marker A")
    b = nested(Frame, "marker B")


class Combination(Record):
    """Which coordinates, and how they are combined."""

    count = integer("how many")
    zero = number("e₀", "m or rad")
    function = nested(Call, "f of the first coordinate", "m or rad")
    members = tail("a Member each")


class Counted(Record):
    """Their history."""

    q = numbers(MOST, "coordinates at the end of the last step, for angles beyond half a turn", "m or rad")


class CombinedForce(Record):
    """Parameters of a force along a combination."""

    e = nested(Combination, "what deflects")
    of = nested(Characteristic, "the spring")


@dataclass(frozen=True)
class Weighted:
    """A coordinate as it is packed: its weight, measure (packed), frames (packed) of A and B, and whether it is a joint's only angle."""

    weight: float
    measure: Packed
    a: Packed
    b: Packed
    single: bool = False


def combined(members: Sequence[Weighted], function: Function | None = None, zero: float = 0.0) -> Packed:
    """The combination of these coordinates."""
    rows = [
        Member.pack(weight=each.weight, single=int(each.single), m=each.measure, a=each.a, b=each.b).words[
            : Member.WORDS
        ]
        for each in members
    ]
    return Combination.pack(count=len(rows), zero=zero, function=packed(function), members=np.concatenate(rows))


def _of(now, i):
    """The state of the two nodes of coordinate i."""
    return State(
        now.n, now.h, now.t, now.c, at(now.x, 6 * i), at(now.R, 18 * i), at(now.v, 12 * i), at(now.a, 12 * i), now.s, now.lam
    )  # fmt: skip


def _measured(want, member, now, last):
    """q, counted from the value `last` at the end of the last step, and q̇"""
    q, rate = value_and_rate(member.m, member, now)
    if turns(member.m):
        if want & COMMIT and member.single == 1:
            last += now.c.step * rate  # turns are counted as the joint does
        q = nearest(q, last)
    return q, rate


def _combine(want, p, now, w):
    """(status, e, ė, f′, f″ q̇₀²); w needs OUT_SIZE floats"""
    e, rate, slope, curved = -p.zero + 0.0 * now.x[0], 0.0 * now.v[0], 0.0, 0.0 * now.v[0]
    for i in range(p.count):
        member = Member(p.members, i)
        q, q_rate = _measured(want, member, _of(now, i), now.h.q[i])
        e += member.weight * q
        rate += member.weight * q_rate
        if i == 0 and p.function.address != 0:
            status = evaluate(p.function, q, w)
            if status != 0:
                return status, e, rate, slope + 0.0 * e, curved
            e -= w[0]
            rate -= w[1] * q_rate
            slope = w[1]
            curved = w[2] * q_rate * q_rate
    return 0, e, rate, slope + 0.0 * e, curved


def _commit(p, now):
    for i in range(p.count):
        member = Member(p.members, i)
        q, _ = _measured(COMMIT, member, _of(now, i), now.h.q[i])
        now.h.q[i] = q


@law(
    Combination,
    tangent="own",
    history=Counted,
    errors=ERRORS,
    outputs=(("force", "N"), ("error", "m")),
    scratch=OUT_SIZE + 24 * MOST,
)
def constraint_on_combination(want, p, now, out):
    """Φ = e"""
    w = out.w
    n = 12 * p.count
    status, e, rate, slope, curved = _combine(want, p, now, w)
    if status != 0:
        return status
    second = w[2] if p.function.address != 0 else 0.0
    effort = now.lam[0]
    gradient = at(w, OUT_SIZE)
    if want & (MATRIX | RESIDUAL):
        for i in range(n):
            gradient[i] = 0.0
        for i in range(p.count):
            member = Member(p.members, i)
            factor = member.weight - (slope if i == 0 else 0.0)
            add_gradient(member.m, member, _of(now, i), factor, at(gradient, 12 * i))
    if want & RESIDUAL:
        for i in range(n):
            out.r[i] += effort * gradient[i]
        if want & ACCELERATION_LEVEL:
            level = -curved
            for i in range(p.count):
                member = Member(p.members, i)
                factor = member.weight - (slope if i == 0 else 0.0)
                level += factor * bias(member.m, member, _of(now, i))
            for i in range(n):
                level += gradient[i] * now.a[i]
            out.r[n] = level
        elif want & VELOCITY_LEVEL:
            out.r[n] = rate
        else:
            out.r[n] = e
    if want & MATRIX:
        size = n + 1
        level = level_coefficient(want, now.c)
        for i in range(n):
            out.K[n * size + i] += level * gradient[i]
            out.K[i * size + n] += gradient[i]
        for i in range(p.count):
            member = Member(p.members, i)
            factor = now.c.K * effort * (member.weight - (slope if i == 0 else 0.0))
            add_hessian(member.m, member, _of(now, i), factor, at(out.K, 12 * i * size + 12 * i), size)
        if second != 0.0:  # −f″ ∇q₀ ∇q₀ᵀ
            first = Member(p.members, 0)
            own = at(gradient, n)
            for i in range(12):
                own[i] = 0.0
            add_gradient(first.m, first, _of(now, 0), 1.0, own)
            for i in range(12):
                for j in range(12):
                    out.K[i * size + j] -= now.c.K * effort * second * own[i] * own[j]
    if want & COMMIT:
        _commit(p, now)
    if want & OUTPUT:
        w[0] = -effort
        w[1] = e
    if want & ENERGY:
        put_energies(w, 0.0, 0.0, 0.0, 0.0, 0.0)
    return 0


@law(
    CombinedForce,
    history=Counted,
    errors=ERRORS,
    outputs=(("deflection", "m"), ("force", "N"), ("strain_energy", "J")),
    scratch=OUT_SIZE,
)
def force_along_combination(want, p, now, out):
    """r = Q(e, ė) ∇e"""
    w = out.w
    status, e, rate, slope, _ = _combine(want, p.e, now, w)
    if status != 0:
        return status
    status, elastic, _, energy, viscous, _ = effort_of(want, p.of, e, rate, w)
    if status != 0:
        return status
    effort = elastic + viscous
    if want & RESIDUAL:
        for i in range(p.e.count):
            member = Member(p.e.members, i)
            factor = effort * (member.weight - (slope if i == 0 else 0.0))
            add_gradient(member.m, member, _of(now, i), factor, at(out.r, 12 * i))
    if want & COMMIT:
        _commit(p.e, now)
    if want & OUTPUT:
        w[0] = e
        w[1] = -effort
        w[2] = energy
    if want & ENERGY:
        put_energies(w, 0.0, 0.0, energy, viscous * rate, 0.0)
    return 0
