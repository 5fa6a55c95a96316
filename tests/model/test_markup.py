"""Reading of YAML and JSON text: what words mean, lines, and what is refused."""

import math

import pytest
import yaml

from flexor.errors import FileError
from flexor.model import markup
from flexor.model.markup import read_markup, scalar


@pytest.fixture(params=["C", "Python"])
def loader(request, monkeypatch):
    """Both of PyYAML's parsers."""
    if request.param == "Python":
        monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    elif not hasattr(yaml, "CSafeLoader"):
        pytest.skip("PyYAML was built without libyaml")


def data(text, json_text=False):
    return read_markup(text, "m.yaml", json_text).root.data


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e-3", 0.001), ("1e3", 1000.0), ("1E+3", 1000.0), ("5.", 5.0), (".5", 0.5), ("-2", -2), ("+7", 7),
        ("010", 10), ("0x10", "0x10"), ("1_000", "1_000"), ("1:30", "1:30"), ("2024-01-01", "2024-01-01"),
        ("yes", "yes"), ("no", "no"), ("on", "on"), ("off", "off"), ("y", "y"), ("true", True),
        ("False", False), ("null", None), ("~", None), ("", None), ("18 mm", "18 mm"), ("-.inf", -math.inf),
        ("e3", "e3"), (".", "."),
    ],
)  # fmt: skip
def test_words(text, value):
    assert scalar(text) == value
    assert type(scalar(text)) is type(value)


def test_a_number_too_long_for_an_integer_becomes_infinite_at_most():
    assert scalar("9" * 5000) == math.inf
    assert data('{"x": ' + "9" * 5000 + "}", json_text=True)["x"] == math.inf


def test_values_and_lines(loader):
    text = """name: a
# comment
items:
  - type: 'x'
    at: [0,
      1e-3,
      2]
    on: {b: "5"}
  - 7
"""
    document = read_markup(text, "m.yaml")
    assert document.root.data == {
        "name": "a",
        "items": [{"type": "x", "at": [0, 0.001, 2], "on": {"b": "5"}}, 7],
    }
    lines = {
        (): 1, ("name",): 1, ("items",): 3, ("items", 0): 4, ("items", 0, "at"): 5, ("items", 0, "at", 1): 6,
        ("items", 0, "at", 2): 7, ("items", 0, "on", "b"): 8, ("items", 1): 9, ("items", 0, "missing"): 4,
        ("items", 0, "at", 1, "deeper"): 6, ("nothing",): 1,
    }  # fmt: skip
    assert {path: document.root.line_of(path) for path in lines} == lines
    assert document.at(("items", 1)) == "m.yaml:9"


def test_json_with_tabs_escapes_and_lines():
    text = '{\n\t"name": "\\u00e9\\"{[\\ud83d\\ude00",\n\t"items": [\n\t\t{"x": 1e-3, "y": null},\n\t\ttrue]}'
    document = read_markup(text, "m.json", json_text=True)
    assert document.root.data == {"name": 'é"{[😀', "items": [{"x": 0.001, "y": None}, True]}
    assert [document.root.line_of(p) for p in (("name",), ("items",), ("items", 0, "y"), ("items", 1))] == [
        2, 3, 4, 5,
    ]  # fmt: skip


def test_keys_are_always_text(loader):
    assert data("on: 1\n2: 3\ntrue: 4\n'null': 5") == {"on": 1, "2": 3, "true": 4, "null": 5}


def test_keys_given_twice_are_noted(loader):
    for json_text, text in (
        (False, "a: 1\nb:\n  c: 1\n  d: 2\n  c: 3\n"),
        (True, '{"a": 1, "b":\n\n{"c": 1,\n\n"c": 3}}'),
    ):
        document = read_markup(text, "m", json_text)
        assert document.root.data["b"]["c"] == 1
        assert [(t.path, t.key, t.line, t.first_line) for t in document.twice] == [(("b",), "c", 5, 3)]


