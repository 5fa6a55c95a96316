"""Applied forces and torques: fixed in space or following the body."""

from __future__ import annotations

import numpy as np
import pytest

import flexor.functions as fx
from flexor.bodies import RigidBody
from flexor.forces import PointForce, PointTorque
from flexor.law import RESIDUAL
from flexor.spatial import exp_so3
from tests.laws.calls import call, energies, matrix, residual
from tests.laws.scene import Places, Scene, site

M, J = 2.0, np.array([0.3, 0.4, 0.5])
R = exp_so3([0.4, -1.1, 0.7])
ARM = np.array([0.2, -0.1, 0.3])


def loaded(load, R_NM=None, t=0.0, v=(0, 0, 0), omega=(0, 0, 0)):
    scene = Scene((0, 0, 0), t)
    node = scene.body(RigidBody("body", M, tuple(J)), R=R, v=v, omega=omega)
    return scene, node, scene.add(load.terms(Places(site(node, ARM, R_NM))))


def test_force_beside_the_centre():
    """m a = f, J ω̇ = s × f"""
    scene, node, _ = loaded(PointForce("push", "body", direction=(3, 0, 4), force=10))
    f = np.array([6.0, 0, 8])
    a = scene.solve().a[node]
    np.testing.assert_allclose(a[:3], f / M, atol=1e-12)
    np.testing.assert_allclose(R @ (J * (R.T @ a[3:])), np.cross(R @ ARM, f), atol=1e-12)


def test_a_thrust_follows_the_marker():
    """A rocket's thrust along the marker's axis turns with the body."""
    R_NM = exp_so3([0, 0.5, 0])
    scene, node, _ = loaded(PointForce("thrust", "body", direction="x", force=10, follows=True), R_NM)
    np.testing.assert_allclose(scene.solve().a[node][:3], R @ R_NM @ (10, 0, 0) / M, atol=1e-12)


def test_torques():
    fixed, _, drive = loaded(PointTorque("drive", "body", direction="-z", torque=4))
    np.testing.assert_allclose(residual(drive, fixed.state(drive)), [0, 0, 0, 0, 0, 4], atol=1e-15)
    scene, _, follower = loaded(PointTorque("drive", "body", direction="-z", torque=4, follows=True))
    np.testing.assert_allclose(residual(follower, scene.state(follower))[3:], R @ (0, 0, 4), atol=1e-15)


def test_signals_keep_their_sign_and_power_is_force_times_velocity():
    """P = f · (v + ω × s); a force that changes its sign is reported with it.   FTG (9.14)"""
    v, omega, t = np.array([1.0, 2, 3]), np.array([-2.0, 0.5, 1]), 0.6
    force = fx.sine(10, frequency=1)
    scene, _, push = loaded(PointForce("push", "body", direction="y", force=force), t=t, v=v, omega=omega)
    power = force(t) * (v + np.cross(omega, R @ ARM))[1]
    assert force(t) < 0
    assert scene.signals(push) == pytest.approx({"force": force(t), "power": power})
    assert energies(push, scene.state(push)) == pytest.approx([0, 0, 0, 0, power])
    scene, _, turn = loaded(PointTorque("turn", "body", direction="y", torque=force), t=t, omega=omega)
    assert scene.signals(turn) == pytest.approx({"torque": force(t), "power": force(t) * omega[1]})


def test_load_stiffness_of_a_dead_load_above_the_centre():
    """A weight W on a mast of height s over the centre tips it over: K = −W s for the tilt (inverted pendulum)."""
    scene = Scene((0, 0, 0))
    node = scene.body(RigidBody("mast", M, tuple(J)))
    load = PointForce("load", "mast", direction="-z", force=50)
    element = scene.add(load.terms(Places(site(node, (0, 0, 0.8)))))
    K = matrix(element, scene.state(element), (1.0, 0.0, 0.0))
    np.testing.assert_allclose(K[3:, 3:], np.diag([-40.0, -40, 0]), atol=1e-12)
    np.testing.assert_allclose(K[:3], 0, atol=1e-15)


@pytest.mark.parametrize("load", [PointForce, PointTorque])
def test_the_status_of_its_function_is_passed_on(load):
    field = "force" if load is PointForce else "torque"
    beyond = load("load", "body", direction="x", **{field: fx.table([5, 6], [1, 2], extrapolation="error")})
    scene, _, element = loaded(beyond)
    assert "outside the table" in element.law.errors[call(element, scene.state(element), RESIDUAL).status]
