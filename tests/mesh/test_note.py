"""Notes of readers: what changes the answer is told, what does not is only listed."""

import pickle
import warnings
from pathlib import Path

import pytest
from typer.testing import CliRunner

import flexor as fx
from flexor.cli.app import app
from flexor.io import read_mesh
from flexor.mesh.note import IncompleteMesh, Note, changing
from tests.io import abaqus_decks as abaqus

BLOCK = abaqus.CUBE + abaqus.SOLID
TIE = "*TIE, NAME=t\na, b\n"


def test_a_note_is_a_line_with_a_severity():
    note = Note("*TIE: left out (deck.inp:3)")
    assert note.startswith("*TIE")
    assert (note.severity, note.concerns) == ("left out", "mesh")
    again = pickle.loads(pickle.dumps(Note("x", "harmless", "loads")))
    assert (again, again.severity, again.concerns) == ("x", "harmless", "loads")
    notes = (note, Note("a", "harmless"), Note("b", "approximate"), Note("c", "approximate", "loads"), "bare")
    assert changing(notes, "mesh") == [note, "b", "bare"]
    assert changing(notes, "mesh", severity="left out") == [note, "bare"]
    assert changing(notes, "mesh", "loads", severity="approximate") == ["b", "c"]


def test_reading_warns_of_what_changes_the_answer(tmp_path: Path):
    with pytest.warns(fx.IncompleteMesh, match=r"deck.inp: not all of it.*\n  \*TIE: not supported, left out .*:\d+\)"):
        abaqus.read(tmp_path, BLOCK + TIE)
    with warnings.catch_warnings():
        warnings.simplefilter("error", IncompleteMesh)
        mesh = abaqus.read(tmp_path, BLOCK + "*STEP\n*STATIC\n*EL FILE\nS\n*CLOAD, AMPLITUDE=A\n1, 1, 2.\n*END STEP\n")
    assert any(note.startswith("*EL FILE") for note in mesh.notes)


@pytest.mark.parametrize("type_", ["C3D8", "C3D8R", "C3D8H"])
def test_elements_that_are_taken_as_others_are_told(tmp_path: Path, type_: str):
    with pytest.warns(IncompleteMesh, match=rf"TYPE={type_}: taken "):
        mesh = abaqus.read(tmp_path, BLOCK.replace("C3D8I", type_))
    assert [note.severity for note in mesh.notes] == ["approximate"]


def test_units_that_look_wrong_are_told(tmp_path: Path):
    (tmp_path / "mm.inp").write_text(BLOCK.replace("2.1e11", "2.1e5").replace("7850.", "7.85e-9"))
    with pytest.warns(IncompleteMesh, match='units="mm-t-s"'):
        read_mesh(tmp_path / "mm.inp")


def test_loads_that_are_not_read_are_told_by_statics(tmp_path: Path):
    text = BLOCK + "*BOUNDARY\n1, 1, 3\n2, 1, 3\n4, 1, 3\n*STEP\n*STATIC\n*DLOAD\nBody, BX, 2.\n*CLOAD\n17, 1, 2.\n"
    study = fx.MeshStudy(abaqus.read(tmp_path, text + "*END STEP\n"))
    with pytest.warns(IncompleteMesh, match=r"\*DLOAD, BX"):
        assert study.statics().f.sum() == 2.0
    with pytest.raises(fx.ModelError, match="there are no loads"):
        study.replace(ignore_loads=True).statics()


def test_the_check_of_a_model_tells_it(tmp_path: Path, monkeypatch):
    """Also where the reduced body comes from the cache, or from its own file."""
    monkeypatch.setenv("FLEXOR_CACHE", str(tmp_path / "cache"))
    load = "*STEP\n*STATIC\n*CLOAD\n17, 1, 2.\n*END STEP\n"
    (tmp_path / "deck.inp").write_text(BLOCK + "*NSET, NSET=A\n1, 2\n*NSET, NSET=B\n17, 18\n" + TIE + load)
    for _ in range(2):
        body = fx.FlexibleBody("b", tmp_path / "deck.inp", interfaces={"a": [1, 2, 3], "b": [15, 16, 17]})
        report = fx.Model("m", [body, fx.Fixed("f", fx.ground, body["a"])]).check()
        assert report.ok, report
        said = "\n".join(map(str, report.warnings))
        assert "body 'b': *TIE: not supported, left out" in said
        assert "loads (point load) of the mesh do not act on the body" in said
    quiet = body.replace(ignore_loads=True)
    assert "do not act" not in str(fx.Model("m", [quiet, fx.Fixed("f", fx.ground, quiet["a"])]).check())
    body.reduced.save(tmp_path / "b.reduced.h5")
    stored = fx.FlexibleBody("b", reduced_body=tmp_path / "b.reduced.h5")
    said = str(fx.Model("m", [stored, fx.Fixed("f", fx.ground, stored["a"])]).check())
    assert "*TIE" in said
    assert "loads (point load) of the mesh do not act on the body" in said
    quiet = stored.replace(ignore_loads=True)
    assert "do not act" not in str(fx.Model("m", [quiet, fx.Fixed("f", fx.ground, quiet["a"])]).check())


def test_a_reduction_tells_the_loads_that_it_drops(tmp_path: Path):
    """In Python and on the command line; without a word where they are to be left out."""
    deck = tmp_path / "deck.inp"
    deck.write_text(BLOCK + "*STEP\n*STATIC\n*CLOAD\n17, 1, 2.\n*END STEP\n")
    interfaces = {"a": [1, 2, 3], "b": [15, 16, 17]}
    with pytest.warns(IncompleteMesh, match=r"loads \(point load\) of the mesh do not act on the body"):
        fx.reduce_mesh(deck, interfaces)
    with warnings.catch_warnings():
        warnings.simplefilter("error", IncompleteMesh)
        assert not changing(fx.reduce_mesh(deck, interfaces, ignore_loads=True).mesh.notes, "mesh", "loads")
    given = ["reduce", str(deck), "--modes", "2", "-i", "a=numbered:ids=1,2,3", "-i", "b=numbered:ids=15,16,17"]
    out = ["--out", str(tmp_path / "b.h5")]
    told = CliRunner().invoke(app, [*given, *out])
    assert told.exit_code == 0, told.output
    assert "loads (point load) of the mesh do not act" in told.output
    assert "do not act" in CliRunner().invoke(app, [*given, *out, "--json"]).output
    assert "do not act" not in CliRunner().invoke(app, [*given, *out, "--ignore-loads"]).output
