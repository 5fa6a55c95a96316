"""YAML and JSON text to plain data, with the line of everything that stands in it.

Plain data is all there is: mappings with text keys, lists, text, numbers, true, false and null. Tags are
refused, so nothing in a file is ever executed. Words and numbers are those of YAML 1.2: `1e-3` is a number;
yes, no, on and off are text. Aliases (`*name`) and merge keys (`<<`) are followed; a file that grows beyond
LARGEST_COUNT values through them is refused.
"""

from __future__ import annotations

import json
import math
import re
from bisect import bisect_right
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import yaml

from flexor.errors import FileError, Problem

LARGEST_COUNT = 2_000_000  # values, aliases counted as often as they are used
MERGE = "<<"  # the key that takes over the entries of another mapping
DEEPEST = 40  # mappings and lists inside each other

_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_WORDS: dict[str, float | bool | None] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
    ".inf": math.inf, "+.inf": math.inf, "-.inf": -math.inf, ".nan": math.nan,
    "Infinity": math.inf, "-Infinity": -math.inf, "NaN": math.nan,
}  # fmt: skip


def scalar(text: str) -> float | bool | str | None:
    """What a word without quotes means."""
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _NUMBER.fullmatch(text) else text


@dataclass(frozen=True, slots=True)
class Entry:
    """A value with its line (a field: that of its key); `parts` holds the entries of a mapping or list."""

    data: object
    line: int
    parts: dict[str, Entry] | list[Entry] | None = None
    count: int = 1
    depth: int = 0

    def line_of(self, path: tuple[str | int, ...]) -> int:
        """Line of the value at the path, or of the nearest thing around it that there is."""
        entry = self
        for part in path:
            if isinstance(entry.parts, dict) and part in entry.parts:
                entry = entry.parts[part]  # type: ignore[index]
            elif isinstance(entry.parts, list) and isinstance(part, int) and part < len(entry.parts):
                entry = entry.parts[part]
            else:
                break
        return entry.line


class Twice(NamedTuple):
    """A key that stands twice in the mapping at the path."""

    path: tuple[str | int, ...]
    key: str
    line: int
    first_line: int


@dataclass
class Document:
    """The contents of a file; `source` is what messages call it."""

    source: str
    root: Entry = field(default_factory=lambda: Entry(None, 1))
    twice: list[Twice] = field(default_factory=list)

    def at(self, path: tuple[str | int, ...] = ()) -> str:
        """File and line of the value at the path, as in model.yaml:31."""
        return place(self.source, self.root.line_of(path))


def place(source: str, line: int) -> str:
    return f"{source}:{line}" if source else f"line {line}"


def read_markup(text: str, source: str, json_text: bool = False) -> Document:
    """The document written in the text; raises FileError where it cannot be understood."""
    if not text.strip():
        raise FileError(Problem(source, "is empty", "a model has at least a name and items", "e.g. name: pendulum"))
    reader = _Reader(source, _json_events(text, source) if json_text else _yaml_events(text, source))
    return reader.document


class _Event(NamedTuple):
    kind: str  # scalar, mapping, sequence, end, alias
    line: int
    text: str = ""  # of a scalar; the name of an alias
    plain: bool = False  # a scalar without quotes
    anchor: str | None = None


