"""Abaqus and CalculiX input as a list of keywords, each with its options and data lines, includes opened."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from flexor.io.draft import Place
from flexor.io.file_text import Lines, include, read_lines, wrong

_PART = re.compile(r'(?:[^,"]|"[^"]*"?)+')  # between commas, except those in quotes


@dataclass
class Keyword:
    """One keyword line with what follows it up to the next."""

    name: str
    """Upper case, single spaces, without the asterisk: SOLID SECTION."""
    options: dict[str, str]
    """Names in upper case; values as written; "" for options without a value."""
    path: Path
    line: int
    data: list[Lines] = field(default_factory=list)
    """Data lines without comments and blank ones, one entry per file they come from."""
    scope: str = ""
    """"part" or "assembly" in files that have them."""
    step: int = 0
    """Number of the *STEP it stands in; 0 before the first."""

    @property
    def place(self) -> Place:
        return self.path, self.line

    def rows(self) -> Iterator[tuple[Place, list[str]]]:
        """Data lines as stripped fields, for keywords with few of them; a comma at the end adds no field."""
        for lines in self.data:
            for number, text in zip(lines.numbers, lines.text):
                fields = [each.strip() for each in text.split(",")]
                yield (lines.path, number), fields[:-1] if len(fields) > 1 and not fields[-1] else fields

    def option(self, name: str, meaning: str) -> str:
        """An option that must be there."""
        value = self.options.get(name, "")
        if not value:
            raise wrong(*self.place, f"*{self.name} has no {name}", f"it names {meaning}", f"write {name}=…")
        return value


def read_keywords(path: Path) -> tuple[list[Keyword], list[Place]]:
    """All keywords of a file and of the files it includes; and lines without an end, where a file may be cut off."""
    found: list[Keyword] = []
    unended: list[Place] = []
    _collect(path, found, [path], unended)
    if not found:
        raise wrong(path, 1, "no keyword (*NODE, …) in the file", "this is no Abaqus or CalculiX input")
    return found, unended


def _collect(path: Path, found: list[Keyword], open_files: list[Path], unended: list[Place]) -> None:
    lines = read_lines(path)
    if not lines.ended:
        unended.append((path, len(lines)))
    text = lines.text
    starts = [i for i, line in enumerate(text) if "*" in line and line.lstrip()[:1] == "*"]
    begin = 0
    at = 0
    while at < len(starts):
        i = starts[at]
        at += 1
        if text[i].lstrip()[:2] == "**":
            continue  # comments are dropped with the blank lines below
        _add_data(found, lines, begin, i)
        last = i
        while text[last].rstrip()[-1:] == "," and last + 1 < len(text) and text[last + 1].lstrip()[:1] != "*":
            last += 1  # a keyword line that ends with a comma goes on
        keyword = _keyword("".join(text[i : last + 1]), path, i + 1)
        begin = last + 1
        if keyword.name == "INCLUDE":
            name = keyword.option("INPUT", "the file to include")
            inner = include(name, path, i + 1, open_files)
            _collect(inner, found, [*open_files, inner], unended)
            continue
        found.append(keyword)
        if "INPUT" in keyword.options and keyword.name in ("NODE", "ELEMENT", "NSET", "ELSET"):
            inner = include(keyword.options["INPUT"], path, i + 1, open_files)
            _collect(inner, found, [*open_files, inner], unended)
    _add_data(found, lines, begin, len(text))


def _add_data(found: list[Keyword], lines: Lines, begin: int, end: int) -> None:
    """Lines begin … end−1 belong to the keyword before them."""
    if begin >= end:
        return
    text = lines.text
    keep = [i for i in range(begin, end) if (line := text[i].strip()) and line[:2] != "**"]
    if not keep:
        return
    if not found:
        what = f"{text[keep[0]].strip()[:40]!r} stands before the first keyword"
        raise wrong(lines.path, keep[0] + 1, what, fix="is this an Abaqus or CalculiX input file?")
    if len(keep) == end - begin:
        found[-1].data.append(Lines(lines.path, text[begin:end], range(begin + 1, end + 1)))
    else:
        found[-1].data.append(lines.kept(keep))


def _keyword(text: str, path: Path, line: int) -> Keyword:
    parts = _PART.findall(text.strip()[1:])
    name = " ".join(parts[0].split()).upper() if parts else ""
    if not name:
        raise wrong(path, line, "a keyword is empty", fix="remove the line or write its name")
    options = {}
    for part in parts[1:]:
        key, _, value = part.partition("=")
        if key.strip():
            options[" ".join(key.split()).upper()] = value.strip().strip('"').strip()
    return Keyword(name, options, path, line)
