"""Transfer functions as state equations: controllable canonical form in a time of their own.

    y/u = (b₀ + b₁ s + … + bₘ sᵐ)/(a₀ + a₁ s + … + aₙ sⁿ),   m ≤ n      →      ẋ = A x + B u,   y = C x + D u

With s = ω p, where ω is the mean size of the poles, the coefficients of p are of like size, and so are the states.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

Coefficients = Sequence[float] | np.ndarray
"""Of a polynomial, from the highest power down."""


class StateMatrices(NamedTuple):
    """ẋ = A x + B u, y = C x + D u: (n, n), (n, m), (q, n), (q, m)."""

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray

    @property
    def states(self) -> int:
        return len(self.A)

    def at(self, s: complex) -> np.ndarray:
        """The transfer functions at s, (q, m)."""
        return np.asarray(self.C @ np.linalg.solve(s * np.eye(self.states) - self.A, self.B) + self.D)

    @property
    def steady_gain(self) -> np.ndarray:
        """y/u at rest, (q, m); infinite or undefined where it integrates."""
        return np.asarray(self.D - self.C @ np.linalg.solve(self.A, self.B)) if self.states else self.D


def realised(numerator: Coefficients, denominator: Coefficients) -> StateMatrices:
    """Of a proper transfer function; coefficients from the highest power down, as python-control and SciPy have them."""
    b, a = (np.trim_zeros(np.asarray(each, dtype=float), "f") for each in (numerator, denominator))
    n = len(a) - 1
    if n < 0 or len(b) > n + 1:
        raise ValueError("the transfer function is improper")
    b = np.concatenate([np.zeros(n + 1 - len(b)), b])
    omega = _mean_pole(a)
    scale = omega ** -np.arange(0.0, n + 1)  # of the powers n … 0, relative to ωⁿ
    a, b = a * scale, b * scale
    a, b = a / a[0], b / a[0]
    d = b[0]
    c = (b - d * a)[1:]
    A = np.zeros((n, n))
    A[:1] = -a[1:]
    A[1:, :-1] = np.eye(n)[: max(n - 1, 0), : max(n - 1, 0)]
    B = np.zeros((n, 1))
    B[:1] = 1.0
    return StateMatrices(omega * A, omega * B, c[None], np.array([[d]]))


def _mean_pole(a: np.ndarray) -> float:
    """Geometric mean of the poles other than zero [1/s]; 1 if there are none."""
    a = np.trim_zeros(a, "b")
    return float(abs(a[-1] / a[0]) ** (1 / (len(a) - 1))) if len(a) > 1 else 1.0


def in_series(*parts: tuple[Coefficients, Coefficients]) -> tuple[np.ndarray, np.ndarray]:
    """Numerator and denominator of transfer functions one behind the other."""
    numerator: np.ndarray = np.ones(1)
    denominator: np.ndarray = np.ones(1)
    for b, a in parts:
        numerator, denominator = np.polymul(numerator, b), np.polymul(denominator, a)
    return numerator, denominator


def pade(delay: float, order: int) -> StateMatrices:
    """e^(−s·delay) by Padé's formula of equal degrees: right in phase up to about ω = order/delay, of size one everywhere."""
    c = [1.0]
    for k in range(order):
        c.append(c[-1] * (order - k) / ((2 * order - k) * (k + 1)))
    powers = np.array(c) * delay ** np.arange(order + 1.0)
    signs = (-1.0) ** np.arange(order + 1)
    return realised((signs * powers)[::-1], powers[::-1])
