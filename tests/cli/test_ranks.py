"""flexor run by several processes under mpiexec: results of one process, told once; none waits for one that died."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

import flexor as fx
from benchmarks.tree import four_bars
from flexor.mpi import place
from tests.cli.mpi import command, installed

SECONDS = 240
"""How long anything may take on a busy machine."""


@pytest.fixture(scope="module")
def mpi() -> None:
    if why := installed():
        pytest.skip(why)


@contextmanager
def started(ranks: int, *words: str) -> Iterator[subprocess.Popen]:
    """flexor in so many processes; all of them end with the block."""
    search = os.pathsep.join([str(Path(fx.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": search}
    process = subprocess.Popen(
        command(ranks, "-m", "flexor", *words),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait(SECONDS)


def flexor(ranks: int, *words: str) -> subprocess.CompletedProcess[str]:
    with started(ranks, *words) as process:
        out, err = process.communicate(timeout=SECONDS)
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)


@pytest.mark.filterwarnings("ignore:.*redundant")
@pytest.mark.parametrize("ranks", [2, 3])
def test_results_are_those_of_one_process(mpi: None, ranks: int) -> None:
    model = four_bars(12)
    model.save("row.yaml")
    done = flexor(
        ranks, *["run", "row.yaml", "--until", "0.03", "--step", "0.001", "--solver", "tree", "--out", "row.h5"]
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("finished, 31 rows") == 1
    assert done.stderr.count("redundant") == 1
    run, alone = fx.Run("row.h5"), model.dynamics(until=0.03, step=1e-3, solver="tree", show=False)
    assert run.names == alone.names
    for name in run.names:
        assert np.abs(run[name].values - alone[name].values).max() <= 1e-12 * max(1, np.abs(alone[name].values).max())


def test_a_rank_that_dies_ends_the_run_and_leaves_its_results(mpi: None) -> None:
    four_bars(12).save("row.yaml")
    words = [
        "run",
        "row.yaml",
        "--until",
        "10000",
        "--step",
        "0.001",
        "--output",
        "0.01",
        "--solver",
        "tree",
        "--out",
        "row.h5",
        "--quiet",
    ]
    with started(2, *words) as process:
        until(lambda: Path("row.h5").exists() and len(rows_of("row.h5")) > 3, process)
        os.kill(of_rank(process.pid, 1), signal.SIGKILL)
        _, told = process.communicate(timeout=SECONDS)
    assert process.returncode != 0
    assert "another rank died" in told
    assert told.count("results so far") == 1
    run = fx.Run("row.h5")
    assert run.status == "failed"
    assert "another rank died" in run.message
    assert len(run) > 3
    assert np.isfinite(run["u0.position_x"].values).all()


def test_mistakes_are_told_once(mpi: None) -> None:
    Path("bad.yaml").write_text("name: bad\nitems:\n  - {type: rigid_body, name: a, mass: -1}\n")
    done = flexor(2, *["run", "bad.yaml", "--until", "1", "--step", "0.001", "--solver", "tree"])
    assert done.returncode == 2
    assert done.stderr.count("mass") == 1


def rows_of(file: str) -> np.ndarray:
    try:
        return fx.Run(file).time
    except fx.FlexorError:
        return np.zeros(0)


def until(holds, process: subprocess.Popen) -> None:
    end = time.monotonic() + SECONDS
    while not holds():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end
        time.sleep(0.1)


def of_rank(parent: int, rank: int) -> int:
    """Number of the process of a rank, by what mpiexec told it."""
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                told = (folder / "environ").read_bytes().split(b"\0")
                words = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if f"OMPI_COMM_WORLD_RANK={rank}".encode() in told and int(words[1]) == parent:
                return int(folder.name)
    raise AssertionError("there is no such rank")


@pytest.mark.parametrize("words", ["", "--solver tree --watch", "--solver tree --threads 2"])
def test_what_several_processes_cannot_do(words: str, monkeypatch, capsys) -> None:
    from typer.testing import CliRunner

    from flexor.cli import app

    monkeypatch.setenv("OMPI_COMM_WORLD_SIZE", "3")
    monkeypatch.setenv("OMPI_COMM_WORLD_RANK", "0")
    assert place() == (0, 3)
    four_bars(2).save("row.yaml")
    found = CliRunner().invoke(app, ["run", "row.yaml", "--until", "1", "--step", "1 ms", *words.split()])
    assert found.exit_code == 2
    assert (words.split()[2] if words else "--solver tree") in found.output
    monkeypatch.setenv("OMPI_COMM_WORLD_RANK", "1")
    found = CliRunner().invoke(app, ["run", "row.yaml", "--until", "1", "--step", "1 ms", *words.split()])
    assert (found.exit_code, found.output) == (2, "")


def test_another_mpi_than_that_of_mpiexec_is_refused(monkeypatch) -> None:
    """Each process would be alone, and all would write the same file."""
    pytest.importorskip("mpi4py", reason="mpi4py is not installed (pip install mpi4py)")
    code = "from flexor.hierarchy.ranks import Ranks; Ranks()"
    environment = {**os.environ, "PMI_SIZE": "3", "PMI_RANK": "0", "PYTHONPATH": str(Path(fx.__file__).parents[1])}
    environment["PYTHONPATH"] += os.pathsep + os.environ.get("PYTHONPATH", "")
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=SECONDS, env=environment
    )
    assert "mpiexec: " in done.stderr
    assert "3 processes" in done.stderr
