"""Many cards of one name as a table of fields, and the numbers in them read column by column.

Grid points and solid or shell elements come by the hundred thousand, in fixed fields, one under the other; a card
object for each would take most of the time of reading a deck.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from flexor.io.file_text import Lines
from flexor.io.nastran.card import Card

BULKY = ("GRID", "CTETRA", "CPENTA", "CHEXA", "CQUAD4", "CTRIA3", "CQUADR", "CTRIAR")
_LINE = 80
_LONGEST = 6  # continuations of a card that is read this way
_SPACE, _COMMA, _DOLLAR, _TAB, _STAR, _PLUS, _MINUS = b" ,$\t*+-"
_REAL = np.isin(np.arange(256), list(b"0123456789+-.eE "))


@dataclass(frozen=True)
class CardTable:
    """Cards of one name: fields (m, k) of bytes, and where each card begins."""

    name: str
    fields: np.ndarray
    path: Path
    lines: np.ndarray

    def __len__(self) -> int:
        return len(self.fields)

    def rows(self, chosen: np.ndarray) -> CardTable:
        """Some of the cards."""
        return CardTable(self.name, self.fields[chosen], self.path, self.lines[chosen])

    def card(self, i: int) -> Card:
        """One of them as a card of its own."""
        fields = [each.decode("latin-1") for each in self.fields[i].tolist()]
        return Card(self.name, fields, self.path, int(self.lines[i]))

    def is_blank(self, column: int) -> np.ndarray:
        """(m,) whether field `column` (from 1) is blank."""
        if column > self.fields.shape[1]:
            return np.ones(len(self), dtype=bool)
        return (_bytes(self.fields[:, column - 1]) == _SPACE).all(axis=1)

    def integers(self, column: int, meaning: str, blank: int | np.ndarray | None = None) -> np.ndarray:
        """Field `column` (from 1) as whole numbers; `blank` for blank ones."""
        if column > self.fields.shape[1]:
            values, good = np.zeros(len(self), dtype=np.int64), np.zeros(len(self), dtype=bool)
            empty = ~good
        else:
            text = _bytes(self.fields[:, column - 1])
            empty = (text == _SPACE).all(axis=1)
            values, good = _whole_numbers(text)
        if blank is not None:
            values, good = np.where(empty, blank, values), good | empty
        for i in np.flatnonzero(~good)[:1].tolist():
            self.card(i).integer(column, meaning)  # says what is wrong
        return values

    def reals(self, column: int, meaning: str) -> np.ndarray:
        """Field `column` (from 1) as real numbers; blank ones are 0."""
        if column > self.fields.shape[1]:
            return np.zeros(len(self))
        text = _bytes(self.fields[:, column - 1]).copy()
        text[(text == _SPACE).all(axis=1), 0] = ord("0")
        plain = _REAL[text].all(axis=1) & _one_word(text) & ~_bare_exponent(text)
        values = np.zeros(len(self))
        rows = np.concatenate([text[plain], np.full((int(plain.sum()), 1), _SPACE, dtype=np.uint8)], axis=1)
        try:
            found = np.fromstring(rows.tobytes().decode("latin-1"), sep=" ")
        except ValueError:
            found = np.zeros(0)
        if len(found) != plain.sum() or not np.isfinite(found).all():
            plain = np.zeros(len(self), dtype=bool)
        else:
            values[plain] = found
        for i in np.flatnonzero(~plain).tolist():  # 7.85-9, 1.D3, or no number at all
            values[i] = self.card(i).real(column, meaning, 0.0)
        return values


def _bytes(column: np.ndarray) -> np.ndarray:
    """(m, width) characters."""
    column = np.ascontiguousarray(column)
    return column.view(np.uint8).reshape(len(column), column.dtype.itemsize)


def _one_word(text: np.ndarray) -> np.ndarray:
    """Whether all that is not blank stands together."""
    full = text != _SPACE
    first, last = full.argmax(axis=1), text.shape[1] - 1 - full[:, ::-1].argmax(axis=1)
    return full.sum(axis=1) == last - first + 1


def _whole_numbers(text: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(m,) values, and whether each is a whole number."""
    digit = (text >= 48) & (text <= 57)
    sign = (text == _PLUS) | (text == _MINUS)
    values = np.zeros(len(text), dtype=np.int64)
    for c in range(text.shape[1]):
        values = np.where(digit[:, c], values * 10 + text[:, c] - 48, values)
    first = (text != _SPACE).argmax(axis=1)
    rows = np.arange(len(text))
    leading = sign[rows, first]
    count = digit.sum(axis=1)
    good = _one_word(text) & (count > 0) & (count + leading == (text != _SPACE).sum(axis=1)) & (count < 19)
    return np.where(text[rows, first] == _MINUS, -values, values), good


