"""Model files: every mistake with its line, and what cannot be read at all."""

import os

import pytest

import flexor as fx
from flexor.errors import FileError, ModelError
from flexor.model import Model
from flexor.model.file import read, read_text

PENDULUM = """\
name: pendulum
gravity: [0, -9.81, 0]
items:
  - type: rigid_body
    name: arm
    mass: 1.2 kg
    inertia: [0.1, 0.1, 0.1]
    markers:
      tip: [0.5, 0, 0]
  - type: revolute
    name: pin
    a: ground
    b: arm
    axis: z
"""


def mistakes(text, kind="yaml"):
    with pytest.raises(ModelError) as caught:
        read_text(text, kind, "m.yaml")
    return [str(problem) for problem in caught.value.problems]


def changed(*changes):
    text = PENDULUM
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


def test_a_sound_file_has_no_report():
    model, report = read_text(PENDULUM)
    assert report.ok
    assert str(report) == "no problems"
    assert model.name == "pendulum"
    assert model["arm"].mass == 1.2
    assert model["arm"].markers["tip"].at == (0.5, 0.0, 0.0)


def test_the_message_of_the_design():
    assert mistakes(changed(("axis: z", "axis: [0, 0, 0]"))) == [
        "joint 'pin': axis is zero-length; it needs a direction, e.g. axis: [0, 0, 1]  (m.yaml:14)"
    ]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("mass: 1.2 kg", "mas: 1.2 kg", "body 'arm': unknown key 'mas'; did you mean 'mass'?  (m.yaml:6)"),
        ("mass: 1.2 kg", "colour: red", "unknown key 'colour'; known are name, markers, position"),
        ("    mass: 1.2 kg\n", "", "body 'arm': mass is missing; add mass: …  (m.yaml:4)"),
        (
            "mass: 1.2 kg",
            "mass: 1.2 mm",
            "body 'arm': mass = '1.2 mm': mm is not a unit of this dimension; "
            'mass is measured in kg, e.g. "1.2 kg"  (m.yaml:6)',
        ),
        ("mass: 1.2 kg", "mass: 1.2 Kg", "unit 'Kg' is unknown; mass is measured in kg, did you mean kg"),
        (
            "mass: 1.2 kg",
            "mass: -1",
            "body 'arm': mass = -1.0 should be greater than or equal to 0  (m.yaml:6)",
        ),
        ("mass: 1.2 kg", "mass: [1, 2]", "body 'arm': mass should be a valid number  (m.yaml:6)"),
        ("mass: 1.2 kg", "mass: .nan", "body 'arm': mass = nan should be a finite number  (m.yaml:6)"),
        ("mass: 1.2 kg", "mass: null", "a NoneType is not a value"),
        ("mass: 1.2 kg", "mass: true", "a bool is not a value"),
        ("inertia: [0.1, 0.1, 0.1]", "inertia: [0.1, 0.1]", "body 'arm': inertia needs 3 or 6 numbers"),
        (
            "inertia: [0.1, 0.1, 0.1]",
            "inertia: [1, 2, 9]",
            "body 'arm': the inertia is not physical: principal moments 1, 2, 9",
        ),
        (
            "inertia: [0.1, 0.1, 0.1]",
            "inertia: [[1, 2, 3], [0, 1, 1], [0, 0, 1]]",
            "inertia: its matrix is not symmetric",
        ),
        (
            "tip: [0.5, 0, 0]",
            "tip: {ad: [0.5, 0, 0]}",
            "body 'arm': unknown key 'markers.tip.ad'; did you mean 'at'?  (m.yaml:9)",
        ),
        (
            "tip: [0.5, 0, 0]",
            "tip: [0.5 kg, 0, 0]",
            "markers.tip.at = '0.5 kg': kg is not a unit of this dimension; "
            'length is measured in m, e.g. "18 mm"  (m.yaml:9)',
        ),
        (
            "tip: [0.5, 0, 0]",
            "tip: [0.5, 0]",
            "markers.tip.at needs three numbers; e.g. [0, 0, 1]  (m.yaml:9)",
        ),
        ("name: arm\n", "name: 12\n", "item 1: name = 12 is no text; write it in quotes: '12'  (m.yaml:5)"),
        (
            "name: arm\n",
            "name: a..b\n",
            "name = 'a..b' has nothing, or a blank, before or behind a dot; dots separate components from what stands in them",
        ),
        (
            "type: revolute",
            "type: revolut",
            "item 'pin': type 'revolut' is unknown; did you mean 'revolute'?  (m.yaml:10)",
        ),
        ("type: revolute", "type: 5", "item 'pin': type '5' is unknown"),
        (
            "type: revolute\n    name: pin",
            "name: pin",
            "item 'pin': type is missing; an item must say what it is",
        ),
        (
            "axis: z",
            "axis: up",
            "joint 'pin': axis = 'up' is no direction; write x, y, z, -x … or three numbers",
        ),
        (
            "axis: z",
            "enforcement: elim",
            "enforcement = 'elim' should be 'auto', 'multipliers' or 'elimination'  (m.yaml:14)",
        ),
        (
            "axis: z",
            "start: 3 kg",
            "joint 'pin': start = '3 kg': kg is not a unit of this dimension; angle is measured in rad",
        ),
        ("axis: z", "start: [1, 2]", "joint 'pin': start needs 1 values (angle)  (m.yaml:14)"),
        ("a: ground", "a: 5", "joint 'pin': a = 5 is no attachment; write crank, crank.tip or"),
        (
            "a: ground",
            "a: {body: arm, marker: tip, at: [0, 0, 0]}",
            "a names a marker and a point; give one of them  (m.yaml:12)",
        ),
        (
            "axis: z",
            "axis: z\n    axis: x",
            "joint 'pin': axis is given twice; it stands also in line 14, remove one of them  (m.yaml:15)",
        ),
        (
            "gravity: [0, -9.81, 0]",
            "gravty: [0, -9.81, 0]",
            "model 'pendulum': unknown key 'gravty'; did you mean 'gravity'?  (m.yaml:2)",
        ),
        (
            "gravity: [0, -9.81, 0]",
            "gravity: 9.81",
            "model 'pendulum': gravity = 9.81 needs three numbers; e.g. [0, 0, 1]  (m.yaml:2)",
        ),
        ("name: pendulum\n", "", "model: name is missing; add name: …  (m.yaml:1)"),
        ("name: pendulum", "name: 7", "model: name = 7 is no text; write it in quotes: '7'  (m.yaml:1)"),
        ("name: pendulum", "name: a\nname: b", "model 'a': name is given twice; it stands also in line 1"),
    ],
)
def test_one_mistake(old, new, says):
    found = mistakes(changed((old, new)))
    assert any(says in line for line in found), found
    if new != "colour: red" and "name" not in old:  # these bring another mistake with them
        assert len(found) == 1


