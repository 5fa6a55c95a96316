"""Statics of what stands on something by friction: found from gaps and in any pose of the whole scene, or refused with the reason."""

import warnings

import numpy as np
import pytest

import flexor as fx
from flexor.spatial import exp_so3

G, MASS = 9.81, 2.0
WEIGHT = MASS * G
TOPS = {
    "block": (fx.Box(0.1, 0.08, 0.06), 0.03),
    "can": (fx.Cylinder(0.03, 0.1, axis="z"), 0.05),
}
FLOORS = {"plane": fx.Plane(), "box": fx.Box(0.4, 0.3, 0.1, at=(0, 0, -0.05))}
PLACE, SIDE = np.array([0.013, -0.007]), np.array([np.cos(0.4), np.sin(0.4), 0])


def turned(turn):
    """An orientation by its rotation vector."""
    angle = float(np.linalg.norm(turn))
    return {"axis": tuple(np.array(turn) / angle), "angle": angle} if angle else {"axis": "z", "angle": 0}


def scene(top, floor, friction, push, gap, turn):
    """A body above a floor, pushed along it at its middle by a part of its weight."""
    R, (shape, high) = exp_so3(np.array(turn, dtype=float)), TOPS[top]
    base = fx.RigidBody("floor", 1.0, 1.0, orientation=turned(turn), shapes=[FLOORS[floor]])
    place = tuple(R @ np.array([*PLACE, high + gap]))
    body = fx.RigidBody("body", MASS, (3e-3, 4e-3, 5e-3), position=place, orientation=turned(turn), shapes=[shape])
    return fx.Model(
        "standing",
        [
            base,
            fx.Fixed("hold", fx.ground, base),
            body,
            fx.Contact("on", base, body, fx.Penalty(1e7), friction=friction),
            fx.PointForce("push", body, direction=tuple(R @ SIDE), force=push * WEIGHT),
        ],
        gravity=tuple(R @ np.array([0, 0, -G])),
    ), R


@pytest.mark.parametrize("top", TOPS)
@pytest.mark.parametrize("floor", FLOORS)
@pytest.mark.parametrize(
    ("friction", "push", "gap", "turn"),
    [
        (0.3, 0.1, 0.0, (0.3, -0.7, 0.2)),
        (0.3, 0.1, 1e-5, (0, 0, 0)),
        (0.3, 0.29, 1e-3, (2.0, 1.0, -1.0)),
        (0.8, 0.5, 1e-3, (0, 0, 0)),
        (0.3, 0.1, 1e-2, (2.0, 1.0, -1.0)),
    ],
)
def test_friction_holds_what_stands(top, floor, friction, push, gap, turn):
    """It rests where it was drawn, but for what its asperities bend; floor and friction carry its weight and the push."""
    model, R = scene(top, floor, friction, push, gap, turn)
    found = model.statics()
    assert found["on.normal_force"] == pytest.approx(WEIGHT, rel=1e-6)
    assert found["on.friction_force"] == pytest.approx(push * WEIGHT, rel=1e-6)
    place = R.T @ found["body.position"]
    np.testing.assert_allclose(place[:2], PLACE, atol=2e-5)
    assert place[2] == pytest.approx(TOPS[top][1], abs=2e-5)


def test_what_slides_is_told():
    """Its friction holds 0.3 of its weight; pushed by half of it there is no rest, and the message has both forces."""
    model, _ = scene("block", "plane", 0.3, 0.5, 1e-3, (0, 0, 0))
    with pytest.raises(fx.SolveError) as failure:
        model.statics()
    assert "contact 'on' slides" in str(failure.value)
    assert "9.81 N" in str(failure.value)
    assert "5.89 N" in str(failure.value)


@pytest.mark.parametrize(
    ("friction", "off", "gap"), [(0.0, 0.03, 0.0), (0.0, 0.03, 1e-2), (0.3, 0.03, 1e-3), (0.3, 0.045, 1e-5)]
)
def test_a_roller_off_its_middle_on_two_edges(friction, off, gap):
    """On the edges of two boxes it rests with its weight above the point that carries it; without friction each carries G/(2 cos α)."""
    radius, apart = 0.05, 0.03
    roller = fx.RigidBody(
        "roller", MASS, (4e-3, 2.5e-3, 4e-3), center_of_mass=(0, off, 0), position=(0, 0, 0.04 + gap), shapes=[fx.Cylinder(radius, 0.1, axis="y")]
    )  # fmt: skip
    boxes = [fx.Box(0.1, 0.4, 0.1, at=(side * (apart + 0.05), 0, -0.05)) for side in (-1, 1)]
    touch = [
        fx.Contact(f"c{i}", fx.ground.surface(box), roller, fx.Penalty(1e6), friction=friction)
        for i, box in enumerate(boxes)
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it may spin about its axis
        found = fx.Model("edges", [roller, *touch], gravity=(0, 0, -G)).statics()
    assert found["c0.normal_force"] == pytest.approx(found["c1.normal_force"], rel=1e-6)
    assert found["c0.point_y"] == pytest.approx(off, abs=1e-4)
    if friction == 0.0:
        assert found["c0.normal_force"] == pytest.approx(WEIGHT / 2 / 0.8, rel=1e-3)
    assert np.abs(found["roller.position"] - (0, 0, 0.04)).max() < 2e-5


def test_boxes_stacked_in_a_turned_scene_rest_without_friction():
    """What is left of the residual is rounding, which is as large along the face as across it."""
    turn = np.random.default_rng(7).normal(size=(4, 3))[3] * 1.5
    R = exp_so3(turn)
    boxes = [
        fx.RigidBody(name, 1.0, 1e-3, position=tuple(R @ (0, 0, z)), orientation=turned(turn), shapes=[fx.Box(0.1, 0.1, 0.1)])
        for name, z in (("low", 0.0), ("high", 0.1))
    ]  # fmt: skip
    model = fx.Model(
        "stack",
        [*boxes, fx.Fixed("hold", fx.ground, boxes[0]), fx.Contact("on", *boxes, fx.Penalty(1e5))],
        gravity=tuple(R @ (0, 0, -G)),
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it may slide anywhere
        assert model.statics()["on.normal_force"] == pytest.approx(G, rel=1e-6)


@pytest.mark.parametrize("friction", [0.3, 0.1])
def test_what_slides_for_ever_is_refused(friction):
    """On an endless plane steeper than friction holds: however far it has slid, where digits are lost, it is not at rest."""
    slope = np.radians(20.0)
    block = fx.RigidBody("block", 1.0, 1e-3, position=(0, 0, 0.05), shapes=[fx.Box(0.1, 0.1, 0.1)])
    touch = fx.Contact("on", fx.ground.surface(fx.Plane()), block, fx.Penalty(1e6), friction=friction)
    model = fx.Model("slope", [block, touch], gravity=(G * np.sin(slope), 0, -G * np.cos(slope)))
    with pytest.raises(fx.SolveError, match="slides: at rest it would have to hold"):
        model.statics()
