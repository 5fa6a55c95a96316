"""Two columns of numbers from a text file: comma, semicolon, tab or blanks between them, # for comments."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

LARGEST_FILE = 200_000_000  # bytes


def read_columns(file: object, columns: object, folder: str | Path = ".") -> tuple[list[float], ...]:
    """The columns with these names or numbers (counted from 1); a first line of words holds the names."""
    if not isinstance(file, str | Path):
        raise ValueError(f"file = {file!r} is no file name; write e.g. file: load.csv")
    path = Path(folder) / file
    if not path.is_file():
        raise ValueError(f"file '{path}' does not exist; check the name and the folder it is relative to")
    if path.stat().st_size > LARGEST_FILE:
        raise ValueError(f"file '{path}' is larger than {LARGEST_FILE // 10**6} MB; keep only the columns you need")
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"file '{path}' cannot be read ({error}); it must be text in UTF-8") from None
    rows = [
        (number, line) for number, line in enumerate(lines, 1) if line.strip() and not line.lstrip().startswith("#")
    ]
    if not rows:
        raise ValueError(f"file '{path}' holds no numbers; it needs two columns")
    split = _splitter(rows[0][1])
    head = split(rows[0][1])
    names = [] if all(_is_number(cell) for cell in head) else [cell.strip("\"' ") for cell in head]
    places = _places(columns, names, len(head), path)
    result: tuple[list[float], ...] = tuple([] for _ in places)
    for number, line in rows[1:] if names else rows:
        cells = split(line)
        for place, values in zip(places, result, strict=True):
            cell = cells[place] if place < len(cells) else ""
            if not _is_number(cell):
                raise ValueError(
                    f"{path.name}:{number}: column {place + 1} holds {cell!r}; it must be a number with a decimal point"
                )
            values.append(float(cell))
    return result


def _splitter(line: str) -> Callable[[str], list[str]]:
    for mark in (";", "\t", ","):
        if mark in line:
            return lambda text: [cell.strip() for cell in text.split(mark)]
    return lambda text: text.split()


def _is_number(cell: str) -> bool:
    return re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", cell) is not None


def _places(columns: object, names: list[str], width: int, path: Path) -> list[int]:
    if isinstance(columns, str) or not isinstance(columns, Sequence) or len(columns) != 2:
        raise ValueError(f"columns = {columns!r} are not two columns; write e.g. columns: [1, 3] or [time, force]")
    places = []
    for column in columns:
        if isinstance(column, str) and column in names:
            places.append(names.index(column))
        elif isinstance(column, int) and not isinstance(column, bool) and 1 <= column <= width:
            places.append(column - 1)
        else:
            known = f" named {', '.join(names)}" if names else ""
            raise ValueError(f"{path.name} has no column {column!r}; it has the columns 1 … {width}{known}")
    return places
