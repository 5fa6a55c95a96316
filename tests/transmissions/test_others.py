"""Rack, screw, planetary train, belt: lead and ratio, force and torque, energy."""

import numpy as np
import pytest

import flexor as fx
from tests.transmissions.parts import slide, wheel

STILL = {"show": False}


def torque_on(body, value):
    return fx.PointTorque("drive", body, direction=(0, 0, 1), torque=value)


@pytest.mark.parametrize("radius", [0.05, -0.05])
def test_a_rack_is_driven_by_its_pinion(radius):
    """θ̈ = T/(J + m r²), F = m r θ̈."""
    pinion, pin = wheel("pinion", 0.02)
    rack, guide = slide("rack", 4.0, at=(0, -radius, 0))
    gear = fx.RackAndPinion("steering", pin, guide, radius=radius)
    run = fx.Model("rack", [pinion, pin, rack, guide, gear, torque_on(pinion, 3.0)]).dynamics(
        until=1, step=0.01, **STILL
    )
    alpha = 3.0 / (0.02 + 4.0 * 0.05**2)
    assert run["rack_guide.displacement"][-1] == pytest.approx(radius * alpha / 2, rel=1e-6)
    assert run["steering.force_rack"][-1] == pytest.approx(4.0 * radius * alpha, rel=1e-7)
    assert run["steering.torque_pinion"][-1] == pytest.approx(0.02 * alpha - 3.0, rel=1e-7)
    assert np.ptp(run["energy.check_sum"]) < 1e-6 * run["energy.kinetic"][-1]


@pytest.mark.parametrize("axis", ["z", "-z"])
@pytest.mark.parametrize("side", [-0.05, 0.05, 0.2])
def test_a_rack_that_is_drawn_on_the_other_side_is_told(side, axis):
    """The rim of the pinion at the rack moves by e × r."""
    pinion, pin = wheel("pinion", 0.02, axis=axis)
    rack, guide = slide("rack", 4.0, at=(0, side, 0))
    rim = np.cross((0, 0, 1 if axis == "z" else -1), (0, side, 0))[0]  # per rad
    for radius in (0.05, -0.05):
        gear = fx.RackAndPinion("steering", pin, guide, radius=radius)
        doubts = fx.Model("rack", [pinion, pin, rack, guide, gear]).check().warnings
        assert bool(doubts) == (abs(side) == 0.05 and rim * radius < 0)
        assert all("the rim of the pinion moves the other way" in str(doubt) for doubt in doubts)


@pytest.mark.parametrize("enforcement", ["multipliers", "elimination"])
@pytest.mark.parametrize("lead", [0.005, -0.02])
def test_a_nut_falls_along_its_screw(lead, enforcement):
    """A nut on a steep thread: z̈ = −g m/(m + J (2π/L)²), the torque of the thread J θ̈."""
    m, J, g = 2.0, 3e-6, 9.81
    nut = fx.RigidBody("nut", m, J)
    sleeve = fx.Cylindrical("sleeve", fx.ground, nut, axis="z", enforcement=enforcement)
    run = fx.Model("screw", [nut, sleeve, fx.Screw("thread", sleeve, lead=lead)], gravity=(0, 0, -g)).dynamics(
        until=0.2, step=0.001, **STILL
    )
    per = 2 * np.pi / lead
    fall = -g * m / (m + J * per**2)
    assert run["nut.position_z"][-1] == pytest.approx(fall * 0.2**2 / 2, rel=1e-5)
    assert run["nut.angular_velocity_z"][-1] == pytest.approx(per * fall * 0.2, rel=1e-6)
    assert run["thread.torque_spindle"][-1] == pytest.approx(J * per * fall, rel=1e-5)
    assert run["thread.force_nut"][-1] == pytest.approx(m * (fall + g), rel=1e-5)
    assert run["sleeve.angle"][-1] == pytest.approx(per * run["sleeve.displacement"][-1], rel=1e-9)


