"""Functions of several sensors in the fields of items: each becomes a reading of its own, of which the item depends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flexor.control.function_of_readings import function_term
from flexor.declaration import Declaration, Item
from flexor.functions import Function, polynomial
from flexor.law import Term


def by_readings(item: Item) -> tuple[Item, list[Term]]:
    """The item with functions of one reading in the place of those of several things, and these readings."""
    terms: list[Term] = []
    if item.drive is not None:  # follows positions, and needs their rates, too
        return item, terms
    for path, function in functions_in(item):
        if function.several and ".".join(path) in getattr(type(item), "by_sensor", ()):
            name = ".".join((item.name, *path))
            terms.append(function_term(name, function))
            item = _changed(item, path, polynomial(0, 1, sensor=name))
    return item, terms


def functions_in(item: Declaration) -> Iterator[tuple[tuple[str, ...], Function]]:
    """All functions in an item and in its parts, and where they stand."""
    for key in type(item).model_fields:
        value = getattr(item, key)
        if isinstance(value, Function):
            yield (key,), value
        elif isinstance(value, Declaration):
            yield from (((key, *path), function) for path, function in functions_in(value))
        elif isinstance(value, dict):
            yield from (((key, str(name)), each) for name, each in value.items() if isinstance(each, Function))


def _changed(declared: Any, path: tuple[str, ...], function: Function) -> Any:
    """The declaration with another function at a place in it."""
    key, *rest = path
    value = _changed(getattr(declared, key), tuple(rest), function) if rest else function
    return declared.model_copy(update={key: value})
