"""Results of the real solvers on a pendulum: l = 0.4 m to the centre of mass, J = m l²/3 about it."""

import numpy as np
import pytest

from flexor.bodies import RigidBody, ground
from flexor.joints import Motor, Revolute
from flexor.model import Model
from flexor.results import Run
from flexor.results.analyses import dynamics, kinematics, modes, statics
from tests.results import synthetic

LENGTH, GRAVITY = 0.4, 9.81
BAR = RigidBody("bar", mass=2.0, inertia=(0.01, 2 * LENGTH**2 / 3, 2 * LENGTH**2 / 3), center_of_mass=(LENGTH, 0, 0))
PENDULUM = Model(
    "pendulum", gravity=(0, -GRAVITY, 0), items=[BAR, Revolute("hinge", ground, BAR, axis="z", start=-1.0)]
)


@pytest.fixture(params=["memory", "file"])
def file(request, tmp_path):
    return tmp_path / "a.flexor.h5" if request.param == "file" else None


def test_run_records_the_motion(file):
    run = PENDULUM.dynamics(until="0.5 s", step="1 ms", file=file)
    assert isinstance(run, Run)
    assert run.status == "finished"
    assert run.model == PENDULUM
    np.testing.assert_allclose(run.time, 1e-3 * np.arange(501), atol=1e-12)
    # energy: ½ J φ̇² + m g l sin φ is constant, J about the hinge = m l² + m l²/3
    angle, rate = run["hinge.angle"], run["hinge.angle_rate"]
    inertia, moment = 2 * LENGTH**2 * 4 / 3, 2 * GRAVITY * LENGTH
    total = 0.5 * inertia * rate**2 + moment * np.sin(angle)
    np.testing.assert_allclose(total, -moment * np.sin(1.0), atol=1e-4 * moment)
    assert np.ptp(run.energies()["check_sum"].values) < 1e-4 * moment


def test_continued_run_is_the_same_as_a_whole_one(file):
    whole = dynamics(PENDULUM, 0.4, 1e-3)
    joined = dynamics(PENDULUM, 0.2, 1e-3, file=file).continue_until("0.4 s")
    np.testing.assert_allclose(joined.time, whole.time, atol=1e-12)
    for name in ("hinge.angle", "hinge.angle_rate", "hinge.force", "bar.position", "energy.check_sum"):
        np.testing.assert_allclose(joined[name], whole[name], rtol=1e-12, atol=1e-12, err_msg=name)
    assert len(joined.history["time"]) == len(whole.history["time"])


def test_kinematics_of_a_driven_pendulum(file):
    driven = PENDULUM.with_item(Motor("drive", joint="hinge", speed=2.0))
    run = kinematics(driven, "0.5 s", "10 ms", file=file)
    np.testing.assert_allclose(run["hinge.angle"], -1.0 + 2 * run.time, atol=1e-9)
    # at constant speed the motor carries the weight alone: T = m g l cos φ
    expected = 2 * GRAVITY * LENGTH * np.cos(run["hinge.angle"])
    np.testing.assert_allclose(run["drive.torque"], expected, atol=1e-6)


def test_statics_and_modes():
    rest = statics(PENDULUM)
    assert np.cos(rest["hinge.angle"]) == pytest.approx(0.0, abs=1e-7)
    # ω² = m g l / (m l² + m l²/3) = 3 g / (4 l)
    frequency = np.sqrt(0.75 * GRAVITY / LENGTH) / (2 * np.pi)
    np.testing.assert_allclose(modes(PENDULUM).frequencies, [frequency], rtol=1e-6)


def test_mistakes_in_settings_are_told_before_the_file_is_touched(tmp_path):
    older = tmp_path / "a.h5"
    kept = synthetic.write(older)
    with pytest.raises(ValueError, match="until"):
        dynamics(PENDULUM, "1 kg", "1 ms", file=older)
    assert older.read_bytes() == kept
