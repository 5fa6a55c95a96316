"""Values with units: "210 GPa" becomes 2.1e11. Inside Flexor everything is SI: m, kg, s, rad, N, Pa, K.

A unit is a product of symbols, each with an optional prefix and power:

    18 mm    7850 kg/m^3    12 N*m/rad    1e3 N s/m    0.3 kg m2    5 µm    2 N·m    1/s    W/(m K)

Angles. The radian counts as 1, so a rotational stiffness may be given in N·m/rad or in N·m, and an angular
velocity in rad/s or 1/s. Turns and cycles are kept apart from it: as an angular velocity 3000 rpm is
314.159… (rad/s), as a frequency it is 50 (cycles per second, Hz). Hz is refused as an angular velocity,
because some mean cycles and some mean radians: write rev/s or rad/s.

Temperatures: "20 degC" alone is a temperature, 293.15 K; inside a product degC is a difference, W/(m degC).

Factors are exact fractions, so "18 mm" is the float nearest to 0.018.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from flexor.errors import Problem, UnitError

if TYPE_CHECKING:
    import numpy as np

__all__ = ["DIMENSIONS", "si", "unit_of"]

DIMENSIONS: dict[str, tuple[str, str]] = {
    # dimension: (SI unit, a value as an engineer would write it)
    "dimensionless": ("", "0.3"),
    "length": ("m", "18 mm"),
    "area": ("m²", "250 mm^2"),
    "volume": ("m³", "12 cm^3"),
    "second moment of area": ("m⁴", "8300 mm^4"),
    "angle": ("rad", "90 deg"),
    "time": ("s", "0.2 ms"),
    "frequency": ("Hz", "5 kHz"),
    "velocity": ("m/s", "36 km/h"),
    "angular velocity": ("rad/s", "3000 rpm"),
    "acceleration": ("m/s²", "9.81 m/s^2"),
    "angular acceleration": ("rad/s²", "500 rad/s^2"),
    "mass": ("kg", "1.2 kg"),
    "density": ("kg/m³", "7850 kg/m^3"),
    "linear density": ("kg/m", "2.5 kg/m"),
    "inertia": ("kg·m²", "0.002 kg*m^2"),
    "force": ("N", "3 kN"),
    "torque": ("N·m", "40 N*m"),
    "impulse": ("N·s", "5 N*s"),
    "stiffness": ("N/m", "20 N/mm"),
    "rotational stiffness": ("N·m/rad", "12 N*m/rad"),
    "damping": ("N·s/m", "1e3 N*s/m"),
    "rotational damping": ("N·m·s/rad", "0.5 N*m*s/rad"),
    "pressure": ("Pa", "210 GPa"),
    "stress": ("Pa", "355 MPa"),
    "energy": ("J", "12 J"),
    "power": ("W", "15 kW"),
    "temperature": ("K", "20 degC"),
    "thermal expansion": ("1/K", "1.2e-5 1/K"),
    "thermal conductivity": ("W/(m·K)", "50 W/(m*K)"),
    "specific heat": ("J/(kg·K)", "460 J/(kg*K)"),
    "heat transfer": ("W/(m²·K)", "25 W/(m^2*K)"),
}

_BASE = ("kg", "m", "s", "K", "rad", "cycle")  # the last two count as 1 in physics and are told apart here
_PHYSICAL = 4
_RAD, _CYCLE = 4, 5


class _Unit(NamedTuple):
    """scale · π^turn · ∏ baseᵢ^powersᵢ"""

    scale: Fraction
    turn: Fraction
    powers: tuple[Fraction, ...]

    def __mul__(self, other: _Unit) -> _Unit:  # type: ignore[override]
        powers = tuple(a + b for a, b in zip(self.powers, other.powers, strict=True))
        return _Unit(self.scale * other.scale, self.turn + other.turn, powers)

    def __pow__(self, n: Fraction) -> _Unit:
        return _Unit(Fraction(self.scale**n), self.turn * n, tuple(a * n for a in self.powers))


class _Unreadable(Exception):
    """A unit that cannot be read, and how to fix it or the symbol that is unknown."""

    def __init__(self, what: str, fix: str = "", symbol: str = "") -> None:
        super().__init__(what)
        self.what, self.fix, self.symbol = what, fix, symbol


_ONE = _Unit(Fraction(1), Fraction(0), (Fraction(0),) * len(_BASE))
_SYMBOLS = {symbol: _ONE._replace(powers=tuple(Fraction(symbol == base) for base in _BASE)) for symbol in _BASE}
_SYMBOLS["deg"] = _SYMBOLS["rad"]._replace(scale=Fraction(1, 180), turn=Fraction(1))
_SYMBOLS["%"] = _ONE._replace(scale=Fraction(1, 100))
_DEFINITIONS = {
    "g": "0.001 kg", "t": "1000 kg", "min": "60 s", "h": "3600 s", "rev": "360 deg", "rpm": "rev/min",
    "°": "deg", "Hz": "cycle/s", "N": "kg m/s^2", "Pa": "N/m^2", "bar": "1e5 Pa", "J": "N m", "W": "J/s",
    "Nm": "N m", "Nmm": "N mm", "Ns": "N s", "degC": "K", "°C": "K",
    "in": "0.0254 m", "ft": "0.3048 m", "lb": "0.45359237 kg", "lbf": "4.4482216152605 N",
    "slug": "lbf s^2/ft", "psi": "lbf/in^2", "ksi": "1000 psi",
}  # fmt: skip
_PREFIXES = {  # the usual ones first: suggestions come in this order; u and the Greek μ also stand for micro
    "m": -3, "k": 3, "M": 6, "G": 9, "µ": -6, "c": -2, "n": -9, "T": 12, "d": -1, "h": 2, "p": -12,
    "u": -6, "μ": -6,
}  # fmt: skip
_PREFIXABLE = ("m", "g", "s", "K", "rad", "Hz", "N", "Pa", "bar", "J", "W", "Nm", "Ns")

_NUMBER = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?)")
_SYMBOL = re.compile(r"[^\W\d_]+|°C?|%")
_POWER = re.compile(r"\s*(?:\^|\*\*)\s*([+-]?\d+(?:\.\d+)?)|([+-]?\d+)")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_LONGEST, _HIGHEST_POWER = 100, 12  # characters and exponent beyond which it is no real unit


@overload
def si(value: float | str, dimension: str | None = None) -> float: ...
@overload
def si(value: list[Any], dimension: str | None = None) -> list[Any]: ...
@overload
def si(value: tuple[Any, ...], dimension: str | None = None) -> tuple[Any, ...]: ...
@overload
def si(value: np.ndarray, dimension: str | None = None) -> np.ndarray: ...
def si(value: Any, dimension: str | None = None) -> Any:
    """The value in SI units: si("18 mm", "length") is 0.018.

    Numbers, and strings without a unit, are taken to be SI already. Lists, tuples and arrays are converted
    element by element. `dimension` is one of `DIMENSIONS`, or None to take any. A unit that is unknown or
    does not measure that dimension raises UnitError.
    """
    if isinstance(value, str):
        return _read(value, dimension)
    if isinstance(value, Real) and not isinstance(value, bool):
        return float(value)
    if isinstance(value, list | tuple):
        return type(value)([si(each, dimension) for each in value])
    if hasattr(value, "dtype") and value.dtype.kind in "iuf":
        return value.astype(float)
    raise _error(value, f"a {type(value).__name__} is not a value", dimension)


def unit_of(dimension: str) -> str:
    """The SI unit of a dimension as written on the axis of a plot, e.g. "N·m"; empty for plain numbers."""
    if dimension not in DIMENSIONS:
        from difflib import get_close_matches

        near = get_close_matches(dimension, DIMENSIONS, 1) or ["length"]
        raise UnitError(Problem(repr(dimension), "dimension is unknown", fix=f"did you mean {near[0]!r}?"))
    return DIMENSIONS[dimension][0]


def _read(text: str, dimension: str | None) -> float:
    try:
        number, symbols, unit = _split(text)
    except _Unreadable as bad:
        near = _nearest(bad.symbol, dimension) if bad.symbol else ()
        fix = f"did you mean {' or '.join(near)}?" if near else bad.fix
        raise _error(text, bad.what, dimension, fix) from None
    if dimension is not None and symbols:
        expected = _unit(unit_of(dimension))
        if unit.powers[_RAD] == expected.powers[_CYCLE] == 1:  # 1 cycle = 2π rad
            cycles = (*unit.powers[:_RAD], Fraction(0), Fraction(1))
            unit = _Unit(unit.scale / 2, unit.turn - 1, cycles)
        if unit.powers[:_PHYSICAL] != expected.powers[:_PHYSICAL]:
            raise _error(text, f"{symbols} is not a unit of this dimension", dimension)
        for angle in (_RAD, _CYCLE):
            if unit.powers[angle] not in (0, expected.powers[angle]):
                fix = "write rev/s for turns per second or rad/s" if expected.powers[_RAD] else ""
                raise _error(text, f"the angle in {symbols} is out of place", dimension, fix)
    try:  # π^turn is 1 unless angles are converted; the rest is exact and rounded once
        result = float(number * unit.scale) * math.pi ** float(unit.turn)
    except OverflowError:
        result = math.inf
    if math.isinf(result) or (number and not result):
        raise _error(text, "the number is beyond 1e±308", dimension)
    return result + 273.15 if symbols in ("degC", "°C") else result


def _split(text: str) -> tuple[Fraction, str, _Unit]:
    """The number, the unit as written, and the unit read."""
    if len(text) > _LONGEST:
        raise _Unreadable("the text is too long for a value with a unit")
    text = text.replace("−", "-")
    match = _NUMBER.match(text)
    number = Fraction(match[1]) if match else Fraction(1)
    symbols = text[match.end() if match else 0 :].strip()
    if not symbols and not match:
        raise _Unreadable("the text is empty")
    return number, symbols, _unit(symbols) if symbols else _ONE


@lru_cache(maxsize=512)
def _unit(text: str) -> _Unit:
    if not text:
        return _ONE
    plain = re.sub("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+", lambda raised: "^" + raised[0].translate(_SUPERSCRIPTS), text)
    unit, end = _product(plain, 0)
    if end != len(plain):
        raise _Unreadable("a closing parenthesis has no opening one")
    return unit


def _skip(text: str, at: int) -> int:
    while text[at : at + 1].isspace():
        at += 1
    return at


def _product(text: str, at: int) -> tuple[_Unit, int]:
    """Factors joined by *, ·, a space or /, up to the end or a closing parenthesis."""
    product, start, divided = _ONE, at, False
    while (at := _skip(text, at)) < len(text) and text[at] != ")":
        sign = text[at] if text[at] in "*·⋅×/" else ""
        if divided and sign != "/":
            what = f"the factor after the slash in {text!r} has two readings"
            raise _Unreadable(what, "use parentheses: W/(m K) or (W/m) K")
        divided = divided or sign == "/"
        at = _skip(text, at + len(sign))
        if at == start and (one := re.match(r"1\s*(?=/)", text)):  # as in 1/s
            factor, at = _ONE, one.end()
        else:
            factor, at = _factor(text, at)
        product = product * (factor ** Fraction(-1) if sign == "/" else factor)
    if at == start:
        raise _Unreadable("a unit is missing")
    return product, at


def _factor(text: str, at: int) -> tuple[_Unit, int]:
    """A symbol or a parenthesis, with its power."""
    if text[at : at + 1] == "(":
        unit, at = _product(text, at + 1)
        if text[at : at + 1] != ")":
            raise _Unreadable("a parenthesis is not closed")
        at += 1
    elif symbol := _SYMBOL.match(text, at):
        unit, at = _symbol(symbol[0]), symbol.end()
    elif at == len(text):
        raise _Unreadable("a unit is missing at the end")
    else:
        fix = "write the number without spaces or commas, then the unit: '1234.5 N'"
        raise _Unreadable(f"{text[at:]!r} is no unit", fix)
    if power := _POWER.match(text, at):
        exponent = Fraction(power[1] or power[2])
        size = (unit.scale.numerator.bit_length() + unit.scale.denominator.bit_length()) * abs(exponent)
        largest = 4000 if exponent.denominator == 1 else 1000  # bits; roots are floats, of less than 1024
        if abs(exponent) > _HIGHEST_POWER or size > largest:
            raise _Unreadable(f"the power {power[1] or power[2]} is too high")
        unit, at = unit**exponent, power.end()
    return unit, at


def _symbol(symbol: str) -> _Unit:
    if symbol in _SYMBOLS:
        return _SYMBOLS[symbol]
    if symbol in _DEFINITIONS:
        number, _, unit = _split(_DEFINITIONS[symbol])
        return unit._replace(scale=number * unit.scale)
    if symbol[0] in _PREFIXES and symbol[1:] in _PREFIXABLE:
        unit = _symbol(symbol[1:])
        return unit._replace(scale=unit.scale * Fraction(10) ** _PREFIXES[symbol[0]])
    raise _Unreadable(f"unit {symbol!r} is unknown", symbol=symbol)


def _nearest(symbol: str, dimension: str | None) -> Sequence[str]:
    """Known units that look like the symbol: the same but for case, run together, or similar."""
    from difflib import get_close_matches

    def similar(choice: list[str], cutoff: float) -> list[str]:
        return sorted(get_close_matches(symbol, choice, 9, cutoff), key=choice.index)[:3]

    prefixed = [prefix + unit for prefix in _PREFIXES if prefix not in "uμ" for unit in _PREFIXABLE]
    known = list(dict.fromkeys([*_SYMBOLS, *_DEFINITIONS, *prefixed]))
    powers = None if dimension is None else _unit(unit_of(dimension)).powers
    fitting = [unit for unit in known if _symbol(unit).powers == powers]
    halves = [(symbol[:cut], symbol[cut:]) for cut in range(1, len(symbol))]
    return (
        [unit for unit in fitting or known if unit.lower() == symbol.lower()]
        or [f"{left}*{right}" for left, right in halves if left in known and right in known]
        or similar(fitting, 0.5)
        or [unit for unit in known if unit.lower() == symbol.lower()]
        or similar(known, 0.6)
    )


def _error(value: Any, what: str, dimension: str | None, fix: str = "") -> UnitError:
    if dimension is None:
        why, example = "a value is a number and a unit", 'e.g. "18 mm"'
    else:
        unit, text = unit_of(dimension), DIMENSIONS[dimension][1]
        why = f"{dimension} is measured in {unit}" if unit else "a number without unit is expected"
        example = f'e.g. "{text}"'
    return UnitError(Problem(repr(value), what, why, fix or example))
