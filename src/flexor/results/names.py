"""Finding signals by their names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from fnmatch import fnmatchcase

from flexor.errors import FlexorError, Problem

MOST = 40
"""Lines of a table."""


ROUNDING = 1e-12
"""Share of the largest value of its unit below which a value counts as zero."""


class UnknownSignal(FlexorError, KeyError):
    """There is no signal of that name."""


def refuse_nameless(name: object) -> None:
    """UnknownSignal for what is no text."""
    if not isinstance(name, str):
        what, fix = f"{name!r:.60} is no name", 'write it as text, e.g. "pin.angle"; names lists them all'
        raise UnknownSignal(Problem("signal", what, "signals are called by their names", fix))


class Named:
    """Results with values by name, which raise UnknownSignal for a name that they do not have."""

    def __contains__(self, name: str) -> bool:
        try:
            self[name]  # type: ignore[index]
        except UnknownSignal:
            return False
        return True


def matching(names: Iterable[str], pattern: str) -> list[str]:
    """Names that match a pattern (* any text, ? one letter), or that contain a word, in capital letters or not."""
    refuse_nameless(pattern)
    if any(letter in pattern for letter in "*?["):
        return [name for name in names if fnmatchcase(name, pattern)]
    return [name for name in names if pattern.casefold() in name.casefold()]


def unknown(name: str, names: Iterable[str], where: str) -> UnknownSignal:
    """The error for a name that is not there, with near ones."""
    names = list(names)
    vectors = dict.fromkeys(each[:-2] for each in names if each[-2:] in ("_w", "_x", "_y", "_z"))
    near = get_close_matches(name, [*vectors, *names], 3, 0.5)
    fix = f"did you mean {' or '.join(near)}?" if near else f"{where.rpartition(' ')[2]}.names lists them all"
    return UnknownSignal(Problem(f"signal '{name}'", f"is not in {where}", fix=fix))


def by_owner(names: Iterable[str]) -> dict[str, list[str]]:
    """Signals by the object they belong to; components of vectors are told once."""
    found: dict[str, list[str]] = {}
    for name in names:
        owner, _, signal = name.rpartition(".")
        vector = signal[:-2] if signal[-2:] in ("_w", "_x", "_y", "_z") else signal
        signals = found.setdefault(owner, [])
        if vector not in signals:
            signals.append(vector)
    return found


def listed(signals: list[str]) -> str:
    """Signals of an object in a row, its modes as one."""
    modes = [signal for signal in signals if signal.startswith("mode_")]
    count = sum(signal[5:].isdigit() for signal in modes)
    others = [signal for signal in signals if signal not in modes] if count > 1 else signals
    told = [f"mode_1 … mode_{count} (with _rate, _acceleration)"] if count > 1 else []
    return ", ".join([*others, *told])


def value_table(values: Mapping[str, float], units: Mapping[str, str]) -> list[str]:
    """Lines with a name, a value or the components of a vector, and a unit; modes are left out, and zeros: what is nothing
    but rounding beside the largest value of the same unit."""
    rows: dict[str, list[str]] = {}
    for name in values:
        vector = name[:-2] if name[-2:] in ("_w", "_x", "_y", "_z") else name
        if not name.rpartition(".")[2].startswith("mode_"):
            rows.setdefault(vector, []).append(name)
    largest: dict[str, float] = {}
    for name, value in values.items():
        largest[units.get(name, "")] = max(largest.get(units.get(name, ""), 0.0), abs(value))
    shown = {
        vector: parts
        for vector, parts in rows.items()
        if any(abs(values[part]) > ROUNDING * largest[units.get(part, "")] for part in parts)
    }
    width = max(map(len, list(shown)[:MOST]), default=0)
    lines = []
    for vector, parts in list(shown.items())[:MOST]:
        rounding = ROUNDING * largest[units.get(parts[0], "")]
        numbers = " ".join(f"{values[part] if abs(values[part]) > rounding else 0.0:12.5g}" for part in parts)
        lines.append(f"  {vector:{width}}  {numbers} {units.get(parts[0], '')}".rstrip())
    hidden, zero = len(shown) - MOST, len(rows) - len(shown)
    lines += [f'  and {hidden} more; find("name") finds them'] if hidden > 0 else []
    return [*lines, f"  and {zero} that are zero"] if zero else lines
