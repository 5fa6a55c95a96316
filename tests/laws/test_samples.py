"""Every registered member has samples, and each of them survives being written and read."""

from __future__ import annotations

import json

import pytest

from flexor.model import ITEMS
from tests.laws.samples import REGISTERED, on_samples


@pytest.mark.parametrize("member", ITEMS, ids=lambda member: member.__name__)
def test_every_member_has_a_sample(member):
    assert member.samples, (
        f"{member.__name__} is registered but has no sample: give the class samples = ({{…}},), the fields of one or more as in "
        "a file, so that its laws are tested on them"
    )


@on_samples(*REGISTERED)
def test_json_round_trip(sample):
    declaration = sample.declaration
    text = json.dumps(declaration.model_dump(mode="json"))
    assert type(declaration).model_validate(json.loads(text)) == declaration
    assert type(declaration).model_validate_json(declaration.model_dump_json(exclude_defaults=True)) == declaration


@on_samples(*REGISTERED)
def test_elements_have_distinct_signals_with_units(sample):
    from flexor.units import si

    for term in sample.terms():
        names = [output.name for output in term.outputs]
        assert len(set(names)) == len(names)
        assert all(part.isidentifier() for name in names for part in name.split("."))
        assert all(si(f"1 {output.unit}") == 1.0 for output in term.outputs)
        assert len(set(term.rows)) == len(term.rows)
