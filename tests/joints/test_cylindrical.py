"""Cylindrical joint: a sleeve on a bar turns and slides independently."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.bodies import RigidBody
from flexor.forces import PointForce
from flexor.joints import Cylindrical
from flexor.spatial import exp_so3, triad
from tests.laws.scene import G, Places, Scene, site

M, J = 2.0, 0.4


def test_a_sleeve_on_a_vertical_bar_falls_freely_and_keeps_its_spin():
    scene = Scene()
    node = scene.body(
        RigidBody("sleeve", M, (1, 1, J)), x=(0, 0, 3), R=exp_so3([0, 0, 1.2]), v=(0, 0, -2), omega=(0, 0, 7)
    )
    bar = scene.add(Cylindrical("bar", "ground", "sleeve").terms(Places(site(0), site(node))))
    signals = scene.solve().signals(bar)
    np.testing.assert_allclose(scene.a[node], [0, 0, -G, 0, 0, 0], atol=1e-12)
    assert [signals[name] for name in ("displacement", "displacement_rate", "angle", "angle_rate")] == pytest.approx(
        [3, -2, 1.2, 7]
    )
    np.testing.assert_allclose([signals[f"force_{i}"] for i in "xyz"], 0, atol=1e-12)


def test_a_tangential_force_turns_it_and_is_carried_by_the_bar():
    """F at radius b: the bar gives −F, the sleeve turns with F b / J.   FTG (6.8): only w̃ and θ̃_z are free"""
    scene = Scene((0, 0, 0))
    frame = triad("x")
    node = scene.body(RigidBody("sleeve", M, (J, 1, 1)))
    bar = scene.add(Cylindrical("bar", "ground", "sleeve").terms(Places(site(0, R=frame), site(node, R=frame))))
    b, F = 0.3, 12.0
    scene.add(PointForce("push", "sleeve", direction="z", force=F).terms(Places(site(node, (0, b, 0)))))
    signals = scene.solve().signals(bar)
    np.testing.assert_allclose(scene.a[node], [0, 0, 0, F * b / J, 0, 0], atol=1e-12)
    np.testing.assert_allclose(frame @ [signals[f"force_{i}"] for i in "xyz"], [0, 0, -F], atol=1e-12)
