"""Damaged results files: one FileError that names the file, never a hang, a crash, another exception or a wrong number."""

import os
import shutil

import h5py
import numpy as np
import pytest

from flexor.errors import FileError
from flexor.io import seal
from flexor.results import Run, RunWriter, writer
from tests.damage import cut, flipped
from tests.results import damaged, synthetic
from tests.watchdog import OK, REFUSED, watch


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A finished file, and what is on the disk when its process is killed."""
    folder = tmp_path_factory.mktemp("runs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writer, "INTERVAL", 0.0)
        sink = RunWriter(synthetic.model("name: Kurbeltrieb φ\n" * 20), {"until": 1}, file=folder / "whole.h5")
        sink.open(synthetic.COLUMNS, {})
        for chunk in range(20):
            t = 1e-3 * np.arange(20 * chunk, 20 * (chunk + 1))
            sink.rows(synthetic.rows_at(t))
            sink.history(np.ones((20, 5)))
            sink.checkpoint({"t": float(t[-1]), "q": np.full(100, float(chunk))})
        shutil.copy(folder / "whole.h5", folder / "killed.h5")
        sink.close("finished")
    return {name: (folder / f"{name}.h5").read_bytes() for name in ("whole", "killed")}


def outcomes(function, data, folder):
    return list(watch(f"tests.results.damaged:{function}", data, folder))


def test_whole_files_are_read(files, tmp_path):
    for name, data in files.items():
        (tmp_path / f"{name}.h5").write_bytes(data)
    whole, killed = (damaged.read(tmp_path / f"{name}.h5") for name in ("whole", "killed"))
    assert whole - len("finished") == pytest.approx(killed - len("still running or killed"), rel=1e-14)


def test_a_finished_file_that_was_changed_or_cut_is_refused(files, tmp_path):
    data = files["whole"]
    every = [*flipped(data, 120), *cut(data, 20), data + b"\0"]
    every += [
        data[:offset] + bytes([data[offset] ^ 1]) + data[offset + 1 :] for offset in range(512, 560)
    ]  # superblock
    found = outcomes("read", every, tmp_path)
    assert {outcome for outcome, _ in found} == {REFUSED}


def test_a_file_cut_at_a_third_is_not_taken_for_finished(files, tmp_path):
    """Chunks that are missing would read as zero."""
    (tmp_path / "a.h5").write_bytes(files["whole"][: len(files["whole"]) * 3 // 10])
    with pytest.raises(FileError, match=r"a.h5: is cut short; it has \d+ of \d+ bytes, copy the file again"):
        Run(tmp_path / "a.h5")


@pytest.mark.parametrize(("function", "name"), [("read", "killed"), ("read_unverified", "whole")])
def test_without_a_seal_reading_still_ends_in_good_order(files, tmp_path, function, name):
    """Numbers themselves have no check-sum before the run ends; everything that HDF5 follows has."""
    found = outcomes(function, [*flipped(files[name], 250), *cut(files[name], 20)], tmp_path)
    assert {outcome for outcome, _ in found} <= {OK, REFUSED}
    assert sum(outcome == REFUSED for outcome, _ in found) > 60


def test_a_killed_run_that_lost_rows_is_refused(files, tmp_path):
    data = files["killed"]
    used = len(files["whole"])  # what follows is reserved
    found = outcomes("read", [data[: used * i // 10] for i in range(1, 9)], tmp_path)
    assert {outcome for outcome, _ in found} == {REFUSED}


def test_a_damaged_file_shows_on_request_what_is_left(files, tmp_path):
    (tmp_path / "a.h5").write_bytes(files["whole"])
    with h5py.File(tmp_path / "a.h5", "r+") as file:
        file["signals"][3, 1] = 7.0
    with pytest.raises(FileError, match="is damaged; it is not what was written"):
        Run(tmp_path / "a.h5")
    assert Run(tmp_path / "a.h5", verify=False)["main.angle"][3] == 7.0


def test_texts_of_an_unfinished_file_are_checked(files, tmp_path):
    assert files["killed"].count(b"Kurbeltrieb") >= 20
    (tmp_path / "a.h5").write_bytes(files["killed"].replace(b"Kurbeltrieb", b"Kurbelbetrug"[:11], 1))
    with pytest.raises(FileError, match="is damaged; its texts are not what was written"):
        Run(tmp_path / "a.h5")


def test_it_stays_an_ordinary_hdf5_file(files, tmp_path):
    (tmp_path / "a.h5").write_bytes(files["whole"])
    with h5py.File(tmp_path / "a.h5") as file:
        assert file["signals"].shape == (400, len(synthetic.COLUMNS))
        assert file["columns/name"].asstr()[1] == "main.angle"
        assert "Kurbeltrieb φ" in file["model"].asstr()[()]


def test_a_file_is_verified_once_as_long_as_it_does_not_change(files, tmp_path, monkeypatch):
    path = tmp_path / "a.h5"
    path.write_bytes(files["whole"])
    calls = []
    exact = seal.checksum_of
    monkeypatch.setattr(seal, "checksum_of", lambda file: calls.append(1) or exact(file))
    run = Run(path)
    assert len(run) == len(Run(path)) == 400
    assert calls == [1]
    path.write_bytes(files["whole"][:-1] + bytes([files["whole"][-1] ^ 1]))
    os.utime(path, ns=(0, path.stat().st_mtime_ns + 10**7))  # clocks of disks tick every few milliseconds
    with pytest.raises(FileError, match="check-sum is wrong"):
        len(run)
