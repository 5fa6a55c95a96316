"""Sensors on the tree: they read, and forces may depend on what is known before accelerations are."""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx
from flexor.errors import ModelError

ARM, ROD = (
    fx.RigidBody(name, 1.0, 0.1, center_of_mass=(0.5, 0, 0), markers={"tip": (1, 0, 0)}) for name in ("arm", "rod")
)
PIN = fx.Revolute("pin", fx.ground, ARM, axis="z", start_rate=1)
ELBOW = fx.Revolute("elbow", ARM["tip"], ROD, axis="z", start_rate=2)


def pendulum(*items) -> fx.Model:
    return fx.Model("double pendulum", [ARM, ROD, PIN, ELBOW, *items], gravity=(0, -9.81, 0))


def brake(of: str) -> list:
    return [fx.Sensor("seen", of), fx.PointTorque("brake", ROD, direction="z", torque=fx.Expression("-0.3*seen"))]


@pytest.mark.parametrize("coordinates", ["auto", "all"])
def test_readings_of_positions_accelerations_and_reactions(coordinates: str) -> None:
    seen = {"bend": "elbow.angle", "tip": "rod.tip.acceleration_y", "load": "pin.force_x"}
    model = pendulum(*(fx.Sensor(name, of) for name, of in seen.items()))
    run = model.dynamics(until=0.3, step=1e-3, output=0.05, show=False, solver="tree", coordinates=coordinates)
    for name, of in seen.items():
        assert np.abs(run[f"{name}.value"][:] - run[of][:]).max() < 1e-9


def test_a_force_by_a_velocity() -> None:
    model = pendulum(*brake("elbow.angle_rate"))
    tree = model.dynamics(until=0.4, step=1e-3, output=0.1, show=False, solver="tree")
    implicit = model.dynamics(until=0.4, step=1e-4, output=0.1, show=False)
    for name in ("elbow.angle", "brake.torque", "pin.force"):
        assert np.abs(tree[name][:] - implicit[name][:]).max() < 1e-5
    assert np.abs(tree["brake.torque"][:] + 0.3 * tree["elbow.angle_rate"][:]).max() < 1e-9
    assert np.ptp(tree["brake.torque"][:]) > 0.1


@pytest.mark.parametrize("of", ["pin.force_x", "rod.tip.acceleration_y"])
def test_forces_by_what_is_known_last_are_refused(of: str) -> None:
    with pytest.raises(ModelError, match=r"'brake': it depends on 'seen'"):
        pendulum(*brake(of)).dynamics(until=0.1, step=1e-3, show=False, solver="tree")
