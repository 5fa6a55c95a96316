"""Dual numbers: a value and its derivative in one direction, a + b ε with ε² = 0.

A law evaluated on them gives the derivative of its residual, exact to rounding, without a line of its own. They work in plain
Python, and compiled (`flexor.law.dual_type`). The elementary functions here take floats and dual numbers alike; laws and the
functions they call use these instead of those of `math`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

Number: TypeAlias = "Dual | float"


@dataclass(frozen=True, eq=False, slots=True)
class Dual:
    """a + b ε"""

    a: float
    b: float = 0.0

    def __add__(self, other: Number) -> Dual:
        o = dual(other)
        return Dual(self.a + o.a, self.b + o.b)

    __radd__ = __add__

    def __neg__(self) -> Dual:
        return Dual(-self.a, -self.b)

    def __pos__(self) -> Dual:
        return self

    def __sub__(self, other: Number) -> Dual:
        o = dual(other)
        return Dual(self.a - o.a, self.b - o.b)

    def __rsub__(self, other: Number) -> Dual:
        return dual(other) - self

    def __mul__(self, other: Number) -> Dual:
        if isinstance(other, np.ndarray):
            return NotImplemented  # an array of dual numbers: each of them
        o = dual(other)
        return Dual(self.a * o.a, self.a * o.b + self.b * o.a)

    __rmul__ = __mul__

    def __truediv__(self, other: Number) -> Dual:
        o = dual(other)
        q = self.a / o.a
        return Dual(q, (self.b - q * o.b) / o.a)

    def __rtruediv__(self, other: Number) -> Dual:
        return dual(other) / self

    def __pow__(self, n: Number) -> Dual:
        if isinstance(n, Dual):
            return exp(n * log(self))
        return Dual(self.a**n, n * self.a ** (n - 1) * self.b if n else 0.0)

    def __rpow__(self, base: float) -> Dual:
        return exp(self * math.log(base))

    def __abs__(self) -> Dual:
        return self if self.a >= 0.0 else -self

    def __lt__(self, other: Number) -> bool:
        return self.a < dual(other).a

    def __le__(self, other: Number) -> bool:
        return self.a <= dual(other).a

    def __gt__(self, other: Number) -> bool:
        return self.a > dual(other).a

    def __ge__(self, other: Number) -> bool:
        return self.a >= dual(other).a

    def __eq__(self, other: object) -> bool:
        return self.a == dual(other).a  # type: ignore[arg-type]

    def __ne__(self, other: object) -> bool:
        return self.a != dual(other).a  # type: ignore[arg-type]

    __hash__ = None  # type: ignore[assignment]


class Duals:
    """An array of dual numbers on an array of floats, value and derivative side by side."""

    __slots__ = ("_floats",)

    def __init__(self, floats: np.ndarray) -> None:
        self._floats = floats

    def __len__(self) -> int:
        return len(self._floats) // 2

    def __getitem__(self, i: int | slice) -> Dual | Duals:
        if isinstance(i, slice):
            return Duals(self._floats[2 * (i.start or 0) :])
        return Dual(self._floats[2 * i], self._floats[2 * i + 1])

    def __setitem__(self, i: int, x: Number) -> None:
        x = dual(x)
        self._floats[2 * i], self._floats[2 * i + 1] = x.a, x.b


def duals(floats):
    """The same memory as an array of dual numbers."""
    return Duals(floats)


def dual(x: Number) -> Dual:
    """A number as a dual one."""
    return x if isinstance(x, Dual) else Dual(float(x))


def value(x):
    """A number without its derivative: what is searched for is found with such, and given its derivatives afterwards."""
    return x.a if isinstance(x, Dual) else x


def _chain(x: Dual, value: float, slope: float) -> Dual:
    return Dual(value, slope * x.b)


def sqrt(x):
    """√x"""
    if isinstance(x, Dual):
        root = math.sqrt(x.a)
        return _chain(x, root, 0.5 / root if root > 0.0 else math.inf)
    return math.sqrt(x)


def sin(x):
    """sin x"""
    return _chain(x, math.sin(x.a), math.cos(x.a)) if isinstance(x, Dual) else math.sin(x)


def cos(x):
    """cos x"""
    return _chain(x, math.cos(x.a), -math.sin(x.a)) if isinstance(x, Dual) else math.cos(x)


def tan(x):
    """tan x"""
    return _chain(x, math.tan(x.a), 1.0 + math.tan(x.a) ** 2) if isinstance(x, Dual) else math.tan(x)


def tanh(x):
    """tanh x"""
    return _chain(x, math.tanh(x.a), 1.0 - math.tanh(x.a) ** 2) if isinstance(x, Dual) else math.tanh(x)


def exp(x):
    """eˣ"""
    return _chain(x, math.exp(x.a), math.exp(x.a)) if isinstance(x, Dual) else math.exp(x)


def log(x):
    """ln x"""
    return _chain(x, math.log(x.a), 1.0 / x.a) if isinstance(x, Dual) else math.log(x)


def atan2(y, x):
    """Angle of the point (x, y)."""
    if isinstance(y, Dual) or isinstance(x, Dual):
        y, x = dual(y), dual(x)
        return Dual(math.atan2(y.a, x.a), (x.a * y.b - y.a * x.b) / (x.a * x.a + y.a * y.a))
    return math.atan2(y, x)


def asin(x):
    """arcsin x"""
    return _chain(x, math.asin(x.a), 1.0 / math.sqrt(1.0 - x.a * x.a)) if isinstance(x, Dual) else math.asin(x)


def acos(x):
    """arccos x"""
    return _chain(x, math.acos(x.a), -1.0 / math.sqrt(1.0 - x.a * x.a)) if isinstance(x, Dual) else math.acos(x)


def floor(x):
    """Largest whole number below x, without derivative."""
    return math.floor(x.a) if isinstance(x, Dual) else math.floor(x)


ELEMENTARY = (sqrt, sin, cos, tan, tanh, exp, log, atan2, asin, acos, floor)
"""Exchanged for those of `math` where a law is compiled."""
