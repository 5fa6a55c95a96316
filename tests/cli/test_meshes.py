"""Mesh files on the command line: info, eig, reduce."""

import json
from dataclasses import replace

import pytest
from typer.testing import CliRunner

import flexor as fx
from flexor.cli.app import app
from flexor.io import write_inp
from flexor.mesh.generate import bar, plate
from flexor.reduce import METHODS

FACES = ["-i", "left=plane:at=0,0,0:normal=x", "-i", "right=plane:at=300 mm,0,0:normal=x"]


@pytest.fixture
def beam(tmp_path):
    write_inp(tmp_path / "beam.inp", bar(0.3, 0.02, 0.02, (12, 2, 2), material=fx.Steel()))
    return tmp_path / "beam.inp"


def run(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_info(beam):
    result = run("info", beam)
    assert result.exit_code == 0
    assert "117 nodes, 48 elements" in result.stdout
    assert json.loads(run("info", beam, "--json").stdout)["elements"] == {"hex8": 48}


def test_eig_of_the_free_mesh(beam):
    frequencies = json.loads(run("eig", beam, "--modes", 8, "--json").stdout)["frequencies_hz"]
    assert frequencies[:6] == pytest.approx([0] * 6, abs=1e-3)
    # free beam: f = 22.373/(2π) √(E I / ρ A ℓ⁴), less a little for shear and rotary inertia
    slender = 22.3733 / (2 * 3.14159265) * (210e9 * 0.02**2 / 12 / 7850 / 0.3**4) ** 0.5
    assert frequencies[6] == pytest.approx(slender, rel=0.02)
    assert frequencies[6] < slender


def test_reduce_writes_a_body_that_info_reads(beam):
    result = run("reduce", beam, *FACES, "--up-to", "2 kHz", "--json")
    assert result.exit_code == 0, result.stderr
    found = json.loads(result.stdout)
    assert found["interfaces"] == ["left", "right"]
    body = fx.ReducedBody.load(found["file"])
    assert body.size == found["coordinates"]
    assert body.mass_properties.mass == pytest.approx(7850 * 0.3 * 0.02**2, rel=1e-9)
    assert "interface 'right' at (0.3, 0, 0) m" in run("info", found["file"]).stdout


METHOD_OPTIONS = {
    "craig_bampton": ["--modes", "4"],
    "guyan": [],
    "response_modes": ["--points", "500 Hz", "--modes", "2"],
    "free_interface": ["--up-to", "2 kHz"],
    "krylov": ["--points", "200 Hz, 6283.185307179586 rad/s", "--moments", "2"],
    "modal": ["--modes", "4"],
}


@pytest.mark.parametrize("kind", METHODS, ids=lambda kind: kind.model_fields["type"].default)
def test_every_method_is_reached(beam, kind):
    name = kind.model_fields["type"].default
    result = run("reduce", beam, *FACES, "--method", name, *METHOD_OPTIONS[name], "--json")
    assert result.exit_code == 0, result.stderr
    body = fx.ReducedBody.load(json.loads(result.stdout)["file"])
    declared = kind.model_validate_json(body.method)
    assert name in run("reduce", "--help").stdout
    if name == "krylov":
        assert declared.frequencies == pytest.approx((200.0, 1000.0))
        assert declared.moments == 2
        assert body.size > 6 + 2 * 12  # rigid motions and twelve loads at two points; the second moments beside them
    if name == "response_modes":
        assert declared == kind(("500 Hz",), modes=2)
        assert body.size == 12 + 2 + 12


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-i", "left", "--modes", "4"], "has no NAME="),
        (["-i", "left=plane:at=9,0,0:normal=x", "--modes", "4"], "no node lies there"),
        (["-i", "left=NOSUCHSET", "--modes", "4"], "NOSUCHSET"),
        ([*FACES, "--method", "magic"], "'magic' is unknown"),
        ([*FACES, "--method", "guyan", "--modes", "4"], "guyan takes no options"),
        ([*FACES, "--method", "craig_bampton", "--points", "20 Hz"], "takes --modes and --up-to"),
        ([*FACES, "--method", "krylov"], "no expansion points"),
        ([*FACES, "--method", "krylov", "--points", "20 kg"], "20 kg"),
        ([*FACES, "--method", "response_modes"], "frequencies"),
    ],
)
def test_mistakes_are_told_and_nothing_is_written(beam, arguments, said):
    result = run("reduce", beam, *arguments)
    assert result.exit_code == 2
    assert said in result.stderr
    assert not beam.with_suffix(".reduced.h5").exists()


