"""The demonstration with the real solver, against the closed-form slider-crank."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from flexor.cli import app
from flexor.cli.demo import slider_crank
from flexor.results import Run

CRANK, ROD, OMEGA = 0.08, 0.3, 100 * np.pi
ROD_MASS, ROD_INERTIA, PISTON_MASS, LOAD, GRAVITY = 0.6, 4.5e-3, 0.5, 20.0, 9.81


def wrist_force_and_piston_speed(phi):
    """Force of the rod on the piston in the plane (2, n) and speed of the piston, at constant crank speed.

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
    centre = pin + ROD / 2 * turning + np.array([[0.0], [GRAVITY]])
    moment = ROD_INERTIA * second + ROD_MASS * ROD / 2 * (along[0] * centre[1] - along[1] * centre[0])
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
    # second order in the step: (ω h)² = 0.4 %, of which the method errs by a small part
    _, found = demo
    force, speed = wrist_force_and_piston_speed(np.linspace(0, 2 * np.pi, 3601))
    assert found["peak_wrist_force"] == pytest.approx(np.hypot(*force).max(), rel=2e-3)
    # what the motor puts in over a revolution, the pump takes out: T ω = d v²
    assert found["mean_torque"] == pytest.approx(LOAD * np.mean(speed[:-1] ** 2) / OMEGA, rel=2e-3)
    assert found["energy_drift"] < 2e-3
    assert (found["status"], found["steps"]) == ("finished", 2500)


def test_files_of_the_demo(demo):
    pytest.importorskip("matplotlib")
    folder, found = demo
    assert found["results"] == str(folder / "slider-crank.flexor.h5")
    assert Run(found["results"]).model == slider_crank()
    assert (folder / "slider-crank.png").read_bytes().startswith(b"\x89PNG")


def test_demo_in_words(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    output = CliRunner().invoke(app, ["demo"]).stdout
    for word in ("mean crank torque", "peak wrist bearing force", "energy check-sum drift", "wall time"):
        assert word in output
    assert f"results: {tmp_path / 'slider-crank.flexor.h5'}" in output
