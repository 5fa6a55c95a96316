"""Point on line: a bead on a wire, and a ladder's end in a rail."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.bodies import RigidBody
from flexor.joints import PointOnLine
from flexor.spatial import exp_so3, triad
from tests.laws.scene import G, Places, Scene, site

M, J = 2.0, 0.3


def test_bead_on_a_straight_wire():
    """It accelerates with g sin β along the wire, which carries m g cos β; its rotations stay free."""
    beta = 0.6
    wire = triad((np.cos(beta), 0, -np.sin(beta)))
    scene = Scene()
    node = scene.body(
        RigidBody("bead", M, (J, J, J)), x=1.5 * wire[:, 2], R=exp_so3([1, 2, 3]), v=2 * wire[:, 2], omega=(5, 6, 7)
    )
    line = scene.add(PointOnLine("wire", "ground", "bead").terms(Places(site(0, R=wire), site(node, R=wire))))
    signals = scene.solve().signals(line)
    np.testing.assert_allclose(scene.a[node][:3], G * np.sin(beta) * wire[:, 2], atol=1e-12)
    np.testing.assert_allclose(scene.a[node][3:], 0, atol=1e-12)
    force = wire @ [signals[f"force_{i}"] for i in "xyz"]
    np.testing.assert_allclose(force, M * G * np.cos(beta) * np.array([np.sin(beta), 0, np.cos(beta)]), atol=1e-12)
    assert signals["displacement"] == pytest.approx(1.5)
    assert signals["displacement_rate"] == pytest.approx(2.0)


def test_rod_with_one_end_in_a_horizontal_rail():
    """Released at rest at angle θ from the vertical: θ̈ = −m g l sin θ / (J + m l² sin²θ), the centre falls straight.

    The rail is smooth, so nothing pushes the centre sideways; z = −l cos θ (Lagrange's equation for θ).
    """
    theta, length = 0.8, 0.5
    R = exp_so3([0, theta, 0])
    scene = Scene()
    node = scene.body(RigidBody("rod", M, (J, J, J)), x=R @ (0, 0, -length), R=R)
    rail = triad("x")
    joint = PointOnLine("rail", "ground", "rod", axis="x")
    line = scene.add(joint.terms(Places(site(0, R=rail), site(node, (0, 0, length), rail))))
    signals = scene.solve().signals(line)
    alpha = -M * G * length * np.sin(theta) / (J + M * (length * np.sin(theta)) ** 2)
    np.testing.assert_allclose(scene.a[node][3:], [0, alpha, 0], atol=1e-12)
    np.testing.assert_allclose(scene.a[node][:3], [0, 0, length * np.sin(theta) * alpha], atol=1e-12)
    assert (rail @ [signals[f"force_{i}"] for i in "xyz"])[0] == pytest.approx(0, abs=1e-12)
