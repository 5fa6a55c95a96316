"""Several coordinates together: gears, racks, screws, belts, couplings.   FTG 6.4

    e = Σ wᵢ qᵢ + f(q₀) − e₀

Two laws: the constraint e = 0, and a force along e, which has the slack and the stiffness of teeth. Coordinate i is measured
between nodes 2i and 2i + 1 of the term; a node may stand there several times. Angles count turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexor.coordinates.frames import Frame
from flexor.coordinates.measure import Measure, add_gradient, add_hessian, bias, nearest, turns, value_and_rate
from flexor.coordinates.rotation import BEYOND, HALF_TURN, half_turned
from flexor.functions import ERRORS, OUT_SIZE, Function
from flexor.functions.call import Call, evaluate, packed
from flexor.law import ACCELERATION_LEVEL, COMMIT, ENERGY, MATRIX, OUTPUT, RESIDUAL, VELOCITY_LEVEL, law
from flexor.law.face import State, level_coefficient, put_energies
from flexor.law.primitives import at
from flexor.law.record import Packed, Record, integer, nested, number, numbers, tail

MOST = 8
"""Coordinates that may be combined."""
ROUNDED = 0.01
"""Part of the backlash over which damping sets in where teeth touch: without it their force would jump."""


class Member(Record):
    """One of the coordinates."""

    weight = number("w", "1, or m/rad and the like")
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


class Teeth(Record):
    """Parameters of a force along a combination."""

    e = nested(Combination, "what deflects")
    stiffness = number("k", "N/m or N m/rad")
    damping = number("c", "N s/m or N m s/rad")
    loose = integer("1: there is backlash")
    gap = number("half of the backlash: |e| up to which nothing touches", "m or rad")


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
    return Combination.pack(count=len(members), zero=zero, function=packed(function), members=in_a_row(members))


def in_a_row(members: Sequence[Weighted]) -> np.ndarray:
    """A `Member` each, one behind the other."""
    rows = [
        Member.pack(weight=each.weight, single=int(each.single), m=each.measure, a=each.a, b=each.b).words[
            : Member.WORDS
        ]
        for each in members
    ]
    return np.concatenate(rows)


def on_its_nodes(now, i):
    """The state of the two nodes of coordinate i."""
    return State(
        now.n, now.h, now.t, now.c, at(now.x, 6 * i), at(now.R, 18 * i), at(now.v, 12 * i), at(now.a, 12 * i), now.s, now.lam
    )  # fmt: skip


def measured(want, member, now, last):
    """Of a coordinate: q, counted from the value `last` at the end of the last step, and q̇

    Of a joint with one angle q̇ is its spin: |Δq − h q̇| is far less than half a turn, however far it turns in a step. Signals and
    energies are asked for after the step has been remembered.
    """
    q, rate = value_and_rate(member.m, member, now)
    if turns(member.m):
        if member.single == 1 and not want & (OUTPUT | ENERGY):
            last += now.c.step * rate
        q = nearest(q, last)
    return q, rate


def _combine(want, p, now, w):
    """(status, e, ė, f′, f″); w needs OUT_SIZE floats"""
    e, rate, slope, second = -p.zero + 0.0 * now.x[0], 0.0 * now.v[0], 0.0, 0.0
    status = 0
    for i in range(p.count):
        member = Member(p.members, i)
        if half_turned(member.m, member, on_its_nodes(now, i)):
            status = HALF_TURN
            break
        q, q_rate = measured(want, member, on_its_nodes(now, i), now.h.q[i])
        e += member.weight * q
        rate += member.weight * q_rate
        if i == 0 and p.function.address != 0:
            status = evaluate(p.function, q, w)
            if status != 0:
                break
            e += w[0]
            rate += w[1] * q_rate
            slope += w[1]
            second += w[2]
    return status, e, rate, slope + 0.0 * e, second + 0.0 * e


def _factor(p, i, slope):
    """∂e/∂qᵢ"""
    weight = Member(p.members, i).weight
    return weight + slope if i == 0 else weight + 0.0 * slope


def _remember(p, now):
    """Remember the coordinates."""
    for i in range(p.count):
        q, _ = measured(COMMIT, Member(p.members, i), on_its_nodes(now, i), now.h.q[i])
        now.h.q[i] = q


def _put_efforts(p, effort, slope, w):
    """w[i] = what is exerted along coordinate i"""
    for i in range(p.count):
        w[i] = -effort * _factor(p, i, slope)


@law(
    Combination,
    tangent="own",
    history=Counted,
    errors={**BEYOND, **ERRORS},
    outputs=(("force", "N"), ("error", "m")),
    scratch=OUT_SIZE + 12 * MOST + 12,
)
def constraint_on_combination(want, p, now, out):
    """Φ = e"""
    w = out.w
    n = 12 * p.count
    status, e, rate, slope, second = _combine(want, p, now, w)
    if status != 0:
        return status
    effort = now.lam[0]
    gradient = at(w, OUT_SIZE)
    if want & (MATRIX | RESIDUAL):
        for i in range(n):
            gradient[i] = 0.0
        for i in range(p.count):
            member = Member(p.members, i)
            add_gradient(member.m, member, on_its_nodes(now, i), _factor(p, i, slope), at(gradient, 12 * i))
    if want & RESIDUAL:
        for i in range(n):
            out.r[i] += effort * gradient[i]
        if want & ACCELERATION_LEVEL:
            out.r[n] = _acceleration(p, now, slope, second, gradient)
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
            factor = now.c.K * effort * _factor(p, i, slope)
            add_hessian(member.m, member, on_its_nodes(now, i), factor, at(out.K, 12 * i * size + 12 * i), size)
        if p.function.address != 0:  # f″ ∇q₀ ∇q₀ᵀ
            first = Member(p.members, 0)
            own = at(gradient, 12 * MOST)
            for i in range(12):
                own[i] = 0.0
            add_gradient(first.m, first, on_its_nodes(now, 0), 1.0, own)
            for i in range(12):
                for j in range(12):
                    out.K[i * size + j] += now.c.K * effort * second * own[i] * own[j]
    if want & COMMIT:
        _remember(p, now)
    if want & OUTPUT:
        _put_efforts(p, effort, slope, w)
        w[p.count] = e
    if want & ENERGY:
        put_energies(w, 0.0, 0.0, 0.0, 0.0, 0.0)
    return 0


def _acceleration(p, now, slope, second, gradient):
    """ë = Σ (∂e/∂qᵢ) q̈ᵢ + f″ q̇₀²"""
    found = 0.0 * slope
    for i in range(p.count):
        member = Member(p.members, i)
        found += _factor(p, i, slope) * bias(member.m, member, on_its_nodes(now, i))
    for i in range(12 * p.count):
        found += gradient[i] * now.a[i]
    if p.function.address != 0:
        first = Member(p.members, 0)
        _, rate = value_and_rate(first.m, first, now)
        found += second * rate * rate
    return found


def _teeth(p, e, rate):
    """(elastic force, strain energy, damping force): in a slack only beyond it, never pulling."""
    if p.loose == 0:
        return p.stiffness * e, 0.5 * p.stiffness * e * e, p.damping * rate
    side = 1.0 if e > 0.0 else -1.0
    depth = side * e - p.gap
    if depth <= 0.0:
        return 0.0 * e, 0.0 * e, 0.0 * e
    elastic = p.stiffness * depth
    sets_in = min(depth / (2.0 * ROUNDED * p.gap), 1.0)
    viscous = p.damping * sets_in * sets_in * (3.0 - 2.0 * sets_in) * side * rate
    viscous = max(viscous, -elastic)
    return side * elastic, 0.5 * elastic * depth, side * viscous


@law(
    Teeth,
    history=Counted,
    errors={**BEYOND, **ERRORS},
    outputs=(("force", "N"), ("deflection", "m"), ("strain_energy", "J")),
    scratch=OUT_SIZE,
)
def force_along_combination(want, p, now, out):
    """r = Q(e, ė) ∇e"""
    w = out.w
    status, e, rate, slope, _ = _combine(want, p.e, now, w)
    if status != 0:
        return status
    elastic, energy, viscous = _teeth(p, e, rate)
    effort = elastic + viscous
    if want & RESIDUAL:
        for i in range(p.e.count):
            member = Member(p.e.members, i)
            add_gradient(member.m, member, on_its_nodes(now, i), effort * _factor(p.e, i, slope), at(out.r, 12 * i))
    if want & COMMIT:
        _remember(p.e, now)
    if want & OUTPUT:
        _put_efforts(p.e, effort, slope, w)
        w[p.e.count] = e
        w[p.e.count + 1] = energy
    if want & ENERGY:
        put_energies(w, 0.0, 0.0, energy, viscous * rate, 0.0)
    return 0
