"""Other values in a component: `{stiffness: 30 kN/m}` by a parameter, `{strut.spring.damping: 2 kN s/m}` by the path of a field."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from flexor.declaration import Declaration, Item
from flexor.dotted import split, within
from flexor.errors import ModelError, Problem
from flexor.mistakes import suggestion
from flexor.model.component import Component, Instance

FIXED = ("name", "type")
"""Fields that others refer to; they have no other values."""


def overridden(
    component: Component, values: Mapping[str, Any], set_by: dict[tuple[str, str], str] | None = None
) -> tuple[Item, ...]:
    """The items of a component with other values; ModelError, one problem for each path that leads nowhere or value that does not fit.

    Values of one item are put in together: two moments of inertia may fit where each alone does not. A value whose fields others set again
    is refused.   The problems' `where` is the path.   set_by: gets the path that each (item, field) was set by.
    """
    items: dict[str, Any] = {item.name: item for item in component.items}
    problems = [
        Problem(path, f"it sets {', '.join(fields)}, as other values here do", "", "give one of them")
        for path, fields in _set_again(component, values).items()
    ]
    changes: dict[str, list[tuple[str, str, Any]]] = {}
    for path, value in values.items():
        for target in component.parameters.get(path, (path,)):
            name, field = split(target, items)
            if name not in items:
                choice = [*component.parameters, *items]
                what = f"component '{component.name}' has no '{name}'"
                problems.append(Problem(path, what, "", suggestion(name, choice, "it has")))
                continue
            changes.setdefault(name, []).append((path, field, value))
            if set_by is not None:
                set_by[name, field] = path
    for name, wanted in changes.items():
        found = _several(items[name], wanted)
        if isinstance(found, list):
            problems += found
        else:
            items[name] = found
    if problems:
        raise ModelError(problems)
    return tuple(items[item.name] if item.name in changes else item for item in component.items)


def leads_nowhere(component: Component, path: str, names: Collection[str] = ()) -> Problem | None:
    """Why a path, or a parameter of a component in this one, leads to no field; None if it does. names: others that could have been meant."""
    items = {item.name: item for item in component.items}
    name, field = split(path, items)
    if name not in items:
        what = f"component '{component.name}' has no '{name}'"
        return Problem(path, what, "", suggestion(name, [*names, *items], "it has"))
    item: Any = items[name]
    if isinstance(item, Instance) and field and not _own(field):
        inner = item.use
        told = (leads_nowhere(inner, each, inner.parameters) for each in inner.parameters.get(field, (field,)))
        return next((problem for problem in told if problem is not None), None)
    key = field.partition(".")[0]
    known = [each for each in type(item).model_fields if each not in FIXED]
    if key in known:
        return None
    what = f"{item.called(name)} has no field '{key}'" if key else "no field is named"
    return Problem(path, what, "", suggestion(key, known, "its fields are"))


def _reached(component: Component, path: str, items: Mapping[str, Any]) -> list[str]:
    """Fields that a value sets, by their paths from the component, through parameters of the components in it. items: those of the component."""
    found: list[str] = []
    for target in component.parameters.get(path, (path,)):
        name, field = split(target, items)
        item = items.get(name)
        if isinstance(item, Instance) and not _own(field):
            inside = {each.name: each for each in item.use.items}
            found += [f"{name}.{inner}" for inner in _reached(item.use, field, inside)]
        else:
            found.append(target)
    return found


def _own(field: str) -> bool:
    """Whether a field of an instance is one of its own, not one in its component."""
    return field.partition(".")[0] in ("position", "orientation")


def _set_again(component: Component, values: Mapping[str, Any]) -> dict[str, list[str]]:
    """Values without effect, as those behind them set all their fields again; with these fields."""
    items = {item.name: item for item in component.items}
    behind: set[str] = set()
    found: dict[str, list[str]] = {}
    for path in reversed(list(values)):
        fields = _reached(component, path, items)
        if fields and all(within(field, behind) for field in fields):
            found[path] = fields
        behind.update(fields)
    return found


def _several(item: Any, wanted: Sequence[tuple[str, str, Any]]) -> Any:
    """The item with other values in its fields, (path, field, value) each; the problems where they do not fit."""
    if isinstance(item, Instance):
        return _several_inside(item, wanted)
    found: Any = item
    problems: list[Problem] = []
    for path, field, value in wanted:
        try:
            found = _changed(found, field.split("."), value, item.called(item.name))
        except ModelError as error:
            problems += [Problem(path, p.what, p.why, p.fix) for p in error.problems]
    if len(wanted) > 1 and problems:
        try:  # those of them that fit together only
            return item.replace(**_fields(item, wanted))
        except ModelError:
            pass
    return problems or found


def _several_inside(instance: Instance, wanted: Sequence[tuple[str, str, Any]]) -> Any:
    """Likewise, of an instance: in its component what is given here holds before what the instance has itself."""
    path_of = {field: path for path, field, _ in wanted}
    if "" in path_of:
        what, fix = f"'{instance.name}' is a component", "name a field in it, e.g. spring.stiffness"
        return [Problem(path_of[""], what, "", fix)]
    inside = {field: value for _, field, value in wanted if not _own(field)}
    values = {**{path: value for path, value in instance.values.items() if path not in inside}, **inside}
    for path in _set_again(instance.use, values):
        values = values if path in inside else {key: value for key, value in values.items() if key != path}
    try:
        overridden(instance.use, values)  # it tells what is wrong with them
    except ModelError as error:
        return [Problem(path_of.get(p.where, p.where), p.what, p.why, p.fix) for p in error.problems]
    found: Any = instance.replace(values=values) if inside else instance
    for path, field, value in wanted:
        try:
            found = _changed(found, field.split("."), value, instance.called(instance.name)) if _own(field) else found
        except ModelError as error:
            return [Problem(path, p.what, p.why, p.fix) for p in error.problems]
    return found


def _fields(item: Any, wanted: Sequence[tuple[str, str, Any]]) -> dict[str, Any]:
    """All fields that change, with their new contents."""
    found: dict[str, Any] = {}
    for _, field, value in wanted:
        key, _, rest = field.partition(".")
        old = found.get(key, getattr(item, key, None))
        found[key] = _changed(old, rest.split("."), value, item.called(item.name)) if rest else value
    return found


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
