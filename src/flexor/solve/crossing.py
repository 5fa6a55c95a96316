"""Where a line of a Campbell diagram meets an order of the speed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from flexor.errors import DivergenceError, Problem
from flexor.solve.modes import whirl_name

AXIAL = "axial"
APART = (1e-6, 1e-5, 1e-4)
"""Parts of the speed by which a singular one is passed."""
ACROSS = 1e-6 * 1.5 ** np.arange(20)
"""Parts of the speed, on both sides of a zero, at which eigenvalues that are taken for zero may end."""


def root_of(f: Callable[[float], float], low: float, high: float) -> float:
    """Where a function changes its sign. Where it is zero over a while, as eigenvalues near zero are, on the straight line across."""
    from scipy.optimize import brentq  # takes long to load

    root = float(brentq(f, low, high, rtol=1e-9))
    if f(root) != 0.0:
        return root
    a, b = (
        next((x for x in found if f(x) != 0.0), root)
        for found in np.clip(root * (1.0 + np.array([-ACROSS, ACROSS])), low, high)
    )
    return float(a + (b - a) * f(a) / (f(a) - f(b))) if f(a) * f(b) < 0.0 else root


def beside(
    solved: Callable[[float], tuple[complex, float]], speed: float, error: DivergenceError
) -> tuple[complex, float]:
    """Eigenvalue and whirl at a speed at which no equilibrium was found, as the mean of those on both sides of it.

    At a critical speed itself the steady state is indifferent to the deflection that whirls: rounding alone decides whether its
    iterations settle. A little off it is determined; over the distance h the mean is off by ½ λ″ h².
    """
    for distance in APART:
        try:
            (low, whirl_low), (high, whirl_high) = (solved(speed * (1.0 + side * distance)) for side in (-1, 1))
        except DivergenceError:
            continue
        return 0.5 * (low + high), 0.5 * (whirl_low + whirl_high)
    at = f"at {speed * 30 / np.pi:.6g} rpm"
    fix = "take speeds that lie closer together, or leave out those beyond the first instability"
    raise DivergenceError(
        Problem("campbell", f"no steady state was found {at}, between two speeds of the diagram", str(error), fix)
    ) from None


def gap_of(values: Any, order: float, speed: Any) -> Any:
    """How far eigenvalues are above order · speed [1/s]; for order 0 their stiffness −λ² [1/s²], negative where they diverge."""
    return np.abs(np.imag(values)) - order * speed if order else -np.real(values * values)


@dataclass(frozen=True)
class Crossing:
    """A critical speed [rad/s], its frequency [Hz], the number of its mode (column of the diagram), its whirl from −1 to 1.

    lateral: whether the mode moves across the axis; else it is axial or torsional, and unbalance does not excite it.
    """

    speed: float
    frequency: float
    mode: int
    whirl: float
    lateral: bool = True

    def __str__(self) -> str:
        sense = whirl_name(self.whirl) if self.lateral else AXIAL
        return f"{self.speed * 30 / np.pi:.6g} rpm (mode {self.mode + 1}, {sense})"
