"""The generated page of items says what the declarations say."""

from __future__ import annotations

import re

import pytest
import yaml

from docs.reference import FILE, example, reference
from flexor.coordinates.profile import Profile
from flexor.elements.assembly.loads import LOADS
from flexor.forces.spring_parts import PARTS
from flexor.functions import FUNCTIONS
from flexor.materials import MATERIALS
from flexor.mesh.section import BEAM_SECTIONS
from flexor.mesh.select import SELECTIONS
from flexor.model import ITEMS
from flexor.reduce.damping import DAMPINGS
from flexor.reduce.methods import METHODS


def test_page_is_up_to_date():
    assert FILE.read_text(encoding="utf-8") == reference(), "run: python -m docs.reference"


def test_every_item_and_field_is_there():
    text = reference()
    for kind in (*ITEMS, *FUNCTIONS):
        assert f"`{kind.model_fields['type'].default}`, {kind.__name__}" in text
        for name, field in kind.model_fields.items():
            assert name == "type" or f"| `{name}` |" in text
            assert name == "type" or field.description, f"{kind.__name__}.{name} has no description"


@pytest.mark.parametrize("kind", ITEMS, ids=lambda kind: kind.__name__)
def test_examples_are_what_a_file_may_hold(kind):
    text = re.search("```yaml\n(.*?)```", example(kind), re.DOTALL)[1]
    (item,) = yaml.load(text, yaml.BaseLoader)
    assert example(kind) in FILE.read_text(encoding="utf-8")
    assert kind(**{"name": kind.model_fields["type"].default.replace("_", " "), **kind.samples[0]}) == kind(**item)


def test_what_fields_hold_is_described_and_linked():
    """Profiles of cams and parts of springs, which have no type of their own."""
    text = reference()
    for kind in (Profile, *PARTS):
        assert f"### {kind.__name__}\n" in text
        assert all(f"| `{name}` |" in text.partition(f"### {kind.__name__}\n")[2] for name in kind.model_fields)
    assert "| `profile` | [Profile](#profile) |" in text
    assert "| `yields` | [Yield](#yield) or [function](#functions) |" in text
    shown = re.search("```yaml\n(.*?)```", example(Profile), re.DOTALL)[1]
    assert Profile(**yaml.load(shown, yaml.BaseLoader)["profile"]) == Profile(**Profile.samples[0])


def test_links_lead_to_headings():
    """An anchor is the heading in small letters, without signs, blanks as hyphens."""
    text = reference()
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
    assert set(re.findall(r"\(#([^)]*)\)", text)) <= anchors


def test_what_flexible_bodies_are_made_of_is_described():
    text = reference()
    for kind in (*MATERIALS, *METHODS, *DAMPINGS, *BEAM_SECTIONS, *LOADS, *SELECTIONS):
        tag = kind.model_fields["type"].default
        assert f"### `{tag}`, {kind.__name__}\n" in text
    assert "| `damping` | [modal](#modal-modaldamping) or [rayleigh](#rayleigh-rayleigh) |" in text
    assert "[orthotropic](#orthotropic-orthotropic) or `steel`, `aluminium` |" in text
    assert "| `interfaces` | name: [interface](#interface-interface) or [selection](#selections), … |" in text
