"""The field type of what may be one of many kinds: each kind's own validator is made when the first one of it comes by.

Pydantic would make those of all kinds at once, some hundred, before a model of two of them can be read.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from functools import partial
from typing import Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationInfo
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from flexor.declaration import Item

_described: ContextVar[frozenset[type[Item]]] = ContextVar("_described", default=frozenset())
"""Kinds whose JSON Schema is being written: one inside itself is referred to."""


class OneOf:
    """Marks `Annotated[A | B | …, OneOf(kinds)]`: the field `type` of what is given tells which of them it is, or is to become."""

    def __init__(self, kinds: Sequence[type[Item]]) -> None:
        self.kinds = kinds

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        choices: dict[Any, CoreSchema] = {
            kind.model_fields["type"].default: core_schema.with_info_plain_validator_function(partial(_validated, kind))
            for kind in self.kinds
        }
        own = core_schema.simple_ser_schema("any")  # each one is written as by itself
        return core_schema.tagged_union_schema(choices, "type", from_attributes=True, serialization=own)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        inside = _described.get()
        token = _described.set(inside | {*self.kinds})
        try:
            choices: dict[Any, CoreSchema] = {
                kind.model_fields["type"].default: _whole(kind, kind in inside) for kind in self.kinds
            }
            return handler(core_schema.tagged_union_schema(choices, "type"))
        finally:
            _described.reset(token)


def _validated(kind: type[Item], value: object, info: ValidationInfo) -> Item:
    if type(value) is kind:  # it was validated when it was made, and is frozen
        return value
    return kind.__pydantic_validator__.validate_python(value, context=info.context)


def _whole(kind: type[Item], again: bool) -> CoreSchema:
    """What pydantic makes of a kind; of one that is being described, a reference to it."""
    kind.model_rebuild()
    schema = kind.__pydantic_core_schema__
    return core_schema.definition_reference_schema(_name(schema)) if again else schema


def _name(schema: Any) -> str:
    """Under which name a schema is referred to."""
    own = schema.get("ref") or schema.get("schema_ref")
    return str(own) if own else _name(schema["schema"])
