"""Friction in equilibria, modes and starts from equilibrium: what slides comes to rest where friction just holds it."""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx

ARM = fx.RigidBody("arm", mass=1, inertia=0.01)


def turned(*friction: fx.Friction, joint: object = None, stiffness: float = 10, torque: float = 1) -> fx.Model:
    """A torsion spring under a torque."""
    joint = joint or fx.Revolute("pin", fx.ground, ARM, axis="z")
    spring = fx.JointSpring("spring", "pin", variable="angle", stiffness=stiffness)
    load = fx.PointTorque("torque", ARM, direction="z", torque=torque)
    return fx.Model("turned", [ARM, joint, spring, load, *friction])


@pytest.mark.parametrize(
    ("friction", "holds"),
    [
        ({"prestress": 0.2}, 0.2),
        ({"prestress": 0.95}, 0.95),
        ({"viscous": 0.1}, 0.0),
        ({"prestress": 0.2, "viscous": 0.1}, 0.2),
        ({"coefficient": 0.1, "radius": 0.1, "load": 20}, 0.2),
        ({"prestress": 0.2, "micro_slip": 1e-4}, 0.2),
        ({"prestress": 0.2, "micro_slip": 1e-3}, 0.2),
    ],
)
@pytest.mark.parametrize("sign", [1, -1])
def test_a_shaft_slides_until_friction_holds_it(friction: dict, holds: float, sign: int) -> None:
    found = turned(fx.Friction("f", "pin", **friction), torque=sign).statics()
    assert found["pin.angle"] == pytest.approx(sign * (1 - holds) / 10, rel=1e-9)
    assert found["f.torque"] == pytest.approx(-sign * holds, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(
    "joint",
    [
        fx.Revolute("pin", fx.ground, ARM, axis="z", enforcement="elimination"),
        fx.Cylindrical("pin", fx.ground, ARM, axis="z", locked="displacement"),
    ],
    ids=["eliminated", "cylindrical"],
)
def test_in_any_joint(joint: object) -> None:
    assert turned(fx.Friction("f", "pin", variable="angle", prestress=0.2), joint=joint).statics()[
        "pin.angle"
    ] == pytest.approx(0.08)


def test_what_is_held_stays_where_it_is_drawn() -> None:
    found = turned(fx.Friction("f", "pin", prestress=1.5)).statics()
    assert 0 < found["pin.angle"] < 1e-6
    assert found["f.torque"] == pytest.approx(-1, rel=1e-4)


def test_a_soft_hold_in_a_stiff_spring() -> None:
    assert turned(fx.Friction("f", "pin", prestress=0.01), stiffness=1000).statics()["pin.angle"] == pytest.approx(
        0.00099, rel=1e-9
    )


@pytest.mark.parametrize("start", [0.0, 0.3, 0.8, 1.2])
def test_a_pendulum_falls_until_its_bearing_holds_it(start: float) -> None:
    """m g l sin φ = μ r N, as drawn from φ = 0 horizontally: 0.3 cos q = 0.5 · 0.1"""
    bob = fx.RigidBody("bob", mass=1, inertia=0.01)
    items = [
        bob,
        fx.Revolute("pin", fx.ground, bob.at(-0.3, 0, 0), axis="z", start=-start),
        fx.Friction("f", "pin", 0.5, radius=0.1, load=9.81),
    ]
    found = fx.Model("pendulum", items, gravity=(0, -9.81, 0)).statics()
    assert found["pin.angle"] == pytest.approx(-np.arccos(1 / 6), rel=1e-6)


def test_modes_and_runs_begin_in_that_position() -> None:
    model = turned(fx.Friction("f", "pin", prestress=0.2))
    run = model.dynamics(until=0.1, step=0.01, start="equilibrium", show=False)
    np.testing.assert_allclose(run["pin.angle"].values, 0.08, rtol=1e-5)
    viscous = turned(fx.Friction("f", "pin", viscous=0.1))
    assert viscous.modes(1).frequencies[0] == pytest.approx(np.sqrt(10 / 0.01) / (2 * np.pi), rel=1e-6)


def test_wound_up_by_many_turns() -> None:
    found = turned(fx.Friction("f", "pin", prestress=2), stiffness=1, torque=20).statics()
    assert found["pin.angle"] == pytest.approx(18, rel=1e-9)


def test_links_with_friction_in_both_hinges() -> None:
    """The first comes to rest at its limit, μ r R = m g (l₁ cos φ + l₂ cos φ) of both in line; the second is held by its own."""
    first, second = (
        fx.RigidBody(name, mass=1, inertia=0.01, center_of_mass=(0.3, 0, 0)) for name in ("first", "second")
    )
    items = [
        *(first, second),
        fx.Revolute("p", fx.ground, first, axis="y"),
        fx.Revolute("q", first.at(0.6, 0, 0), second, axis="y"),
        fx.Friction("f", "p", 0.4, radius=0.05),
        fx.Friction("g", "q", 0.4, radius=0.05),
    ]
    found = fx.Model("links", items, gravity=(0, 0, -9.81)).statics()
    weight = 9.81
    assert found["p.angle"] == pytest.approx(np.arccos(0.4 * 0.05 * 2 / (0.3 + 0.9)), abs=1e-6)
    assert found["q.angle"] == pytest.approx(0, abs=1e-6)
    assert abs(found["g.torque"]) == pytest.approx(weight * 0.3 * np.cos(found["p.angle"]), rel=1e-3)
    assert found["f.limit"] == pytest.approx(0.4 * 0.05 * 2 * weight)


@pytest.mark.parametrize("friction", [{"coefficient": 0.3}, {"viscous": 0.5}, {"prestress": 3}])
def test_forces_of_a_given_motion_where_it_is_at_rest_for_an_instant(friction: dict) -> None:
    body = fx.RigidBody("body", mass=2, inertia=0.1)
    slide = fx.Prismatic("slide", fx.ground, body, axis="x")
    motor = fx.Motor("motor", slide, position="0.1*(1 - cos(pi*t))")
    model = fx.Model("led", [body, slide, motor, fx.Friction("f", slide, **friction)], gravity=(0, 0, -9.81))
    run = model.kinematics(until=2, step=0.1)
    a, v = 0.1 * np.pi**2 * np.cos(np.pi * run.time), 0.1 * np.pi * np.sin(np.pi * run.time)
    way = np.sign(np.where(np.abs(v) < 1e-9, a, v))
    dry = friction.get("coefficient", 0) * 2 * 9.81 + friction.get("prestress", 0)
    np.testing.assert_allclose(run["motor.force"], 2 * a + way * dry + friction.get("viscous", 0) * v, atol=1e-6)


def test_friction_that_is_only_viscous_holds_nothing_in_modes() -> None:
    body = fx.RigidBody("body", mass=2, inertia=0.1)
    slide = fx.Prismatic("slide", fx.ground, body, axis="x")
    items = [body, slide, fx.JointSpring("k", slide, stiffness=50), fx.Friction("f", slide, viscous=0.1)]
    assert fx.Model("t", items, gravity=(0, 0, -9.81)).modes(1).frequencies[0] == pytest.approx(5 / (2 * np.pi))
