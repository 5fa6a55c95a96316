"""Where items are attached."""

from __future__ import annotations

import pytest

from flexor.bodies import MarkerRef
from flexor.model.attachments import references
from tests.model.examples import ONE_OF_EACH


@pytest.mark.parametrize("item", ONE_OF_EACH.items, ids=lambda item: item.name)
def test_every_field_with_an_attachment_is_known_by_its_type(item):
    """Looked for by the types of fields; here by what stands in them."""
    held = []
    for key in type(item).model_fields:
        value = getattr(item, key)
        values = value if isinstance(value, tuple) else (value,)
        held += [(key, each) for each in values if isinstance(each, MarkerRef)]
    assert references(item) == held
