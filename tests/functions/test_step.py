"""Steps against closed forms."""

from __future__ import annotations

import pytest

import flexor.functions as fx
from flexor.errors import ModelError


def test_sudden_step():
    f = fx.step(1, 3, at="1 s")
    assert f([0.999, 1.0, 1.001]).tolist() == [1, 3, 3]
    assert f.derivative(1.0) == 0.0
    assert f.integral(2.0) == pytest.approx(4)
    assert f.integral(-2.0) == pytest.approx(-2)


def test_sudden_step_before_zero():
    f = fx.step(1, 3, at=-1)
    assert f.integral(-2.0) == pytest.approx(-4)
    assert f.integral(2.0) == pytest.approx(6)


def test_smooth_step_is_the_cubic_of_adams():
    """STEP(x, x0, h0, x1, h1) = h0 + (h1 − h0) Δ² (3 − 2Δ), Δ = (x − x0)/(x1 − x0)   (ADAMS/Solver)"""
    f = fx.step(-1, 4, at=2, width=0.5)
    delta = (2.2 - 2) / 0.5
    assert f(2.2) == pytest.approx(-1 + 5 * delta**2 * (3 - 2 * delta))
    assert f(2.0) == -1
    assert f(2.5) == 4


def test_defaults_are_the_unit_step():
    assert fx.step()([-0.1, 0.0, 0.1]).tolist() == [0, 1, 1]


def test_negative_width():
    with pytest.raises(ModelError, match="width"):
        fx.step(0, 1, width="-1 ms")
