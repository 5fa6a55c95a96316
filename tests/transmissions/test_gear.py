"""Gears: ratios, inertia as seen through them, reactions, housings that move, many turns."""

import numpy as np
import pytest

import flexor as fx
from flexor.spatial import quaternion_to_matrix
from tests.transmissions.parts import wheel

STILL = {"show": False}


def train(**fields):
    """Two wheels on the ground, 1 m apart, 20 and 60 teeth, and a torque of 2 N m on the first."""
    a, a_pin = wheel("a", 0.2)
    b, b_pin = wheel("b", 1.5, at=(1, 0, 0))
    gear = fx.Gear("gear", a_pin, b_pin, **{"teeth": (20, 60), **fields})
    return [a, a_pin, b, b_pin, gear, fx.PointTorque("drive", a, direction=(0, 0, 1), torque=2.0)]


def test_inertia_seen_through_a_gear():
    """θ̈ = T/(J₁ + J₂/i²), i = 3; the mesh carries the rest of the torque, and T_out = −i T_in of external wheels."""
    run = fx.Model("train", train()).dynamics(until=1.0, step=0.01, **STILL)
    alpha = 2.0 / (0.2 + 1.5 / 9)
    assert run["a_pin.angle_rate"][-1] == pytest.approx(alpha, rel=1e-9)
    assert run["b_pin.angle_rate"] == pytest.approx(-run["a_pin.angle_rate"] / 3, rel=1e-9, abs=1e-12)
    assert run["gear.torque_input"][-1] == pytest.approx(0.2 * alpha - 2.0, rel=1e-8)
    assert run["gear.torque_output"][-1] == pytest.approx(-1.5 * alpha / 3, rel=1e-8)
    assert np.abs(run["gear.error"]).max() < 1e-11
    assert run["energy.check_sum"][-1] == pytest.approx(run["energy.check_sum"][0], abs=1e-9)


def test_a_compound_train():
    """Two stages with the middle wheels on one shaft: i = (60/20)·(80/16) = 15, both reversals undone."""
    a, a_pin = wheel("a", 0.01)
    b, b_pin = wheel("b", 0.2, at=(1, 0, 0))
    c, c_pin = wheel("c", 3.0, at=(2, 0, 0))
    stages = [fx.Gear("one", a_pin, b_pin, teeth=(20, 60)), fx.Gear("two", b_pin, c_pin, teeth=(16, 80))]
    turn = fx.PointTorque("drive", a, direction=(0, 0, 1), torque=1.0)
    run = fx.Model("train", [a, a_pin, b, b_pin, c, c_pin, *stages, turn]).dynamics(until=0.5, step=0.01, **STILL)
    assert run["c_pin.angle_rate"][-1] == pytest.approx(0.5 / (0.01 + 0.2 / 9 + 3.0 / 225) / 15, rel=1e-9)


@pytest.mark.parametrize("side", ["a", "b"])
@pytest.mark.parametrize("enforcement", ["multipliers", "elimination"])
def test_a_motor_on_either_side(side, enforcement):
    """Its torque accelerates both wheels: T = J_own ω̇ + J_other ω̇ (ω_other/ω_own)²."""
    items = [each.replace(enforcement=enforcement) if isinstance(each, fx.Revolute) else each for each in train()[:-1]]
    motor = fx.Motor("motor", f"{side}_pin", position="2*t^2")
    run = fx.Model("train", [*items, motor]).dynamics(until=1.0, step=0.01, **STILL)
    torque = 4.0 * (0.2 + 1.5 / 9) if side == "a" else 4.0 * (1.5 + 0.2 * 9)
    assert run["motor.torque"][-1] == pytest.approx(torque, rel=1e-6)
    assert run["a_pin.angle_rate"][-1] == pytest.approx(4.0 if side == "a" else -12.0, rel=1e-9)
    assert run["b_pin.angle_rate"][-1] == pytest.approx(-4.0 / 3 if side == "a" else 4.0, rel=1e-9)


@pytest.mark.parametrize(
    ("mesh", "axis", "turned", "sign"),
    [("external", "z", False, -1), ("external", "-z", False, 1), ("internal", "z", False, 1),
     ("internal", "-z", False, -1), ("external", "z", True, 1), ("internal", "-z", True, 1)],
)  # fmt: skip
def test_the_sense_follows_from_the_axes(mesh, axis, turned, sign):
    """turned: the joint goes from the wheel to the ground."""
    a, a_pin = wheel("a", 0.2, start_rate=3.0)
    b, b_pin = wheel("b", 1.5, at=(1, 0, 0), axis=axis)
    if turned:
        b_pin = fx.Revolute("b_pin", b, fx.ground.at(1, 0, 0), axis=axis)
    run = fx.Model("pair", [a, a_pin, b, b_pin, fx.Gear("gear", a_pin, b_pin, teeth=(20, 60), mesh=mesh)]).dynamics(
        until=0.1, step=0.01, **STILL
    )
    assert run["b_pin.angle_rate"][-1] == pytest.approx(sign * 1.0, rel=1e-9)
    assert run["b.angular_velocity_z"][-1] == pytest.approx(1.0 if mesh == "internal" else -1.0, rel=1e-9)


