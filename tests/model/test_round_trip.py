"""A model written and read again is the same model, whatever stands in it."""

import json

import pytest
from hypothesis import HealthCheck, Phase, given, settings

import flexor as fx
from flexor.model import ITEMS
from tests.model.examples import ONE_OF_EACH
from tests.model.strategies import models

calm = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],  # shrinking a whole model takes minutes
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@calm
@given(models())
def test_yaml(model):
    assert fx.Model.from_text(model.to_text("yaml"), "yaml") == model


@calm
@given(models())
def test_json(model):
    assert fx.Model.from_text(model.to_text("json"), "json") == model
    assert fx.Model.model_validate(json.loads(model.to_text("json"))) == model


def test_every_registered_item_is_in_the_example_model():
    assert {type(item) for item in ONE_OF_EACH.items} == set(ITEMS)


@pytest.mark.parametrize("item", ONE_OF_EACH.items, ids=lambda item: item.type)
def test_every_item_with_and_without_defaults(item):
    for short in (True, False):
        text = item.model_dump_json(exclude_defaults=short)
        assert json.loads(text)["type"] == item.type
        assert type(item).model_validate_json(text) == item


@pytest.mark.parametrize("ending", [".yaml", ".yml", ".json"])
def test_files(tmp_path, ending):
    path = ONE_OF_EACH.save(tmp_path / f"model{ending}")
    assert fx.Model.load(path) == ONE_OF_EACH
    assert fx.Model.load(str(path)) == ONE_OF_EACH
    again = fx.Model.load(path).save(tmp_path / f"again{ending}")
    assert again.read_text() == path.read_text()


def test_what_the_file_looks_like():
    arm = fx.RigidBody("arm", "1.2 kg", 0.1, markers={"tip": (0.5, 0, 0)})
    items = [
        arm,
        fx.Revolute("pin", fx.ground, arm, axis="-x", start="30 deg"),
        fx.PointForce("yes", arm["tip"], direction=(1, 2, 3), force="sin(2*t)"),
        fx.PointForce("1e3", arm.at(0, "1 mm", 0), direction="z", force=-0.5),
    ]
    text = """\
name: 'null'
description: "two: lines\\nand #"
gravity: [0, 0, -9.81]
items:
- type: rigid_body
  name: arm
  markers: {tip: [0.5, 0, 0]}
  mass: 1.2
  inertia: [0.1, 0.1, 0.1]
- type: revolute
  name: pin
  a: ground
  b: arm
  start: [0.5235987755982988]
  axis: -x
- type: point_force
  name: yes
  on: arm.tip
  direction: [1, 2, 3]
  force: sin(2*t)
- type: point_force
  name: '1e3'
  on: {body: arm, at: [0, 0.001, 0]}
  direction: z
  force: -0.5
"""
    model = fx.Model("null", items, gravity=(0, 0, -9.81), description="two: lines\nand #")
    assert model.to_yaml() == text
    assert fx.Model.from_yaml(text) == model


def test_names_that_mean_something_in_yaml():
    words = ["<<", "null", "true", "1e3", "~", "yes", "- x", "a: b", "#", "&a", "*a", "!t", "|", "[", "é\xa0\ufeffü"]
    markers = dict.fromkeys(words, (0.1, 0, 0))
    bodies = [fx.RigidBody(word, 1, 1, markers=markers) for word in words]
    forces = [fx.PointForce(f"f{b.name}", b[b.name], direction="x", force=1) for b in bodies]
    model = fx.Model("<<", [*bodies, *forces])
    for kind in ("yaml", "json"):
        assert fx.Model.from_text(model.to_text(kind), kind) == model


def test_numbers_are_written_without_loss():
    values = (1.0, -0.0, 0.1 + 0.2, 1e22, 1.5e-300, -123456789.0, 2.0**53, 1e-7)
    model = fx.Model("n", [fx.RigidBody(f"b{i}", abs(v) + 1, 1, position=(v, 0, 0)) for i, v in enumerate(values)])
    for kind in ("yaml", "json"):
        again = fx.Model.from_text(model.to_text(kind), kind)
        assert [repr(item.position[0]) for item in again.items] == [repr(v) for v in values]


def test_units_are_converted_once():
    text = """
name: u
gravity: [0, 0, -981 cm/s^2]
items:
- {type: rigid_body, name: a, mass: 500 g, inertia: 2e4 kg*mm^2, position: [1 in, 2 cm, 3]}
"""
    model = fx.Model.from_yaml(text)
    assert model.gravity == (0.0, 0.0, -9.81)
    assert model["a"].mass == 0.5
    assert model["a"].inertia == (0.02, 0.02, 0.02)
    assert model["a"].position == (0.0254, 0.02, 3.0)
