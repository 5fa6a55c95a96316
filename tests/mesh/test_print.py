"""What print() shows of a mesh."""

from dataclasses import replace

import flexor as fx
from flexor.mesh.generate import box, plate
from flexor.mesh.mesh import NodalMass
from flexor.mesh.note import Note

MESH = box((1, 1, 1), (1, 1, 1))


def test_notes_are_told_by_their_severity():
    notes = (
        Note("*STATIC: linear statics", "harmless"),
        Note("C3D8R: taken with full integration", "approximate"),
        Note("*TIE: is left out (a.inp:3)"),
        "a bare text",
    )
    lines = str(replace(MESH, notes=notes)).splitlines()[-4:]
    assert [line.split(":")[0].strip() for line in lines] == ["note", "warning", "left out", "left out"]


def test_loads_and_couplings_are_counted():
    loads = (fx.Gravity(), fx.PointLoad("x_min", (1, 0, 0)), fx.PointLoad("x_max", (1, 0, 0)))
    text = str(replace(MESH, loads=loads, masses=(NodalMass(0, 1), NodalMass(1, 1)), fixed=((0, (0, 1, 2)),)))
    assert "2 concentrated masses, 1 held node\n" in text
    assert text.endswith("loads: 1 gravity, 2 point loads")


def test_a_material_that_is_just_called_material_is_told_once():
    mesh = plate(1, 1, 0.01, (2, 2), element="shell4")
    assert "  4 shell4, material, section\n" in str(mesh)
    assert "material steel" in repr(replace(mesh.blocks[0], material="steel"))
