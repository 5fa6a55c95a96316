"""Nastran bulk data as cards: small, large and free field, continuations, includes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from flexor.io.draft import Place
from flexor.io.file_text import Lines, include, read_lines, wrong
from flexor.io.nastran.card import Card
from flexor.io.nastran.card_table import BULKY, CardTable, from_cards, take_tables

_BEGIN = re.compile(r"\s*BEGIN\s*(,|\s)\s*BULK|\s*BEGIN\s*$", re.IGNORECASE)
_INCLUDE = re.compile(r"\s*INCLUDE\b[\s=,]*(.*)", re.IGNORECASE)
_SUPER = re.compile(r"\s*BEGIN\s*(?:BULK)?[\s,]*(SUPER|ARBMODEL|AUXMODEL|MODULE)\s*=?\s*(\S*)", re.IGNORECASE)
_CASE = re.compile(r"\s*(SPC|MPC|LOAD|TEMP(?:ERATURE)?|DEFORM)\s*(?:\(.*?\))?\s*=\s*(\d{1,9})\s*$", re.IGNORECASE)
_SUBCASE = re.compile(r"\s*(SUBCASE|SUBCOM|SYM|REPCASE)\b", re.IGNORECASE)
_TITLE = re.compile(r"\s*TITLE\s*=\s*(.*\S)", re.IGNORECASE)
_NAME = re.compile(r"[A-Z][A-Z0-9_]{0,7}")
_CONTINUES = " +*"


@dataclass
class Bulk:
    """Cards by name, and what stood around them."""

    cards: dict[str, list[Card]] = field(default_factory=dict)
    tables: dict[str, list[CardTable]] = field(default_factory=dict)
    """Grid points and elements that come in great numbers."""
    case: dict[str, int] = field(default_factory=dict)
    """SPC, MPC, LOAD, … that the case control asks for, of its first subcase."""
    case_places: dict[str, Place] = field(default_factory=dict)
    """Where the case control says so; "SUBCASE": where the last subcase begins."""
    has_case: bool = False
    """Whether there is a case control."""
    subcases: int = 0
    other_sets: dict[str, tuple[int, int, Place]] = field(default_factory=dict)
    """SPC or MPC, where a later subcase asks for another set than the first: that subcase, the set (0: none), and where."""
    parts: list[tuple[str, Place]] = field(default_factory=list)
    """Sections of superelements and other models, which are not read."""
    title: str = ""
    ended: bool = False
    last: Place = (Path(), 0)

    def get(self, *names: str) -> list[Card]:
        return [card for name in names for card in self.cards.get(name, ())]


def read_bulk(path: Path) -> Bulk:
    """All cards of a file and of its includes; executive and case control are skipped."""
    stretches = list(_with_includes(read_lines(path), [path]))
    bulk = Bulk(last=(path, 0))
    begin = next(
        ((s, i) for s, lines in enumerate(stretches) for i, t in enumerate(lines.text) if _BEGIN.match(t)), None
    )
    if begin is not None:
        _case_control(stretches, begin, bulk)
        rest = stretches[begin[0]]
        after = range(begin[1] + 1, len(rest))
        stretches = [rest.kept(after), *stretches[begin[0] + 1 :]]
    stretches = _until_enddata(_without_parts(stretches, bulk), bulk)
    single = []
    for lines in stretches:
        tables, others = take_tables(lines)
        single.append(others)
        for table in tables:
            bulk.tables.setdefault(table.name, []).append(table)
    for card in _cards(single):
        bulk.cards.setdefault(card.name, []).append(card)
    for name in BULKY:
        if name in bulk.cards:
            bulk.tables.setdefault(name, []).extend(from_cards(bulk.cards.pop(name)))
    return bulk


def _until_enddata(stretches: list[Lines], bulk: Bulk) -> list[Lines]:
    for s, lines in enumerate(stretches):
        for i, text in enumerate(lines.text):
            if text[:1] in "eE " and text.strip()[:7].upper() == "ENDDATA":
                bulk.ended = True
                return [*stretches[:s], lines.kept(range(i))]
    if stretches and len(stretches[-1]):
        bulk.last = (stretches[-1].path, stretches[-1].numbers[-1])
    return stretches


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


def _without_parts(stretches: list[Lines], bulk: Bulk) -> list[Lines]:
    """The main bulk data: sections BEGIN SUPER = n, and BEGIN BULK behind the first, are left out and remembered."""
    kept = []
    inside = False
    for lines in stretches:
        keep = []
        for i, text in enumerate(lines.text):
            if text.lstrip()[:5].upper() == "BEGIN":
                section = _SUPER.match(text)
                inside = section is not None
                if section is not None:
                    bulk.parts.append((f"{section[1].upper()} = {section[2][:20]}", (lines.path, lines.numbers[i])))
            elif not inside or text.strip()[:7].upper() == "ENDDATA":
                keep.append(i)
        kept.append(lines if len(keep) == len(lines) else lines.kept(keep))
    return kept


def _case_control(stretches: list[Lines], begin: tuple[int, int], bulk: Bulk) -> None:
    """What stands before BEGIN BULK: TITLE, and the sets that hold above all subcases and in the first."""
    above: dict[str, int] = {}
    own: list[tuple[dict[str, int], Place]] = []
    for s, lines in enumerate(stretches[: begin[0] + 1]):
        for number, text in zip(lines.numbers, lines.text[: begin[1]] if s == begin[0] else lines.text):
            plain = text.split("$")[0]
            bulk.has_case |= plain.strip().upper() == "CEND"
            if _SUBCASE.match(plain):
                bulk.subcases += 1
                bulk.case_places["SUBCASE"] = (lines.path, number)
                own.append(({}, (lines.path, number)))
            match = _CASE.match(plain)
            if match and match[1].upper() in ("SPC", "MPC"):
                (own[-1][0] if own else above)[match[1].upper()] = int(match[2])
            if bulk.subcases < 2 and match:
                bulk.has_case = True
                bulk.case[match[1].upper()[:4]] = int(match[2])
                bulk.case_places[match[1].upper()[:4]] = (lines.path, number)
            if not bulk.title and (match := _TITLE.match(text)):
                bulk.title = match[1]
    for name in ("SPC", "MPC"):
        for i, (sets, place) in enumerate(own):
            if sets.get(name, above.get(name)) != own[0][0].get(name, above.get(name)) and name not in bulk.other_sets:
                bulk.other_sets[name] = i + 1, sets.get(name, above.get(name, 0)), place


def _cards(stretches: list[Lines]) -> list[Card]:
    """Lines joined to cards. A continuation belongs to the line before it, or to the one with its mark in field 10."""
    found: list[Card] = []
    last: Card | None = None
    mark = ""
    waiting: dict[str, Card] = {}  # by mark: cards whose continuation did not follow at once
    for lines in stretches:
        for number, line in zip(lines.numbers, lines.text):
            if "$" in line:
                line = line[: line.index("$")]
            if "\t" in line:
                line = line.expandtabs(8)
            if not line or line.isspace():
                continue
            name, fields, next_mark, width = _split(line, lines.path, number)
            if name[:1] in _CONTINUES:
                given = name[1:].strip()
                if given in waiting and given != mark:
                    last = waiting.pop(given)
                elif last is None or (given and mark and given != mark):
                    fix = "put it after the card it continues"
                    raise wrong(lines.path, number, f"continuation {name.strip()!r} has no card to continue", fix=fix)
                _append(last, fields, width)
            else:
                if not _NAME.fullmatch(name):
                    fix = "is this a Nastran deck? if so, correct the line"
                    raise wrong(lines.path, number, f"{name[:20]!r} is no card", fix=fix)
                if last is not None and mark:
                    waiting[mark] = last
                last = Card(name, fields, lines.path, number)
                found.append(last)
            mark = next_mark
    return found


def _append(card: Card, fields: list[str], width: int) -> None:
    """Fields of a continuation; a line of 8 fields begins on a multiple of 8."""
    if width == 8:
        card.fields.extend([""] * (-len(card.fields) % 8))
    card.fields.extend(fields)


def _split(line: str, path: Path, number: int) -> tuple[str, list[str], str, int]:
    """Name (or " ", "+…", "*…" of a continuation), fields, mark of the next line, fields per line (8; 4 if large)."""
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
    while rest and not rest[-1]:
        rest.pop()
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
