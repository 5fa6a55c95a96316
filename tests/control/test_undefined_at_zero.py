"""Formulas and powers that have no value at zero, of readings that are never zero: 1/u, √u, log u."""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx

WAYS = {
    "inverse": (lambda: fx.Power("y", "u", -1), lambda u: 1 / u),
    "root": (lambda: fx.Power("y", "u", 0.5), np.sqrt),
    "formula": (lambda: fx.Amplifier("y", "log(u)/u", 1), lambda u: np.log(u) / u),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("last", [False, True], ids=["behind", "before"])
def test_of_a_block(way, last):
    make, exact = WAYS[way]
    items = [fx.Amplifier("u", "v", 1), fx.Amplifier("v", "2 + t", 1), make()]
    run = fx.Model("m", items[::-1] if last else items).dynamics(until=0.1, step=0.01, show=False)
    np.testing.assert_allclose(run["y.value"].values, exact(2 + run.time), rtol=1e-12)


def test_of_a_sensor_and_of_a_state_at_rest_and_in_motion():
    mass = fx.RigidBody("mass", 2, 1)
    items = [
        *(mass, fx.Prismatic("rail", fx.ground, mass, axis="x", start=0.4), fx.Sensor("place", "rail.displacement")),
        fx.JointSpring("spring", "rail", stiffness=50, damping=1),
        fx.StateSpace("state", [0], [[0.0]], [[1.0]], [[1.0]], initial=[4.0]),
        fx.PointForce("push", mass, direction="x", force="sqrt(state)/place"),
    ]
    model = fx.Model("m", items)
    run = model.dynamics(until=0.05, step=0.01, show=False)
    np.testing.assert_allclose(run["push.force"].values, 2 / run["place.value"].values, rtol=1e-9)
    assert model.statics()["place.value"] == pytest.approx(0.2)  # 50 x = 2/x
