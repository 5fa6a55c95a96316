"""Couplings: sums of variables that stay, one variable as a function of another."""

import numpy as np
import pytest

import flexor as fx
from tests.transmissions.parts import slide, wheel

STILL = {"show": False}


def cam(function, **fields):
    """A shaft and a follower along z that is led by its angle."""
    shaft, pin = wheel("shaft", 0.5)
    valve, guide = slide("valve", 0.3, at=(0.1, 0, 0), axis="z")
    return [shaft, pin, valve, guide, fx.Coupling("lift", input=pin, output=guide, function=function, **fields)]


def test_a_differential():
    """½ (ω_left + ω_right) = ω_cage: the torque of the cage goes half and half, whatever the speeds."""
    items = []
    for name, inertia, rate in (("left", 0.2, 4.0), ("right", 0.4, -1.0), ("cage", 0.1, None)):
        items += wheel(name, inertia, start_rate=rate)
    sums = fx.Coupling("differential", {"left_pin": 0.5, "right_pin": 0.5, "cage_pin": -1.0})
    push = fx.PointTorque("drive", "cage", direction=(0, 0, 1), torque=1.0)
    run = fx.Model("axle", [*items, sums, push]).dynamics(until=1.0, step=0.01, **STILL)
    assert run["cage_pin.angle_rate"][0] == pytest.approx(1.5)
    assert run["differential.torque_1"] == pytest.approx(run["differential.torque_2"], rel=1e-9)
    half = 0.5 / (1 + 0.1 * (0.25 / 0.2 + 0.25 / 0.4))  # T_half = ½ (T − J_c ω̇_c),  ω̇_c = ½ T_half (1/J_l + 1/J_r)
    assert run["left_pin.angle_rate"][-1] == pytest.approx(4.0 + half / 0.2, rel=1e-9)
    assert run["right_pin.angle_rate"][-1] == pytest.approx(-1.0 + half / 0.4, rel=1e-9)


def test_a_variable_as_a_function_of_another():
    """y = h (1 − cos 2φ): ẏ = f′ φ̇, ÿ = f″ φ̇² + f′ φ̈; the follower's force is m (ÿ + g), the shaft's torque −f′ F."""
    h, g = 0.01, 9.81
    motor = fx.Motor("motor", "shaft_pin", position="0.7 + 3*t + 2*t^2")
    items = cam(f"{h}*(1 - cos(2*x))")
    items[1] = items[1].replace(start=0.7)
    model = fx.Model("cam", [*items, motor], gravity=(0, 0, -g))
    run = model.kinematics(until=3.0, step=0.05)
    t = run.time
    phi, rate = 0.7 + 3 * t + 2 * t**2, 3 + 4 * t
    slope, second = 2 * h * np.sin(2 * phi), 4 * h * np.cos(2 * phi)
    assert run["valve_guide.displacement"] == pytest.approx(h * (1 - np.cos(2 * phi)), abs=1e-12)
    assert run["valve_guide.displacement_rate"] == pytest.approx(slope * rate, abs=1e-10)
    lift = second * rate**2 + slope * 4.0
    assert run["valve.acceleration_z"] == pytest.approx(lift, abs=1e-8)
    assert run["lift.force_output"] == pytest.approx(0.3 * (lift + g), abs=1e-8)
    assert run["lift.torque_input"] == pytest.approx(-slope * 0.3 * (lift + g), abs=1e-9)
    again = model.dynamics(until=1.0, step=0.001, **STILL)
    assert again["valve_guide.displacement"][-1] == pytest.approx(h * (1 - np.cos(2 * 5.7)), abs=1e-9)
    assert again["lift.force_output"][-1] == pytest.approx(np.interp(1.0, t, 0.3 * (lift + g)), rel=1e-3)


def test_energy_of_a_follower_that_is_led():
    """No motor: kinetic and potential energy of shaft and valve go into each other, ½ (J + m f′²) φ̇² + m g f = const."""
    h, g = 0.05, 9.81
    items = cam(f"{h}*sin(x)")
    items[1] = items[1].replace(start_rate=2.0)
    run = fx.Model("cam", items, gravity=(0, 0, -g)).dynamics(until=3.0, step=0.002, **STILL)
    phi, rate = run["shaft_pin.angle"], run["shaft_pin.angle_rate"]
    energy = 0.5 * (0.5 + 0.3 * (h * np.cos(phi)) ** 2) * rate**2 + 0.3 * g * h * np.sin(phi)
    assert np.ptp(rate) > 0.1
    assert energy == pytest.approx(energy[0] + 0 * energy, rel=1e-6)
    assert np.ptp(run["energy.check_sum"]) < 1e-6 * energy[0]


