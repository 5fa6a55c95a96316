"""Rigid body: Euler's equations, its energies, what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.bodies import RigidBody
from flexor.bodies.rigid_body import moment_matrix, principal_moments
from flexor.errors import ModelError
from flexor.spatial import exp_so3
from tests.laws.calls import residual
from tests.laws.scene import G, Scene

WEIGHTLESS = (0.0, 0.0, 0.0)
R = exp_so3([0.7, -1.9, 0.4])


def test_eulers_equations():
    """J₁ ω̇₁ = (J₂ − J₃) ω₂ ω₃ and cyclic, in principal axes   (Goldstein, Classical Mechanics, 3rd ed., 5.5)"""
    J = np.array([0.4, 0.6, 0.8])
    scene = Scene(WEIGHTLESS)
    node = scene.body(RigidBody("body", 2.0, tuple(J)), R=R, omega=R @ (3.0, -2.0, 5.0))
    expected = np.array([(J[1] - J[2]) * -2 * 5, (J[2] - J[0]) * 5 * 3, (J[0] - J[1]) * 3 * -2]) / J
    # ω̇ has the same components in body axes as its rate there, since ω × ω = 0
    np.testing.assert_allclose(R.T @ scene.solve().a[node][3:], expected, rtol=1e-13)


@pytest.mark.parametrize("J3", [0.3, 0.9], ids=["prolate", "oblate"])
def test_a_free_symmetric_body_precesses_about_its_angular_momentum(J3):
    """Its axis e goes round at L/J₁ and it spins about e at (1 − J₃/J₁) ω₃   (Goldstein, 5.6)

    ω = L/J₁ + (1 − J₃/J₁) ω₃ e, hence ω̇ = (1 − J₃/J₁) ω₃ L × e / J₁.
    """
    J1, L, omega_3 = 0.5, np.array([0.3, -1.1, 0.8]), None
    for t in (0.0, 0.7, 31.0):
        e = exp_so3(t * L / J1) @ R[:, 2]
        omega_3 = L @ e / J3
        spin = (1 - J3 / J1) * omega_3
        turned = exp_so3(t * L / J1) @ R @ exp_so3([0, 0, t * spin])
        scene = Scene(WEIGHTLESS)
        node = scene.body(RigidBody("top", 1.0, (J1, J1, J3)), R=turned, omega=L / J1 + spin * e)
        np.testing.assert_allclose(scene.solve().a[node][3:], spin * np.cross(L / J1, e), atol=1e-12)
        assert scene.energy()[0] == pytest.approx(0.5 * (L @ L - (L @ e) ** 2) / J1 + 0.5 * (L @ e) ** 2 / J3)


def test_an_unbalanced_rotor_loads_its_bearings():
    """Steady rotation about z needs the moment ω × J ω = Ω² (−J_yz, J_xz, 0), fixed in the rotor."""
    speed, J_xz, J_yz = 20.0, 0.05, -0.03
    rotor = RigidBody("rotor", 3.0, (0.5, 0.6, 0.7, 0.0, J_xz, J_yz))
    scene = Scene(WEIGHTLESS)
    turned = exp_so3([0, 0, 2.1])
    scene.body(rotor, R=turned, omega=(0, 0, speed))
    moment = residual(scene.terms[0], scene.state(scene.terms[0]))[3:]
    np.testing.assert_allclose(turned.T @ moment, speed**2 * np.array([-J_yz, J_xz, 0]), rtol=1e-13, atol=1e-13)


def test_free_fall_and_energies():
    """U_k = ½ m v² + ½ ω·J ω   FTG (9.7);  U_p = m g h"""
    scene = Scene()
    node = scene.body(RigidBody("disc", 2.0, (0.1, 0.1, 0.2)), x=(0, 0, 5), v=(3, 0, 4), omega=(0, 0, 10))
    np.testing.assert_allclose(scene.solve().a[node], [0, 0, -G, 0, 0, 0], atol=1e-14)
    scene.x[node] = np.array([1.0, 0.0, 7.0])
    assert scene.energy() == pytest.approx([0.5 * 2 * 25 + 0.5 * 0.2 * 100, 2 * G * 2, 0, 0, 0])


def test_inertia_can_be_given_in_three_ways():
    six = RigidBody("b", 1, (0.5, 0.6, 0.7, 0.1, 0.05, -0.02))
    matrix = RigidBody("b", 1, [[0.5, 0.1, 0.05], [0.1, 0.6, -0.02], [0.05, -0.02, 0.7]])
    assert six == matrix
    assert RigidBody("b", 1, "0.1 kg*m^2") == RigidBody("b", 1, (0.1, 0.1, 0.1))
    np.testing.assert_array_equal(six.inertia_matrix, [[0.5, 0.1, 0.05], [0.1, 0.6, -0.02], [0.05, -0.02, 0.7]])


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"mass": 1, "inertia": (1, 1, 3)}, "not physical"),
        ({"mass": 1, "inertia": (1, 1, -0.1)}, "not physical"),
        ({"mass": 0, "inertia": (1, 1, 1)}, "no mass"),
        ({"mass": -1}, "mass"),
        ({"mass": 1, "inertia": (1, 2)}, "3 or 6 numbers"),
        ({"mass": 1, "inertia": [[1, 0.1, 0], [0, 1, 0], [0, 0, 1]]}, "not symmetric"),
    ],
)
def test_impossible_inertia_is_refused(fields, message):
    with pytest.raises(ModelError, match=message):
        RigidBody("b", **fields)


def test_markers_may_be_points_in_arrays():
    made = [RigidBody("b", mass=1, inertia=1, markers={"tip": point}) for point in (np.array([0.1, 0, 0]), (0.1, 0, 0))]
    assert made[0] == made[1]


@pytest.mark.parametrize(
    "moments", [(0.3, 0.1, 0.25), (0.3, 0.1, 0.25, 0.0, -0.0, 0.0), (0.3, 0.2, 0.25, 0.01, -0.02, 0.03)]
)
def test_principal_moments_are_the_eigenvalues(moments):
    np.testing.assert_array_equal(principal_moments(moments), np.linalg.eigvalsh(moment_matrix(moments)))
