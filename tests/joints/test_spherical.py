"""Ball joint: conical pendulum and heavy top."""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx
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


def test_the_rotation_vector_is_one():
    """R = exp ψ̂: pose and variables agree beyond 90°, where Euler angles end."""
    psi = np.array([0.9, -1.4, 1.8])
    ball = Spherical("ball", "ground", "body", form="rotation_vector")
    np.testing.assert_allclose(ball.free.pose(psi).R, exp_so3(psi), atol=1e-15)
    body = fx.RigidBody("body", mass=1, inertia=(0.1, 0.2, 0.15))
    start = fx.Spherical("ball", fx.ground, body, form="rotation_vector", start=psi, start_rate=(0.3, 0.2, -0.1))
    run = fx.Model("ball", [body, start]).dynamics(until=1e-3, step=1e-3, show=False)
    np.testing.assert_allclose([run[f"ball.rotation_{i}"][0] for i in "xyz"], psi, atol=1e-12)
    np.testing.assert_allclose([run[f"ball.rotation_{i}_rate"][0] for i in "xyz"], (0.3, 0.2, -0.1), atol=1e-9)


def test_equal_springs_on_the_rotation_vector_swing_through_a_right_angle():
    """About a fixed axis n, J ψ̈ = −k ψ with springs of equal stiffness on all components; ±150° and back, in closed form."""
    n = np.array([1.0, -2.0, 2.0]) / 3
    k, J, most = 8.0, 0.5, np.radians(150)
    body = fx.RigidBody("body", mass=1, inertia=J)
    ball = fx.Spherical("ball", fx.ground, body, form="rotation_vector", start=most * n)
    springs = [fx.JointSpring(f"s{i}", "ball", variable=f"rotation_{i}", stiffness=k) for i in "xyz"]
    run = fx.Model("swing", [body, ball, *springs]).dynamics(until=2.0, step=1e-3, show=False)
    psi = np.stack([run[f"ball.rotation_{i}"] for i in "xyz"], axis=1)
    expected = most * np.cos(np.sqrt(k / J) * np.array(run["time"]))
    np.testing.assert_allclose(psi, expected[:, None] * n, atol=2e-4)
    assert np.ptp(np.array(run["energy.check_sum"])) < 1e-3 * 0.5 * k * most**2


def test_damper_and_motor_on_the_rotation_vector():
    """With two components held by motors at zero, a damper alone slows down the third: ω = ω₀ exp(−d t/J), through 90°."""
    J, d, omega = 0.2, 0.1, 2.0
    body = fx.RigidBody("body", mass=1, inertia=J)
    ball = fx.Spherical("ball", fx.ground, body, form="rotation_vector", start_rate=(0, omega, 0))
    items = [
        fx.Motor("x", "ball", variable="rotation_x", position=0),
        fx.Motor("z", "ball", variable="rotation_z", position=0),
    ]
    damper = fx.JointSpring("d", "ball", variable="rotation_y", damping=d)
    run = fx.Model("slow", [body, ball, damper, *items]).dynamics(until=2.0, step=2e-3, show=False)
    t = np.array(run["time"])
    np.testing.assert_allclose(run["ball.rotation_y"], omega * J / d * (1 - np.exp(-d * t / J)), atol=1e-5)
    assert run["ball.rotation_y"][-1] > np.radians(140)


def test_the_limit_of_the_rotation_vector_is_named():
    body = fx.RigidBody("body", mass=1, inertia=0.5)
    ball = fx.Spherical("ball", fx.ground, body, form="rotation_vector", start_rate=(0, 3, 0))
    spring = fx.JointSpring("s", "ball", variable="rotation_y", stiffness=0.01)
    with pytest.raises(fx.errors.LawError, match=r"'s'.*half a turn"):
        fx.Model("far", [body, ball, spring]).dynamics(until=2.0, step=1e-2, show=False)
    free = fx.Model("far", [body, ball]).dynamics(until=2.0, step=1e-2, show=False)  # nothing acts on it: it goes round
    assert free["body.angular_velocity_y"][-1] == pytest.approx(3.0)


def test_wrong_input():
    for wrong, says in (
        ({"locked": "angle_x"}, "not locked one by one"),
        ({"locked": "rotation_x"}, "not locked one by one"),
        ({"start": ("178 deg", 0, 0)}, "more than 177 deg"),
    ):
        with pytest.raises(fx.errors.ModelError, match=says):
            fx.Spherical("ball", "ground", "body", form="rotation_vector", **wrong)


@pytest.mark.parametrize("flexible", [False, True])
def test_elimination_and_multipliers_alike(flexible):
    """A heavy body that falls from beside a ball, through 90° and beyond 180°; springs and a motor's force on it; reactions."""
    runs = []
    for way in ("elimination", "multipliers"):
        base = fx.RigidBody("base", mass=5, inertia=0.5)
        body = fx.RigidBody("body", mass=1, inertia=(0.02, 0.03, 0.04), center_of_mass=(0.3, 0.1, 0))
        slide = fx.Prismatic("slide", fx.ground, base, axis="y")
        end = body
        items = [base, slide]
        if flexible:
            body = fx.Beam("body", [(0, 0, 0), (0.4, 0, 0)], fx.Rectangle(0.02, 0.02), fx.Steel(), divisions=2)
            end = body["start"]
        ball = fx.Spherical(
            "ball", base.at(0.1, 0, 0), end, form="rotation_vector", start=(0.2, -0.3, 0.1), start_rate=(1.0, 0.5, -0.4),
            enforcement=way,
        )  # fmt: skip
        spring = fx.JointSpring("spring", ball, variable="rotation_z", stiffness=3.0, damping=0.1)
        model = fx.Model("ball", [*items, body, ball, spring], gravity=(0, 0, -9.81))
        runs.append(model.dynamics(until=0.5, step=1e-3, show=False))
    one, other = runs
    for i in "xyz":
        np.testing.assert_allclose(one[f"ball.rotation_{i}"], other[f"ball.rotation_{i}"], atol=2e-4)
        np.testing.assert_allclose(one[f"ball.force_{i}"][5:], other[f"ball.force_{i}"][5:], atol=0.05)
    assert np.abs(one["ball.rotation_y"]).max() > np.radians(95)
    assert np.ptp(np.array(one["energy.check_sum"])) < 5e-3


def test_by_elimination_it_goes_on_to_a_whole_turn():
    """The vector is an unknown of its own and does not jump at half a turn."""
    body = fx.RigidBody("body", mass=1, inertia=0.5)
    ball = fx.Spherical("ball", fx.ground, body, form="rotation_vector", start_rate=(0, 3, 0.01))
    run = fx.Model("far", [body, ball.replace(enforcement="elimination")]).dynamics(until=2.0, step=1e-2, show=False)
    assert run["ball.rotation_y"][-1] == pytest.approx(6.0, abs=1e-4)
