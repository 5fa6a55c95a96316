"""Finding signals by their names."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from fnmatch import fnmatchcase

from flexor.errors import FlexorError, Problem


class UnknownSignal(FlexorError, KeyError):
    """There is no signal of that name."""


def matching(names: Iterable[str], pattern: str) -> list[str]:
    """Names that match a pattern (* any text, ? one letter), or that contain a word, in capital letters or not."""
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
