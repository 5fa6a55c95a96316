"""Hinge: the compound pendulum and its bearing."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.bodies import RigidBody
from flexor.errors import ModelError
from flexor.joints import Revolute
from flexor.spatial import exp_so3, triad
from tests.laws.scene import G, Places, Scene, site

M, J, L = 2.0, 0.3, 0.7
Y = triad("y")  # a joint frame whose z axis is global y


def pendulum(angle, rate):
    """A body whose centre hangs L below a hinge about y; `angle` turns it about y."""
    R = exp_so3([0, angle, 0])
    arm = R @ (0, 0, -L)
    scene = Scene()
    node = scene.body(RigidBody("bob", M, (0.5, J, 0.5)), x=arm, R=R, v=np.cross([0, rate, 0], arm), omega=(0, rate, 0))
    joint = Revolute("pin", "ground", "bob", axis="y")
    return scene, node, scene.add(joint.terms(Places(site(0, R=Y), site(node, (0, 0, L), Y))))


@pytest.mark.parametrize("angle", [0.0, 0.4, -2.5])
def test_compound_pendulum(angle):
    """(J + m L²) θ̈ = −m g L sin θ"""
    scene, node, _ = pendulum(angle, 3.0)
    alpha = scene.solve().a[node][4]
    assert alpha == pytest.approx(-M * G * L * np.sin(angle) / (J + M * L**2), rel=1e-12)


@pytest.mark.parametrize("angle", [0.0, 0.4, -2.5])
def test_the_bearing_carries_weight_and_centrifugal_force(angle):
    """Along the rod m (g cos θ + L θ̇²), across it m (g sin θ + L θ̈) = m g sin θ · J/(J + m L²)."""
    rate = 3.0
    scene, _, pin = pendulum(angle, rate)
    signals = scene.solve().signals(pin)
    force = Y @ [signals["force_x"], signals["force_y"], signals["force_z"]]
    along, across = exp_so3([0, angle, 0]) @ (0, 0, 1), exp_so3([0, angle, 0]) @ (1, 0, 0)
    assert force @ along == pytest.approx(M * (G * np.cos(angle) + L * rate**2), rel=1e-12)
    assert force @ across == pytest.approx(-M * G * np.sin(angle) * J / (J + M * L**2), rel=1e-12, abs=1e-12)
    assert signals["angle"] == pytest.approx(angle)
    assert signals["angle_rate"] == pytest.approx(rate)
    assert signals["torque_z"] == pytest.approx(0, abs=1e-12)


def test_an_overhung_weight_bends_the_bearing():
    """A weight at distance a along the axis from the hinge loads it with the moment m g a."""
    scene = Scene()
    node = scene.body(RigidBody("arm", M, (J, J, J)), x=(0.4, 0, 0))
    pin = scene.add(
        Revolute("pin", "ground", "arm", axis="x").terms(
            Places(site(0, R=triad("x")), site(node, (-0.4, 0, 0), triad("x")))
        )
    )
    signals = scene.solve().signals(pin)
    torque = triad("x") @ [signals[f"torque_{i}"] for i in "xyz"]
    np.testing.assert_allclose(torque, [0, -M * G * 0.4, 0], atol=1e-12)


def test_start_has_one_value():
    with pytest.raises(ModelError, match="angle"):
        Revolute("pin", "ground", "arm", start=(1, 2))
    assert Revolute("pin", "ground", "arm", start="90 deg").start == (pytest.approx(np.pi / 2),)
