"""Ball joint: conical pendulum and heavy top."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.bodies import RigidBody
from flexor.joints import Spherical
from flexor.spatial import exp_so3
from tests.laws.scene import G, Places, Scene, site

M, L = 2.0, 0.6


def hung(R, omega, J):
    """A body with its centre at L along its z axis from a ball joint in the origin."""
    scene = Scene()
    x = R @ (0, 0, L)
    node = scene.body(RigidBody("body", M, J), x=x, R=R, v=np.cross(omega, x), omega=omega)
    ball = scene.add(Spherical("ball", "ground", "body").terms(Places(site(0), site(node, (0, 0, -L)))))
    return scene, node, ball


def test_conical_pendulum():
    """Going round at Ω² = g/(L cos β) it keeps its angle; the joint pulls with m g / cos β along the rod."""
    beta = 0.7
    R = exp_so3([0, np.pi - beta, 0])  # hanging, leaning by β
    omega = np.array([0, 0, np.sqrt(G / (L * np.cos(beta)))])
    rod = R @ (0, 0, 1)
    scene, node, ball = hung(R, omega - (omega @ rod) * rod, (1e-12, 1e-12, 1e-12))
    # a bob on a thin rod: no spin about the rod, so ω is the part of Ω across it
    signals = scene.solve().signals(ball)
    np.testing.assert_allclose(scene.a[node][:3], np.cross(omega, np.cross(omega, L * rod)), atol=1e-8)
    np.testing.assert_allclose(
        [signals[f"force_{i}"] for i in "xyz"], -M * G / np.cos(beta) * rod, rtol=1e-8, atol=1e-8
    )


@pytest.mark.parametrize("spin", [60.0, -75.0])
def test_steady_precession_of_the_heavy_top(spin):
    """J₁ φ̇² cos β − J₃ ω₃ φ̇ + m g L = 0, J₁ about the fixed point   (Goldstein, Classical Mechanics, 5.7)

    At either root φ̇ the top goes round with constant β: ω̇ = φ̇ e_z × ω.
    """
    beta, J_C, J3 = 0.5, 0.06, 0.1
    R = exp_so3([0, beta, 0])
    roots = np.roots([(J_C + M * L**2) * np.cos(beta), -J3 * spin, M * G * L])
    assert np.all(np.isreal(roots))
    for rate in roots:
        precession = np.array([0, 0, rate])
        omega = precession + (spin - rate * np.cos(beta)) * (R @ (0, 0, 1))  # ω₃ = ψ̇ + φ̇ cos β
        scene, node, _ = hung(R, omega, (J_C, J_C, J3))
        np.testing.assert_allclose(scene.solve().a[node][3:], np.cross(precession, omega), atol=1e-10)


def test_euler_angles_are_those_of_the_guide():
    """R = R_z R_y R_x   FTG (6.12)"""
    z, y, x = 0.3, -0.5, 2.0
    expected = exp_so3([0, 0, z]) @ exp_so3([0, y, 0]) @ exp_so3([x, 0, 0])
    np.testing.assert_allclose(Spherical("s", "a", "b").free.pose([z, y, x]).R, expected, atol=1e-15)