def test_statics_of_a_cantilever(beam, tmp_path):
    """u = P ℓ³ / 3 E I, and a little for shear; the end face held, the other loaded."""
    load = "point_load:at=x_max:force=0,0,-100"
    result = run("static", beam, "--fix", "x_min", "--load", load, "--vtu", tmp_path / "beam.vtu", "--json")
    assert result.exit_code == 0, result.stderr
    bending = 100 * 0.3**3 / (3 * 210e9 * 0.02**4 / 12)
    assert json.loads(result.stdout)["largest_displacement_m"] == pytest.approx(bending, rel=0.02)
    assert (tmp_path / "beam.vtu").stat().st_size > 1000
    heavy = run("static", beam, "--fix", "x_min", "--load", "gravity:gravity=0,0,-9.81")
    assert "largest von Mises stress" in heavy.stdout
    loose = run("static", beam, "--load", load)
    assert loose.exit_code == 1
    assert "can move as a whole" in loose.stderr


def test_loads_and_supports_of_the_deck_act(beam, tmp_path):
    """The same cantilever, its support and load in the file, in SI and in millimetres."""
    deck = beam.read_text()
    mesh = fx.read_mesh(beam)
    step = "*BOUNDARY\nx_min, 1, 3\n*STEP\n*STATIC\n*CLOAD\nx_max, 3, {force}\n*END STEP\n"
    force = -100 / len(mesh.node_sets["x_max"])
    (tmp_path / "loaded.inp").write_text(deck + step.format(force=force))
    found = json.loads(run("static", tmp_path / "loaded.inp", "--json").stdout)
    bending = 100 * 0.3**3 / (3 * 210e9 * 0.02**4 / 12)
    assert found["largest_displacement_m"] == pytest.approx(bending, rel=0.02)
    assert [load["type"] for load in found["loads"]] == ["point_load"]
    twice = run("static", tmp_path / "loaded.inp", "--load", "point_load:at=x_max:force=0,0,-100", "--json")
    assert json.loads(twice.stdout)["largest_displacement_m"] == pytest.approx(2 * found["largest_displacement_m"])
    other = run("static", tmp_path / "loaded.inp", "--ignore-loads", "--load", "gravity:gravity=0,0,-9.81")
    assert "loads: 0 of the file, 1 given here" in other.stdout
    none = run("static", tmp_path / "loaded.inp", "--ignore-loads")
    assert none.exit_code == 2
    assert "there are no loads" in none.stderr


