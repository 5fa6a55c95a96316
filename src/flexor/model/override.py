"""Other values in a component: `{stiffness: 30 kN/m}` by a parameter, `{strut.spring.damping: 2 kN s/m}` by the path of a field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flexor.declaration import Declaration, Item
from flexor.dotted import owner, split
from flexor.errors import ModelError, Problem
from flexor.mistakes import suggestion
from flexor.model.component import Component, Instance

FIXED = ("name", "type")
"""Fields that others refer to; they have no other values."""


def overridden(
    component: Component, values: Mapping[str, Any], set_by: dict[tuple[str, str], str] | None = None
) -> tuple[Item, ...]:
    """The items of a component with other values; ModelError, one problem for each path that leads nowhere or value that does not fit.

    The problems' `where` is the path.   set_by: gets the path that each (item, field) was set by.
    """
    items: dict[str, Any] = {item.name: item for item in component.items}
    problems: list[Problem] = []
    changed: set[str] = set()
    for path, value in values.items():
        for target in component.parameters.get(path, (path,)):
            name = owner(target, items)
            if name not in items:
                choice = [*component.parameters, *items]
                what = f"component '{component.name}' has no '{name}'"
                problems.append(Problem(path, what, "", suggestion(name, choice, "it has")))
                continue
            try:
                field = split(target, items)[1]
                items[name] = _with(items[name], field, value)
                changed.add(name)
                if set_by is not None:
                    set_by[name, field] = path
            except ModelError as error:
                problems += [Problem(path, p.what, p.why, p.fix) for p in error.problems]
    if problems:
        raise ModelError(problems)
    return tuple(items[item.name] if item.name in changed else item for item in component.items)


def _with(item: Any, field: str, value: Any) -> Any:
    if isinstance(item, Instance) and field.partition(".")[0] not in ("position", "orientation"):
        if not field:
            raise _nowhere(f"'{item.name}' is a component", "name a field in it, e.g. spring.stiffness")
        overridden(item.use, {field: value})  # it tells what is wrong with it
        return item.replace(values={**item.values, field: value})
    return _changed(item, field.split(".") if field else [], value, item.called(item.name))


def _changed(declared: Any, path: Sequence[str], value: Any, where: str) -> Any:
    """The declaration, table or list with another value at a place in it."""
    key, *rest = path or ("",)
    if isinstance(declared, Declaration):
        known = [name for name in type(declared).model_fields if name not in FIXED]
        if key not in known:
            what = f"{where} has no field '{key}'" if key else "no field is named"
            raise _nowhere(what, suggestion(key, known, "its fields are"))
        return declared.replace(
            **{key: _changed(getattr(declared, key), rest, value, f"{where}.{key}") if rest else value}
        )
    if isinstance(declared, dict) and key in declared:
        return {**declared, key: _changed(declared[key], rest, value, f"{where}.{key}") if rest else value}
    if isinstance(declared, tuple) and key.isdigit() and int(key) < len(declared):
        number = int(key)
        new = _changed(declared[number], rest, value, f"{where}.{key}") if rest else value
        return (*declared[:number], new, *declared[number + 1 :])
    known = list(declared) if isinstance(declared, dict) else []
    raise _nowhere(f"{where} has nothing of the name '{key}' in it", suggestion(key, known, "it has"))


def _nowhere(what: str, fix: str) -> ModelError:
    return ModelError(Problem("", what, "", fix))