class _Reader:
    """Builds entries from events."""

    def __init__(self, source: str, events: Iterator[_Event]) -> None:
        self.events = events
        self.document = Document(source)
        self.anchors: dict[str, Entry] = {}
        self.count = 0
        first = next(events, None)
        if first is None:
            raise FileError(Problem(source, "is empty", "it holds comments only", "e.g. name: pendulum"))
        self.document.root = self.entry(first, ())
        if extra := next(events, None):
            raise self.error(extra.line, "a second document begins here", "a file holds one model", "split the file")

    def too_deep(self, line: int) -> FileError:
        return self.error(line, f"values are nested more than {DEEPEST} deep", "", "check the brackets")

    def error(self, line: int, what: str, why: str = "", fix: str = "") -> FileError:
        return FileError(Problem("", what, why, fix, place(self.document.source, line)))

    def entry(self, event: _Event, path: tuple[str | int, ...]) -> Entry:
        if len(path) > DEEPEST:
            raise self.too_deep(event.line)
        entry: Entry = getattr(self, event.kind)(event, path)
        if len(path) + entry.depth > DEEPEST:
            raise self.too_deep(event.line)
        self.count += entry.count if event.kind == "alias" else 1
        if self.count > LARGEST_COUNT:
            fix = "keep long tables in a file of their own: {type: table, file: load.csv}"
            raise self.error(event.line, f"there are more than {LARGEST_COUNT} values", "", fix)
        if event.anchor:
            self.anchors[event.anchor] = entry
        return entry

    def scalar(self, event: _Event, path: tuple[str | int, ...]) -> Entry:
        return Entry(scalar(event.text) if event.plain else event.text, event.line)

    def alias(self, event: _Event, path: tuple[str | int, ...]) -> Entry:
        if event.text not in self.anchors:
            fix = f"put &{event.text} before the value it stands for"
            raise self.error(event.line, f"alias *{event.text} refers to nothing before it", "", fix)
        return self.anchors[event.text]

    def sequence(self, event: _Event, path: tuple[str | int, ...]) -> Entry:
        parts: list[Entry] = []
        while (item := next(self.events)).kind != "end":
            parts.append(self.entry(item, (*path, len(parts))))
        return Entry([part.data for part in parts], event.line, parts, *_size(parts))

    def mapping(self, event: _Event, path: tuple[str | int, ...]) -> Entry:
        parts: dict[str, Entry] = {}
        merged: dict[str, Entry] = {}
        while (key := next(self.events)).kind != "end":
            if key.kind != "scalar":
                raise self.error(key.line, "a key is no text", "", "write key: value, and text with { or [ in quotes")
            value = self.entry(next(self.events), (*path, key.text))
            if key.text == MERGE and key.plain:
                merged = {**self.defaults(value), **merged}
            elif key.text in parts:
                self.document.twice.append(Twice(path, key.text, key.line, parts[key.text].line))
            else:
                parts[key.text] = Entry(value.data, key.line, value.parts, value.count, value.depth)
        parts = {**merged, **parts}
        data = {key: part.data for key, part in parts.items()}
        return Entry(data, event.line, parts, *_size(parts.values()))

    def defaults(self, value: Entry) -> dict[str, Entry]:
        """Entries taken over by a merge key; the first mapping of a list of them holds."""
        mappings = value.parts if isinstance(value.parts, list) else [value]
        found: dict[str, Entry] = {}
        for mapping in mappings:
            if not isinstance(mapping.parts, dict):
                raise self.error(value.line, "<< is followed by no mapping", "", "write <<: *name")
            found = {**mapping.parts, **found}
        return found


def _size(parts: Collection[Entry]) -> tuple[int, int]:
    """Number of values, and how deep they are nested."""
    return 1 + sum(part.count for part in parts), 1 + max((part.depth for part in parts), default=0)


def _yaml_events(text: str, source: str) -> Iterator[_Event]:
    loader: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        for event in yaml.parse(text, Loader=loader):
            begin: Any = event.start_mark
            line, tag = begin.line + 1, getattr(event, "tag", None)
            if tag is not None:
                what, why = f"tag {tag} is not allowed", "a model file holds plain data only"
                raise FileError(Problem("", what, why, "remove it", place(source, line)))
            anchor = getattr(event, "anchor", None)
            if isinstance(event, yaml.AliasEvent):
                yield _Event("alias", line, str(anchor))
            elif isinstance(event, yaml.ScalarEvent):
                yield _Event("scalar", line, event.value, event.implicit[0], anchor)
            elif isinstance(event, yaml.MappingStartEvent):
                yield _Event("mapping", line, anchor=anchor)
            elif isinstance(event, yaml.SequenceStartEvent):
                yield _Event("sequence", line, anchor=anchor)
            elif isinstance(event, yaml.CollectionEndEvent):
                yield _Event("end", line)
    except (yaml.YAMLError, UnicodeError) as error:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        line = mark.line + 1 if mark else text.count("\n", 0, getattr(error, "position", None) or 0) + 1
        said = getattr(error, "problem", None) or getattr(error, "reason", None) or "it is no text"
        context = getattr(error, "context", None)
        what = "the YAML cannot be read: " + (f"{said}, {context}" if context else said)
        fix = "check indentation, colons, quotes and brackets here and in the lines before"
        raise FileError(Problem("", what, "", fix, place(source, line))) from None


_JSON_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]]|[^\s,:{}\[\]"]+')
_JSON_KINDS = {"{": "mapping", "[": "sequence", "}": "end", "]": "end"}


def _json_events(text: str, source: str) -> Iterator[_Event]:
    try:
        json.loads(text, parse_int=float)  # the grammar; what follows needs to know no more than the tokens
    except json.JSONDecodeError as error:
        what = f"the JSON cannot be read: {error.msg}"
        fix = "check commas, quotes and brackets here and in the line before"
        raise FileError(Problem("", what, "", fix, place(source, error.lineno))) from None
    except RecursionError:
        raise FileError(Problem(source, "values are nested too deep", "", "check the brackets")) from None
    newlines = [match.start() for match in re.finditer("\n", text)]
    for match in _JSON_TOKEN.finditer(text):
        token, line = match[0], bisect_right(newlines, match.start()) + 1
        if token in _JSON_KINDS:
            yield _Event(_JSON_KINDS[token], line)
        elif token.startswith('"'):
            yield _Event("scalar", line, json.loads(token))
        else:
            yield _Event("scalar", line, token, plain=True)
