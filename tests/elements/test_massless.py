"""Weight and centrifugal load of what has no density: refused, or told by name."""

from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

import flexor as fx
from flexor.cli.app import app
from flexor.elements.assembly.massless import MasslessElements, massless
from flexor.mesh.generate import bar
from flexor.mesh.made_of import made_of
from flexor.mesh.mesh import NodalMass
from flexor.reduce.study import MeshStudy

LIGHT = made_of(bar("1 m", "0.1 m", "0.1 m", (4, 1, 1), element="hex8"), material=fx.Isotropic("70 GPa", 0.3))


@pytest.mark.parametrize("load", [fx.Gravity(), fx.Centrifugal((0, 0, 10))])
def test_loads_on_mass_are_refused_where_there_is_none(load):
    with pytest.raises(fx.ModelError, match=r"material 'material' of 4 hex8 elements has no density.*\*DENSITY"):
        MeshStudy(LIGHT, fix=["x_min"], loads=[load]).statics()


def test_elements_without_mass_beside_others_are_told():
    heavy = replace(LIGHT, masses=(NodalMass(len(LIGHT.points) - 1, 2.0 * np.diag([1, 1, 1, 0, 0, 0])),))
    with pytest.warns(MasslessElements, match="'material' of 4 hex8 elements has no density: it leaves them out"):
        found = MeshStudy(heavy, fix=["x_min"], loads=[fx.Gravity((0, 0, -10))]).statics()
    assert found.f.sum() == pytest.approx(-20.0)
    assert massless(made_of(LIGHT, material="steel")) == ([], True)


def test_a_deck_without_density_is_refused_on_the_command_line(tmp_path):
    path = tmp_path / "light.inp"
    steps = "*BOUNDARY\nx_min, 1, 3\n*STEP\n*STATIC\n*DLOAD\nEALL, GRAV, 9.81, 0, 0, -1\n*END STEP"
    fx.write_inp(path, LIGHT, steps=f"*ELSET, ELSET=EALL, GENERATE\n1, 4\n{steps}")
    found = CliRunner().invoke(app, ["static", str(path)])
    assert found.exit_code != 0
    assert "no density" in found.output + str(found.exception)
    found = CliRunner().invoke(app, ["static", str(path), "--material", "steel"])
    assert found.exit_code == 0, found.output