def test_what_a_deck_holds_beyond_is_refused_or_told(beam, tmp_path):
    """A tie that is left out: an error on every command, a warning with --lenient; loads matter to statics alone."""
    deck = beam.read_text()
    (tmp_path / "tied.inp").write_text(deck + "*TIE, NAME=t\na, b\n")
    faces = [*FACES, "--modes", "2"]
    load = ["--fix", "x_min", "--load", "point_load:at=x_max:force=0,0,-100"]
    for command in (["eig"], ["static", *load], ["reduce", *faces]):
        refused = run(command[0], tmp_path / "tied.inp", *command[1:])
        assert refused.exit_code == 2
        assert "*TIE: not supported, left out" in refused.stderr
        assert "--lenient" in refused.stderr
        told = run(command[0], tmp_path / "tied.inp", *command[1:], "--lenient")
        assert told.exit_code == 0, told.stderr
        assert "warning: *TIE: not supported, left out" in told.stderr
        listed = json.loads(run(command[0], tmp_path / "tied.inp", *command[1:], "--lenient", "--json").stdout)["notes"]
        assert any("*TIE" in note for note in listed)
    assert "warning: *TIE" in run("info", tmp_path / "tied.inp").stdout
    (tmp_path / "odd.inp").write_text(deck + "*STEP\n*STATIC\n*DLOAD\nBLOCK1, BX, 2.\n*END STEP\n")
    assert run("eig", tmp_path / "odd.inp", "--modes", "7").exit_code == 0
    lost = run("static", tmp_path / "odd.inp", *load)
    assert lost.exit_code == 2
    assert "*DLOAD, BX: distributed loads of this kind are left out" in lost.stderr
    assert run("static", tmp_path / "odd.inp", *load, "--lenient").stderr.count("*DLOAD, BX") == 1
    assert run("static", tmp_path / "odd.inp", *load, "--ignore-loads").exit_code == 0
    (tmp_path / "reduced.inp").write_text(deck.replace("C3D8I", "C3D8R"))
    assert "warning: *ELEMENT, TYPE=C3D8R: taken with full" in run("eig", tmp_path / "reduced.inp").stderr


def test_supports_may_be_ignored(beam, tmp_path):
    (tmp_path / "held.inp").write_text(beam.read_text() + "*BOUNDARY\nx_min, 1, 3\n")
    refused = run("reduce", tmp_path / "held.inp", *FACES, "--modes", "2")
    assert refused.exit_code == 2
    assert "--ignore-supports" in refused.stderr
    assert "make the node set 'x_min' an interface" in refused.stderr
    result = run("reduce", tmp_path / "held.inp", *FACES, "--modes", "2", "--ignore-supports")
    assert result.exit_code == 0, result.stderr


def test_a_bare_mesh_takes_material_and_thickness(tmp_path):
    """A plate from Gmsh: two triangles of 1 m², 10 mm thick."""
    (tmp_path / "plate.msh").write_text(
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n"
        "$Elements\n2\n1 2 2 1 1 1 2 3\n2 2 2 1 1 1 3 4\n$EndElements\n"
    )
    bare = run("eig", tmp_path / "plate.msh")
    assert bare.exit_code == 2
    assert "section=" in bare.stderr
    made = ["--material", "isotropic:young=70 GPa:poisson=0.33:density=2700", "--thickness", "10 mm"]
    assert run("eig", tmp_path / "plate.msh", *made).exit_code == 0
    points = ["-i", "a=numbered:ids=1", "-i", "b=numbered:ids=3", "--method", "guyan"]
    result = run("reduce", tmp_path / "plate.msh", *made, *points, "--json")
    assert result.exit_code == 0, result.stderr
    assert fx.ReducedBody.load(json.loads(result.stdout)["file"]).mass_properties.mass == pytest.approx(27)
    assert "it is no known material" in run("eig", tmp_path / "plate.msh", "--material", "butter").stderr


def test_statics_of_a_model_with_a_flexible_body(beam, tmp_path):
    """A beam of its mesh file clamped to ground: weight at the root, and the largest stress told."""
    (tmp_path / "rest.yaml").write_text(
        f"""
name: rest
gravity: [0, 0, -9.81]
items:
  - {{type: flexible_body, name: boom, mesh: {beam}, interfaces: {{root: x_min, tip: x_max}},
      reduction: {{type: craig_bampton, modes: 4}}}}
  - {{type: fixed, name: clamp, a: ground, b: boom.root}}
"""
    )
    told = run("static", tmp_path / "rest.yaml").stdout
    assert "clamp.force" in told
    assert "largest von Mises stress in boom" in told
    numbers = json.loads(run("static", tmp_path / "rest.yaml", "--json").stdout)["signals"]
    spinning = json.loads(run("static", tmp_path / "rest.yaml", "--spin", "0, 0, 10", "--json").stdout)["signals"]
    assert spinning["boom.tip.position_x"] > numbers["boom.tip.position_x"]
    assert (
        "largest von Mises stress in boom"
        in run("run", tmp_path / "rest.yaml", "--until", "1 ms", "--step", "1 ms").stdout
    )


