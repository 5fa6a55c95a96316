"""flexor cosim with Flexor models as programs, and what it tells beforehand."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import flexor as fx
from flexor.cli.app import app
from flexor.cosim.component.flexor_model import component
from flexor.cosim.component.mobility import mobility
from flexor.cosim.meta_model import load, save
from flexor.cosim.preflight import Inertia, forecasts
from flexor.cosim.run import run
from flexor.cosim.tlm.plugin import CosimError
from tests.cosim.masses import pair
from tests.cosim.test_run import ROOT, program

EXAMPLE = ROOT / "examples" / "cosim"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The example, with the program of this environment."""
    for name in ("bearing.yaml", "pendulum.yaml", "pendulum.xml"):
        shutil.copy(EXAMPLE / name, tmp_path)
    text = (
        (tmp_path / "pendulum.xml").read_text().replace('"flexor component"', f'"{sys.executable} -m flexor component"')
    )
    (tmp_path / "pendulum.xml").write_text(text.replace('"0.3"', '"0.02"'))
    return tmp_path


def test_programs_and_threads_are_the_same(folder: Path) -> None:
    result = CliRunner().invoke(app, ["cosim", str(folder / "pendulum.xml"), "--out", str(folder), "--json"])
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert told["connections"][0]["largest_gap"] < 1e-4
    model = load(folder / "pendulum.xml")
    parts = {n: fx.Model.load(folder / f) for n, f in (("bearing", "bearing.yaml"), ("arm", "pendulum.yaml"))}
    by_programs = fx.Run(folder / "arm.flexor.h5")
    kept = {}
    components = {n: component(p, keep=lambda r, n=n: kept.update({n: r})) for n, p in parts.items()}
    run(model, components, out=folder, timeout=60)
    for name in ("arm.position_z", "arm.angular_velocity_y", "line arm top.force_z"):
        assert by_programs[name].values == pytest.approx(kept["arm"][name].values, rel=1e-9, abs=1e-12)
    assert len(by_programs) == 1001


def test_what_is_told_beforehand(folder: Path) -> None:
    result = CliRunner().invoke(app, ["cosim", str(folder / "pendulum.xml"), "--check"])
    assert result.exit_code == 0, result.output
    assert "adds 0.005 kg" in result.output
    assert "bearing.hub.face: held" in result.output
    data = json.loads(CliRunner().invoke(app, ["cosim", str(folder / "pendulum.xml"), "--check", "--json"]).stdout)
    (told,) = data["connections"]
    assert told["inertias"][0] == pytest.approx(1e-3)  # about the pin
    # at the end of the arm: 1/m + a²/J across, J itself without the arm
    assert told["masses"][1] == pytest.approx(1 / (1 / 2 + 0.25 / 0.17))
    assert told["inertias"][1] == pytest.approx(0.01)
    assert told["stiffness"] == pytest.approx(200 * 0.8 / 2e-5)
    assert told["parasitic_mass"] == pytest.approx(200 * 2e-5 / 0.8)
    proposed = told["proposal"]
    assert proposed["Zf"] * proposed["Delay"] / 0.8 == pytest.approx(0.01 * told["masses"][1])


def test_mobility_of_a_free_body_and_of_a_held_one() -> None:
    body = fx.RigidBody("b", mass=2.0, inertia=(0.1, 0.2, 0.3), markers={"m": (0, 0, 0.5)})
    A = mobility(fx.Model("free", items=[body]), "b.m")
    assert A[0, 0] == pytest.approx(1 / 2 + 0.25 / 0.2)
    assert A[1, 1] == pytest.approx(1 / 2 + 0.25 / 0.1)
    assert A[2, 2] == pytest.approx(1 / 2)
    assert np.diag(A)[3:] == pytest.approx([10, 5, 1 / 0.3])
    assert pytest.approx(A.T) == A
    held = fx.Model("held", items=[body, fx.Fixed("f", fx.ground, body.at(0, 0, 0))])
    assert np.abs(mobility(held, "b.m")).max() < 1e-12


