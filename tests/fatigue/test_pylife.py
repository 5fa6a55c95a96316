"""The bridge to pylife: its damage is ours."""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx

pytest.importorskip("pylife", reason="pylife (extra) is not installed")


def history():
    t = np.linspace(0, 10, 2001)
    return 1e6 * (120 * np.sin(2 * np.pi * t) + 60 * np.sin(17.3 * t) + 20)


@pytest.mark.parametrize("last", [None, 9.0, 5.0])
def test_damage_of_a_load_collective(last):
    import pylife.strength.fatigue
    import pylife.stress.collective  # noqa: F401

    curve = fx.SNCurve([(1e6, "90 MPa")], slope=5.0, last_slope=last, quantity="amplitude", ratio=-1)
    cycles = fx.rainflow(history())
    woehler = curve.to_pylife()
    theirs = woehler.fatigue.damage(cycles.to_pylife().load_collective).sum()
    time = np.arange(len(history())) * 1.0
    ours = fx.damage_of(history(), curve, time=time, mean_stress="none").at()
    assert ours == pytest.approx(theirs, rel=1e-9)


def test_the_knee_is_where_the_curve_bends():
    """Points on a straight line are none, wherever they stand; slopes may fall, too."""
    far = 90e6 * 100 ** (-1 / 9)
    curve = fx.SNCurve([(1e6, 90e6), (1e8, far)], slope=5.0, last_slope=9.0)
    assert dict(curve.to_pylife()) == pytest.approx({"k_1": 5.0, "ND": 1e6, "SD": 45e6, "k_2": 9.0})
    falls = fx.SNCurve([(1e6, 90e6)], slope=9.0, last_slope=5.0).to_pylife()
    assert (falls["k_1"], falls["k_2"]) == (9.0, 5.0)


def test_rainflow_is_that_of_pylife():
    """Its four-point method leaves the residue; so does "none"."""
    from pylife.stress.rainflow import FourPointDetector, FullRecorder

    recorder = FullRecorder()
    FourPointDetector(recorder=recorder).process(history())
    theirs = recorder.collective
    ours = fx.rainflow(history(), residue="none")
    np.testing.assert_allclose(np.sort(ours.ranges), np.sort(abs(theirs["from"] - theirs["to"])), rtol=1e-12)


def test_curves_with_more_knees_are_refused():
    with pytest.raises(fx.ModelError, match="pylife's has one knee"):
        fx.SNCurve.eurocode3(71).to_pylife()