def _bare_exponent(text: np.ndarray) -> np.ndarray:
    """Whether a sign follows something else than an e, as in 7.85-9."""
    sign = (text[:, 1:] == _PLUS) | (text[:, 1:] == _MINUS)
    before = text[:, :-1]
    return (sign & (before != _SPACE) & (before != ord("e")) & (before != ord("E"))).any(axis=1)


def take_tables(lines: Lines) -> tuple[list[CardTable], Lines]:
    """Bulky cards in fixed fields as tables, and the lines of all others. Cards with anything unusual about them (marks
    that do not follow each other, tabs, comments) are left to be read line by line."""
    lines = lines.kept([i for i, line in enumerate(lines.text) if line and line[0] != "$" and not line.isspace()])
    n = len(lines)
    try:
        text = np.array(lines.text, dtype=f"S{_LINE}").view(np.uint8).reshape(n, _LINE)
    except UnicodeEncodeError:
        return [], lines
    text[text == 0] = _SPACE
    plain = ~((text == _COMMA) | (text == _DOLLAR) | (text == _TAB)).any(axis=1)
    continues = np.isin(text[:, 0], (_SPACE, _PLUS, _STAR, _COMMA, _TAB))
    fits = plain & continues
    fits[1:] &= _same_mark(text)
    names = np.ascontiguousarray(text[:, :8]).view("S8").ravel()
    heads = np.append(np.flatnonzero(~continues), n)
    behind = heads[np.searchsorted(heads, np.arange(n), side="right")] - np.arange(n) - 1  # continuations of a head
    taken = np.zeros(n, dtype=bool)
    numbers = np.asarray(lines.numbers)
    tables = []
    for name in BULKY:
        for large in (False, True):
            starts = np.flatnonzero(plain & (names == f"{name}{'*' * large}".ljust(8).encode()) & (behind <= _LONGEST))
            for count in np.unique(behind[starts]).tolist():
                group = starts[behind[starts] == count][:, None] + np.arange(count + 1)
                good = fits[group[:, 1:]].all(axis=1) & (text[group[:, -1], 73:80] == _SPACE).all(axis=1)
                good &= ((text[group[:, 1:], 0] == _STAR) == large).all(axis=1)
                group = group[good]
                if len(group):
                    fields = np.ascontiguousarray(text[group, 8:72]).reshape(len(group), -1)
                    tables.append(
                        CardTable(name, fields.view("S16" if large else "S8"), lines.path, numbers[group[:, 0]])
                    )
                    taken[group] = True
    return tables, lines.kept(np.flatnonzero(~taken).tolist()) if taken.any() else lines


def _same_mark(text: np.ndarray) -> np.ndarray:
    """(n − 1,) whether the mark of a continuation is blank or that at the end of the line before."""
    own, before = text[1:, 1:8], text[:-1, 73:80]
    return (own == _SPACE).all(axis=1) | (before == _SPACE).all(axis=1) | (own == before).all(axis=1)


def from_cards(cards: Sequence[Card]) -> list[CardTable]:
    """Single cards as tables, one per file."""
    tables = []
    for name, path in dict.fromkeys((card.name, card.path) for card in cards):
        chosen = [card for card in cards if (card.name, card.path) == (name, path)]
        width = max(len(card.fields) for card in chosen)
        size = max(8, *(len(each.strip()) for card in chosen for each in card.fields))
        rows = [[each.strip().ljust(size).encode("latin-1", "replace") for each in card.fields] for card in chosen]
        fields = np.array([row + [b" " * size] * (width - len(row)) for row in rows], dtype=f"S{size}")
        lines = np.array([card.line for card in chosen])
        tables.append(CardTable(name, fields.reshape(len(chosen), width), path, lines))
    return tables
