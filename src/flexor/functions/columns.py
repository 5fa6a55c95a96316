"""Two columns of numbers from a text file: comma, semicolon, tab or blanks between them, # for comments.

Names of columns may carry a unit, `time [ms]` or `speed (rpm)`: the numbers below are converted to SI.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from flexor.errors import UnitError
from flexor.unit_text import read_unit
from flexor.units import measured, si

LARGEST_FILE = 200_000_000  # bytes


def read_columns(file: object, columns: object, folder: str | Path = ".") -> tuple[list[float], ...]:
    """The columns with these names or numbers (counted from 1); a first line of words holds the names.

    The first number of a column with a unit remembers what was written, so that it is judged where the table is used.
    """
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
    first = 1 if names else 0
    if not names:  # as NumPy writes it: # time [ms], speed [rpm]
        above = lines[rows[0][0] - 2].lstrip("# ") if rows[0][0] > 1 else ""
        names = split(above) if "[" in above and len(split(above)) == len(head) else []
    places = _places(columns, names, len(head), path)
    result: tuple[list[float], ...] = tuple([] for _ in places)
    for number, line in rows[first:]:
        cells = split(line)
        for place, values in zip(places, result, strict=True):
            cell = cells[place] if place < len(cells) else ""
            if not _is_number(cell):
                raise ValueError(
                    f"{path.name}:{number}: column {place + 1} holds {cell!r}; it must be a number with a decimal point"
                )
            values.append(float(cell))
    units = [_unit(names[place], path) if names else "" for place in places]
    return tuple(_in_si(values, unit) for values, unit in zip(result, units, strict=True))


_UNIT = re.compile(r"(?P<name>.*?)\s*(?:\[(?P<square>[^\]]*)\]|\((?P<round>[^)]*)\))")


def _unit(heading: str, path: Path) -> str:
    """The unit in the heading of a column; what stands in round brackets may be another remark."""
    match = _UNIT.fullmatch(heading)
    unit = "" if match is None else (match["square"] if match["square"] is not None else match["round"]).strip()
    if match is None or unit in ("", "-", "1"):
        return ""
    try:
        si(f"1 {unit}")
    except UnitError as error:
        if match["square"] is None:
            return ""
        fix = error.problems[0].fix
        raise ValueError(
            f"{path.name}: the heading '{heading}' has an unknown unit; {fix if 'mean' in fix else 'write e.g. [ms]'}"
        ) from None
    return unit


def _in_si(values: list[float], unit: str) -> list[float]:
    if not unit or not values:
        return values
    zero = si(f"0 {unit}")  # of °C
    scale = read_unit(unit).scale
    if zero == 0.0 and read_unit(unit).turn == 0 and scale.numerator == 1:
        found = [value / scale.denominator for value in values]  # 18 mm is the float nearest to 0.018
    else:
        factor = si(f"1 {unit}") - zero
        found = [zero + factor * value for value in values]
    return [measured(f"{values[0]!r} {unit}"), *found[1:]]


def _name(heading: str) -> str:
    """The heading without a unit."""
    match = _UNIT.fullmatch(heading)
    return match["name"] if match else heading


def _splitter(line: str) -> Callable[[str], list[str]]:
    for mark in (";", "\t", ","):
        if mark in line:
            return lambda text: [cell.strip() for cell in text.split(mark)]
    return lambda text: re.sub(r"\s+(?=[\[(])", "", text).split()


def _is_number(cell: str) -> bool:
    return re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", cell) is not None


def _places(columns: object, names: list[str], width: int, path: Path) -> list[int]:
    if isinstance(columns, str) or not isinstance(columns, Sequence) or len(columns) != 2:
        raise ValueError(f"columns = {columns!r} are not two columns; write e.g. columns: [1, 3] or [time, force]")
    places = []
    for column in columns:
        if isinstance(column, str) and column in names:
            places.append(names.index(column))
        elif isinstance(column, str) and (bare := [_name(name) for name in names]).count(column) == 1:
            places.append(bare.index(column))
        elif isinstance(column, int) and not isinstance(column, bool) and 1 <= column <= width:
            places.append(column - 1)
        else:
            known = f" named {', '.join(names)}" if names else ""
            raise ValueError(f"{path.name} has no column {column!r}; it has the columns 1 … {width}{known}")
    return places
