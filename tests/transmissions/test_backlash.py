"""Backlash: free play, impact, and what becomes of the energy."""

import numpy as np
import pytest

import flexor as fx
from tests.transmissions.parts import wheel

STILL = {"show": False}
GAP, K = 0.02, 2e4


def pair(damping=0.0, **rates):
    a, a_pin = wheel("a", 0.2, start_rate=rates.get("a", 0.0))
    b, b_pin = wheel("b", 0.3, at=(1, 0, 0), start_rate=rates.get("b", 0.0))
    gear = fx.Gear("gear", a_pin, b_pin, ratio=-1.0, stiffness=K, damping=damping, backlash=2 * GAP)
    return fx.Model("pair", [a, a_pin, b, b_pin, gear])


def test_free_in_the_play_then_an_elastic_impact():
    """Until GAP/ω nothing happens; after the impact the speeds are those of two elastic masses; energy stays."""
    run = pair(a=2.0).dynamics(until=0.05, step=2e-5, **STILL)
    t, a, b = run.time, run["a_pin.angle_rate"], run["b_pin.angle_rate"]
    free = t < GAP / 2.0
    assert a[free] == pytest.approx(2.0)
    assert b[free] == pytest.approx(0.0, abs=1e-12)
    end = (t > 0.03) & (t < 0.031)  # half a period π √(J_r/k) = 7.7 ms after the touch at 10 ms, next touch far later
    assert a[end] == pytest.approx(2.0 * (0.2 - 0.3) / 0.5 + 0 * a[end], rel=1e-4)
    assert b[end] == pytest.approx(-2.0 * 2 * 0.2 / 0.5 + 0 * b[end], rel=1e-4)
    assert np.ptp(run["energy.check_sum"]) < 1e-4 * run["energy.kinetic"][0]
    assert run["gear.deflection"].max() > GAP


def test_damping_acts_only_while_teeth_touch():
    """Momentum stays, energy goes into the damper: kinetic + strain + dissipated = what there was; teeth never pull."""
    run = pair(damping=15.0, a=2.0).dynamics(until=0.05, step=2e-5, **STILL)
    e = run["gear.deflection"]
    inside = np.abs(e) <= GAP
    assert np.abs(run["gear.torque_output"][inside]).max() == 0.0
    assert np.all(run["gear.torque_output"] * np.sign(e) >= 0.0)  # the wheel that lags is pushed on
    lost = run["energy.kinetic"][0] - run["energy.kinetic"][-1]
    assert lost > 0.05 * run["energy.kinetic"][0]
    assert run["energy.dissipated"][-1] + run["energy.strain"][-1] == pytest.approx(lost, rel=2e-3)
    momentum = 0.2 * run["a_pin.angle_rate"] - 0.3 * run["b_pin.angle_rate"]
    assert momentum == pytest.approx(0.4 + 0 * momentum, abs=1e-9)


def test_both_sides_of_the_teeth():
    """Thrown back and forth between the flanks the play is never left by more than the teeth give way."""
    run = pair(a=1.0).dynamics(until=0.5, step=1e-4, **STILL)
    e = run["gear.deflection"]
    deepest = 1.0 * np.sqrt(0.2 * 0.3 / 0.5 / K)
    assert e.max() == pytest.approx(GAP + deepest, rel=1e-2)
    assert e.min() == pytest.approx(-GAP - deepest, rel=1e-2)


def test_statics_lies_on_a_flank():
    """A torque on one wheel, a spring on the other: the play is taken up, then the teeth give way."""
    model = pair()
    hold = fx.JointSpring("hold", "b_pin", stiffness=50.0)
    push = fx.PointTorque("push", "a", direction=(0, 0, 1), torque=3.0)
    light = fx.JointSpring("light", "a_pin", stiffness=1e-3)
    still = fx.Model("held", [*model.items, hold, push, light]).statics()
    assert still["b_pin.angle"] == pytest.approx(-3.0 / 50.0, rel=1e-4)
    assert still["a_pin.angle"] == pytest.approx(3.0 / 50.0 + GAP + 3.0 / K, rel=1e-4)
