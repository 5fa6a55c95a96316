"""Response to signals over time by way of the frequency domain.   FTG 7.9.4–7.9.5"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from flexor.arguments import one_of, quantity_of
from flexor.control import Sensor
from flexor.errors import ModelError, Problem, SolveError
from flexor.figure import COLORS, STYLE, drawing_library, new_figure, show, write
from flexor.mistakes import suggestion
from flexor.model import Model
from flexor.reduce.damping import ModalDamping
from flexor.solve.frequency.analysis import linearised, units_of
from flexor.solve.frequency.choice import METHODS, Method, Wish, chosen_response
from flexor.solve.frequency.direct import direct_response
from flexor.solve.frequency.inputs import read_inputs
from flexor.solve.frequency.linear_system import LinearSystem
from flexor.solve.frequency.outputs import with_outputs
from flexor.solve.frequency.time_signals import (
    ANALYSIS,
    Given,
    passed_through,
    sampled,
    segments,
    warn_if_undersampled,
)
from flexor.solve.linear_bodies import tell_limits
from flexor.solve.state import StartState, save_state
from flexor.threads import one_thread
from flexor.units import Quantity, Triple
from flexor.warning import warn

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STILL = 0.01
"""Part of the largest response that may be left where zeros behind a segment end."""


class CutResponse(UserWarning):
    """A response has not died away where its segment ends."""


class MeanLeftOut(UserWarning):
    """The mean of a signal has no bounded response."""


@dataclass(frozen=True)
class SpectralResponse:
    """Outputs over time: result["tip"] are values at `time` [s], what they are more than in the state about which it is.

    values: (times, outputs).   signals: the inputs as sampled, (times, inputs).   method: how it was computed.
    """

    time: np.ndarray
    values: np.ndarray
    signals: np.ndarray
    outputs: tuple[str, ...]
    inputs: tuple[str, ...]
    output_units: tuple[str, ...]
    method: str
    state: dict[str, Any] | None = field(default=None, repr=False, compare=False)
    """The position about which it is, for further analyses (`start`)."""

    def __len__(self) -> int:
        return len(self.time)

    def __getitem__(self, name: str) -> np.ndarray:
        for names, values in ((self.outputs, self.values), (self.inputs, self.signals)):
            if name in names:
                found: np.ndarray = values[:, names.index(name)]
                return found
        fix = suggestion(name, [*self.outputs, *self.inputs], "these are")
        raise ModelError(Problem("spectral response", f"it has no '{name}'", "", fix))

    @property
    def rate(self) -> float:
        """Samples per second [Hz]."""
        return float(1.0 / (self.time[1] - self.time[0]))

    def spectrum(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Frequencies [Hz] and complex amplitudes a of an output or input, x = Σ Re a e^{iωt}; ½|a|² sum up to the mean square (|a|² of
        the mean and of half the sampling frequency, where there is but a cosine)."""
        x = self[name]
        a = np.fft.rfft(x) / len(x)
        a[1 : (len(x) + 1) // 2] *= 2  # all but the mean and, of an even number, the Nyquist frequency
        return np.fft.rfftfreq(len(x), 1 / self.rate), a

    def plot(self, file: str | Path | None = None) -> Figure:
        """Outputs over time, one below the other; to an image file, or a window."""
        matplotlib = drawing_library()
        with matplotlib.rc_context(STYLE):
            figure = new_figure((9.0, 1.2 + 2.0 * len(self.outputs)), shown=file is None)
            axes = figure.subplots(len(self.outputs), 1, sharex=True, squeeze=False)[:, 0]
            for i, (ax, name) in enumerate(zip(axes, self.outputs, strict=True)):
                ax.plot(self.time, self.values[:, i], color=COLORS[i % len(COLORS)])
                ax.set_ylabel(f"{name} [{self.output_units[i]}]")
                ax.margins(x=0)
            axes[-1].set_xlabel("time [s]")
            write(figure, file)
        show(file)
        return figure

    def __str__(self) -> str:
        lines = [f"response over {len(self) / self.rate:.4g} s, {len(self)} samples at {self.rate:g} Hz, {self.method}"]
        for i, name in enumerate(self.outputs):
            x, unit = self.values[:, i], self.output_units[i]
            lines.append(f"{name}: {x.min():.5g} … {x.max():.5g}, RMS {np.sqrt(np.mean(x**2)):.5g} {unit}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return str(self)


@one_thread
def spectral_response(
    model: Model,
    signals: Mapping[str, Given],
    outputs: str | Sensor | Sequence[str | Sensor] | None = None,
    *,
    sampling: Quantity | None = None,
    until: Quantity | None = None,
    window: Quantity | None = None,
    padding: Quantity | None = None,
    method: Method = "auto",
    structural_damping: float | Mapping[str, float] = 0.0,
    modal_damping: float | Sequence[float] | ModalDamping | None = None,
    modes: int | None = None,
    at: Literal["equilibrium", "start"] = "equilibrium",
    start: StartState | None = None,
    angular_velocity: Triple | None = None,
    about: Triple = (0.0, 0.0, 0.0),
    python: bool = False,
) -> SpectralResponse:
    """Outputs over time under signals over time, by Fourier transforms and the frequency response of small motions.

    signals: what is added to fields that hold functions of time: {"push.force": signal}; each is a function of time, (times, values), a
        signal of a run, or values at the sampling frequency.
    outputs: sensors of the model, by name, sensors besides, or signals that a sensor may read; all sensors of the model if left out.
    sampling: samples per second [Hz]; that of the signals if left out.   until: end [s]; that of the shortest signal if left out.
    window: duration [s] of segments with Hann windows that overlap by half; all at once if left out.
    padding: time [s] of rest behind each segment, in which its response dies away. If left out as long as a window; without windows
        none: then the response is the periodic one, as if the signals repeated themselves.
    method, structural_damping, modal_damping, modes: see `frequency_response`.
    at: "equilibrium", which is sought, or "start": the position at t = 0.   start: the result of another analysis, about whose state it is.
    angular_velocity: the mechanism and its ground turn steadily (see `statics`); signals and outputs are those in axes that turn along.
    """
    one_of(ANALYSIS, "at", at, ("equilibrium", "start"))
    one_of(ANALYSIS, "method", method, METHODS)
    wish = Wish.of(method, modes, modal_damping)
    if not isinstance(signals, Mapping):
        raise ModelError(Problem(ANALYSIS, "signals have no names", "", '{"push.force": (times, values)}'))
    sensed, read = with_outputs(model, outputs)
    given = read_inputs(sensed, list(signals))
    length = {name: _positive(name, value, "time") for name, value in (("until", until), ("window", window))}
    rate = _positive("sampling", sampling, "frequency")
    time, x = sampled(signals, rate, length["until"])
    rate = float(1 / (time[1] - time[0]))
    names = tuple(each.name for each in given)
    warn_if_undersampled(names, x, rate)
    n = None if length["window"] is None else 2 * round(0.5 * length["window"] * rate)
    if n is not None and not 8 <= n <= len(x):
        what, why = f"window = {window}", f"it has {n} of {len(x)} samples"
        raise ModelError(Problem(ANALYSIS, what, why, "take at least 8 samples, and at most all"))
    rest = None if padding is None else quantity_of(ANALYSIS, "padding", padding, "time")
    if rest is not None and rest < 0:
        raise ModelError(Problem(ANALYSIS, f"padding = {padding}", "it is negative", "check its sign"))
    more = (n or 0) if rest is None else round(rest * rate)
    system, equations = linearised(
        sensed, given, list(read.values()), structural_damping, (at, start, angular_velocity, about, python)
    )
    transfer = _Transfer(equations, wish, names, x.mean(axis=0))
    pieces = [(0, x)] if n is None else segments(x, n)
    values = np.zeros((len(x) + 2 * (n or 0) + more, len(read)))
    left = 0.0
    shift = (n or 0) // 2  # the first segment begins before the signals
    for first, piece in pieces:
        y = passed_through(transfer, piece, rate, more)
        left = max(left, _left(y) if more else 0.0)
        values[first + shift : first + shift + len(y)] += y
    _tell(left, n, more, rate)
    tell_limits(system)
    return SpectralResponse(
        time=time,
        values=values[shift : shift + len(x)],
        signals=x,
        outputs=tuple(read),
        inputs=names,
        output_units=units_of(system, read),
        method=f"{_said(n, more, rate)}; {transfer.method}",
        state=save_state(system, factors=False),
    )


def _positive(name: str, value: Quantity | None, dimension: str) -> float | None:
    if value is None:
        return None
    found = quantity_of(ANALYSIS, name, value, dimension)
    if not found > 0:
        raise ModelError(Problem(ANALYSIS, f"{name} = {value}", "it is not positive", "check it"))
    return found


class _Transfer:
    """H at frequencies [Hz]; the last one asked for is kept, as segments are of the same length."""

    def __init__(self, equations: LinearSystem, wish: Wish, names: Sequence[str], means: np.ndarray) -> None:
        self.equations, self.wish, self.names, self.means = equations, wish, names, means
        self.method = ""
        self._kept: tuple[np.ndarray, np.ndarray] | None = None

    def __call__(self, hertz: np.ndarray) -> np.ndarray:
        if self._kept is None or len(self._kept[0]) != len(hertz):
            values, self.method = chosen_response(self.equations, 2 * np.pi * hertz[1:], self.wish)
            self._kept = hertz, np.concatenate([self._static()[None], values])
        return self._kept[1]

    def _static(self) -> np.ndarray:
        """H(0); zero, with a warning if it matters, where there is none."""
        equations = self.equations
        try:
            found = direct_response(equations, np.zeros(1))[0]
        except SolveError:
            found = np.zeros((len(equations.read), len(self.names)))
            self._without(range(len(self.names)), "nothing holds the mechanism at 0 Hz")
        integrated = np.flatnonzero(np.any(equations.felt[:, :, 3:], axis=(0, 2)))
        self._without(integrated, "a mean speed or acceleration leads away without end")
        found[:, integrated] = 0.0
        return found

    def _without(self, which: Sequence[int] | np.ndarray | range, why: str) -> None:
        for i in which:
            if abs(self.means[i]) > 1e-9:
                warn(
                    f"spectral response: the mean of '{self.names[i]}', {self.means[i]:.4g}, is left out; {why}. Subtract it from the "
                    "signal, or use dynamics",
                    MeanLeftOut,
                )


def _left(y: np.ndarray) -> float:
    """Part of its largest value that a response has at its end."""
    end = np.abs(y[-max(1, len(y) // 20) :]).max(axis=0)
    return float((end / np.maximum(np.abs(y).max(axis=0), 1e-300)).max(initial=0.0))


def _tell(left: float, n: int | None, more: int, rate: float) -> None:
    if left > STILL:
        what = "the record" if n is None else "a window"
        warn(
            f"spectral response: {100 * left:.2g} % of the response are left {more / rate:.4g} s behind the end of {what}, where it is cut "
            f"and comes in again at the beginning; take padding={2 * more / rate:.4g} or more",
            CutResponse,
        )


def _said(n: int | None, more: int, rate: float) -> str:
    if n is None:
        return f"with {more / rate:.4g} s of rest behind" if more else "as if the signals repeated themselves"
    return f"in windows of {n / rate:.4g} s that overlap by half, {more / rate:.4g} s of rest behind each"
