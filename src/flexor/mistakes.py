"""What pydantic found wrong, in the words of this package: one `Problem` per mistake, with place and fix."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from flexor.errors import FlexorError, Problem, UnitError

Path = tuple[str | int, ...]


def problems_of(
    error: ValidationError,
    where: str,
    cls: type[BaseModel] | None = None,
    source: Callable[[Path], str] = lambda path: "",
) -> list[Problem]:
    """One Problem per mistake in the thing called `where`, a declaration of class `cls`.

    source: file and line of a field, given by its path in the data, e.g. ("markers", "tip", "at").
    """
    found = [(item, *_locate(cls, item["loc"])) for item in error.errors(include_url=False)]
    misspelt = {
        (*path[:-1], nearest(str(path[-1]), _keys(owners)))
        for item, path, owners in found
        if item["type"] == "extra_forbidden"
    }
    problems = []
    for item, path, classes in found:
        if item["type"] == "missing" and path in misspelt:
            continue  # it is there under another name
        if item["type"] == "too_short" and any(_within(other, path) for _, other, _ in found):
            continue  # it is short of the entries that were refused
        field = ".".join(str(part) for part in path)
        for what, why, fix in _words(item, field, classes):
            problems.append(Problem(where, what, why, fix, source(path)))
    return problems


def nearest(word: str, choice: Iterable[str]) -> str:
    """The known word that looks most like the given one; empty if none does."""
    known = {name.lower(): name for name in choice}
    cutoff = 0.6 if len(word) > 3 else 0.5
    return known.get((get_close_matches(word.lower(), known, 1, cutoff) or [""])[0], "")


def suggestion(word: str, choice: Iterable[str], others: str = "known are") -> str:
    """`did you mean 'crank'?`, or the list of what there is."""
    choice = list(choice)
    if near := nearest(word, choice):
        return f"did you mean '{near}'?"
    listed = ", ".join(choice[:12]) + (", …" if len(choice) > 12 else "")
    return f"{others} {listed}" if listed else ""


def _within(inner: Path, outer: Path) -> bool:
    return len(inner) > len(outer) and inner[: len(outer)] == outer


def _locate(cls: type[BaseModel] | None, loc: Path) -> tuple[Path, list[type[BaseModel]]]:
    """The path in the data, free of the names of union members, and the classes its last part belongs to."""
    path: list[str | int] = []
    owners: list[type[BaseModel]] = []
    classes = [cls] if cls else []
    for part in loc:
        fields = [each.model_fields[part] for each in classes if part in each.model_fields]  # type: ignore[index]
        tagged = [each for each in classes if "type" in each.model_fields and each.model_fields["type"].default == part]
        if tagged and not fields:
            classes = tagged
            continue
        owners = classes
        path.append(part)
        if fields:
            classes = [each for field in fields for each in _declarations(field.annotation)]
    return tuple(path), owners


def _declarations(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [each for part in get_args(annotation) for each in _declarations(part)]


def _words(item: Any, field: str, classes: list[type[BaseModel]]) -> list[tuple[str, str, str]]:
    """(what, why, fix)"""
    kind, given = item["type"], item.get("input")
    if kind == "extra_forbidden":
        return [
            (
                f"unknown key '{field}'",
                "",
                suggestion(field.rpartition(".")[2], _keys(classes)) or "remove it",
            )
        ]
    if kind == "missing":
        return [(f"{field} is missing", "", f"add {field}: …")]
    if kind == "string_type":
        return [(f"{_subject(field, given)} is no text", "", f"write it in quotes: '{_short(given)}'")]
    if kind == "string_pattern_mismatch" and field.endswith("name"):
        why = "a dot separates a body from its marker"
        return [(f"{_subject(field, given)} has a dot or begins with a blank", why, "write e.g. left_arm")]
    if kind == "union_tag_invalid":
        tag, expected = (
            item["ctx"]["tag"],
            [name.strip("' ") for name in item["ctx"]["expected_tags"].split(",")],
        )
        return [(f"{field}: type '{tag}' is unknown".lstrip(": "), "", suggestion(tag, expected))]
    if kind == "union_tag_not_found":
        return [(f"{field} has no type".strip(), "it must say what it is", "add type: …")]
    cause = (item.get("ctx") or {}).get("error")
    if isinstance(cause, UnitError):
        return [(f"{field} = {p.where}: {p.what}", p.why, p.fix) for p in cause.problems]
    if isinstance(cause, FlexorError) and cause.problems:
        return [(f"{field}: {p.what}", p.why, p.fix) for p in cause.problems]
    return [_sentence(item["msg"].removeprefix("Value error, "), field, given)]


def _sentence(message: str, field: str, given: Any) -> tuple[str, str, str]:
    """A validator says `it is this; it should be that, e.g. so`; pydantic says `Input should be that`."""
    what, _, rest = message.partition(";")
    before, should, after = what.partition(" should ")
    if should and " " not in before:
        return f"{_subject(field, given)} should {after}", "", rest.strip()
    if field and what.startswith("it "):
        return f"{_subject(field, given)} {what.removeprefix('it ')}", "", rest.strip()
    return f"{field}: {what}" if field else what, "", rest.strip()


def _keys(classes: list[type[BaseModel]]) -> list[str]:
    return list(dict.fromkeys(key for each in classes for key in each.model_fields))


def _subject(field: str, given: Any) -> str:
    """`mass = -1`, but only `axis` for a value of several numbers."""
    return f"{field} = {_short(given)}" if field and isinstance(given, str | int | float | None) else field or "it"


def _short(value: Any) -> str:
    text = "null" if value is None else repr(value)
    return text if len(text) <= 60 else text[:57] + "…"
