"""Numbers with units as an engineer writes them: 210 GPa, (80, 0, 0) mm, 30°, 314.159 rad/s = 3000 rpm."""

from __future__ import annotations

import math
from collections.abc import Sequence

PREFIXES = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""))
LENGTHS = ((1.0, "m"), (1e-3, "mm"), (1e-6, "µm"))
PREFIXED = ("Pa", "N", "J", "W", "N/m", "N m", "N·m", "N s/m", "N·s/m", "N m/rad", "N·m/rad", "N m s/rad", "N·m·s/rad")
"""Units that take a prefix."""
DIGITS = 6


def number(x: float) -> str:
    """Six digits."""
    text = f"{x:.{DIGITS}g}"
    if "e" in text:
        mantissa, _, power = text.partition("e")
        text = f"{mantissa}e{int(power)}"
    return text.replace("-", "−") if float(text) != 0 else "0"


def value(x: float, unit: str) -> str:
    """A number in SI with its unit."""
    if unit == "rad" and math.isfinite(x):
        return f"{number(math.degrees(x))}°"
    factor, shown = _scale(abs(x), unit)
    text = f"{number(x / factor)} {shown}".rstrip()
    return f"{text} = {number(x * 30 / math.pi)} rpm" if unit == "rad/s" and x else text


def numbers(values: Sequence[float], unit: str) -> str:
    """Some numbers of one unit, in one scale."""
    if unit == "rad":
        return f"({', '.join(number(math.degrees(x)) for x in values)})°"
    factor, shown = _scale(max((abs(x) for x in values), default=0.0), unit)
    return f"({', '.join(number(x / factor) for x in values)}) {shown}".rstrip()


def rows(values: Sequence[Sequence[float]], unit: str) -> str:
    """Some vectors of one unit, in one scale."""
    factor, shown = _scale(max((abs(x) for row in values for x in row), default=0.0), unit)
    told = [", ".join(number(x / factor) for x in row) for row in values]
    return f"({'), ('.join(told)}) {shown}".rstrip()


def _scale(size: float, unit: str) -> tuple[float, str]:
    if not 0 < size < math.inf:
        return 1.0, unit
    if unit == "m":
        return next(((f, name) for f, name in LENGTHS if size >= 0.9999999 * f), LENGTHS[-1])
    if unit in PREFIXED:
        return next(((f, prefix + unit) for f, prefix in PREFIXES if size >= 0.9999999 * f), (1.0, unit))
    return 1.0, unit
