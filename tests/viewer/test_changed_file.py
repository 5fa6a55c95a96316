"""Files that change under an open page, and files of equal names."""

import os
from pathlib import Path

import pytest

import flexor as fx
from flexor.viewer.serve_files import serve_files
from flexor.viewer.show import stage_of, stage_of_files
from flexor.viewer.shown_file import names_of, numbered
from flexor.viewer.stage import Refused
from tests.viewer.browser import page_at, until


def run_to(file: Path, name: str, until: float = 0.02) -> fx.Run:
    arm = fx.RigidBody("arm", mass=1, inertia=0.1, center_of_mass=(0.5, 0, 0))
    model = fx.Model(name, [arm, fx.Revolute("pin", fx.ground, arm)], gravity=(0, -9.81, 0))
    return model.dynamics(until=until, step=1e-3, show=False, file=file)


def test_a_replaced_file_is_refused_until_the_page_is_loaded_anew(tmp_path):
    file = tmp_path / "swing.flexor.h5"
    run_to(file, "first")
    stage = stage_of_files([file])
    assert stage.header()["name"] == "first"
    assert not stage.changed(0)
    before = stage.frames(0, 0, 5)
    run_to(file, "second", 0.03)
    assert stage.changed(0)
    for ask in (lambda: stage.frames(0, 0, 5), lambda: stage.signal(0, "time"), lambda: stage.buffer(0, 0)):
        with pytest.raises(Refused, match=r"swing\.flexor\.h5: has changed.*reload") as refused:
            ask()
        assert refused.value.status == 409
    assert stage.header()["name"] == "second"
    assert len(stage.frames(0, 0, 5)) == len(before)
    assert not stage.changed(0)


def test_a_model_that_was_edited_is_noticed(tmp_path):
    file = tmp_path / "m.yaml"
    model = fx.Model("m", [fx.RigidBody("a", mass=1, inertia=1)])
    model.save(file)
    stage = stage_of_files([file])
    stage.header()
    model.replace(name="other").save(file, overwrite=True)
    os.utime(file, ns=(1, 1))  # also where the clock of the file system is coarse
    assert stage.changed(0)
    assert stage.header()["name"] == "other"


def test_names_tell_runs_apart(tmp_path):
    paths = [tmp_path / folder / "run.h5" for folder in ("a", "b")]
    assert names_of([*paths, tmp_path / "x.h5"]) == [str(Path("a/run.h5")), str(Path("b/run.h5")), "x.h5"]
    assert names_of([paths[0], paths[0]])[0].endswith("(1)")
    assert numbered(["swing", "swing", "x"]) == ["swing (1)", "swing (2)", "x"]
    model = fx.Model("m", [fx.RigidBody("a", mass=1, inertia=1)])
    assert stage_of([model, model]).header()["runs"] == ["m (1)", "m (2)"]


def test_the_page_says_that_its_file_has_changed(chromium, tmp_path):
    file = tmp_path / "swing.flexor.h5"
    run_to(file, "first")
    view = serve_files([file]).start()
    try:
        with page_at(chromium, view.url) as page:
            run_to(file, "second")
            page.wait_for_selector(".changed")
            assert page.inner_text(".changed span") == "swing.flexor.h5 has changed since this page was opened."
            page.locator(".changed button").click()
            until(page, "window.flexor?.app?.header.name === 'second'")
            assert page.locator(".changed").count() == 0
    finally:
        view.close()
