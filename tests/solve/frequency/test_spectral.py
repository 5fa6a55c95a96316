"""Responses to signals by way of the frequency domain: transforms, windows, against time integration, and what is told."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import signal

import flexor as fx
from flexor.solve.frequency.time_signals import hann, passed_through, segments

M, K, C = 2.0, 800.0, 12.0


def oscillator(force=0.0) -> fx.Model:
    mass = fx.RigidBody("mass", mass=M, inertia=(1, 1, 1))
    items = [
        mass, fx.Prismatic("rail", fx.ground, mass, axis="x"), fx.JointSpring("spring", "rail", stiffness=K, damping=C),
        fx.PointForce("push", mass, direction="x", force=force),
    ]  # fmt: skip
    return fx.Model("one", items)


def pulse(t: np.ndarray) -> np.ndarray:
    """A smooth push of half a second."""
    return np.where((t > 0.5) & (t < 1.0), 100.0 * np.sin(2 * np.pi * (t - 0.5)) ** 4, 0.0)


def test_windows_add_up_to_the_signal():
    x = np.random.default_rng(0).standard_normal((1000, 2))
    for n in (16, 128, 1000):
        total = np.zeros((3000, 2))
        for first, piece in segments(x, n):
            total[first + 1000 : first + 1000 + n] += piece
        np.testing.assert_allclose(total[1000:2000], x, atol=1e-12)
        assert np.abs(total[:1000]).max() == np.abs(total[2000:]).max() == 0
    assert hann(8)[0] == 0
    assert hann(8)[4] == 1


def test_what_changes_nothing_gives_the_signal_back():
    x = np.random.default_rng(1).standard_normal((501, 1))
    np.testing.assert_allclose(passed_through(lambda f: np.ones((len(f), 1, 1)), x, 10.0), x, atol=1e-12)


def test_parseval():
    """The squares over time and those of the spectrum sum up to the same, with even and odd numbers of samples."""
    for n in (400, 401):
        noise = np.random.default_rng(2).standard_normal(n)
        with pytest.warns(fx.Undersampled):
            got = oscillator().spectral_response({"push.force": noise}, "mass.position_x", sampling=100.0)
        for name in ("push.force", "mass.position_x"):
            hertz, a = got.spectrum(name)
            half = np.full(len(a), 0.5)
            half[0] = 1.0
            if n % 2 == 0:
                half[-1] = 1.0
            assert np.sum(half * np.abs(a) ** 2) == pytest.approx(np.mean(got[name] ** 2), rel=1e-12)
        H = oscillator().frequency_response(hertz, "push", "mass.position_x", method="direct")["mass.position_x"]
        inside = slice(0, -1 if n % 2 == 0 else None)  # of the highest there is but a cosine
        np.testing.assert_allclose(a[inside], (H * got.spectrum("push.force")[1])[inside], rtol=1e-7, atol=1e-15)


def test_against_the_time_integration():
    """A push on the oscillator at rest, all at once and in windows, against a run and against the exact step by step solution."""
    t = np.arange(8000) / 1000
    run = oscillator(fx.table(t, pulse(t))).dynamics("8 s", "1 ms", show=False)
    exact = signal.lsim(([1], [M, C, K]), pulse(t), t)[1]
    for options in ({}, {"padding": "4 s"}, {"window": "1 s", "padding": "4 s"}, {"window": "0.3 s", "padding": 4.0}):
        got = oscillator().spectral_response(
            {"push": (t, pulse(t))}, ["rail.displacement", "mass.acceleration_x"], **options
        )
        assert np.abs(got["rail.displacement"] - exact).max() < 5e-5 * np.abs(exact).max()
        x = np.asarray(run["rail.displacement"])[:8000]
        assert np.abs(got["rail.displacement"] - x).max() < 1e-3 * np.abs(x).max()
    assert "overlap by half" in got.method
    assert "RMS" in str(got)


def test_a_harmonic_force_has_the_periodic_response():
    """Whole periods: no transient, as of FTG's example."""
    got = oscillator().spectral_response(
        {"push.force": fx.sine(3.0, frequency=2.5)}, "mass.position_x", sampling="200 Hz", until="2 s"
    )
    w = 2 * np.pi * 2.5
    H = 1 / (K + 1j * w * C - w**2 * M)
    np.testing.assert_allclose(got["mass.position_x"], (3 * H * np.exp(1j * w * got.time)).imag, atol=1e-12)
    hertz, a = got.spectrum("mass.position_x")
    assert hertz[np.argmax(np.abs(a))] == 2.5
    assert np.abs(a).max() == pytest.approx(3 * abs(H), rel=1e-9)


def test_base_motion_and_a_signal_of_a_run():
    t = np.arange(4000) / 500
    table = fx.RigidBody("table", mass=5.0, inertia=(1, 1, 1))
    cart = fx.RigidBody("cart", mass=M, inertia=(1, 1, 1), position=(1, 0, 0))
    items = [
        table, cart, fx.Prismatic("rail", fx.ground, table, axis="x"), fx.Prismatic("second", table.at(1, 0, 0), cart, axis="x"),
        fx.JointSpring("spring", "second", stiffness=K, damping=C), fx.Motor("motor", "rail", position=0.0),
    ]  # fmt: skip
    got = fx.Model("base", items).spectral_response({"motor.position": (t, 1e-5 * pulse(t))}, "second.displacement")
    u = 1e-5 * pulse(t)
    exact = signal.lsim(([-M, 0, 0], [M, C, K]), u, t)[1]  # by rates of the input
    assert np.abs(got["second.displacement"] - exact).max() < 1e-3 * np.abs(exact).max()


def test_what_is_told(tmp_path):
    t = np.arange(1000) / 100
    with pytest.warns(fx.CutResponse, match="padding="):
        oscillator().spectral_response({"push": (t, pulse(t))}, "mass.position_x", window="1 s", padding="0.3 s")
    free = fx.Model("free", [fx.PointMass("m", 1.0), fx.PointForce("push", "m", direction="x", force=0)])
    with pytest.warns(fx.MeanLeftOut, match="push"):
        free.spectral_response({"push": (t, pulse(t))}, "m.acceleration_x")
    oscillator().spectral_response({"push": (t, pulse(t))}, "mass.position_x").plot(tmp_path / "x.png")
    assert (tmp_path / "x.png").stat().st_size > 1000


T = np.linspace(0, 1, 100)


@pytest.mark.parametrize(
    ("signals", "options", "told"),
    [
        ({"push": fx.sine(1.0, frequency=1.0)}, {"sampling": 100.0}, "until"),
        ({"push": fx.sine(1.0, frequency=1.0)}, {"until": 1.0}, "sampling"),
        ({"push": T}, {}, "sampling"),
        ({"push": T}, {"sampling": -1.0}, "not positive"),
        ({"push": (T, T[:50])}, {}, "one value per time"),
        ({"push": (T[::-1], T)}, {}, "ascend"),
        ({"push": (T, T)}, {"until": "2 s"}, "ends at"),
        ({"push": (T, T)}, {"window": "5 s"}, "window"),
        ({"push": (T, T)}, {"window": "10 ms"}, "window"),
        ({"push": (T, T * np.nan)}, {}, "no numbers"),
        ({"push": (T, T)}, {"padding": -1.0}, "negative"),
        ({"pull": (T, T)}, {}, "pull"),
        ("push", {}, "names"),
        ({"push": T[:3]}, {"sampling": 10.0}, "four"),
    ],
)  # fmt: skip
def test_bad_input(signals, options, told):
    with pytest.raises(fx.ModelError, match=told):
        oscillator().spectral_response(signals, "mass.position_x", **options)
