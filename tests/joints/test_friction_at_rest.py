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
