"""Floating body that stiffens under load: its points move by terms of second order in the modes as well.

A bent beam draws its tip in. The displacement that keeps the strain linear in the modes is, to second order,

    u = S q + F η,   ηₖ = ½ qᵀ Nₖ q

with a few fields F that tell how the mass of the body moves as a whole (see `bodies/floating/shortening.py`). The work of inertia and
weight on F η is the geometric stiffness of the stress they cause. q and η are coordinates z = (q, η) of an ordinary
floating body, so

    r_q = Gᵀ r_z,   ż = G q̇,   z̈ = G q̈ + Ġ q̇,   G = ∂z/∂q = [1; N q]

are its equations without any further approximation: kinetic energy is positive, momentum and energy are kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from flexor.bodies.floating.law import PRODUCTS, FloatingBody, floating_body, motion, packed
from flexor.law import MATRIX, RESIDUAL, Term, law
from flexor.law.face import Answer, Coefficients, State
from flexor.law.primitives import Words, at
from flexor.law.record import Record, integer, nested, tail

if TYPE_CHECKING:
    from flexor.bodies.floating.mean_axes import MeanAxes
    from flexor.reduce.invariants import Invariants


@dataclass(frozen=True, eq=False)
class Shortening:
    """Displacements of second order of a body with m modes.

    curvature: N (r, m, m) symmetric, ηₖ = ½ qᵀNₖq;  mass: (m + r, m + r) of the coordinates (q, η);
    invariants: inertia of (q, η) about the centre of mass.
    points: (6, m, m) of points where forces attach: displacement and rotation ½ qᵀNq besides those in the modes.
    """

    curvature: np.ndarray
    mass: np.ndarray
    invariants: Invariants
    points: Mapping[str, np.ndarray] = field(default_factory=dict)


class StiffenedBody(Record):
    """Parameters of a body with m modes and some fields."""

    fields = integer("how many fields F there are")
    curvature = tail("for each mode the column of all Nₖ that it multiplies, m each")
    body = nested(FloatingBody, "the body in the coordinates (q, η), with full matrices")


class StiffenedWork(NamedTuple):
    """Scratch.

    products       of `motion`
    z              (q, η), value, rate and second rate each
    bend           N q, N q̇, N q̈
    coefficients   by which rates enter the tangent, see Coefficients
    force          r_z
    whole, part    its matrices
    """

    products: Words
    z: Words
    bend: Words
    coefficients: Coefficients
    force: Words
    whole: Words
    part: Words


COEFFICIENTS = Coefficients.WORDS


def work_memory(m, fields, w):
    """Where the parts stand in scratch memory w."""
    size = m + fields
    N = 6 + size
    z = at(w, PRODUCTS * size + 8)
    bend = at(z, 3 * size)
    coefficients = at(bend, 3 * fields * m)
    force = at(coefficients, COEFFICIENTS)
    whole = at(force, N)
    return StiffenedWork(w, z, bend, Coefficients(coefficients), force, whole, at(whole, N * N))


def scratch(m: int, fields: int) -> int:
    """Floats that it takes."""
    size = m + fields
    N = 6 + size
    return (PRODUCTS + 3) * size + 8 + 3 * fields * m + COEFFICIENTS + N + 2 * N * N


@law(StiffenedBody, tangent="own", outputs=tuple((output.name, output.unit) for output in floating_body.outputs))
def stiffened_body(want, p, now, out):
    """Gᵀ r_z of a floating body in the coordinates z = (q, η)."""
    m, fields, c, r = now.n.scalars, p.fields, now.c, out.r
    work = work_memory(m, fields, out.w)
    size = m + fields
    N, count = 6 + size, fields * m
    z, bend, force, whole = work.z, work.bend, work.force, work.whole
    _follow(want, m, fields, p.curvature, now.s, z, bend)
    state = State(now.n, now.h, now.t, c, now.x, now.R, now.v, now.a, z, now.lam)
    if not want & (RESIDUAL | MATRIX):
        return motion(want, size, p.body, state, out)

    for i in range(N):
        force[i] = 0.0
    if want & MATRIX:
        for i in range(N * N):
            whole[i] = 0.0
    motion(want | RESIDUAL, size, p.body, state, Answer(force, whole, work.products))
    if want & RESIDUAL:
        for i in range(6 + m):
            r[i] += force[i]
        for f in range(fields):
            for i in range(m):
                r[6 + i] += bend[f * m + i] * force[6 + m + f]
    if want & MATRIX:
        # δz̈ = G δq̈ + 2 Ġ δq̇ + N q̈ δq,  δż = G δq̇ + Ġ δq:  columns of cC and cM by which N q̇, N q̈ enter
        part, by_rates = work.part, work.coefficients
        state = State(now.n, now.h, now.t, by_rates, now.x, now.R, now.v, now.a, z, now.lam)
        _columns(N, m, fields, whole, whole, bend, 0)
        for order in range(1, 3):
            by_rates.K, by_rates.turning = 0.0, c.turning
            by_rates.C = c.K if order == 1 else 0.0
            by_rates.M = 2.0 * c.C if order == 1 else c.K
            for i in range(N * N):
                part[i] = 0.0
            motion(MATRIX, size, p.body, state, Answer(force, part, work.products))
            _columns(N, m, fields, part, whole, bend, order * count)
        _rows(N, m, fields, c.K, p.curvature, whole, bend, force, out.K)
    return 0


def _follow(want, m, fields, curvature, s, z, bend):
    """(q, η) and rates, and N q, N q̇ (, N q̈ for the tangent)."""
    count = fields * m
    for i in range(3 * count):
        bend[i] = 0.0
    for order in range(3 if want & MATRIX else 2):
        for j in range(m):
            f, o = s[3 * j + order], j * count
            for i in range(count):
                bend[order * count + i] += f * curvature[o + i]
    for i in range(3 * m):
        z[i] = s[i]
    for f in range(fields):
        eta = rate = second = 0.0
        for i in range(m):
            one, two = bend[f * m + i], bend[count + f * m + i]
            eta += 0.5 * one * s[3 * i]
            rate += one * s[3 * i + 1]
            second += one * s[3 * i + 2] + two * s[3 * i + 1]
        z[3 * (m + f)], z[3 * (m + f) + 1], z[3 * (m + f) + 2] = eta, rate, second


def _columns(N, m, fields, source, whole, bend, o):
    """Columns of η, times N q or its rates, added to those of the modes."""
    for i in range(N):
        for f in range(fields):
            factor = source[i * N + 6 + m + f]
            for j in range(m):
                whole[i * N + 6 + j] += factor * bend[o + f * m + j]


def _rows(N, m, fields, cK, curvature, whole, bend, force, K):
    """K += Gᵀ whole + cK Σ Nₖ r_ηₖ"""
    n = 6 + m
    for i in range(n):
        for j in range(n):
            K[i * n + j] += whole[i * N + j]
    for f in range(fields):
        below = (6 + m + f) * N
        push = cK * force[6 + m + f]
        for i in range(m):
            factor = bend[f * m + i]
            row = (6 + i) * n
            for j in range(n):
                K[row + j] += factor * whole[below + j]
            for j in range(m):
                K[row + 6 + j] += push * curvature[(i * fields + f) * m + j]


def stiffened_term(
    name: str, axes: MeanAxes, node: int, scalars: tuple[int, ...], x0: np.ndarray, shortening: Shortening
) -> Term:
    """The law of a floating body with displacements of second order; arguments as for `floating_term`."""
    fields, m, _ = shortening.curvature.shape
    size = m + fields
    stiffness, damping = np.zeros((2, size, size))
    stiffness[:m, :m] = np.diag(axes.squares)
    damping[:m, :m] = axes.damping
    return Term(
        name,
        stiffened_body,
        (node,),
        tuple(scalars),
        parameters=StiffenedBody.pack(
            fields=fields,
            curvature=shortening.curvature.transpose(2, 0, 1),
            body=packed(shortening.invariants, x0, True, stiffness, shortening.mass, damping),
        ),
        scratch=scratch(m, fields),
    )
