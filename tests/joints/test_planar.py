"""Planar joint: a disc on an inclined table."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.bodies import RigidBody
from flexor.forces import PointForce
from flexor.joints import Planar
from flexor.spatial import exp_so3
from tests.laws.scene import G, Places, Scene, site

M, J = 2.0, 0.3
TABLE = exp_so3([0, 0.4, 0])  # inclined by 0.4 about y: downhill is its x axis


def disc(values=(0.5, -0.2, 1.0), omega=0.0):
    scene = Scene()
    x, y, angle = values
    R = TABLE @ exp_so3([0, 0, angle])
    node = scene.body(RigidBody("disc", M, (1, 1, J)), x=TABLE @ (x, y, 0), R=R, omega=omega * TABLE[:, 2])
    joint = scene.add(Planar("table", "ground", "disc").terms(Places(site(0, R=TABLE), site(node))))
    return scene, node, joint


def test_it_slides_down_the_table():
    """g sin β downhill; the table pushes with m g cos β along its normal."""
    scene, node, joint = disc(omega=9.0)
    signals = scene.solve().signals(joint)
    np.testing.assert_allclose(TABLE.T @ scene.a[node][:3], [G * np.sin(0.4), 0, 0], atol=1e-12)
    np.testing.assert_allclose(scene.a[node][3:], 0, atol=1e-12)
    np.testing.assert_allclose([signals[f"force_{i}"] for i in "xyz"], [0, 0, M * G * np.cos(0.4)], atol=1e-12)
    assert [signals[name] for name in ("x", "y", "angle", "angle_rate")] == pytest.approx([0.5, -0.2, 1.0, 9.0])


def test_a_push_at_the_rim_turns_it():
    """F at radius b in the plane: a = F/m and α = F b/J, the table takes no part in it."""
    scene, node, joint = disc(values=(0, 0, 0))
    scene.gravity = (0, 0, 0)
    push = PointForce("push", "disc", direction="y", force=6, follows=True)
    scene.add(push.terms(Places(site(node, (0.25, 0, 0)))))
    signals = scene.solve().signals(joint)
    np.testing.assert_allclose(TABLE.T @ scene.a[node][:3], [0, 6 / M, 0], atol=1e-12)
    np.testing.assert_allclose(TABLE.T @ scene.a[node][3:], [0, 0, 6 * 0.25 / J], atol=1e-12)
    np.testing.assert_allclose([signals[f"force_{i}"] for i in "xyz"], 0, atol=1e-12)
