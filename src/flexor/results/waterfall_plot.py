"""Figures of spectra."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from flexor.figure import COLORS, STYLE, drawing_library, new_figure, show, write

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from flexor.results.spectrum import Spectrum, Waterfall

RANGE = 1e-4
"""Smallest amplitude with a colour, in parts of the largest."""


def plot_spectrum(spectrum: Spectrum, file: str | Path | None, up_to: float | None) -> Figure:
    """Amplitude over frequency."""
    matplotlib = drawing_library()
    with matplotlib.rc_context(STYLE):
        figure = new_figure((9.0, 4.0), shown=file is None)
        ax = figure.subplots()
        ax.plot(spectrum.frequencies, spectrum.amplitudes, color=COLORS[0])
        ax.set_xlim(0, up_to or float(spectrum.frequencies[-1]))
        ax.set_ylim(bottom=0)
        ax.set_xlabel("frequency [Hz]")
        ax.set_ylabel(f"amplitude of {spectrum.name} [{spectrum.unit}]" if spectrum.unit else spectrum.name)
        write(figure, file)
    show(file)
    return figure


def plot_waterfall(waterfall: Waterfall, file: str | Path | None, up_to: float | None, ridges: bool) -> Figure:
    """Colours over frequency and time or speed, or curves behind each other."""
    matplotlib = drawing_library()
    with matplotlib.rc_context({**STYLE, "axes.grid": False}):
        figure = new_figure((9.0, 5.5), shown=file is None)
        ax = figure.subplots()
        f = waterfall.frequencies
        limit = up_to or float(f[-1])
        some = f <= limit
        size = waterfall.amplitudes[:, some]
        top = max(float(size[:, 1:].max(initial=0.0)), 1e-300)
        if ridges:
            rows = waterfall.along[:: max(1, len(waterfall.along) // 60)]
            height = 3 * np.ptp(waterfall.along) / max(len(rows), 1)
            for i in range(0, len(waterfall.along), max(1, len(waterfall.along) // 60)):
                base, curve = waterfall.along[i], waterfall.along[i] + height * size[i] / top
                ax.fill_between(f[some], base, curve, color="white", zorder=-i)
                ax.plot(f[some], curve, color=COLORS[0], linewidth=0.8, zorder=-i)
        else:
            norm = matplotlib.colors.LogNorm(RANGE * top, top)
            clipped = np.maximum(size, RANGE * top)
            mesh = ax.pcolormesh(f[some], waterfall.along, clipped, norm=norm, cmap="viridis", shading="nearest")
            bar = figure.colorbar(mesh, ax=ax)
            bar.set_label(f"amplitude of {waterfall.name} [{waterfall.unit}]" if waterfall.unit else waterfall.name)
        for order in waterfall.orders:
            color = COLORS[1] if ridges else "white"
            ax.plot(order * waterfall._rotation(), waterfall.along, "--", color=color, linewidth=0.9)
            inside = np.flatnonzero(order * waterfall._rotation() < 0.97 * limit)
            if len(inside):
                at = inside[-1]
                ax.annotate(f"{order:g}×", (order * waterfall._rotation()[at], waterfall.along[at]), color=color)
        ax.set_xlim(0, limit)
        ax.set_xlabel("frequency [Hz]")
        ax.set_ylabel(f"{waterfall.along_name} [{waterfall.along_unit}]")
        write(figure, file)
    show(file)
    return figure
