"""The how-to pages do what they say: their Python blocks run in order, their YAML blocks are models."""

from __future__ import annotations

import pytest

import flexor as fx
from flexor.cosim.meta_model.file import from_text as meta_model
from tests.docs.code_blocks import DOCS, code_blocks

PAGES = [DOCS.parent / "README.md", *sorted((DOCS / "how-to").glob("*.md"))]


@pytest.mark.parametrize("page", [page for page in PAGES if code_blocks(page, "python")], ids=lambda page: page.name)
def test_python_blocks_run(page, tmp_path, monkeypatch):
    """One after the other in one namespace, as a reader would type them; their assertions must hold."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    (tmp_path / "examples").symlink_to(DOCS.parent / "examples")
    scope = {"__name__": "page"}
    for line, text in code_blocks(page, "python"):
        exec(compile("\n" * (line - 1) + text, str(page), "exec"), scope)


@pytest.mark.parametrize("page", [page for page in PAGES if code_blocks(page, "yaml")], ids=lambda page: page.name)
def test_yaml_blocks_are_models(page):
    for _, text in code_blocks(page, "yaml"):
        if "sub_models:" in text:
            assert meta_model(text, "yaml").connections
        else:
            assert fx.Model.from_yaml(text).check().ok


def test_readme_shows_the_same_model_in_python_and_in_yaml():
    readme = DOCS.parent / "README.md"
    (_, python), *_ = code_blocks(readme, "python")
    ((_, text),) = code_blocks(readme, "yaml")
    scope: dict = {}
    exec(python.partition("model.check()")[0], scope)
    assert scope["model"].to_yaml() == fx.Model.from_yaml(text).to_yaml()
