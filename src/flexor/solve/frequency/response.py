"""Frequency responses: complex amplitudes of outputs per unit of each input."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from flexor.arguments import quantity_of
from flexor.errors import ModelError, Problem
from flexor.io.replaceable import write_file
from flexor.mistakes import suggestion

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from flexor.functions import Function
    from flexor.solve.frequency.random import RandomResponse
    from flexor.units import Quantity


def checked_frequencies(where: str, given: Sequence[Quantity] | np.ndarray) -> np.ndarray:
    """Frequencies [Hz], none of them negative; where: what asks for them."""
    fix = "give them in Hz: np.linspace(1, 200, 400)"
    if given is None or isinstance(given, Mapping) or (not isinstance(given, str) and np.ndim(given) > 1):
        raise ModelError(Problem(where, f"frequencies = {given!r:.60}", "it is no list of frequencies", fix))
    values = [given] if isinstance(given, str) else [*np.atleast_1d(np.asarray(given, dtype=object))]
    hertz = np.array([quantity_of(where, "frequencies", value, "frequency") for value in values])
    if not len(hertz) or np.any(hertz < 0):
        what = "no frequency is given" if not len(hertz) else f"frequencies: {hertz.min():g} Hz is negative"
        raise ModelError(Problem(where, what, "", fix))
    return hertz


@dataclass(frozen=True)
class FrequencyResponse:
    """H(f): response["tip", "push.force"] is a complex number per frequency; u e^{iωt} in gives H u e^{iωt} out.

    frequencies: [Hz].   values: (frequencies, outputs, inputs).   outputs, inputs: their names, with units.
    amplitudes: with which the inputs were given; `total` is the response to all of them at once.
    method: how it was computed, and why so.
    """

    frequencies: np.ndarray
    values: np.ndarray
    outputs: tuple[str, ...]
    inputs: tuple[str, ...]
    output_units: tuple[str, ...]
    input_units: tuple[str, ...]
    amplitudes: np.ndarray
    method: str = "direct"
    state: dict[str, Any] | None = field(default=None, repr=False, compare=False)
    """The position about which it is, for further analyses (`start`)."""

    def __len__(self) -> int:
        return len(self.frequencies)

    def __getitem__(self, names: str | tuple[str, str]) -> np.ndarray:
        """H of an output and an input; the input may be left out if there is one."""
        output, given = (names, None) if isinstance(names, str) else names
        if given is None and len(self.inputs) > 1:
            fix = f'write response["{output}", "{self.inputs[0]}"], or response.total'
            raise ModelError(Problem("frequency response", f"of which input is '{output}'?", "there are several", fix))
        return self.values[:, self._number(self.outputs, output), self._number(self.inputs, given or self.inputs[0])]

    @staticmethod
    def _number(names: Sequence[str], name: str) -> int:
        if name not in names:
            fix = suggestion(name, list(names), "these are")
            raise ModelError(Problem("frequency response", f"it has no '{name}'", "", fix))
        return names.index(name)

    @property
    def total(self) -> np.ndarray:
        """Response to all inputs with their amplitudes, (frequencies, outputs)."""
        return self.values @ self.amplitudes

    def unit(self, output: str, given: str) -> str:
        """Unit of H."""
        a = self.output_units[self._number(self.outputs, output)] or "1"
        b = self.input_units[self._number(self.inputs, given)]
        return f"{a}/({b})" if b and ("/" in b or " " in b) else f"{a}/{b}" if b else a

    def peaks(self, output: str, given: str | None = None) -> np.ndarray:
        """Frequencies [Hz] at which |H| is largest around, in ascending order."""
        size = np.abs(self[output] if given is None else self[output, given])
        inside = (size[1:-1] > size[:-2]) & (size[1:-1] >= size[2:])
        return self.frequencies[1:-1][inside]

    def random(self, psd: Mapping[str, float | Function | np.ndarray]) -> RandomResponse:
        """Power spectral densities and RMS of outputs under random inputs, which do not depend on each other.

        psd: one-sided density of each input [unit²/Hz]: a number, one per frequency, or a function of the frequency [Hz].
        """
        from flexor.solve.frequency.random import random_response

        return random_response(self, psd)

    def plot_bode(self, file: str | Path | None = None) -> Figure:
        """Magnitude and phase of every output and input over frequency; to an image file, or a window."""
        from flexor.solve.frequency.plot import plot_bode

        return plot_bode(self, file)

    def plot_nyquist(self, file: str | Path | None = None) -> Figure:
        """Imaginary over real part of every output and input."""
        from flexor.solve.frequency.plot import plot_nyquist

        return plot_nyquist(self, file)

    def save(self, file: str | Path) -> Path:
        """Write it to a results file, which `load` and `flexor info` read; its name should end in .frequency.h5."""
        from flexor.solve.frequency.store import save

        return save(self, file)

    @staticmethod
    def load(file: str | Path) -> FrequencyResponse:
        """What `save` has written."""
        from flexor.solve.frequency.store import load

        return load(file)

    def to_csv(self, file: str | Path) -> Path:
        """Write a table: frequency [Hz], then magnitude and phase [deg] of each output and input."""
        pairs = [(o, i) for o in self.outputs for i in self.inputs]
        names = [f"|{o} / {i}| [{self.unit(o, i)}],phase of {o} / {i} [deg]" for o, i in pairs]
        columns = [(np.abs(self[pair]), np.degrees(np.angle(self[pair]))) for pair in pairs]
        table = np.column_stack([self.frequencies, *(part for both in columns for part in both)])
        rows = [",".join(f"{x:.12g}" for x in row) for row in table]
        return write_file(file, "\n".join([",".join(["frequency [Hz]", *names]), *rows, ""]), "table of a response")

    def to_npz(self, file: str | Path) -> Path:
        """Write frequencies [Hz], values and names to a NumPy archive."""
        names = ("frequencies", "values", "outputs", "inputs", "output_units", "input_units", "amplitudes", "method")
        archive = BytesIO()
        np.savez(archive, allow_pickle=False, **{name: np.asarray(getattr(self, name)) for name in names})
        return write_file(file, archive.getvalue(), "archive of a response")

    def __str__(self) -> str:
        low, high = (f"{f:.4g}" for f in (self.frequencies.min(), self.frequencies.max()))
        lines = [f"frequency response, {len(self)} frequencies from {low} to {high} Hz, {self.method}"]
        for output in self.outputs:
            for given in self.inputs:
                size = np.abs(self[output, given])
                top = int(np.argmax(size))
                unit = self.unit(output, given)
                lines.append(f"{output} / {given}: at most {size[top]:.5g} {unit} at {self.frequencies[top]:.6g} Hz")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return str(self)
