"""Sines and harmonics against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest

import flexor.functions as fx
from flexor.errors import ModelError


def test_frequency_in_hertz_radians_or_revolutions():
    assert fx.sine(1, frequency=5) == fx.sine(1, frequency="5 Hz") == fx.sine(1, frequency="300 rpm")
    assert fx.sine(1, frequency="2 rad/s")(0.6) == pytest.approx(math.sin(1.2))


def test_always_on():
    f = fx.sine(3, frequency="2 rad/s", phase="30 deg", offset=1)
    x = np.linspace(-5, 5, 21)
    np.testing.assert_allclose(f(x), 1 + 3 * np.sin(2 * x + math.pi / 6))
    np.testing.assert_allclose(f.integral(x), x + 1.5 * (math.cos(math.pi / 6) - np.cos(2 * x + math.pi / 6)))


def test_start_and_half_sine_shock():
    f = fx.sine(100, frequency="50 Hz", start="20 ms", cycles=0.5)  # 10 ms long
    assert f(0.0199) == 0.0
    assert f(0.025) == pytest.approx(100)
    assert f(0.0301) == 0.0
    assert f.integral(1.0) == pytest.approx(2 / math.pi * 100 * 0.01)
    assert fx.sine(1, frequency=1, cycles=2)(-0.3) == 0.0
    assert fx.sine(1, frequency=1, start=1, phase="90 deg")(1.0) == pytest.approx(1)  # phase counts from the start


def test_integral_of_many_periods():
    f = fx.sine(1, frequency=1000)
    assert f.integral(100.0) == pytest.approx(0, abs=1e-14)
    assert f.integral(1e-9) == pytest.approx(math.pi * 1e-15, rel=1e-9)


def test_zero_frequency():
    with pytest.raises(ModelError, match="frequency"):
        fx.sine(1, frequency=0)


def test_harmonics_sum_up_sines():
    f = fx.harmonics("3 rad/s", cosines=[0, 0.5], sines=["20 mm"], mean=1)
    x = np.linspace(-2, 2, 9)
    np.testing.assert_allclose(f(x), 1 + 0.5 * np.cos(6 * x) + 0.02 * np.sin(3 * x))
    np.testing.assert_allclose(f.integral(x), x + 0.5 * np.sin(6 * x) / 6 + 0.02 * (1 - np.cos(3 * x)) / 3)


def test_square_wave_from_its_series():
    """Σ 4/(πk) sin kωx over odd k tends to the square wave of height 1."""
    orders = np.arange(1, 400)
    f = fx.harmonics("1 rad/s", sines=np.where(orders % 2, 4 / (math.pi * orders), 0.0).tolist())
    assert f(math.pi / 2) == pytest.approx(1, abs=2e-3)
    assert f.integral(math.pi) == pytest.approx(math.pi, rel=2e-3)
