"""Where transmissions begin: rates that follow, rates that contradict, and what is refused."""

import numpy as np
import pytest

import flexor as fx
from flexor.errors import AssemblyError, ModelError
from tests.transmissions.parts import slide, wheel

STILL = {"show": False}


def pair(ratio=-0.5, first=None, second=None, **fields):
    a, a_pin = wheel("a", 0.2, **(first or {}))
    b, b_pin = wheel("b", 1.5, at=(1, 0, 0), **(second or {}))
    return [a, a_pin, b, b_pin, fx.Gear("gear", a_pin, b_pin, ratio=ratio, **fields)]


def start(items, *signals):
    run = fx.Model("m", items).dynamics(until=0.01, step=0.001, **STILL)
    return [run[name][0] for name in signals]


def test_teeth_mesh_wherever_the_wheels_stand():
    run = fx.Model("m", pair(first={"start": 1.0, "start_rate": 2.0}, second={"start": 0.2})).dynamics(
        until=0.5, step=0.01, **STILL
    )
    assert run["a_pin.angle"] == pytest.approx(1.0 + 2.0 * run.time)
    assert run["b_pin.angle"] == pytest.approx(0.2 - run.time)
    assert np.abs(run["gear.error"]).max() < 1e-12


def test_a_wheel_on_an_arm_that_is_turned_far_stands_at_zero():
    """Nothing has to be closed: teeth mesh wherever the wheels stand, and what is left open is zero."""
    column, arm, fore, rotor = (fx.RigidBody(name, mass=1, inertia=0.1) for name in ("column", "arm", "fore", "rotor"))
    elbow = fx.Revolute("elbow", arm.at(0.5, 0, 0), fore, axis="y", start=-0.7)
    shaft = fx.Revolute("shaft", arm.at(0.1, 0, 0), rotor, axis="y")
    items = [
        *(column, arm, fore, rotor, elbow, shaft),
        fx.Revolute("waist", fx.ground, column, axis="z", start=2.1),
        fx.Revolute("shoulder", column, arm, axis="y", start=0.4),
        fx.Gear("gear", shaft, elbow, ratio=0.01),
    ]
    found = start(items, "waist.angle", "shoulder.angle", "elbow.angle", "shaft.angle")
    assert found == pytest.approx([2.1, 0.4, -0.7, 0.0], abs=1e-12)


@pytest.mark.parametrize("side", [0, 1])
def test_rates_that_are_left_open_follow(side):
    fields = [{}, {}]
    fields[side] = {"start_rate": 3.0}
    found = start(pair(first=fields[0], second=fields[1]), "a_pin.angle_rate", "b_pin.angle_rate")
    assert found == pytest.approx([3.0, -1.5] if side == 0 else [-6.0, 3.0], abs=1e-12)


def test_the_rate_of_a_motor_goes_through():
    items = [*pair(), fx.Motor("motor", "b_pin", speed=4.0)]
    assert start(items, "a_pin.angle_rate", "b_pin.angle_rate") == pytest.approx([-8.0, 4.0], abs=1e-12)


def test_rates_that_contradict_the_ratio_are_named():
    items = pair(first={"start_rate": 3.0}, second={"start_rate": 1.0})
    with pytest.raises(AssemblyError) as caught:
        fx.Model("m", items).dynamics(until=0.1, step=0.01, **STILL)
    said = str(caught.value)
    assert "joint 'a_pin': start_rate asks for 3 rad/s, everything else for -2 rad/s" in said
    assert "joint 'b_pin': start_rate asks for 1 rad/s, everything else for -1.5 rad/s" in said


def test_rates_that_agree_are_kept():
    items = pair(first={"start_rate": 3.0}, second={"start_rate": -1.5})
    assert start(items, "a_pin.angle_rate", "b_pin.angle_rate") == pytest.approx([3.0, -1.5], abs=1e-12)
    assert fx.Model("m", items).check().ok


def test_two_motors_that_contradict_the_ratio():
    items = [*pair(), fx.Motor("one", "a_pin", speed=1.0), fx.Motor("two", "b_pin", speed=1.0)]
    with pytest.raises(AssemblyError, match=r"'one'.*'two'|'gear'"):
        fx.Model("m", items).dynamics(until=0.1, step=0.01, **STILL)


