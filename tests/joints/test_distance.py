"""Distance rod: pendulums of constant and of changing length."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import flexor.functions as fx
from flexor.bodies import PointMass, RigidBody
from flexor.joints import Distance
from tests.laws.calls import call
from tests.laws.scene import G, Places, Scene, site

M = 2.0


def pendulum(theta, rate, length, t=0.0):
    """A bob on a rod of changing length ℓ(t), hung from the origin, in the x–z plane."""
    scene = Scene(t=t)
    l, l_dot = length(t), length.derivative(t)
    along, across = np.array([np.sin(theta), 0, -np.cos(theta)]), np.array([np.cos(theta), 0, np.sin(theta)])
    node = scene.body(PointMass("bob", M), x=l * along, v=l_dot * along + l * rate * across)
    rod = Distance("rod", "ground", "bob", length=length)
    return scene, node, scene.add(rod.terms(Places(site(0), site(node)))), along, across


@pytest.mark.parametrize("theta", [0.0, 0.5, -2.0])
@pytest.mark.parametrize("length", [fx.constant(0.8), fx.polynomial(0.8, -0.3, 0.6)], ids=["constant", "changing"])
def test_pendulum(theta, length):
    """ℓ θ̈ + 2 ℓ̇ θ̇ + g sin θ = 0; tension m (g cos θ + ℓ θ̇² − ℓ̈)   (Lagrange's equations in polar coordinates)"""
    rate, t = 2.5, 0.4
    l, l_dot, l_ddot = length(t), length.derivative(t), length.derivative(t, order=2)
    scene, node, rod, along, across = pendulum(theta, rate, length, t)
    signals = scene.solve().signals(rod)
    a = scene.a[node][:3]
    alpha = -(2 * l_dot * rate + G * np.sin(theta)) / l
    assert a @ across == pytest.approx(l * alpha + 2 * l_dot * rate, rel=1e-12, abs=1e-12)
    assert a @ along == pytest.approx(l_ddot - l * rate**2, rel=1e-12, abs=1e-12)
    assert signals["force"] == pytest.approx(-M * (G * np.cos(theta) + l * rate**2 - l_ddot), rel=1e-12)
    assert signals["length"] == pytest.approx(l)
    assert signals["length_rate"] == pytest.approx(l_dot, abs=1e-15)


def test_a_strut_is_under_compression():
    """A weight standing on a rod: force = m g, compression positive."""
    scene, _, rod, _, _ = pendulum(np.pi, 0.0, fx.constant(0.8))
    assert scene.solve().signals(rod)["force"] == pytest.approx(M * G)


def test_winding_up_a_pendulum_takes_work():
    """Input power = −tension · ℓ̇   (what a winch does)"""
    length = fx.polynomial(0.8, -0.3)
    scene, _, rod, _, _ = pendulum(0.3, 1.0, length)
    signals = scene.solve().signals(rod)
    assert scene.energy()[4] == pytest.approx(signals["force"] * -0.3)
    assert scene.energy()[4] > 0


def test_two_bars_hang_a_beam():
    """A beam on two vertical rods at its ends: each carries half the weight."""
    scene = Scene()
    node = scene.body(RigidBody("beam", M, (1, 1, 1)))
    rods = [
        scene.add(Distance("rod", "ground", "beam", length=1).terms(Places(site(0, (x, 0, 1)), site(node, (x, 0, 0)))))
        for x in (-0.5, 0.5)
    ]
    scene.solve()
    assert [scene.signals(rod)["force"] for rod in rods] == pytest.approx([-M * G / 2] * 2)


def test_measured_length_is_kept():
    (rod,) = Distance("rod", "a", "b").terms(Places(site(1), site(2), length=1.7))
    scene, _, _, _, _ = pendulum(0.0, 0.0, fx.constant(1.7))
    state = scene.state(scene.terms[-1])
    assert call(rod, state, 1).r[12] == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize(
    ("x", "length", "message"),
    [
        ((0, 0, 0), 1.0, "its ends coincide"),
        ((1, 0, 0), fx.sine(1, frequency=1, offset=0.5), "must stay positive"),
    ],
)
def test_impossible_rods_are_refused(x, length, message):
    scene = Scene()
    node = scene.body(PointMass("bob", M), x=x)
    (rod,) = Distance("rod", "ground", "bob", length=length).terms(Places(site(0), site(node)))
    state = replace(scene.state(rod), t=0.75)
    assert message in rod.law.errors[call(rod, state, 1).status]


def test_the_status_of_its_function_is_passed_on():
    """A table that ends before the time of the run."""
    scene = Scene(t=5.0)
    node = scene.body(PointMass("bob", M), x=(1, 0, 0))
    length = fx.table([0, 1], [1, 2], extrapolation="error")
    (rod,) = Distance("rod", "ground", "bob", length=length).terms(Places(site(0), site(node)))
    assert "outside the table" in rod.law.errors[call(rod, scene.state(rod), 1).status]
