import csv

import h5py
import numpy as np
import pytest

from flexor.errors import FileError, FlexorError
from flexor.results import Run, UnknownSignal
from flexor.results.analyses import dynamics
from tests.results import synthetic


@pytest.fixture(params=["memory", "file"])
def run(request, tmp_path, monkeypatch):
    synthetic.install(monkeypatch, dynamics=synthetic.dynamics)
    file = tmp_path / "a.flexor.h5" if request.param == "file" else None
    return dynamics(synthetic.MODEL, 0.5, 1e-3, file=file, rho=0.8)


def test_signals_come_back_exactly(run):
    t = 1e-3 * np.arange(501)
    np.testing.assert_array_equal(run.time, t)
    expected = synthetic.rows_at(t)
    for i, (name, unit) in enumerate(synthetic.COLUMNS):
        np.testing.assert_array_equal(run[name], expected[:, i])
        assert (run[name].name, run[name].unit) == (name, unit)
    assert len(run) == 501
    assert (run.status, run.message) == ("finished", "")


def test_vectors_and_quaternions_are_collected(run):
    force = run["pin.force"]
    assert force.shape == (501, 3)
    assert force.unit == "N"
    np.testing.assert_allclose(force.norm(), 5)
    assert run["rod.orientation"].shape == (501, 4)
    assert "pin.force" in run
    assert "pin" not in run


def test_names_and_patterns(run):
    assert run.names == tuple(name for name, _ in synthetic.COLUMNS[1:])
    assert run.find("*.force*") == ["pin.force_x", "pin.force_y", "pin.force_z"]
    assert run.find("*.angle") == ["main.angle"]
    assert run.find("nothing*") == []


def test_unknown_name_suggests_near_ones(run):
    with pytest.raises(UnknownSignal, match=r"signal 'main.angel': is not in this run; did you mean main.angle or"):
        run["main.angel"]
    with pytest.raises(KeyError):
        run["main.angel"]
    with pytest.raises(FlexorError, match=r"run\.names lists them all"):
        run["ζ"]


def test_history_settings_versions_and_model(run):
    assert len(run.history["time"]) == 501
    np.testing.assert_allclose(run.history["step_size"], 1e-3)
    assert set(run.history["iterations"]) == {2.0}
    assert run.settings == {"until": 0.5, "step": 1e-3, "rho": 0.8}
    assert run.meta == {"solver": "synthetic"}
    assert {"flexor", "numpy", "numba", "python"} <= set(run.versions)
    assert run.model_text == synthetic.MODEL.to_text()


def test_energies_and_summary(run):
    energies = run.energies()
    assert list(energies) == ["kinetic", "potential", "strain", "dissipated", "input", "check_sum"]
    assert energies["check_sum"].max() - energies["check_sum"].min() == pytest.approx(5e-7)
    text = run.summary()
    assert "finished, 501 rows of 16 signals" in text
    assert "time 0 … 0.5 s, 501 steps of 0.001 … 0.001 s, 2.00 iterations a step, 0 cut-backs, in " in text
    assert "drifts by 5e-07 J, 2.5e-07 of the largest energy" in text


def test_a_large_drift_of_energy_is_commented(monkeypatch):
    exact = synthetic.rows_at
    for share, said in ((0.04, False), (0.06, True)):

        def rows(t, share=share):
            found = exact(t)
            found[:, -1] += 2 * share * t / 0.5  # energies range over 2 J
            return found

        monkeypatch.setattr(synthetic, "rows_at", rows)
        synthetic.install(monkeypatch, dynamics=synthetic.dynamics)
        text = dynamics(synthetic.MODEL, 0.5, 1e-3, show=False).summary()
        assert ("do not trust the motion. Take a shorter step" in text) == said


def test_summary_names_the_largest_value_of_each_unit(run):
    lines = [line.split() for line in run.summary().splitlines()]
    assert ["main.angle", "5", "rad", "at", "0.5", "s"] in lines
    assert ["pin.force_z", "4", "N", "at", "0", "s"] in lines


def test_csv_has_units_and_full_precision(run, tmp_path):
    path = run.to_csv(tmp_path / "out.csv", names=["pin.force", "main.*"])
    with path.open(encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    forces = [f"pin.force_{axis} [N]" for axis in "xyz"]
    assert header == ["time [s]", *forces, "main.angle [rad]", "main.angle_rate [rad/s]"]
    np.testing.assert_array_equal(np.array(rows, dtype=float)[:, 1], run["pin.force_x"].values)
    with pytest.raises(FileError, match="cannot be written"):
        run.to_csv(tmp_path / "no such folder" / "out.csv")
    assert len(run.to_csv(tmp_path / "all.csv").read_text().splitlines()[0].split(",")) == 17


def test_run_in_memory_leaves_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    synthetic.install(monkeypatch, dynamics=synthetic.dynamics)
    run = dynamics(synthetic.MODEL, 0.1)
    assert run.file is None
    assert list(tmp_path.iterdir()) == []


def test_file_can_be_opened_again(tmp_path, monkeypatch):
    synthetic.install(monkeypatch, dynamics=synthetic.dynamics)
    first = dynamics(synthetic.MODEL, 0.1, file=tmp_path / "a.h5")
    again = Run(str(tmp_path / "a.h5"))
    np.testing.assert_array_equal(again["main.angle"], first["main.angle"])
    assert repr(again) == "run a.h5: finished, 101 rows of 16 signals"


def test_files_that_are_no_runs_are_refused(tmp_path):
    with pytest.raises(FileError, match=r"absent.h5: does not exist"):
        Run(tmp_path / "absent.h5")
    with pytest.raises(FileError, match="is a folder"):
        Run(tmp_path)
    (tmp_path / "text.h5").write_text("no HDF5")
    with pytest.raises(FileError, match="cannot be read as HDF5"):
        Run(tmp_path / "text.h5")
    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["x"] = 1
    with pytest.raises(FileError, match="has no seal; it is no run, or one of an earlier Flexor"):
        Run(tmp_path / "other.h5")
    with pytest.raises(FileError, match="is an HDF5 file but no run"):
        Run(tmp_path / "other.h5", verify=False)
    with h5py.File(tmp_path / "new.h5", "w") as file:
        file.attrs["format"], file.attrs["format_version"] = "flexor run", 99
    with pytest.raises(FileError, match="update Flexor"):
        Run(tmp_path / "new.h5", verify=False)


def test_advice_is_not_what_was_done_already(tmp_path):
    (tmp_path / "text.h5").write_text("no HDF5")
    with pytest.raises(FileError, match="verify=False"):
        Run(tmp_path / "text.h5")
    with pytest.raises(FileError, match="cannot be read as HDF5") as caught:
        Run(tmp_path / "text.h5", verify=False)
    assert "verify" not in str(caught.value)


def test_results_are_not_replaced_by_their_table(tmp_path):
    kept = synthetic.write(tmp_path / "a.h5")
    with pytest.raises(FileError, match="exists and would be lost; it is no table of signals written by Flexor"):
        Run(tmp_path / "a.h5").to_csv(tmp_path / "a.h5")
    assert (tmp_path / "a.h5").read_bytes() == kept
