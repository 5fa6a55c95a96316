"""The text of a unit, read: "N*m/rad" becomes a factor and powers of kg, m, s, K, rad and cycle."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

_BASE = ("kg", "m", "s", "K", "rad", "cycle")  # the last two count as 1 in physics and are told apart here
PHYSICAL = 4
RAD, CYCLE = 4, 5


class Unit(NamedTuple):
    """scale · π^turn · ∏ baseᵢ^powersᵢ"""

    scale: Fraction
    turn: Fraction
    powers: tuple[Fraction, ...]

    def __mul__(self, other: Unit) -> Unit:  # type: ignore[override]
        powers = tuple(a + b for a, b in zip(self.powers, other.powers, strict=True))
        return Unit(self.scale * other.scale, self.turn + other.turn, powers)

    def __pow__(self, n: Fraction) -> Unit:
        return Unit(Fraction(self.scale**n), self.turn * n, tuple(a * n for a in self.powers))


class Unreadable(Exception):
    """A unit that cannot be read, and how to fix it or the symbol that is unknown."""

    def __init__(self, what: str, fix: str = "", symbol: str = "") -> None:
        super().__init__(what)
        self.what, self.fix, self.symbol = what, fix, symbol


ONE = Unit(Fraction(1), Fraction(0), (Fraction(0),) * len(_BASE))
SYMBOLS = {symbol: ONE._replace(powers=tuple(Fraction(symbol == base) for base in _BASE)) for symbol in _BASE}
SYMBOLS["deg"] = SYMBOLS["rad"]._replace(scale=Fraction(1, 180), turn=Fraction(1))
SYMBOLS["%"] = ONE._replace(scale=Fraction(1, 100))
DEFINITIONS = {
    "g": "0.001 kg", "t": "1000 kg", "min": "60 s", "h": "3600 s", "rev": "360 deg", "rpm": "rev/min",
    "°": "deg", "Hz": "cycle/s", "N": "kg m/s^2", "Pa": "N/m^2", "bar": "1e5 Pa", "J": "N m", "W": "J/s",
    "Nm": "N m", "Nmm": "N mm", "Ns": "N s", "degC": "K", "°C": "K",
    "in": "0.0254 m", "ft": "0.3048 m", "lb": "0.45359237 kg", "lbf": "4.4482216152605 N",
    "slug": "lbf s^2/ft", "psi": "lbf/in^2", "ksi": "1000 psi",
}  # fmt: skip
PREFIXES = {  # the usual ones first: suggestions come in this order; u and the Greek μ also stand for micro
    "m": -3, "k": 3, "M": 6, "G": 9, "µ": -6, "c": -2, "n": -9, "T": 12, "d": -1, "h": 2, "p": -12,
    "u": -6, "μ": -6,
}  # fmt: skip
PREFIXABLE = ("m", "g", "s", "K", "rad", "Hz", "N", "Pa", "bar", "J", "W", "Nm", "Ns")

_NUMBER = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?)")
_SYMBOL = re.compile(r"[^\W\d_]+|°C?|%")
_POWER = re.compile(r"\s*(?:\^|\*\*)\s*([+-]?\d+(?:\.\d+)?)|([+-]?\d+)")
_NO_NUMBERS = ("nan", "inf", "infinity")
_ONE_OVER = re.compile(r"1\s*(?=/)")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_LONGEST, _HIGHEST_POWER = 100, 12  # characters and exponent beyond which it is no real unit


def split_value(text: str) -> tuple[Fraction, str, Unit]:
    """The number, the unit as written, and the unit read."""
    if len(text) > _LONGEST:
        raise Unreadable("the text is too long for a value with a unit")
    text = text.replace("−", "-")
    match = _NUMBER.match(text)
    number = Fraction(match[1]) if match else Fraction(1)
    symbols = text[match.end() if match else 0 :].strip()
    if not symbols and not match:
        raise Unreadable("the text is empty")
    if symbols.lower().lstrip("+-") in _NO_NUMBERS:
        raise Unreadable("it is not a number" if symbols[-1].lower() == "n" else "it is not a finite number")
    unit = read_unit(symbols)
    if not match:
        raise Unreadable("the number is missing", f"write e.g. 1 {symbols}")
    return number, symbols, unit


@lru_cache(maxsize=512)
def read_unit(text: str) -> Unit:
    """The unit written in a text; an empty one is 1."""
    if not text:
        return ONE
    plain = re.sub("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+", lambda raised: "^" + raised[0].translate(_SUPERSCRIPTS), text)
    unit, end = _product(plain, 0)
    if end != len(plain):
        raise Unreadable("a closing parenthesis has no opening one")
    return unit


def _skip(text: str, at: int) -> int:
    while text[at : at + 1].isspace():
        at += 1
    return at


def _product(text: str, at: int) -> tuple[Unit, int]:
    """Factors joined by *, ·, a space or /, up to the end or a closing parenthesis."""
    product, start, divided = ONE, at, False
    while (at := _skip(text, at)) < len(text) and text[at] != ")":
        sign = text[at] if text[at] in "*·⋅×/" else ""
        if divided and sign != "/":
            what = f"the factor after the slash in {text!r} has two readings"
            raise Unreadable(what, "use parentheses: W/(m K) or (W/m) K")
        divided = divided or sign == "/"
        at = _skip(text, at + len(sign))
        if at == start and (one := _ONE_OVER.match(text, at)):  # as in 1/s
            factor, at = ONE, one.end()
        else:
            factor, at = _factor(text, at)
        product = product * (factor ** Fraction(-1) if sign == "/" else factor)
    if at == start:
        raise Unreadable("a unit is missing")
    return product, at


def _factor(text: str, at: int) -> tuple[Unit, int]:
    """A symbol or a parenthesis, with its power."""
    if text[at : at + 1] == "(":
        unit, at = _product(text, at + 1)
        if text[at : at + 1] != ")":
            raise Unreadable("a parenthesis is not closed")
        at += 1
    elif symbol := _SYMBOL.match(text, at):
        unit, at = symbol_unit(symbol[0]), symbol.end()
    elif at == len(text):
        raise Unreadable("a unit is missing at the end")
    else:
        fix = "write the number without spaces or commas, then the unit: '1234.5 N'"
        raise Unreadable(f"{text[at:]!r} is no unit", fix)
    if power := _POWER.match(text, at):
        exponent = Fraction(power[1] or power[2])
        size = (unit.scale.numerator.bit_length() + unit.scale.denominator.bit_length()) * abs(exponent)
        largest = 4000 if exponent.denominator == 1 else 1000  # bits; roots are floats, of less than 1024
        if abs(exponent) > _HIGHEST_POWER or size > largest:
            raise Unreadable(f"the power {power[1] or power[2]} is too high")
        unit, at = unit**exponent, power.end()
    return unit, at


def symbol_unit(symbol: str) -> Unit:
    """The unit of one symbol, with its prefix: mm."""
    if symbol in SYMBOLS:
        return SYMBOLS[symbol]
    if symbol in DEFINITIONS:
        definition = DEFINITIONS[symbol]
        match = _NUMBER.match(definition)
        unit = read_unit(definition[match.end() if match else 0 :].strip())
        return unit._replace(scale=Fraction(match[1]) * unit.scale) if match else unit
    if symbol[0] in PREFIXES and symbol[1:] in PREFIXABLE:
        unit = symbol_unit(symbol[1:])
        return unit._replace(scale=unit.scale * Fraction(10) ** PREFIXES[symbol[0]])
    raise Unreadable(f"unit {symbol!r} is unknown", symbol=symbol)
