"""A recorded signal: values over time with a name and a unit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, overload

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin
from numpy.typing import ArrayLike, DTypeLike

from flexor.errors import FlexorError, Problem
from flexor.shown import over_time
from flexor.units import Quantity, si

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure


class Signal(NDArrayOperatorsMixin):
    """Values over time, used as a NumPy array: `2 * signal`, `np.abs(signal)`, `signal[10:20]` are arrays.

    values: (n,), or (n, 3) for a vector.   time: (n,) in s.   unit: SI unit of the values.
    """

    def __init__(self, values: ArrayLike, time: ArrayLike, name: str = "", unit: str = "") -> None:
        self.values = np.asarray(values, dtype=float)
        self.time = np.asarray(time, dtype=float)
        self.name = name
        self.unit = unit
        if self.values.shape[:1] != self.time.shape:
            raise ValueError(f"signal '{name}': {self.values.shape[0]} values at {self.time.shape[0]} times")

    def max(self) -> float | np.ndarray:
        """Largest value; one per component for a vector."""
        return _plain(self._some().max(axis=0))

    def min(self) -> float | np.ndarray:
        """Smallest value; one per component for a vector."""
        return _plain(self._some().min(axis=0))

    def mean(self) -> float | np.ndarray:
        """Mean over time, 1/T ∫ x dt, with straight lines between the values."""
        h, duration = self._intervals()
        if duration == 0:
            return _plain(self._some()[-1])
        return _plain((h * (self.values[:-1] + self.values[1:]) / 2).sum(axis=0) / duration)

    def rms(self) -> float | np.ndarray:
        """Root of the mean square over time, √(1/T ∫ x² dt), with straight lines between the values."""
        h, duration = self._intervals()
        if duration == 0:
            return _plain(np.abs(self._some()[-1]))
        a, b = self.values[:-1], self.values[1:]
        return _plain(np.sqrt((h * (a * a + a * b + b * b) / 3).sum(axis=0) / duration))

    @overload
    def at(self, time: list[Quantity] | np.ndarray) -> np.ndarray: ...
    @overload
    def at(self, time: Quantity) -> float | np.ndarray: ...
    def at(self, time: Quantity | list[Quantity] | np.ndarray) -> float | np.ndarray:
        """Value at a time ("12 ms", seconds, or an array of them), interpolated linearly."""
        t = np.asarray(si(time, "time"), dtype=float)
        self._some()
        first, last = self.time[0], self.time[-1]
        slack = 1e-12 * max(abs(first), abs(last))
        if np.any(t < first - slack) or np.any(t > last + slack):
            what = f"has no value at t = {time}"
            raise FlexorError(Problem(f"signal '{self.name}'", what, f"it covers {first:.6g} … {last:.6g} s"))
        columns = self.values.reshape(len(self), -1).T
        found = np.stack([np.interp(t, self.time, column) for column in columns], axis=-1)
        return _plain(found if self.values.ndim > 1 else found[..., 0])

    def norm(self) -> Signal:
        """Length of a vector signal over time; the absolute value of a scalar one."""
        length = np.abs(self.values) if self.values.ndim == 1 else np.linalg.norm(self.values, axis=1)
        return Signal(length, self.time, f"|{self.name}|", self.unit)

    def peak(self) -> tuple[float, float]:
        """(time, value) where the absolute value is largest; the length of a vector."""
        signal = self if self.values.ndim == 1 else self.norm()
        i = int(np.argmax(np.abs(signal._some())))
        return float(signal.time[i]), float(signal.values[i])

    def plot(self, file: str | Path | None = None) -> Figure:
        """Draw it over time: to an image file, or in a window. Returns the matplotlib figure."""
        from flexor.results.plot import plot

        return plot([self], file=file)

    def __repr__(self) -> str:
        return over_time(self.name, self.values, self.time, self.unit)

    def __len__(self) -> int:
        return len(self.values)

    @overload
    def __getitem__(self, index: slice | np.ndarray) -> np.ndarray: ...
    @overload
    def __getitem__(self, index: int | tuple[int | slice, ...]) -> float | np.ndarray: ...
    def __getitem__(self, index: int | slice | np.ndarray | tuple[int | slice, ...]) -> float | np.ndarray:
        found: float | np.ndarray = self.values[index]
        return found

    @property
    def shape(self) -> tuple[int, ...]:
        return self.values.shape

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.values, dtype=dtype, copy=copy)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: object, **options: object) -> object:
        return getattr(ufunc, method)(*map(_arrays, inputs), **options)

    def __array_function__(
        self,
        function: Callable[..., object],
        types: object,
        args: tuple[object, ...],
        options: Mapping[str, object],
    ) -> object:
        return function(*map(_arrays, args), **{name: _arrays(value) for name, value in options.items()})

    def _some(self) -> np.ndarray:
        if len(self) == 0:
            raise FlexorError(Problem(f"signal '{self.name}'", "has no values", "the run recorded no row"))
        return self.values

    def _intervals(self) -> tuple[np.ndarray, float]:
        self._some()
        h = np.diff(self.time)
        return h.reshape((-1,) + (1,) * (self.values.ndim - 1)), float(self.time[-1] - self.time[0])


def component_names(signal: Signal) -> list[str]:
    """Names of the components of a signal: itself, or with _x, _y, _z of a vector, _1, _2, _3 of Euler angles."""
    if signal.values.ndim == 1:
        return [signal.name]
    axes = "123" if ".euler_" in signal.name else "wxyz"[-signal.shape[1] :]
    return [f"{signal.name}_{axis}" for axis in axes]


def _arrays(arguments: object) -> object:
    """The arguments of a NumPy function with each signal replaced by its values."""
    if isinstance(arguments, Signal):
        return arguments.values
    if isinstance(arguments, tuple | list):
        return type(arguments)([_arrays(argument) for argument in arguments])
    if isinstance(arguments, dict):
        return {name: _arrays(argument) for name, argument in arguments.items()}
    return arguments


def _plain(value: np.ndarray) -> float | np.ndarray:
    return float(value) if np.ndim(value) == 0 else value
