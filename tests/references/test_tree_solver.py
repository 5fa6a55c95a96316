"""The rigid references by the tree solver: loops, redundant constraints, singular positions.

Sources as in the tests of the same mechanisms by the implicit solver.
"""

from __future__ import annotations

import numpy as np
import pytest

from tests.references.test_adams_joints import CASES, model, quaternion_distance
from tests.references.test_andrews_squeezer import ANGLES, END, OUTPUT, squeezer
from tests.references.test_chain import chain
from tests.references.test_iftomm_a01 import pendulum
from tests.references.test_iftomm_a02 import linkage
from tests.references.test_iftomm_a04 import bricard

pytestmark = pytest.mark.filterwarnings("ignore::flexor.RedundantConstraints")


def energy_drift(run) -> float:
    return float(np.abs(run["energy.check_sum"] - run["energy.check_sum"][0]).max())


def test_a01(reference) -> None:
    run = pendulum(reference.record("iftomm_a01_pendulum")["parameters"]).dynamics(
        until=10, step=2e-3, output=0.1, show=False, solver="tree"
    )
    _, x, y = reference.curve("iftomm_a01_pendulum")
    assert np.abs(run["bob.position"][:, :2] - np.column_stack([x, y])).max() < 1e-7
    assert energy_drift(run) < 1e-8


def test_a02_passes_singular_positions(reference) -> None:
    model = linkage(2, reference.record("iftomm_a02_nfourbar")["parameters"]["g"])
    run = model.dynamics(until=10, step=1e-3, output=0.1, show=False, solver="tree")
    _, x, y = reference.curve("iftomm_a02_nfourbar_N2")
    assert np.abs(run["coupler 0.position"][:, :2] - np.column_stack([x, y])).max() < 1e-6
    assert energy_drift(run) < 1e-6


def test_bricard(reference) -> None:
    model = bricard(reference.record("iftomm_a04_bricard")["parameters"])
    run = model.dynamics(until=10, step=5e-3, output=0.05, show=False, solver="tree")
    assert np.abs(run["rod 2.position"] - reference.curve("iftomm_a04_bricard_P3")[1:].T).max() < 1e-6
    assert energy_drift(run) < 1e-7


def test_andrews_squeezer(reference) -> None:
    record = reference.record("ivp_andrews_squeezer")
    model = squeezer(record["parameters"])
    run = model.dynamics(until=0.05, step=2.5e-5, output=OUTPUT, show=False, solver="tree")
    assert run["K1.angular_acceleration_z"][0] == pytest.approx(record["reference"]["beta_ddot_0"], rel=1e-12)
    q = np.array([run[f"{joint}.angle"][END] for joint in ANGLES])
    assert np.abs(q / record["reference"]["q"] - 1).max() < 1e-8
    for joint, force in zip(("E3", "E4", "E6"), np.reshape(record["reference"]["lambda_"], (3, 2)), strict=True):
        found = np.hypot(run[f"{joint}.force_x"][END], run[f"{joint}.force_y"][END])
        assert found == pytest.approx(np.linalg.norm(force), rel=1e-6)


def test_chain(reference) -> None:
    record = reference.record("chain_forward_dynamics")
    run = chain(5).dynamics(until=1, step=1e-3, output=0.5, show=False, solver="tree")
    w, x, y, z = run["rod 4.orientation"][:].T
    along = np.column_stack([1 - 2 * (y**2 + z**2), 2 * (x * y + w * z), 2 * (x * z - w * y)])
    tip = run["rod 4.position"][:] + along
    for time, row in (("0.5", 1), ("1", 2)):
        expected = record["reference"]["traj"]["N5"][f"t{time}_tip"]
        assert np.abs(tip[row][[0, 2]] - expected).max() < record["tolerance"]["tip"]


@pytest.mark.parametrize("name", CASES)
def test_one_body_on_one_joint_against_adams(reference, name: str) -> None:
    record = reference.record("adams_joint_suite")
    _, *columns = reference.curve(f"adams_{name}")
    columns = np.array(columns).T
    run = model(name).dynamics(until=5, step=min(1e-3, 4 * CASES[name].step), output=0.1, show=False, solver="tree")
    tolerance = record["tolerance"]
    assert np.abs(run["body.position"] - columns[:, 0:3]).max() < tolerance["pos"]
    assert quaternion_distance(run["body.orientation"][:], columns[:, 6:10]) < tolerance["quat"]
    assert np.abs(run["body.angular_velocity"] - columns[:, 10:13]).max() < tolerance["avel"]
    force = run[f"{CASES[name].force}.force"].norm().values
    assert np.abs(force - columns[:, 13]).max() < tolerance["force"]
