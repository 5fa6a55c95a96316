"""Files of components: lines of mistakes inside them, folders that they may be read from."""

from __future__ import annotations

import os

import pytest

import flexor as fx
from flexor.errors import FlexorError, ModelError

STRUT = """\
name: strut
ports: {foot: rod.foot, top: tube.top}
parameters: {stiffness: spring.stiffness}
items:
  - {type: rigid_body, name: rod, mass: 3 kg, inertia: 0.03, markers: {foot: [0, 0, -0.1]}}
  - {type: rigid_body, name: tube, mass: 4, inertia: 0.04, position: [0, 0, 0.3], markers: {top: [0, 0, 0.1]}}
  - {type: prismatic, name: slide, a: rod, b: tube, axis: z}
  - {type: joint_spring, name: spring, joint: slide, stiffness: 28 kN/m, damping: 1800}
"""
CORNER = """\
name: corner
ports: {hinge: arm.hinge, top: strut.top}
parameters: {stiffness: strut.stiffness}
items:
  - type: rigid_body
    name: arm
    mass: 12
    inertia: 0.2
    position: [0, 0.2, 0]
    markers: {hinge: [0, -0.2, 0], foot: [0, 0.05, 0]}
  - {type: instance, name: strut, use: strut.yaml, position: [0, 0.25, 0.1]}
  - {type: spherical, name: foot, a: arm.foot, b: strut.foot}
"""
CAR = """\
name: car
gravity: [0, 0, -9.81]
items:
  - {type: rigid_body, name: body, mass: 900, inertia: 300, position: [0, 0, 0.5], markers: {left: [0, 0.6, 0]}}
  - type: instance
    name: front_left
    use: parts/corner.yaml
    position: [0, 0.6, 0.5]
    values:
      strut.spring.damping: 2 kN s/m
  - {type: fixed, name: hold, a: ground, b: body, at: [0, 0, 0.5]}
  - {type: revolute, name: hinge, a: body.left, b: front_left.hinge, axis: x}
  - {type: spherical, name: top, a: {body: body, at: [0, 0.85, 0.5]}, b: front_left.top}
"""


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "models"
    (place / "parts").mkdir(parents=True)
    for name, text in (("car.yaml", CAR), ("parts/corner.yaml", CORNER), ("parts/strut.yaml", STRUT)):
        (place / name).write_text(text)
    return place


def mistakes(folder, name, old, new):
    """What is told of a model after a change in one of its files, with file names without folders."""
    file = folder / name
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new))
    with pytest.raises(FlexorError) as told:
        fx.Model.load(folder / "car.yaml")
    return str(told.value).replace(str(folder) + os.sep, "")


def test_components_are_read_from_files(folder):
    model = fx.Model.load(folder / "car.yaml")
    assert [item.name for item in model.items if isinstance(item, fx.RigidBody)] == [
        "body",
        "front_left.arm",
        "front_left.strut.rod",
        "front_left.strut.tube",
    ]
    assert model["front_left.strut.spring"].damping == 2000
    assert model["front_left.strut.tube"].position == (0, 0.85, 0.9)
    assert model["top"].b == fx.MarkerRef(body="front_left.strut.tube", marker="top")


def test_a_saved_model_names_its_files_or_holds_them(folder, tmp_path):
    model = fx.Model.load(folder / "car.yaml")
    beside = model.save(folder / "again.yaml")
    assert "use: parts/corner.yaml" in beside.read_text()
    (tmp_path / "elsewhere").mkdir()
    elsewhere = model.save(tmp_path / "elsewhere" / "car.json")
    assert "corner.yaml" not in elsewhere.read_text()
    for text in (fx.Model.load(beside), fx.Model.load(elsewhere), fx.Model.from_text(model.to_text())):
        assert text == model
        assert text.source == model.source


def test_a_component_is_no_model(folder):
    with pytest.raises(FlexorError, match="it is a component, no model; it has ports, use it in a model"):
        fx.Model.load(folder / "parts" / "strut.yaml")


