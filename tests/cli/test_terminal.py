"""Terminals without Unicode, a full disk behind standard output, a working directory that is gone."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from flexor.cli.terminal import plain
from flexor.results import RunWriter
from tests.results import synthetic

SOURCE = Path(__file__).parents[2] / "src"


@pytest.fixture
def results(tmp_path):
    sink = RunWriter(synthetic.model("name: a"), {}, file=tmp_path / "a.flexor.h5")
    sink.open([*synthetic.COLUMNS, ("arm.acceleration_x", "m/s²")], {})
    t = 1e-3 * np.arange(5)
    sink.rows(np.column_stack([synthetic.rows_at(t), t]))
    sink.close("finished")
    return tmp_path / "a.flexor.h5"


def flexor(*arguments, out=subprocess.PIPE, **environment):
    command = [sys.executable, "-m", "flexor", *map(str, arguments)]
    given = {**os.environ, "PYTHONPATH": str(SOURCE), **environment}
    return subprocess.run(command, stdout=out, stderr=subprocess.PIPE, env=given, check=False)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0 … 1 m/s²", "0 ... 1 m/s2"),
        ("ω = −3 · π", "omega = -3 - pi"),
        ("Wälzkörper Ω₀", "Walzkorper Omega0"),
        ("木", "?"),
    ],
)
def test_plain_text(text, expected):
    assert plain(text) == expected


def test_a_terminal_that_knows_ascii_alone(results):
    found = flexor("info", results, PYTHONIOENCODING="ascii")
    assert (found.returncode, found.stderr) == (0, b"")
    assert b"time 0 ... 0.004 s" in found.stdout
    found = flexor("info", results, "--json", PYTHONIOENCODING="ascii")
    assert json.loads(found.stdout)["signals"]["arm.acceleration_x"] == "m/s²"  # data are not changed


def test_a_damaged_file_is_refused_or_shown_on_request(results):
    with results.open("ab") as file:
        file.write(b"\0")
    found = flexor("info", results)
    assert (found.returncode, found.stdout) == (2, b"")
    assert b"is longer than it was" in found.stderr
    assert b"finished, 5 rows" in flexor("info", results, "--no-verify").stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("arguments", [["info"], ["info", "--json"], ["--help"]])
def test_a_full_disk_behind_standard_output_is_told(results, arguments):
    with Path("/dev/full").open("w") as full:
        found = flexor(*arguments, *([results] if arguments != ["--help"] else []), out=full)
    assert found.returncode == 2
    assert found.stderr.decode().splitlines() == [
        "file error: standard output: cannot be written; No space left on device, free some space, or print elsewhere"
    ]


def test_whoever_reads_may_stop(results):
    command = f"{sys.executable} -m flexor info {results} --json | head -1"
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    found = subprocess.run(command, shell=True, capture_output=True, env=environment, check=False)
    assert (found.stdout, found.stderr) == (b"{\n", b"")


@pytest.mark.skipif(os.name != "posix", reason="Windows does not delete a directory in use")
def test_a_deleted_working_directory(results, tmp_path):
    (tmp_path / "gone").mkdir()
    command = f"cd {tmp_path}/gone; rmdir ../gone; {sys.executable} -m flexor"
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    for arguments, code, told in (
        (f"info {results}", 0, b""),
        ("info a.flexor.h5", 2, b"the working directory, which was deleted"),
        ("demo", 2, b"the working directory was deleted, change to another one"),
    ):
        (tmp_path / "gone").mkdir(exist_ok=True)
        found = subprocess.run(f"{command} {arguments}", shell=True, capture_output=True, env=environment, check=False)
        assert found.returncode == code
        assert told in found.stderr
        assert found.stderr.count(b"\n") == (1 if code else 0)
