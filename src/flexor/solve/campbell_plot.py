"""Campbell diagrams drawn with matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from flexor.figure import COLORS, STYLE, drawing_library, new_figure, show, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from flexor.solve.campbell import Campbell

RPM = 30 / np.pi
LINES = {"forward": "-", "backward": "--", "planar": "-.", "axial": ":", "free": ":"}


def plot_campbell(diagram: Campbell, file: str | Path | None = None, orders: Sequence[float] = (1.0,)) -> Figure:
    """Frequencies over speed, orders as grey lines, critical speeds as circles; returns the matplotlib figure.

    Forward whirl is drawn through, backward dashed, motion in a plane dash-dotted, along or about the axis dotted; the legend
    names it. Circles at critical speeds that unbalance does not excite (axial modes) are grey.
    """
    matplotlib = drawing_library()
    with matplotlib.rc_context(STYLE):
        figure = new_figure((9.0, 5.0), shown=file is None)
        ax = figure.subplots()
        speeds = diagram.speeds * RPM
        for i, frequencies in enumerate(diagram.frequencies.T):
            _line(ax, diagram, i, speeds, frequencies)
        top = 1.05 * float(diagram.frequencies.max(initial=0.0)) or 1.0
        for order in orders:
            ax.plot(speeds, order * speeds / 60, ":", color="#888888")
            end = min(speeds[-1], 60 * top / order) if order > 0 else speeds[-1]
            ax.annotate(f"{order:g}×", (end, order * end / 60), color="#666666", ha="right", va="bottom")
            for crossing in diagram.crossings(order):
                at = (crossing.speed * RPM, crossing.frequency)
                color = COLORS[crossing.mode % len(COLORS)] if crossing.lateral else "#aaaaaa"
                ax.plot(*at, "o", color=color, markersize=8, fillstyle="none")
                ax.annotate(f"{at[0]:.4g}", at, xytext=(6, -10), textcoords="offset points", fontsize="small")
        ax.set_ylim(0.0, top)
        ax.margins(x=0)
        ax.set_xlabel("speed [rpm]")
        ax.set_ylabel(f"frequency in the {diagram.frame} frame [Hz]")
        ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
        write(figure, file)
    show(file)
    return figure


def _line(ax: Axes, diagram: Campbell, i: int, speeds: np.ndarray, frequencies: np.ndarray) -> None:
    """One mode, piece by piece where its sense of whirl changes."""
    senses, named = diagram.senses_of(i), diagram.senses()[i]
    color, first = COLORS[i % len(COLORS)], 0
    for last in range(1, len(speeds) + 1):
        if last == len(speeds) or senses[last] != senses[first]:
            piece = slice(first, min(last + 1, len(speeds)))
            label = f"mode {i + 1}, {named}" if first == 0 else None
            ax.plot(speeds[piece], frequencies[piece], LINES[senses[first]], color=color, marker=".", label=label)
            first = last
