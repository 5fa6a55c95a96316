"""What holds for each function: exact derivatives and integral, round trip, compiled = Python, no overrun."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import yaml
from pydantic import TypeAdapter

import flexor.functions as fx
from flexor.errors import LawError
from flexor.functions.status import NO_INTEGRAL
from flexor.law.compile import compiled
from tests.functions.samples import ARGUMENTS, SAMPLES

ANY = TypeAdapter(fx.AnyFunction)
sample = pytest.mark.parametrize("f", SAMPLES.values(), ids=SAMPLES.keys())


def slope(f, x, h=1e-3):
    """Derivative by central differences of sixth order."""
    return sum(c * (f(x + k * h) - f(x - k * h)) for k, c in ((1, 0.75), (2, -0.15), (3, 1 / 60))) / h


def smooth_arguments(f):
    """Arguments whose neighbourhood has no breakpoint (nor its image in a periodic table)."""
    points = np.array(f.breakpoints)
    if isinstance(f, fx.Table) and f.extrapolation == "periodic":
        points = np.concatenate([points + k * (points[-1] - points[0]) for k in range(-3, 4)])
    return [x for x in ARGUMENTS if not len(points) or np.abs(points - x).min() > 0.01]


def test_every_kind_has_a_sample():
    assert {type(f) for f in SAMPLES.values()} == set(fx.FUNCTIONS)


@sample
def test_first_derivative(f):
    for x in smooth_arguments(f):
        assert f.derivative(x) == pytest.approx(slope(f, x), rel=1e-9, abs=1e-9)


@sample
def test_second_derivative(f):
    for x in smooth_arguments(f):
        assert f.derivative(x, order=2) == pytest.approx(slope(f.derivative, x), rel=1e-8, abs=1e-8)


@sample
def test_integral(f):
    assert f.integral(0.0) == 0.0
    for x in smooth_arguments(f):
        assert f(x) == pytest.approx(slope(f.integral, x), rel=1e-9, abs=1e-9)


@sample
def test_integral_is_continuous_at_breakpoints(f):
    for x in f.breakpoints:
        assert f.integral(x + 1e-9) == pytest.approx(f.integral(x - 1e-9), abs=1e-7)


@sample
def test_round_trip(f):
    assert type(f).model_validate_json(f.model_dump_json()) == f
    assert ANY.validate_json(ANY.dump_json(f)) == f
    assert ANY.validate_python(yaml.safe_load(yaml.safe_dump(ANY.dump_python(f, mode="json")))) == f
    assert ANY.validate_python(f) is f
    assert hash(ANY.validate_json(ANY.dump_json(f))) == hash(f)


@sample
def test_vectorised(f):
    x = np.array(ARGUMENTS).reshape(3, 4)
    values = f(x)
    assert values.shape == (3, 4)
    assert values[1, 2] == f(x[1, 2])
    assert isinstance(f(0.3), float)
    assert isinstance(f(1), float)


GUARD = 1.2345e301


def guarded(values, size):
    """Memory of exactly this size, and guards on both sides of it."""
    memory = np.full(size + 16, GUARD)
    memory[8 : 8 + len(values)] = values
    return memory, memory[8 : 8 + size]


@sample
@pytest.mark.parametrize("integral", [True, False], ids=["with integral", "values only"])
def test_compiled_evaluator_does_the_same(f, integral):
    numbers = f.parameters if integral else f.value_parameters
    assert all(isinstance(number, float) for number in numbers)
    evaluator = compiled(f.evaluator, "evaluator").ctypes
    pointer = ctypes.POINTER(ctypes.c_double)
    for x in ARGUMENTS:
        parameters, p = guarded(numbers, len(numbers))
        before = parameters.copy()
        memory, out = guarded([], fx.OUT_SIZE)
        expected = np.full(fx.OUT_SIZE, GUARD)  # exactly sized: an overrun would be an IndexError
        assert f.evaluator(p, x, expected) == 0
        assert evaluator(p.ctypes.data_as(pointer), x, out.ctypes.data_as(pointer)) == 0
        np.testing.assert_allclose(out[:4], expected[:4], rtol=1e-12, atol=1e-13)
        np.testing.assert_array_equal(parameters, before)
        np.testing.assert_array_equal(np.r_[memory[:8], memory[-8:]], GUARD)


@sample
def test_values_do_not_depend_on_whether_the_integral_is_wanted(f):
    with_integral, without = np.zeros(fx.OUT_SIZE), np.zeros(fx.OUT_SIZE)
    for x in ARGUMENTS:
        f.evaluator(f.parameters, x, with_integral)
        f.evaluator(f.value_parameters, x, without)
        np.testing.assert_array_equal(with_integral[:3], without[:3])


@sample
def test_same_kind_shares_one_evaluator(f):
    """Otherwise each copy of a function would be compiled anew."""
    assert ANY.validate_json(ANY.dump_json(f)).evaluator is f.evaluator


def test_compiled_status():
    f = fx.expression("sqrt(t)*1/(t - 1)")
    evaluator = compiled(f.evaluator, "evaluator").ctypes
    p, out = np.array(f.value_parameters), np.zeros(fx.OUT_SIZE)
    pointer = ctypes.POINTER(ctypes.c_double)
    for x in (-1.0, 1.0, np.nan, np.inf):
        status = f.evaluator(p, x, np.zeros(fx.OUT_SIZE))
        assert status in fx.ERRORS
        assert evaluator(p.ctypes.data_as(pointer), x, out.ctypes.data_as(pointer)) == status
        assert np.isnan(out[:4]).all()


OUTSIDE = fx.table([0, 1], [1, 2], extrapolation="error")


@pytest.mark.parametrize(
    "f",
    [
        OUTSIDE,
        fx.expression("1/(t - 2)"),
        2 * OUTSIDE,
        1 + OUTSIDE,
        OUTSIDE + "t",
        OUTSIDE * "t",
        "t" * OUTSIDE,
    ],
    ids=["table", "expression", "scaled", "sum first", "sum last", "product first", "product last"],
)
def test_where_there_is_no_value_there_is_nan(f):
    """A caller that forgets the status must not compute on with stale numbers."""
    out = np.zeros(fx.OUT_SIZE)
    for p in (f.parameters, f.value_parameters):
        out[:] = 7.0
        assert f.evaluator(p, 2.0, out) in fx.ERRORS
        assert np.isnan(out[:4]).all()


@pytest.mark.parametrize("wrapped", [lambda f: f, lambda f: 3 * f, lambda f: f + 1, lambda f: 1 + f, lambda f: f + "t"])
def test_values_exist_where_the_integral_does_not(wrapped):
    f = wrapped(fx.expression("if(t > 0, 1/t, 0)"))
    out = np.zeros(fx.OUT_SIZE)
    assert f.evaluator(f.parameters, 2.0, out) == NO_INTEGRAL
    np.testing.assert_array_equal(out[:3], [f(2.0), f.derivative(2.0), f.derivative(2.0, 2)])
    assert np.isnan(out[3])
    with pytest.raises(LawError, match="the integral from 0 does not converge"):
        f.integral(2.0)


def test_order_of_derivative():
    with pytest.raises(ValueError, match="order = 3 is not available; take 1 or 2"):
        fx.constant(1).derivative(0.0, order=3)


def test_error_names_function_and_argument():
    with pytest.raises(LawError, match=r"expression '1/t' at x = 0: division by zero; guard it"):
        fx.expression("1/t")(0.0)


def test_import_is_light():
    code = "import sys, flexor.functions; print(sorted({'numba', 'scipy', 'matplotlib'} & set(sys.modules)))"
    environment = {**os.environ, "PYTHONPATH": str(Path(fx.__file__).parents[2])}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert run.stdout == "[]\n"


def test_plot():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = fx.ramp(0, 2, over=0.5).plot()
    x, y = axes.lines[0].get_data()
    assert x[-1] == pytest.approx(0.6)
    assert y[-1] == 2.0
    assert fx.sine(1, frequency=1).plot(order=1, axes=axes) is axes
    assert axes.lines[1].get_ydata()[0] == pytest.approx(2 * np.pi)
