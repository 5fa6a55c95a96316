"""Columns of numbers out of many lines at once, and the first line that is wrong if one is."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from flexor.declaration import LARGEST
from flexor.io.file_text import Lines, wrong

_FORTRAN = re.compile(r"^([+-]?(?:\d+\.?\d*|\.\d+))(?:[eEdD]([+-]?\d+)|([+-]\d+))?$")


def real(text: str) -> float:
    """A real number as FE programs write it: 7.85e-9, 7.85D-9, 7.85-9, 1.+5, .5; ValueError if it is none."""
    match = _FORTRAN.match(text)
    if not match:
        raise ValueError(f"{text!r} is not a number")
    value = float(f"{match[1]}e{match[2] or match[3] or 0}")
    if not abs(value) <= LARGEST:
        raise ValueError(f"{text!r} is beyond ±{LARGEST:g}; no real thing is that large")
    return value


def integer(text: str) -> int:
    """A whole number; ValueError if it is none."""
    if not re.fullmatch(r"[+-]?\d{1,18}", text):
        raise ValueError(f"{text!r} is not a whole number")
    return int(text)


def real_table(lines: Lines, columns: int, what: str) -> np.ndarray:
    """(rows, columns) of comma-separated numbers, one row per line; missing or blank ones are 0."""
    try:
        table = np.loadtxt(lines.text, delimiter=",", comments=None, ndmin=2)
        if table.shape == (len(lines), columns) and np.isfinite(table).all():
            return table
    except ValueError:
        pass  # ragged, blank or Fortran numbers: line by line
    table = np.zeros((len(lines), columns))
    for i, text in enumerate(lines.text):
        try:
            fields = [each.strip() for each in text.split(",")]
            for j, each in enumerate(fields[:columns]):
                table[i, j] = real(each) if each else 0.0
            if any(fields[columns:]):
                raise ValueError(f"{len(fields)} values where {columns} are expected")
        except ValueError as error:
            raise wrong(lines.path, lines.numbers[i], f"{what}: {error}", fix="correct the line") from None
    return table


def word_table(lines: Lines, width: int) -> np.ndarray:
    """(rows, width) of numbers between commas or spaces, all there."""
    comma = "," in lines.text[0] if len(lines) else False
    try:
        table = np.loadtxt(lines.text, delimiter="," if comma else None, comments=None, ndmin=2)
        if table.shape == (len(lines), width) and np.isfinite(table).all():
            return table
    except ValueError:
        pass
    rows = []
    for number, text in zip(lines.numbers, lines.text):
        words = text.replace(",", " ").split()
        try:
            if len(words) != width:
                raise ValueError(f"{len(words)} values where {width} are expected")
            rows.append([real(word) for word in words])
        except ValueError as error:
            raise wrong(lines.path, number, str(error), fix="the file may be cut off: export it again") from None
    return np.array(rows).reshape(-1, width)


def integer_records(lines: Lines, length: int, what: str) -> tuple[np.ndarray, np.ndarray]:
    """(records, length) whole numbers that may run over several lines each, and the number of each one's first line.

    A record begins on a new line and is complete when `length` numbers are there.
    """
    stripped = [text.strip().rstrip(",") for text in lines.text]
    counts = np.array([text.count(",") + 1 for text in stripped])
    ends = np.cumsum(counts)
    total = int(ends[-1])
    records = total // length
    first_of = np.searchsorted(ends, length * np.arange(records), side="right")
    begins = np.concatenate([[0], ends[:-1]])
    fits = total % length == 0 and bool((begins[first_of] == length * np.arange(records)).all())
    if fits:
        try:
            flat = np.fromstring(",".join(stripped), dtype=np.int64, sep=",")
            if len(flat) == total:
                return flat.reshape(records, length), np.asarray(lines.numbers)[first_of]
        except ValueError:
            pass
    return _first_bad_record(lines, stripped, length, what)


def _first_bad_record(lines: Lines, stripped: Sequence[str], length: int, what: str) -> tuple[np.ndarray, np.ndarray]:
    """Line by line, to say where the trouble is."""
    records: list[list[int]] = []
    firsts: list[int] = []
    current: list[int] = []
    start = 0
    for number, text in zip(lines.numbers, stripped):
        if not current:
            start = number
        try:
            current += [integer(each.strip()) for each in text.split(",") if each.strip()]
        except ValueError as error:
            raise wrong(lines.path, number, f"{what}: {error}", fix="correct the line") from None
        if len(current) > length:
            why = f"{len(current)} numbers where {length} are expected (its own and its nodes')"
            raise wrong(lines.path, start, f"{what} {current[0]} is too long", why, "check the element type")
        if len(current) == length:
            records.append(current)
            firsts.append(start)
            current = []
    if current:
        why = f"{len(current)} numbers where {length} are expected (its own and its nodes')"
        raise wrong(
            lines.path, start, f"{what} {current[0]} is incomplete", why, "the file may be cut off: export it again"
        )
    return np.array(records, dtype=np.int64).reshape(-1, length), np.array(firsts)
