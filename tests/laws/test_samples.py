"""Every registered member has samples, and each of them survives being written and read."""

from __future__ import annotations

import json

import pytest

from tests.laws.samples import REGISTERED, SAMPLES, on_samples


@pytest.mark.parametrize("member", REGISTERED, ids=lambda member: member.__name__)
def test_every_member_has_a_sample(member):
    assert SAMPLES.get(member), (
        f"{member.__name__} is registered but has no sample: add the fields of one or more to SAMPLES in "
        "tests/laws/samples.py, so that the laws of every member are tested on it"
    )


def test_only_registered_members_have_samples():
    assert set(SAMPLES) <= set(REGISTERED)


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
        assert all(name.isidentifier() for name in names)
        assert all(si(f"1 {output.unit}") == 1.0 for output in term.outputs)
        assert len(set(term.rows)) == len(term.rows)