def test_functions_in_a_file():
    head = changed(("axis: z", "axis: z\n  - type: motor\n    name: drive\n    joint: pin"))
    assert read_text(head + "    speed: 3000 rpm\n")[0]["drive"].speed.value == pytest.approx(314.159265)
    assert read_text(head + "    speed: 2*sin(3*t)\n")[0]["drive"].speed.text == "2*sin(3*t)"
    ramp = "    speed:\n      type: ramp\n      initial: 0\n      final: 1\n"
    assert mistakes(head + ramp) == ["motor 'drive': speed.over is missing; add speed.over: …  (m.yaml:18)"]
    assert mistakes(head + ramp + "      ovr: 1 s\n      over: 1 s\n") == [
        "motor 'drive': unknown key 'speed.ovr'; did you mean 'over'?  (m.yaml:22)"
    ]
    assert mistakes(head + ramp + "      over: 1 q\n")[0].endswith("(m.yaml:22)")
    assert "the name 'sn' is unknown" in mistakes(head + "    speed: 2*sn(3*t)\n")[0]
    assert "a function has one of the types constant, " in mistakes(head + "    speed: {type: rmp}\n")[0]
    assert mistakes(head) == [
        "motor 'drive': it needs exactly one of position, speed, acceleration; e.g. speed: 3000 rpm  (m.yaml:15)"
    ]


def test_a_table_is_read_from_the_folder_of_the_model(tmp_path):
    (tmp_path / "load.csv").write_text("t,f\n0,0\n1,5\n")
    text = changed(
        (
            "axis: z",
            "axis: z\n  - {type: point_force, name: load, on: arm.tip, direction: y, force: {type: "
            "table, file: load.csv}}",
        )
    )
    (tmp_path / "m.yaml").write_text(text)
    model = Model.load(tmp_path / "m.yaml")
    assert model["load"].force(0.5) == 2.5
    assert Model.from_text(model.to_text()) == model
    with pytest.raises(ModelError, match=r"load\.csv' does not exist"):
        read_text(text, folder=tmp_path / "elsewhere")


