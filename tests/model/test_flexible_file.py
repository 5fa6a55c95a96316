"""A model file with a flexible body: mesh beside the file, run from another folder, stress from the results file."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import flexor as fx
from flexor.errors import ModelError

TEXT = """
name: swing
gravity: [0, -9.81, 0]
items:
  - type: flexible_body
    name: strut
    mesh: parts/strut.inp
    material: {type: isotropic, young: 70 GPa, poisson: 0.33, density: 2700}
    interfaces:
      foot: {type: plane, at: [0, 0, 0], normal: x}
      head: {nodes: {type: plane, at: [0.4, 0, 0], normal: x}, tie: average}
    reduction: {type: craig_bampton, modes: 4}
    damping: {type: rayleigh, beta: 1e-5}
  - {type: revolute, name: pin, a: ground, b: strut.foot, axis: z}
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "parts").mkdir()
    shutil.copy(Path(__file__).with_name("strut.inp"), tmp_path / "parts")
    (tmp_path / "swing.yaml").write_text(TEXT)
    return tmp_path


def test_a_file_is_read_run_and_its_stress_recovered(folder):
    model = fx.Model.load(folder / "swing.yaml")
    run = model.dynamics(until=0.05, step=1e-3, file=folder / "swing.h5", show=False)
    again = fx.Run(folder / "swing.h5")
    assert again.stress("strut").max().value == run.stress("strut").max().value > 0
    assert str(again.stress("strut").max()).startswith(f"{run.stress('strut').max()}"[:5])
    (folder / "elsewhere").mkdir()
    for place in (folder, folder / "elsewhere"):
        saved = model.save(place / "copy.yaml")
        assert fx.Model.load(saved)["strut"].reduced.size == model["strut"].reduced.size


def test_a_path_in_a_model_file_is_seen_from_that_file(folder, monkeypatch):
    """Run in one folder, results opened in another."""
    monkeypatch.chdir(folder)
    model = fx.Model.load("swing.yaml")
    model.dynamics(until=0.01, step=1e-3, file="swing.h5", show=False)
    (folder / "elsewhere").mkdir()
    assert "mesh: ../parts/strut.inp" in model.save("elsewhere/copy.yaml").read_text()
    monkeypatch.chdir(folder / "elsewhere")
    run = fx.Run("../swing.h5")
    assert run.stress("strut").max().value > 0
    assert run.vtu("strut", "shapes", every=5).suffix == ".pvd"


def test_mistakes_have_their_line(folder):
    (folder / "swing.yaml").write_text(TEXT.replace("strut.inp", "stut.inp").replace("b: strut.foot", "b: strut.fot"))
    with pytest.raises(ModelError, match=r"stut\.inp.*swing\.yaml:5"):
        fx.Model.load(folder / "swing.yaml")
    (folder / "swing.yaml").write_text(TEXT.replace("b: strut.foot", "b: strut.fot"))
    with pytest.raises(ModelError, match="did you mean 'foot'"):
        fx.Model.load(folder / "swing.yaml")


def test_a_mesh_in_memory_cannot_be_saved_but_run(folder):
    from flexor.mesh.generate import bar

    rod = fx.FlexibleBody(
        "rod", bar(0.4, 0.05, 0.05, divisions=(4, 1, 1)), interfaces={"a": fx.plane(at=(0, 0, 0), normal="x")},
        reduction=fx.CraigBampton(modes=2),
    )  # fmt: skip
    model = fx.Model("memory", [rod, fx.Revolute("pin", fx.ground, rod["a"])], gravity=(0, -1, 0))
    run = model.dynamics(until=0.01, step=1e-3, file=folder / "memory.h5", show=False)
    assert run.stress("rod").max().value > 0
    with pytest.raises(ModelError, match="in memory"):
        fx.Run(folder / "memory.h5").stress("rod")
    with pytest.raises(ModelError, match="in memory"):
        model.save(folder / "memory.yaml")
