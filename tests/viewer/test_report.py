"""A report is one file: data, page and licences in it, nothing to load, names as text."""

import base64
import gzip
import json
import re

import numpy as np
import pytest

import flexor as fx
from flexor.results.names import UnknownSignal
from flexor.viewer import page
from flexor.viewer.of_run import scene_of_run
from flexor.viewer.report import report_text, write_report
from tests.viewer.conftest import HOSTILE, swing


@pytest.fixture(autouse=True)
def _bundle(tmp_path, monkeypatch):
    static = tmp_path / "static"
    static.mkdir()
    (static / "viewer.js").write_text('console.log("</script><!-- x")')
    (static / "viewer.css").write_text("body { color: red }")
    (static / "licences.txt").write_text("three (MIT) --> <b>")
    monkeypatch.setattr(page, "STATIC", static)


def block(text: str, id: str) -> bytes:
    (found,) = re.findall(rf'<script id="{id}" type="[^"]*">([^<]*)</script>', text)
    return found if id == "flexor-header" else gzip.decompress(base64.b64decode(found))


def header_of(text: str) -> dict:
    return json.loads(block(text, "flexor-header"))


def test_it_holds_the_scene(mast):
    scene = scene_of_run(mast)
    text = report_text(scene)
    header = header_of(text)
    assert header["name"] == "mast"
    frames = np.frombuffer(block(text, "frames"), "<f4").reshape(-1, header["frames"]["width"])
    assert np.array_equal(frames, scene.frames(0, len(mast)))
    times = np.frombuffer(block(text, f"buffer-{header['times']['buffer']}"))
    assert times == pytest.approx(mast.time)
    number = [each["name"] for each in header["signals"]].index("rope.force")
    assert np.frombuffer(block(text, f"signal-{number}")) == pytest.approx(mast["rope.force"].values)
    assert {"energy.kinetic", "energy.check_sum"} <= {each["name"] for each in header["signals"]}


def test_it_is_thinned_and_says_so(mast):
    text = report_text(scene_of_run(mast), frames=11)
    header = header_of(text)
    assert header["frames"]["count"] == header["times"]["count"] == 11
    times = np.frombuffer(block(text, f"buffer-{header['times']['buffer']}"))
    assert times[[0, -1]] == pytest.approx(mast.time[[0, -1]])
    assert any("11 of 51 recorded rows" in note for note in header["notes"])
    assert len(np.frombuffer(block(text, "signal-0"))) == 11


def test_signals_are_chosen(mast):
    header = header_of(report_text(scene_of_run(mast), signals=["rope.*", "wind.force", "bob.position"]))
    names = [each["name"] for each in header["signals"]]
    assert {"rope.force", "rope.length", "wind.force", "bob.position_x"} <= set(names)
    assert "bob.velocity_x" not in names
    assert header["plots"][1] == ["wind.force"]
    assert header["plots"][2] == ["bob.position_x", "bob.position_y", "bob.position_z"]
    every = header_of(report_text(scene_of_run(mast), signals=["*"]))
    assert every["signals"] == scene_of_run(mast).header["signals"]
    with pytest.raises(UnknownSignal, match=r"rope\.force"):
        report_text(scene_of_run(mast), signals=["rope.farce"])


def test_nothing_is_loaded_and_nothing_runs_but_the_page(stored):
    text = report_text(scene_of_run(stored))
    assert not re.search(r'(?:src|href)="(?!data:)', text)
    assert "default-src &#x27;none&#x27;" in text
    assert "alert(" not in text.replace("\\u003c", "<") or "<script>alert" not in text
    assert header_of(text)["bodies"][1]["name"] == HOSTILE
    scripts = re.findall(r"<script[^>]*>", text)
    assert scripts[-1] == "<script>"
    assert all("type=" in each for each in scripts[:-1])
    assert text.count("</script>") == len(scripts)
    assert "three (MIT)" in text
    assert text.count("-->") == 1


def test_stress_may_be_left_out(tmp_path):
    run = swing("floating").dynamics(until=0.01, step=1e-3, show=False)
    whole, less = (run.report(tmp_path / f"{stress}.html", stress=stress).read_text() for stress in (True, False))
    assert len(less) < len(whole)
    (field,) = header_of(whole)["bodies"][1]["mesh"]["fields"]
    assert f'id="buffer-{field["shapes"]["buffer"]}"' in whole
    assert f'id="buffer-{field["shapes"]["buffer"]}"' not in less
    assert header_of(less)["bodies"][1]["mesh"]["fields"] == []
    assert any("without stress" in note for note in header_of(less)["notes"])


def test_of_other_things(mast_model, tmp_path):
    file = write_report(fx_scene(mast_model), tmp_path / "model.html")
    assert header_of(file.read_text())["kind"] == "model"


def fx_scene(thing):
    from flexor.viewer.show import scene_of

    return scene_of(thing)


def test_run_report(mast, tmp_path):
    path = mast.report(tmp_path / "mast.html", signals=["rope.force"], frames=5)
    assert header_of(path.read_text())["plots"] == [["rope.force"]]
    with pytest.raises(fx.FileError, match="report"):
        mast.report(tmp_path / "no" / "mast.html")
    with pytest.raises(fx.ModelError, match="frames"):
        mast.report(tmp_path / "m.html", frames=1)
