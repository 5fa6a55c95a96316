"""Boxes touch at places beside their centres of mass: how long steps may be, and what tumbling ones keep."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import flexor as fx
from flexor.explicit.stepper import ExplicitStepper, ShortenedSteps
from flexor.solve.dynamics import prepare
from flexor.solve.settings import DynamicsSettings

MASS, K, G = 0.01, 1e5, 9.81
SIDES = {
    "domino": (0.008, 0.024, 0.048),
    "plate": (0.05, 0.05, 0.002),
    "rod": (0.1, 0.005, 0.005),
    "cube": (0.02,) * 3,
}
TURNED = ((0.24, 0.57, 0.23, -0.91), (0.83, 0.41, -0.33, 0.18))


def box(name: str, kind: str, position: Any, **fields: Any) -> fx.RigidBody:
    x, y, z = SIDES[kind]
    moments = (y * y + z * z, x * x + z * z, x * x + y * y)
    inertia = tuple(MASS * each / 12 for each in moments)
    return fx.RigidBody(name, MASS, inertia, position=position, shapes=[fx.Box(x, y, z)], **fields)


def on_floor(bodies: list[fx.RigidBody], law: Any, friction: float = 0.0) -> fx.Model:
    floor = fx.Contacts("floor", bodies, law, friction=friction, walls=[fx.ground.surface(fx.Plane())])
    return fx.Model("boxes", [*bodies, floor], gravity=(0, 0, -G))


def highest(kind: str) -> float:
    """ω² of a box on springs at its four lower corners: the largest eigenvalue of M⁻¹ Σ K b bᵀ, b = (n, r × n)."""
    half = 0.5 * np.array(SIDES[kind])
    body = box("one", kind, (0, 0, 0))
    inverse = np.diag(1 / np.array([MASS] * 3 + list(body.inertia[:3])))
    total = np.zeros((6, 6))
    for x in (-1, 1):
        for y in (-1, 1):
            b = np.concatenate([(0, 0, 1), np.cross(half * (x, y, -1), (0, 0, 1))])
            total += K * np.outer(b, b)
    return float(np.linalg.eigvals(inverse @ total).real.max())


@pytest.mark.parametrize("kind", SIDES)
def test_the_bound_of_the_frequency_is_above_it_and_near(kind):
    """Gershgorin adds up the three frequencies, of going up and down and of rocking about two axes: no more than three times the highest."""
    settings = DynamicsSettings(until=0.1, output=0.1, solver="explicit")
    sunk = MASS * G / (4 * K)
    model = on_floor([box("one", kind, (0, 0, 0.5 * SIDES[kind][2] - sunk))], fx.Penalty(K))
    system = prepare(model, settings)
    stepper = ExplicitStepper(system, settings)
    stepper.table.call("begin")
    bound = stepper.memory.stiffness[0]
    assert highest(kind) * (1 - 1e-9) <= bound <= 3.001 * highest(kind)


@pytest.mark.parametrize("restitution", [1.0, 0.3])
def test_chosen_steps_are_a_thirtyfifth_of_the_period_by_corners_that_carry(restitution):
    """Of 10 g on four corners of 100 N/mm the period is 1 ms; damping of what rests and sticking friction ask for less than half of that at most."""
    dominoes = [box(f"d{i}", "domino", (0.021 * i, 0, 0.024)) for i in range(3)]
    model = on_floor(dominoes, fx.Penalty(K, restitution=restitution), friction=0.3)
    steps = model.dynamics(until=0.02, output=0.01, show=False, solver="explicit").history["step_size"]
    period = 2 * np.pi / np.sqrt(highest("domino"))
    assert period / 60 < np.median(steps) < period / 30
    assert steps.min() > period / 100


def test_a_box_that_falls_on_a_corner_moves_as_in_the_implicit_engine():
    """Corner after corner with restitution, before and after; rows of both."""
    one = box("one", "domino", (0, 0, 0.0275), orientation=(0.97, 0.16, 0.14, 0.1), velocity=(0, 0, -0.3))
    model = on_floor([one], fx.Penalty(K, restitution=0.3), friction=0.3)
    explicit = model.dynamics(until=0.03, output=1e-3, show=False, solver="explicit")
    implicit = model.dynamics(until=0.03, step=2e-5, output=1e-3, show=False)
    for name, tolerance in (("one.position", 2e-5), ("one.orientation", 2e-3)):
        assert np.abs(explicit[name].values - implicit[name].values).max() < tolerance, name
    assert explicit["energy.dissipated"][-1] == pytest.approx(implicit["energy.dissipated"][-1], rel=0.01)


@pytest.mark.parametrize("settings", [{"output": 1e-2}, {"step": 1e-3}])
@pytest.mark.parametrize("law", [fx.Penalty(K, restitution=0.3), fx.Penalty(1e8, exponent=1.5, restitution=0.3)])
@pytest.mark.parametrize("kind", SIDES)
@pytest.mark.filterwarnings("ignore::flexor.explicit.stepper.ShortenedSteps")
def test_boxes_that_tumble_onto_each_other_gain_nothing(kind, law, settings):
    """They meet at other places than those which are nearest before: what one may swing by in a step counts. Longest stable steps keep the energy to 2 %, too."""
    boxes = [
        box("low", kind, (0, 0, 0.06), orientation=TURNED[0]),
        box("high", kind, (0.005, 0, 0.15), orientation=TURNED[1], angular_velocity=(20, -30, 10)),
    ]
    run = on_floor(boxes, law, friction=0.3).dynamics(until=0.25, show=False, solver="explicit", **settings)
    fell = run["energy.kinetic"][0] + MASS * G * (0.06 + 0.15)
    assert np.ptp(run["energy.check_sum"].values) < 0.02 * fell
    assert run["energy.kinetic"].values.max() < fell
    assert run["floor.touching"].values.max() >= 1


def test_steps_that_damping_makes_short_are_told_with_the_body_and_the_remedy():
    """With e = 0.05 a plate at rest is damped by d = χ K δ of rest_speed, far beyond its critical one: explicit steps need h below m/d. Faster rest_speed, longer steps."""
    flat = [box("flat", "plate", (0, 0, 0.001))]
    slow = on_floor(flat, fx.Penalty(K, restitution=0.05))
    with pytest.warns(ShortenedSteps, match=r"damping or sticking friction .*'flat'.*rest_speed") as told:
        short = slow.dynamics(until=0.02, output=0.01, show=False, solver="explicit")
    assert len(told) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        quick = on_floor(flat, fx.Penalty(K, restitution=0.05, rest_speed=0.05))
        long = quick.dynamics(until=0.02, output=0.01, show=False, solver="explicit")
    assert len(short.history["step_size"]) > 3 * len(long.history["step_size"])
