"""flexor view, report and run --watch, as they are called."""

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

import flexor as fx
from flexor.cli import app
from flexor.viewer import page

SOURCE = Path(__file__).parents[2] / "src"
needs_page = pytest.mark.skipif(not page.is_built(), reason="the viewer's page is not built (make viewer)")


def flexor(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def bundle(tmp_path, monkeypatch):
    """A page that is there, built or not."""
    static = tmp_path / "static"
    static.mkdir()
    for name in page.BUNDLE:
        (static / name).write_text("")
    monkeypatch.setattr(page, "STATIC", static)


@pytest.fixture
def results(tmp_path):
    arm = fx.RigidBody("arm", mass=1, inertia=0.1, center_of_mass=(0.5, 0, 0))
    model = fx.Model("pendulum", [arm, fx.Revolute("pin", fx.ground, arm)], gravity=(0, -9.81, 0))
    model.save(tmp_path / "pendulum.yaml")
    return model.dynamics(until=0.1, step=0.01, show=False, file=tmp_path / "pendulum.flexor.h5").file


def started(*arguments, program=("-m", "flexor")):
    """The command in a process of its own, and the address that it prints."""
    environment = {**os.environ, "PYTHONPATH": str(SOURCE), "PYTHONUNBUFFERED": "1"}
    words = [sys.executable, *program, *map(str, arguments)]
    process = subprocess.Popen(
        words,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment,
        preexec_fn=partial(
            signal.signal, signal.SIGINT, signal.SIG_DFL
        ),  # tests in the background would hand on that it is ignored
    )
    said = []
    for line in process.stdout:
        said.append(line)
        if "http://" in line:
            return process, "http://" + line.split("http://")[1].split()[0]
    raise AssertionError("".join(said))


@needs_page
def test_view_serves_until_ctrl_c(results):
    process, url = started("view", results, "--no-browser")
    try:
        for _ in range(200):
            try:
                answer = httpx.get(url.replace("/?", "/api/header?"), timeout=30)
                break
            except httpx.ConnectError:
                time.sleep(0.05)
        assert answer.json()["name"] == "pendulum"
    finally:
        process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 0
    assert "Traceback" not in process.stdout.read()


SLOW = """
import sys, time
from flexor.viewer import show
show.SCENES[show.Run] = lambda run: time.sleep(600)
from flexor.cli import app
app(sys.argv[1:])
"""


@needs_page
def test_ctrl_c_ends_it_in_silence_while_a_page_waits(results):
    process, url = started("view", results, "--no-browser", program=("-c", SLOW))
    try:
        page_itself = httpx.get(url, timeout=30)
        with pytest.raises(httpx.TimeoutException):
            httpx.get(url.replace("/?", "/api/header?"), timeout=1)
    finally:
        process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 0
    assert "reading pendulum.flexor.h5" in page_itself.text
    assert process.stdout.read() == "open this address on this machine; Ctrl-C ends it\n"


@needs_page
def test_a_watched_run_ends_in_results(results):
    process, url = started(
        *("run", results.with_name("pendulum.yaml"), "--until", "1 s", "--step", "1 ms"),
        *("--out", results.with_name("live.flexor.h5"), "--watch", "--no-browser", "-q"),
    )
    try:
        said = ""
        for line in process.stdout:
            said += line
            if "until Ctrl-C" in line:
                break
        header = httpx.get(url.replace("/?", "/api/header?"), timeout=30).json()
    finally:
        process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 0
    assert header["status"] == "finished"
    assert header["frames"]["count"] == 1001
    assert "1001 rows" in said
    assert len(fx.Run(results.with_name("live.flexor.h5"))) == 1001


def test_what_is_not_there(bundle, tmp_path):
    done = flexor("view", tmp_path / "no.flexor.h5", "--no-browser")
    assert done.exit_code == 2
    assert "does not exist" in done.output
    assert flexor("report", tmp_path / "no.flexor.h5").exit_code == 2


def test_without_the_page_it_says_how_to_build_it(results, tmp_path, monkeypatch):
    monkeypatch.setattr(page, "STATIC", tmp_path / "nowhere")
    for command in ("view", "report"):
        done = flexor(command, results)
        assert done.exit_code == 2
        assert "make viewer" in done.output


def test_report(bundle, results):
    done = flexor("report", results, "-o", "page.html", "--signals", "pin.*", "--frames", "5", "--json")
    told = json.loads(done.output)
    assert Path(told["file"]).read_text().startswith("<!doctype html>")
    assert told["bytes"] == Path("page.html").stat().st_size
    assert "page.html" in flexor("report", results, "--out", "page.html", "--no-stress").output
    assert flexor("report", results).exit_code == 0
    assert Path("pendulum.html").is_file()
    wrong = flexor("report", results, "--signals", "pin.farce_x")
    assert wrong.exit_code == 2
    assert "pin.force_x" in wrong.output


def test_report_of_a_model_and_of_a_damaged_file(bundle, results):
    assert flexor("report", results.with_name("pendulum.yaml")).exit_code == 0
    results.write_bytes(results.read_bytes()[:3000])
    done = flexor("report", results)
    assert done.exit_code == 2
    assert "Traceback" not in done.output
