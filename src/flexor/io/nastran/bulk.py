"""Nastran bulk data as cards: small, large and free field, continuations, includes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from flexor.io.draft import Place
from flexor.io.file_text import Lines, include, read_lines, wrong
from flexor.io.number_table import integer, real

_BEGIN = re.compile(r"\s*BEGIN\s*(,|\s)\s*BULK|\s*BEGIN\s*$", re.IGNORECASE)
_INCLUDE = re.compile(r"\s*INCLUDE\b[\s=,]*(.*)", re.IGNORECASE)
_CASE_SPC = re.compile(r"\s*SPC\s*=\s*(\d{1,9})\s*$", re.IGNORECASE)
_NAME = re.compile(r"[A-Z][A-Z0-9_]{0,7}")
_CONTINUES = " +*"


class Card:
    """One bulk data entry. Fields are counted from 1 for the first after the name; past the end they are blank."""

    __slots__ = ("fields", "line", "name", "path")

    def __init__(self, name: str, fields: list[str], path: Path, line: int) -> None:
        self.name, self.fields, self.path, self.line = name, fields, path, line

    @property
    def place(self) -> Place:
        return self.path, self.line

    def text(self, i: int) -> str:
        """Field i, upper case, "" if blank."""
        return self.fields[i - 1].strip().upper() if i <= len(self.fields) else ""

    def integer(self, i: int, meaning: str, default: int | None = None) -> int:
        """Field i as a whole number; without a default it must be there."""
        text = self.text(i)
        if not text and default is not None:
            return default
        try:
            return integer(text)
        except ValueError as error:
            raise self.wrong(f"{meaning} (field {i + 1}): {error if text else 'is blank'}") from None

    def real(self, i: int, meaning: str, default: float | None = None) -> float:
        """Field i as a real number; without a default it must be there."""
        text = self.text(i)
        if not text and default is not None:
            return default
        try:
            return real(text)
        except ValueError as error:
            raise self.wrong(f"{meaning} (field {i + 1}): {error if text else 'is blank'}") from None

    def is_integer(self, i: int) -> bool:
        """Whether field i holds a whole number (and no decimal point)."""
        return self.text(i).lstrip("+-").isdecimal()

    def components(self, i: int, meaning: str, default: str = "") -> tuple[int, ...]:
        """Field i as components 1…6 written together, e.g. 123; counted from 0 here."""
        text = self.text(i) or default
        if not re.fullmatch("[1-6]+", text) or len(set(text)) != len(text):
            if text == "0" or not text:
                return ()
            raise self.wrong(f"{meaning} (field {i + 1}): {text!r} are no components 1 to 6")
        return tuple(sorted(int(c) - 1 for c in text))

    def members(self, i: int) -> list[str]:
        """Fields from i on that are not blank."""
        return [text for each in self.fields[i - 1 :] if (text := each.strip().upper())]

    def ranges(self, i: int, meaning: str) -> list[tuple[int, int, int]]:
        """Numbers and ranges from field i on as (first, last, step)."""
        found: list[tuple[int, int, int]] = []
        members = self.members(i)
        at = 0
        while at < len(members):
            try:
                first = integer(members[at])
                if members[at + 1 : at + 2] == ["THRU"]:
                    last, step, at = integer(members[at + 2]), 1, at + 3
                    if members[at : at + 1] == ["BY"]:
                        step, at = integer(members[at + 1]), at + 2
                    if last < first or step < 1:
                        raise ValueError(f"{first} THRU {last} BY {step} is no range")
                    found.append((first, last, step))
                else:
                    found.append((first, first, 1))
                    at += 1
            except IndexError:
                raise self.wrong(f"{meaning}: THRU or BY without its number") from None
            except ValueError as error:
                raise self.wrong(f"{meaning}: {error}") from None
        return found

    def wrong(self, what: str, fix: str = "correct the card; if it looks cut off, export the file again") -> Exception:
        name = f"{self.name} {self.text(1)}".strip()
        return wrong(self.path, self.line, what, fix=fix, where=name)


@dataclass
class Bulk:
    """Cards by name, and what stood around them."""

    cards: dict[str, list[Card]] = field(default_factory=dict)
    spc: int | None = None
    """The set of supports that the case control asks for."""
    ended: bool = False
    last: Place = (Path(), 0)

    def get(self, *names: str) -> list[Card]:
        return [card for name in names for card in self.cards.get(name, ())]


def read_bulk(path: Path) -> Bulk:
    """All cards of a file and of its includes; executive and case control are skipped."""
    stretches = list(_with_includes(read_lines(path), [path]))
    bulk = Bulk(last=(path, 0))
    begin = next(((s, i) for s, lines in enumerate(stretches) for i, t in enumerate(lines.text) if _BEGIN.match(t)), None)
    if begin is not None:
        bulk.spc = _support_of_case_control(stretches, begin)
        rest = stretches[begin[0]]
        after = range(begin[1] + 1, len(rest))
        stretches = [rest.kept(after), *stretches[begin[0] + 1 :]]
    for card in _cards(stretches, bulk):
        bulk.cards.setdefault(card.name, []).append(card)
    return bulk


def _with_includes(lines: Lines, open_files: list[Path]) -> Iterator[Lines]:
    begin = 0
    starts = [i for i, text in enumerate(lines.text) if text[:12].lstrip()[:7].upper() == "INCLUDE"]
    for i in starts:
        match = _INCLUDE.match(lines.text[i])
        if match is None or i < begin:
            continue
        name, last = match[1].strip(), i
        while name[:1] in "'\"" and name and name.count(name[0]) < 2 and last + 1 < len(lines) and last < i + 8:
            last += 1
            name += lines.text[last].strip()
        if begin < i:
            yield lines.kept(range(begin, i))
        inner = include(name.split("$")[0], lines.path, lines.numbers[i], open_files)
        yield from _with_includes(read_lines(inner), [*open_files, inner])
        begin = last + 1
    if begin == 0:
        yield lines
    elif begin < len(lines):
        yield lines.kept(range(begin, len(lines)))


def _support_of_case_control(stretches: list[Lines], begin: tuple[int, int]) -> int | None:
    """The first SPC = n before BEGIN BULK."""
    for s, lines in enumerate(stretches[: begin[0] + 1]):
        for text in lines.text[: begin[1]] if s == begin[0] else lines.text:
            if match := _CASE_SPC.match(text.split("$")[0]):
                return int(match[1])
    return None


def _cards(stretches: list[Lines], bulk: Bulk) -> Iterator[Card]:
    """Lines joined to cards. A continuation belongs to the line before it, or to the one with its mark in field 10."""
    card: Card | None = None
    mark = ""
    waiting: dict[str, Card] = {}  # by mark: cards whose continuation did not follow at once
    finished: list[Card] = []
    for lines in stretches:
        for number, line in zip(lines.numbers, lines.text):
            if "$" in line:
                line = line[: line.index("$")]
            if "\t" in line:
                line = line.expandtabs(8)
            if not line or line.isspace():
                continue
            bulk.last = (lines.path, number)
            name, fields, next_mark, width = _split(line, lines.path, number)
            if name[:1] in _CONTINUES:
                given = name[1:].strip() if name else ""
                owner = card if card is not None and (not given or given == mark or not mark) else waiting.pop(given, None)
                if owner is None:
                    fix = "put it after the card it continues"
                    raise wrong(lines.path, number, f"continuation {name.strip()!r} has no card to continue", fix=fix)
                _append(owner, fields, width)
                card, mark = owner, next_mark
                continue
            if name == "ENDDATA":
                bulk.ended = True
                yield from finished
                if card is not None:
                    yield card
                return
            if not _NAME.fullmatch(name):
                fix = "is this a Nastran deck? if so, correct the line"
                raise wrong(lines.path, number, f"{name[:20]!r} is no card", fix=fix)
            if card is not None:
                if mark:
                    waiting[mark] = card
                    finished.append(card)
                else:
                    yield card
            card, mark = Card(name, fields, lines.path, number), next_mark
    yield from finished
    if card is not None:
        yield card


def _append(card: Card, fields: list[str], width: int) -> None:
    """Fields of a continuation; a line of 8 fields begins on a multiple of 8."""
    if width == 8:
        card.fields.extend([""] * (-len(card.fields) % 8))
    card.fields.extend(fields)


def _split(line: str, path: Path, number: int) -> tuple[str, list[str], str, int]:
    """Name (or " ", "+…", "*…" of a continuation), fields, mark of the next line, fields per line (8, or 4 if large)."""
    if "," in line:
        return _split_free(line, path, number)
    name = line[:8]
    first = name[0]
    if first == "=":
        raise _replication(path, number)
    if "*" in name and (first == "*" or name.rstrip()[-1] == "*"):
        fields = [line[8:24], line[24:40], line[40:56], line[56:72]]
        width = 4
    else:
        fields = [line[8:16], line[16:24], line[24:32], line[32:40], line[40:48], line[48:56], line[56:64], line[64:72]]
        width = 8
    mark = line[72:80].strip().lstrip("+*").strip() if len(line) > 72 else ""
    if first in _CONTINUES:
        name = name.strip()
        return (name if name[:1] in "+*" and name else " "), fields, mark, width
    return name.strip().rstrip("*").strip().upper(), fields, mark, width


def _split_free(line: str, path: Path, number: int) -> tuple[str, list[str], str, int]:
    """Comma-separated fields. Field 10 is a mark if it is the last or begins with + or *; otherwise data goes on."""
    parts = [each.strip() for each in line.split(",")]
    name = parts[0].upper()
    if name[:1] == "=":
        raise _replication(path, number)
    large = name[:1] == "*" or name[-1:] == "*"
    width = 4 if large else 8
    fields, mark = parts[1 : 1 + width], ""
    rest = parts[1 + width :]
    if rest and (len(rest) == 1 or rest[0][:1] in ("+", "*")):
        mark, rest = rest[0].lstrip("+*").strip(), rest[1:]
    fields += [""] * (width - len(fields))
    while rest:
        chunk, rest = rest[:width], rest[width:]
        if rest and rest[0][:1] in ("+", "*"):
            rest = rest[1:]
        fields += chunk + [""] * (width - len(chunk))
    if not name or name[:1] in _CONTINUES:
        return name or " ", fields, mark, width
    return name.rstrip("*").strip(), fields, mark, width


def _replication(path: Path, number: int) -> Exception:
    fix = "write the cards out, e.g. by exporting the file from a pre-processor"
    return wrong(path, number, "replicated cards (=) are not read", fix=fix)