def test_a_function_against_a_stated_place():
    shaft, pin = wheel("shaft", 0.5, start=0.5)
    valve, guide = slide("valve", 0.3, axis="z", start=0.2)
    items = [shaft, pin, valve, guide, fx.Coupling("lift", input=pin, output=guide, function="0.1*x")]
    with pytest.raises(AssemblyError, match=r"joint 'valve_guide': start asks for 0.2 m, everything else for 0.05 m"):
        fx.Model("m", items).check()


def test_where_the_constant_is_that_of_the_closed_loop():
    """A crank on a four-bar that is put together first: the gear meshes where the loop has brought the wheels."""
    crank = fx.RigidBody("crank", 1.0, 0.1)
    rocker = fx.RigidBody("rocker", 1.0, 0.1)
    rod = fx.RigidBody("rod", 1.0, 0.1)
    tips = [fx.Revolute("near", crank.at(0.2, 0, 0), rod), fx.Revolute("far", rod.at(0.9, 0, 0), rocker.at(0.5, 0, 0))]
    crank_pin = fx.Revolute("crank_pin", fx.ground, crank, axis="z", start=0.3, start_rate=1.0)
    rocker_pin = fx.Revolute("rocker_pin", fx.ground.at(1, 0, 0), rocker, axis="z")
    pointer, pointer_pin = wheel("pointer", 0.01, at=(0, 2, 0))
    gear = fx.Gear("gear", rocker_pin, pointer_pin, ratio=4.0)
    run = fx.Model("bar", [crank, rocker, rod, *tips, crank_pin, rocker_pin, pointer, pointer_pin, gear]).dynamics(
        until=1.0, step=0.002, **STILL
    )
    assert abs(run["rocker_pin.angle"][0]) > 0.1
    assert run["pointer_pin.angle"][0] == pytest.approx(0.0, abs=1e-12)
    turned = run["rocker_pin.angle"] - run["rocker_pin.angle"][0]
    assert np.ptp(turned) > 0.1
    assert run["pointer_pin.angle"] == pytest.approx(4.0 * turned, abs=1e-9)


def test_a_massless_wheel_is_held_by_its_mesh():
    a, a_pin = wheel("a", 0.2)
    idler = fx.RigidBody("idler", 1.0)
    idler_pin = fx.Revolute("idler_pin", fx.ground.at(1, 0, 0), idler, axis="z")
    gear = fx.Gear("gear", a_pin, idler_pin, teeth=(20, 30))
    push = fx.PointTorque("push", a, direction=(0, 0, 1), torque=1.0)
    assert "no moment of inertia" in str(fx.Model("m", [a, a_pin, idler, idler_pin]).check(raise_errors=False))
    run = fx.Model("m", [a, a_pin, idler, idler_pin, gear, push]).dynamics(until=0.1, step=0.01, **STILL)
    assert run["idler_pin.angle_rate"][-1] == pytest.approx(-0.1 / 0.2 * 20 / 30, rel=1e-9)


