"""Units inside a formula, which is in SI units throughout: the mistake, and the formula as it is probably meant."""

from __future__ import annotations

import re

from flexor.errors import UnitError
from flexor.functions.parser import LONGEST, parse
from flexor.units import si

# symbols with a power, but the tonne, as t is the time; no name of a function or sensor, as in 3 sin(t), 2 x1
_SYMBOL = r"(?!t\b)(?:[^\W\d_]+|°C?|%)(?:\^-?\d+|\*\*-?\d+|[²³])?(?![\w(])"
_PRODUCT = rf"{_SYMBOL}(?:\s*[/*·]\s*{_SYMBOL}|\s+{_SYMBOL})*"
_NUMBER = re.compile(r"(?<![\w.])(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_UNIT = re.compile(rf"\s*(?:{_SYMBOL}/\({_PRODUCT}\)|{_PRODUCT}|\({_PRODUCT}\))")
_LAST = re.compile(rf"\s*[/*·]?\s*{_SYMBOL}\Z")


def in_si(text: str) -> str | None:
    """The formula with its values in SI units, "-60 N/mm * x1" as "-60000 * x1"; None if there are no units, or it is none without."""
    if len(text) > LONGEST:
        return None
    parts, end = [], 0
    while number := _NUMBER.search(text, end):
        value, after = _value(text, number)
        parts += [text[end : number.start()], value]
        end = after
    without = "".join([*parts, text[end:]])
    if without == text:
        return None
    try:
        parse(without)
    except ValueError:
        return None
    return without


def _value(text: str, number: re.Match[str]) -> tuple[str, int]:
    """The number at a place of a text in SI units, and where it ends with the longest unit that can be read."""
    unit = _UNIT.match(text, number.end())
    symbols = unit[0] if unit else ""
    while symbols:
        try:
            return f"{si(number[0] + symbols):.12g}", number.end() + len(symbols)
        except UnitError:
            shorter = _LAST.sub("", symbols)
            symbols = "" if shorter == symbols else shorter
    return number[0], number.end()


def refuse_units(text: str) -> None:
    """Raise ValueError where a text is a formula but for the units in it."""
    if (meant := in_si(text)) is not None:
        raise ValueError(
            f"units stand in the formula {text!r}; formulas are in SI units (m, kg, s, N, rad): write {meant!r}"
        )
