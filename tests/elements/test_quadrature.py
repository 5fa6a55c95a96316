"""Integration rules: monomials up to the stated degree against closed form, points inside, weights positive."""

from __future__ import annotations

from itertools import product
from math import factorial

import numpy as np
import pytest

from flexor.elements import quadrature


def line_integral(i: int) -> float:
    return 2 / (i + 1) if i % 2 == 0 else 0.0


def simplex_integral(*powers: int) -> float:
    """∫ r^i s^j … over r, s, … ≥ 0, r + s + … ≤ 1"""
    numerator = np.prod([factorial(p) for p in powers])
    return float(numerator / factorial(sum(powers) + len(powers)))


def integrate(rule: quadrature.Rule, powers: tuple[int, ...]) -> float:
    return float(rule.weights @ np.prod(rule.points ** np.array(powers), axis=1))


@pytest.mark.parametrize("n", [1, 2, 3])
def test_hexahedron(n: int) -> None:
    for powers in product(range(2 * n), repeat=3):
        expected = np.prod([line_integral(p) for p in powers])
        assert integrate(quadrature.hexahedron(n), powers) == pytest.approx(expected, abs=1e-14)
    assert integrate(quadrature.hexahedron(n), (2 * n, 0, 0)) != pytest.approx(4 * line_integral(2 * n), rel=1e-6)


@pytest.mark.parametrize("degree", [1, 2, 5])
def test_triangle(degree: int) -> None:
    rule = quadrature.triangle(degree)
    for powers in product(range(degree + 1), repeat=2):
        if sum(powers) <= degree:
            assert integrate(rule, powers) == pytest.approx(simplex_integral(*powers), abs=1e-15)
    assert np.all(rule.weights > 0)


@pytest.mark.parametrize("degree", [1, 2, 3, 5])
def test_tetrahedron(degree: int) -> None:
    rule = quadrature.tetrahedron(degree)
    for powers in product(range(degree + 1), repeat=3):
        if sum(powers) <= degree:
            assert integrate(rule, powers) == pytest.approx(simplex_integral(*powers), abs=1e-15)
    barycentric = np.column_stack([rule.points, 1 - rule.points.sum(axis=1)])
    assert np.all(barycentric > 0)
    assert np.all(rule.weights > 0)


def test_wedge() -> None:
    rule = quadrature.wedge(5, 3)
    for i, j, k in product(range(6), repeat=3):
        if i + j <= 5:
            assert integrate(rule, (i, j, k)) == pytest.approx(simplex_integral(i, j) * line_integral(k), abs=1e-15)