A, A_PIN = wheel("a", 0.2)
B, B_PIN = wheel("b", 1.5, at=(1, 0, 0))
TILTED = wheel("tilted", 1.0, at=(0, 1, 0), axis=(1, 0, 1))
SLIDE = slide("table", 1.0)
TUBE = fx.RigidBody("tube", 1.0, 0.1)
SLEEVE = fx.Cylindrical("sleeve", fx.ground, TUBE, axis="z")
WELD = fx.Fixed("weld", fx.ground, fx.RigidBody("stand", 1.0, 0.1))
ALL = [A, A_PIN, B, B_PIN, *TILTED, *SLIDE, TUBE, SLEEVE, fx.RigidBody("stand", 1.0, 0.1), WELD]


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: fx.Gear("g", "a_pin", "b_pin", ratio=0), "ratio is zero; the output would never turn"),
        (lambda: fx.Gear("g", "a_pin", "b_pin"), "it needs one of ratio and teeth"),
        (lambda: fx.Gear("g", "a_pin", "b_pin", ratio=2, teeth=(1, 2)), "it needs one of ratio and teeth"),
        (lambda: fx.Gear("g", "a_pin", "b_pin", ratio=2, mesh="internal"), "mesh is given with ratio"),
        (lambda: fx.Gear("g", "a_pin", "b_pin", teeth=(0, 2)), "a wheel has at least one tooth"),
        (lambda: fx.Gear("g", "a_pin", "a_pin", ratio=2), "it couples 'a_pin' with itself"),
        (lambda: fx.Gear("g", "a_pin", "b_pin", ratio=2, backlash=0.1), "backlash is given without stiffness"),
        (lambda: fx.Gear("g", "a_pin", "b_pin", ratio=2, stiffness=0), "stiffness is zero; nothing would be transmitted"),
        (lambda: fx.Gear("g", "a_pin", "b_pin", ratio=2, stiffness=-1), "stiffness"),
        (lambda: fx.Gear("g", "a_pin.", "b_pin", ratio=2), "'a_pin.' names no joint variable; write the joint"),
        (lambda: fx.Gear("g", "a_pin", "b_pin", ratio=1e120), "no real thing is that large"),
        (lambda: fx.Screw("s", "sleeve", lead=0), "lead = 0 is zero; the nut would never move"),
        (lambda: fx.RackAndPinion("r", "a_pin", "table_guide", radius=0), "radius = 0 is zero; the rack would never move"),
        (lambda: fx.Planetary("p", "a_pin", "b_pin", "tilted_pin", teeth=(60, 20)), "the ring has more teeth"),
        (lambda: fx.Belt("b", "a_pin", "b_pin"), "it needs one of radii and teeth"),
        (lambda: fx.Belt("b", "a_pin", "b_pin", radii=(0.1, -0.2)), "both are greater than zero"),
        (lambda: fx.Coupling("c"), "input is missing; it needs of"),
        (lambda: fx.Coupling("c", {"a_pin": 1.0}), "of couples 1 variables; it takes two to 8"),
        (lambda: fx.Coupling("c", {"a_pin": 1.0, "b_pin": 0}), "the weight of 'b_pin' is zero; leave it out"),
        (lambda: fx.Coupling("c", {"a_pin": 1.0, "b_pin": 1}, function="x"), "function is given with of"),
    ],
)  # fmt: skip
def test_what_is_refused_at_once(make, says):
    with pytest.raises(ModelError) as caught:
        make()
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("item", "says"),
    [
        (fx.Gear("g", "a_pim", "b_pin", ratio=2), "input = a_pim: there is no joint 'a_pim'; did you mean 'a_pin'"),
        (fx.Gear("g", "a", "b_pin", ratio=2), "input = a: 'a' is a rigid body, no joint"),
        (fx.Gear("g", "weld", "b_pin", ratio=2), "input = weld: joint 'weld' (fixed) has no angle; choose a joint"),
        (fx.Gear("g", "a_pin", "table_guide", ratio=2), "output = table_guide: joint 'table_guide' (prismatic) has no angle"),
        (fx.Gear("g", "a_pin", "sleeve.displacement", ratio=2), "'sleeve.displacement' is no angle; write sleeve.angle"),
        (fx.Gear("g", "a_pin", "b_pin.angel", ratio=2), "joint 'b_pin' has no variable 'angel'; did you mean 'angle'"),
        (fx.Gear("g", "a_pin", "a_pin.angle", ratio=2), "it couples 'a_pin.angle' with itself"),
        (fx.Coupling("g", {"a_pin": 1, "a_pin.angle": -1}), "'a_pin' and 'a_pin.angle' are the same"),
        (fx.Coupling("g", {"a_pin": 1, "b_pin": -1}, constant="3 mm"), "constant = '3 mm': mm is not a unit"),
        (fx.Gear("g", "a_pin", "tilted_pin", teeth=(2, 3)), "its axes are at 45 deg, take mesh: bevel"),
        (fx.Gear("g", "a_pin", "b_pin", teeth=(2, 3), mesh="bevel"), "its axes are parallel, take mesh: external"),
        (fx.Gear("g", "a_pin", "tilted_pin", teeth=(2, 3), mesh="bevel"), "put the joints where the wheels are"),
        (fx.Gear("g", "a_pin", "b_pin", ratio=2, carrier="tilted_pin"), "both wheels turn in 'ground'"),
        (fx.Belt("g", "a_pin", "tilted_pin", radii=(1, 2)), "its axes are at 45 deg, let the axes be parallel, or take a coupling"),
        (fx.Planetary("g", "a_pin", "b_pin", "tilted_pin", teeth=(2, 4)), "their axes are not parallel"),
        (fx.Screw("g", "a_pin", lead=0.1), "of = a_pin: joint 'a_pin' (revolute) has no displacement"),
        (fx.Coupling("g", {"sleeve": 1.0, "a_pin": 2.0}), "joint 'sleeve' has 2 variables; write sleeve.displacement or sleeve.angle"),
        (fx.Gear("g", "a_pin", "b_pin", ratio=2, stiffness="3 N/m"), "stiffness = '3 N/m': N/m is not a unit of this dimension; rotational stiffness"),
        (fx.RackAndPinion("g", "a_pin", "table_guide", radius=0.1, stiffness="3 N/m", backlash="2 deg"), "backlash = '2 deg': deg is not a unit of this dimension; length"),
        (fx.Coupling("g", input="a_pin", output="table_guide", function="3 rad"), "function"),
    ],
)  # fmt: skip
def test_what_the_check_refuses(item, says):
    report = fx.Model("m", [*ALL, item]).check(raise_errors=False)
    assert len(report.problems) == 1, str(report)
    assert says in str(report.problems[0])


