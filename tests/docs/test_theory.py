"""The theory manual is complete: what the code cites is there, equations are numbered, links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import flexor
from tests.docs.code_blocks import DOCS

CHAPTERS = sorted((DOCS / "theory").glob("[0-9A]*.md"))
PAGES = [DOCS.parent / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")] + sorted(DOCS.rglob("*.md"))
COVERED = (
    *("spatial", "law", "materials", "mesh", "elements", "bodies", "joints", "forces", "model", "io", "reduce"),
    *("engine", "solve", "recover", "fatigue", "results"),
)
"""Folders of src/flexor that the manual covers; another one joins them together with its chapter."""
_RANGE = re.compile(r"\((\d+|A)\.(\d+)\)(?:–\((\d+|A)\.(\d+)\))?")


def cited(text: str) -> set[tuple[str, int]]:
    """Equations of FTG that a text cites: FTG (5.2), (5.20)–(5.22), (A.14)."""
    found = set()
    for place in re.finditer(r"FTG", text):
        citation = re.match(r"FTG(?:[^()\n]{0,30}\((?:\d+|A)\.\d+\)(?:–\((?:\d+|A)\.\d+\))?)+", text[place.start() :])
        for chapter, first, _, last in _RANGE.findall(citation[0]) if citation else ():
            found |= {(chapter, n) for n in range(int(first), int(last or first) + 1)}
    return found


def test_every_equation_that_the_code_cites_is_in_the_manual():
    manual = cited("\n".join(page.read_text(encoding="utf-8") for page in CHAPTERS))
    modules = [module for name in COVERED for module in (Path(flexor.__file__).parent / name).rglob("*.py")]
    assert len(modules) > 50
    for module in modules:
        missing = cited(module.read_text(encoding="utf-8")) - manual
        assert not missing, f"{module.name} cites FTG {sorted(missing)}, which no chapter of docs/theory mentions"


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda page: page.stem)
def test_equations_are_numbered_without_gaps(chapter):
    text = chapter.read_text(encoding="utf-8")
    numbers = re.findall(r"\\tag\{(\w+)\.(\d+)\}", text)
    assert [int(number) for _, number in numbers] == list(range(1, len(numbers) + 1))
    assert {first for first, _ in numbers} <= {chapter.name[:2].lstrip("0")}
    assert text.count("$$") % 2 == 0


def test_references_to_equations_lead_somewhere():
    tags = {tag for page in CHAPTERS for tag in re.findall(r"\\tag\{([\d.]+)\}", page.read_text(encoding="utf-8"))}
    for page in CHAPTERS[:-1]:  # the appendix speaks of the sources
        own = re.sub(r"(FTG|GER|CH|AB)[^\n|]*", "", page.read_text(encoding="utf-8"))
        for tag in re.findall(r"(?<!tag\{)\((\d+\.\d+)\)", own):
            assert tag in tags, f"{page.name} refers to ({tag})"


def test_links_lead_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            if not target.startswith("http"):
                assert (page.parent / target).exists(), f"{page.name} links to {target}"
