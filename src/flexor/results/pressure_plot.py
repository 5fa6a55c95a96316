"""Figure of a pressure map."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from flexor.figure import STYLE, drawing_library, new_figure, show, write

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from flexor.results.pressure_map import PressureMap

SHOWN = {"rad": ("°", 180 / np.pi), "m": ("mm", 1e3)}
"""Units of the axes, and their factors."""


def plot_pressure(found: PressureMap, file: str | Path | None) -> Figure:
    """Colours over both parameters."""
    matplotlib = drawing_library()
    with matplotlib.rc_context({**STYLE, "axes.grid": False}):
        figure = new_figure((8.0, 4.5), shown=file is None)
        ax = figure.subplots()
        (unit_s, by_s), (unit_t, by_t) = (SHOWN[unit] for unit in found.units)
        shown = np.where(found.pressure > 0, found.pressure, np.nan).T / 1e6  # what is free stays white
        mesh = ax.pcolormesh(by_s * found.s, by_t * found.t, shown, cmap="inferno_r", vmin=0, shading="nearest")
        ax.ticklabel_format(useOffset=False)
        bar = figure.colorbar(mesh, ax=ax)
        bar.set_label("pressure [MPa]" if found.time is not None else "highest pressure [MPa]")
        bar.outline.set_visible(False)
        ax.set_xlabel(f"{found.names[0]} [{unit_s}]")
        ax.set_ylabel(f"{found.names[1]} [{unit_t}]")
        when = "in the run" if found.time is None else f"at {found.time:.4g} s"
        ax.set_title(f"{found.contact}, surface {found.surface}, {when}: up to {found.peak / 1e6:.4g} MPa", fontsize=10)
        write(figure, file)
    show(file)
    return figure
