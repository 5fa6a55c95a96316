"""Signals over time by way of the frequency domain: sampling, segments, windows, transforms.   FTG 7.9.4–7.9.5"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from flexor.errors import ModelError, Problem
from flexor.functions import Function
from flexor.warning import warn

ANALYSIS = "spectral_response"
NEAR_LIMIT, MUCH = 0.8, 0.01
"""Part of the Nyquist frequency above which an input should have little of its energy, and how much is little."""
Given = Function | np.ndarray | Sequence[float] | tuple[Any, Any] | Any
Transfer = Callable[[np.ndarray], np.ndarray]
"""H of frequencies [Hz], (frequencies, outputs, inputs)."""


class Undersampled(UserWarning):
    """A signal has content near or above half of its sampling frequency."""


def sampled(signals: Mapping[str, Given], rate: float | None, until: float | None) -> tuple[np.ndarray, np.ndarray]:
    """Times t_n = n Δt from zero up to, not including, the end, and values of all signals, (times, signals).

    signals: functions of time; (times, values), or what has `time` and `values`, such as a signal of a run; or values at the rate.
    """
    read = {name: _read(name, given) for name, given in signals.items()}
    if rate is None:
        rate = _own_rate(read)
    ends = [float(t[-1] - t[0]) + float(np.mean(np.diff(t))) for t, _ in read.values() if t is not None]
    ends += [len(x) / rate for t, x in read.values() if t is None and not isinstance(x, Function)]
    if until is None:
        if not ends:
            raise _wrong("'until' is missing", "all signals are functions of time", 'until="10 s"')
        until = min(ends)
    if ends and until > min(ends) * (1 + 1e-9):
        raise _wrong(f"until = {until:g} s", f"a signal ends at {min(ends):g} s", "give a longer one, or end earlier")
    n = int(np.floor(until * rate * (1 + 1e-12)))
    if n < 4:
        raise _wrong(f"{n} samples", "fewer than four tell nothing", "sample faster, or for longer")
    time = np.arange(n) / rate
    values = np.empty((n, len(read)))
    for i, (t, x) in enumerate(read.values()):
        values[:, i] = x(time) if isinstance(x, Function) else x[:n] if t is None else np.interp(time, t - t[0], x)
    if not np.all(np.isfinite(values)):
        raise _wrong("a signal has values that are no numbers", "", "check it")
    return time, values


def _read(name: str, given: Given) -> tuple[np.ndarray | None, Any]:
    """(times, values), times None where they are those of the rate; a function as it is."""
    if isinstance(given, Function):
        if given.sensors:
            raise _wrong(f"'{name}' depends on sensors", "it is no function of time", "give its values over time")
        return None, given
    if hasattr(given, "time") and hasattr(given, "values"):
        given = (getattr(given, "time"), getattr(given, "values"))  # noqa: B009
    pair = isinstance(given, tuple) and len(given) == 2 and np.ndim(given[0]) == 1
    t, x = (np.asarray(given[0], dtype=float), given[1]) if pair else (None, given)
    x = np.asarray(x, dtype=float)
    if x.ndim != 1 or (t is not None and t.shape != x.shape):
        raise _wrong(f"'{name}' is no signal", "one value per time is needed", '{"push.force": (times, values)}')
    if t is not None and (len(t) < 2 or np.any(np.diff(t) <= 0)):
        raise _wrong(f"the times of '{name}' do not ascend", "", "sort them, and leave out what is there twice")
    return t, x


def _own_rate(read: Mapping[str, tuple[np.ndarray | None, Any]]) -> float:
    """That of a signal with equal steps."""
    for t, _ in read.values():
        if t is not None and np.ptp(np.diff(t)) < 1e-6 * (t[-1] - t[0]) / (len(t) - 1):
            return float((len(t) - 1) / (t[-1] - t[0]))
    raise _wrong("'sampling' is missing", "no signal has equal steps of its own", 'sampling="1 kHz"')


def _wrong(what: str, why: str, fix: str) -> ModelError:
    return ModelError(Problem(ANALYSIS, what, why, fix))


def warn_if_undersampled(names: Sequence[str], values: np.ndarray, rate: float) -> None:
    """Where much of the energy of a signal lies near the Nyquist frequency: some of what lay above it is folded down."""
    X = np.abs(np.fft.rfft(values - values.mean(axis=0), axis=0)) ** 2
    high = X[int(NEAR_LIMIT * len(X)) :].sum(axis=0) / np.maximum(X.sum(axis=0), 1e-300)
    worst = int(np.argmax(high))
    if high[worst] > MUCH:
        warn(
            f"spectral response: {100 * high[worst]:.2g} % of the energy of '{names[worst]}' lies above {NEAR_LIMIT:g} of the highest "
            f"frequency that {rate:g} Hz of sampling can tell ({rate / 2:g} Hz); what lay beyond it is folded down. Sample faster",
            Undersampled,
        )


def hann(n: int) -> np.ndarray:
    """½ (1 − cos 2πk/n): with 50 % overlap, windows add up to one."""
    window: np.ndarray = 0.5 * (1 - np.cos(2 * np.pi * np.arange(n) / n))
    return window


def segments(x: np.ndarray, n: int) -> list[tuple[int, np.ndarray]]:
    """(first sample, tapered values) of segments of n samples, half of which overlap; their sum is x, also at both ends.   (7.103)"""
    half, window = n // 2, hann(n)[:, None]
    around = np.concatenate([np.zeros((half, x.shape[1])), x, np.zeros((n, x.shape[1]))])
    starts = range(0, len(x) + half, half)
    return [(start - half, window * around[start : start + n]) for start in starts]


def passed_through(transfer: Transfer, x: np.ndarray, rate: float, more: int = 0) -> np.ndarray:
    """What a system makes of signals, (samples + more, outputs): by (7.104), H at each frequency, and (7.105).

    more: zeros behind the signals, in which the response dies away; without them, as if the signals repeated themselves.
    """
    n = len(x) + more
    X = np.fft.rfft(x, n, axis=0)
    H = transfer(np.fft.rfftfreq(n, 1 / rate))
    return np.fft.irfft(np.einsum("foi,fi->fo", H, X), n, axis=0)
