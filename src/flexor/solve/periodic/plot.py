"""Amplitudes of periodic motions over frequency."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from flexor.figure import COLORS, STYLE, drawing_library, new_figure, show, write

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from flexor.solve.frequency.response import FrequencyResponse
    from flexor.solve.periodic.curve import PeriodicMotions


def plot_curve(
    motions: PeriodicMotions, file: str | Path | None, outputs: Sequence[str], compare: FrequencyResponse | None
) -> Figure:
    """A line per output; dashed where it is unstable, a ring at each fold."""
    matplotlib = drawing_library()
    with matplotlib.rc_context(STYLE):
        figure = new_figure((9.0, 5.0), shown=file is None)
        ax = figure.subplots()
        for n, output in enumerate(outputs):
            color, unit = COLORS[n % len(COLORS)], motions.output_units[motions.outputs.index(output)]
            f, y, unstable = motions.frequencies, motions.amplitude(output), motions.stable == 0
            fold = np.isin(f, motions.folds)
            for some, style in ((~unstable, "-"), (unstable, "--")):
                line = np.where(some | fold, y, np.nan)
                label = f"{output} [{unit}]" if style == "-" else None
                ax.plot(f, line, style, color=color, label=label)
            for fold in motions.folds:
                at = int(np.argmin(np.abs(f - fold)))
                ax.plot(f[at], y[at], "o", mfc="white", color=color, markersize=5)
            if compare is not None and output in compare.outputs:
                linear = np.abs(compare.total[:, compare.outputs.index(output)])
                ax.plot(compare.frequencies, linear, color=color, linewidth=0.7, alpha=0.6, label=f"{output}, linear")
        ax.set_xlabel("frequency [Hz]")
        ax.set_ylabel("amplitude over the cycle")
        ax.set_xlim(motions.frequencies.min(), motions.frequencies.max())
        ax.set_ylim(bottom=0, top=1.1 * max(float(motions.amplitude(output).max()) for output in outputs))
        ax.legend(loc="best")
        write(figure, file)
    show(file)
    return figure