@pytest.mark.parametrize("flips", [(1, 1), (1, -1), (-1, 1), (-1, -1)])
@pytest.mark.parametrize("angle", [90.0, 60.0, 130.0])
def test_bevel_wheels_roll_on_each_other(flips, angle):
    """Where the pitch cones touch, at P, both wheels have the same velocity: ω₁ × OP = ω₂ × OP."""
    e_1, e_2 = np.array([0.0, 0, 1]), np.array([np.sin(np.radians(angle)), 0, np.cos(np.radians(angle))])
    a, a_pin = wheel("a", 0.2, at=0.3 * e_1, axis=tuple(flips[0] * e_1), start_rate=3.0)
    b, b_pin = wheel("b", 1.5, at=0.4 * e_2, axis=tuple(flips[1] * e_2))
    gear = fx.Gear("gear", a_pin, b_pin, teeth=(20, 30), mesh="bevel")
    run = fx.Model("bevel", [a, a_pin, b, b_pin, gear]).dynamics(until=0.05, step=0.01, **STILL)
    omega = [np.array([run[f"{name}.angular_velocity_{i}"][-1] for i in "xyz"]) for name in "ab"]
    # cone angles: sin δ₁/sin δ₂ = z₁/z₂, δ₁ + δ₂ = Σ
    first = np.arctan2(np.sin(np.radians(angle)), 30 / 20 + np.cos(np.radians(angle)))
    pitch = np.array([np.sin(first), 0, np.cos(first)])
    assert np.linalg.norm(omega[1]) == pytest.approx(2.0)
    assert np.cross(omega[0], pitch) == pytest.approx(np.cross(omega[1], pitch), abs=1e-9)


def test_the_housing_carries_the_difference_of_the_torques():
    """6 N m push the first wheel, a brake holds the second: the mesh puts 6 + 18 N m on the housing, the brake takes 18 off."""
    housing = fx.RigidBody("housing", 5.0, 0.4)
    stand = fx.Revolute("stand", fx.ground, housing, axis="z")
    a, a_pin = wheel("a", 0.2, on=housing)
    b, b_pin = wheel("b", 1.5, at=(1, 0, 0), on=housing)
    gear = fx.Gear("gear", a_pin, b_pin, teeth=(20, 60))
    hold = [fx.Motor("hold", stand, speed=0.0), fx.Motor("brake", b_pin, speed=0.0)]
    push = fx.PointTorque("push", a, direction=(0, 0, 1), torque=6.0)
    run = fx.Model("box", [housing, stand, a, a_pin, b, b_pin, gear, *hold, push]).dynamics(
        until=0.1, step=0.01, **STILL
    )
    assert run["gear.torque_input"][-1] == pytest.approx(-6.0, abs=1e-8)
    assert run["gear.torque_output"][-1] == pytest.approx(-18.0, abs=1e-8)
    assert run["brake.torque"][-1] == pytest.approx(18.0, abs=1e-8)  # between housing and wheel b
    assert run["hold.torque"][-1] == pytest.approx(-6.0, abs=1e-8)  # from outside nothing but the push is there


