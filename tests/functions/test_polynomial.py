"""Constants and polynomials against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.polynomial import Polynomial as Reference

import flexor.functions as fx
from flexor.errors import ModelError


def test_constant():
    f = fx.constant("3 kN")
    assert f(12.0) == 3000.0
    assert f.integral(2.0) == 6000.0


@pytest.mark.parametrize("coefficients", [(2.0,), (1.0, -3.0), (0.5, 0.0, 2.0, -1.0, 0.25)])
def test_against_numpy(coefficients):
    f, reference = fx.polynomial(*coefficients), Reference(coefficients)
    x = np.linspace(-2, 3, 11)
    np.testing.assert_allclose(f(x), reference(x), rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(f.derivative(x), reference.deriv()(x), rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(f.derivative(x, 2), reference.deriv(2)(x), rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(f.integral(x), reference.integ()(x), rtol=1e-13, atol=1e-13)


def test_units_and_mistakes():
    assert fx.polynomial(0, "20 N/mm").coefficients == (0, 20000)
    with pytest.raises(ModelError, match="coefficients"):
        fx.polynomial()