def test_all_mistakes_of_a_file_at_once_in_the_order_of_lines():
    text = """\
name: bad
gravty: [0, 0, -9.81]
items:
  - type: rigid_body
    name: arm
    mas: 1
  - type: rigid_body
    name: bob
    mass: 1 kg
    inertia: [1, 1, 1]
    inertia: [2, 2, 2]
  - type: revolute
    name: pin
    a: ground
    b: arm.tip
    axis: [0, 0, 0]
  - {type: revolute, name: pin2, a: bbo, b: arm.tip}
  - {type: spherical, name: ball, a: bob, b: bob}
  - {type: motor, name: m1, joint: pin, speed: 1}
  - {type: motor, name: m2, joint: ball2, speed: 1}
  - 12
"""
    assert [line.rpartition(":")[2].rstrip(")") for line in mistakes(text)] == [
        "2", "6", "11", "16", "17", "18", "20", "21",
    ]  # fmt: skip
    said = "\n".join(mistakes(text))
    assert "arm'  (" not in said  # nobody is blamed for the absence of the arm that could not be read
    assert "joint 'pin2': a = bbo: there is no body 'bbo'; did you mean 'bob'?  (m.yaml:17)" in said
    assert "joint 'ball': it connects body 'bob' with itself" in said
    assert "motor 'm2': there is no joint 'ball2'; did you mean 'ball'?  (m.yaml:20)" in said
    assert "item 8: it is no mapping of keys to values; write e.g. - {type: rigid_body" in said
    assert "m1" not in said


def test_json_has_lines_too():
    text = '{"name": "a",\n "items": [\n  {"type": "rigid_body", "name": "arm",\n   "mass": "1 m"}\n ]}'
    assert mistakes(text, "json") == [
        "body 'arm': mass = '1 m': m is not a unit of this dimension; mass is measured in kg, e.g. "
        '"1.2 kg"  (m.yaml:4)'
    ]


def test_lines_without_a_file_name():
    with pytest.raises(ModelError, match=r"\(line 14\)"):
        Model.from_text(changed(("axis: z", "axis: q")))


def test_warnings_carry_lines():
    text = changed(("axis: z", "axis: z\n  - type: joint_spring\n    name: soft\n    joint: pin\n    stiffness: -5"))
    report = read_text(text, "yaml", "m.yaml")[1]
    assert report.ok
    assert str(report) == (
        "warning: spring 'soft': stiffness = -5 is negative; it drives the motion instead of holding it, "
        "check the sign  (m.yaml:18)"
    )


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("m.yaml", b"", "is empty"),
        ("m.yaml", b"\xff\xfe\x00garbage", "is no text; byte 0 is not UTF-8"),
        ("m.yaml", bytes(range(256)), "is no text"),
        ("m.yaml", b"[1, 2]", "it is no model; a model begins with its name"),
        ("m.yaml", b"just words", "it is no model"),
        ("m.yaml", b"items: 5\nname: a", "items is no list"),
        ("m.yaml", b"name: a: b", "the YAML cannot be read"),
        ("m.json", b"{", "the JSON cannot be read"),
        ("m.txt", b"name: a", "ends in '.txt'; the ending tells the format, use .yaml, .yml, .json"),
        ("model", b"name: a", "the ending tells the format"),
    ],
)
def test_files_that_cannot_be_read(tmp_path, name, content, says):
    (tmp_path / name).write_bytes(content)
    with pytest.raises((FileError, ModelError)) as caught:
        Model.load(tmp_path / name)
    assert says in str(caught.value)
    assert str(tmp_path / name) in str(caught.value)


def test_a_missing_file_names_its_neighbour(tmp_path):
    (tmp_path / "slider.yaml").write_text("")
    with pytest.raises(FileError, match=r"does not exist; did you mean 'slider\.yaml'\?"):
        Model.load(tmp_path / "slidr.yaml")
    with pytest.raises(FileError, match="does not exist; check name and folder"):
        Model.load(tmp_path / "nowhere" / "slidr.yaml")
    with pytest.raises(FileError):
        Model.load("a\0b.yaml")


def test_what_is_no_regular_file(tmp_path):
    """A pipe without a writer would be waited for, and a device may have no end."""
    (tmp_path / "folder.yaml").mkdir()
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "zero.json").symlink_to("/dev/zero")
    for name, kind in (("folder.yaml", "a folder"), ("pipe.yaml", "a pipe"), ("zero.json", "a device")):
        with pytest.raises(FileError, match=f"{name}: this is {kind}, not a file"):
            Model.load(tmp_path / name)


def test_a_huge_file_is_refused_before_it_is_read(tmp_path):
    with open(tmp_path / "m.yaml", "wb") as file:
        file.truncate(60_000_000)
    with pytest.raises(FileError, match="is larger than 50 MB; keep long tables in files of their own"):
        Model.load(tmp_path / "m.yaml")