def test_a_component_is_saved_and_loaded(folder):
    corner = fx.Component.load(folder / "parts" / "corner.yaml")
    assert corner.parameters == {"stiffness": ("strut.stiffness",)}
    saved = corner.save(folder / "parts" / "copy.yaml")
    assert "use: strut.yaml" in saved.read_text()
    assert fx.Component.load(saved) == corner
    with pytest.raises(FlexorError, match="exists and would be lost"):
        corner.save(saved)


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("parts/strut.yaml", "3 kg", "3 m", "body 'rod': mass = '3 m': m is not a unit of this dimension"),
        ("parts/strut.yaml", "28 kN/m", "28 kg", "spring 'front_left.strut.spring': stiffness = '28 kg': kg is not"),
        ("parts/strut.yaml", "joint: slide", "joint: slid", "there is no joint 'front_left.strut.slid'; did you mean"),
        ("parts/strut.yaml", "type: prismatic", "type: prismatik", "item 'slide': type 'prismatik' is unknown"),
        ("parts/strut.yaml", "b: tube", "b: tub", "b = front_left.strut.tub: there is no body 'front_left.strut.tub'"),
    ],
)
def test_mistakes_inside_are_told_with_the_line_of_their_own_file(folder, name, old, new, message):
    told = mistakes(folder, name, old, new)
    line = next(i for i, text in enumerate((folder / name).read_text().splitlines(), start=1) if new in text)
    assert message in told
    assert f"({name}:{line})" in told


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        (
            "car.yaml", "strut.spring.damping: 2 kN s/m", "strut.spring.damping: 2 kg",
            "spring 'front_left.strut.spring': damping = '2 kg'", ),
        (
            "car.yaml", "strut.spring.damping", "strut.spring.dampin",
            "component 'front_left': values.strut.spring.dampin: spring 'spring' has no field 'dampin'; did you mean 'damping'?",
        ),
        ("car.yaml", "front_left.hinge", "front_left.hing", "component 'front_left' has no port 'hing'; did you mean 'hinge'?"),
        ("parts/corner.yaml", "strut.foot}", "strut.fot}", "component 'strut' has no port 'fot'; did you mean 'foot'?"),
        ("parts/strut.yaml", "foot: rod.foot", "foot: rod.fot", "component 'strut': port foot = rod.fot: body 'rod' has no marker"),
        ("parts/corner.yaml", "use: strut.yaml", "use: strat.yaml", "use: strat.yaml there is no such file; did you mean 'strut.yaml'?"),
        ("parts/corner.yaml", "use: strut.yaml", "us: strut.yaml", "component 'strut': use is missing"),
        ("parts/corner.yaml", "name: corner", "name: corner\ngravity: [0, 0, 1]", "component 'corner': it has a gravity of its own"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_instances_and_ports_is_told_where_it_stands(folder, name, old, new, message):
    told = mistakes(folder, name, old, new)
    lines = (folder / name).read_text().splitlines()
    line = next(i for i, text in enumerate(lines, start=1) if new.rpartition("\n")[2] in text)
    assert message in told
    assert f"({name}:{line})" in told
    assert "problems:" not in told  # one mistake is told once


def test_nobody_is_blamed_for_a_component_that_is_broken(folder):
    """Joints, springs and formulas that name what is inside it."""
    with (folder / "car.yaml").open("a") as file:
        file.write("  - {type: joint_spring, name: more, joint: front_left.strut.slide, stiffness: 1}\n")
        file.write("  - {type: gear, name: gear, input: front_left.hub, output: hinge, ratio: 2}\n")
        file.write(
            "  - {type: point_force, name: push, on: front_left.arm.foot, direction: x, force: 2*'front_left.far'}\n"
        )
    told = mistakes(folder, "parts/strut.yaml", "mass: 3 kg", "mass: 3 m")
    assert told.startswith("body 'rod': mass = '3 m'")
    assert "problems:" not in told


def test_a_component_that_uses_itself_is_refused(folder):
    told = mistakes(
        folder, "parts/strut.yaml", "  - {type: rigid_body, name: rod", "  - {type: instance, name: loop, use: corner.yaml}\n  - {type: rigid_body, name: rod"
    )  # fmt: skip
    assert "it uses itself; corner.yaml → strut.yaml → corner.yaml" in told
    assert "(parts/strut.yaml:5)" in told


@pytest.mark.parametrize("link", [False, True])
def test_files_outside_the_folder_are_read_only_if_allowed(folder, tmp_path, monkeypatch, link):
    library = tmp_path / "library"
    library.mkdir()
    (folder / "parts" / "strut.yaml").rename(library / "strut.yaml")
    use = "../../library/strut.yaml"
    if link:
        (folder / "parts" / "linked.yaml").symlink_to(library / "strut.yaml")
        use = "linked.yaml"
    told = mistakes(folder, "parts/corner.yaml", "use: strut.yaml", f"use: {use}")
    assert f"use: {use} leads out of the folder" in told
    assert fx.Model.load(folder / "car.yaml", libraries=[library])["front_left.strut.rod"].mass == 3
    monkeypatch.setenv("FLEXOR_LIBRARIES", str(library))
    (folder / "parts" / "corner.yaml").write_text(CORNER)  # use: strut.yaml, which only the library has
    assert fx.Model.load(folder / "car.yaml")["front_left.strut.rod"].mass == 3


def test_absolute_paths_are_refused(folder, tmp_path):
    (tmp_path / "secret.yaml").write_text(STRUT)
    told = mistakes(folder, "parts/corner.yaml", "use: strut.yaml", f"use: {tmp_path / 'secret.yaml'}")
    assert "leads out of the folder" in told


def test_a_file_in_a_folder_beside_may_be_used_within_the_folder_of_the_model(folder):
    (folder / "other").mkdir()
    (folder / "parts" / "strut.yaml").rename(folder / "other" / "strut.yaml")
    (folder / "parts" / "corner.yaml").write_text(CORNER.replace("use: strut.yaml", "use: ../other/strut.yaml"))
    assert fx.Model.load(folder / "car.yaml")["front_left.strut.rod"].mass == 3


def test_a_check_in_python_knows_the_lines_of_a_component(folder):
    corner = fx.Component.load(folder / "parts" / "corner.yaml")
    model = fx.Model(
        "m", [fx.Instance("c", corner, values={"arm.mass": 1}), fx.Instance("d", corner, position=(1, 0, 0))]
    )
    bad = model.replace(items=(*model.source, fx.RigidBody("c", 1, 1)))
    report = bad.check(raise_errors=False)
    assert any(problem.where == "body 'c'" for problem in report.problems)
    with pytest.raises(ModelError) as told:
        fx.Model("m", [fx.Instance("c", corner, values={"strut.slide.axis": "q"})])
    assert "component 'c': values.strut.slide.axis: axis = 'q' is no direction" in str(told.value)
