"""The generated page of items says what the declarations say."""

from __future__ import annotations

from docs.reference import FILE, reference
from flexor.functions import FUNCTIONS
from flexor.model import ITEMS


def test_page_is_up_to_date():
    assert FILE.read_text(encoding="utf-8") == reference(), "run: python docs/reference.py"


def test_every_item_and_field_is_there():
    text = reference()
    for kind in (*ITEMS, *FUNCTIONS):
        assert f"`{kind.model_fields['type'].default}`, {kind.__name__}" in text
        for name, field in kind.model_fields.items():
            assert name == "type" or f"| `{name}` |" in text
            assert name == "type" or field.description, f"{kind.__name__}.{name} has no description"
