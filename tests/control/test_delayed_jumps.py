"""Jumps that come through a time delay, and error control of blocks that begin at zero."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import linalg, signal

import flexor as fx

QUIET = {"show": False}
DELAY, AT, END = 0.0337, 0.0211, 0.2


def late(**settings):
    """A jump of the input at 0.0211 s and one of the output as the first input comes through, integrated."""
    items = [
        fx.LogicSwitch("switch", "t", 0, 1, AT),
        fx.TimeDelay("first", "1 + t", DELAY),
        fx.TimeDelay("second", "switch", DELAY),
        fx.Integrator("sum of first", "first"),
        fx.Integrator("sum of second", "second"),
        fx.RealPole("lag", "second", 0.05),
    ]
    return fx.Model("late", items).dynamics(until=END, **settings, **QUIET)


def errors(run) -> np.ndarray:
    since, behind = END - DELAY, END - DELAY - AT
    expected = {
        "sum of first": since + since**2 / 2,
        "sum of second": behind,
        "lag": 1 - np.exp(-behind / 0.05),
    }
    return np.array([run[f"{name}.value"].values[-1] - value for name, value in expected.items()])


def test_a_delayed_jump_costs_no_order():
    coarse, fine = errors(late(step=0.01)), errors(late(step=0.005))
    np.testing.assert_allclose(coarse[:2], 0, atol=2e-7)
    assert 3.0 < coarse[2] / fine[2] < 5.0
    assert abs(fine[2]) < 1e-3


def test_a_delayed_jump_under_error_control():
    assert np.abs(errors(late(error=1e-4))).max() < 1e-4


def test_jumps_that_come_as_often_as_samples():
    """Held values pass a delay that is a multiple of the clock's period or not, longer and shorter than the step."""
    for delay in (0.03, 0.0137, 0.004):
        items = [
            fx.SampleAndHold("hold", "t", 0.01),
            fx.TimeDelay("late", "hold", delay, initial=-1),
            fx.Integrator("sum", "late"),
        ]
        run = fx.Model("held", items).dynamics(until=0.205, step=0.005, **QUIET)
        t = run.time - delay
        whole = np.floor(t / 0.01 + 1e-9)
        away = np.abs(t / 0.01 - np.round(t / 0.01)) > 1e-6
        expected = np.where(t < 0, -1.0, whole * 0.01)
        np.testing.assert_allclose(run["late.value"].values[away], expected[away], atol=1e-12, err_msg=str(delay))
        n, rest = int(whole[-1]), t[-1] - whole[-1] * 0.01
        assert run["sum.value"].values[-1] == pytest.approx(-delay + 1e-4 * n * (n - 1) / 2 + rest * n * 0.01, abs=1e-8)


def test_more_jumps_than_there_is_room_for_are_told():
    items = [fx.SampleAndHold("hold", "sin(9*t)", 0.001), fx.TimeDelay("late", "hold", 0.1, room=20)]
    with pytest.raises(fx.SolveError, match=r"'late'.*room"):
        fx.Model("full", items).dynamics(until=0.3, step=0.01, **QUIET)


def test_a_delay_rests_in_equilibrium():
    mass = fx.RigidBody("mass", 2, 1)
    items = [
        *(mass, fx.Prismatic("rail", fx.ground, mass, axis="x"), fx.Sensor("place", "rail.displacement")),
        fx.JointSpring("spring", "rail", stiffness=50, damping=5),
        fx.TimeDelay("late", "30*(0.1 - place)", 0.013),
        fx.SampleAndHold("hold", "late", 0.017),
        fx.PointForce("drive", mass, direction="x", force="hold"),
    ]
    run = fx.Model("rests", items).dynamics(until=0.2, step=0.01, start="equilibrium", **QUIET)
    np.testing.assert_allclose(run["place.value"].values, 0.0375, rtol=1e-9)
    np.testing.assert_allclose(run["hold.value"].values, 1.875, rtol=1e-9)


def test_error_control_of_blocks_that_begin_at_zero():
    """Two lags in a loop under a step, and one under a sine: their states grow like t² first, relative to which any error is large."""
    loop = fx.Model("loop", [fx.RealPole("a", "1 - 2*b", 0.3), fx.RealPole("b", "a", 0.2)])
    A = np.array([[-1 / 0.3, -2 / 0.3], [1 / 0.2, -1 / 0.2]])
    expected = np.linalg.solve(A, (linalg.expm(0.5 * A) - np.eye(2)) @ [1 / 0.3, 0])[1]
    for error in (1e-3, 1e-5):
        run = loop.dynamics(until=0.5, error=error, **QUIET)
        assert abs(run["b.value"].values[-1] - expected) < error
    lag = fx.Model("lag", [fx.RealPole("lag", "sin(50*t)", 0.2)]).dynamics(until=0.5, error=1e-5, **QUIET)
    fine = np.linspace(0, 0.5, 50001)
    found = signal.lsim(([1], [0.2, 1]), np.sin(50 * fine), fine)[1][-1]
    assert abs(lag["lag.value"].values[-1] - found) < 1e-5
