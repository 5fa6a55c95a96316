"""Rigid coupling: reactions of a cantilever, and two bodies that move as one."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.bodies import RigidBody
from flexor.joints import Fixed
from flexor.spatial import Pose, exp_so3
from tests.laws.scene import G, Places, Scene, site

M = 2.0


def test_reactions_of_a_cantilever():
    """The wall carries m g and the moment m g l.   FTG 6.2.5: a rigid joint gives access to internal forces"""
    length = 0.8
    scene = Scene()
    node = scene.body(RigidBody("beam", M, (1, 1, 1)), x=(length, 0, 0))
    wall = scene.add(Fixed("wall", "ground", "beam").terms(Places(site(0), site(node, (-length, 0, 0)))))
    signals = scene.solve().signals(wall)
    np.testing.assert_allclose(scene.a[node], 0, atol=1e-12)
    np.testing.assert_allclose([signals[f"force_{i}"] for i in "xyz"], [0, 0, M * G], atol=1e-12)
    np.testing.assert_allclose([signals[f"torque_{i}"] for i in "xyz"], [0, -M * G * length, 0], atol=1e-12)


def test_two_coupled_bodies_move_like_one():
    """Mass and inertia about the common centre of mass (Steiner), thrown and spinning."""
    m1, m2, J1, J2, apart = 1.0, 3.0, 0.2, 0.5, 0.6
    R = exp_so3([0.5, -1.0, 2.0])
    omega = R @ (2.0, -1.0, 3.0)
    x1, x2 = -m2 / (m1 + m2) * apart, m1 / (m1 + m2) * apart
    scene = Scene()
    one, two = (
        scene.body(RigidBody(name, m, (J, J, J)), x=R @ (0, 0, z), R=R, v=np.cross(omega, R @ (0, 0, z)), omega=omega)
        for name, m, J, z in (("one", m1, J1, x1), ("two", m2, J2, x2))
    )
    scene.add(Fixed("weld", "one", "two").terms(Places(site(one, (0, 0, apart)), site(two))))
    scene.solve()
    steiner = m1 * x1**2 + m2 * x2**2
    J = np.diag([J1 + J2 + steiner, J1 + J2 + steiner, J1 + J2])
    w = R.T @ omega
    expected = R @ -np.linalg.solve(J, np.cross(w, J @ w))
    for node in (one, two):
        np.testing.assert_allclose(scene.a[node][3:], expected, atol=1e-12)
    centre = (m1 * scene.a[one][:3] + m2 * scene.a[two][:3]) / (m1 + m2)
    np.testing.assert_allclose(centre, [0, 0, -G], atol=1e-12)


def test_no_variables():
    joint = Fixed("weld", "a", "b")
    assert joint.variables == ()
    assert joint.free.pose([]).isclose(Pose())
    with pytest.raises(ValueError, match="start"):
        Fixed("weld", "a", "b", start=[1.0])
