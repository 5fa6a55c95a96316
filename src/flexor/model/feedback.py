"""Functions of several sensors in the fields of items: each becomes a reading of its own, of which the item depends."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any, Literal, get_args, get_origin

from flexor.bodies import MarkerRef
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
        if function.several and takes_sensors(item, path):
            name = ".".join((item.name, *path))
            terms.append(function_term(name, function))
            item = _changed(item, path, polynomial(0, 1, sensor=name))
    return item, terms


def takes_sensors(item: Item, path: tuple[str, ...]) -> bool:
    """Whether a function at a place of an item may depend on sensors."""
    able = getattr(type(item), "by_sensor", ())
    return ".".join(path) in able or (len(path) == 2 and f"{path[0]}.*" in able)


_PLAIN = {str, float, int, bool, type(None), MarkerRef}
"""Most fields are of these, and hold no functions."""


def functions_in(item: Declaration) -> Iterator[tuple[tuple[str, ...], Function]]:
    """All functions in an item and in its parts, and where they stand."""
    if not may_hold_functions(type(item)) or _PLAIN.issuperset(map(type, item.__dict__.values())):
        return
    for key, value in item.__dict__.items():
        kind = type(value)
        if kind in _PLAIN:
            continue
        if kind is tuple and _PLAIN.issuperset(map(type, value)):
            continue
        if isinstance(value, Function):
            yield (key,), value
        elif isinstance(value, Declaration):
            yield from (((key, *path), function) for path, function in functions_in(value))
        elif isinstance(value, dict):
            yield from (((key, str(name)), each) for name, each in value.items() if isinstance(each, Function))
        elif isinstance(value, tuple):
            yield from (((key, str(i)), each) for i, each in enumerate(value) if isinstance(each, Function))


@cache
def may_hold_functions(kind: type[Declaration]) -> bool:
    """Whether declarations of a kind can have functions in them: most joints and bodies cannot, and are many."""
    return any(_may_be_function(field.annotation, {kind}) for field in kind.model_fields.values())


def _may_be_function(annotation: Any, inside: set[type]) -> bool:
    """Whether what a field holds may be a function, or have one in it; of what is not known, it may."""
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return False
    if parts:
        return any(_may_be_function(part, inside) for part in (parts[:1] if origin is Annotated else parts))
    if not isinstance(annotation, type):
        return annotation not in (None, Ellipsis)
    if issubclass(annotation, Declaration) and not issubclass(annotation, Function):
        if annotation in inside:
            return False
        inside = inside | {annotation}
        return any(_may_be_function(field.annotation, inside) for field in annotation.model_fields.values())
    return annotation not in _PLAIN


def _changed(declared: Any, path: tuple[str, ...], function: Function) -> Any:
    """The declaration with another function at a place in it."""
    key, *rest = path
    old: Any = getattr(declared, key)
    value: Any
    if rest and isinstance(old, tuple):
        value = (*old[: int(rest[0])], function, *old[int(rest[0]) + 1 :])
    else:
        value = _changed(old, tuple(rest), function) if rest else function
    return declared.model_copy(update={key: value})
