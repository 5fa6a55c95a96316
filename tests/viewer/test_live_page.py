"""In the browser: a run while it computes, which ends in a stored run; and files that cannot be shown."""

import threading

import numpy as np
import pytest

import flexor as fx
from flexor.results.analyses import over_time
from flexor.viewer.server import View
from flexor.viewer.show import stage_of_files
from flexor.viewer.watch import Watch
from tests.viewer.browser import page_at, until


def pendulum() -> fx.Model:
    arm = fx.RigidBody("arm", mass=1, inertia=0.1, center_of_mass=(0.5, 0, 0), markers={"tip": (1, 0, 0)})
    return fx.Model("pendulum", [arm, fx.Revolute("pin", fx.ground, arm)], gravity=(0, -9.81, 0))


def test_a_live_run_grows_and_is_stopped_from_the_page(chromium, tmp_path):
    """The solver works in another thread; the page shows more and more rows, stops it, and shows the stored run."""
    file, done = tmp_path / "live.flexor.h5", []
    settings = {"output": 1e-2}

    def compute(stop):
        return over_time("dynamics", pendulum(), "100000 s", 2e-4, file, True, False, False, settings, stop)

    with Watch(file, "100000 s") as seen:
        solver = threading.Thread(target=lambda: done.append(seen.follow(compute)))
        solver.start()
        try:
            with page_at(chromium, seen.view.url) as page:
                first = page.evaluate("window.flexor.app.header.frames.count")
                assert page.evaluate("window.flexor.app.header.status") == "running"
                until(page, f"window.flexor.app.times.length > {first} + 20")
                page.get_by_role("button", name="Stop").click()
                solver.join(timeout=60)
                (run,) = done
                until(
                    page,
                    f"window.flexor.app && window.flexor.app.header.status === 'stopped' && window.flexor.app.times.length === {len(run)}",
                )
        finally:
            seen._wishes.stopping.set()
            solver.join(timeout=60)
    assert run.status == "interrupted"
    stored = fx.Run(file)
    assert len(stored) == len(run) > 20
    assert np.all(np.diff(stored.time) > 0)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9])
def test_a_truncated_file_gives_an_error_page(chromium, stored, tmp_path, share):
    data = stored.file.read_bytes()
    file = tmp_path / "cut <b>.flexor.h5"
    file.write_bytes(data[: int(share * len(data))])
    view = View(stage_of_files([file])).start()
    page = chromium.new_page()
    try:
        page.goto(view.url)
        page.wait_for_selector(".failure")
        text = page.inner_text("body")
    finally:
        page.close()
        view.close()
    assert "Traceback" not in text
    assert "copy the file again" in text
