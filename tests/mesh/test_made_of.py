"""A bare mesh takes its material and section wherever it is used."""

import numpy as np
import pytest

import flexor as fx
from flexor.elements.assembly.model import assemble
from flexor.errors import ModelError
from flexor.mesh.generate import bar, plate
from flexor.mesh.made_of import made_of
from tests.io import test_gmsh as gmsh

SOLID = bar(1.0, 0.1, 0.1, (4, 1, 1), element="hex8")
SHELL = plate(1.0, 0.2, "5 mm", (4, 2), element="shell4")


def bare(mesh):
    from dataclasses import replace

    return replace(
        mesh, materials={}, sections={}, blocks=tuple(replace(b, material=None, section=None) for b in mesh.blocks)
    )


def test_material_and_section():
    mesh = made_of(bare(SHELL), "steel", {"type": "shell", "thickness": "5 mm"})
    assert assemble(mesh).mass_properties.mass == pytest.approx(7850 * 0.2 * 0.005)
    again = assemble(bare(SHELL), material=fx.Aluminium(), section=fx.ShellSection("5 mm"))
    assert again.mass_properties.mass == pytest.approx(2700 * 0.2 * 0.005)
    with pytest.raises(ModelError, match="fits none of its elements; it has hex8 elements"):
        made_of(bare(SOLID), "steel", fx.ShellSection("5 mm"))
    with pytest.raises(ModelError, match="no known material"):
        made_of(SOLID, "stele")
    with pytest.raises(ModelError, match="material=Steel"):
        assemble(bare(SOLID))


def test_in_studies_and_bodies():
    study = fx.MeshStudy(
        bare(SHELL), fix=["x_min"], loads=[fx.Gravity()], material="steel", section=fx.ShellSection("5 mm")
    )
    assert study.largest_displacement(study.statics()) > 0
    body = fx.FlexibleBody(
        "b",
        bare(SHELL),
        material="steel",
        section={"type": "shell", "thickness": "5 mm"},
        interfaces={"a": "x_min", "b": "x_max"},
    )
    assert body.reduced.mass_properties.mass == pytest.approx(7850 * 0.2 * 0.005)
    whole = body.replace(formulation="full_mesh")
    assert whole.realisation.mesh.blocks[0].section == "section"


def test_gmsh_files_take_a_material(tmp_path):
    path = tmp_path / "one.msh"
    path.write_bytes(next(iter(gmsh.FILES.values())))
    mesh = fx.read_mesh(path, material="steel")
    assert mesh.materials["material"] == fx.Steel()
    assert np.isfinite(assemble(mesh).K.data).all()
