"""Values with units: "210 GPa" becomes 2.1e11. Inside Flexor everything is SI: m, kg, s, rad, N, Pa, K.

A unit is a product of symbols, each with an optional prefix and power:

    18 mm    7850 kg/m^3    12 N*m/rad    1e3 N s/m    0.3 kg m2    5 µm    2 N·m    1/s    W/(m K)

Angles. The radian counts as 1, so a rotational stiffness may be given in N·m/rad or in N·m, and an angular
velocity in rad/s or 1/s. Turns and cycles are kept apart from it: as an angular velocity 3000 rpm is
314.159… (rad/s), as a frequency it is 50 (cycles per second, Hz). Hz is refused as an angular velocity,
because some mean cycles and some mean radians: write rev/s or rad/s.

Where the dimension is not known yet (the speed of a motor whose joint may slide or turn), the value is kept as a
`Measured` float that remembers what was written, and is judged later.

Temperatures: "20 degC" alone is a temperature, 293.15 K; inside a product degC is a difference, W/(m degC).

Factors are exact fractions, so "18 mm" is the float nearest to 0.018.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, cast, overload

from flexor.errors import Problem, UnitError
from flexor.unit_text import (
    CYCLE,
    DEFINITIONS,
    PHYSICAL,
    PREFIXABLE,
    PREFIXES,
    RAD,
    SYMBOLS,
    Unit,
    Unreadable,
    read_unit,
    split_value,
    symbol_unit,
)

__all__ = ["DIMENSIONS", "Dimension", "Measured", "Quantity", "Triple", "measured", "si", "unit_of"]

Quantity: TypeAlias = float | str
"""What a user writes for a value: a number in SI units, or text with a unit, "18 mm"."""
if TYPE_CHECKING:
    import numpy as np

    Triple: TypeAlias = tuple[Quantity, Quantity, Quantity] | list[Any] | np.ndarray
else:
    Triple = tuple[Quantity, Quantity, Quantity]
"""Three of them: a point, a velocity, a direction; a list and an array of numbers will do, too."""

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
    "rate": ("1/s", "0.5 1/s"),
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
    "force per length": ("N/m", "800 N/m"),
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


@overload
def si(value: float | str, dimension: str | None = None) -> float: ...
@overload
def si(value: list[Any], dimension: str | None = None) -> list[Any]: ...
@overload
def si(value: tuple[Any, ...], dimension: str | None = None) -> tuple[Any, ...]: ...
@overload
def si(value: np.ndarray, dimension: str | None = None) -> np.ndarray: ...
def si(value: object, dimension: str | None = None) -> object:
    """The value in SI units: si("18 mm", "length") is 0.018.

    Numbers, and strings without a unit, are taken to be SI already. Lists, tuples and arrays are converted
    element by element. `dimension` is one of `DIMENSIONS`, or None to take any. A unit that is unknown or
    does not measure that dimension raises UnitError.
    """
    if type(value) is float:
        return value
    if type(value) is int:
        return float(value)
    if isinstance(value, str):
        return _read(value, dimension)
    if isinstance(value, Real) and not isinstance(value, bool):
        return float(value)
    if isinstance(value, list | tuple):
        return type(value)([si(each, dimension) for each in value])
    if hasattr(value, "dtype") and value.dtype.kind in "iuf":
        return cast("np.ndarray", value).astype(float)
    expected = None if dimension is None else Dimension.of(dimension)
    raise UnitError(_problem(value, f"a {type(value).__name__} is not a value", expected))


def unit_of(dimension: str) -> str:
    """The SI unit of a dimension as written on the axis of a plot, e.g. "N·m"; empty for plain numbers."""
    if dimension not in DIMENSIONS:
        from difflib import get_close_matches

        near = get_close_matches(dimension, DIMENSIONS, 1) or ["length"]
        raise UnitError(Problem(repr(dimension), "dimension is unknown", fix=f"did you mean {near[0]!r}?"))
    return DIMENSIONS[dimension][0]


class Dimension(NamedTuple):
    """What a value measures: its SI unit, the powers of kg, m, s, K, rad, cycle in it, and its name where it has one."""

    unit: str
    powers: tuple[Fraction, ...]
    name: str = ""

    @classmethod
    def of(cls, name: str) -> Dimension:
        """The dimension of this name in DIMENSIONS."""
        return cls(unit_of(name), read_unit(unit_of(name)).powers, name)

    @classmethod
    def measured_in(cls, unit: str) -> Dimension | None:
        """The dimension of an SI unit; None if it is none that can be read."""
        try:
            powers = read_unit(unit).powers
        except Unreadable:
            return None
        known = [(own != unit, name) for name, (own, _) in DIMENSIONS.items() if read_unit(own).powers == powers]
        return cls(unit, powers, min(known, default=(True, ""))[1])

    def times(self, other: Dimension, power: int = 1) -> Dimension:
        """The dimension of a product: force · length^power."""
        if power == 0 or not other.unit:
            return self
        if not self.unit and power == 1:
            return other
        factor = f"({other.unit})" if any(mark in other.unit for mark in "*·/ ") else other.unit
        factor += f"^{abs(power)}" if abs(power) > 1 else ""
        own = f"({self.unit})" if "/" in self.unit else self.unit or "1"
        powers = tuple(a + power * b for a, b in zip(self.powers, other.powers, strict=True))
        return Dimension(own + ("*" if power > 0 else "/") + factor, powers)

    @property
    def without_radians(self) -> tuple[Fraction, ...]:
        """Its powers, the radian taken as 1: what counts in a product, where radius times angular velocity is a velocity."""
        return (*self.powers[:RAD], Fraction(0), *self.powers[CYCLE:])

    def takes(self, powers: tuple[Fraction, ...]) -> bool:
        """Whether a unit with these powers measures it. The radian counts as 1, a cycle never does."""
        own = self.powers
        return powers[:PHYSICAL] == own[:PHYSICAL] and all(powers[a] in (0, own[a]) for a in (RAD, CYCLE))

    def refusal(self, text: str) -> Problem | None:
        """What is wrong with a value written with a unit, if it does not measure this."""
        number, symbols, unit = split_value(text)
        if not symbols or self.takes(unit.powers):
            return None
        own = self.powers
        if unit.powers[:PHYSICAL] != own[:PHYSICAL]:
            return _problem(text, f"{symbols} is not a unit of this dimension", self)
        if unit.powers[CYCLE] == own[RAD] == 1 and abs(number * unit.scale) < 10**300:
            return self._two_readings(text, symbols, float(number * unit.scale))
        return _problem(text, f"the angle in {symbols} is out of place", self)

    def _two_readings(self, text: str, symbols: str, size: float) -> Problem:
        """Cycles where an angle is wanted: so many turns, or so many radians."""
        names = (unit for unit, _ in DIMENSIONS.values() if unit.startswith("rad"))
        radians = next((unit for unit in names if read_unit(unit).powers == self.powers), "")
        if not radians:
            return _problem(text, f"the angle in {symbols} is out of place", self)
        turns, own = f"rev{radians[3:]}", read_unit(self.unit)
        one = 1.0 / (float(own.scale) * math.pi ** float(own.turn))  # 1 rad in the own unit
        meant = f"{size:g} {radians}" + ("" if self.unit == radians else f", {size * one:g} {self.unit},")
        what = f"{symbols} has two readings: {size:g} turns{radians[3:]} are {2 * math.pi * size * one:g} {self.unit}, but {meant} may be meant"
        return _problem(text, what, self, f"write {size:g} {turns} or {size:g} {radians}")


class Measured(float):
    """A value in SI units that remembers how it was written, e.g. "5 kN"."""

    __slots__ = ("text",)
    text: str

    @property
    def dimension(self) -> Dimension:
        """What its unit measures."""
        _, symbols, unit = split_value(self.text)
        return Dimension(symbols, unit.powers)


def measured(value: Quantity, dimension: str | None = None) -> float:
    """As `si`; text with a unit becomes a `Measured` value."""
    number = value if isinstance(value, Measured) else si(value, dimension)
    if isinstance(value, str) and split_value(value)[1]:
        number = Measured(number)
        number.text = value
    return number


def _read(text: str, dimension: str | None) -> float:
    expected = None if dimension is None else Dimension.of(dimension)
    try:
        number, symbols, unit = split_value(text)
    except Unreadable as bad:
        near = _nearest(bad.symbol, expected) if bad.symbol else ()
        fix = f"did you mean {' or '.join(near)}?" if near else bad.fix
        raise UnitError(_problem(text, bad.what, expected, fix)) from None
    if expected is not None and symbols:
        if unit.powers[RAD] == expected.powers[CYCLE] == 1:  # 1 cycle = 2π rad
            cycles = (*unit.powers[:RAD], Fraction(0), Fraction(1))
            unit = Unit(unit.scale / 2, unit.turn - 1, cycles)
        if not expected.takes(unit.powers) and (problem := expected.refusal(text)):
            raise UnitError(problem)
    try:  # π^turn is 1 unless angles are converted; the rest is exact and rounded once
        result = float(number * unit.scale) * math.pi ** float(unit.turn)
    except OverflowError:
        result = math.inf
    if math.isinf(result) or (number and not result):
        raise UnitError(_problem(text, "the number is beyond 1e±308", expected))
    return result + 273.15 if symbols in ("degC", "°C") else result


def _nearest(symbol: str, expected: Dimension | None) -> Sequence[str]:
    """Known units that look like the symbol: the same but for case, run together, or similar."""
    from difflib import get_close_matches

    def similar(choice: list[str], cutoff: float) -> list[str]:
        return sorted(get_close_matches(symbol, choice, 9, cutoff), key=choice.index)[:3]

    prefixed = [prefix + unit for prefix in PREFIXES if prefix not in "uμ" for unit in PREFIXABLE]
    known = list(dict.fromkeys([*SYMBOLS, *DEFINITIONS, *prefixed]))
    powers = None if expected is None else expected.powers
    fitting = [unit for unit in known if symbol_unit(unit).powers == powers]
    halves = [(symbol[:cut], symbol[cut:]) for cut in range(1, len(symbol))]
    return (
        [unit for unit in fitting or known if unit.lower() == symbol.lower()]
        or [f"{left}*{right}" for left, right in halves if left in known and right in known]
        or similar(fitting, 0.5)
        or [unit for unit in known if unit.lower() == symbol.lower()]
        or similar(known, 0.6)
    )


def _problem(value: object, what: str, expected: Dimension | None, fix: str = "") -> Problem:
    if expected is None:
        why, example = "a value is a number and a unit", 'e.g. "18 mm"'
    elif not expected.unit:
        why, example = "a number without unit is expected", 'e.g. "0.3"'
    else:
        why = f"{expected.name or 'it'} is measured in {expected.unit}"
        example = f'e.g. "{DIMENSIONS[expected.name][1]}"' if expected.name else f'e.g. "2.5 {expected.unit}"'
    return Problem(repr(value), what, why, fix or example)
