import errno
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import h5py
import numpy as np
import pytest

from flexor.errors import FileError
from flexor.io import seal
from flexor.results import Run, RunWriter, writer
from tests.results import synthetic

ROOT = Path(__file__).parents[2]


def script(text: str, *arguments: object) -> subprocess.Popen:
    head = f"import sys; sys.path[:0] = [{str(ROOT / 'src')!r}, {str(ROOT)!r}]\n"
    command = [sys.executable, "-c", head + textwrap.dedent(text), *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


ENDLESS = """
    import numpy as np
    from flexor.results import RunWriter, writer
    from tests.results import synthetic
    writer.INTERVAL = 0.0
    sink = RunWriter(synthetic.model("name: endless"), {}, file=sys.argv[1])
    sink.open(synthetic.COLUMNS, {})
    for chunk in range(10**6):
        t = 1e-3 * np.arange(7 * chunk, 7 * (chunk + 1))
        sink.rows(synthetic.rows_at(t))
        sink.checkpoint({"t": float(t[-1]), "q": np.full(1000, float(chunk))})
        print(len(t) * (chunk + 1), flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="kill -9 is a POSIX matter")
@pytest.mark.parametrize("chunks", [1, 40, 200])
def test_killed_process_leaves_a_readable_file(tmp_path, chunks):
    path = tmp_path / "killed.h5"
    process = script(ENDLESS, path)
    for _ in range(chunks):
        flushed = int(process.stdout.readline())
    while_running = Run(path)  # a reader is welcome meanwhile
    assert len(while_running["main.angle"]) >= flushed
    assert while_running.status == "still running or killed"
    process.send_signal(signal.SIGKILL)
    process.communicate()
    run = Run(path)
    assert run.status == "still running or killed"
    assert len(run) >= flushed
    t = 1e-3 * np.arange(len(run))
    expected = synthetic.rows_at(t)
    for i, (name, _) in enumerate(synthetic.COLUMNS):
        np.testing.assert_allclose(run[name], expected[:, i], rtol=1e-15, atol=1e-15)
    state, rows, _ = run.checkpoint()
    assert rows <= len(run)
    assert state["t"] == pytest.approx(1e-3 * (rows - 1))
    assert set(state["q"]) == {rows / 7 - 1}


FULL = """
    import resource
    from flexor.errors import FileError
    import types
    from flexor.results import analyses, writer
    from tests.results import synthetic
    writer.INTERVAL = 0.0
    def tighten(chunk):
        if chunk == 3:
            resource.setrlimit(resource.RLIMIT_FSIZE, (2_000_000, 2_000_000))
    def dynamics(*args, **kw):
        synthetic.dynamics(*args, chunk=1000, at_chunk=tighten, **kw)
    analyses.solve = types.SimpleNamespace(dynamics=dynamics)
    try:
        analyses.dynamics(synthetic.MODEL, 100.0, file=sys.argv[1])
    except FileError as error:
        print(error, error.result)
"""


@pytest.mark.skipif(not hasattr(os, "posix_fallocate"), reason="the limit is a POSIX matter")
def test_full_disk_keeps_what_is_there(tmp_path):
    path = tmp_path / "full.h5"
    output, errors = (process := script(FULL, path)).communicate()
    assert process.returncode == 0, errors
    assert errors == ""
    assert f"results file {path}: cannot be written; the file is larger than the system allows" in output
    assert output.strip().endswith(str(path))
    run = Run(path)
    assert run.status == "failed"
    assert "cannot be written" in run.message
    assert 3000 <= len(run) < 20_000
    np.testing.assert_allclose(run["main.angle"], synthetic.OMEGA * 1e-3 * np.arange(len(run)))
    assert not np.isnan(run["energy.check_sum"].values).any()
    assert path.stat().st_size <= 2_000_000


@pytest.fixture
def older(tmp_path):
    path = tmp_path / "old.h5"
    synthetic.write(path)
    return path


@pytest.mark.parametrize(
    ("number", "why"),
    [(errno.ENOSPC, "the disk is full, free some space"), (errno.EACCES, "the folder is not writable")],
)
def test_failure_to_create_leaves_the_older_file(older, monkeypatch, number, why):
    kept = older.read_bytes()

    def fail(*_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(Path, "write_bytes", fail)
    sink = RunWriter(synthetic.model(""), {}, file=older)
    with pytest.raises(FileError, match=f"old.h5: cannot be written; {why}"):
        sink.open(synthetic.COLUMNS, {})
    sink.close("failed")
    assert older.read_bytes() == kept
    assert [path.name for path in older.parent.iterdir()] == ["old.h5"]


def test_older_file_is_replaced_when_the_new_one_exists(older):
    kept = older.read_bytes()
    sink = RunWriter(synthetic.model(""), {}, file=older)
    assert older.read_bytes() == kept
    sink.open(synthetic.COLUMNS, {})
    assert Run(older).status == "still running or killed"
    sink.close("finished")
    assert len(Run(older)) == 0
    assert [path.name for path in older.parent.iterdir()] == ["old.h5"]


def test_older_file_is_spared_on_request(older):
    kept = older.read_bytes()
    with pytest.raises(FileError, match="exists already; choose another name or overwrite=True"):
        RunWriter(synthetic.model(""), {}, file=older, overwrite=False)
    assert older.read_bytes() == kept


def test_files_of_others_are_never_replaced(tmp_path):
    """A model, someone's HDF5 file, a reduced body: also with overwrite=True, and if they come before the first row."""
    (tmp_path / "arm.yaml").write_text("name: arm")
    with h5py.File(tmp_path / "theirs.h5", "w") as file:
        file["x"] = 1
    with h5py.File(tmp_path / "rod.reduced.h5", "w", userblock_size=seal.SIZE) as file:
        file.attrs["format"] = "flexor reduced body"
    with (tmp_path / "rod.reduced.h5").open("r+b", buffering=0) as file:
        seal.finish(file)
    for path in sorted(tmp_path.iterdir()):
        kept = path.read_bytes()
        message = (
            f"{path.name}: exists and would be lost; it is no flexor run written by Flexor, choose another name, or"
        )
        with pytest.raises(FileError, match=message):
            RunWriter(synthetic.model(""), {}, file=path, overwrite=True)
        assert path.read_bytes() == kept
    sink = RunWriter(synthetic.model(""), {}, file=tmp_path / "late.h5")
    (tmp_path / "late.h5").write_text("mine")
    with pytest.raises(FileError, match=r"late.h5: exists and would be lost"):
        sink.open(synthetic.COLUMNS, {})
    assert (tmp_path / "late.h5").read_text() == "mine"
    assert len(list(tmp_path.iterdir())) == 4


def test_empty_and_damaged_files_of_runs_are_replaced(older):
    whole = older.read_bytes()
    for data in (b"", whole[: len(whole) // 2], whole[:600]):
        older.write_bytes(data)
        synthetic.write(older)
        assert Run(older).status == "finished"


@pytest.mark.skipif(os.name != "posix", reason="symbolic links need rights on Windows")
def test_symbolic_links_are_written_through(tmp_path):
    (tmp_path / "disk").mkdir()
    link = tmp_path / "a.h5"
    link.symlink_to(tmp_path / "disk" / "far.h5")
    for model in ("name: first", "name: second"):  # one that does not exist yet, one that does
        synthetic.write(link, model)
        assert link.is_symlink()
        assert Run(tmp_path / "disk" / "far.h5").model_text == model
    loop = tmp_path / "loop.h5"
    loop.symlink_to(loop)
    with pytest.raises(FileError, match="cannot be written"):
        RunWriter(synthetic.model(""), {}, file=loop)


def test_a_run_whose_file_was_taken_by_another_says_so(tmp_path):
    path = tmp_path / "a.h5"
    synthetic.write(path, "name: first")
    first, unverified = Run(path), Run(path, verify=False)
    assert first["main.angle"].values[-1] == pytest.approx(0.09)
    synthetic.write(path, "name: second")
    for run in (first, unverified):
        with pytest.raises(FileError, match=r"is no longer that of this run; another run was written to it since"):
            run["main.angle"]
        with pytest.raises(FileError, match=r"is no longer that of this run"):
            run.checkpoint()
        assert repr(run) == "run a.h5: cannot be read any more"
    assert Run(path).model_text == "name: second"


def test_bad_places_are_refused_before_the_run(tmp_path):
    with pytest.raises(FileError, match="its folder does not exist, create the folder first"):
        RunWriter(synthetic.model(""), {}, file=tmp_path / "absent" / "a.h5")
    with pytest.raises(FileError, match="it is a folder, add a file name"):
        RunWriter(synthetic.model(""), {}, file=tmp_path)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_unwritable_folder_is_refused(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(FileError, match="the folder is not writable, choose a folder of your own"):
        RunWriter(synthetic.model(""), {}, file=tmp_path / "a.h5")


@pytest.mark.parametrize("compress", [False, True])
@pytest.mark.parametrize("columns", [1, 5, 100])
def test_rows_of_any_number_and_width(tmp_path, columns, compress, monkeypatch):
    monkeypatch.setattr(writer, "INTERVAL", 0.0)
    rng = np.random.default_rng(1)
    table = rng.standard_normal((1500, columns))
    sink = RunWriter(synthetic.model(""), {}, file=tmp_path / "a.h5", compress=compress)
    sink.open([("time", "s"), *((f"x{i}", "m") for i in range(1, columns))], {})
    done = 0
    for size in (1, 0, 255, 256, 257, 700, 31):
        sink.rows(table[done : done + size])
        done += size
    sink.close("finished")
    run = Run(tmp_path / "a.h5")
    np.testing.assert_array_equal(np.concatenate(list(run.blocks("signals"))), table[:done])


def test_little_is_written_at_a_time_but_all_is_there_at_the_end(tmp_path):
    sink = RunWriter(synthetic.model(""), {}, file=tmp_path / "a.h5")
    sink.open([("time", "s")], {})
    for i in range(100):
        sink.rows(np.array([[float(i)]]))
    assert len(Run(tmp_path / "a.h5")) < 100  # collected for half a second
    sink.close("interrupted", "because")
    run = Run(tmp_path / "a.h5")
    assert (len(run), run.status, run.message) == (100, "interrupted", "because")
    sink.close("finished")
    assert run.status == "interrupted"


def test_rows_may_be_changed_after_they_were_handed_over():
    sink = RunWriter(synthetic.model(""), {})
    sink.open([("time", "s")], {})
    buffer = np.zeros((1, 1))
    for i in range(5):
        buffer[:] = i
        sink.rows(buffer)
    sink.close("finished")
    np.testing.assert_array_equal(sink.run().time, range(5))


def test_interrupted_write_is_repeated_whole(monkeypatch, tmp_path):
    """A second Ctrl-C may strike between the growth of a table and the writing of its rows."""
    sink = RunWriter(synthetic.model(""), {}, file=tmp_path / "a.h5")
    sink.open([("time", "s"), ("x", "m")], {})
    sink.rows(np.array([[0.0, 1.0]]))

    def strike(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(writer, "INTERVAL", 0.0)
        patch.setattr(writer.np, "concatenate", strike)
        with pytest.raises(KeyboardInterrupt):
            sink.rows(np.array([[0.1, 2.0], [0.2, 3.0]]))
    sink.close("interrupted")
    np.testing.assert_array_equal(sink.run()["x"], [1, 2, 3])


def test_interrupted_keeping_is_repeated_whole(monkeypatch):
    """Likewise in memory: between the rows and the steps."""
    sink = RunWriter(synthetic.model(""), {})
    sink.open([("time", "s"), ("x", "m")], {})
    sink.rows(np.array([[0.0, 1.0]]))
    with monkeypatch.context() as patch:
        patch.setattr(writer, "INTERVAL", 0.0)
        patch.setattr(sink, "_steps", None)  # where rows are there already
        sink._n_steps = 1
        with pytest.raises(TypeError):
            sink.rows(np.array([[0.1, 2.0], [0.2, 3.0]]))
    sink._n_steps = 0
    sink.close("interrupted")
    np.testing.assert_array_equal(sink.run()["x"], [1, 2, 3])


def test_long_message_is_cut_at_a_whole_letter(tmp_path):
    sink = RunWriter(synthetic.model(""), {}, file=tmp_path / "a.h5")
    sink.open([("time", "s")], {})
    sink.close("failed", "ä" * 10_000)
    message = Run(tmp_path / "a.h5").message
    assert message.rstrip("…") == "ä" * (len(message) - 1)
    assert 4000 < len(message) < 4100


def test_checkpoint_refuses_objects():
    sink = RunWriter(synthetic.model(""), {})
    sink.open([("time", "s")], {})
    with pytest.raises(TypeError, match="'bad' is neither numbers nor text"):
        sink.checkpoint({"bad": object()})


def test_checkpoint_keeps_types(tmp_path):
    state = {
        "t": 0.3,
        "n": 7,
        "q": np.arange(6.0).reshape(2, 3),
        "k": np.array([1, 2], dtype=np.int64),
        "on": True,
    }
    sink = RunWriter(synthetic.model(""), {}, file=tmp_path / "a.h5")
    sink.open([("time", "s")], {})
    sink.checkpoint({"t": 0.1})
    sink.checkpoint(state)
    sink.close("finished")
    found, rows, steps = Run(tmp_path / "a.h5").checkpoint()
    assert (rows, steps) == (0, 0)
    assert found.keys() == state.keys()
    assert (found["t"], found["n"], found["on"]) == (0.3, 7, True)
    assert type(found["n"]) is int
    np.testing.assert_array_equal(found["q"], state["q"])
    assert found["k"].dtype == np.int64


def test_damaged_checkpoint_is_noticed(tmp_path):
    import h5py

    sink = RunWriter(synthetic.model(""), {}, file=tmp_path / "a.h5")
    sink.open([("time", "s")], {})
    sink.checkpoint({"q": np.ones(100)})
    sink.close("finished")
    with h5py.File(tmp_path / "a.h5", "r+") as file:
        slot = file[f"checkpoint/slot_{file['checkpoint/current'][0]}"]
        slot[300] ^= 255
    with pytest.raises(FileError, match="the checkpoint is damaged"):
        Run(tmp_path / "a.h5", verify=False).checkpoint()


def test_run_without_checkpoint_says_so(tmp_path):
    sink = RunWriter(synthetic.model(""), {}, file=tmp_path / "a.h5")
    sink.open([("time", "s")], {})
    sink.close("finished")
    with pytest.raises(FileError, match="has no checkpoint"):
        Run(tmp_path / "a.h5").checkpoint()