def test_it_holds_from_the_start():
    """What is left open follows: the valve stands at f(φ₀) and moves with f′ φ̇₀."""
    items = cam("0.02*x^2 + 0.01")
    items[1] = items[1].replace(start=0.5, start_rate=3.0)
    run = fx.Model("cam", items).dynamics(until=0.01, step=0.001, **STILL)
    assert run["valve_guide.displacement"][0] == pytest.approx(0.02 * 0.25 + 0.01, abs=1e-12)
    assert run["valve_guide.displacement_rate"][0] == pytest.approx(0.04 * 0.5 * 3.0, abs=1e-12)


def test_stiffness_is_that_of_the_last_variable():
    """2 x₁ + 4 x₂ = const with k along x₂: ω² = k (1/m₂ + 1/(4 m₁)); the deflection is that of x₂."""
    left, left_guide = slide("left", 1.0)
    right, right_guide = slide("right", 3.0)
    rope = fx.Coupling("rope", {left_guide: 2.0, right_guide: 4.0}, stiffness=500.0)
    pull = fx.PointForce("pull", right, direction="x", force=2.0)
    hold = fx.JointSpring("hold", left_guide, stiffness=1e3)
    items = [left, left_guide, right, right_guide, rope]
    modes = fx.Model("rope", items).modes(count=2)
    assert modes.frequencies[-1] == pytest.approx(np.sqrt(500 * (1 / 3 + 1 / 4)) / (2 * np.pi), rel=1e-9)
    still = fx.Model("rope", [*items, pull, hold]).statics()
    assert still["left_guide.displacement"] == pytest.approx(-1.0 / 1e3, rel=1e-9)
    assert still["rope.deflection"] == pytest.approx(2.0 / 500, rel=1e-9)


def test_a_sum_with_a_given_constant():
    left, left_guide = slide("left", 1.0, start=0.1)
    right, right_guide = slide("right", 1.0)
    rope = fx.Coupling("rope", {left_guide: 2.0, right_guide: 2.0}, constant="500 mm")
    run = fx.Model("rope", [left, left_guide, right, right_guide, rope]).dynamics(until=0.01, step=0.001, **STILL)
    assert run["right_guide.displacement"][0] == pytest.approx(0.15, abs=1e-12)


def test_a_soft_coupling_by_a_function():
    """Modes about φ = 0 of y = r φ with stiffness k: ω² = k (1/m + r²/J)."""
    modes = fx.Model("cam", cam("0.2*x + 0.1*x^3", stiffness=300.0)).modes(count=2)
    assert modes.frequencies[-1] == pytest.approx(np.sqrt(300.0 * (1 / 0.3 + 0.04 / 0.5)) / (2 * np.pi), rel=1e-9)


def test_curvature_counts_in_modes():
    """A preloaded follower on a rounded top, y = −½ c φ²: its weight turns the shaft, ω² = m g c/J beside a spring."""
    c, g = 0.4, 9.81
    items = [*cam(f"0.5*{c}*x^2"), fx.JointSpring("spring", "shaft_pin", stiffness=2.0)]
    modes = fx.Model("cam", items, gravity=(0, 0, -g)).modes(count=1)
    assert modes.frequencies[0] == pytest.approx(np.sqrt((2.0 + 0.3 * g * c) / 0.5) / (2 * np.pi), rel=1e-9)


def test_a_corner_is_told():
    table = {"type": "table", "x": [-1, 0, 1], "y": [0, 0, 0.1]}
    report = fx.Model("cam", cam(table)).check()
    assert any("function has a corner at 0" in str(each) and 'kind="akima"' in str(each) for each in report.warnings)
    (ends,) = fx.Model("cam", cam({**table, "kind": "cubic"})).check().warnings
    assert "function has a corner at -1 (and 1 more)" in str(ends)
    assert "extrapolation: periodic" in str(ends)
    assert not fx.Model("cam", cam({**table, "kind": "cubic", "extrapolation": "linear"})).check().warnings
    assert not fx.Model("cam", cam(table, stiffness=1e4)).check().warnings
