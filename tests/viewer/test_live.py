"""A run that is watched: its rows as they come, pause, stop with its results kept."""

import json
import os
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path

import httpx
import numpy as np
import pytest

import flexor as fx
from flexor.results.analyses import over_time
from flexor.results.run import UNFINISHED
from flexor.results.summary import energy_drift
from flexor.viewer import page
from flexor.viewer.live import Live, Wishes
from flexor.viewer.of_run import scene_of_run
from flexor.viewer.story import Story, state_of
from flexor.viewer.watch import Watch

SOURCE = Path(__file__).parents[2] / "src"


@pytest.fixture(autouse=True)
def _bundle(tmp_path, monkeypatch):
    static = tmp_path / "static"
    static.mkdir()
    for name in page.BUNDLE:
        (static / name).write_text("")
    monkeypatch.setattr(page, "STATIC", static)


def pendulum() -> fx.Model:
    arm = fx.RigidBody("arm", mass=1, inertia=0.1, center_of_mass=(0.5, 0, 0))
    return fx.Model("pendulum", [arm, fx.Revolute("pin", fx.ground, arm)], gravity=(0, -9.81, 0))


class Reader:
    """Asks the server as the page does."""

    def __init__(self, url: str) -> None:
        self.base, self.token = url.split("/?token=")

    def __call__(self, path: str, method: str = "GET", **query: object) -> httpx.Response:
        return httpx.request(method, f"{self.base}/api/{path}", params={"token": self.token, **query}, timeout=30)

    def events(self) -> list[dict]:
        """All until the run has ended."""
        found = []
        with httpx.stream("GET", f"{self.base}/api/live", params={"token": self.token}, timeout=60) as answer:
            assert answer.headers["content-type"].startswith("text/event-stream")
            for line in answer.iter_lines():
                if line.startswith("data: "):
                    found.append(json.loads(line.removeprefix("data: ")))
        return found


def watched(tmp_path, until, act):
    """A run of many steps in this thread, while another one acts as the reader."""
    file = tmp_path / "live.flexor.h5"
    told: list[object] = []

    def read(url: str) -> None:
        try:
            told.append(act(Reader(url)))
        except BaseException as error:
            told.append(error)
            Reader(url)("stop", "POST")  # or it would run on

    with Watch(file, until) as seen:
        reader = threading.Thread(target=read, args=(seen.view.url,))
        reader.start()
        run = seen.follow(
            lambda stop: over_time(
                "dynamics", pendulum(), until, 1e-4, file, True, (False, None), False, {"output": 1e-2}, stop
            )
        )
        reader.join(timeout=60)
        told.append(Reader(seen.view.url)("header").json())
    if isinstance(told[0], BaseException):
        raise told[0]
    return run, told


def test_a_run_is_stopped_from_the_page_and_kept(tmp_path):
    def act(ask):
        header = ask("header").json()
        assert header["status"] == "running"
        assert ask("pause", "POST").json()["status"] == "paused"
        before = ask("signal", name="time").content
        time.sleep(0.3)
        assert len(ask("signal", name="time").content) <= len(before) + 8 * 200
        ask("resume", "POST")
        for _ in range(400):  # rows come to the file now and then
            if len(ask("signal", name="time").content) >= 8 * 5:
                break
            time.sleep(0.05)
        rows = ask("frames", first=0, count=5)
        assert len(rows.content) == 4 * 5 * header["frames"]["width"]
        ask("stop", "POST")
        return ask.events()

    run, (events, header) = watched(tmp_path, "10000 s", act)
    assert run.status == "interrupted"
    assert events[-1]["status"] == "stopped"
    assert events[-1]["until"] == 10_000
    assert header["status"] == "stopped"
    assert header["frames"]["count"] == len(run) == len(fx.Run(run.file))
    assert len(run) > 2
    assert np.all(np.diff(run.time) > 0)


def test_a_run_ends_in_a_stored_run(tmp_path):
    run, (events, header) = watched(tmp_path, "2 s", lambda ask: ask.events())
    assert run.status == header["status"] == "finished"
    assert events[-1]["status"] == "finished"
    assert events[-1]["rows"] == len(run) == 201
    assert all(event["commands"] for event in events)


def test_a_run_that_ends_while_it_is_looked_at_has_all_its_rows():
    """The last event is the one that says that it has ended; rows written just before that belong to it."""

    class Ending:
        file, meta, ended = None, {"settings": {"until": 1.0}}, False

        @property
        def is_growing(self):
            return not self.ended

        @property
        def status(self):
            return "finished" if self.ended else UNFINISHED

        def __len__(self):
            rows, self.ended = (201 if self.ended else 1), True
            return rows

        def rows(self, first, count):
            return np.full((count, 1), 0.01 * first)

    run = Ending()
    assert [(state_of(run)["status"], run.ended) for _ in range(2)] == [("running", True), ("finished", True)]
    assert state_of(run) == {"rows": 201, "time": 2.0, "until": 1.0, "status": "finished"}


