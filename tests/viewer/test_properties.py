"""Properties as an engineer reads them."""

import re

import pytest

import flexor as fx
from flexor.bodies import BODIES
from flexor.contact import CONTACTS
from flexor.control import CONTROLS
from flexor.forces import FORCES
from flexor.joints import DRIVERS, JOINTS
from flexor.transmissions import TRANSMISSIONS
from flexor.viewer.properties import polynomial, properties_of, turn
from flexor.viewer.unit_text import numbers, value
from tests.laws.samples import declared

AROUND = {
    name: kind(name, "crank", "rod")
    for name, kind in {
        "hinge": fx.Revolute,
        "wheel": fx.Revolute,
        "slider": fx.Prismatic,
        "sleeve": fx.Cylindrical,
    }.items()
}


def told(item) -> dict[str, str]:
    return dict(properties_of(item, AROUND))


@pytest.mark.parametrize("kind", [*BODIES, *JOINTS, *DRIVERS, *FORCES, *TRANSMISSIONS, *CONTACTS, *CONTROLS])
def test_no_sample_is_shown_as_python(kind):
    for number in range(len(kind.samples)):
        item = declared(kind, number)
        for label, text in properties_of(item, AROUND):
            assert text, label
            assert not re.search(r"\w+\(\w+=|\[None|None\b|'|array\(", text), f"{label}: {text}"


def test_units_come_from_the_declarations():
    body = told(fx.RigidBody("b", mass=1.2, inertia=(2e-3, 2e-3, 4e-3), center_of_mass=("80 mm", 0, 0)))
    assert (body["mass"], body["inertia"]) == ("1.2 kg", "(0.002, 0.002, 0.004) kg m²")
    assert body["center of mass"] == "(80, 0, 0) mm"
    beam = told(fx.Beam("b", [(0, 0, 0), (1, 0, 0)], fx.Tube("20 mm", "2 mm"), fx.Steel()))
    assert beam["points"] == "(0, 0, 0), (1, 0, 0) m"
    assert beam["material"] == "isotropic: young 210 GPa, poisson 0.3, density 7850 kg/m³"
    bushing = told(fx.Bushing("b", "crank", "rod", stiffness=(1e6, 1e6, 2e6, 30, 30, 50)))
    assert bushing["stiffness"] == "(1, 1, 2) MN/m, (30, 30, 50) N m/rad"


def test_units_follow_the_joint_that_an_item_acts_in():
    for joint, stiffness, damping in (("hinge", "5 N m/rad", "0.1 N m s/rad"), ("slider", "5 N/m", "0.1 N s/m")):
        spring = told(fx.JointSpring("s", joint=joint, stiffness=5, damping=0.1))
        assert (spring["stiffness"], spring["damping"]) == (stiffness, damping)


def test_functions_are_told_in_words():
    ramp = told(fx.Motor("m", joint="hinge", speed=fx.ramp(0, "3000 rpm", over="0.1 s")))["speed"]
    assert ramp == "ramp: initial 0 rad/s, final 3000 rpm, over 0.1 s"
    assert told(fx.Motor("m", joint="hinge", speed=10))["speed"] == "10 rad/s = 95.493 rpm"
    force = {"on": "crank", "direction": "y"}
    assert told(fx.PointForce("f", **force, force="2*sin(3*t)"))["force"] == "2*sin(3*t) [N]"
    assert told(fx.PointForce("f", **force, force=fx.sine(300, frequency=20)))["force"].startswith(
        "sine: frequency 20 Hz, amplitude 300 N"
    )
    table = told(fx.AxialSpring("s", "crank", "rod", force=fx.table([-0.2, 0, 0.1], [-4000, 0, 10])))["force"]
    assert table.startswith("table: x (−200, 0, 100) mm, y (−4, 0, 0.01) kN")


def test_places_and_turns():
    joint = told(fx.Revolute("j", fx.ground.at(0.12, 0, 0), "rod.tip", axis="-z"))
    assert (joint["a"], joint["b"], joint["axis"]) == ("ground at (120, 0, 0) mm", "rod.tip", "−z")
    assert turn((0.5**0.5, 0, 0, -(0.5**0.5))) == "90° about −z"
    assert polynomial((0, -2, 0, 1.5)) == "−2 x + 1.5 x³"


def test_numbers():
    assert value(2.1e11, "Pa") == "210 GPa"
    assert value(-1.5e-5, "m") == "−15 µm"
    assert value(0.0, "m") == "0 m"
    assert value(1e-12, "kg") == "1e−12 kg"
    assert numbers((0.0, 1.0, -0.02), "m") == "(0, 1, −0.02) m"
