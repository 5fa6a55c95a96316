"""Dual numbers: every operation against differences, in Python and compiled; a law's tangent from its residual."""

from __future__ import annotations

import ctypes
import math

import numpy as np
import pytest

from flexor.law import dual as elementary
from flexor.law.compile import compiled
from flexor.law.dual import Dual, acos, asin, atan2, cos, duals, exp, floor, log, sin, sqrt, tan, tanh


def arithmetic(x, y):
    return 2.0 * x - y / 3.0 + (x * y + 1.0) / (y - 4.0) - (1.0 - x) * 0.5 + 3.0 / x


def roots(x, y):
    return sqrt(x * x + y) + abs(x - 5.0) + max(x, y) * min(x, 2.0) - max(0.0, x) + min(7.0, y)


def circular(x, y):
    return sin(x) * cos(y) + tan(0.3 * x) + atan2(y, x) + asin(0.4 * x) - acos(0.3 * y)


def exponential(x, y):
    return exp(-x) * log(1.0 + y) + tanh(x * y)


def branches(x, y):
    total = 0.0
    for i in range(3):
        total += i * x
    if x > y:
        total -= y
    if x <= 0.5 or y == 1.0:
        total = 1.0
    return total + floor(x)


FORMULAS = (arithmetic, roots, circular, exponential, branches)
POINTS = ((0.7, 1.3), (1.1, 0.4), (0.9, 0.91))


def _evaluator(formula):
    def evaluator(p, x, out):
        z = duals(out)
        z[0] = x
        out[1] = p[1]  # the ε parts of both arguments
        z[1] = p[0]
        out[3] = p[2]
        z[2] = formula(z[0], z[1])
        return 0

    return evaluator


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("formula", FORMULAS)
def test_slopes(formula, point):
    x, y = point
    a, b = 0.3, -1.7
    eps = 1e-6
    expected = (formula(x + a * eps, y + b * eps) - formula(x - a * eps, y - b * eps)) / (2 * eps)
    found = formula(Dual(x, a), Dual(y, b))
    assert found.a == formula(x, y)
    assert found.b == pytest.approx(expected, rel=1e-8, abs=1e-8)
    out, p = np.zeros(8), np.array([y, a, b])
    pointers = [array.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for array in (p, out)]
    assert compiled(_evaluator(formula), "evaluator").ctypes(pointers[0], x, pointers[1]) == 0
    np.testing.assert_allclose(out[4:6], [found.a, found.b], rtol=1e-14)


def test_powers():
    assert (Dual(2.0, 3.0) ** 3).b == 36.0
    assert (Dual(2.0, 1.0) ** Dual(3.0, 0.0)).b == pytest.approx(12.0, rel=1e-14)
    assert (Dual(0.0, 1.0) ** 0).b == 0.0


def test_every_function_equals_that_of_math_on_floats():
    for function in elementary.ELEMENTARY:
        arguments = (0.3, 0.4) if function is elementary.atan2 else (0.3,)
        assert function(*arguments) == getattr(math, function.__name__)(*arguments)


def test_infinite_slope_of_the_root_at_zero():
    assert math.isinf(sqrt(Dual(0.0, 1.0)).b)