def test_a_free_housing_turns_back():
    """Nothing acts from outside: the angular momentum of housing and wheels about the pin stays zero while a motor inside drives."""
    housing = fx.RigidBody("housing", 5.0, 0.4)
    stand = fx.Revolute("stand", fx.ground, housing, axis="z")
    a, a_pin = wheel("a", 0.2, on=housing)
    b, b_pin = wheel("b", 1.5, on=housing, axis="z")
    gear = fx.Gear("gear", a_pin, b_pin, teeth=(20, 60))
    spin = fx.JointSpring("spin", a_pin, stiffness=1.0, free=2.0)
    run = fx.Model("box", [housing, stand, a, a_pin, b, b_pin, gear, spin]).dynamics(until=1.0, step=0.005, **STILL)
    momentum = sum(J * run[f"{name}.angular_velocity_z"] for name, J in {"housing": 0.4, "a": 0.2, "b": 1.5}.items())
    assert np.abs(run["a.angular_velocity_z"]).max() > 0.5
    assert np.abs(momentum).max() < 1e-9
    assert np.ptp(run["energy.check_sum"]) < 1e-5 * run["energy.strain"][0]


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("held", ["sun", "ring", "arm"])
def test_planets_in_a_carrier(held, turned):
    """Sun 20, planet 25, ring 70 as bodies: 20 ω_s + 70 ω_r = 90 ω_c (Willis), all three members held and driven."""
    sun, sun_pin = wheel("sun", 0.1)
    ring, ring_pin = wheel("ring", 2.0, axis="-z")
    arm = fx.RigidBody("arm", 1.0, 0.5)
    arm_pin = fx.Revolute("arm_pin", *((arm, fx.ground) if turned else (fx.ground, arm)), axis="z")
    planet, planet_pin = wheel("planet", 0.05, at=(0.45, 0, 0), on=arm)
    inner = fx.Gear("inner", sun_pin, planet_pin, teeth=(20, 25), carrier=arm_pin)
    outer = fx.Gear("outer", planet_pin, ring_pin, teeth=(25, 70), mesh="internal", carrier=arm_pin)
    driven = {"sun": "ring", "ring": "arm", "arm": "sun"}[held]
    motors = [fx.Motor("hold", f"{held}_pin", speed=0.0), fx.Motor("drive", f"{driven}_pin", speed="2*t")]
    items = [sun, sun_pin, ring, ring_pin, arm, arm_pin, planet, planet_pin, inner, outer, *motors]
    run = fx.Model("planets", items).dynamics(until=1.0, step=0.02, **STILL)
    omega = {name: run[f"{name}.angular_velocity_z"] for name in ("sun", "ring", "arm", "planet")}
    assert np.abs(omega[driven][-1]) == pytest.approx(2.0)
    assert 20 * omega["sun"] + 70 * omega["ring"] == pytest.approx(90 * omega["arm"], abs=1e-9)
    assert 20 * (omega["sun"] - omega["arm"]) == pytest.approx(-25 * (omega["planet"] - omega["arm"]), abs=1e-9)


def test_many_turns_and_going_on_from_a_state():
    """After 300 turns in steps of 0.9 turns the ratio still holds; a run that goes on ends where the whole one does."""
    a, a_pin = wheel("a", 0.2, start_rate=300 * 2 * np.pi)
    b, b_pin = wheel("b", 1.5, at=(1, 0, 0))
    model = fx.Model("fast", [a, a_pin, b, b_pin, fx.Gear("gear", a_pin, b_pin, ratio=-0.37)])
    whole = model.dynamics(until=1.0, step=0.003, **STILL)
    assert whole["a_pin.angle"][-1] == pytest.approx(300 * 2 * np.pi, rel=1e-9)
    assert whole["b_pin.angle"] == pytest.approx(-0.37 * whole["a_pin.angle"], abs=1e-7)
    assert np.abs(whole["gear.error"]).max() < 1e-9
    half = model.dynamics(until=0.501, step=0.003, **STILL)
    rest = model.dynamics(until=1.0, step=0.003, start=half, **STILL)
    assert rest["b_pin.angle"][-1] == pytest.approx(whole["b_pin.angle"][-1], rel=1e-9)
    assert np.abs(rest["gear.error"]).max() < 1e-9


def test_stiff_teeth_come_near_rigid_ones():
    """The rates differ by the twist of the teeth, J₂ θ̈₂/k, which goes with 1/k."""
    rigid = fx.Model("train", train()).dynamics(until=0.5, step=0.005, **STILL)
    far = []
    for k in (1e4, 1e6):
        soft = fx.Model("train", train(stiffness=k, damping=0.5 * k**0.5)).dynamics(until=0.5, step=0.001, **STILL)
        far.append(abs(soft["a_pin.angle"][-1] + 3 * soft["b_pin.angle"][-1]))
        assert soft["a_pin.angle"][-1] == pytest.approx(rigid["a_pin.angle"][-1], rel=3 * 9 / k)
        assert soft["gear.torque_output"][-1] == pytest.approx(rigid["gear.torque_output"][-1], rel=2e-2)
    assert far[1] == pytest.approx(far[0] / 100, rel=0.05)


def test_modes_of_a_geared_train():
    """Free–free train with mesh stiffness k at the output: ω² = k (1/J₂ + i²/J₁) with θ₂ = i θ₁; and one rigid turning."""
    k, J_1, J_2, i = 500.0, 0.2, 1.5, 1 / 3
    modes = fx.Model("train", train(stiffness=k)[:-1]).modes(count=2)
    assert modes.frequencies[-1] == pytest.approx(np.sqrt(k * (1 / J_2 + i * i / J_1)) / (2 * np.pi), rel=1e-9)
    # a rigid gear with a torsion spring on the first shaft
    spring = fx.JointSpring("spring", "a_pin", stiffness=7.0)
    rigid = fx.Model("train", [*train()[:-1], spring]).modes(count=1)
    assert rigid.frequencies[0] == pytest.approx(np.sqrt(7.0 / (J_1 + J_2 * i * i)) / (2 * np.pi), rel=1e-9)


