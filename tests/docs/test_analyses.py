"""The page of analyses tells every option; `help()` does, too."""

from __future__ import annotations

import inspect
import pydoc
import re

import pytest

import flexor as fx
from docs.analyses import FILE, THINGS, page, table
from flexor.results.options import ANALYSES, meanings
from flexor.solve import DynamicsSettings


def test_page_is_up_to_date():
    assert FILE.read_text(encoding="utf-8") == page(), "run: python -m docs.analyses"


@pytest.mark.parametrize("name", THINGS)
def test_every_option_is_told(name):
    assert f"<!-- options of {name} -->" in FILE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| .+ \| (.*) \|$", table(THINGS[name]), re.MULTILINE)
    assert [option for option, _ in rows] == [
        each for each in inspect.signature(THINGS[name]).parameters if each != "self"
    ]
    for option, meaning in rows:
        assert meaning, f"the docstring of {name} says nothing about {option}; add a line '{option}: …'"


@pytest.mark.parametrize("analysis", ANALYSES)
def test_help_shows_every_option(analysis):
    method = getattr(fx.Model, analysis)
    said = pydoc.render_doc(method, renderer=pydoc.plaintext)
    names = [name for name in inspect.signature(method).parameters if name != "self"]
    assert f"{analysis}(self, {names[0]}" in said or f"{analysis}(self, *, {names[0]}" in said
    assert set(meanings(inspect.getdoc(method), names)) == set(names)


def test_signatures_hold_what_the_solvers_take():
    assert set(DynamicsSettings.model_fields) <= set(inspect.signature(fx.Model.dynamics).parameters)
    assert "load_steps" in inspect.signature(fx.Model.statics).parameters
    assert not {"sink", "settings", "model"} & set(inspect.signature(fx.Model.dynamics).parameters)
    model = fx.Model("m", [fx.PointMass("p", 1)])
    assert "self" not in inspect.signature(model.modes).parameters


@pytest.mark.parametrize(
    "setting", [{"accuracy": 1e-6}, {"solver": "tree"}, {"coordinates": "all"}, {"threads": 2}, {"stabilise": False}]
)
def test_settings_that_prepare_refuses_are_not_told(setting):
    assert not {*setting} & {*inspect.signature(fx.Model.prepare).parameters}
    with pytest.raises(fx.ModelError):
        fx.Model("m", [fx.PointMass("p", 1)]).prepare(until=1, step=0.1, show=False, **setting)


def test_help_of_declarations_shows_their_fields():
    said = pydoc.render_doc(fx.AxialSpring, renderer=pydoc.plaintext)
    assert "AxialSpring(name, a, b, *, stiffness=0.0, damping=0.0" in said
    for name, field in fx.AxialSpring.model_fields.items():
        assert name == "type" or f"{name}: {field.description}" in said
    assert str(inspect.signature(fx.Sum)) == "(terms, *, sensor=None)"


def test_meanings_of_a_docstring():
    text = "Does it.\n\na: first.   b, c: both\n    of them. Not this: no.\nd: last.\n\nOther: words."
    assert meanings(text, "abcd") == {
        "a": "first.",
        "b": "both of them. Not this: no.",
        "c": "both of them. Not this: no.",
        "d": "last.",
    }
