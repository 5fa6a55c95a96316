"""Which motions of a curve are stable, judged point by point while it is followed, and how sure that is."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from flexor.solve.periodic.cycle import Cycle
from flexor.solve.periodic.fourier import Fourier
from flexor.solve.periodic.hill import LARGEST, exponents, is_stable
from flexor.solve.periodic.newton import CurvePoint
from flexor.warning import warn

SETTLED = 0.02
"""Difference of growth rates, in parts of ω, from which on twice as many harmonics of a disturbance are said to tell another growth,"""
PART = 0.3
"""if that is also this part of the growth."""
EVERY = 16
"""Points of a curve between two at which that is looked at; where stability changes it is, too."""
CHANGES = 5
"""So many of these at most."""


class UncertainStability(UserWarning):
    """More harmonics of a disturbance tell another growth: which motions are stable is not settled."""


@dataclass
class Stability:
    """Judges points one after another; `tell` afterwards warns of doubts."""

    cycle: Cycle
    number: int = 0
    last: float = math.nan
    changes: int = 0
    worst: tuple[float, float] = (0.0, 0.0)
    """Largest difference of growth rates in parts of ω, and where [Hz]."""
    more: Fourier | None = field(init=False)

    def __post_init__(self) -> None:
        f = self.cycle.fourier
        self.more = Fourier(2 * f.harmonics, f.samples) if f.samples >= 4 * f.harmonics + 2 else None

    def __call__(self, point: CurvePoint) -> float:
        """1: stable, 0: not, NaN: not told."""
        if point.matrices is None:
            return math.nan
        few = exponents(point.matrices, self.cycle.fourier, point.omega, self.cycle.kinds)
        stable = float(is_stable(few, point.omega))
        changed = not math.isnan(self.last) and stable != self.last and self.changes < CHANGES
        if few is not None and (self.number % EVERY == 0 or changed):
            self._look(point, few)
        self.changes += changed
        self.number, self.last = self.number + 1, stable
        return stable

    def _look(self, point: CurvePoint, few: np.ndarray) -> None:
        """Remember by how much twice as many harmonics tell another growth."""
        if self.more is None or point.matrices is None:
            return
        many = exponents(point.matrices, self.more, point.omega, self.cycle.kinds, 2 * LARGEST)
        if many is None or not len(few) or not len(many):
            return
        growth, apart = few.real.max(), abs(many.real.max() - few.real.max())
        if apart > PART * abs(growth):
            self.worst = max(self.worst, (apart / point.omega, point.omega / (2 * math.pi)))

    def tell(self) -> None:
        """Warn where stability is not settled."""
        off, hertz = self.worst
        if off > SETTLED:
            harmonics = self.cycle.fourier.harmonics
            warn(
                f"harmonic_balance: which motions are stable is not settled: at {hertz:.6g} Hz, with "
                f"{2 * harmonics} harmonics of a disturbance instead of {harmonics}, it grows {math.exp(2 * math.pi * off):.3g} times more or less per cycle. "
                "Take more harmonics and samples, or try a run",
                UncertainStability,
            )
