"""Plots of signals over time with matplotlib: one subplot per unit, the time axis shared."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from flexor.errors import FlexorError, Problem
from flexor.figure import COLORS, STYLE, drawing_library, new_figure, show, write
from flexor.results.signal import component_names
from flexor.units import DIMENSIONS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from flexor.results.signal import Signal

_LINES = ("-", "--", ":", "-.")


def plot(signals: Sequence[Signal], file: str | Path | None = None, title: str = "") -> Figure:
    """Draw signals over time and return the matplotlib figure.

    file: image to write (.png, .svg, .pdf); without it the plot opens in a window where there is one.
    """
    matplotlib = drawing_library()
    if not signals:
        raise FlexorError(Problem("plot", "nothing to draw", "no signal is named", 'run.plot("crank.angle")'))
    colors = matplotlib.cycler(linestyle=_LINES) * matplotlib.cycler(color=COLORS)
    with matplotlib.rc_context({**STYLE, "axes.prop_cycle": colors}):
        figure = _figure(signals, title, shown=file is None)
        write(figure, file)
    show(file)
    return figure


def _figure(signals: Sequence[Signal], title: str, shown: bool) -> Figure:
    by_unit: dict[str, list[Signal]] = {}
    for signal in signals:
        by_unit.setdefault(signal.unit, []).append(signal)
    heights = [max(2.4, 0.22 * sum(_lines(signal) for signal in group)) for group in by_unit.values()]
    size = (8.0, max(sum(heights) + 0.7, 3.8))
    figure = new_figure(size, shown)
    axes = figure.subplots(len(by_unit), 1, sharex=True, squeeze=False, height_ratios=heights)[:, 0]
    for ax, (unit, group) in zip(axes, by_unit.items(), strict=True):
        _draw(ax, unit, group)
    axes[-1].set_xlabel("time [s]")
    if title:
        figure.suptitle(title, x=0.01, ha="left", fontsize=11, fontweight="bold")
    figure.align_ylabels(axes)
    return figure


def _lines(signal: Signal) -> int:
    return 1 if signal.values.ndim == 1 else signal.shape[1]


def _draw(ax: Axes, unit: str, signals: Sequence[Signal]) -> None:
    for signal in signals:
        if signal.values.ndim == 1:
            ax.plot(signal.time, signal.values, label=signal.name)
        else:
            for name, column in zip(component_names(signal), signal.values.T, strict=True):
                ax.plot(signal.time, column, label=name)
    quantity = signals[0].name if len(signals) == 1 else _quantity(unit, signals)
    ax.set_ylabel(f"{quantity} [{unit}]" if unit else quantity)
    ax.margins(x=0)
    ax.ticklabel_format(axis="y", scilimits=(-4, 5))
    if len(ax.lines) > 1:
        ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2, handlelength=1.8)


def _quantity(unit: str, signals: Sequence[Signal]) -> str:
    """What signals of one unit have in common: the last part of their names, or what the unit measures."""
    last = {signal.name.rpartition(".")[2] for signal in signals}
    if len(last) == 1:
        return last.pop()
    return next((name for name, (si, _) in DIMENSIONS.items() if si and si.replace("·", " ") == unit), "")
