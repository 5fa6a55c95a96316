"""Every example runs and gives a number that is known from elsewhere."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import flexor as fx
from docs.pictures import PICTURES
from flexor.spatial import quaternion_to_matrix

EXAMPLES = Path(__file__).parents[2] / "examples"
RIGID = {
    "pendulum.yaml",
    "four_bar.yaml",
    "slider_crank.yaml",
    "slider_crank.py",
    "double_wishbone.yaml",
    "valve_train.py",
}
FLEXIBLE = {
    "flexible_slider_crank.py",
    "rotating_blade.py",
    "two_booms.py",
    "telescopic_crane.py",
}  # test_flexible_examples.py
G = 9.81


def load(name):
    return fx.Model.load(EXAMPLES / name)


def test_every_example_is_tested_and_pictured():
    found = {path.name for path in EXAMPLES.iterdir() if path.suffix in (".yaml", ".py")}
    assert found == RIGID | FLEXIBLE
    assert {Path(name).stem.replace("_", "-") for name in found} == set(PICTURES)


def test_pendulum_swings_as_its_differential_equation():
    """J θ̈ = −m g l/2 cos θ − d θ̇, J = m l²/3, by an explicit method of order 8."""
    run = load("pendulum.yaml").dynamics(until="2 s", step="0.25 ms", show=False)
    m, l, d = 1.2, 0.5, 0.01

    def rates(_, y):
        return y[1], (-m * G * l / 2 * np.cos(y[0]) - d * y[1]) / (m * l**2 / 3)

    exact = solve_ivp(rates, (0, 2), (0, 0), method="DOP853", rtol=1e-12, atol=1e-12, t_eval=run.time)
    np.testing.assert_allclose(run["pin.angle"], exact.y[0], atol=1e-5)


def test_four_bar_rocker_swings_by_its_triangles():
    """At the ends of the stroke crank and coupler are in line: A, C, D is a triangle of 0.5 ± 0.1, 0.4, 0.4 m."""
    run = load("four_bar.yaml").dynamics(until="1 s", step="1 ms", show=False)
    corner = [np.degrees(np.arccos((2 * 0.4**2 - (0.5 + r) ** 2) / (2 * 0.4**2))) for r in (-0.1, 0.1)]
    swing = np.degrees(run["D.angle"].max() - run["D.angle"].min())
    assert swing == pytest.approx(corner[1] - corner[0], abs=2e-3)  # rows stand every 0.36° of the crank
    assert run["A.angle"].values[-1] == pytest.approx(2 * np.pi, abs=1e-9)


def slider_crank_torque(phi, speed, acceleration):
    """Torque on the crank by Lagrange's equation for the crank angle: J φ̈ + ½ J′ φ̇² + V′."""
    r, l = 0.08, 0.3

    def inertia_and_height(phi):
        beta = -np.arcsin(r / l * np.sin(phi))  # angle of the rod
        beta_rate = -r / l * np.cos(phi) / np.cos(beta)
        middle_x = -r * np.sin(phi) - l / 2 * np.sin(beta) * beta_rate  # velocities per unit speed of the crank
        middle_y = r * np.cos(phi) + l / 2 * np.cos(beta) * beta_rate
        piston = -r * np.sin(phi) - l * np.sin(beta) * beta_rate
        inertia = 4e-3 + 0.8 * (middle_x**2 + middle_y**2) + 6e-3 * beta_rate**2 + 0.5 * piston**2
        return inertia, 0.8 * G * (r * np.sin(phi) + l / 2 * np.sin(beta))

    h = 1e-5
    (before, low), (after, high) = inertia_and_height(phi - h), inertia_and_height(phi + h)
    slope, weight = (after - before) / (2 * h), (high - low) / (2 * h)
    return inertia_and_height(phi)[0] * acceleration + slope / 2 * speed**2 + weight


def test_slider_crank_needs_the_torque_of_lagranges_equation():
    run = load("slider_crank.yaml").dynamics(until="0.2 s", step="0.1 ms", show=False)
    ramp = fx.ramp(0, "3000 rpm", over="0.1 s")
    t = run.time
    expected = slider_crank_torque(ramp.integral(t), ramp(t), ramp.derivative(t))
    assert np.abs(expected).max() > 400
    np.testing.assert_allclose(run["drive.torque"], expected, atol=5e-4 * np.abs(expected).max())


def test_slider_crank_in_python_is_the_same_model(capsys):
    module = runpy.run_path(str(EXAMPLES / "slider_crank.py"))
    assert module["model"].to_yaml() == load("slider_crank.yaml").to_yaml()
    runpy.run_path(str(EXAMPLES / "slider_crank.py"), run_name="__main__")
    assert float(capsys.readouterr().out) == pytest.approx(405.7, rel=1e-3)


def test_double_wishbone_settles_where_virtual_work_vanishes():
    """F δz − g Σ m δz_c = S δℓ between equilibria under neighbouring loads F, with the force S in the strut."""
    model = load("double_wishbone.yaml")
    run = model.dynamics(until="2 s", step="1 ms", show=False)
    assert run["strut.length"].values[-1] == pytest.approx(model.statics(time=2.0)["strut.length"], abs=1e-6)
    assert run["tie_rod.length"].values == pytest.approx(run["tie_rod.length"].values[0], abs=1e-9)

    low, high = (model.with_item(model["road"].replace(force=force)).statics() for force in (4490, 4510))

    def rise(body, point):
        at = [s[f"{body}.position"] + quaternion_to_matrix(s[f"{body}.orientation"]) @ point for s in (low, high)]
        return at[1][2] - at[0][2]

    bodies = [model[name] for name in ("lower_arm", "upper_arm", "upright")]
    lifted = G * sum(body.mass * rise(body.name, body.center_of_mass) for body in bodies)
    strut = (low["strut.force"] + high["strut.force"]) / 2 * (high["strut.length"] - low["strut.length"])
    pushed = 4500 * rise("upright", (0, 0.75, 0))
    assert pushed > 1
    assert pushed - lifted == pytest.approx(strut, rel=1e-5)


def test_the_valve_follows_up_to_the_speed_at_which_it_jumps():
    """Over the nose the roller's centre is at y = d cos ψ + √((r + ρ)² − d² sin² ψ) above the shaft, ψ from the top."""
    example = runpy.run_path(str(EXAMPLES / "valve_train.py"))
    d, reach, spring = example["OFFSET"], example["NOSE"] + example["ROLLER"], example["SPRING"]
    speed = 0.8 * example["JUMP"]
    run = example["follow"](speed)
    psi = run["bearing.angle"].values - 2 * np.pi
    nose = np.abs(psi) < np.radians(12)
    height = d * np.cos(psi[nose]) + np.sqrt(reach**2 - (d * np.sin(psi[nose])) ** 2)
    np.testing.assert_allclose(run["guide.displacement"].values[nose], height, atol=3e-5)
    throw = example["MASS"] * speed**2 * d * (1 + d / reach)
    top = int(np.argmin(np.abs(psi)))
    expected = spring * (example["LIFT"] + example["PRELOAD"]) - throw
    assert run["cam.force"].values[top] == pytest.approx(expected, rel=0.01)
    assert run["cam.gap"].values.max() < 5e-6
    assert example["follow"](1.2 * example["JUMP"])["cam.gap"].values.max() > 1e-3
