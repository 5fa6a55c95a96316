"""What may be one of many kinds: only the kinds that come by are made ready, and all is as with a union of them."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, ClassVar, Literal, Union

import pytest
from pydantic import Field

from flexor.declaration import Declaration, Item
from flexor.errors import ModelError
from flexor.model.one_of import OneOf


class Bolt(Item):
    positional: ClassVar[tuple[str, ...]] = ("name", "turns")
    type: Literal["bolt"] = "bolt"
    name: str = Field(description="Its name.")
    turns: float = Field(1.0, description="Turns.", gt=0)

    @cached_property
    def angle(self):
        """Remembered, but no field."""
        return 360 * self.turns


class Nut(Item):
    type: Literal["nut"] = "nut"
    name: str = Field(description="Its name.")


def box(mark):
    """A list of things, marked as one of the kinds."""

    class Box(Declaration):
        items: tuple[Annotated[Union[Bolt, Nut], mark], ...] = Field((), description="What is in it.")  # noqa: UP007

    return Box


def test_kinds_that_do_not_come_by_are_not_made_ready():
    Box = box(OneOf((Bolt, Nut)))
    bolt = Bolt("m8", 3)
    assert Box(items=[bolt]).items[0] is bolt
    assert Box(items=[{"type": "bolt", "name": "m6"}]).items == (Bolt("m6"),)
    assert Bolt.__pydantic_complete__
    assert not Nut.__pydantic_complete__


@pytest.mark.parametrize(
    "items",
    [
        [{"type": "bolt", "name": "m8", "turns": -1}, {"type": "bolt"}],
        [{"type": "bolt", "name": "m8", "turn": 2}],
        [{"type": "screw", "name": "m8"}],
        [{"name": "m8"}],
        [3],
        ["m8"],
        7,
    ],
)
def test_mistakes_are_told_as_by_a_union(items):
    told = []
    for mark in (Field(discriminator="type"), OneOf((Bolt, Nut))):
        with pytest.raises(ModelError) as error:
            box(mark)(items=items)
        told.append(str(error.value))
    assert told[0] == told[1]


@pytest.mark.filterwarnings("error")
def test_what_an_item_remembers_is_not_written():
    bolt = Bolt("m8", 3)
    assert bolt.angle == 1080
    assert box(OneOf((Bolt, Nut)))(items=[bolt]).model_dump() == {
        "items": ({"type": "bolt", "name": "m8", "turns": 3.0},)
    }


def test_files_and_schemas_are_those_of_a_union():
    union, lazy = box(Field(discriminator="type")), box(OneOf((Bolt, Nut)))
    given = [Bolt("m8", 3), {"type": "nut", "name": "m8n"}]
    assert lazy(items=given).model_dump() == union(items=given).model_dump()
    assert lazy(items=given).model_dump_json(exclude_defaults=True) == union(items=given).model_dump_json(
        exclude_defaults=True
    )
    text = union(items=given).model_dump_json()
    assert lazy.model_validate_json(text).items == union.model_validate_json(text).items
    assert lazy.model_json_schema() == union.model_json_schema()


class Link(Item):
    type: Literal["link"] = "link"
    name: str = Field(description="Its name.")
    next: Link | None = Field(None, description="What it hangs on to.")


KINDS = [Bolt, Link]


class Crate(Item):
    type: Literal["crate"] = "crate"
    name: str = Field(description="Its name.")
    items: tuple[Annotated[Item, OneOf(KINDS)], ...] = Field((), description="What is in it, crates too.")


KINDS.append(Crate)


def test_kinds_that_hold_themselves_are_described():
    crate = Crate.model_validate(
        {"name": "c", "items": [{"type": "crate", "name": "d", "items": [{"type": "link", "name": "l"}]}]}
    )
    assert crate.items[0].items[0] == Link(name="l")
    found = Crate.model_json_schema()
    assert {"Bolt", "Link", "Crate"} <= found["$defs"].keys()
    choices = [each["$ref"] for each in found["$defs"]["Crate"]["properties"]["items"]["items"]["oneOf"]]
    assert choices == ["#/$defs/Bolt", "#/$defs/Link", "#/$defs/Crate"]
