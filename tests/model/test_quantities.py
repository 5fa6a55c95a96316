"""Units of what acts on a joint variable: m along a slider, rad about a hinge."""

from __future__ import annotations

import pytest

import flexor as fx
from flexor.errors import ModelError

ARM = fx.RigidBody("arm", mass=1.2, inertia=(1e-4, 0.01, 0.01))
HINGE = fx.Revolute("pin", fx.ground, ARM, axis="z")
SLIDER = fx.Prismatic("pin", fx.ground, ARM, axis="x")
BOTH = fx.Cylindrical("pin", fx.ground, ARM, axis="x")


def report(joint, item):
    return fx.Model("m", [ARM, joint, item]).check(raise_errors=False)


def motor(**fields):
    return fx.Motor("drive", "pin", **fields)


def spring(**fields):
    return fx.JointSpring("spring", "pin", **fields)


FIT = [
    (HINGE, motor(speed="3000 rpm")),
    (HINGE, motor(speed="5 rev/s")),
    (HINGE, motor(speed="5 1/s")),
    (HINGE, motor(speed=fx.ramp(0, "3000 rpm", over="0.1 s"))),
    (HINGE, motor(position=fx.polynomial("5 deg", "3 rpm", "2 rad/s^2"))),
    (HINGE, motor(acceleration="5 rad/s^2")),
    (SLIDER, motor(speed="5 km/h")),
    (SLIDER, motor(position=fx.sine("5 mm", frequency="3 Hz"))),
    (SLIDER, motor(speed="0.1 m" * fx.sine("3 rpm", frequency="3 Hz"))),  # radius times angular velocity
    (HINGE, spring(stiffness="5 N*m", damping="3 N*m*s/rad", free="5 deg")),
    (HINGE, spring(stiffness="5 N*m/deg", force=fx.polynomial(0, "3 N*m/rad"), damper=fx.polynomial(0, "3 N*m*s"))),
    (
        SLIDER,
        spring(stiffness="5 N/mm", damping="3 N*s/m", free="5 mm", force=fx.table(["1 mm", "2 mm"], ["1 N", "2 N"])),
    ),
    (BOTH, fx.Motor("drive", "pin", variable="angle", speed="3 rpm")),
    (BOTH, fx.Motor("drive", "pin", variable="displacement", speed="3 m/s")),
]

MISTAKES = [
    (
        HINGE,
        motor(speed="5 Hz"),
        "motor 'drive': speed = '5 Hz': Hz has two readings: 5 turns/s are 31.4159 rad/s, but 5 rad/s may be meant; angular "
        "velocity is measured in rad/s along 'pin.angle', write 5 rev/s or 5 rad/s",
    ),
    (
        HINGE,
        motor(speed="5 kg"),
        "speed = '5 kg': kg is not a unit of this dimension; angular velocity is measured in rad/s",
    ),
    (HINGE, motor(speed="5 m/s"), "speed = '5 m/s'"),
    (HINGE, motor(speed=fx.ramp(0, "50 Hz", over=1)), "speed.final = '50 Hz': Hz has two readings"),
    (HINGE, motor(position="5 rpm"), "angle is measured in rad along 'pin.angle'"),
    (HINGE, motor(acceleration="5 Hz/s"), "write 5 rev/s² or 5 rad/s²"),
    (SLIDER, motor(speed="5 Hz"), "velocity is measured in m/s along 'pin.displacement'"),
    (SLIDER, motor(speed="5 rpm"), "velocity is measured in m/s"),
    (
        HINGE,
        spring(stiffness="5 N/m"),
        "spring 'spring': stiffness = '5 N/m': N/m is not a unit of this dimension; rotational",
    ),
    (HINGE, spring(stiffness=1, damping="5 N*s/m"), "rotational damping is measured in N·m·s/rad"),
    (HINGE, spring(stiffness=1, free="5 mm"), "free = '5 mm'"),
    (HINGE, spring(force=fx.polynomial(0, "3 N/m")), "force.coefficients.1 = '3 N/m'"),
    (HINGE, spring(force=fx.table(["1 mm", "2 mm"], [1, 2])), "force.x.0 = '1 mm'"),
    (HINGE, spring(damper=fx.table(["1 deg", "2 deg"], [1, 2])), "damper.x.0 = '1 deg'"),
    (SLIDER, spring(stiffness="5 N*m/rad"), "stiffness = '5 N*m/rad'"),
    (BOTH, fx.Motor("drive", "pin", variable="angle", speed="3 m/s"), "along 'pin.angle'"),
]


