"""Bode and Nyquist plots of frequency responses."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from flexor.figure import COLORS, STYLE, drawing_library, new_figure, show, write

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from flexor.solve.frequency.response import FrequencyResponse


def _pairs(response: FrequencyResponse) -> list[tuple[str, str, str, str]]:
    """Output, input, label and colour of each curve."""
    pairs = [(o, i) for o in response.outputs for i in response.inputs]
    return [(o, i, f"{o} / {i} [{response.unit(o, i)}]", COLORS[n % len(COLORS)]) for n, (o, i) in enumerate(pairs)]


def plot_bode(response: FrequencyResponse, file: str | Path | None = None) -> Figure:
    """Magnitude (logarithmic) and phase [°] over frequency."""
    matplotlib = drawing_library()
    with matplotlib.rc_context(STYLE):
        figure = new_figure((9.0, 6.0), shown=file is None)
        above, below = figure.subplots(2, 1, sharex=True, height_ratios=(2, 1))
        for output, given, label, color in _pairs(response):
            values = response[output, given]
            above.semilogy(
                response.frequencies, np.where(values == 0, np.nan, np.abs(values)), color=color, label=label
            )
            below.plot(response.frequencies, np.degrees(np.angle(values)), color=color)
        if in_ratios(response.frequencies):
            below.set_xscale("log")
        above.set_ylabel("magnitude")
        below.set_ylabel("phase [°]")
        below.set_yticks((-180, -90, 0, 90, 180))
        below.set_xlabel("frequency [Hz]")
        above.margins(x=0)
        above.legend(loc="best")
        write(figure, file)
    show(file)
    return figure


def in_ratios(hertz: np.ndarray) -> bool:
    """Whether frequencies were asked for in equal ratios, not in equal steps."""
    if len(hertz) < 3 or hertz[0] <= 0 or np.any(np.diff(hertz) <= 0):
        return False
    ratios = hertz[1:] / hertz[:-1]
    return bool(np.ptp(ratios) < 1e-6 * (ratios.mean() - 1))


def plot_nyquist(response: FrequencyResponse, file: str | Path | None = None) -> Figure:
    """Imaginary over real part, what has one unit in one plane; the circle of a resonance is that of its mode."""
    matplotlib = drawing_library()
    pairs = _pairs(response)
    units = list(dict.fromkeys(response.unit(o, i) for o, i, _, _ in pairs))
    with matplotlib.rc_context(STYLE):
        figure = new_figure((7.0 * len(units), 6.0), shown=file is None)
        for unit, ax in zip(units, figure.subplots(1, len(units), squeeze=False)[0], strict=True):
            for output, given, label, color in pairs:
                if response.unit(output, given) == unit:
                    values = response[output, given]
                    ax.plot(values.real, values.imag, color=color, label=label)
            ax.set_aspect("equal", adjustable="datalim")
            ax.set_xlabel("real part")
            ax.set_ylabel("imaginary part")
            ax.legend(loc="best")
        write(figure, file)
    show(file)
    return figure
