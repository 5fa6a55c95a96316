"""The models in examples/ are sound, are what they say, and have no loops that must first be closed."""

import runpy
from pathlib import Path

import pytest
from numpy.testing import assert_allclose

import flexor as fx
from flexor.model import lower
from flexor.model.file import read

FOLDER = Path(__file__).parents[2] / "examples"
FILES = sorted(FOLDER.glob("*.yaml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_example(path):
    model, report = read(path)
    assert report.ok
    assert not report.warnings
    assert fx.Model.from_yaml(model.to_yaml()) == model
    assert len(lower(model).nodes) >= 2


def test_there_are_examples():
    assert {"pendulum", "four_bar", "slider_crank", "double_wishbone"} <= {path.stem for path in FILES}


def test_the_python_twin_is_the_same_model():
    twin = runpy.run_path(str(FOLDER / "slider_crank.py"))["model"]
    assert twin == fx.Model.load(FOLDER / "slider_crank.yaml")


def test_the_piston_starts_where_the_comment_says():
    mechanism = lower(fx.Model.load(FOLDER / "slider_crank.yaml"))
    piston = next(node for node in mechanism.nodes if node.name == "piston")
    assert_allclose(piston.x, (0.38, 0, 0), atol=1e-15)


@pytest.mark.parametrize("name", ["four_bar", "slider_crank", "double_wishbone"])
def test_one_degree_of_freedom_and_nothing_redundant(name):
    mechanism = lower(fx.Model.load(FOLDER / f"{name}.yaml"))
    motors = {item.name for item in fx.Model.load(FOLDER / f"{name}.yaml").items if item.type == "motor"}
    rows = sum(len(element.rows) for element in mechanism.terms if element.name not in motors)
    assert 6 * (len(mechanism.nodes) - 1) - rows == 1