def test_a_mesh_without_material_names_the_option(tmp_path):
    mesh = bar(0.3, 0.02, 0.02, (2, 1, 1))
    bare = replace(mesh, blocks=tuple(replace(block, material=None) for block in mesh.blocks), materials={})
    write_inp(tmp_path / "bare.inp", bare)
    for command in (["static", "--load", "gravity:gravity=0,0,-9.81", "--fix", "plane:at=0,0,0:normal=x"], ["eig"]):
        result = run(command[0], tmp_path / "bare.inp", "--lenient", *command[1:])
        assert result.exit_code != 0
        assert "--material steel" in result.output


def test_shells_without_thickness_name_the_option(tmp_path):
    mesh = plate(0.3, 0.2, 0.01, (2, 2), element="shell4")
    bare = replace(mesh, blocks=tuple(replace(block, section=None) for block in mesh.blocks), sections={})
    write_inp(tmp_path / "bare.inp", bare)
    result = run("eig", tmp_path / "bare.inp", "--lenient", "--material", "steel")
    assert result.exit_code != 0
    assert "--thickness" in result.output


def test_files_of_others_are_kept(beam, tmp_path):
    kept = beam.read_bytes()
    load = "pressure:on=x_max:pressure=1 MPa"
    result = run("static", beam, "--fix", "x_min", "--load", load, "--vtu", beam)
    assert result.exit_code == 2
    assert "exists and would be lost" in result.output
    assert beam.read_bytes() == kept


def test_a_set_that_is_not_there_is_named_before_missing_loads(beam):
    assert "the mesh has no node set 'nope'" in run("static", beam, "--fix", "nope").output


def test_statics_of_a_model_is_a_short_table(tmp_path):
    arm = fx.RigidBody("arm", mass=1, inertia=0.1, center_of_mass=(0.5, 0, 0))
    fx.Model("m", [arm, fx.Revolute("pin", fx.ground, arm)], gravity=(0, -9.81, 0)).save(tmp_path / "m.yaml")
    shown = run("static", tmp_path / "m.yaml").stdout
    assert "equilibrium of 'm'" in shown
    assert "pin.angle" in shown
    assert "that are zero" in shown
    assert " -0 " not in shown
    assert "e-2" not in shown


@pytest.mark.parametrize(
    ("command", "option"),
    [("eig", ["--complex"]), ("eig", ["--at-start"]), ("static", ["--spin", "0,0,300 rpm", "--fix", "x_min"])],
)
def test_options_of_models_are_refused_beside_a_mesh(beam, command, option):
    result = run(command, beam, *option)
    assert result.exit_code == 2
    assert f"{option[0]} is for models; beam.inp is a mesh" in result.stderr


@pytest.mark.parametrize(
    ("command", "option"),
    [
        ("eig", ["--units", "mm-t-s"]),
        ("eig", ["--material", "steel"]),
        ("static", ["--fix", "big"]),
        ("static", ["--load", "gravity:gravity=0,0,-9.81"]),
        ("static", ["--vtu", "x.vtu"]),
        ("static", ["--thickness", "2 mm"]),
    ],
)
def test_options_of_meshes_are_refused_beside_a_model(tmp_path, command, option):
    (tmp_path / "m.yaml").write_text("name: m\nitems:\n- {type: rigid_body, name: b, mass: 1}\n")
    result = run(command, tmp_path / "m.yaml", *option)
    assert result.exit_code == 2
    assert f"{option[0]} is for meshes; m.yaml is a model" in result.stderr
