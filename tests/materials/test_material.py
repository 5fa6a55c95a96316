"""Ready-made materials by their name."""

from __future__ import annotations

import pytest

import flexor as fx
from flexor.materials import READY_MADE


@pytest.mark.parametrize("name", READY_MADE)
def test_a_material_by_its_name(name):
    made = READY_MADE[name]()
    for written in (name, name.title(), READY_MADE[name], made, made.model_dump()):
        assert fx.Beam("b", [(0, 0, 0), (1, 0, 0)], fx.Circle(0.01), written).material == made
        assert fx.FlexibleBody("b", "b.inp", material=written).material == made


def test_american_spelling():
    assert fx.FlexibleBody("b", "b.inp", material="aluminum").material == fx.Aluminium()


def test_the_schema_knows_the_names():
    schema = fx.FlexibleBody.model_json_schema()["properties"]["material"]
    assert {"enum": list(READY_MADE), "type": "string"} in schema["anyOf"]


def test_in_a_file():
    beam = (
        "{type: beam, name: b, points: [[0, 0, 0], [1, 0, 0]], section: {type: circle, radius: 0.01}, material: steel}"
    )
    model = fx.Model.from_yaml(f"name: m\nitems:\n- {beam}\n")
    assert model["b"].material == fx.Steel()
    assert fx.Model.from_yaml(model.to_yaml()) == model