def test_statics_and_kinematics():
    """Statics: the torque goes through the gear into a spring at the output, θ₂ = i T/k. Kinematics: positions, rates and forces."""
    spring = fx.JointSpring("spring", "b_pin", stiffness=30.0)
    still = fx.Model("train", [*train(), spring]).statics()
    assert still["b_pin.angle"] == pytest.approx(-3 * 2.0 / 30.0, rel=1e-9)
    motor = fx.Motor("motor", "a_pin", position="5*t + 3*t^2")
    run = fx.Model("train", [*train()[:-1], motor]).kinematics(until=10.0, step=0.5)
    t = run.time
    assert run["b_pin.angle"] == pytest.approx(-(5 * t + 3 * t**2) / 3, abs=1e-9)
    assert run["b_pin.angle_rate"] == pytest.approx(-(5 + 6 * t) / 3, abs=1e-9)
    assert run["motor.torque"] == pytest.approx(6 * (0.2 + 1.5 / 9) + 0 * t, rel=1e-9)


@pytest.mark.parametrize("position", ["2*t^2", "0.05*t^3"])
@pytest.mark.parametrize("step", [0.1, 2.0])
def test_a_fast_wheel_is_followed_in_kinematics(position, step):
    """The output turns 50 times as fast, by many turns between two instants, from rest."""
    a, a_pin = wheel("a", 0.2)
    b, b_pin = wheel("b", 1.5, at=(1, 0, 0))
    motor = fx.Motor("motor", a_pin, position=position)
    run = fx.Model("fast", [a, a_pin, b, b_pin, fx.Gear("gear", a_pin, b_pin, ratio=50.0), motor]).kinematics(
        until=2.0, step=step
    )
    assert run["b_pin.angle"] == pytest.approx(50 * run["a_pin.angle"], abs=1e-9)
    assert abs(run["b_pin.angle"][-1]) > 15.0


def test_a_wheel_rolls_on_one_that_is_part_of_the_ground():
    """The arm is the housing of both; seen from it the ground turns back: ω_wheel = ω_arm (1 + z_ground/z_wheel)."""
    arm = fx.RigidBody("arm", 1.0, 0.5)
    arm_pin = fx.Revolute("arm_pin", fx.ground, arm, axis="z", start_rate=2.0)
    roller, roller_pin = wheel("roller", 0.05, at=(0.45, 0, 0), on=arm)
    model = fx.Model("roller", [arm, arm_pin, roller, roller_pin, fx.Gear("gear", arm_pin, roller_pin, teeth=(20, 25))])
    assert not model.check().warnings
    run = model.dynamics(until=0.1, step=0.01, **STILL)
    assert run["roller.angular_velocity_z"] == pytest.approx((1 + 20 / 25) * run["arm.angular_velocity_z"], rel=1e-6)
    assert run["roller.angular_velocity_z"][0] == pytest.approx(3.6, rel=1e-12)


def test_bevel_wheels_in_a_housing_that_floats():
    """Nothing acts from outside, the housing tumbles: momentum, angular momentum and energy stay."""
    box = fx.RigidBody("box", 3.0, (0.3, 0.4, 0.6), position=(0, 0, 0), angular_velocity=(0.4, -0.3, 0.2))
    a, a_pin = wheel("a", 0.02, at=(0, 0, 0.3), on=box, start_rate=20.0)
    b, b_pin = wheel("b", 0.05, at=(0.2, 0, 0), axis="x", on=box)
    gear = fx.Gear("gear", a_pin, b_pin, teeth=(20, 30), mesh="bevel")
    spring = fx.JointSpring("spring", b_pin, stiffness=0.5)
    run = fx.Model("tumbling", [box, a, a_pin, b, b_pin, gear, spring]).dynamics(until=1.0, step=0.002, **STILL)
    spin = np.zeros((len(run.time), 3))
    for name, mass, inertia in (("box", 3.0, (0.3, 0.4, 0.6)), ("a", 2.0, (0.02,) * 3), ("b", 2.0, (0.05,) * 3)):
        x, v, w = (run[f"{name}.{what}"] for what in ("position", "velocity", "angular_velocity"))
        R = quaternion_to_matrix(np.asarray(run[f"{name}.orientation"]))
        spin += mass * np.cross(x, v) + np.einsum("tij,j,tkj,tk->ti", R, np.array(inertia), R, w)
    assert np.abs(spin - spin[0]).max() < 1e-4 * np.linalg.norm(spin[0])
    assert np.ptp(run["a_pin.angle_rate"]) > 1.0
    assert np.ptp(run["energy.check_sum"]) < 1e-4 * run["energy.kinetic"][0]
