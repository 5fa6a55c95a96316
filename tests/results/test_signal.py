import numpy as np
import pytest

from flexor.errors import FlexorError
from flexor.results import Signal

T = np.array([0.0, 0.1, 0.4, 0.5])  # uneven on purpose
RAMP = Signal(2 * T - 0.12, T, "crank.angle", "rad")


def test_repr_says_name_number_span_and_range():
    t = np.linspace(0, 0.5, 2501)
    signal = Signal(-0.12 + 3.22 * t / 0.5, t, "crank.angle", "rad")
    assert repr(signal) == "crank.angle: 2501 values, 0 … 0.5 s, −0.12 … 3.1 rad"
    assert repr(Signal([], [], "x", "m")) == "x: no values"
    assert repr(Signal(np.ones((2, 3)), [0, 1], "p", "m")) == "p: 2 values × 3, 0 … 1 s, 1 … 1 m"


def test_extremes():
    assert (RAMP.min(), RAMP.max()) == (-0.12, 0.88)
    assert isinstance(RAMP.max(), float)
    assert Signal([1.0, -3.0], [0, 2]).peak() == (2.0, -3.0)


def test_mean_and_rms_weigh_values_by_time():
    # of a straight line x = 2 t − 0.12 over 0 … 0.5: mean = 0.38, ∫x² dt / T = mean² + (2 T)²/12
    assert RAMP.mean() == pytest.approx(0.38, rel=1e-14)
    assert RAMP.rms() == pytest.approx(np.sqrt(0.38**2 + 1 / 12), rel=1e-14)
    assert np.mean(RAMP) == pytest.approx(0.38)  # by chance of these times
    assert Signal([-4.0], [0.0]).rms() == 4.0
    assert Signal([-4.0], [0.0]).mean() == -4.0


def test_rms_of_a_sine_over_full_periods():
    t = np.linspace(0, 1, 4001)
    assert Signal(3 * np.sin(2 * np.pi * 5 * t), t).rms() == pytest.approx(3 / np.sqrt(2), rel=1e-4)


def test_at_interpolates_and_takes_units():
    assert RAMP.at(0.25) == pytest.approx(0.38)
    assert RAMP.at("250 ms") == pytest.approx(0.38)
    np.testing.assert_allclose(RAMP.at([0.0, 0.5]), [-0.12, 0.88])
    with pytest.raises(FlexorError, match=r"'crank.angle': has no value at t = 0.6; it covers 0 … 0.5 s"):
        RAMP.at(0.6)


def test_vectors():
    force = Signal(np.column_stack([3 * np.ones(4), 0 * T, 4 * T]), T, "pin.force", "N")
    np.testing.assert_array_equal(force.max(), [3, 0, 2])
    np.testing.assert_allclose(force.at(0.25), [3, 0, 1])
    assert force.at([0.1, 0.2]).shape == (2, 3)
    np.testing.assert_allclose(force.rms(), [3, 0, np.sqrt(4 / 3)])
    assert force.norm().peak() == (0.5, pytest.approx(np.sqrt(13)))
    assert force.peak() == force.norm().peak()
    assert (force.norm().name, force.norm().unit) == ("|pin.force|", "N")


def test_arithmetic_goes_through_numpy():
    twice = 2 * RAMP
    assert type(twice) is np.ndarray
    np.testing.assert_array_equal(twice, 2 * RAMP.values)
    np.testing.assert_array_equal(RAMP - RAMP, 0 * T)
    np.testing.assert_array_equal(np.abs(RAMP), np.abs(RAMP.values))
    np.testing.assert_array_equal(np.column_stack([RAMP, RAMP]).shape, (4, 2))
    np.testing.assert_array_equal(RAMP > 0, RAMP.values > 0)
    np.testing.assert_array_equal(RAMP[1:3], RAMP.values[1:3])
    assert np.max(RAMP) == RAMP.max()
    assert len(np.asarray(RAMP, dtype=np.float32)) == len(RAMP) == 4


def test_empty_signal_says_so():
    with pytest.raises(FlexorError, match="has no values"):
        Signal([], [], "x").max()


def test_lengths_must_agree():
    with pytest.raises(ValueError, match="2 values at 3 times"):
        Signal([1, 2], [0, 1, 2], "x")
