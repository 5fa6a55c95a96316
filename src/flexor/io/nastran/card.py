"""One entry of Nastran bulk data and what its fields say."""

from __future__ import annotations

import re
from pathlib import Path

from flexor.io.draft import Place
from flexor.io.file_text import wrong
from flexor.io.number_table import integer, real


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
