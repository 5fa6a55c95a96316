"""Floating body that stiffens under load: its points move by terms of second order in the modes as well.

A bent beam draws its tip in. The displacement that keeps the strain linear in the modes is, to second order,

    u = S q + F η,   ηₖ = ½ qᵀ Nₖ q

with a few fields F that tell how the mass of the body moves as a whole (see `reduce/stiffening.py`). The work of inertia and
weight on F η is the geometric stiffness of the stress they cause. q and η are coordinates z = (q, η) of an ordinary
floating body, so

    r_q = Gᵀ r_z,   ż = G q̇,   z̈ = G q̈ + Ġ q̇,   G = ∂z/∂q = [1; N q]

are its equations without any further approximation: kinetic energy is positive, momentum and energy are kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from flexor.bodies.floating import floating_body, motion, parameters
from flexor.law import MATRIX, RESIDUAL, Element, law
from flexor.law.law import N_COEFFICIENTS, TURNING
from flexor.law.primitives import at

if TYPE_CHECKING:
    from flexor.bodies.mean_axes import MeanAxes
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


@law(outputs=tuple((output.name, output.unit) for output in floating_body.outputs))
def stiffened_body(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):
    """Gᵀ r_z of a floating body in the coordinates z = (q, η).

    k: number of fields;  p: for each mode the column of N (r m) that it multiplies; `parameters` of (q, η), full
    w: scratch of `motion`; z, ż, z̈; N q, N q̇, N q̈; coefficients; r_z; matrices of r_z
    """
    m, fields = n[1], k[0]
    size = m + fields
    N = 6 + size
    z = at(w, 21 * size + 8)
    bend = at(z, 3 * size)
    own = at(p, fields * m * m)
    _follow(want, m, fields, p, s, z, bend)
    if not want & (RESIDUAL | MATRIX):
        return motion(want, size, 1, c, own, x, R, v, a, z, r, K, w)

    count = fields * m
    coefficients = at(bend, 3 * count)
    force = at(coefficients, N_COEFFICIENTS)
    whole = at(force, N)
    for i in range(N):
        force[i] = 0.0
    if want & MATRIX:
        for i in range(N * N):
            whole[i] = 0.0
    motion(want | RESIDUAL, size, 1, c, own, x, R, v, a, z, force, whole, w)
    if want & RESIDUAL:
        for i in range(6 + m):
            r[i] += force[i]
        for f in range(fields):
            for i in range(m):
                r[6 + i] += bend[f * m + i] * force[6 + m + f]
    if want & MATRIX:
        # δz̈ = G δq̈ + 2 Ġ δq̇ + N q̈ δq,  δż = G δq̇ + Ġ δq:  columns of cC and cM by which N q̇, N q̈ enter
        part = at(whole, N * N)
        _columns(N, m, fields, whole, whole, bend, 0)
        for order in range(1, 3):
            coefficients[0], coefficients[TURNING] = 0.0, c[TURNING]
            coefficients[1] = c[0] if order == 1 else 0.0
            coefficients[2] = 2.0 * c[1] if order == 1 else c[0]
            for i in range(N * N):
                part[i] = 0.0
            motion(MATRIX, size, 1, coefficients, own, x, R, v, a, z, force, part, w)
            _columns(N, m, fields, part, whole, bend, order * count)
        _rows(N, m, fields, c[0], p, whole, bend, force, K)
    return 0


def _follow(want, m, fields, p, s, z, bend):
    """(q, η) and rates, and N q, N q̇ (, N q̈ for the tangent)."""
    count = fields * m
    for i in range(3 * count):
        bend[i] = 0.0
    for order in range(3 if want & MATRIX else 2):
        for j in range(m):
            f, o = s[3 * j + order], j * count
            for i in range(count):
                bend[order * count + i] += f * p[o + i]
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


def _rows(N, m, fields, cK, p, whole, bend, force, K):
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
                K[row + 6 + j] += push * p[(i * fields + f) * m + j]


def stiffened_element(
    name: str, axes: MeanAxes, node: int, scalars: tuple[int, ...], x0: Any, shortening: Shortening
) -> Element:
    """The law of a floating body with displacements of second order; arguments as for `floating_element`."""
    fields, m, _ = shortening.curvature.shape
    size = m + fields
    stiffness, damping = np.zeros((2, size, size))
    stiffness[:m, :m] = np.diag(axes.squares)
    damping[:m, :m] = axes.damping
    own = parameters(shortening.invariants, x0, stiffness, shortening.mass, damping)
    N = 6 + size
    return Element(
        name,
        stiffened_body,
        (node,),
        tuple(scalars),
        ints=(fields,),
        floats=np.concatenate([shortening.curvature.transpose(2, 0, 1).ravel(), own]),
        scratch=24 * size + 8 + 3 * fields * m + N_COEFFICIENTS + N + 2 * N * N,
    )