def test_the_story_goes_on_while_the_run_does(tmp_path):
    """Steps, iterations and energies as the results file has them; what the solver warns of, when it does."""
    file = tmp_path / "live.flexor.h5"
    seen_by_page: list[dict] = []
    with Watch(file, "0.5 s") as seen:
        live = Live(seen._state, seen._wishes, seen._told)

        def between() -> bool:
            seen._begun.set()
            if not seen_by_page:
                warnings.warn("a spring grows hot", stacklevel=1)
                seen._wishes.paused.set()
            seen_by_page.append(live.news(0))
            seen._wishes.paused.clear()
            return False

        seen._between = between
        with pytest.warns(UserWarning, match="hot"):
            run = seen.follow(
                lambda stop: over_time("dynamics", pendulum(), 0.5, 1e-3, file, True, (False, None), False, {}, stop)
            )
        last = live.news(0)
    first = seen_by_page[0]
    assert (first["status"], dict(first["summary"])["status"]) == ("paused", "paused")
    assert [each["text"] for each in first["warnings"]] == ["a spring grows hot"]
    assert first["warnings"] == last["warnings"]
    assert dict(last["summary"])["steps"].startswith(f"{len(run.history['time'])} of ")
    assert (
        dict(last["summary"])["energy check-sum"]
        == dict(Story(run, run.model).told("finished")["summary"])["energy check-sum"]
    )


def test_a_story_is_the_same_read_at_once_or_in_parts(mast):
    """Of a run that grows only what is new is read; energies and steps come to the same."""
    whole = dict(Story(mast, None).told("running")["summary"])

    class Grown:
        """The run as it was after some rows."""

        rows_there = 0

        def __getattr__(self, name):
            return getattr(mast, name)

        def __len__(self):
            return self.rows_there

        def rows(self, first, count):
            return mast.rows(first, max(0, min(count, self.rows_there - first)))

        def steps(self, first=0):
            return mast.steps()[first : self.rows_there]

    grown = Grown()
    story = Story(grown, None)
    for grown.rows_there in (0, 1, 7, 7, len(mast)):
        told = story.told("running")
    assert dict(told["summary"]) == whole
    assert told["cutbacks"] == Story(mast, None).told("finished")["cutbacks"]
    drift = energy_drift(mast)
    assert whole["energy check-sum"].startswith(f"drifts by {drift[0]:.3g} J, {drift[1]:.2g}")


def test_solver_signals_stand_at_the_rows():
    run = pendulum().dynamics(until=0.1, step=1e-3, output=1e-2, show=False)
    scene, history = scene_of_run(run), run.history
    assert {"solver.step_size", "solver.iterations", "solver.cut_backs"} <= {s["name"] for s in scene.header["signals"]}
    own = scene.signal("solver.iterations")
    assert len(own) == len(run)
    per_row = len(history["time"]) // (len(run) - 1)
    assert own[1:] == pytest.approx(history["iterations"].reshape(-1, per_row).mean(axis=1))
    assert scene.signal("solver.step_size") == pytest.approx(1e-3)


def test_a_run_that_fails_is_told_on_the_page(tmp_path):
    arm = fx.RigidBody("arm", mass=1, inertia=0.1)
    load = fx.PointTorque("load", on=arm, direction="z", torque=fx.table([0, 0.05], [0, 1], extrapolation="error"))
    model = fx.Model("m", [arm, fx.Revolute("pin", fx.ground, arm), load])
    file = tmp_path / "m.flexor.h5"
    with Watch(file, "1 s") as seen:
        with pytest.raises(fx.FlexorError):
            seen.follow(
                lambda stop: over_time("dynamics", model, 1.0, 0.01, file, True, (False, None), False, {}, stop)
            )
        header = Reader(seen.view.url)("header").json()
    assert header["status"] == "failed"
    assert header["warnings"]


def test_a_run_of_another_program_takes_no_commands(mast):
    live = Live(lambda: state_of(mast))
    assert live.told()["commands"] is False
    assert [route.path for route in live.routes()] == ["/api/live"]


def test_wishes():
    wishes = Wishes()
    assert not wishes.wait()
    wishes.paused.set()
    threading.Timer(0.05, wishes.stopping.set).start()
    assert wishes.wait()


@pytest.fixture
def killed(tmp_path):
    """The file of a run whose program was killed."""
    file, model = tmp_path / "killed.flexor.h5", tmp_path / "pendulum.yaml"
    pendulum().save(model)
    words = [sys.executable, "-m", "flexor", "run", model, "--until", "10000 s", "--step", "1 ms", "--out", file, "-q"]
    process = subprocess.Popen([*map(str, words)], env={**os.environ, "PYTHONPATH": str(SOURCE)})
    try:
        for _ in range(1200):
            if file.is_file() and len(fx.Run(file)) > 10:
                break
            time.sleep(0.1)
        growing = state_of(fx.Run(file))
    finally:
        process.kill()
        process.wait()
    assert growing["status"] == "running"
    return file


def test_a_killed_run_is_told_as_such(killed):
    run = fx.Run(killed)
    header = scene_of_run(run).header
    assert header["status"] == state_of(run)["status"] == "killed"
    assert any("killed" in each["text"] for each in header["warnings"])
    assert header["frames"]["count"] == len(run) > 10
