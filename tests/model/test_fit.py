"""Joints whose parts do not meet, start values and lengths that contradict the placement."""

import pytest

import flexor as fx


def body(name, **fields):
    return fx.RigidBody(name, 1.0, 0.1, **fields)


def check(*items, **settings):
    return fx.Model("m", items).check(raise_errors=False, **settings)


def one(found):
    (problem,) = found
    return str(problem)


def test_placed_bodies_must_meet():
    arm = body("arm", position=(0, 0, 0))
    far = body("far", position=(0.503, 0, 0.004))
    found = check(arm, far, fx.Spherical("ball", arm.at(0.5, 0, 0), far))
    assert one(found.problems) == (
        "joint 'ball': its points are 0.005 m apart at the start; the joint holds them together, "
        "correct points "
        "or positions, or leave out the position of one body to have the joint place it"
    )


def test_only_the_locked_directions_count():
    box = body("box", position=(0.3, 0, 0))
    assert check(box, fx.Prismatic("slide", fx.ground, box, axis="x")).ok
    assert check(box, fx.Planar("table", fx.ground, box, axis="z")).ok
    assert "0.3 m apart" in one(check(box, fx.Prismatic("slide", fx.ground, box, axis="y")).problems)


def test_the_tolerance_is_relative_to_the_size_of_the_model():
    for scale in (1e-3, 1.0, 1e3):
        arm = body("arm", position=(0, 0, 0))
        for gap, ok in ((0.5e-6, True), (2e-6, False)):
            far = body("far", position=(scale * (1 + gap), 0, 0))
            items = [arm, far, fx.Spherical("ball", arm.at(scale, 0, 0), far)]
            assert check(*items).ok is ok
            assert check(*items, tolerance=1e-5).ok


def test_a_tilted_marker_is_found():
    tilted = {"axis": "x", "angle": "10 deg"}
    arm = body("arm", position=(0, 0, 0))
    found = check(arm, fx.Revolute("pin", fx.ground, arm.at(0, 0, 0, orientation=tilted), axis="z"))
    assert "joint 'pin': its frames are turned by 10 deg against each other at the start" in one(found.problems)
    half_turn = {"axis": "x", "angle": "180 deg"}  # perpendicular axes alone would not notice it
    found = check(arm, fx.Fixed("weld", fx.ground, arm.at(0, 0, 0, orientation=half_turn)))
    assert "turned by 180 deg" in one(found.problems)


def test_a_loop_that_does_not_close_is_only_worth_a_warning():
    a, b = body("a"), body("b")
    items = [
        a, b,
        fx.Revolute("A", fx.ground, a, axis="z"),
        fx.Revolute("B", a.at(1, 0, 0), b, axis="z"),
        fx.Spherical("C", b.at(1, 0, 0), fx.ground.at(1.5, 0, 0)),
    ]  # fmt: skip
    found = check(*items)
    assert found.ok
    assert one(found.warnings) == (
        "joint 'C': its points are 0.5 m apart at the start; the loop does not close, the bodies are moved by as "
        "little as closes it; give the joint a start that says which position is meant"
    )


def test_start_against_given_positions():
    box = body("box", position=(0.3, 0, 0))
    found = check(box, fx.Prismatic("slide", fx.ground, box, axis="x", start=0.1))
    assert one(found.problems) == (
        "joint 'slide': start gives displacement = 0.1 m, the bodies stand at 0.3 m; they contradict "
        "each other, "
        "leave out start or the position of one body"
    )
    assert check(box, fx.Prismatic("slide", fx.ground, box, axis="x", start=0.3)).ok
    turned = {"axis": "z", "angle": "90 deg"}
    arm = body("arm", position=(0, 0, 0))
    ref = arm.at(0, 0, 0, orientation=turned)
    assert "start gives angle = 0.1 rad, the bodies stand at 1.5708 rad" in one(
        check(arm, fx.Revolute("pin", fx.ground, ref, axis="z", start=0.1)).problems
    )
    assert check(arm, fx.Revolute("pin", fx.ground, ref, axis="z", start="450 deg")).ok


