"""Sums, products and factors."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import flexor.functions as fx
from flexor.errors import LawError, ModelError

RAMP = fx.ramp(0, 2, over=1)
SINE = fx.sine(1, frequency="3 rad/s")
x = np.linspace(-1, 2, 13)


def test_operators():
    np.testing.assert_allclose((RAMP + SINE)(x), RAMP(x) + SINE(x))
    np.testing.assert_allclose((RAMP - SINE)(x), RAMP(x) - SINE(x))
    np.testing.assert_allclose((RAMP * SINE)(x), RAMP(x) * SINE(x))
    np.testing.assert_allclose((RAMP - 1)(x), RAMP(x) - 1)
    np.testing.assert_allclose((1 - RAMP)(x), 1 - RAMP(x))
    np.testing.assert_allclose(("t" + RAMP)(x), RAMP(x) + x)
    np.testing.assert_allclose((RAMP * "2*t")(x), RAMP(x) * 2 * x)
    np.testing.assert_allclose((-RAMP / 4)(x), -RAMP(x) / 4)
    assert isinstance(2 * RAMP, fx.Scaled)
    assert isinstance(RAMP * fx.constant(2), fx.Scaled)
    assert "20 mm" * RAMP == RAMP * 0.02


def test_sums_are_flat():
    assert len((RAMP + SINE + 1 + RAMP).terms) == 4
    assert len((1 + (RAMP + SINE)).terms) == 3


def test_sum_of_many_sines_shares_one_evaluator():
    def sea(n):
        return fx.Sum([fx.sine(1 / k, frequency=k / 7, phase=k) for k in range(1, n)])

    assert sea(5).evaluator is sea(60).evaluator
    expected = sum(math.sin(2 * math.pi * k / 7 * 0.4 + k) / k for k in range(1, 60))
    assert sea(60)(0.4) == pytest.approx(expected)


def test_integral_of_a_product():
    """∫₀ˣ ξ sin ξ dξ = sin x − x cos x"""
    f = fx.polynomial(0, 1) * fx.sine(1, frequency="1 rad/s")
    for end in (-2.0, 0.3, 5.0, 40.0):
        assert f.integral(end) == pytest.approx(math.sin(end) - end * math.cos(end), rel=1e-12, abs=1e-14)


def test_integral_of_a_product_with_jumps_and_knots():
    points = np.linspace(0, 2, 30)
    spline = CubicSpline(points, np.sin(4.5 * points))
    f = fx.step(1, 3, at=0.77) * fx.table(points, np.sin(4.5 * points), kind="cubic")
    assert f.integral(1.9) == pytest.approx(spline.integrate(0, 0.77) + 3 * spline.integrate(0.77, 1.9), rel=1e-13)


def test_breakpoints_of_members():
    assert (fx.step(at=3) * RAMP + fx.step(at=-1)).breakpoints == (-1, 0, 1, 3)


def test_error_of_a_member_comes_out():
    f = 2 * (fx.table([0, 1], [0, 1], extrapolation="error") + SINE) * "1/(t - 0.5)"
    with pytest.raises(LawError, match="outside the table"):
        f(2.0)
    with pytest.raises(LawError, match="division by zero"):
        f(0.5)
    assert f(0.25) == pytest.approx(2 * (0.25 + math.sin(0.75)) / -0.25)


def test_mistakes():
    with pytest.raises(ModelError, match="terms"):
        fx.Sum([])
    with pytest.raises(ModelError, match="did you mean rpm"):
        fx.Sum(["3000 rmp"])
    f = RAMP
    for _ in range(16):
        f = -f
    assert f(2.0) == 2.0
    with pytest.raises(ModelError, match="nested"):
        f.__neg__()
