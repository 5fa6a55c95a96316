"""The demonstration with the real solver, against the closed-form slider-crank."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from flexor.cli import app
from flexor.cli.demo import MESH, slider_crank
from flexor.results import Run
from flexor.viewer import page

CRANK, ROD, OMEGA = 0.08, 0.3, 100 * np.pi
PISTON_MASS, LOAD, GRAVITY = 0.5, 20.0, 9.81


def wrist_force_and_piston_speed(phi, rod):
    """Force of the rigid rod on the piston in the plane (2, n) and speed of the piston, at constant crank speed.

    With β the angle of the rod, l sin β = −r sin φ. Piston: m a = F_x − d v. The moment of all forces on
    the rod about the pin gives F_y.
    """
    beta = np.arcsin(-CRANK / ROD * np.sin(phi))
    rate = -CRANK / ROD * np.cos(phi) * OMEGA / np.cos(beta)
    second = (CRANK / ROD * np.sin(phi) * OMEGA**2 + rate**2 * np.sin(beta)) / np.cos(beta)
    along, across = np.array([np.cos(beta), np.sin(beta)]), np.array([-np.sin(beta), np.cos(beta)])
    turning = second * across - rate**2 * along
    pin = -CRANK * OMEGA**2 * np.array([np.cos(phi), np.sin(phi)])
    speed = -CRANK * OMEGA * np.sin(phi) + ROD * rate * across[0]
    force_x = PISTON_MASS * (pin + ROD * turning)[0] + LOAD * speed
    at = rod.center_of_mass[0]
    centre = pin + at * turning + np.array([[0.0], [GRAVITY]])
    moment = rod.inertia[2] * second + rod.mass * at * (along[0] * centre[1] - along[1] * centre[0])
    return np.array([force_x, (along[1] * force_x - moment / ROD) / along[0]]), speed


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        result = CliRunner().invoke(app, ["demo", "--json"])
    assert result.exit_code == 0, result.output
    return folder, json.loads(result.stdout)


def test_numbers_of_the_demo(demo):
    folder, found = demo
    rod = slider_crank(str(folder / MESH))["rod"].rigid()
    force, speed = wrist_force_and_piston_speed(np.linspace(0, 2 * np.pi, 3601), rod)
    # the rod vibrates a little: forces differ by (50 Hz / 570 Hz)² ≈ 1 % at most
    assert found["peak_wrist_force"] == pytest.approx(np.hypot(*force).max(), rel=5e-3)
    # what the motor puts in over a revolution, the pump takes out: T ω = d v²
    assert found["mean_torque"] == pytest.approx(LOAD * np.mean(speed[:-1] ** 2) / OMEGA, rel=5e-3)
    assert found["energy_drift"] < 1e-3
    assert (found["status"], found["steps"]) == ("finished", 3000)


def test_stress_of_the_demo(demo):
    """Beside the tension by the piston, a bar between two hinges whose one end is accelerated by ω²r across:
    M = ρAω²r l²/(9√3), A/W = 6/h. The demonstration's largest stress is some 10 % above the bending alone.
    """
    _, found = demo
    bending = 7850 * OMEGA**2 * CRANK * ROD**2 / (9 * np.sqrt(3)) * 6 / 0.022
    assert 1.05 * bending < found["worst_stress"] < 1.25 * bending
    assert 0.1 < found["worst_time"] < 0.3
    stretch = found["peak_wrist_force"] * ROD / (210e9 * 0.022 * 0.014)  # F l/EA
    assert stretch < found["piston_difference"] < 2 * stretch
    assert found["torque_difference"] < 5


def test_files_of_the_demo(demo, monkeypatch):
    pytest.importorskip("matplotlib")
    folder, found = demo
    monkeypatch.chdir(folder)
    assert found["results"] == str(folder / "slider-crank.flexor.h5")
    run = Run(found["results"])
    assert run.model == slider_crank().with_files(lambda name: str(folder / name))
    assert run.stress("rod").max().node == found["worst_node"]
    for image in ("slider-crank.png", "slider-crank-stress.png"):
        assert (folder / image).read_bytes().startswith(b"\x89PNG")


def test_report_of_the_demo(demo):
    folder, found = demo
    if not page.is_built():
        assert found["report"] is None
        pytest.skip("the viewer's page is not built (make viewer)")
    assert found["report"] == str(folder / "slider-crank.html")
    text = (folder / "slider-crank.html").read_text()
    assert text.startswith("<!doctype html>")
    assert len(text) < 4e6
    assert '"plots":[["drive.torque"],["main.angle_rate"]' in text


def test_demo_in_words(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    output = CliRunner().invoke(app, ["demo"]).stdout
    for word in (
        *("mean crank torque", "peak wrist bearing force", "against a rigid rod", "largest stress", "at node"),
        *("energy check-sum drift", "wall time"),
    ):
        assert word in output
    assert f"results: {tmp_path / 'slider-crank.flexor.h5'}" in output