@pytest.mark.parametrize(("joint", "item"), FIT)
def test_units_that_fit_the_joint(joint, item):
    assert report(joint, item).ok, report(joint, item)


@pytest.mark.parametrize(("joint", "item", "says"), MISTAKES)
def test_units_that_do_not_fit_the_joint(joint, item, says):
    found = report(joint, item)
    assert says in str(found)
    with pytest.raises(ModelError):
        fx.Model("m", [ARM, joint, item]).kinematics(until=1, step=0.5)


def test_time_is_known_when_the_motor_is_declared():
    with pytest.raises(
        ModelError, match=r"speed\.over = '10 mm': mm is not a unit of this dimension; time is measured"
    ):
        motor(speed=fx.ramp(0, 1, over="10 mm"))


def test_loads_and_lengths_are_judged_where_they_are_declared():
    for make, says in [
        (lambda: fx.AxialSpring("s", "ground", ARM, stiffness=1, free_length="100 K"), "length is measured in m"),
        (lambda: fx.AxialSpring("s", "ground", ARM, force="5 kg"), "force is measured in N"),
        (lambda: fx.AxialSpring("s", "ground", ARM, damper=fx.polynomial(0, "5 N/m")), "it is measured in N/(m/s)"),
        (lambda: fx.PointForce("f", ARM, direction="x", force="5 kg"), "force is measured in N"),
        (lambda: fx.PointTorque("f", ARM, direction="x", torque="5 N"), "torque is measured in N·m"),
        (lambda: fx.Distance("d", "ground", ARM, length="5 s"), "length is measured in m"),
        (lambda: fx.MeshLoad("g", "rod", fx.Gravity((0, 0, -9.81)), factor="5 N"), "a number without unit is expected"),
    ]:
        with pytest.raises(ModelError) as caught:
            make()
        assert says in str(caught.value)


TEXT = """\
name: press
items:
- {type: rigid_body, name: arm, mass: 1, inertia: [1, 1, 1]}
- {type: revolute, name: pin, a: ground, b: arm}
- type: motor
  name: drive
  joint: pin
  speed:
    type: sum
    terms:
    - 5
    - type: ramp
      initial: 0
      over: 1 s
      final: 5 Hz
- type: point_force
  name: push
  on: arm
  direction: x
  force:
    type: ramp
    initial: 0
    final: 3 N
    over: 3 kg
"""


def test_lines_in_files():
    with pytest.raises(ModelError) as caught:
        fx.Model.from_yaml(TEXT)
    assert [(p.what.partition(":")[0], p.source) for p in caught.value.problems] == [
        ("speed.terms.1.final = '5 Hz'", "line 15"),
        ("force.over = '3 kg'", "line 24"),
    ]


def test_files_keep_what_was_written():
    model = fx.Model("m", [ARM, HINGE, motor(speed="3000 rpm"), spring(stiffness="5 N*m/deg")])
    text = model.to_yaml()
    assert "speed: 3000 rpm" in text
    assert "stiffness: 5 N*m/deg" in text
    assert fx.Model.from_yaml(text) == model
    assert fx.Model.from_yaml(text).to_yaml() == text
    sliding = fx.Model("m", [ARM, SLIDER, motor(speed="3000 rpm")])
    with pytest.raises(ModelError, match="velocity is measured in m/s"):
        fx.Model.from_yaml(sliding.to_yaml())


def test_two_readings_are_told_in_the_unit_of_the_first_term():
    said = r"5 turns/s are 300 rpm, but 5 rad/s, 47.7465 rpm, may be meant; .* in rpm, write 5 rev/s or 5 rad/s"
    with pytest.raises(fx.ModelError, match=said):
        motor(speed={"type": "sum", "terms": ["3 rpm", "5 Hz"]})