def test_start_rates_against_given_velocities():
    arm = body("arm", angular_velocity=(0, 0, 3))
    found = check(arm, fx.Revolute("pin", fx.ground, arm, axis="z", start_rate=2))
    assert "start_rate gives angle 2 rad/s, the bodies move at 3 rad/s" in one(found.problems)
    assert check(arm, fx.Revolute("pin", fx.ground, arm, axis="z", start_rate=3)).ok


def test_motors_against_start_values():
    arm = body("arm")
    pin = fx.Revolute("pin", fx.ground, arm, axis="z", start=0.2)
    found = check(arm, pin, fx.Motor("m", "pin", position="0.5 + t"))
    assert "motor 'm': position begins at 0.5 rad, joint 'pin' at 0.2 rad; they contradict" in one(found.problems)
    found = check(arm, pin.replace(start=None), fx.Motor("m", "pin", position="0.5 + t"))
    assert one(found.warnings) == (
        "motor 'm': position begins at 0.5 rad, joint 'pin' has no start; the bodies start at 0.5 rad, not at 0, "
        "give the joint start: 0.5 if that is meant, else let the function begin at 0"
    )
    assert str(check(arm, pin.replace(start=0.5), fx.Motor("m", "pin", position="0.5 + t"))) == "no problems"
    assert str(check(arm, pin.replace(start=None), fx.Motor("m", "pin", position="2*t"))) == "no problems"
    rate = pin.replace(start=None, start_rate=1.0)
    found = check(arm, rate, fx.Motor("m", "pin", speed=2))
    assert "motor 'm': speed begins at 2 rad/s, joint 'pin' at start_rate 1 rad/s" in one(found.problems)
    placed = body("arm", position=(0, 0, 0))
    found = check(placed, pin.replace(start=None), fx.Motor("m", "pin", position="0.5 + t"))
    assert found.ok
    assert "the bodies are moved to fit" in one(found.warnings)
    fixed = body("arm", orientation={"axis": "z", "angle": 0})
    found = check(fixed, pin.replace(start=None), fx.Motor("m", "pin", position="0.5 + t"))
    assert "body 'arm': orientation asks for (0, 0, 0) rad, everything else for (0, 0, 0.5) rad" in one(found.problems)
    assert "it contradicts motor 'm'" in one(found.problems)


def test_rods_and_springs_without_length():
    bob = fx.PointMass("bob", 1)
    assert "joint 'rod': its ends coincide; it has no direction, move one of them, or use a spherical joint" in one(
        check(bob, fx.Distance("rod", fx.ground, bob)).problems
    )
    assert check(bob, fx.AxialSpring("s", fx.ground, bob, stiffness=1)).ok
    assert check(bob, fx.AxialSpring("s", fx.ground, bob, stiffness=1, free_length=0)).ok
    for fields in ({"free_length": 0.1}, {"force": "t^3"}):
        assert "spring 's': its ends coincide" in one(
            check(bob, fx.AxialSpring("s", fx.ground, bob, stiffness=1, **fields)).problems
        )


@pytest.mark.parametrize(("length", "said"), [(0.95, False), (0.8, True), ("1 + 0.5*sin(t)", False)])
def test_rods_of_another_length_than_the_distance(length, said):
    bob, arm = fx.PointMass("bob", 1), fx.RigidBody("arm", 1, 1)
    pin = fx.Spherical("pin", fx.ground.at(0.1, 0.1, 0), arm)
    tip = fx.Spherical("tip", arm.at(0.9, -0.1, 0), bob)
    found = check(bob, arm, pin, tip, fx.Distance("rod", fx.ground, bob, length))
    assert found.ok
    assert ["length = 0.8 m, but its ends are 1 m apart" in str(w) for w in found.warnings] == [True] * said


def test_what_is_apart_by_rounding_meets() -> None:
    """Where all points of a model are one but for rounding, this is not its size."""
    body = fx.RigidBody("b", mass=1, inertia=1, position=(0, 1.8e-18, 0))
    assert not fx.Model("m", [body, fx.Fixed("held", fx.ground, body)]).check().warnings
