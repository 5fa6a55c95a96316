"""Spectra of signals: of the whole, and window by window over time or over the speed of a run-up (waterfall).

    run.spectrum("table.acceleration_z").plot("spectrum.png")
    run.waterfall("bearing.acceleration_y", over="shaft.speed", orders=(1, 2)).plot("waterfall.png")

Windows are Hann's; an amplitude is that of the sine which a line belongs to: 2|Σ w x e^{−iωt}| / Σ w.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from flexor.arguments import quantity_of
from flexor.errors import ModelError, Problem
from flexor.results.signal import Signal, component_names
from flexor.units import Quantity
from flexor.warning import warn

if TYPE_CHECKING:
    from matplotlib.figure import Figure

EVEN = 1e-3
"""Differences of time steps, relative to them, up to which they count as equal."""
WINDOWS = 40
"""Windows of a waterfall, about, if their length is not given."""


class UnevenTimes(UserWarning):
    """A signal is not recorded at equal time steps, and is taken between them."""


@dataclass(frozen=True, eq=False)
class Spectrum:
    """frequencies: (n,) [Hz].   amplitudes: (n,) of the signal without its mean [unit].   psd: (n,) one-sided density [unit²/Hz]."""

    frequencies: np.ndarray
    amplitudes: np.ndarray
    psd: np.ndarray
    name: str = ""
    unit: str = ""

    @property
    def resolution(self) -> float:
        """Distance of two lines [Hz]; a tone spreads over four of them."""
        return float(self.frequencies[1])

    @property
    def rms(self) -> float:
        """√∫psd df"""
        return float(np.sqrt(np.sum(self.psd) * self.resolution))

    def peaks(self, count: int = 5) -> list[tuple[float, float]]:
        """(frequency [Hz], amplitude) of the largest lines that stand out from their neighbours, largest first."""
        a = self.amplitudes
        inside = 1 + np.flatnonzero((a[1:-1] > a[:-2]) & (a[1:-1] >= a[2:]))
        order = inside[np.argsort(-a[inside])][:count]
        return [(float(self.frequencies[i]), float(a[i])) for i in order]

    def plot(self, file: str | Path | None = None, up_to: Quantity | None = None) -> Figure:
        """Amplitude over frequency, up to one of them if given."""
        from flexor.results.waterfall_plot import plot_spectrum

        return plot_spectrum(self, file, _frequency(up_to))

    def __repr__(self) -> str:
        told = ", ".join(f"{a:.4g} {self.unit} at {f:.5g} Hz" for f, a in self.peaks(3))
        return f"spectrum of {self.name}: {len(self.frequencies)} lines to {self.frequencies[-1]:.5g} Hz; {told}"


@dataclass(frozen=True, eq=False)
class Waterfall:
    """Spectra of windows: amplitudes (windows, frequencies), along time [s] or another signal's mean in each window.

    orders: of the rotation whose speed [rad/s] they are along, drawn as lines.
    """

    along: np.ndarray
    frequencies: np.ndarray
    amplitudes: np.ndarray
    name: str = ""
    unit: str = ""
    along_name: str = "time"
    along_unit: str = "s"
    orders: tuple[float, ...] = ()

    def order(self, number: float) -> np.ndarray:
        """(windows,) amplitude at a multiple of the speed: the largest of the three nearest lines."""
        lines = number * self._rotation() / self.frequencies[1]
        at = np.clip(np.round(lines).astype(int), 1, len(self.frequencies) - 2)
        return np.max([self.amplitudes[np.arange(len(at)), at + i] for i in (-1, 0, 1)], axis=0)

    def plot(self, file: str | Path | None = None, up_to: Quantity | None = None, ridges: bool = False) -> Figure:
        """Amplitudes in colours over frequency and time (or speed), on a logarithmic scale; ridges: as curves behind each other."""
        from flexor.results.waterfall_plot import plot_waterfall

        return plot_waterfall(self, file, _frequency(up_to), ridges)

    def _rotation(self) -> np.ndarray:
        """Speed of each window [Hz]."""
        if self.along_unit != "rad/s":
            what = f"the waterfall is along {self.along_name} [{self.along_unit}]"
            fix = 'run.waterfall(…, over="shaft.speed"), a signal in rad/s'
            raise ModelError(Problem("waterfall", what, "orders are multiples of a speed", fix))
        return np.abs(self.along) / (2 * np.pi)

    def __repr__(self) -> str:
        shape = f"{len(self.along)} windows, {len(self.frequencies)} lines to {self.frequencies[-1]:.5g} Hz"
        return f"waterfall of {self.name} along {self.along_name}: {shape}"


def spectrum_of(signal: Signal, window: str = "hann") -> Spectrum:
    """Of the whole signal.   window: "hann", or "none" where it holds whole periods."""
    if window not in ("hann", "none"):
        raise ModelError(Problem("spectrum", f"there is no window '{window}'", "", '"hann" or "none"'))
    x, step = _even(signal)
    w = _hann(len(x)) if window == "hann" else np.ones(len(x))
    lines = np.abs(np.fft.rfft(w * (x - np.average(x, weights=w))))
    double = np.full(len(lines), 2.0)
    double[0] = 1.0
    if len(x) % 2 == 0:
        double[-1] = 1.0
    psd = double * lines**2 * step / np.sum(w**2)
    return Spectrum(np.fft.rfftfreq(len(x), step), double * lines / w.sum(), psd, signal.name, signal.unit)


def waterfall_of(
    signal: Signal,
    segment: Quantity | None = None,
    overlap: float = 0.75,
    over: Signal | None = None,
    orders: Sequence[float] = (),
) -> Waterfall:
    """Spectra of windows.

    segment: length of a window [s]; a longer one tells frequencies better apart, a shorter one times. About 40 windows if left out.
    overlap: of neighbours, 0 … 0.95.   over: a signal, as a speed, along which they are; the windows are in the order of its mean.
    orders: multiples of that speed [rad/s], drawn as lines.
    """
    x, step = _even(signal)
    share = quantity_of("waterfall", "overlap", overlap, "dimensionless")
    if not 0.0 <= share <= 0.95:
        why = "windows would hardly move on" if share > 0.95 else "it is negative"
        raise ModelError(Problem("waterfall", f"overlap = {share:g}", why, "0 … 0.95"))
    length = len(x) / (1 + (WINDOWS - 1) * (1 - share))
    if segment is not None:
        length = quantity_of("waterfall", "segment", segment, "time", 0.0) / step
    n = max(round(length), 8)
    if n > len(x):
        what = f"a window of {n * step:.4g} s is longer than the signal, {len(x) * step:.4g} s"
        raise ModelError(Problem(f"signal '{signal.name}'", what, "", "take a shorter segment"))
    first = np.arange(0, len(x) - n + 1, max(1, round(n * (1 - share))))
    w = _hann(n)
    parts = x[first[:, None] + np.arange(n)]
    parts = w * (parts - np.average(parts, axis=1, weights=w)[:, None])
    lines = 2 * np.abs(np.fft.rfft(parts, axis=1)) / w.sum()
    lines[:, 0] *= 0.5
    middle = signal.time[0] + step * (first + 0.5 * (n - 1))
    found = Waterfall(middle, np.fft.rfftfreq(n, step), lines, signal.name, signal.unit, orders=tuple(orders))
    if over is not None:
        speed, _ = _even(over)
        mean = np.array([np.average(speed[i : i + n], weights=w) for i in first])
        order = np.argsort(mean, kind="stable")
        names = (signal.name, signal.unit, over.name, over.unit)
        found = Waterfall(mean[order], found.frequencies, lines[order], *names, tuple(orders))
    if orders:
        found._rotation()
    return found


def _hann(n: int) -> np.ndarray:
    """Hann's window, periodic: ½ (1 − cos 2πi/n)."""
    return np.asarray(0.5 - 0.5 * np.cos(2 * np.pi * np.arange(n) / n))


def _even(signal: Signal) -> tuple[np.ndarray, float]:
    """Values at equal time steps, and the step [s]."""
    where = f"signal '{signal.name}'"
    if signal.values.ndim > 1:
        names = component_names(signal)
        raise ModelError(Problem(where, "it is a vector", "a spectrum is of one component", f"take {names[0]}"))
    if len(signal) < 8:
        what = f"it has {len(signal)} values"
        raise ModelError(Problem(where, what, "a spectrum needs some more", "record a longer run"))
    steps = np.diff(signal.time)
    n = len(signal)
    step = float(signal.time[-1] - signal.time[0]) / (n - 1)
    if np.ptp(steps) <= EVEN * step:
        return signal.values, step
    warn(
        f"{where}: its time steps are {steps.min():.4g} … {steps.max():.4g} s; the spectrum is that of a curve through its values at "
        f"equal steps of {step:.4g} s. Use output= for equal steps",
        UnevenTimes,
    )
    from scipy.interpolate import CubicSpline  # slow to load

    return CubicSpline(signal.time, signal.values)(np.linspace(signal.time[0], signal.time[-1], n)), step


def _frequency(value: Quantity | None) -> float | None:
    return None if value is None else quantity_of("plot", "up_to", value, "frequency", 0.0)
