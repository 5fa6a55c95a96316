"""Integration rules on the reference line, triangle, tetrahedron, wedge and hexahedron.

Line −1…1; triangle r, s ≥ 0, r + s ≤ 1; tetrahedron r, s, t ≥ 0, r + s + t ≤ 1; wedge triangle × line;
hexahedron line³. Weights add up to the volume of the reference shape. Degrees: A. H. Stroud, "Approximate
calculation of multiple integrals", 1971 (T2:5-1, T3:2-1, T3:5-1).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import permutations
from math import acos, cos, pi, sqrt

import numpy as np


@dataclass(frozen=True, eq=False)
class Rule:
    """points: (q, d) natural coordinates;  weights: (q,)."""

    points: np.ndarray
    weights: np.ndarray


@cache
def line(n: int) -> Rule:
    """Gauss–Legendre, exact up to degree 2n − 1."""
    points, weights = np.polynomial.legendre.leggauss(n)
    return Rule(points[:, None], weights)


def _product(a: Rule, b: Rule) -> Rule:
    points = [np.concatenate([p, q]) for q in b.points for p in a.points]
    return Rule(np.array(points), np.outer(b.weights, a.weights).ravel())


@cache
def quadrilateral(n: int) -> Rule:
    """n × n Gauss points."""
    return _product(line(n), line(n))


@cache
def hexahedron(n: int) -> Rule:
    """n × n × n Gauss points."""
    return _product(quadrilateral(n), line(n))


def _symmetric(*orbits: tuple[float, tuple[float, ...]], measure: float) -> Rule:
    """All permutations of barycentric coordinates, each orbit with its weight; weights of one add up to 1."""
    points, weights = [], []
    for weight, barycentric in orbits:
        orbit = sorted(set(permutations(barycentric)))
        points += [p[1:] for p in orbit]
        weights += [weight * measure] * len(orbit)
    return Rule(np.array(points), np.array(weights))


@cache
def triangle(degree: int) -> Rule:
    """1, 3 or 7 points, exact up to degree 1, 2, 5."""
    if degree <= 1:
        return _symmetric((1.0, (1 / 3, 1 / 3, 1 / 3)), measure=0.5)
    if degree == 2:
        return _symmetric((1 / 3, (1 / 6, 1 / 6, 2 / 3)), measure=0.5)
    a, b, s = (6 - sqrt(15)) / 21, (6 + sqrt(15)) / 21, sqrt(15)
    return _symmetric(
        (9 / 40, (1 / 3, 1 / 3, 1 / 3)),
        ((155 - s) / 1200, (a, a, 1 - 2 * a)),
        ((155 + s) / 1200, (b, b, 1 - 2 * b)),
        measure=0.5,
    )


@cache
def tetrahedron(degree: int) -> Rule:
    """1, 4, 8 or 15 points, exact up to degree 1, 2, 3, 5; all inside and of positive weight."""
    if degree <= 1:
        return _symmetric((1.0, (0.25, 0.25, 0.25, 0.25)), measure=1 / 6)
    if degree == 2:
        a = (5 - sqrt(5)) / 20
        return _symmetric((0.25, (a, a, a, 1 - 3 * a)), measure=1 / 6)
    if degree == 3:
        # two orbits of equal weight at t = 1 − 4a: Σ w t² = 1/5 and Σ w t³ = 1/15 give t₁ + t₂ = S, t₁ t₂ = S²/2 − 1/5
        # with S³ − 6/5 S + 4/15 = 0; its middle root puts all points inside
        S = 2 * sqrt(0.4) * cos(acos(-sqrt(2.5) / 3) / 3 - 2 * pi / 3)
        root = sqrt(0.2 - S * S / 4)
        a, b = (1 - S / 2 - root) / 4, (1 - S / 2 + root) / 4
        return _symmetric((0.125, (a, a, a, 1 - 3 * a)), (0.125, (b, b, b, 1 - 3 * b)), measure=1 / 6)
    s = sqrt(15)
    a, b, c = (7 - s) / 34, (7 + s) / 34, (10 - 2 * s) / 40
    return _symmetric(
        (16 / 135, (0.25, 0.25, 0.25, 0.25)),
        ((2665 + 14 * s) / 37800, (a, a, a, 1 - 3 * a)),
        ((2665 - 14 * s) / 37800, (b, b, b, 1 - 3 * b)),
        (10 / 189, (c, c, 0.5 - c, 0.5 - c)),
        measure=1 / 6,
    )


@cache
def wedge(degree: int, n: int) -> Rule:
    """Triangle rule of a degree × n Gauss points."""
    return _product(triangle(degree), line(n))
