"""Which body rests where joints only tell how bodies move against each other."""

from itertools import permutations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import flexor as fx

SPEED = 2000 * np.pi / 3  # 20000 rpm
HOUSE = fx.RigidBody("house", mass=1, inertia=0.01)
DISC = fx.RigidBody("disc", mass=10, inertia=(0.1, 0.1, 0.05))


def supports(body, prefix="", stiffness=1e6):
    """Springs along x and y in two planes, and one along z: they do not resist a turn about z."""
    ends = {
        f"{prefix}{axis}{side}": (direction, (0, 0, 0.2 * side))
        for axis, direction in (("x", (100, 0, 0)), ("y", (0, 100, 0)))
        for side in (-1, 1)
    }
    ends[f"{prefix}z"] = ((0, 0, 100), (0, 0, 0))
    return [
        fx.AxialSpring(name, fx.ground.at(*np.add(far, near)), body.at(*near), stiffness=stiffness, free_length=100)
        for name, (far, near) in ends.items()
    ]


def twist_spring(body, name="twist", stiffness=1e8):
    return fx.AxialSpring(name, fx.ground.at(100, 0.1, 0), body.at(0, 0.1, 0), stiffness=stiffness, free_length=100)


def spins(items):
    report = fx.Model("rotor", items).check()
    return *(report.placement.twists[name][5] for name in ("house", "disc")), report.warnings


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_the_order_of_items_does_not_decide_what_turns(order):
    bearing = fx.Revolute("bearing", HOUSE, DISC, axis="z")
    items = [(HOUSE, DISC, bearing)[i] for i in order]
    motor = fx.Motor("drive", "bearing", speed=SPEED)
    for more in (*supports(HOUSE), motor), (motor, *supports(HOUSE)):
        assert_allclose(spins([*items, *more])[:2], (0, SPEED))
    started = [item.replace(start_rate=SPEED) if item is bearing else item for item in items]
    assert_allclose(spins([*started, *supports(HOUSE)])[:2], (0, SPEED))


def test_the_side_that_stands_on_springs_rests_whichever_it_is():
    turned = fx.Revolute("bearing", DISC, HOUSE, axis="z", start_rate=SPEED)
    for items in (HOUSE, DISC, turned), (turned, DISC, HOUSE):
        *found, told = spins([*items, *supports(HOUSE)])
        assert_allclose(found, (0, -SPEED))
        assert not told


@pytest.mark.parametrize("order", [1, -1])
def test_of_two_bodies_on_springs_the_one_held_against_the_turn_rests(order):
    for ends, rate in ((HOUSE, DISC), SPEED), ((DISC, HOUSE), -SPEED):
        bearing = fx.Revolute("bearing", *ends, axis="z", start_rate=SPEED)
        items = [HOUSE, DISC, bearing, *supports(HOUSE), *supports(DISC, "d"), twist_spring(HOUSE)]
        *found, told = spins(items[::order])
        assert_allclose(found, (0, rate))
        assert not told


@pytest.mark.parametrize("order", [1, -1])
def test_where_springs_hold_both_alike_side_a_rests_and_that_is_told(order):
    bearing = fx.Revolute("bearing", HOUSE, DISC, axis="z", start_rate=SPEED)
    items = [HOUSE, DISC, bearing, *supports(HOUSE), *supports(DISC, "d")]
    springs = [twist_spring(HOUSE, "h"), twist_spring(DISC, "t", 3e8)]
    for more in ([], springs):
        *found, told = spins([*items, *more][::order])
        assert_allclose(found, (0, SPEED))
        assert len(told) == 1
        for name in ("'disc'", "'house'", "'bearing'"):
            assert name in str(told[0])
    given = [item.replace(angular_velocity=(0, 0, SPEED)) if item is DISC else item for item in items]
    assert not spins(given[::order])[2]


def test_free_bodies_side_a_rests():
    bearing = fx.Revolute("bearing", HOUSE, DISC, axis="z", start_rate=SPEED)
    for items in (HOUSE, DISC, bearing), (DISC, HOUSE, bearing):
        *found, told = spins(items)
        assert_allclose(found, (0, SPEED))
        assert not told


@pytest.mark.parametrize("order", [1, -1])
def test_a_body_on_springs_does_not_turn_along_with_a_given_spin(order):
    disc = DISC.replace(angular_velocity=(0, 0, SPEED))
    items = [disc, HOUSE, fx.Revolute("bearing", HOUSE, disc, axis="z"), *supports(HOUSE)]
    assert_allclose(spins(items[::order])[:2], (0, SPEED))
    welded = [disc, HOUSE, fx.Fixed("weld", HOUSE, disc), *supports(HOUSE)]
    assert_allclose(spins(welded[::order])[:2], (SPEED, SPEED))


def test_campbell_turns_the_rotor_and_not_its_house():
    # tilt of a disc on four springs, (It + Ih) ω² ∓ Ip Ω ω − 4 k a² = 0
    bearing = fx.Revolute("bearing", HOUSE, DISC, axis="z")
    It, Ip, k = 0.11, 0.05, 4 * 1e6 * 0.2**2 / 2
    root = np.sqrt((Ip * SPEED) ** 2 + 4 * It * k)
    tilt = np.array([root - Ip * SPEED, root + Ip * SPEED]) / (2 * It) / (2 * np.pi)
    for bodies in (HOUSE, DISC), (DISC, HOUSE):
        model = fx.Model("rotor", [*bodies, bearing, *supports(HOUSE)])
        for named in ({"rotor": "bearing"}, {"rotor": "disc", "axis": "z"}):
            found = model.campbell([0, SPEED], 6, **named).frequencies[-1]
            for frequency in tilt:
                assert np.abs(found / frequency - 1).min() < 1e-6
