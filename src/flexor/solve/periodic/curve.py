"""Periodic motions over frequency: what `model.harmonic_balance(…)` gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from flexor.arguments import quantity_of
from flexor.errors import ModelError, Problem
from flexor.mistakes import suggestion
from flexor.units import Quantity

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CYCLE = 512
"""Instants at which a cycle is looked at."""


@dataclass(frozen=True)
class PeriodicMotions:
    """A curve of periodic motions; where it folds there are several at a frequency.

    frequencies: (points,) [Hz], in the order of the curve.   outputs: names, with units.   inputs, amplitudes: what vibrates.
    phasors: (points, outputs, harmonics + 1) complex a_k, y(t) = Re Σ a_k e^{ikωt}; a_0 is the mean.
    stable: (points,) 1 where small disturbances die out, 0 where they grow, not a number where it is not told.
    folds: [Hz], where the curve turns back.   complete: whether it reached the last frequency.
    """

    frequencies: np.ndarray
    phasors: np.ndarray
    outputs: tuple[str, ...]
    output_units: tuple[str, ...]
    inputs: tuple[str, ...]
    amplitudes: np.ndarray
    stable: np.ndarray
    folds: np.ndarray
    samples: int
    complete: bool
    state: dict[str, Any] | None = field(default=None, repr=False, compare=False)
    """The position that motions are measured from, for further analyses (`start`)."""

    def __len__(self) -> int:
        return len(self.frequencies)

    @property
    def harmonics(self) -> int:
        return self.phasors.shape[2] - 1

    def __getitem__(self, output: str) -> np.ndarray:
        """(points,) complex first harmonic of an output; in a linear model the frequency response times the amplitude."""
        return self.harmonic(output, 1)

    def harmonic(self, output: str, number: int) -> np.ndarray:
        """(points,) complex amplitude of one harmonic; 0: the mean."""
        if not 0 <= number <= self.harmonics:
            what = f"there is no harmonic {number}"
            raise ModelError(
                Problem("harmonic balance", what, "", f"they are 0 … {self.harmonics}; ask for more harmonics")
            )
        return self.phasors[:, self._number(output), number]

    def amplitude(self, output: str) -> np.ndarray:
        """(points,) half of the difference between the largest and the smallest value over the cycle."""
        values = self._cycles(self._number(output))
        return 0.5 * np.asarray(values.max(axis=1) - values.min(axis=1))

    def cycle(self, output: str, point: int, samples: int = 200) -> tuple[np.ndarray, np.ndarray]:
        """Time [s] and values over one cycle of a point of the curve, both ends included."""
        tau = np.linspace(0.0, 1.0, samples + 1)
        k = np.arange(self.harmonics + 1)
        wave = np.exp(2j * np.pi * np.outer(tau, k))
        return tau / self.frequencies[point], (wave @ self.phasors[point, self._number(output)]).real

    def at(self, frequency: Quantity, output: str) -> list[tuple[complex, bool | None]]:
        """First harmonic of every motion at a frequency, and whether it is stable, in the order of the curve (linear between points)."""
        f = quantity_of("harmonic balance", "frequency", frequency, "frequency")
        found: list[tuple[complex, bool | None]] = []
        y, x = self[output], self.frequencies
        for i in range(len(x) - 1):
            if (x[i] - f) * (x[i + 1] - f) < 0 or x[i] == f or (i == len(x) - 2 and x[i + 1] == f):
                w = 0.0 if x[i + 1] == x[i] else (f - x[i]) / (x[i + 1] - x[i])
                near = self.stable[i if w < 0.5 else i + 1]
                found.append((complex((1 - w) * y[i] + w * y[i + 1]), None if np.isnan(near) else bool(near)))
        return found

    def plot(self, file: str | Path | None = None, outputs: Sequence[str] | None = None, compare: Any = None) -> Figure:
        """Amplitude over frequency, unstable motions dashed, folds marked.   compare: a FrequencyResponse, drawn thin beside it."""
        from flexor.solve.periodic.plot import plot_curve

        return plot_curve(self, file, outputs or self.outputs, compare)

    def _number(self, output: str) -> int:
        if output not in self.outputs:
            fix = suggestion(output, list(self.outputs), "these are")
            raise ModelError(Problem("harmonic balance", f"it has no '{output}'", "", fix))
        return self.outputs.index(output)

    def _cycles(self, number: int) -> np.ndarray:
        wave = np.exp(2j * np.pi * np.outer(np.arange(self.harmonics + 1), np.arange(CYCLE) / CYCLE))
        return (self.phasors[:, number] @ wave).real

    def __str__(self) -> str:
        low, high = (f"{f:.4g}" for f in (self.frequencies.min(), self.frequencies.max()))
        lines = [f"harmonic balance, {len(self)} motions from {low} to {high} Hz, {self.harmonics} harmonics"]
        if len(self.folds):
            lines.append(f"folds at {', '.join(f'{f:.6g}' for f in self.folds)} Hz")
        for output, unit in zip(self.outputs, self.output_units, strict=True):
            size = self.amplitude(output)
            top = int(np.argmax(size))
            lines.append(f"{output}: amplitude at most {size[top]:.5g} {unit} at {self.frequencies[top]:.6g} Hz")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return str(self)
