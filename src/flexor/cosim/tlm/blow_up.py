"""Whether the solution at an end of a line blows up by its integration, though every wave is passed on as it should be.

A component that takes its force from the begin of a step is unstable for Z h/m > 2. Its waves are those of its motion, so the line
gains nothing (`passivity`); but they change from sample to sample, and grow without end. Motions that a program resolves do not: a
load or a motor may make them grow, but over many samples; a shock changes them from one sample to the next, but once.
"""

from __future__ import annotations

import numpy as np

from flexor.cosim.tlm.line import TransmissionLine

WINDOW = 8
"""Samples that are looked at together."""
WINDOWS = 4
"""So many of them, one after the other, must grow."""
GROWTH = 1e6
"""By so much in energy, and not at once: a shock makes one of them grow."""
ROUGH = 0.5
"""Σ|Δu|²/2Σ|u|², sin²(θ/2) of a wave that turns by θ from sample to sample: above it there are less than four in a period."""
LIGHT = 2.998e8
"""Speed [m/s] that no point has."""


class BlowUp:
    """One end of a line, followed while its samples come in."""

    def __init__(self, line: TransmissionLine, dimensions: int = 3) -> None:
        Z = np.array(line.impedances(dimensions))
        self._Z = Z
        self._each = 1 / (4 * np.where(Z > 0, Z, np.inf))
        self._rows = np.zeros((0, 1 + 2 * len(Z)))  # time, velocity, leaving wave
        self._peaks: list[float] = []
        self.fed = 0.0
        """Energy that the component has put into the line [J]."""
        self.since = self.fastest = 0.0
        self.grows = False

    @property
    def found(self) -> bool:
        """Whether it has blown up."""
        return self.grows or not self.fastest < LIGHT

    def take(self, time: np.ndarray, velocity: np.ndarray, wave: np.ndarray) -> None:
        """Samples: times (n), velocities and leaving waves (n, 1 or 6), in the same axes."""
        if self.grows:
            return
        with np.errstate(over="ignore", invalid="ignore"):
            self.fastest = max(self.fastest, float(np.linalg.norm(velocity[:, :3], axis=1).max(initial=0.0)))
            self._rows = np.vstack([self._rows, np.column_stack([time, velocity, wave])])
            windows = (len(self._rows) - 1) // WINDOW
            if windows:
                self._look(self._rows[: windows * WINDOW + 1])
                self._rows = self._rows[windows * WINDOW :]

    def _look(self, rows: np.ndarray) -> None:
        n = len(self._Z)
        v, u = rows[:, 1 : 1 + n], rows[:, 1 + n :]
        left, taken = u**2 @ self._each, (2 * self._Z * v - u) ** 2 @ self._each
        fed = left - taken
        self.fed += float(np.diff(rows[:, 0]) @ (0.5 * (fed[1:] + fed[:-1])))
        change = (np.diff(u, axis=0) ** 2 @ self._each).reshape(-1, WINDOW).sum(axis=1)
        size = (left[1:] + left[:-1]).reshape(-1, WINDOW).sum(axis=1)
        rough = change > 2 * ROUGH * size
        peaks, begins = left[1:].reshape(-1, WINDOW).max(axis=1).tolist(), rows[:-1:WINDOW, 0].tolist()
        if not rough.any():  # nearly always
            self._peaks, self.since = [peaks[-1]], begins[-1]
            return
        for begin, peak, is_rough in zip(begins, peaks, rough.tolist(), strict=True):
            if not (is_rough and self._peaks and peak > self._peaks[-1]):
                self._peaks, self.since = [], begin
            self._peaks.append(peak)
            if len(self._peaks) > WINDOWS and self._peaks[0] > 0 and peak > GROWTH * self._peaks[0]:
                total, steps = peak / self._peaks[0], np.array(self._peaks[1:]) / np.array(self._peaks[:-1])
                self.grows = float(steps.max()) < total**0.5
                if self.grows:
                    return
