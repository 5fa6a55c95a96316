"""Fewer digits, smaller files."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import flexor as fx
from flexor.results.rounding import rounded

HANGING = fx.Model(
    "hanging",
    [
        bob := fx.RigidBody("bob", 1, 0.1, position=(1, 0, 0)),
        fx.Revolute("pin", fx.ground, bob.at(-1, 0, 0), axis="z"),
    ],
    gravity=(0, -9.81, 0),
)


@given(st.lists(st.floats(), min_size=1), st.integers(3, 15))
def test_half_a_unit_of_the_last_digit(values, digits):
    """Of every number that is one; others, and signs, stay what they were."""
    x = np.array(values)
    y = rounded(x, digits)
    finite = np.isfinite(x) & (np.abs(x) > 1e-300)
    assert np.array_equal(y[~np.isfinite(x)], x[~np.isfinite(x)], equal_nan=True)
    assert (np.abs(y[finite] - x[finite]) <= 0.5 * 10.0**-digits * np.abs(x[finite])).all()
    assert np.array_equal(np.signbit(y), np.signbit(x))


def test_a_run_of_seven_digits(tmp_path):
    """Signals differ in the eighth digit, times not at all, the file is less than half as large, and a continued one stays so."""
    whole = HANGING.dynamics(until=1.0, step=1e-3, file=tmp_path / "whole.h5")
    short = HANGING.dynamics(until=1.0, step=1e-3, file=tmp_path / "short.h5", digits=7)
    assert np.array_equal(short.time, whole.time)
    for name in whole.names:
        error = np.abs(short[name].values - whole[name].values)
        assert (error <= 0.51e-7 * np.abs(whole[name].values)).all()
    assert any((short[name].values != whole[name].values).any() for name in whole.names)
    size = (tmp_path / "short.h5").stat().st_size
    assert size < 0.5 * (tmp_path / "whole.h5").stat().st_size
    longer = fx.Run(tmp_path / "short.h5").continue_until(2.0)
    assert longer.packing == (True, 7)
    assert (tmp_path / "short.h5").stat().st_size < 2.2 * size
    again = rounded(longer["pin.angle"].values, 7)
    assert np.array_equal(again, longer["pin.angle"].values)


def test_a_compressed_run_stays_compressed_when_continued(tmp_path):
    HANGING.dynamics(until=0.1, step=1e-3, file=tmp_path / "a.h5", compress=True)
    assert fx.Run(tmp_path / "a.h5").continue_until(0.2).packing == (True, None)


def test_a_million_steps_take_little_room(tmp_path):
    """What is told of each step is packed: less than 4 bytes a step."""
    few = HANGING.dynamics(until=1.0, step=1e-3, output=1.0, file=tmp_path / "few.h5")
    many = HANGING.dynamics(until=9.0, step=1e-3, output=9.0, file=tmp_path / "many.h5")
    grown = (tmp_path / "many.h5").stat().st_size - (tmp_path / "few.h5").stat().st_size
    assert len(many.steps()) - len(few.steps()) == 8000
    assert grown < 4 * 8000


@pytest.mark.parametrize("digits", [0, 2, 16, -3, 7.5, True, "7"])
def test_what_is_no_number_of_digits(digits):
    with pytest.raises(fx.ModelError, match=r"digits: is .*3 to 15.*e\.g\. digits=7"):
        HANGING.dynamics(until=0.1, step=0.01, digits=digits)
