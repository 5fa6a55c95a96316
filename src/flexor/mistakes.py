"""What pydantic found wrong, in the words of this package: one `Problem` per mistake, with place and fix."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from typing import get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from flexor.errors import MOST_SHOWN, ComponentError, FlexorError, Problem, UnitError

Path = tuple[str | int, ...]
MOST_COMPARED, LONGEST_COMPARED = 5000, 200


def problems_of(
    error: ValidationError,
    where: str,
    cls: type[BaseModel] | None = None,
    source: Callable[[Path], str] = lambda path: "",
    most: int = MOST_SHOWN,
    stands: Callable[[Path], Path] = lambda path: path,
) -> list[Problem]:
    """One Problem per mistake in the thing called `where`, a declaration of class `cls`; beyond `most` they are counted.

    source: file and line of a field, given by its path in the data, e.g. ("markers", "tip", "at").
    stands: where in the data a field stands that may be written elsewhere.
    """
    count = error.error_count()
    shown = count if count <= most else most - 1
    if shown <= 0:
        return [_more(where, count, source(()))]
    found = [(item, *_locate(cls, item["loc"])) for item in error.errors(include_url=False)[:shown]]
    misspelt = {
        (*path[:-1], nearest(str(path[-1]), _keys(owners)))
        for item, path, owners in found
        if item["type"] == "extra_forbidden"
    }
    untyped = {path for item, path, _ in found if item["type"] == "union_tag_invalid"}
    problems = []
    for item, path, classes in found:
        if item["type"] == "missing" and path in misspelt:
            continue  # it is there under another name
        if item["type"] == "too_short" and any(_within(other, path) for _, other, _ in found):
            continue  # it is short of the entries that were refused
        if item["type"] == "tuple_type" and any(other == path and each is not item for each, other, _ in found):
            continue  # it may be a single one or a list of them, and is neither
        if path[-1:] == ("type",) and path[:-1] in untyped:
            continue  # an unknown type is told with all that are known
        expected, path = _expected(path, classes), stands(path)
        field = ".".join(str(part) for part in path)
        cause = (item.get("ctx") or {}).get("error")
        if isinstance(cause, ComponentError):  # of items inside, which it names
            problems += [replace(p, source=p.source or source(path)) for p in cause.problems]
            continue
        if isinstance(cause, UnitError) and cause.places:  # values inside what the field holds
            for place, p in zip(cause.places, cause.problems, strict=True):
                full = (*path, *place)
                what = f"{'.'.join(map(str, full))} = {p.where}: {p.what}".removeprefix(" = ")
                problems.append(Problem(where, what, p.why, p.fix, source(full)))
            continue
        for what, why, fix in _words(item, field, classes, expected):
            problems.append(Problem(where, what, why, fix, source(path)))
    last = problems[-1].source if problems else source(())
    return [*problems, _more(where, count - shown, last)] if count > shown else problems


def _more(where: str, count: int, source: str) -> Problem:
    mistakes = "one mistake" if count == 1 else f"{count} mistakes"
    return Problem(where, f"it has {mistakes} more", "", "mend the others first", source)


def nearest(word: object, choice: Iterable[str]) -> str:
    """The known word that looks most like the given one; empty if none does, or if it is no text."""
    if not isinstance(word, str):
        return ""
    known = {name.lower(): name for name in choice}
    if len(known) > MOST_COMPARED or len(word) > LONGEST_COMPARED:  # it would take minutes
        return known.get(word.lower(), "")
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
        if tagged and (len(classes) > 1 or not fields):  # one of them alone may have a field of that name
            classes = tagged
            continue
        if isinstance(part, str) and not fields and re.fullmatch(r"[a-z-]+\[.*\]", part):
            continue  # a member of a union that has no type: tuple[…]
        owners = classes
        path.append(part)
        if fields:
            classes = [each for field in fields for each in _declarations(field.annotation)]
    return tuple(path), owners


def _declarations(annotation: object) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [each for part in get_args(annotation) for each in _declarations(part)]


def _expected(path: Path, owners: list[type[BaseModel]]) -> list[type[BaseModel]]:
    """The declarations that may stand where a path ends: in a field of `owners`, or in a list or table of them."""
    fields = [each.model_fields[path[-1]] for each in owners if path[-1] in each.model_fields]  # type: ignore[index]
    return [each for field in fields for each in _declarations(field.annotation)] if fields else owners


def _words(
    item: ErrorDetails, field: str, classes: list[type[BaseModel]], expected: list[type[BaseModel]]
) -> list[tuple[str, str, str]]:
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
        own = getattr(given, "name", None)
        fix = f"write its name: '{own}'" if isinstance(own, str) else f"write it in quotes: '{_short(given)}'"
        return [(f"{_subject(field, given)} is no text", "", fix)]
    if kind == "string_pattern_mismatch" and field.endswith("name"):
        why = "dots separate components from what stands in them"
        return [
            (f"{_subject(field, given)} has nothing, or a blank, before or behind a dot", why, "write e.g. left_arm")
        ]
    if kind == "union_tag_invalid":
        tag, tags = item["ctx"]["tag"], [name.strip("' ") for name in item["ctx"]["expected_tags"].split(",")]
        return [(f"{field}: type '{tag}' is unknown".lstrip(": "), "", suggestion(tag, tags))]
    if kind == "union_tag_not_found" and isinstance(given, Mapping):
        known = [_tag(each) for each in expected]
        return [(f"{field} has no type".strip(), "it must say what it is", f"add type: {_some(known) or '…'}")]
    if kind in _NO_RECORD and expected and not isinstance(given, Mapping):
        return [_of_another_kind(field, given, expected)]
    if kind == "too_short":
        least, own = item["ctx"]["min_length"], item["ctx"]["actual_length"]
        return [(f"{field} has {own or 'no'} {'entry' if own == 1 else 'entries'}", "", f"give {least} or more")]
    if kind in ("bool_parsing", "bool_type"):
        return [(f"{_subject(field, given)} is neither true nor false", "", "write true or false")]
    if kind in ("tuple_type", "list_type"):
        inside = given if isinstance(given, str | int | float) else "…"
        return [(f"{_subject(field, given)} is no list", "", f"write it in brackets: [{inside}]")]
    cause = (item.get("ctx") or {}).get("error")
    if isinstance(cause, UnitError):
        return [(f"{field} = {p.where}: {p.what}".removeprefix(" = "), p.why, p.fix) for p in cause.problems]
    if isinstance(cause, FlexorError) and cause.problems:
        return [(f"{field}: {p.what}", p.why, p.fix) for p in cause.problems]
    return [_sentence(item["msg"].removeprefix("Value error, "), field, given)]


_NO_RECORD = ("model_attributes_type", "model_type", "union_tag_not_found")
"""What pydantic calls a value that is no record of fields."""


def _of_another_kind(field: str, given: object, expected: list[type[BaseModel]]) -> tuple[str, str, str]:
    """`reduction = 'craig' does not fit; it takes craig_bampton, guyan …, write e.g. CraigBampton(modes=…), …`"""
    known = {_tag(each): each for each in expected}
    near = nearest(given, known) if isinstance(given, str) else ""
    like = next((each for each in expected if each is given), known.get(near, expected[0]))
    required = [key for key, info in like.model_fields.items() if info.is_required()]
    keys = required or list(getattr(like, "positional", ()))[:1]
    tag = [f"type: {_tag(like)}"] if "type" in like.model_fields else []
    python = f"{like.__name__}({', '.join(f'{key}=…' for key in keys)})"
    in_file = f"{{{', '.join([*tag, *(f'{key}: …' for key in keys)])}}}"
    shown = given.__name__ if isinstance(given, type) else _short(given)
    return (
        f"{field} = {shown} does not fit",
        f"it takes {_some(list(known))}",
        f"write e.g. {python}, in a file {in_file}",
    )


def _tag(cls: type[BaseModel]) -> str:
    """What a file calls it."""
    return str(cls.model_fields["type"].default) if "type" in cls.model_fields else cls.__name__.lower()


def _some(words: list[str]) -> str:
    """`craig_bampton, guyan or krylov`, at most seven."""
    words = words[:7] + ["…"] * (len(words) > 7)
    return " or ".join(part for part in (", ".join(words[:-1]), words[-1] if words else "") if part)


def _sentence(message: str, field: str, given: object) -> tuple[str, str, str]:
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


def _subject(field: str, given: object) -> str:
    """`mass = -1`, but only `axis` for a value of several numbers."""
    return f"{field} = {_short(given)}" if field and isinstance(given, str | int | float | None) else field or "it"


def _short(value: object) -> str:
    text = "null" if value is None else repr(value)
    return text if len(text) <= 60 else text[:57] + "…"
