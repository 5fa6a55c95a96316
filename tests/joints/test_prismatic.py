"""Slider: the block on an inclined plane."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.bodies import RigidBody
from flexor.joints import Prismatic
from flexor.spatial import triad
from tests.laws.scene import G, Places, Scene, site

M = 3.0


@pytest.mark.parametrize("slope", np.radians([0, 30, 80]))
def test_inclined_plane(slope):
    """It slides down with g sin β; the guide carries the normal force m g cos β."""
    downhill, normal = np.array([np.cos(slope), 0, -np.sin(slope)]), np.array([np.sin(slope), 0, np.cos(slope)])
    frame = triad(downhill)
    scene = Scene()
    node = scene.body(RigidBody("block", M, (1, 1, 1)), x=2.5 * downhill, v=4.0 * downhill)
    guide = scene.add(Prismatic("guide", "ground", "block").terms(Places(site(0, R=frame), site(node, R=frame))))
    scene.solve()
    np.testing.assert_allclose(scene.a[node][:3], G * np.sin(slope) * downhill, atol=1e-12)
    np.testing.assert_allclose(scene.a[node][3:], 0, atol=1e-12)
    signals = scene.signals(guide)
    force = frame @ [signals[f"force_{i}"] for i in "xyz"]
    np.testing.assert_allclose(force, M * G * np.cos(slope) * normal, atol=1e-12)
    assert signals["displacement"] == pytest.approx(2.5)
    assert signals["displacement_rate"] == pytest.approx(4.0)


def test_a_guide_above_the_centre_is_turned_by_the_weight():
    """With the centre of mass beside the guide by b, the guide carries the moment m g b as well."""
    b = 0.2
    scene = Scene()
    node = scene.body(RigidBody("block", M, (1, 1, 1)), x=(b, 0, 0))
    frame = triad("y")
    guide = scene.add(
        Prismatic("guide", "ground", "block").terms(Places(site(0, R=frame), site(node, (-b, 0, 0), frame)))
    )
    signals = scene.solve().signals(guide)
    # about the guide's point: weight at (b, 0, 0) has the moment (b, 0, 0) × (0, 0, −m g) = (0, m g b, 0)
    np.testing.assert_allclose(frame @ [signals[f"torque_{i}"] for i in "xyz"], [0, -M * G * b, 0], atol=1e-12)


def test_coriolis_force_on_a_sliding_block():
    """On a guide that turns at Ω, sliding out at u, the block is pushed sideways with 2 m Ω u, and not outwards."""
    speed, out, r = 5.0, 2.0, 0.8
    scene = Scene((0, 0, 0))
    arm = scene.body(RigidBody("arm", 1e9, (1e9, 1e9, 1e9)), omega=(0, 0, speed))  # so heavy that it keeps its speed
    block = scene.body(RigidBody("block", M, (1, 1, 1)), x=(r, 0, 0), v=(out, speed * r, 0), omega=(0, 0, speed))
    frame = triad("x")
    guide = scene.add(Prismatic("guide", "arm", "block").terms(Places(site(arm, R=frame), site(block, R=frame))))
    signals = scene.solve().signals(guide)
    np.testing.assert_allclose(
        frame @ [signals[f"force_{i}"] for i in "xyz"], [0, 2 * M * speed * out, 0], rtol=1e-7, atol=1e-6
    )
    assert signals["displacement_rate"] == pytest.approx(out)
    np.testing.assert_allclose(scene.a[block][:3], [0, 2 * speed * out, 0], rtol=1e-7, atol=1e-6)
