"""The work that a free length, a function of time, puts into a spring: also where it jumps between two rows."""

import warnings

import numpy as np
import pytest

import flexor as fx

SLIDER = fx.RigidBody("p", mass=1, inertia=0.1, position=(1, 0, 0))
GUIDE = fx.Prismatic("s", fx.ground, SLIDER, axis="x", at=(1, 0, 0))


def ran(spring, step=1e-3):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return fx.Model("m", [SLIDER, GUIDE, spring]).dynamics(until=0.5, step=step, show=False)


def drift(run):
    values = run["energy.check_sum"].values
    return float(np.ptp(values))


@pytest.mark.parametrize(
    "free",
    [
        fx.step(0, 0.1, at=0.1),
        fx.step(0, 0.1, at=0.10037),
        fx.step(0, 0.1, at=0.0005),
        fx.table([0, 0.1, 0.1002, 1], [0, 0, 0.1, 0.1]),
        fx.table([0, 0.1, 0.1015, 1], [0, 0, 0.1, 0.1]),
    ],
    ids=["on a row", "between rows", "first step", "steep", "two steps"],
)
def test_a_jump_of_the_free_value_does_its_work(free):
    """A mass at rest: ½ k Δ² at once."""
    run = ran(fx.JointSpring("k", "s", stiffness=100, free=free))
    assert run["energy.input"].values[-1] == pytest.approx(0.5, rel=2e-3)
    assert drift(run) < 2e-5


def test_of_a_nonlinear_spring():
    """½ k Δ² + ¼ c Δ⁴, not what the trapezoidal rule of the forces says."""
    run = ran(fx.JointSpring("k", "s", stiffness=100, force="1e4*x^3", free=fx.step(0, 0.1, at=0.1)))
    assert run["energy.input"].values[-1] == pytest.approx(0.5 + 0.25, rel=2e-3)
    assert drift(run) < 1e-4


def test_of_an_axial_spring():
    run = ran(fx.AxialSpring("k", fx.ground, SLIDER, stiffness=1000, free_length=fx.step(1, 1.1, at=0.1)))
    assert run["energy.input"].values[-1] == pytest.approx(5, rel=2e-3)
    assert drift(run) < 1e-3


def test_a_smooth_change_is_integrated_to_second_order():
    drifts = [
        drift(ran(fx.JointSpring("k", "s", stiffness=100, damping=1, free=fx.sine(0.1, frequency=2)), step))
        for step in (4e-3, 2e-3, 1e-3)
    ]
    assert drifts[0] / drifts[1] == pytest.approx(4, rel=0.3)
    assert drifts[1] / drifts[2] == pytest.approx(4, rel=0.3)


def test_a_continued_run_counts_on(tmp_path):
    model = fx.Model("m", [SLIDER, GUIDE, fx.JointSpring("k", "s", stiffness=100, free=fx.step(0, 0.1, at=0.1))])
    whole = model.dynamics(until=0.2, step=1e-3, show=False)
    parts = model.dynamics(until=0.0995, step=1e-3, show=False, file=tmp_path / "a.h5").continue_until(0.2, show=False)
    assert parts["energy.input"].values[-1] == pytest.approx(whole["energy.input"].values[-1], rel=1e-3)
