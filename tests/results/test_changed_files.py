"""A run remembers the files that its model was made of: what has changed since is not taken for what was computed."""

import json
import shutil

import pytest

import flexor as fx
from flexor.io.file_mark import FileMark, files_read
from flexor.mesh.generate import bar
from flexor.mesh.made_of import made_of


@pytest.fixture
def bar_file(tmp_path):
    mesh = made_of(bar("300 mm", "20 mm", "10 mm", (6, 1, 1)), material="steel")
    (tmp_path / "nodes.inc").write_text("** a comment in a file of its own\n")
    path = tmp_path / "bar.inp"
    fx.write_inp(path, mesh)
    path.write_text("*INCLUDE, INPUT=nodes.inc\n" + path.read_text())
    return path


def swinging(**source) -> fx.Model:
    body = fx.FlexibleBody("bar", **source)
    pin = fx.Revolute("pin", fx.ground, body["root"], axis="y")
    arm = fx.RigidBody("arm", 1, (1, 1, 1), position=(0, 1, 0), markers={"tip": (1, 0, 0)})
    hinge = fx.Revolute("hinge", fx.ground.at(0, 1, 0), arm, axis="y")
    return fx.Model("swing", gravity=(0, 0, -9.81), items=[body, pin, arm, hinge])


def of_mesh(path) -> dict:
    return {"mesh": str(path), "interfaces": {"root": "x_min", "tip": "x_max"}, "reduction": fx.CraigBampton(modes=2)}


@pytest.mark.parametrize("changed", ["bar.inp", "nodes.inc"])
def test_stress_and_continuation_of_a_changed_mesh_are_refused(tmp_path, bar_file, changed):
    file = tmp_path / "z.flexor.h5"
    first = swinging(**of_mesh(bar_file)).dynamics(until="2 ms", step="1 ms", file=file)
    right = first.stress("bar").max().value
    assert fx.Run(file).stress("bar").max().value == pytest.approx(right, rel=1e-9)
    target = tmp_path / changed
    text = target.read_text()
    target.write_text(text.replace("2.1e11", "0.7e11").replace("210000000000", "70000000000") + "** changed\n")

    run = fx.Run(file)
    assert run["pin.angle"].values.shape == (3,)  # what was recorded can be read
    for use in (
        lambda: run.stress("bar"),
        lambda: run.at("1 ms").stress("bar"),
        lambda: run.nodal("bar", "1 ms"),
        lambda: run.continue_until("4 ms"),
        lambda: run["arm.tip.position"],
    ):
        with pytest.raises(fx.FileError) as error:
            use()
        said = str(error.value)
        assert all(word in said for word in (changed, "z.flexor.h5", "bytes", "verify=False"))
    fx.Run(file, verify=False).stress("bar").max()
    assert first.stress("bar").max().value == pytest.approx(right)  # this one holds what it was computed with

    target.write_text(text)
    assert fx.Run(file).stress("bar").max().value == pytest.approx(right, rel=1e-9)
    longer = fx.Run(file).continue_until("4 ms")
    assert {tmp_path / "bar.inp", tmp_path / "nodes.inc"} == set(map(type(tmp_path), longer.meta["files"]))


def test_the_mark_is_of_what_was_used(tmp_path, bar_file):
    model = swinging(**of_mesh(bar_file))
    model.check()  # reads the mesh
    before = FileMark.of(bar_file.read_bytes())
    bar_file.write_text(bar_file.read_text() + "** later\n")
    run = model.dynamics(until="2 ms", step="1 ms", file=tmp_path / "z.flexor.h5")
    assert tuple(run.meta["files"][str(bar_file)]) == (before.length, before.checksum)
    with pytest.raises(fx.FileError, match=r"bar\.inp: is not the file"):
        fx.Run(tmp_path / "z.flexor.h5").stress("bar")


def test_reduced_bodies_and_whole_meshes(tmp_path, bar_file):
    options = of_mesh(bar_file)
    reduced = tmp_path / "bar.reduced.h5"
    fx.reduce_mesh(bar_file, options["interfaces"], fx.CraigBampton(modes=2)).save(reduced)
    file = tmp_path / "z.flexor.h5"
    swinging(reduced_body=str(reduced)).dynamics(until="2 ms", step="1 ms", file=file)
    fx.Run(file).stress("bar")
    fx.reduce_mesh(bar_file, options["interfaces"], fx.CraigBampton(modes=3)).save(reduced)
    with pytest.raises(fx.FileError, match=r"bar\.reduced\.h5: is not the file"):
        fx.Run(file).stress("bar")

    whole = swinging(**options, formulation="full_mesh").dynamics(until="0.2 ms", step="0.1 ms", file=file)
    assert str(bar_file) in whole.meta["files"]


def test_files_read_inside_lists_are_in_all_of_them(tmp_path, bar_file):
    with files_read() as outer:
        with files_read() as inner:
            fx.read_mesh(bar_file)
        shutil.copy(bar_file, tmp_path / "other.inp")
        fx.read_mesh(tmp_path / "other.inp")
    assert json.dumps(sorted(inner)) == json.dumps(sorted([str(bar_file), str(tmp_path / "nodes.inc")]))
    assert set(outer) == {*inner, str(tmp_path / "other.inp")}
