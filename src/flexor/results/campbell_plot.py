"""Campbell diagrams drawn with matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from flexor.results.plot import _COLORS, _STYLE, _matplotlib, show, write

if TYPE_CHECKING:
    from flexor.solve.campbell import Campbell

RPM = 30 / np.pi


def plot_campbell(diagram: Campbell, file: str | Path | None = None, orders: Sequence[float] = (1.0,)) -> Any:
    """Frequencies over speed, backward whirl dashed, orders as grey lines; returns the matplotlib figure."""
    matplotlib = _matplotlib()
    with matplotlib.rc_context(_STYLE):
        if file is None:
            import matplotlib.pyplot as plt

            figure = plt.figure(figsize=(8.0, 5.0), layout="constrained")
        else:
            figure = matplotlib.figure.Figure(figsize=(8.0, 5.0), layout="constrained")
        ax = figure.subplots()
        speeds = diagram.speeds * RPM
        for i, frequencies in enumerate(diagram.frequencies.T):
            line = "--" if diagram.whirl[-1, i] < -0.01 else "-"
            ax.plot(speeds, frequencies, line, color=_COLORS[i % len(_COLORS)], marker=".", label=f"mode {i + 1}")
        top = 1.05 * float(diagram.frequencies.max(initial=0.0)) or 1.0
        for order in orders:
            ax.plot(speeds, order * speeds / 60, ":", color="#888888")
            end = min(speeds[-1], 60 * top / order) if order > 0 else speeds[-1]
            ax.annotate(f"{order:g}×", (end, order * end / 60), color="#666666", ha="right", va="bottom")
        ax.set_ylim(0.0, top)
        ax.margins(x=0)
        ax.set_xlabel("speed [rpm]")
        ax.set_ylabel(f"frequency in the {diagram.frame} frame [Hz]")
        ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
        write(figure, file)
    show(file)
    return figure
