"""Spring on a joint variable: torsion pendulum, turns, dashpot, slider."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import flexor.functions as fx
from flexor.bodies import RigidBody
from flexor.forces import JointSpring
from flexor.joints import Prismatic, Revolute, Universal
from flexor.law import COMMIT, RESIDUAL
from flexor.spatial import exp_so3
from tests.laws.calls import call, energies, matrix, outputs
from tests.laws.scene import Places, Scene, site

K, D, M, J = 12.0, 0.8, 2.0, 0.3


def torsion(angle, rate=0.0, start=0.0, **fields):
    """A disc on a torsion spring about z."""
    scene = Scene()
    node = scene.body(RigidBody("disc", M, (1, 1, J)), R=exp_so3([0, 0, angle]), omega=(0, 0, rate))
    shaft, ends = Revolute("shaft", "ground", "disc", start=start), (site(0), site(node))
    scene.add(shaft.terms(Places(*ends)))
    return scene, node, scene.add(JointSpring("spring", "shaft", **fields).terms(Places(*ends, shaft)))


def test_torsion_pendulum():
    """J θ̈ + d θ̇ + k (θ − θ₀) = 0"""
    scene, node, spring = torsion(0.9, 2.0, stiffness=K, damping=D, free=0.4)
    assert scene.solve().a[node][5] == pytest.approx(-(D * 2.0 + K * 0.5) / J)
    assert scene.signals(spring) == pytest.approx(
        {"deflection": 0.5, "torque": -(D * 2.0 + K * 0.5), "strain_energy": K * 0.5**2 / 2}
    )
    assert energies(spring, scene.state(spring))[3] == pytest.approx(D * 2.0**2)


def test_nonlinear_spring():
    """F = f(δ), K = df/dδ (5.1), (5.2), U = ∫ f dδ (9.5) of FTG, for a hardening spring."""
    scene, _, spring = torsion(0.9, force=fx.polynomial(0, 5.0, 0, 2.0))
    state = scene.state(spring)
    assert scene.signals(spring)["torque"] == pytest.approx(-(5 * 0.9 + 2 * 0.9**3))
    assert scene.signals(spring)["strain_energy"] == pytest.approx(5 * 0.9**2 / 2 + 2 * 0.9**4 / 4)
    assert matrix(spring, state, (1.0, 0.0, 0.0))[11, 11] == pytest.approx(5 + 6 * 0.9**2)


def test_a_watch_spring_is_wound_over_many_turns():
    """The torque grows with every turn: k · 2π n after n turns, wound in steps of a third of a turn."""
    scene, node, spring = torsion(0.0, stiffness=K)
    state = scene.state(spring)
    for step in range(1, 31):
        angle = step * 2 * np.pi / 3
        scene.R[node] = exp_so3([0, 0, angle])
        state = replace(scene.state(spring), h=state.h)
        assert outputs(spring, state)[1] == pytest.approx(-K * angle)
        state = replace(state, h=call(spring, state, COMMIT).h)
    assert state.h[0] == pytest.approx(20 * np.pi)


def test_it_starts_in_the_turn_of_its_joint():
    scene, _, spring = torsion(0.5, start=0.5 + 4 * np.pi, stiffness=K)
    assert scene.signals(spring)["deflection"] == pytest.approx(0.5 + 4 * np.pi)


def test_slider_against_a_spring():
    """m ẍ + k (x − x₀) = 0 along the guide; the reaction is equal and opposite on both bodies."""
    scene = Scene((0, 0, 0))
    node = scene.body(RigidBody("block", M, (J, J, J)), x=(0, 0, 0.7))
    guide, ends = Prismatic("guide", "ground", "block"), (site(0), site(node))
    scene.add(guide.terms(Places(*ends)))
    spring = scene.add(JointSpring("spring", "guide", stiffness=K, free=0.2).terms(Places(*ends, guide)))
    assert scene.solve().a[node][2] == pytest.approx(-K * 0.5 / M)
    assert scene.signals(spring)["force"] == pytest.approx(-K * 0.5)


def test_a_joint_with_two_variables_needs_to_be_told_which():
    cardan, ends = Universal("cardan", "a", "b"), (site(1), site(2))
    with pytest.raises(ValueError, match="angle_a, angle_b"):
        JointSpring("spring", "cardan", stiffness=K).terms(Places(*ends, cardan))
    (spring,) = JointSpring("spring", "cardan", variable="angle_b", stiffness=K).terms(Places(*ends, cardan))
    assert [output.name for output in spring.outputs] == ["deflection", "torque", "strain_energy"]


@pytest.mark.parametrize("what", ["force", "damper", "free"])
def test_the_status_of_its_functions_is_passed_on(what):
    scene, _, spring = torsion(0.5, stiffness=1, **{what: fx.table([5, 6], [1, 2], extrapolation="error")})
    status = call(spring, scene.state(spring), RESIDUAL).status
    assert "outside the table" in spring.law.errors[status]