def test_a_byte_order_mark_is_no_harm(tmp_path):
    (tmp_path / "m.yaml").write_bytes(b"\xef\xbb\xbf" + PENDULUM.encode())
    assert read(tmp_path / "m.yaml")[0].name == "pendulum"


def test_saving_where_one_cannot(tmp_path):
    model = read_text(PENDULUM)[0]
    with pytest.raises(FileError, match="cannot be written"):
        model.save(tmp_path / "nowhere" / "m.yaml")
    with pytest.raises(FileError, match="the ending tells the format"):
        model.save(tmp_path / "m.mdl")
    with pytest.raises(FileError, match="format 'xml' is unknown; take yaml or json"):
        model.to_text("xml")


SEVERAL = """
name: several
gravity: [0, -9.81]
items:
  - {type: rigid_body, name: crank, mas: 1.2, inertia: [1, 1, 1], markers: {pin: [0.1, 0, 0]}}
  - {type: rigid_body, name: rod, mass: 1, inertia: [1, 1, 1]}
  - {type: revolut, name: main, a: ground, b: crank, axis: z}
  - {type: revolute, name: big, a: rod, b: crank.pinn, axis: z}
  - {type: revolute, name: far, a: rodd, b: ground, axiss: z}
  - {type: motor, name: drive, joint: main, speed: 50 Hz}
"""


def test_mistakes_in_what_an_item_refers_to_are_found_beside_its_own():
    with pytest.raises(ModelError) as error:
        read_text(SEVERAL)
    found = [str(problem) for problem in error.value.problems]
    expected = [
        "gravity needs three numbers",
        "unknown key 'mas'; did you mean 'mass'?",
        "type 'revolut' is unknown; did you mean 'revolute'?",
        "b = crank.pinn: body 'crank' has no marker 'pinn'; did you mean 'pin'?",
        "unknown key 'axiss'",
        "a = rodd: there is no body 'rodd'",
        "speed = '50 Hz': Hz has two readings",
    ]
    assert len(found) == len(expected), found
    for said in expected:
        assert any(said in each for each in found), (said, found)


def test_nobody_is_blamed_for_what_another_item_gets_wrong():
    text = SEVERAL.replace("markers: {pin: [0.1, 0, 0]}", "markers: {pin: [0.1, 0]}").replace("crank.pinn", "crank.pin")
    with pytest.raises(ModelError) as error:
        read_text(text)
    assert "has no marker" not in str(error.value)
    text = SEVERAL.replace("type: rigid_body, name: crank", "type: nonsense, name: crank")
    with pytest.raises(ModelError) as error:
        read_text(text)
    assert "crank.pinn" not in str(error.value)


def test_a_name_given_twice_is_told_beside_other_mistakes():
    text = """\
name: m
items:
  - {type: rigid_body, name: a, mass: 1}
  - {type: rigid_body, name: a, mass: -1}
  - {type: revolute, name: a, a: ground}
  - {type: rigid_body, name: b, mass: 1}
"""
    with pytest.raises(ModelError) as caught:
        Model.from_text(text)
    told = [str(problem) for problem in caught.value.problems]
    twice = [each for each in told if "its name is given twice, also to a rigid body" in each]
    assert [each.split(":")[0] for each in twice] == ["body 'a'", "joint 'a'"]
    assert any("mass = -1" in each for each in told)
    assert not any("'b'" in each for each in told)


def test_models_are_saved_over_their_like_only(tmp_path):
    """What a hand has written, or another model, is not replaced unless that is asked for."""
    path, body = tmp_path / "m.yaml", fx.RigidBody("arm", mass=1)
    model = fx.Model("m", [body])
    model.save(path)
    assert model.replace(gravity=(0, 0, -9.81)).save(path) == path
    with pytest.raises(fx.FileError, match=r"would be lost; it holds another model, 'm', .*overwrite=True"):
        fx.Model("n", [body]).save(path)
    path.write_text("name: m\nitems:\n- {type: rigid_body, name: arm, mass: 1}  # weighed in May\n")
    with pytest.raises(fx.FileError, match=r"it has comments, [^#{]*: # weighed in May"):
        model.save(path)
    assert "May" in path.read_text()
    model.save(path, overwrite=True)
    assert "May" not in path.read_text()


def test_signs_in_names_are_no_comments(tmp_path):
    model = fx.Model("m", [fx.RigidBody("arm #1", mass=1)])
    assert model.save(model.save(tmp_path / "m.yaml")).is_file()
