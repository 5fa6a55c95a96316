"""Parameters of a law: packed in the order it reads them, functions behind all numbers."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

import flexor.functions as fx
from flexor.law.compile import compiled
from flexor.law.parameters import Parameters
from flexor.law.primitives import at, call_function
from tests.functions.samples import SAMPLES


def reading_kernel_in_python(k, p, x):
    out = np.full(fx.OUT_SIZE, np.nan)
    assert call_function(k[0], at(p, k[1]), x, out) == 0
    return out


def test_order():
    packed = (
        Parameters(python=True)
        .integers(4, True)
        .function(fx.polynomial(1, 2, 3))
        .numbers(1.5, np.eye(2), [[7], [8]])
        .function(None)
        .function(fx.constant(9))
        .packed()
    )
    assert packed["ints"][:2] == (4, 1)
    assert packed["ints"][4:6] == (0, 0)
    assert packed["floats"][:7] == (1.5, 1, 0, 0, 1, 7, 8)
    assert packed["ints"][3] == 7
    assert packed["floats"][7:11] == (3.0, 1.0, 2.0, 3.0)
    assert packed["floats"][packed["ints"][7] :] == (9.0,)


@pytest.mark.parametrize("f", SAMPLES.values(), ids=SAMPLES.keys())
def test_every_kind_of_function_can_be_packed(f):
    x = 0.83
    packed = Parameters(python=True).numbers(1, 2, 3).function(f, integral=True).packed()
    out = reading_kernel_in_python(packed["ints"], np.array(packed["floats"]), x)
    np.testing.assert_allclose(out[:4], [f(x), f.derivative(x), f.derivative(x, order=2), f.integral(x)], rtol=1e-14)
    values = Parameters(python=True).function(f).packed()
    np.testing.assert_array_equal(reading_kernel_in_python(values["ints"], np.array(values["floats"]), x)[:3], out[:3])


def test_the_integral_is_only_worked_out_on_request():
    """It costs a quadrature where there is no closed form."""
    f = fx.expression("exp(-t^2)")
    assert Parameters(python=True).function(f).packed()["floats"] == f.value_parameters
    assert Parameters(python=True).function(f, integral=True).packed()["floats"] == f.parameters
    assert f.value_parameters != f.parameters


def calling(p, x, out):
    return call_function(int(p[0]), at(p, 2), x, out)


def test_compiled_call_of_a_packed_function():
    f = fx.polynomial(1, -2, 0.5)
    packed = Parameters().function(f).packed()
    address = packed["ints"][0]
    assert address == compiled(f.evaluator, "evaluator").address
    memory = np.array([float(address), 0.0, *packed["floats"]])
    out = np.zeros(fx.OUT_SIZE)
    pointer = ctypes.POINTER(ctypes.c_double)
    run = compiled(calling, "evaluator").ctypes
    assert run(memory.ctypes.data_as(pointer), 0.7, out.ctypes.data_as(pointer)) == 0
    assert out[0] == pytest.approx(f(0.7))
