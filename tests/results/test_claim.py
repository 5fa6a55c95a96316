"""One writer per results file, and what other programs may do to it meanwhile."""

import os
import shutil
import threading

import numpy as np
import pytest

from flexor.errors import FileError
from flexor.io import replaceable
from flexor.results import Run, RunWriter, writer
from flexor.results.analyses import dynamics
from flexor.results.claim import Claim, is_written
from tests.results import synthetic

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows does not let others touch an open file")


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr(writer, "INTERVAL", 0.0)


def begun(path, rows=40):
    sink = RunWriter(synthetic.model("name: a"), {}, file=path)
    sink.open(synthetic.COLUMNS, {})
    sink.rows(synthetic.rows_at(1e-3 * np.arange(rows)))
    sink.checkpoint({"step": rows})
    return sink


def test_a_second_run_to_the_same_file_is_refused(tmp_path):
    first = begun(tmp_path / "a.h5")
    assert is_written(tmp_path / "a.h5")
    with pytest.raises(FileError, match=r"a.h5: is in use; another run writes it now, give this one another file"):
        RunWriter(synthetic.model(""), {}, file=tmp_path / "a.h5")
    first.rows(synthetic.rows_at(np.array([1.0])))
    first.close("finished")
    assert not is_written(tmp_path / "a.h5")
    assert len(Run(tmp_path / "a.h5")) == 41
    RunWriter(synthetic.model(""), {}, file=tmp_path / "a.h5")