def test_aliases_and_merge_keys(loader):
    text = """
defaults: &rod {mass: 1, inertia: [1, 1, 1]}
other: &other
  mass: 5
  color: red
items:
  - {<<: *rod, name: a}
  - {<<: *rod, name: b, mass: 2}
  - <<: [*rod, *other]
    name: c
  - *rod
"""
    items = data(text)["items"]
    assert items[0] == {"mass": 1, "inertia": [1, 1, 1], "name": "a"}
    assert items[1] == {"mass": 2, "inertia": [1, 1, 1], "name": "b"}
    assert items[2] == {"mass": 1, "inertia": [1, 1, 1], "color": "red", "name": "c"}
    assert items[3] == {"mass": 1, "inertia": [1, 1, 1]}


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("a: 1\nb: [1, 2\nc: 3\n", 3, "the YAML cannot be read"),
        ("a: 1\n b: 2\n", 2, "the YAML cannot be read"),
        ("a: 1\nb: 'open\n\n", 4, "the YAML cannot be read"),
        ("a:\n\t- 1\n", 2, "the YAML cannot be read"),
        ("a: 1\nb: \x00\n", 2, "the YAML cannot be read"),
        ("a: 1\nb: !!python/object/apply:os.system ['true']\n", 2, "tag"),
        ("a: 1\nb: !!float 3\n", 2, "is not allowed"),
        ("a: 1\nb: !x\n  c: 3\n", 2, "plain data only"),
        ("a: 1\n---\nb: 2\n", 3, "second document"),
        ("a: 1\nb: *nothing\n", 2, "alias *nothing refers to nothing before it"),
        ("a: &a\n  b: *a\n", 2, "alias *a refers to nothing before it"),
        ("a: 1\n? [1, 2]\n: 3\n", 2, "a key is no text"),
        ("a: 1\nb:\n  <<: 5\n", 3, "<< is followed by no mapping"),
        ("a: 1\nb: " + "[" * 60 + "]" * 60, 2, "nested more than 40 deep"),
    ],
)
def test_refused(loader, text, line, says):
    with pytest.raises(FileError) as caught:
        read_markup(text, "m.yaml")
    (problem,) = caught.value.problems
    assert says in str(problem)
    assert problem.source == f"m.yaml:{line}"


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ('{"a": 1,\n "b": [1, 2}\n}', 2, "the JSON cannot be read"),
        ('{"a": 1\n "b": 2}', 2, "the JSON cannot be read"),
        ("{'a': 1}", 1, "the JSON cannot be read"),
        ('{"a": "\n"}', 1, "the JSON cannot be read"),
        ('{"a": 1} {"b": 2}', 1, "the JSON cannot be read"),
        ('{"a":\n' + "[" * 60 + "]" * 60 + "}", 2, "nested more than 40 deep"),
    ],
)
def test_refused_json(text, line, says):
    with pytest.raises(FileError) as caught:
        read_markup(text, "m.json", json_text=True)
    (problem,) = caught.value.problems
    assert says in str(problem)
    assert problem.source == f"m.json:{line}"


def test_json_nested_beyond_the_stack():
    with pytest.raises(FileError, match="nested too deep"):
        read_markup("[" * 100_000 + "]" * 100_000, "m.json", json_text=True)


@pytest.mark.parametrize("text", ["", "  \n\n", "# only a comment\n", "---\n...\n"])
def test_empty(text):
    if text.startswith("---"):
        assert read_markup(text, "m.yaml").root.data is None
    else:
        with pytest.raises(FileError, match="is empty"):
            read_markup(text, "m.yaml")


def test_an_alias_bomb_is_refused(loader):
    text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    for i in range(1, 12):
        text += f"a{i}: &a{i} [" + ", ".join([f"*a{i - 1}"] * 10) + "]\n"
    with pytest.raises(FileError, match="more than 2000000 values") as caught:
        read_markup(text, "m.yaml")
    assert caught.value.problems[0].source == "m.yaml:7"  # 11, 111, … values in lines 1, 2, …


def test_depth_through_aliases_is_counted(loader):
    text = "a0: &a0 [1]\n" + "".join(f"a{i}: &a{i} [[[[[*a{i - 1}]]]]]\n" for i in range(1, 12))
    with pytest.raises(FileError, match="nested more than 40 deep"):
        read_markup(text, "m.yaml")


def test_more_values_than_the_limit_are_refused(monkeypatch):
    monkeypatch.setattr(markup, "LARGEST_COUNT", 100)
    assert len(data("x: [" + "1, " * 97 + "1]")["x"]) == 98
    with pytest.raises(FileError, match="more than 100 values"):
        data("x: [" + "1, " * 99 + "1]")
