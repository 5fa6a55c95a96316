"""Cardan joint: the shafts' angles and speeds."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.errors import ModelError
from flexor.joints import Universal
from flexor.law import VELOCITY_LEVEL
from flexor.spatial import exp_so3
from tests.laws.calls import residual
from tests.laws.scene import Places, Scene, site

JOINT = Universal("cross", "input", "output", axis="y", cross_axis="z")


def shafts(phi_1, beta, rate_1=1.0):
    """Input shaft along x, output shaft bent from it by β about z, both turned by their angles and turning.

    The arm held by the input stands along y at φ₁ = 0, that of the output along z at φ₂ = 0. They are
    perpendicular where cos β cos φ₁ sin φ₂ = sin φ₁ cos φ₂.
    """
    R_1 = exp_so3([phi_1, 0, 0])
    bend = exp_so3([0, 0, beta])
    phi_2 = np.arctan2(np.sin(phi_1), np.cos(beta) * np.cos(phi_1))
    ratio = np.cos(beta) / (1 - np.sin(beta) ** 2 * np.cos(phi_1) ** 2)
    scene = Scene()
    scene.x += [np.zeros(3), np.zeros(3)]
    scene.R += [R_1, bend @ exp_so3([phi_2, 0, 0])]
    scene.v += [np.array([0, 0, 0, rate_1, 0, 0]), np.concatenate([np.zeros(3), ratio * rate_1 * bend[:, 0]])]
    scene.a += [np.zeros(6), np.zeros(6)]
    frame = JOINT.frame  # z along the arm of the input, y along that of the output, where all angles are zero
    (element,) = JOINT.terms(Places(site(1, R=frame), site(2, R=frame)))
    return scene, element


@pytest.mark.parametrize("beta", np.radians([5, 30, 60]))
@pytest.mark.parametrize("phi", [0.0, 0.3, 1.2, 2.7, -2.0])
def test_angles_and_speeds_of_the_shafts(phi, beta):
    """tan φ₂ = tan φ₁ / cos β and ω₂/ω₁ = cos β / (1 − sin²β cos²φ₁), Poncelet's relations of Hooke's joint
    (Seherr-Thoss, Schmelz, Aucktor: Universal Joints and Driveshafts, ch. 1)."""
    scene, element = shafts(phi, beta)
    state = scene.state(element)
    np.testing.assert_allclose(residual(element, state)[12:], 0, atol=1e-15)
    np.testing.assert_allclose(residual(element, state, VELOCITY_LEVEL)[12:], 0, atol=1e-15)


def test_the_bend_is_seen_in_the_joint_angles():
    """Where the arm of A is the axis of the bend, the whole bend is angle_b; a quarter turn later it is angle_a."""
    beta = 0.6
    scene, element = shafts(0.0, beta)
    assert scene.signals(element)["angle_a"] == pytest.approx(0, abs=1e-15)
    assert scene.signals(element)["angle_b"] == pytest.approx(beta)
    scene, element = shafts(np.pi / 2, beta)
    assert abs(scene.signals(element)["angle_a"]) == pytest.approx(beta)
    assert scene.signals(element)["angle_b"] == pytest.approx(0, abs=1e-15)


def test_arms_that_are_not_perpendicular_are_refused():
    with pytest.raises(
        ModelError, match=r"cross_axis is 84.29 deg from its axis; the arms of a cross are perpendicular"
    ):
        Universal("cross", "input", "output", axis="x", cross_axis=(0.1, 0, 1))
    Universal("cross", "input", "output", axis=(0.7071, 0.7071, 0), cross_axis=(-0.70711, 0.70711, 0))


def test_an_arm_that_is_left_out_is_perpendicular_and_nearest_to_y():
    for axis, arm in (("z", (0, 1, 0)), ((0, 3, 4), (0, 0.8, -0.6)), ("y", (0, 0, 1))):
        joint = Universal("cross", "input", "output", axis=axis)
        np.testing.assert_allclose(joint.frame[:, 1], arm, atol=1e-15)
        np.testing.assert_allclose(joint.frame.T @ joint.frame, np.eye(3), atol=1e-15)
        assert joint.replace(start=(0, 0)).frame.tolist() == joint.frame.tolist()


def test_parallel_arms_are_refused():
    with pytest.raises(ModelError, match="parallel"):
        Universal("cross", "input", "output", axis="y", cross_axis=(0, -2, 0))