def test_of_two_runs_that_start_together_one_is_refused(tmp_path):
    """Neither saw the other when it was declared."""
    for existing in (False, True):
        path = tmp_path / f"{existing}.h5"
        if existing:
            synthetic.write(path)
        writers = [RunWriter(synthetic.model(f"name: {i}"), {}, file=path) for i in range(6)]
        outcomes = [None] * len(writers)
        gate = threading.Barrier(len(writers))

        def begin(i, writers=writers, outcomes=outcomes, gate=gate):
            gate.wait()
            try:
                writers[i].open(synthetic.COLUMNS, {})
            except FileError as error:
                outcomes[i] = str(error)

        threads = [threading.Thread(target=begin, args=(i,)) for i in range(len(writers))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        (won,) = [i for i, outcome in enumerate(outcomes) if outcome is None]
        assert all("is in use" in outcome for outcome in outcomes if outcome)
        writers[won].rows(synthetic.rows_at(np.array([0.0])))
        writers[won].close("finished")
        assert Run(path).model_text == f"name: {won}"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["False.h5", "True.h5"]


def test_readers_neither_hinder_nor_are_hindered(tmp_path):
    sink = begun(tmp_path / "a.h5")
    run = Run(tmp_path / "a.h5")
    for i in range(30):
        sink.rows(synthetic.rows_at(np.array([1.0 + i])))
        assert len(run["main.angle"]) == 41 + i
    sink.close("finished")
    assert run.status == "finished"


@pytest.mark.parametrize("how", ["deleted", "moved", "replaced"])
def test_a_file_that_is_taken_away_ends_the_run_and_loses_nothing(tmp_path, monkeypatch, how):
    path = tmp_path / "a.h5"

    def disturb(chunk):
        if chunk == 3:
            if how == "moved":
                path.rename(tmp_path / "b.h5")
            else:
                path.unlink()
            if how == "replaced":
                path.write_text("something else")

    synthetic.install(monkeypatch, dynamics=lambda *a, **k: synthetic.dynamics(*a, at_chunk=disturb, **k))
    with pytest.raises(FileError, match="was deleted, moved or replaced by another program during the run") as caught:
        dynamics(synthetic.MODEL, 0.5, 1e-3, file=path, show=False)
    assert str(caught.value.result) in str(caught.value)
    assert (caught.value.result == path) == (how != "replaced")
    kept = Run(caught.value.result)
    assert kept.status == "failed"
    np.testing.assert_array_equal(kept.time, 1e-3 * np.arange(80))
    assert kept.checkpoint()[0]["step"] in (59, 79)
    if how == "replaced":
        assert path.read_text() == "something else"


def test_a_file_deleted_before_the_last_write_is_written_anew(tmp_path):
    sink = begun(tmp_path / "a.h5")
    (tmp_path / "a.h5").unlink()
    with pytest.warns(UserWarning, match=r"what it held is kept in .*a.h5"):
        sink.close("finished")
    assert (Run(tmp_path / "a.h5").status, len(sink.run())) == ("finished", 40)


@pytest.mark.parametrize("how", ["cut", "emptied", "overwritten"])
def test_a_file_that_is_spoiled_ends_the_run_and_is_not_taken_for_good(tmp_path, monkeypatch, how):
    path = tmp_path / "a.h5"
    other = tmp_path / "other"
    other.write_bytes(bytes(10_000_000))

    def disturb(chunk):
        if chunk == 3 and how == "overwritten":
            shutil.copyfile(other, path)
        elif chunk == 3:
            os.truncate(path, 0 if how == "emptied" else path.stat().st_size // 50)

    synthetic.install(monkeypatch, dynamics=lambda *a, **k: synthetic.dynamics(*a, at_chunk=disturb, **k))
    with pytest.raises(
        FileError, match=r"was cut short or overwritten by another program during the run; (its|of its)"
    ):
        dynamics(synthetic.MODEL, 0.5, 1e-3, file=path, show=False)
    with pytest.raises(FileError, match="is damaged; another program cut it short or overwrote it"):
        Run(path)


def test_devices_are_refused():
    with pytest.raises(FileError, match="it is a device, no file"):
        RunWriter(synthetic.model(""), {}, file="/dev/null")


def test_a_relative_name_in_a_deleted_folder_is_refused(tmp_path, monkeypatch):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(FileError, match="relative to the working directory, which was deleted"):
        RunWriter(synthetic.model(""), {}, file="a.h5")
    with pytest.raises(FileError, match="which was deleted, change to another directory"):
        Run("a.h5")
    RunWriter(synthetic.model(""), {}, file=tmp_path / "a.h5")


def test_a_file_that_cannot_be_read_is_not_replaced(tmp_path, monkeypatch):
    """Who knows what it is."""
    path = tmp_path / "a.h5"
    kept = synthetic.write(path)

    def closed_to_us(*_):
        raise PermissionError(13, "no")

    with monkeypatch.context() as patch:
        patch.setattr(replaceable, "steady", closed_to_us)
        patch.setattr(replaceable, "seal_of", lambda path: None)
        with pytest.raises(FileError, match="exists and would be lost; it is no flexor run"):
            begun(path)
    assert path.read_bytes() == kept


@pytest.mark.parametrize("compress", [False, True])
@pytest.mark.parametrize("when", ["early", "late"])
def test_a_file_cut_in_the_midst_of_a_write_is_not_taken_for_good(tmp_path, monkeypatch, compress, when):
    """HDF5 writes on behind the cut, so that the file is as long as it should be, with zeros inside."""
    path, put = tmp_path / "a.h5", writer._put
    chunks = []

    def cut_before(dataset, end, rows):
        put(dataset, end, rows)
        if dataset.name == "/signals" and end == (3000 if when == "early" else 5001):
            dataset.file.flush()
            size = path.stat().st_size
            os.truncate(path, 20_000)
            os.truncate(path, size)

    monkeypatch.setattr(writer, "_put", cut_before)
    many = lambda *a, **k: synthetic.dynamics(*a, chunk=1000, at_chunk=chunks.append, **k)  # noqa: E731
    synthetic.install(monkeypatch, dynamics=many)
    with pytest.raises(
        FileError, match=r"was cut short or overwritten by another program during the run; (its|of its)"
    ):
        dynamics(synthetic.MODEL, 5.0, 1e-3, file=path, show=False, compress=compress)
    assert len(chunks) < 6 or when == "late"
    with pytest.raises(FileError, match="is damaged; another program cut it short or overwrote it"):
        Run(path)
    assert not is_written(path)


def test_rows_before_the_cut_are_told(tmp_path, monkeypatch):
    """Damage inside the table is found at the end, and so is how far the rows are right."""
    sink = begun(tmp_path / "a.h5", rows=2000)
    where = sink.stored["signals"].id.get_chunk_info_by_coord((512, 0)).byte_offset
    with open(tmp_path / "a.h5", "r+b") as file:
        file.seek(where + 64)
        file.write(b"something")
    with pytest.raises(FileError, match=r"of its 2000 rows only the first 512 are sure .*verify=False\) shows what is"):
        sink.close("finished")
    left = Run(tmp_path / "a.h5", verify=False)
    np.testing.assert_array_equal(left["main.angle"].values[:512], synthetic.rows_at(1e-3 * np.arange(512))[:, 1])


def test_a_file_that_is_there_but_cannot_be_opened_ends_the_attempt(tmp_path, monkeypatch):
    """Access is granted by the system, and the opening fails all the same: on some network disks."""
    path = tmp_path / "a.h5"
    claim = Claim(path, bytes(1024))
    path.write_bytes(b"of another")
    monkeypatch.setattr("flexor.results.claim.hold", lambda path: None)
    with pytest.raises(FileError, match=r"a.h5: cannot be written; it is there, but cannot be opened"):
        claim.take_place()
    claim.drop()
    assert [each.name for each in tmp_path.iterdir()] == ["a.h5"]
    assert path.read_bytes() == b"of another"
