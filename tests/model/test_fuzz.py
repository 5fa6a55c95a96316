"""Whatever stands in a file, the reader answers with a model or an error of this package, never a crash."""

import contextlib
import json
import random
import re
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flexor.bodies.body import Body
from flexor.errors import FlexorError
from flexor.model.file import read, read_text
from flexor.model.items import KINDS
from tests.model.examples import ONE_OF_EACH

WEIRD = [
    "null", "true", "[]", "{}", "''", "5", "-1", "0", "1e999", "-1e308", "1e308", "1e-320",
    ".nan", ".inf", "''''", "[1]",
    "[1, 2, 3]", "[a, b, c]", "[null, null, null]", "[[], [], []]", "[[1, 2, 3], [4, 5, 6], [7, 8, 9]]",
    "[0, 0, 0, 0]",
    "[1e308, 1e308, 1e308]", "[1, 2, 3, 4, 5, 6]", "{body: crank}", "{body: [1]}", "{body: crank, at: 5}",
    "{type: ramp}",
    "{type: 5}", "{type: sum, terms: 5}", "{type: table, file: [x]}", "{type: table, x: [0, 0], y: [1, 2]}",
    "{axis: 5, angle: 3}", "{axis: z, angle: []}", "{euler: 5, angles: [1, 2, 3]}", "{euler: zyx, angles: 5}",
    "[[0, 1, 0], [1, 0, 0], [0, 0, 1]]", "\"\\0\"", "ground", "crank", "crank.", ".crank", "crank.tip", "hinge",
    "18 mm", "18 q",
    "2*sin(t", "sin(sin(sin(t)))", "1/0", "!!python/name:os.system x", "&a", "*a", "'", "\"", "[", "{", "|",
    ">", "%", "@",
    "- - -", "? x", "a: b: c", "é", "\u2028", "😀", "x" * 3000, "9" * 5000,
    "((((((((((((((((((((t))))))))))))))))))))",
]  # fmt: skip


def survives(text, kind="yaml"):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # numbers near the largest overflow somewhere
        with contextlib.suppress(FlexorError):
            read_text(text, kind)


def around(example):
    """What an item refers to: its bodies, its joints and their bodies."""
    found = [example]
    for item in found:
        text = json.dumps(item.model_dump(mode="json", exclude_defaults=True))
        named = (other for other in ONE_OF_EACH.items if other not in found)
        found += [other for other in named if re.search(f'"{re.escape(other.name)}[".]', text)]
    return found[1:]


@pytest.mark.parametrize("kind", KINDS)
def test_every_field_with_every_weird_value(kind):
    example = next(item for item in ONE_OF_EACH.items if item.type == kind)
    fields = example.model_dump(mode="json", exclude_defaults=True)
    rest = json.dumps([item.model_dump(mode="json", exclude_defaults=True) for item in around(example)])
    for field in [*KINDS[kind].model_fields, "nonsense"]:
        given_fields = json.dumps({key: value for key, value in fields.items() if key != field})
        for weird in WEIRD:
            survives(f"name: fuzz\nitems:\n- {{<<: {given_fields}, {field}: {weird}}}\n")
            if weird in ("5", "[1, 2, 3]", "[1e308, 1e308, 1e308]", "crank.tip"):  # with everything else sound
                survives(f"name: fuzz\nitems: [{{<<: {given_fields}, {field}: {weird}}}, {rest[1:]}\n")


def test_lines_replaced_cut_doubled_and_moved():
    chance = random.Random(1)
    for kind in ("yaml", "json"):
        whole = ONE_OF_EACH.to_text(kind)
        for _ in range(80):
            lines = whole.splitlines()
            for _ in range(chance.randint(1, 4)):
                at = chance.randrange(len(lines))
                change = chance.randrange(6)
                if change == 0:
                    del lines[at]
                elif change == 1:
                    lines.insert(chance.randrange(len(lines)), lines[at])
                elif change == 2:
                    lines[at] = lines[at][: chance.randrange(len(lines[at]) + 1)]
                elif change == 3:
                    key = lines[at].partition(":")[0]
                    lines[at] = f"{key}: {chance.choice(WEIRD)}"
                elif change == 4:
                    lines[at] = " " * chance.randrange(8) + lines[at]
                else:
                    letters = list(lines[at])
                    chance.shuffle(letters)
                    lines[at] = "".join(letters)
                if not lines:
                    break
            survives("\n".join(lines), kind)


@pytest.mark.parametrize("name", [item.name for item in ONE_OF_EACH.items if isinstance(item, Body)])
def test_a_body_that_is_not_read_takes_its_loads_and_sensors_along(name):
    items = [item.model_dump(mode="json", exclude_defaults=True) for item in ONE_OF_EACH.items]
    broken = [{**item, "nonsense": 5} if item["name"] == name else item for item in items]
    with pytest.raises(FlexorError, match="nonsense") as caught:
        read_text(json.dumps({"name": "fuzz", "items": broken}), "json")
    assert len(caught.value.problems) == 1


def test_bytes_changed(tmp_path):
    chance = random.Random(2)
    for ending in (".yaml", ".json"):
        whole = ONE_OF_EACH.to_text(ending[1:]).encode()
        path = tmp_path / f"m{ending}"
        for _ in range(60):
            data = bytearray(whole[: chance.choice([200, 1000, len(whole)])])
            for _ in range(chance.randint(1, 10)):
                data[chance.randrange(len(data))] = chance.randrange(256)
            path.write_bytes(data)
            with contextlib.suppress(FlexorError):
                read(path)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.binary(max_size=200))
def test_random_bytes(tmp_path_factory, data):
    folder = tmp_path_factory.getbasetemp()
    for name in ("random.yaml", "random.json"):
        (folder / name).write_bytes(data)
        with pytest.raises(FlexorError):
            read(folder / name)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.text(max_size=200))
def test_random_text(text):
    survives(text, "yaml")
    survives(text, "json")


values = st.recursive(
    st.one_of(
        *(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
        st.sampled_from(["ground", "crank", "z"]),
    ),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)  # fmt: skip


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.data())
def test_random_values_in_known_fields(data):
    kind = data.draw(st.sampled_from(list(KINDS)))
    fields = {field: data.draw(values) for field in KINDS[kind].model_fields if field != "type"}
    survives(json.dumps({"name": "fuzz", "items": [{"type": kind, **fields}]}), "json")
