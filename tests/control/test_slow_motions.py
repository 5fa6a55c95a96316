"""Delays and samplers in small motions: right where they are slow, told where they are not."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import flexor as fx
from flexor.control.slow_motions import FastMotions

ARM = fx.RigidBody("arm", 1, 0.5)


def loop(late) -> fx.Model:
    return fx.Model(
        "loop",
        [
            *(ARM, fx.Revolute("pin", fx.ground, ARM, axis="z"), fx.Sensor("angle", "pin.angle")),
            fx.JointSpring("spring", "pin", stiffness=3, damping=0.2),
            fx.PLimitedD("controller", "-angle", gain=8, derivative_time=0.4, filter_time=0.01),
            late,
            fx.PointTorque("motor", ARM, direction="z", torque="late"),
        ],
    )


def test_frequencies_beyond_a_delay_are_told():
    """Padé of degree 4 with T = 50 ms: fine at 5 Hz, off by a sixth at 20 Hz."""
    model = loop(fx.TimeDelay("late", "controller", 0.05))
    f = np.array([0.2, 1.0, 5.0])
    with warnings.catch_warnings():
        warnings.simplefilter("error", FastMotions)
        found = model.frequency_response(f, ["controller.input"], outputs=["angle"]).values[:, 0, 0]
    s = 2j * np.pi * f
    through = 8 * (1 + 0.4 * s) / (1 + 0.01 * s) * np.exp(-0.05 * s) / (0.5 * s**2 + 0.2 * s + 3)
    np.testing.assert_allclose(found, through / (1 + through), rtol=1e-5)
    with pytest.warns(FastMotions, match=r"block 'late'.*1 of 2 frequencies, from 20 Hz on.*higher order"):
        model.frequency_response([5.0, 20.0], ["controller.input"], outputs=["angle"])


def test_modes_of_the_rational_function_are_told():
    with pytest.warns(FastMotions, match=r"'late'.*of \d modes.*higher order"):
        found = loop(fx.TimeDelay("late", "controller", 0.05)).modes(20).eigenvalues
    assert len(found) == 4
    with pytest.warns(FastMotions, match=r"'late'.*of \d modes.*run over time"):
        loop(fx.SampleAndHold("late", "controller", 0.05)).modes(20)
    with warnings.catch_warnings():
        warnings.simplefilter("error", FastMotions)
        loop(fx.TimeDelay("late", "controller", 0.001)).modes(1)


def test_an_integrator_cannot_begin_at_rest_by_itself():
    for make in (
        lambda: fx.PI("c", 1, 2, 0.5, steady=True),
        lambda: fx.TransferFunction("c", 1, [1], [1, 1, 0], steady=True),
        lambda: fx.StateSpace("c", [1], [[0.0]], [[1.0]], [[1.0]], steady=True),
    ):
        with pytest.raises(fx.ModelError, match=r"block 'c'.*steady.*integrates.*equilibrium"):
            make()
    fx.RealPole("c", 1, 0.1, steady=True)
