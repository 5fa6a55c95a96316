"""Axial spring and damper: force, stiffness, energy, and the limit of zero length."""

from __future__ import annotations

import numpy as np
import pytest

import flexor.functions as fx
from flexor.bodies import PointMass
from flexor.forces import AxialSpring
from flexor.law import GROUND, MATRIX, OUTPUT, RESIDUAL
from flexor.spatial import exp_so3
from tests.laws.calls import call, energies, matrix, residual
from tests.laws.scene import G, Places, Scene, site

K, D, FREE, LENGTH = 200.0, 3.0, 0.5, 0.8
Q = exp_so3([0.4, -1.1, 0.7])
U = Q[:, 0]


def stretched(x=LENGTH * U, v=(0.0, 0.0, 0.0), **fields):
    """A point mass on a spring from the origin."""
    scene = Scene()
    node = scene.body(PointMass("bob", 2.0), x=x, v=v)
    spring = AxialSpring("spring", "ground", "bob", **{"free_length": FREE, **fields})
    return scene, node, scene.add(spring.terms(Places(site(GROUND), site(node), length=LENGTH)))


def test_force():
    """F = k δ + f(δ)   FTG (5.2), implicit function;  tension pulls B towards A"""
    scene, _, spring = stretched(stiffness=K, force=fx.polynomial(0, 0, 50.0))
    delta = LENGTH - FREE
    force = K * delta + 50 * delta**2
    assert scene.signals(spring) == pytest.approx(
        {
            "length": LENGTH,
            "deflection": delta,
            "rate": 0,
            "force": force,
            "strain_energy": K * delta**2 / 2 + 50 * delta**3 / 3,  # FTG (9.5)
        }
    )
    np.testing.assert_allclose(residual(spring, scene.state(spring))[6:9], force * U)


def test_stiffness():
    """k = K i₁⊗i₁ + F/ℓ (i₂⊗i₂ + i₃⊗i₃)   FTG (5.3): taut like a string across, elastic along the line"""
    scene, _, spring = stretched(stiffness=K, force=fx.polynomial(0, 0, 50.0))
    delta = LENGTH - FREE
    tangent, force = K + 100 * delta, K * delta + 50 * delta**2
    k = Q @ np.diag([tangent, force / LENGTH, force / LENGTH]) @ Q.T
    found = matrix(spring, scene.state(spring), (1.0, 0.0, 0.0))
    np.testing.assert_allclose(found[6:9, 6:9], k, rtol=1e-12, atol=1e-10)
    np.testing.assert_allclose(found[6:9, 0:3], -k, rtol=1e-12, atol=1e-10)


def test_damper():
    """F = d ℓ̇ + g(ℓ̇)   FTG (5.20), c = C i₁⊗i₁ (5.21), k_g = F/ℓ (i₂⊗i₂ + i₃⊗i₃) (5.22) where it is pulled straight"""
    scene, _, damper = stretched(damping=D, damper=fx.polynomial(0, 0, 0, 0.5), v=2.0 * U)
    force = D * 2 + 0.5 * 2**3
    assert scene.signals(damper)["force"] == pytest.approx(force)
    state = scene.state(damper)
    c = matrix(damper, state, (0.0, 1.0, 0.0))[6:9, 6:9]
    np.testing.assert_allclose(c, (D + 1.5 * 2**2) * np.outer(U, U), atol=1e-12)
    k = matrix(damper, state, (1.0, 0.0, 0.0))[6:9, 6:9]
    np.testing.assert_allclose(k, force / LENGTH * (np.eye(3) - np.outer(U, U)), atol=1e-12)
    assert energies(damper, state) == pytest.approx([0, 0, 0, force * 2, 0])  # FTG (9.12)


def test_frequencies_of_a_mass_on_a_stretched_spring():
    """Along the spring ω² = k/m, across it ω² = F/(m ℓ), the pendulum √(g/ℓ) if F = m g."""
    m = 2.0
    length = FREE + m * G / K
    scene, node, spring = stretched(x=(0, 0, -length), stiffness=K)
    np.testing.assert_allclose(scene.solve().a[node], 0, atol=1e-12)  # hangs in equilibrium
    k = matrix(spring, scene.state(spring), (1.0, 0.0, 0.0))[6:9, 6:9]
    np.testing.assert_allclose(k / m, np.diag([G / length, G / length, K / m]), rtol=1e-12, atol=1e-12)


def test_an_actuator_that_shortens_a_spring_does_work():
    """P = −F ℓ̇₀   FTG (9.10) (which leaves out the dot, and has the sign of a pressure force)"""
    scene, _, spring = stretched(stiffness=K, free_length=fx.polynomial(FREE, -0.1))
    supplied = energies(spring, scene.state(spring))[4]
    assert supplied == pytest.approx(K * (LENGTH - FREE) * 0.1)


def test_free_length_is_the_measured_length_if_left_out():
    scene, _, spring = stretched(stiffness=K, free_length=None)
    assert scene.signals(spring)["force"] == pytest.approx(0, abs=1e-12)


def test_zero_length_spring():
    """With ℓ₀ = 0 it is the linear law f = k d + d ḋ around its own zero: no direction is needed there."""
    v = np.array([0.3, -0.2, 0.5])
    scene, _, spring = stretched(x=(0, 0, 0), v=v, stiffness=K, damping=D, free_length=0)
    state = scene.state(spring)
    answer = call(spring, state, RESIDUAL | MATRIX, (1.0, 0.0, 0.0))
    np.testing.assert_allclose(answer.r[6:9], D * v)
    np.testing.assert_allclose(answer.K[6:9, 6:9], K * np.eye(3))
    np.testing.assert_allclose(matrix(spring, state, (0.0, 1.0, 0.0))[6:9, 6:9], D * np.eye(3))
    assert energies(spring, state) == pytest.approx([0, 0, 0, D * v @ v, 0])
    assert scene.signals(spring)["rate"] == pytest.approx(np.linalg.norm(v))
    # it continues what the law gives a moment later, d = v τ
    tau = 1e-9
    later, _, moved = stretched(x=v * tau, v=v, stiffness=K, damping=D, free_length=0)
    np.testing.assert_allclose(residual(moved, later.state(moved)), answer.r, atol=1e-6)


@pytest.mark.parametrize(
    "fields",
    [
        {"stiffness": K},
        {"free_length": 0, "force": fx.polynomial(0, 1)},
        {"free_length": 0, "damper": fx.polynomial(0, 1)},
    ],
    ids=["free length", "force function", "damper function"],
)
def test_other_springs_lose_their_direction_at_zero_length(fields):
    scene, _, spring = stretched(x=(0, 0, 0), **fields)
    status = call(spring, scene.state(spring), RESIDUAL).status
    assert "ends coincide" in spring.law.errors[status]


@pytest.mark.parametrize("what", ["force", "damper", "free_length"])
def test_the_status_of_its_functions_is_passed_on(what):
    scene, _, spring = stretched(stiffness=K, **{what: fx.table([5, 6], [1, 2], extrapolation="error")})
    for want in (RESIDUAL, OUTPUT):
        assert "outside the table" in spring.law.errors[call(spring, scene.state(spring), want).status]