def test_force_and_torque_of_a_spindle_and_a_nut():
    """At rest F = 2π T/L."""
    spindle, pin = wheel("spindle", 0.01)
    table, guide = slide("table", 50.0, axis="z")
    screw = fx.Screw("feed", pin, guide, lead="10 mm")
    stop = fx.JointSpring("stop", guide, stiffness=1e6)
    still = fx.Model("feed", [spindle, pin, table, guide, screw, stop, torque_on(spindle, 2.0)]).statics()
    assert still["feed.force_nut"] == pytest.approx(2 * np.pi * 2.0 / 0.01, rel=1e-9)
    assert still["table_guide.displacement"] == pytest.approx(2 * np.pi * 2.0 / 0.01 / 1e6, rel=1e-9)


TRAIN = {"sun": 0.1, "ring": 2.0, "arm": 0.8}


def planets(axes=("z", "z", "z"), **rates):
    items = []
    for (name, inertia), axis in zip(TRAIN.items(), axes):
        items += wheel(name, inertia, axis=axis, **({"start_rate": rates[name]} if name in rates else {}))
    return [*items, fx.Planetary("planets", "sun_pin", "ring_pin", "arm_pin", teeth=(20, 70))]


@pytest.mark.parametrize("axes", [("z", "z", "z"), ("-z", "z", "-z"), ("z", "z", "-z")])
@pytest.mark.parametrize("held", TRAIN)
def test_planetary_train_by_willis(held, axes):
    """20 ω_s + 70 ω_r = 90 ω_c; torques of the mesh as 20 : 70 : −90, no power of their own."""
    driven = {"sun": "ring", "ring": "arm", "arm": "sun"}[held]
    motors = [fx.Motor("hold", f"{held}_pin", speed=0.0), fx.Motor("drive", f"{driven}_pin", speed="3*t")]
    run = fx.Model("train", [*planets(axes), *motors]).dynamics(until=1.0, step=0.02, **STILL)
    sign = {name: -1.0 if axis == "-z" else 1.0 for name, axis in zip(TRAIN, axes)}
    omega = {name: run[f"{name}.angular_velocity_z"][-1] for name in TRAIN}
    assert abs(omega[driven]) == pytest.approx(3.0)
    assert 20 * omega["sun"] + 70 * omega["ring"] == pytest.approx(90 * omega["arm"], abs=1e-9)
    role = {"sun": "sun", "ring": "ring", "arm": "carrier"}
    torque = {name: sign[name] * run[f"planets.torque_{role[name]}"][-1] for name in TRAIN}
    assert torque["sun"] / 20 == pytest.approx(torque["ring"] / 70) == pytest.approx(-torque["arm"] / 90)
    assert abs(torque["sun"]) > 1e-3
    assert sum(torque[name] * omega[name] for name in TRAIN) == pytest.approx(0.0, abs=1e-9)


def test_a_free_planetary_train():
    """Two freedoms. T on the sun, λ of the ratio: J_s ω̇_s = T + 20 λ, J_r ω̇_r = 70 λ, J_c ω̇_c = −90 λ."""
    items = planets()
    run = fx.Model("train", [*items, torque_on(items[0], 1.0)]).dynamics(until=1.0, step=0.02, **STILL)
    lam = -20 / 0.1 / (20**2 / 0.1 + 70**2 / 2.0 + 90**2 / 0.8)
    assert run["sun.angular_velocity_z"][-1] == pytest.approx((1.0 + 20 * lam) / 0.1, rel=1e-9)
    assert run["ring.angular_velocity_z"][-1] == pytest.approx(70 * lam / 2.0, rel=1e-9)
    assert run["arm.angular_velocity_z"][-1] == pytest.approx(-90 * lam / 0.8, rel=1e-9)


@pytest.mark.parametrize(("crossed", "axis", "sign"), [(False, "z", 1), (True, "z", -1), (False, "-z", -1)])
@pytest.mark.parametrize("by", [{"radii": ("50 mm", "200 mm")}, {"teeth": (15, 60)}])
def test_a_belt(crossed, axis, sign, by):
    a, a_pin = wheel("a", 0.2)
    b, b_pin = wheel("b", 1.5, at=(1, 0, 0), axis=axis)
    belt = fx.Belt("belt", a_pin, b_pin, crossed=crossed, **by)
    run = fx.Model("belt", [a, a_pin, b, b_pin, belt, torque_on(a, 2.0)]).dynamics(until=0.5, step=0.01, **STILL)
    assert run["b_pin.angle_rate"][-1] == pytest.approx(sign * 0.5 * 2.0 / (0.2 + 1.5 / 16) / 4, rel=1e-9)