def test_a_foreign_program_is_asked_by_a_test(tmp_path: Path) -> None:
    """Masses of 10 and 4 kg that tell nothing of themselves, one of them on a spring and loaded."""
    model = pair(delay=1e-3, zf=50.0, a=program(load=20.0), b=program(m=4.0, k=30.0))
    save(model, tmp_path / "masses.xml")
    data = json.loads(CliRunner().invoke(app, ["cosim", str(tmp_path / "masses.xml"), "--check", "--json"]).stdout)
    assert data["connections"][0]["masses"] == pytest.approx([10.0, 4.0], rel=0.02)


def test_declared_masses_and_doubts() -> None:
    model = pair(delay=1e-2, zf=500.0)
    (told,) = forecasts(model, {"a.p": Inertia(10.0), "b.p": Inertia(4.0)})
    assert told.share == pytest.approx(500 * 1e-2 / 4)
    assert told.energy_share == pytest.approx(5 / 14)
    assert told.largest_delay == pytest.approx((0.01 * 4 / 5e4) ** 0.5)
    assert told.coupling_frequency == pytest.approx((5e4 * (1 / 10 + 1 / 4)) ** 0.5 / (2 * np.pi))
    assert "125 % of the mass at an end" in told.doubts[0]
    assert any("doubtful" in line for line in told.told())


def test_a_wrong_meta_model_starts_nothing(folder: Path) -> None:
    path = folder / "pendulum.xml"
    path.write_text(path.read_text().replace("arm.arm.top", "arm.arm.tpo"))
    result = CliRunner().invoke(app, ["cosim", str(path), "--out", str(folder)])
    assert result.exit_code == 2
    assert "has no interface 'arm.tpo'; did you mean 'arm.top'" in result.output
    assert not list(folder.glob("*.log"))


def test_a_model_without_the_marker(folder: Path) -> None:
    path = folder / "pendulum.xml"
    path.write_text(path.read_text().replace("arm.top", "arm.bottom"))
    result = CliRunner().invoke(app, ["cosim", str(path), "--out", str(folder)])
    assert result.exit_code == 1
    assert "component 'arm': it has not registered its interface 'arm.arm.bottom'" in result.output


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("pendulum.xml", 'ModelFile="bearing.yaml"', 'ModelFile="bearnig.yaml"', "its model cannot be used: .*does not exist"),
        ("pendulum.xml", "arm.top", "arm.tpo", r"component 'arm': its model has no body or marker 'arm.tpo'; did you mean 'arm.top'\?"),
        ("pendulum.yaml", "position: [0.5, 0, 0]", "position: [0.7, 0, 0]", "its ends are 0.2 m apart at the start"),
    ],
)  # fmt: skip
def test_check_refuses_what_could_not_run(folder: Path, file: str, old: str, new: str, message: str) -> None:
    path = folder / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    result = CliRunner().invoke(app, ["cosim", str(folder / "pendulum.xml"), "--check"])
    assert result.exit_code == 2, result.output
    assert re.search(message, result.output)


def test_a_step_that_lines_do_not_allow_is_refused(folder: Path) -> None:
    """Not cut down without a word: by the program's option, and of a thread."""
    path = folder / "pendulum.xml"
    model = load(path)
    path.write_text(path.read_text().replace('component"', 'component --step 1ms"', 1))
    result = CliRunner().invoke(app, ["cosim", str(path), "--out", str(folder)])
    assert result.exit_code == 1
    assert "component 'bearing': its step of 0.001 s is too long" in result.output
    parts = {n: fx.Model.load(folder / f) for n, f in (("bearing", "bearing.yaml"), ("arm", "pendulum.yaml"))}
    with pytest.raises(CosimError, match=r"component 'arm': its step of 0.001 s is too long"):
        run(model, {"bearing": component(parts["bearing"]), "arm": component(parts["arm"], step="1 ms")}, out=folder)