def test_wheels_in_different_housings_are_doubted():
    arm = fx.RigidBody("arm", 1.0, 0.1)
    arm_pin = fx.Revolute("arm_pin", fx.ground, arm, axis="z")
    planet, planet_pin = wheel("planet", 0.1, at=(1, 0, 0), on=arm)
    items = [A, A_PIN, arm, arm_pin, planet, planet_pin]
    (doubt,) = fx.Model("m", [*items, fx.Gear("g", A_PIN, planet_pin, teeth=(2, 3))]).check().warnings
    assert "joint 'a_pin' stands on 'ground', joint 'planet_pin' on 'arm'" in str(doubt)
    assert "carrier: …" in str(doubt)
    gear = fx.Gear("g", A_PIN, planet_pin, teeth=(2, 3), carrier=arm_pin)
    assert not fx.Model("m", [*items, gear]).check().warnings
    hold = fx.Fixed("hold", fx.ground, arm)
    assert not fx.Model("m", [A, A_PIN, arm, hold, planet, planet_pin, gear.replace(carrier=None)]).check().warnings


def test_teeth_that_give_way_and_are_struck_are_told():
    """A rate that is left open does not follow through soft teeth."""
    soft = {"stiffness": 1e3}
    (doubt,) = fx.Model("m", pair(first={"start_rate": 3.0}, **soft)).check().warnings
    assert "its teeth start at 1.5 rad/s against each other" in str(doubt)
    assert "give joint 'b_pin' start_rate: -1.5 if it runs along, or 0 if it does not" in str(doubt)
    for second in (-1.5, 0.0):
        stated = {"second": {"start_rate": second}}
        assert not fx.Model("m", pair(first={"start_rate": 3.0}, **stated, **soft)).check().warnings
    assert not fx.Model("m", pair(**soft)).check().warnings
    driven = [*pair(**soft), fx.Motor("motor", "a_pin", speed="3*t")]
    assert not fx.Model("m", driven).check().warnings


def test_a_state_that_does_not_know_the_gear():
    """Wheels that have turned otherwise do not mesh in a run that goes on from there; said with what helps."""
    items = pair(first={"start_rate": 3.0})
    before = fx.Model("m", items[:-1]).dynamics(until=0.1, step=0.01, **STILL)
    with pytest.raises(
        ModelError, match=r"'gear: ratio' is open by 0.15; its teeth mesh .* with the same transmission"
    ):
        fx.Model("m", items).dynamics(until=0.2, step=0.01, start=before, **STILL)


def test_a_carrier_that_has_nothing_to_do_with_a_wheel():
    """Its sun must turn on the axis of the carrier, else the wheels come apart."""
    arm = fx.RigidBody("arm", 1.0, 0.1)
    arm_pin = fx.Revolute("arm_pin", fx.ground.at(0, 0.5, 0), arm, axis="z")
    planet, planet_pin = wheel("planet", 0.1, at=(1, 0, 0), on=arm)
    gear = fx.Gear("g", A_PIN, planet_pin, teeth=(2, 3), carrier=arm_pin)
    report = fx.Model("m", [A, A_PIN, arm, arm_pin, planet, planet_pin, gear]).check(raise_errors=False)
    assert "joint 'a_pin' has nothing to do with that of the carrier, 'arm_pin'" in str(report)
