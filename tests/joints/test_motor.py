"""Motor: the torque it needs, the motion it prescribes, and the power it gives."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import flexor.functions as fx
from flexor.bodies import RigidBody
from flexor.errors import ModelError
from flexor.joints import Motor, Prismatic, Revolute
from flexor.law import COMMIT, RESIDUAL
from flexor.spatial import exp_so3, triad
from tests.laws.calls import call, call_compiled, outputs
from tests.laws.scene import G, Places, Scene, site

M, J, L = 2.0, 0.3, 0.7
Y = triad("y")


def driven_arm(motor, angle, rate, t=0.0):
    """An arm whose centre is L beside a hinge about y through the origin, at `angle` from the x axis (down)."""
    R = exp_so3([0, angle, 0])
    scene = Scene(t=t)
    x = R @ (L, 0, 0)
    node = scene.body(RigidBody("arm", M, (J, J, J)), x=x, R=R, v=np.cross([0, rate, 0], x), omega=(0, rate, 0))
    hinge, ends = Revolute("hinge", "ground", "arm", axis="y"), (site(0, R=Y), site(node, (-L, 0, 0), Y))
    scene.add(hinge.terms(Places(*ends)))
    return scene, node, scene.add(motor.terms(Places(*ends, hinge)))


def test_torque_to_hold_an_arm():
    """M = −m g L cos θ about y: the weight turns it down, the motor holds it."""
    scene, node, drive = driven_arm(Motor("drive", "hinge", position=0.4), 0.4, 0.0)
    signals = scene.solve().signals(drive)
    np.testing.assert_allclose(scene.a[node], 0, atol=1e-12)
    assert signals["torque"] == pytest.approx(-M * G * L * np.cos(0.4))
    assert signals["power"] == 0
    assert signals["target"] == pytest.approx(0.4)


def test_torque_and_power_to_accelerate_an_arm():
    """M = (J + m L²) θ̈ − m g L cos θ,  P = M θ̇"""
    position = fx.polynomial(0.1, 0.7, 1.3)
    t = 0.6
    theta, rate, alpha = position(t), position.derivative(t), position.derivative(t, order=2)
    scene, node, drive = driven_arm(Motor("drive", "hinge", position=position), theta, rate, t)
    signals = scene.solve().signals(drive)
    torque = (J + M * L**2) * alpha - M * G * L * np.cos(theta)
    assert scene.a[node][4] == pytest.approx(alpha)
    assert signals["torque"] == pytest.approx(torque)
    assert signals["power"] == pytest.approx(torque * rate)
    assert scene.energy()[4] == pytest.approx(torque * rate)


def test_a_linear_motor_lifts_a_weight():
    """F = m (g + a)"""
    scene = Scene()
    node = scene.body(RigidBody("load", M, (J, J, J)))
    guide, ends = Prismatic("guide", "ground", "load"), (site(0), site(node))
    scene.add(guide.terms(Places(*ends)))
    lift = scene.add(Motor("lift", "guide", acceleration=1.5).terms(Places(*ends, guide)))
    scene.solve()
    assert scene.signals(lift)["force"] == pytest.approx(M * (G + 1.5))
    np.testing.assert_allclose(scene.a[node], [0, 0, 1.5, 0, 0, 0], atol=1e-12)


def target_after(motor, until, steps, run=call):
    """The prescribed value at the end of so many steps, each committed."""
    start, rate = 0.2, -0.4
    guide, ends = Prismatic("guide", "ground", "load", start=start, start_rate=rate), (site(0), site(1))
    (element,) = motor.terms(Places(*ends, guide))
    scene = Scene()
    scene.body(RigidBody("load", M, (J, J, J)))
    state = scene.state(element)
    for t in np.linspace(0.0, until, steps + 1)[1:]:
        state = replace(state, t=t)
        target = outputs(element, state)[2] if run is call else None
        state = replace(state, h=run(element, state, COMMIT).h)
    return target, state.h


@pytest.mark.parametrize("steps", [1, 7])
def test_given_acceleration_is_integrated_exactly_for_polynomials(steps):
    """u = u₀ + u̇₀ t + ∬ f; three Gauss points are exact for f of degree 4.   FTG 7.7.4, by quadrature"""
    c = (0.5, -1.2, 0.7, 0.9, -0.4)
    t = 1.7
    exact = 0.2 - 0.4 * t + sum(ci * t ** (i + 2) / ((i + 1) * (i + 2)) for i, ci in enumerate(c))
    target, history = target_after(Motor("m", "guide", acceleration=fx.polynomial(*c)), t, steps)
    assert target == pytest.approx(exact, rel=1e-13)
    assert history == pytest.approx([t, exact], rel=1e-13)


def test_given_acceleration_converges_with_the_sixth_power_of_the_step():
    """u″ = A sin ωt from rest:  u = u₀ + u̇₀ t + A (ωt − sin ωt)/ω²"""
    A, omega, t = 3.0, 2 * np.pi * 0.5, 2.3
    exact = 0.2 - 0.4 * t + A * (omega * t - np.sin(omega * t)) / omega**2
    motor = Motor("m", "guide", acceleration=fx.sine(A, frequency=0.5))
    errors = [abs(target_after(motor, t, steps)[0] - exact) for steps in (4, 8, 16)]
    assert errors[0] < 1e-3
    assert np.all(np.log2(np.array(errors[:-1]) / errors[1:]) > 5.5)


def test_given_speed_is_integrated_exactly():
    speed = fx.sine(1.5, frequency=0.8, offset=0.3)
    target, _ = target_after(Motor("m", "guide", speed=speed), 2.3, 1)
    assert target == pytest.approx(0.2 + speed.integral(2.3), rel=1e-13)


def test_compiled_history_is_the_same():
    motor = Motor("m", "guide", acceleration=fx.sine(3.0, frequency=0.5))
    _, expected = target_after(motor, 2.3, 9)
    _, history = target_after(motor, 2.3, 9, call_compiled)
    np.testing.assert_allclose(history, expected, rtol=1e-13)


def test_many_turns():
    """3000 rpm for a second is 50 turns; the constraint sees the angle up to whole turns."""
    scene, _, drive = driven_arm(Motor("drive", "hinge", speed="3000 rpm"), 0.0, 100 * np.pi, t=1.0)
    state = scene.state(drive)
    assert call(drive, state, RESIDUAL).r[12] == pytest.approx(0, abs=1e-12)
    assert outputs(drive, state)[2] == pytest.approx(100 * np.pi)


@pytest.mark.parametrize("fields", [{}, {"speed": 1, "position": 2}], ids=["nothing", "two things"])
def test_exactly_one_motion_is_given(fields):
    with pytest.raises(ModelError, match="exactly one of position, speed, acceleration"):
        Motor("drive", "hinge", **fields)


def test_the_status_of_its_function_is_passed_on():
    beyond = Motor("drive", "hinge", acceleration=fx.table([0, 1], [1, 2], extrapolation="error"))
    scene, _, drive = driven_arm(beyond, 0.0, 0.0, t=3.0)
    assert "outside the table" in drive.law.errors[call(drive, scene.state(drive), RESIDUAL).status]
