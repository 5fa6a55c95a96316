"""Model files: a model from YAML or JSON text and back, and every mistake in it with its line."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from flexor.bodies import Body
from flexor.declaration import Item
from flexor.errors import MOST_SHOWN, FileError, Problem
from flexor.files import as_path, read_bytes
from flexor.io.replaceable import write_file
from flexor.mistakes import problems_of, suggestion
from flexor.model.as_meant import as_meant
from flexor.model.check import check
from flexor.model.component import Component, Instance, with_files
from flexor.model.expand import expand, needs_expansion
from flexor.model.items import KINDS
from flexor.model.markup import MERGE, Document, place, read_markup, scalar
from flexor.model.model import Model
from flexor.model.report import Report

FORMATS = {".yaml": "yaml", ".yml": "yaml", ".json": "json"}
COMMENT = re.compile(r"(^|\s)#")
LARGEST_FILE = 50_000_000  # bytes


def read(path: str | Path, libraries: Sequence[str | Path] = ()) -> tuple[Model, Report]:
    """The model in a file and the report of its check; raises ModelError with all mistakes, or FileError.

    libraries: folders of components, beside that of the file.
    """
    path = as_path(path, "model file")
    text, kind = text_of(path, "model file")
    return read_text(text, kind, str(path), path.parent, libraries)


def text_of(path: Path, what: str) -> tuple[str, str]:
    """The text of a file, and "yaml" or "json" by its ending; FileError if it cannot be read. what: a model file."""
    kind = _format(path)
    try:
        if path.stat().st_size > LARGEST_FILE:
            fix = "keep long tables in files of their own: {type: table, file: load.csv}"
            raise FileError(Problem(str(path), f"is larger than {LARGEST_FILE // 10**6} MB", "", fix))
        return read_bytes(path).decode("utf-8-sig"), kind
    except FileNotFoundError:
        fix = suggestion(path.name, model_files(path.parent), "there are") or "check name and folder"
        raise FileError(Problem(str(path), "does not exist", "", fix)) from None
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise FileError(Problem(str(path), "cannot be read", why, f"a {what} is a text file")) from None
    except UnicodeDecodeError as error:
        why, fix = f"byte {error.start} is not UTF-8", f"check that it is a {what}, and save it as UTF-8"
        raise FileError(Problem(str(path), "is no text", why, fix)) from None
    except ValueError as error:  # a name with a NUL in it
        raise FileError(Problem(repr(str(path)), "is no file name", str(error), "check the name")) from None


def read_text(
    text: str,
    kind: str = "yaml",
    source: str = "",
    folder: str | Path = ".",
    libraries: Sequence[str | Path] = (),
) -> tuple[Model, Report]:
    """The model in a text; `source` is what messages call it, `folder` where files named in it are sought."""
    from flexor.model.library import Library

    document = read_markup(text, source, json_text=_known(kind) == "json")
    data = document.root.data
    if not isinstance(data, dict):
        what, why = "it is no model", "a model begins with its name"
        raise FileError(Problem("", what, why, "write name: pendulum, then items:", document.at()))
    if own := [key for key in ("ports", "parameters") if key in data]:
        fix = f"use it in a model: - {{type: instance, name: part, use: {Path(source).name or '…'}}}"
        raise FileError(Problem("", "it is a component, no model", f"it has {own[0]}", fix, document.at((own[0],))))
    context: dict[str, Any] = {"folder": Path(folder), "library": Library(libraries, folder)}
    problems = given_twice(document)
    gravity = (0.0, 0.0, 0.0)
    try:
        header = {key: value for key, value in data.items() if key not in LISTS}
        gravity = Model.model_validate(header, context=context).gravity
    except ValidationError as error:
        problems += problems_of(error, Model.called(data.get("name")), Model, document.at)
    entries = [entry for key in LISTS for entry in _entries(data, key, document, problems)]
    first = sum(path[0] == "items" for path, _ in entries)
    items: list[tuple[int, Item]] = []
    broken, guessed = set(), set()
    for number, (path, entry) in enumerate(entries):
        found = item_of(entry, path, document, context, MOST_SHOWN - len(problems))
        if isinstance(found, Item):
            items.append((number, found))
            continue
        problems += found
        if (meant := as_meant(entry, context)) is not None:
            items.append((number, meant))
            guessed.add(number)
        else:
            broken.add(str(entry.get("name")) if isinstance(entry, dict) else "")
    problems += _same_names(entries, {number for number, _ in items} - guessed, document)

    def at(number: int, field: tuple[str | int, ...]) -> str:
        return document.at((*entries[number][0], *field))

    members = [item for number, item in items if number < first]
    if needs_expansion([item for _, item in items]):
        flat = expand([item for _, item in items], {i: partial(at, number) for i, (number, _) in enumerate(items)})
        problems += flat.problems
        broken |= flat.broken
        numbers = [items[origin][0] for origin in flat.origin]
        count = sum(number < first for number in numbers)
        guessed = {i for i, number in enumerate(numbers) if number in guessed}
        items, first, at = list(enumerate(flat.items)), count, lambda number, field: flat.places[number](field)
        items = [each for each in items if each[1].name not in flat.broken]

    report = check([each for each in items if each[0] < first], at, broken, gravity=gravity, guessed=guessed)
    resting = [item for number, item in items if number >= first]
    if resting:
        held = check(items, at, broken, gravity=gravity, guessed=guessed)
        report = report.with_resting(held, resting)
    report = replace(
        report,
        problems=tuple(sorted((*problems, *report.problems), key=_line)),
        warnings=tuple(sorted(report.warnings, key=_line)),
    )
    report.raise_errors()
    parts = {"items": members, "at_rest": resting}
    return Model.model_validate({**header, **parts}, context=context), report


LISTS = ("items", "at_rest")
"""Keys of a model file that hold lists of items."""
Entry = tuple[tuple[str, int], object]
"""Where an item stands in a file, and what is written there."""


def _entries(data: dict[str, Any], key: str, document: Document, problems: list[Problem]) -> list[Entry]:
    """What is listed under a key; it tells if that is no list."""
    given = data.get(key)
    if given is not None and not isinstance(given, list):
        what, fix = f"{key} is no list", "write each item as - type: …"
        problems.append(Problem(Model.called(data.get("name")), what, "", fix, document.at((key,))))
    return [((key, number), entry) for number, entry in enumerate(given if isinstance(given, list) else ())]


def _same_names(entries: list[Entry], sound: set[int], document: Document) -> list[Problem]:
    """Names that are given twice, where one of the two items has other mistakes; of sound ones the check of the model tells."""
    first: dict[str, int] = {}
    found = []
    for number, (path, entry) in enumerate(entries):
        name = entry.get("name") if isinstance(entry, dict) else None
        if not isinstance(entry, dict) or not isinstance(name, str):
            continue
        other = first.setdefault(name, number)
        if other != number and not {other, number} <= sound:
            kind = KINDS.get(str(entry.get("type")))
            where = kind.called(name) if kind is not None else f"item '{name}'"
            before: Any = entries[other][1]
            other_kind = str(before.get("type") or "further item").replace("_", " ")
            what = f"its name is given twice, also to a {other_kind}"
            at = document.at((*path, "name"))
            found.append(Problem(where, what, "every item needs a name of its own", "rename one of them", at))
    return found


def write(model: Model, path: str | Path, *, overwrite: bool = False) -> Path:
    """Write the model to a file; its ending chooses YAML or JSON. Mesh files are named as seen from its folder.

    overwrite: also in the place of another model, or of one with comments.
    """
    path = as_path(path, "model file")
    if not overwrite and (why := _worth_keeping(path, model.name)):
        fix = "choose another name, or save it with overwrite=True"
        raise FileError(Problem(f"model file {path}", "exists and would be lost", why, fix))
    members = with_files(model.members, partial(_seen_from, path.parent), partial(_beside, path.parent))
    return write_file(path, write_text(model, _format(path), members), "model file")


def write_component(component: Component, path: str | Path, *, overwrite: bool = False) -> Path:
    """Write a component to a file; its ending chooses YAML or JSON. Files are named as seen from its folder."""
    path = as_path(path, "component file")
    kind = _format(path)
    if path.exists() and not overwrite:
        fix = "choose another name, or save it with overwrite=True"
        raise FileError(Problem(f"component file {path}", "exists and would be lost", "", fix))
    items = with_files(component.items, partial(_seen_from, path.parent), partial(_beside, path.parent))
    data = component.replace(items=items).model_dump(mode="json", exclude_defaults=True)
    return write_file(path, _text(data, kind), "component file")


def _beside(folder: Path, file: str) -> str:
    """The file of a component as seen from the folder of a model; empty where it does not lie in it."""
    whole, place = Path(file).resolve(), folder.resolve()
    return whole.relative_to(place).as_posix() if whole.is_relative_to(place) else ""


def _worth_keeping(path: Path, name: str) -> str:
    """What a model file has that one of a model of this name, as it is written here, has not."""
    try:
        text = read_bytes(path).decode("utf-8-sig")
        data = yaml.safe_load(text)  # JSON is YAML, too
    except (OSError, ValueError, FileError, yaml.YAMLError):  # not there, or none: the writer tells
        return ""
    if not isinstance(data, dict) or "items" not in data:
        return ""
    if data.get("name") != name:
        return f"it holds another model, '{data.get('name')}'"
    written = yaml_text(yaml.safe_load(text)) if path.suffix.lower() != ".json" else text
    comments = [
        line[found.start() :]
        for line in text.splitlines()
        if (found := COMMENT.search(line)) and line not in written.splitlines()
    ]
    return f"it has comments, which a saved model does not keep: {comments[0].strip()[:60]}" if comments else ""


def _seen_from(folder: Path, file: str) -> str:
    if Path(file).is_absolute():
        return file
    try:
        return Path(os.path.relpath(file, folder)).as_posix()
    except ValueError:  # another drive
        return str(Path(file).absolute())


def write_text(model: Model, kind: str = "yaml", members: tuple[Item, ...] | None = None) -> str:
    """The model as YAML or JSON text; values that are defaults are left out.   members: in the place of its items."""
    written = model.model_copy(update={"items": model.members if members is None else members})
    if _known(kind) == "json":
        return written.model_dump_json(exclude_defaults=True, indent=2) + "\n"
    return yaml_text(written.model_dump(mode="json", exclude_defaults=True))


def _text(data: object, kind: str) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n" if kind == "json" else yaml_text(data)


def _known(kind: str) -> str:
    if kind not in FORMATS.values():
        raise FileError(Problem("model file", f"format '{kind}' is unknown", "", "take yaml or json"))
    return kind


def _format(path: Path) -> str:
    if path.suffix.lower() not in FORMATS:
        why = "the ending tells the format"
        raise FileError(Problem(str(path), f"ends in '{path.suffix}'", why, f"use {', '.join(FORMATS)}"))
    return FORMATS[path.suffix.lower()]


def model_files(folder: Path) -> list[str]:
    try:
        return sorted(each.name for each in folder.iterdir() if each.suffix.lower() in FORMATS)
    except OSError:
        return []


def _line(problem: Problem) -> int:
    digits = problem.source.rpartition(":")[2].removeprefix("line ")
    return int(digits) if digits.isdigit() else 0


def _called(entry: object, number: int) -> str:
    """`joint 'pin'`, or `item 3` (counted from 1) if it has no name."""
    kinds: dict[str, type[Item]] = {**KINDS, "instance": Instance}
    kind = kinds.get(str(entry.get("type"))) if isinstance(entry, dict) else None
    name = entry.get("name") if isinstance(entry, dict) else None
    if isinstance(name, str):
        return kind.called(name) if kind else f"item '{name}'"
    return f"item {number + 1}"


def listed(given: object) -> bool:
    """Whether it may be a list of items."""
    return given is None or isinstance(given, list)


def given_twice(document: Document) -> list[Problem]:
    problems = []
    data = document.root.data
    assert isinstance(data, dict)
    for twice in document.twice:
        where = Model.called(data.get("name"))
        listed = data.get(str(twice.path[0])) if len(twice.path) > 1 and twice.path[0] in LISTS else None
        if isinstance(listed, list):
            where = _called(listed[int(twice.path[1])], int(twice.path[1]))
        field = ".".join(str(part) for part in (*twice.path[2:], twice.key))
        why = f"it stands also in line {twice.first_line}"
        problems.append(
            Problem(
                where,
                f"{field} is given twice",
                why,
                "remove one of them",
                place(document.source, twice.line),
            )
        )
    return problems


def item_of(
    entry: object, path: tuple[str | int, ...], document: Document, context: dict[str, Any], most: int
) -> Item | list[Problem]:
    """The item, or what is wrong with it; beyond `most` mistakes they are only counted."""
    where = _called(entry, int(path[-1]))
    if not isinstance(entry, dict):
        fix = "write e.g. - {type: rigid_body, name: arm, mass: 1}"
        return [Problem(where, "it is no mapping of keys to values", "", fix, document.at(path))]
    kind = entry.get("type")
    if "type" not in entry:
        fix = f"add type: {', '.join(list(KINDS)[:3])}, …"
        return [Problem(where, "type is missing", "an item must say what it is", fix, document.at(path))]
    if kind == "user_law":
        why, fix = "a file cannot carry code", "build this model in Python"
        return [Problem(where, "it is a user law", why, fix, document.at((*path, "type")))]
    if kind == "instance":
        if path[0] == "at_rest":
            why, fix = "a component cannot come and go", "put it among the items"
            return [Problem(where, "it stands in at_rest", why, fix, document.at(path))]
        found: Item | list[Problem] = context["library"].instance(entry, path, document, context, most)
        return found
    if not isinstance(kind, str) or kind not in KINDS:
        fix = suggestion(str(kind), [*KINDS, "instance"], "types are") if most > 0 else ""
        return [Problem(where, f"type '{str(kind)[:60]}' is unknown", "", fix, document.at((*path, "type")))]
    if path[0] == "at_rest" and issubclass(KINDS[kind], Body):
        why, fix = "a body cannot come and go", "put it among the items"
        return [Problem(where, "it stands in at_rest", why, fix, document.at(path))]
    try:
        return KINDS[kind].model_validate(entry, context=context)
    except ValidationError as error:
        cls = KINDS[kind]
        in_another = getattr(cls, "stands", None)  # a field that may be written in another one

        def stands(field: tuple[str | int, ...]) -> tuple[str | int, ...]:
            return in_another(field, entry) if in_another else field

        return problems_of(error, where, cls, lambda field: document.at((*path, *field)), most, stands)


def yaml_text(data: object) -> str:
    """Lists, mappings and words as they stand in a model file."""
    return yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110)


class _Dumper(yaml.SafeDumper):
    """Writes numbers in a row, small mappings in one line, and quotes around text that needs them."""

    def ignore_aliases(self, data: object) -> bool:
        return True

    def represent_list(self, data: list[object]) -> yaml.Node:  # type: ignore[override]
        flow = not any(isinstance(value, dict | list) for value in data)
        return self.represent_sequence("tag:yaml.org,2002:seq", data, flow_style=flow)

    def represent_dict(self, data: dict[str, object]) -> yaml.Node:  # type: ignore[override]
        simple = not any(isinstance(value, dict) or _nested(value) for value in data.values())
        return self.represent_mapping("tag:yaml.org,2002:map", data, flow_style=simple and "name" not in data)

    def represent_str(self, data: str) -> yaml.Node:  # type: ignore[override]
        """Breaks and other signs that do not show are written as escapes."""
        return self.represent_scalar(_TEXT, data, style=None if data.isprintable() else '"')

    def represent_float(self, data: float) -> yaml.Node:  # type: ignore[override]
        text = str(int(data)) if data == int(data) and abs(data) < 1e15 and str(data) != "-0.0" else repr(data)
        return self.represent_scalar(_PLAIN, text)

    def represent_other(self, data: bool | int | None) -> yaml.Node:
        return self.represent_scalar(_PLAIN, json.dumps(data))

    def resolve(self, kind: type[yaml.Node], value: str, implicit: tuple[bool, bool]) -> str:
        """Words that are no text share one tag; text that a reader would take for such a word gets quotes."""
        if kind is yaml.ScalarNode and implicit[0]:
            return _TEXT if isinstance(scalar(value), str) and value != MERGE else _PLAIN
        return super().resolve(kind, value, implicit)


_TEXT, _PLAIN = "tag:yaml.org,2002:str", "tag:yaml.org,2002:word"
_Dumper.add_representer(list, _Dumper.represent_list)
_Dumper.add_representer(dict, _Dumper.represent_dict)
_Dumper.add_representer(str, _Dumper.represent_str)
_Dumper.add_representer(float, _Dumper.represent_float)
for _type in (int, bool, type(None)):
    _Dumper.add_representer(_type, _Dumper.represent_other)


def _nested(value: object) -> bool:
    return isinstance(value, list) and any(isinstance(each, dict | list) for each in value)
