"""Spectra and waterfalls against tones, chirps, Parseval and SciPy's short-time Fourier transform; a rotor's run-up."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import signal as sp

import flexor as fx
from flexor.results.signal import Signal
from flexor.results.spectrum import UnevenTimes, spectrum_of, waterfall_of

T = np.arange(4000) / 1000.0


def tone(x: np.ndarray, t: np.ndarray = T) -> Signal:
    return Signal(x, t, "a.acceleration_x", "m/s²")


def test_tones_have_their_amplitudes():
    got = spectrum_of(tone(3 + 2.0 * np.sin(2 * np.pi * 50 * T) + 0.5 * np.cos(2 * np.pi * 120 * T)))
    assert got.peaks(2) == [pytest.approx((50.0, 2.0)), pytest.approx((120.0, 0.5))]
    assert got.rms == pytest.approx(np.sqrt((2.0**2 + 0.5**2) / 2), rel=1e-3)
    assert got.resolution == 0.25
    assert "2 m/s² at 50 Hz" in repr(got)


def test_parseval():
    x = np.random.default_rng(2).normal(size=len(T))
    got = spectrum_of(tone(x), window="none")
    assert got.rms**2 == pytest.approx(np.var(x), rel=1e-12)
    welch = sp.periodogram(x, fs=1000.0, detrend="constant")[1]
    np.testing.assert_allclose(got.psd[1:], welch[1:], rtol=1e-9)


def test_a_waterfall_is_the_short_time_fourier_transform():
    x = np.random.default_rng(3).normal(size=1024)
    assert len(waterfall_of(tone(x, T[:1024]), segment="0.128 s", overlap=0).along) == 8
    got = waterfall_of(tone(x, T[:1024]), segment="0.128 s", overlap=0.5)
    _, _, Z = sp.stft(x, fs=1000.0, window="hann", nperseg=128, noverlap=64, boundary=None, padded=False)
    np.testing.assert_allclose(got.amplitudes[:, 3:-1], 2 * np.abs(Z.T[:, 3:-1]), rtol=1e-9)  # its mean is kept there
    assert got.along[1] - got.along[0] == pytest.approx(0.064)


def test_a_chirp_is_followed():
    x = np.sin(2 * np.pi * (20 * T + 0.5 * 40 * T**2))  # f = 20 + 40 t
    got = waterfall_of(tone(x), segment="0.2 s")
    top = got.frequencies[np.argmax(got.amplitudes, axis=1)]
    np.testing.assert_allclose(top, 20 + 40 * got.along, atol=5.1)


def test_the_run_up_of_an_unbalanced_rotor(tmp_path):
    """The first order of the bearing's force is m e Ω²."""
    shaft = fx.RigidBody("shaft", mass=2.0, inertia=(0.1, 0.1, 0.1), center_of_mass=(1e-3, 0, 0))
    items = [
        shaft,
        fx.Revolute("pin", fx.ground, shaft, axis="z"),
        fx.Motor("motor", "pin", speed=fx.ramp(20, 120, over="4 s")),
    ]
    run = fx.Model("rotor", items).dynamics("4 s", "2 ms", show=False)
    got = run.waterfall("pin.force_x", segment="0.5 s", over="shaft.angular_velocity_z", orders=(1, 2))
    assert np.all(np.diff(got.along) > 0)
    np.testing.assert_allclose(got.order(1), 2e-3 * got.along**2, rtol=0.35)  # a sweeping tone spreads over lines
    assert got.order(2).max() < 0.3 * got.order(1).max()
    for ridges in (False, True):
        got.plot(tmp_path / f"{ridges}.png", up_to="40 Hz", ridges=ridges)
        assert (tmp_path / f"{ridges}.png").stat().st_size > 5000
    run.spectrum("pin.force_x").plot(tmp_path / "s.png")
    assert (tmp_path / "s.png").stat().st_size > 5000
    assert "along shaft.angular_velocity_z" in repr(got)


def test_uneven_times_are_told():
    t = np.sort(np.random.default_rng(4).uniform(0, 4, 4000))
    with pytest.warns(UnevenTimes, match="output="):
        got = spectrum_of(tone(np.sin(2 * np.pi * 5 * t), t))
    assert got.peaks(1)[0] == pytest.approx((5.0, 1.0), rel=0.02)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"segment": "9 s"}, "shorter segment"),
        ({"overlap": 0.99}, "0.95"),
        ({"overlap": -0.1}, "negative"),
        ({"orders": (1,)}, "multiples of a speed"),
    ],
)
def test_bad_windows_are_refused(change, told):
    with pytest.raises(fx.ModelError, match=told):
        waterfall_of(tone(np.sin(T)), **change)


def test_what_has_no_spectrum_is_refused():
    with pytest.raises(fx.ModelError, match="one component"):
        spectrum_of(Signal(np.zeros((20, 3)), np.arange(20.0), "a.position", "m"))
    with pytest.raises(fx.ModelError, match="longer run"):
        spectrum_of(tone(np.zeros(3), T[:3]))
    with pytest.raises(fx.ModelError, match="no window"):
        spectrum_of(tone(T), window="flat")
