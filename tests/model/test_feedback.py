"""Which items may have functions in them: asked of their kind, as they are many."""

from __future__ import annotations

from typing import ClassVar

import pytest
from pydantic import Field

import flexor as fx
from flexor.declaration import Item
from flexor.functions import AnyFunction
from flexor.model import feedback
from flexor.model.feedback import functions_in, may_hold_functions
from flexor.model.items import ITEMS


@pytest.mark.parametrize("kind", ITEMS, ids=lambda kind: kind.__name__)
def test_no_function_of_a_sample_is_missed(kind, monkeypatch):
    samples = [kind(**{"name": "sample", **fields}) for fields in kind.samples]
    found = [list(functions_in(sample)) for sample in samples]
    monkeypatch.setattr(feedback, "may_hold_functions", lambda kind: True)
    assert found == [list(functions_in(sample)) for sample in samples]


def test_kinds_that_hold_functions_are_known():
    class Inner(fx.RigidBody):
        """With a function in a part of a part."""

        class Part(Item):
            class Piece(Item):
                profile: dict[str, AnyFunction] = Field({}, description="By name.")

            piece: Piece | None = Field(None, description="A piece.")

        positional: ClassVar[tuple[str, ...]] = ("name",)
        part: Part | None = Field(None, description="A part.")

    assert may_hold_functions(Inner)
    assert may_hold_functions(fx.Motor)
    assert may_hold_functions(fx.UserLaw)  # anything
    assert not may_hold_functions(fx.RigidBody)
    assert not may_hold_functions(fx.Revolute)
