"""Ramps against closed forms."""

from __future__ import annotations

import math

import pytest

import flexor.functions as fx
from flexor.errors import ModelError


def test_run_up_of_a_motor():
    f = fx.ramp(0, "3000 rpm", over="0.1 s")
    assert f.final == pytest.approx(100 * math.pi)
    assert f(-1.0) == 0.0
    assert f(0.05) == pytest.approx(50 * math.pi)
    assert f(0.1) == f.final
    assert f.integral(0.1) == pytest.approx(5 * math.pi)  # half of the angle at full speed
    assert f.derivative(0.05) == pytest.approx(15 / 8 * f.final / 0.1)


@pytest.mark.parametrize(
    ("smooth", "slopes", "curvatures"),
    [
        ("quintic", (0, 0), (0, 0)),
        ("cubic", (0, 0), (6, -6)),
        ("cosine", (0, 0), (math.pi**2 / 2, -(math.pi**2) / 2)),
        ("linear", (1, 1), (0, 0)),
    ],
)
def test_ends_of_each_shape(smooth, slopes, curvatures):
    f = fx.ramp(0, 1, over=1, smooth=smooth)
    inside = (1e-9, 1 - 1e-9)
    assert [f(x) for x in inside] == pytest.approx([0, 1], abs=2e-9)
    assert [f.derivative(x) for x in inside] == pytest.approx(slopes, abs=2e-8)
    assert [f.derivative(x, 2) for x in inside] == pytest.approx(curvatures, abs=1e-6)
    assert [f.derivative(x, 2) for x in (-1e-9, 1 + 1e-9)] == [0, 0]
    assert f(0.5) == pytest.approx(0.5)
    assert f.integral(1.0) == pytest.approx(0.5)


def test_values_between():
    u = 0.3
    assert fx.ramp(2, 4, over=2, start=1)(1.6) == pytest.approx(2 + 2 * (10 * u**3 - 15 * u**4 + 6 * u**5))
    assert fx.ramp(2, 4, over=2, start=1, smooth="cubic")(1.6) == pytest.approx(2 + 2 * (3 * u**2 - 2 * u**3))
    cosine = fx.ramp(2, 4, over=2, start=1, smooth="cosine")
    assert cosine(1.6) == pytest.approx(3 - math.cos(math.pi * u))
    assert fx.ramp(2, 4, over=2, start=1, smooth="linear")(1.6) == pytest.approx(2.6)


def test_cosine_integral_has_no_cancellation():
    f = fx.ramp(0, 1, over=1, smooth="cosine")
    assert f.integral(1e-4) == pytest.approx(math.pi**2 * 1e-12 / 12, rel=1e-8)
    below, above = f.integral(0.1 - 1e-12), f.integral(0.1 + 1e-12)
    assert above - below == pytest.approx(2e-12 * f(0.1), abs=1e-16)


def test_integral_counts_from_zero_when_the_ramp_has_begun():
    f = fx.ramp(0, 2, over=2, start=-1, smooth="linear")
    assert f.integral(1.0) == pytest.approx(1.5)  # f = 1 + x
    assert f.integral(-1.0) == pytest.approx(-0.5)
    assert f.integral(-3.0) == pytest.approx(-0.5)
    assert f.integral(4.0) == pytest.approx(7.5)


def test_yes_and_no():
    assert fx.ramp(0, 1, over=1, smooth=True) == fx.ramp(0, 1, over=1)
    assert fx.ramp(0, 1, over=1, smooth=False).smooth == "linear"


def test_mistakes():
    with pytest.raises(ModelError, match=r"over = .* should be greater than 0"):
        fx.ramp(0, 1, over="0 s")
    with pytest.raises(ModelError, match="over is missing"):
        fx.ramp(0, 1)
    with pytest.raises(ModelError, match="did you mean rpm"):
        fx.ramp(0, "3000 rmp", over=1)
